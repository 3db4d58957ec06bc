"""Writes a trained network as the bot loads it: `python -m bots.gomoku.training.export CHECKPOINT freestyle`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import torch

from bots.gomoku.kernels.network import WEIGHT_SCALE
from bots.gomoku.kernels.rules import GOMOKU
from bots.gomoku.network import FOLDER, WEIGHT_FIELDS
from bots.gomoku.training.train import Network
from core.native.weights import weight_bytes


def weights_of(network: Network) -> dict[str, Any]:
    """The weights by field of the record."""
    table = network.table() * WEIGHT_SCALE
    return {
        "shape_weights": table.round(),
        "input_weights": network.first.weight.T,
        "input_bias": network.first.bias,
        "hidden_weights": network.second.weight.T,
        "hidden_bias": network.second.bias,
        "output_weights": network.last.weight,
        "output_bias": network.last.bias,
    }


def to_bytes(network: Network) -> bytes:
    """A file's bytes."""
    weights = {name: values.detach().numpy() for name, values in weights_of(network).items()}
    assert tuple(weights) == WEIGHT_FIELDS
    return weight_bytes(GOMOKU.dtype(), weights)


def main() -> None:
    """Read a checkpoint and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("name", help="of the network: the rule it was trained for")
    arguments = parser.parse_args()
    network = Network()
    network.load_state_dict(torch.load(arguments.checkpoint, weights_only=True)["network"])
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{arguments.name}.network").write_bytes(to_bytes(network))


if __name__ == "__main__":
    main()
