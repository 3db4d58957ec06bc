"""The slow, obvious twin of Pentago's estimate: squares in a dictionary, and what `weights.py` says of each part."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from bots.pentago import weights
from tests.bots.pentago import naive

Square = tuple[int, int]
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))
ROWS = [[(x + n * dx, y + n * dy) for n in range(5)] for x in range(6) for y in range(6) for dx, dy in STEPS]
LINES = [row for row in ROWS if all(0 <= x < 6 and 0 <= y < 6 for x, y in row)]
EDGES = [[(0, 0), (1, 0), (2, 0)], [(0, 2), (1, 2), (2, 2)], [(0, 0), (0, 1), (0, 2)], [(2, 0), (2, 1), (2, 2)]]
MIDDLES = [[(0, 1), (1, 1), (2, 1)], [(1, 0), (1, 1), (1, 2)]]
DIAGONALS = [[(0, 0), (1, 1), (2, 2)], [(2, 0), (1, 1), (0, 2)]]


def weight(knots: Sequence[Any], marbles: int, place: int | None = None) -> int:
    """A weight with so many marbles on the board, by hand between two knots; `place` in a row of weights."""
    numbers: list[int] = [knot if place is None else knot[place] for knot in knots]
    ends = list(zip(weights.KNOTS, numbers, strict=True))
    if marbles >= ends[-1][0]:
        return ends[-1][1]
    for (low, before), (high, after) in pairwise(ends):
        if marbles < high:
            return round(before + (after - before) * max(marbles - low, 0) / (high - low))
    raise AssertionError


def parts(marbles: int) -> list[tuple[list[Square], dict[int, int]]]:
    """The parts of a quadrant, and what they are worth by their marbles."""

    def worths(knots: Sequence[Any]) -> dict[int, int]:
        return {count + 1: weight(knots, marbles, count) for count in range(3)}

    corners, sides = [(x, y) for x in (0, 2) for y in (0, 2)], [(1, 0), (0, 1), (2, 1), (1, 2)]
    return [
        *((part, worths(weights.EDGES)) for part in EDGES),
        *((part, worths(weights.MIDDLES)) for part in MIDDLES),
        *((part, worths(weights.DIAGONALS)) for part in DIAGONALS),
        *(([square], {1: weight(weights.CORNER, marbles)}) for square in corners),
        *(([square], {1: weight(weights.EDGE, marbles)}) for square in sides),
        ([(1, 1)], {1: weight(weights.CENTRE, marbles)}),
    ]


def held(cells: naive.Cells, squares: list[Square], side: str) -> int:
    """How many of some squares a side has where the enemy has none of them, else 0."""
    owners = [cells[square] for square in squares if square in cells]
    return len(owners) if set(owners) == {side} else 0


def value_of_lines(cells: naive.Cells, side: str, knots: Sequence[Any]) -> int:
    """Open lines of five with two, three and four marbles of a side."""
    worth = {count + 2: weight(knots, len(cells), count) for count in range(len(knots[0]))}
    return sum(worth.get(held(cells, line, side), 0) for line in LINES)


def value_of_quadrants(cells: naive.Cells, side: str) -> int:
    """What a side holds of the quadrants, however they are turned."""
    return sum(
        worth.get(held(cells, [(left + x, top + y) for x, y in part], side), 0)
        for left, top in naive.QUADRANTS
        for part, worth in parts(len(cells))
    )


def threes_after_turns(cells: naive.Cells, side: str) -> int:
    """A side's open lines of three after each of the eight turns, added up."""
    boards = [naive.turn(cells, letter) for letter in "stuvwxyz"]
    return sum(held(board, line, side) == 3 for board in boards for line in LINES)


def evaluate(cells: naive.Cells, side: str) -> int:
    """The estimate for the side to move; where that wins at once, the turns add nothing."""
    enemy = "b" if side == "w" else "w"
    value = value_of_lines(cells, side, weights.OWN_LINE) - value_of_lines(cells, enemy, weights.OPPONENT_LINE)
    value += value_of_quadrants(cells, side) - value_of_quadrants(cells, enemy)
    if all(result != side for _, result in naive.moves(cells, side).values()):
        value += weight(weights.ROTATED_THREE, len(cells)) * threes_after_turns(cells, side)
    threatened = any(result == enemy for _, result in naive.moves(cells, enemy).values())
    return value + weight(weights.TEMPO, len(cells)) - weight(weights.THREAT, len(cells)) * threatened
