"""Tests shares and values on proven positions (make_proven.py): `python -m bots.hex.training.judge_proven FILE`.

For the search by playouts and for the one by the network: how often the move with the greatest share wins, where one
does; and for the network how far its chance of winning is from the truth, and how often it is on the right side.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bots.hex.engine import NETWORK_PARAMETERS, PLAYOUT_PARAMETERS
from bots.hex.position import HexPosition
from bots.hex.training.evaluator import PriorEvaluator
from bots.hex.training.make_data import flat, padded
from core.play.player import Setup


def read_positions(file: Path) -> Iterator[tuple[HexPosition, set[int]]]:
    """Positions with their winning moves."""
    for line in file.read_text(encoding="utf-8").splitlines():
        found = json.loads(line)
        position = HexPosition(Setup(found["size"], found["size"], "standard"))
        position.replay([position.format(padded(move, found["size"])) for move in found["moves"]])
        yield position, set(found["wins"])


def judge(positions: Iterable[tuple[HexPosition, set[int]]], evaluator: PriorEvaluator) -> dict[str, Any]:
    """Counts and ratios over all positions."""
    hits = {"playouts": 0, "network": 0}
    winnable = total = right = 0
    error = 0.0
    for position, wins in positions:
        for name, parameters in (("playouts", PLAYOUT_PARAMETERS), ("network", NETWORK_PARAMETERS)):
            cells, shares = evaluator.evaluate(position, parameters)
            best = cells[max(range(len(cells)), key=shares.__getitem__)]
            hits[name] += flat(best, position.setup.width) in wins
        chance = evaluator.win_probability(position.to_move)
        total, winnable = total + 1, winnable + bool(wins)
        right += (chance > 0.5) == bool(wins)
        error += abs(chance - bool(wins))
    return {
        "positions": total,
        "with a win": winnable,
        **{f"{name}: first move wins": count / max(winnable, 1) for name, count in hits.items()},
        "network: right side": right / max(total, 1),
        "network: mean error of the chance": error / max(total, 1),
    }


def main() -> None:
    """Print what there is to tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--network", type=Path, help="file of another network than the bot's")
    arguments = parser.parse_args()
    evaluator = PriorEvaluator(arguments.network.read_bytes() if arguments.network else None)
    for name, value in judge(read_positions(arguments.file), evaluator).items():
        print(f"{name}: {value if isinstance(value, int) else format(value, '.3f')}")


if __name__ == "__main__":
    main()
