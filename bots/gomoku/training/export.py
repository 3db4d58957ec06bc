"""Writes a trained network as a file for the bot: `python -m bots.gomoku.training.export CHECKPOINT freestyle`.

In this example it overwrites tables/freestyle.network. The weights are rounded to the types that the kernels use. The
lazy evaluation stays that of the network the training started from: fit it with fit_lazy.py.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from bots.gomoku.network import FOLDER
from bots.gomoku.training.model import Network, to_bytes


def main() -> None:
    """Read a checkpoint and write the network file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path, help="file written by bots.gomoku.training.train")
    parser.add_argument("name", help="name of the network: the rule it was trained for")
    arguments = parser.parse_args()
    network = Network()
    network.load_state_dict(torch.load(arguments.checkpoint, weights_only=True)["network"])
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{arguments.name}.network"
    path.write_bytes(to_bytes(network))
    print(f"wrote {path}; its lazy evaluation is not fitted to it: run fit_lazy {arguments.name} FILE.games ...")


if __name__ == "__main__":
    main()
