"""Slow reference implementation of Pentago's evaluation, with the weights of bots/pentago/weights.py.

Each weight is given at several numbers of marbles on the board, the knots, and interpolated between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from bots.pentago import weights
from tests.bots.pentago import naive

Square = tuple[int, int]
# Rows of three squares in a quadrant, whose top left square is (0, 0).
EDGES = [[(0, 0), (1, 0), (2, 0)], [(0, 2), (1, 2), (2, 2)], [(0, 0), (0, 1), (0, 2)], [(2, 0), (2, 1), (2, 2)]]
MIDDLES = [[(0, 1), (1, 1), (2, 1)], [(1, 0), (1, 1), (1, 2)]]
DIAGONALS = [[(0, 0), (1, 1), (2, 2)], [(2, 0), (1, 1), (0, 2)]]


def weight(knots: Sequence[Any], marbles: int, column: int | None = None) -> int:
    """Return a weight at a number of marbles.

    `knots` has one entry per knot, which is a weight, or a row of weights from which `column` selects one.
    """
    values: list[int] = [knot if column is None else knot[column] for knot in knots]
    knots_and_values = list(zip(weights.KNOTS, values, strict=True))
    if marbles >= knots_and_values[-1][0]:
        return knots_and_values[-1][1]
    for (low, low_weight), (high, high_weight) in pairwise(knots_and_values):
        if marbles < high:
            return round(low_weight + (high_weight - low_weight) * max(marbles - low, 0) / (high - low))
    raise AssertionError


def parts(marbles: int) -> list[tuple[list[Square], dict[int, int]]]:
    """Return the parts of a quadrant, each with its weights by the number of a side's marbles in the part.

    `marbles` is the number of marbles on the board.
    """

    def make_weights(knots: Sequence[Any]) -> dict[int, int]:
        return {count + 1: weight(knots, marbles, count) for count in range(3)}

    corners, sides = [(x, y) for x in (0, 2) for y in (0, 2)], [(1, 0), (0, 1), (2, 1), (1, 2)]
    return [
        *((part, make_weights(weights.EDGES)) for part in EDGES),
        *((part, make_weights(weights.MIDDLES)) for part in MIDDLES),
        *((part, make_weights(weights.DIAGONALS)) for part in DIAGONALS),
        *(([square], {1: weight(weights.CORNER, marbles)}) for square in corners),
        *(([square], {1: weight(weights.EDGE, marbles)}) for square in sides),
        ([(1, 1)], {1: weight(weights.CENTRE, marbles)}),
    ]


def count_unblocked(cells: naive.Cells, squares: list[Square], side: str) -> int:
    """Return how many of the squares a side has, or 0 if the opponent has one of them."""
    owners = [cells[square] for square in squares if square in cells]
    return len(owners) if set(owners) == {side} else 0


def value_of_lines(cells: naive.Cells, side: str, knots: Sequence[Any]) -> int:
    """Return the value of a side's open lines of five with two, three and four marbles."""
    values = {count + 2: weight(knots, len(cells), count) for count in range(len(knots[0]))}
    return sum(values.get(count_unblocked(cells, line, side), 0) for line in naive.LINES)


def value_of_quadrants(cells: naive.Cells, side: str) -> int:
    """Return the value of a side's marbles in the parts of the quadrants."""
    return sum(
        values.get(count_unblocked(cells, [(left + x, top + y) for x, y in part], side), 0)
        for left, top in naive.QUADRANTS
        for part, values in parts(len(cells))
    )


def threes_after_rotations(cells: naive.Cells, side: str) -> int:
    """Return the number of a side's open lines with three marbles, summed over the boards after each rotation."""
    boards = [naive.rotate_quadrant(cells, letter) for letter in "stuvwxyz"]
    return sum(count_unblocked(board, line, side) == 3 for board in boards for line in naive.LINES)


def evaluate(cells: naive.Cells, side: str) -> int:
    """Return the evaluation for the side to move; if it wins at once, its rotated threes count 0."""
    opponent = "b" if side == "w" else "w"
    value = value_of_lines(cells, side, weights.OWN_LINE) - value_of_lines(cells, opponent, weights.OPPONENT_LINE)
    value += value_of_quadrants(cells, side) - value_of_quadrants(cells, opponent)
    if all(result != side for _, result in naive.moves(cells, side).values()):
        value += weight(weights.ROTATED_THREE, len(cells)) * threes_after_rotations(cells, side)
    threatened = any(result == opponent for _, result in naive.moves(cells, opponent).values())
    return value + weight(weights.TEMPO, len(cells)) - weight(weights.THREAT, len(cells)) * threatened
