"""Trains a network by self-play in batches, on a GPU or the processor. Needs the extra `train`.

    python -m bots.hex.training.selfplay --minutes 9 --device cuda --out DIR

Thousands of games of each board size run side by side. Most moves are drawn from the policy. In one of
IMPROVED_INTERVAL positions the policy is improved without a tree (Danihelka et al., "Policy improvement by planning
with Gumbel", 2022). Candidates are drawn without replacement by the Gumbel-top-k trick, and the position after each is
evaluated once. Then softmax(logits + VALUE_SCALE * win probability) is the training target of the policy. A game ends
when the side to move can win at once; there the winning moves share the target evenly. The training target of
the value is the result of the game. The constants are in pool.py.

DIR/checkpoint.pt holds the network, the moving average of its weights, and the optimizer; a further run with the same
DIR goes on from there. DIR/curve.jsonl gets a line per report: seconds, games and steps of all runs together, mean
losses since the last report, and the scores of the average network in matches without search.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from bots.hex.training.model import Network, read_network
from bots.hex.training.selfplay.boards import MIN_SIZE
from bots.hex.training.selfplay.pool import Evaluator
from bots.hex.training.selfplay.trainer import SelfplaySettings, Trainer

SIZES = "7:1,8:1,9:2,10:2,11:8,12:2,13:4"  # board size:relative number of moves


def parse_sizes(text: str) -> dict[int, float]:
    """Return weights by board size from a text such as "9,11:3", in which the weight 1 may be left out.

    Raise ValueError if the text has another form, or if a size or a weight is too small.
    """
    parts = [part.partition(":") for part in text.split(",")]
    sizes = {int(size): float(weight or 1) for size, _, weight in parts}
    if min(sizes) < MIN_SIZE or min(sizes.values()) <= 0:
        raise ValueError(f"board sizes must be {MIN_SIZE} or more and their weights above 0, not {text!r}")
    return sizes


def read_opponent(file: Path, device: torch.device, bf16: bool) -> Evaluator:
    """Return the network of a checkpoint on a device; `bf16` says whether it computes in bf16."""
    return Evaluator(read_network(file), device, bf16)


def main() -> None:
    """Read the arguments, play and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--fp32", action="store_true", help="compute in 32-bit floats, not in bf16")
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument(
        "--sizes", type=parse_sizes, default=SIZES, help="board sizes and their weights (default: %(default)s)"
    )
    parser.add_argument("--games", type=int, default=4096, help="games side by side, for each board size")
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=2e-3, help="peak learning rate")
    parser.add_argument("--reuse", type=float, default=2.0, help="average number of times that a sample is trained on")
    parser.add_argument("--report", type=float, default=30.0, metavar="SECONDS", help="seconds between two reports")
    parser.add_argument("--against", type=Path, action="append", default=[], help="checkpoint to play matches with")
    parser.add_argument("--match-size", type=int, default=11)
    parser.add_argument("--match-pairs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    device, bf16 = torch.device(arguments.device), not arguments.fp32
    if device.type == "cuda":
        torch.backends.cudnn.benchmark = True
    arguments.out.mkdir(parents=True, exist_ok=True)
    settings = SelfplaySettings(
        sizes=arguments.sizes,
        games=arguments.games,
        batch=arguments.batch,
        rate=arguments.rate,
        reuse=arguments.reuse,
        seconds=60 * arguments.minutes,
        report_seconds=arguments.report,
        match_size=arguments.match_size,
        match_pairs=arguments.match_pairs,
    )
    network = Network(arguments.channels, arguments.blocks)
    opponents = {file.name: read_opponent(file, device, bf16) for file in arguments.against}
    Trainer(network, arguments.out, device, bf16, settings).run(opponents)


if __name__ == "__main__":
    main()
