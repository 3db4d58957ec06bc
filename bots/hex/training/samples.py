"""Training samples for the network: positions of recorded games in the view of the side to move (side_view.py).

make_data.py describes the games. `ply` is the number of moves before a position. Black moves first and there is no
swap, so the side to move is `ply % 2`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bots.hex.training.side_view import OPPONENT, OWN, to_side_view
from core.search.mcts_search import CERTAIN_WIN_SCORE
from core.training.games import read_games

SCORE_WEIGHT = 0.5  # weight of a full search's score in the value target; the lambda-return has the rest
LAMBDA = 0.95  # TD(lambda): weight of everything after the next position; the next position has 1 - LAMBDA
MAX_FAST_POSITIONS = 12  # positions per game that are used without a full search
EARLY_FILL = 0.4  # such positions are used only if at most this fraction of the board is filled
VALIDATION_EVERY = 20  # one in this many games is held out for validation


@dataclass
class Samples:
    """Training positions of one board size; cell (x, y) has the index y * size + x."""

    size: int
    boards: Any  # (positions, cells) u8: EMPTY, OWN, OPPONENT
    policies: Any  # (positions, cells) f16: fraction of the visits; all 0 if the game records no visits there
    value_targets: Any  # (positions,) f32: target of the win probability
    proven: Any  # (positions,) bool: the solver has proven the result
    is_validation: Any  # (positions,) bool: the game is held out for validation

    def __len__(self) -> int:
        return len(self.value_targets)


def read_game(game: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Yield (board, policy, value target, is proven) for some positions of a recorded game.

    These are all positions with visits, and a random sample of early positions without.
    """
    size, moves, opening_length = game["size"], game["moves"], game["opening"]
    visits = {ply: (cells, counts) for ply, cells, counts in game["visits"]}
    end = min(opening_length + len(game["scores"]), round(EARLY_FILL * size * size) + 1)
    fast_plies = [ply for ply in range(opening_length, end) if ply not in visits]
    kept = {*visits, *random.Random(game["index"]).sample(fast_plies, min(len(fast_plies), MAX_FAST_POSITIONS))}
    for ply, value in enumerate(list_value_targets(game), opening_length):
        if ply not in kept:
            continue
        side = ply % 2
        board = np.zeros(size * size, dtype=np.uint8)
        for earlier_ply, cell in enumerate(moves[:ply]):
            board[to_side_view(side, cell, size)] = OWN if earlier_ply % 2 == side else OPPONENT
        policy = np.zeros(size * size, dtype=np.float16)
        cells, counts = visits.get(ply, ([], []))
        for cell, count in zip(cells, counts, strict=True):
            policy[to_side_view(side, cell, size)] = count / sum(counts)
        yield board, policy, value, ply >= game["proven"]


def list_value_targets(game: dict[str, Any]) -> list[float]:
    """Return the value target of each position after the opening: the win probability of its side to move.

    It is the TD(lambda) return over the scores of the later positions, ending in the game's result (Sutton, "Learning
    to predict by the methods of temporal differences", 1988). If the position has visits, its own score is mixed in
    with weight SCORE_WEIGHT.
    """
    searched = {ply for ply, _, _ in game["visits"]}
    result = float(game["winner"] == 0)
    # Backwards, in black's view. At the start of each turn `lambda_return` is the return from the scores after `ply`.
    lambda_return, value_targets = result, []
    for ply, score in reversed(list(enumerate(game["scores"], game["opening"]))):
        win_probability = result if ply >= game["proven"] else (score_for_black(score, ply) / CERTAIN_WIN_SCORE + 1) / 2
        value = (
            SCORE_WEIGHT * win_probability + (1 - SCORE_WEIGHT) * lambda_return if ply in searched else lambda_return
        )
        value_targets.append(value if ply % 2 == 0 else 1 - value)
        lambda_return = LAMBDA * lambda_return + (1 - LAMBDA) * win_probability
    return value_targets[::-1]


def score_for_black(score: int, ply: int) -> int:
    """Convert a score of the side to move to black's view."""
    return score if ply % 2 == 0 else -score


def read_samples(files: Sequence[Path]) -> dict[int, Samples]:
    """Read the samples of all files, by board size, small boards first. An incomplete last line is ignored."""
    rows: dict[int, list[tuple[Any, ...]]] = {}
    for game in read_games(files):
        is_validation = game["index"] % VALIDATION_EVERY == VALIDATION_EVERY - 1
        rows.setdefault(game["size"], []).extend((*sample, is_validation) for sample in read_game(game))
    return {size: _join(size, size_rows) for size, size_rows in sorted(rows.items())}


def _join(size: int, rows: list[tuple[Any, ...]]) -> Samples:
    boards, policies, value_targets, proven, is_validation = zip(*rows, strict=True)
    return Samples(
        size,
        np.stack(boards),
        np.stack(policies),
        np.array(value_targets, dtype=np.float32),
        np.array(proven),
        np.array(is_validation),
    )
