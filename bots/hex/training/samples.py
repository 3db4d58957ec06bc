"""What the network learns from: the positions of recorded games (make_data.py) as their side to move sees them.

The side to move owns the top and the bottom: for white, columns and rows are exchanged, and the colours.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.search.mcts_search import CERTAIN_WIN_SCORE

EMPTY, OWN, OTHER = 0, 1, 2
SCORE_SHARE = 0.5  # of the value to learn of a position that was searched at length; the rest is of what came later
LAMBDA = 0.95  # weight of all that came after the next position; the next position itself has 1 - LAMBDA
OTHERS = 12  # positions of a game that are learnt from without a search at length
EARLY = 0.4  # of the board is full in these at most: what comes later is mostly decided
HELD_BACK = 20  # of so many games one is not learnt from


@dataclass
class Samples:
    """Positions of one board size for the side to move; cells are `y * size + x`."""

    size: int
    boards: Any  # (positions, cells) u8: EMPTY, OWN, OTHER
    shares: Any  # (positions, cells) f16: of the visits; all 0 where the position was not searched at length
    values: Any  # (positions,) f32: chance of winning to learn
    proven: Any  # (positions,) bool: whether the solver knows the result
    held: Any  # (positions,) bool: whether the game is held back

    def __len__(self) -> int:
        return len(self.values)


def seen_by(side: int, cell: int, size: int) -> int:
    """A cell as a side sees it, or the inverse."""
    return cell % size * size + cell // size if side else cell


def read_game(game: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Board, shares, value and whether it is proven of positions of a recorded game from its opening on.

    All that were searched at length are among them; of the others there are some early ones, drawn by chance.
    """
    size, moves, opening = game["size"], game["moves"], game["opening"]
    visits = {ply: (cells, counts) for ply, cells, counts in game["visits"]}
    end = min(opening + len(game["scores"]), round(EARLY * size * size) + 1)
    others = [ply for ply in range(opening, end) if ply not in visits]
    kept = {*visits, *random.Random(game["index"]).sample(others, min(len(others), OTHERS))}
    for ply, value in enumerate(list_values(game), opening):
        if ply not in kept:
            continue
        side = ply % 2
        board = np.zeros(size * size, dtype=np.uint8)
        for number, cell in enumerate(moves[:ply]):
            board[seen_by(side, cell, size)] = OWN if number % 2 == side else OTHER
        shares = np.zeros(size * size, dtype=np.float16)
        cells, counts = visits.get(ply, ([], []))
        for cell, count in zip(cells, counts, strict=True):
            shares[seen_by(side, cell, size)] = count / sum(counts)
        yield board, shares, value, ply >= game["proven"]


def list_values(game: dict[str, Any]) -> list[float]:
    """Chance of winning to learn for the side to move in each position of a recorded game from its opening on.

    It is what later positions are told to be worth, the sooner ones more, and in the end the result (Sutton, "Learning
    to predict by the methods of temporal differences", 1988); where the position was searched, its own score counts.
    """
    searched = {ply for ply, _, _ in game["visits"]}
    result = float(game["winner"] == 0)
    later, values = result, []
    for ply, score in reversed(list(enumerate(game["scores"], game["opening"]))):
        told = result if ply >= game["proven"] else (score_for_black(score, ply) / CERTAIN_WIN_SCORE + 1) / 2
        value = SCORE_SHARE * told + (1 - SCORE_SHARE) * later if ply in searched else later
        values.append(value if ply % 2 == 0 else 1 - value)
        later = LAMBDA * later + (1 - LAMBDA) * told
    return values[::-1]


def score_for_black(score: int, ply: int) -> int:
    """A score of the side to move as black has it."""
    return score if ply % 2 == 0 else -score


def read_samples(files: Sequence[Path]) -> dict[int, Samples]:
    """The samples of all files by board size, small boards first. A last line that is being written is left out."""
    rows: dict[int, list[tuple[Any, ...]]] = {}
    for file in files:
        for line in _whole_lines(file):
            game = json.loads(line)
            found = rows.setdefault(game["size"], [])
            found += ((*sample, game["index"] % HELD_BACK == HELD_BACK - 1) for sample in read_game(game))
    return {size: _join(size, found) for size, found in sorted(rows.items())}


def _whole_lines(file: Path) -> Iterable[str]:
    with file.open(encoding="utf-8") as lines:
        yield from (line for line in lines if line.endswith("\n"))


def _join(size: int, rows: list[tuple[Any, ...]]) -> Samples:
    boards, shares, values, proven, held = zip(*rows, strict=True)
    return Samples(
        size,
        np.stack(boards),
        np.stack(shares),
        np.array(values, dtype=np.float32),
        np.array(proven),
        np.array(held),
    )
