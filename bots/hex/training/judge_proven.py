"""Tests shares and values on proven positions (make_proven.py): `python -m bots.hex.training.judge_proven FILE`.

For the search by playouts and for the one by the network: how often the move with the greatest share wins, where one
does; and for the network how far its chance of winning is from the truth, and how often it is on the right side.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bots.hex.engine import BY_NETWORK, BY_PLAYOUTS, Manner
from bots.hex.network import load_network
from bots.hex.position import HexPosition
from bots.hex.prior import load_weights
from bots.hex.training.make_data import flat, padded
from core.native.library import new_array
from core.play.player import Setup
from core.search.tree import COUNT, HEADER, ROW_SHARE

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import HexPlayout

TREE_WORDS = 1 << 14  # for a root on the largest board


class PositionJudge:
    """A record with the weights of the prior and of a network, the bot's own or one from a file."""

    def __init__(self, network: bytes | None = None) -> None:
        self._library = HexPosition(Setup(5, 5, "standard")).library
        self._state: HexPlayout = self._library.new("HexPlayout")
        self._tree = new_array("i32", TREE_WORDS)
        load_weights(self._state)
        load_network(self._state, network)

    def best_move(self, position: HexPosition, manner: Manner) -> tuple[int, float]:
        """The move with the greatest share as `y * size + x`, and the chance of winning where the manner tells one."""
        state = self._state
        manner.prepare(state)
        self._library.set_root(position.state, state)
        root = self._library.plant_tree(state, self._tree)
        count = self._tree[root + COUNT]
        moves, shares = (
            self._tree[root + HEADER + row * count : root + HEADER + (row + 1) * count] for row in (0, ROW_SHARE)
        )
        best = moves[max(range(count), key=lambda index: shares[index])]
        chance = state.leaf_chance if position.to_move == 0 else 1 - state.leaf_chance
        return flat(best, position.setup.width), chance


def read_positions(file: Path) -> Iterator[tuple[HexPosition, set[int]]]:
    """Positions with their winning moves."""
    for line in file.read_text(encoding="utf-8").splitlines():
        found = json.loads(line)
        position = HexPosition(Setup(found["size"], found["size"], "standard"))
        position.replay([position.format(padded(move, found["size"])) for move in found["moves"]])
        yield position, set(found["wins"])


def judge(positions: Iterable[tuple[HexPosition, set[int]]], player: PositionJudge) -> dict[str, Any]:
    """Counts and ratios over all positions."""
    hits = {"playouts": 0, "network": 0}
    winnable = total = right = 0
    error = 0.0
    for position, wins in positions:
        for name, manner in (("playouts", BY_PLAYOUTS), ("network", BY_NETWORK)):
            best, chance = player.best_move(position, manner)
            hits[name] += best in wins
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
    judged = PositionJudge(arguments.network.read_bytes() if arguments.network else None)
    for name, value in judge(read_positions(arguments.file), judged).items():
        print(f"{name}: {value if isinstance(value, int) else format(value, '.3f')}")


if __name__ == "__main__":
    main()
