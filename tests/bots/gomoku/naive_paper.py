"""Slow reference implementation of V(x, y), the move value of the Waterloo paper's players (kernels/paper_patterns.py).

The pattern score of one side is the sum over its patterns in the rows, columns and diagonals of the board. A run is a
maximal row of stones in a line. The patterns of a line are:

- five: a run of five or more stones (the paper's game is freestyle), worth FIVE;
- split: two neighbouring runs of at most four stones each with a single free cell between them, three or more stones in
  all. Two single stones with a gap are two solid patterns; five or more stones with a gap count as a split four. A run
  between two gaps belongs to two split patterns;
- solid: every run of at most four stones that belongs to no split pattern.

The open ends of a pattern are the free cells next to its first and its last stone: 0, 1 or 2. Patterns that the table
does not list count 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tests.bots.gomoku.naive import STEPS, Board, Point, Step, move_by, row_through

FIVE = 10_000_000  # value of a five

# Table 1 of the paper: (number of stones, open ends) -> value.
SOLID = {
    (1, 1): 1,
    (1, 2): 10,
    (2, 1): 10,
    (2, 2): 100,
    (3, 1): 100,
    (3, 2): 1_000,
    (4, 1): 1_200,
    (4, 2): 100_000,
}
SPLIT = {
    (3, 1): 100,
    (3, 2): 1_000,
    (4, 0): 100_000,
    (4, 1): 1_100,
    (4, 2): 100_000,
}


def pattern_score(board: Board, colour: int) -> int:
    """Return the sum of the values of all patterns of `colour`."""
    return sum(
        value for step in STEPS for line in lines_along(board, step) for value in values(board, colour, line, step)
    )


def point_value(board: Board, x: int, y: int, colour: int) -> int:
    """Return V(x, y): what a stone on the free point adds to the score of `colour`, plus the same for the opponent."""
    if not board.is_empty((x, y)):
        raise ValueError(f"expected a free point, not {(x, y)}")
    sides = (colour, 1 - colour)
    return sum(pattern_score(board.with_stone((x, y), side), side) - pattern_score(board, side) for side in sides)


def lines_along(board: Board, step: Step) -> Iterator[list[Point]]:
    """Yield every line of the board in one direction, as its points from end to end."""
    on_board = set(board.points())
    for point in board.points():
        if move_by(point, step, -1) not in on_board:
            line = [move_by(point, step, count) for count in range(max(board.width, board.height))]
            yield [cell for cell in line if cell in on_board]


def values(board: Board, colour: int, line: list[Point], step: Step) -> list[int]:
    """Return the values of the patterns of one line."""
    starts = [p for p in line if board.stones.get(p) == colour and board.stones.get(move_by(p, step, -1)) != colour]
    runs = [row_through(board, colour, start, step) for start in starts]
    short_runs = [run for run in runs if len(run) < 5]
    splits = [(left, right) for left, right in pairwise(short_runs) if _is_split(board, left, right, step)]
    in_split = [run for split in splits for run in split]
    solids = [run for run in short_runs if run not in in_split]
    return (
        [FIVE for run in runs if len(run) >= 5]
        + [SPLIT.get((min(4, len(left + right)), open_ends(board, left + right, step)), 0) for left, right in splits]
        + [SOLID.get((len(run), open_ends(board, run, step)), 0) for run in solids]
    )


def open_ends(board: Board, stones: list[Point], step: Step) -> int:
    """Return how many of the cells next to the first and the last stone are free."""
    return sum(board.is_empty(end) for end in (move_by(stones[0], step, -1), move_by(stones[-1], step, 1)))


def _is_split(board: Board, left: list[Point], right: list[Point], step: Step) -> bool:
    gap = move_by(left[-1], step, 1)
    return board.is_empty(gap) and move_by(gap, step, 1) == right[0] and len(left) + len(right) >= 3
