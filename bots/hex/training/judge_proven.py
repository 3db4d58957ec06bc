"""Measures priors and values on proven positions (make_proven.py): `python -m bots.hex.training.judge_proven FILE`.

It prints how often the move with the largest prior wins, in positions that can be won: by the priors of the patterns
(`playouts`) and by those of the network. For the network it also prints the mean error of the win probability, and how
often this probability is on the right side of one half.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bots.hex.position import HexPosition
from bots.hex.search_parameters import NETWORK_PARAMETERS, PLAYOUT_PARAMETERS
from bots.hex.training.make_data import flat_index, padded_cell
from bots.hex.training.prior_evaluator import PriorEvaluator
from core.play.player import Setup
from core.training.games import read_games


def read_positions(file: Path) -> Iterator[tuple[HexPosition, set[int]]]:
    """Yield positions with the set of their winning moves, as `y * size + x`."""
    for row in read_games([file]):
        size = row["size"]
        position = HexPosition(Setup(size, size, "standard"))
        position.replay([position.format(padded_cell(move, size)) for move in row["moves"]])
        yield position, set(row["wins"])


def measure(positions: Iterable[tuple[HexPosition, set[int]]], evaluator: PriorEvaluator) -> dict[str, Any]:
    """Return counts and ratios over all positions."""
    hits = {"playouts": 0, "network": 0}  # positions in which the move with the largest prior wins
    winnable = total = right = 0  # numbers of positions
    error = 0.0
    for position, wins in positions:
        for name, parameters in (("playouts", PLAYOUT_PARAMETERS), ("network", NETWORK_PARAMETERS)):
            cells, priors = evaluator.evaluate(position, parameters)
            best = cells[max(range(len(cells)), key=priors.__getitem__)]
            hits[name] += flat_index(best, position.setup.width) in wins
        probability = evaluator.win_probability(position.to_move)
        total, winnable = total + 1, winnable + bool(wins)
        right += (probability > 0.5) == bool(wins)
        error += abs(probability - bool(wins))
    return {
        "positions": total,
        "with a win": winnable,
        **{f"{name}: move with the largest prior wins": count / max(winnable, 1) for name, count in hits.items()},
        "network: right side": right / max(total, 1),
        "network: mean error of the chance": error / max(total, 1),
    }


def main() -> None:
    """Print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--network", type=Path, help="network file; default: the engine's network")
    arguments = parser.parse_args()
    evaluator = PriorEvaluator(arguments.network.read_bytes() if arguments.network else None)
    for name, value in measure(read_positions(arguments.file), evaluator).items():
        print(f"{name}: {value if isinstance(value, int) else format(value, '.3f')}")


if __name__ == "__main__":
    main()
