"""The slow, obvious twin of Pentago's estimate: squares in a dictionary, and what `weights.py` says of each part."""

from __future__ import annotations

from bots.pentago import weights
from tests.bots.pentago import naive

Square = tuple[int, int]
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))
ROWS = [[(x + n * dx, y + n * dy) for n in range(5)] for x in range(6) for y in range(6) for dx, dy in STEPS]
LINES = [row for row in ROWS if all(0 <= x < 6 and 0 <= y < 6 for x, y in row)]
EDGES = [[(0, 0), (1, 0), (2, 0)], [(0, 2), (1, 2), (2, 2)], [(0, 0), (0, 1), (0, 2)], [(2, 0), (2, 1), (2, 2)]]
MIDDLES = [[(0, 1), (1, 1), (2, 1)], [(1, 0), (1, 1), (1, 2)]]
DIAGONALS = [[(0, 0), (1, 1), (2, 2)], [(2, 0), (1, 1), (0, 2)]]
SLANTS = [[(1, 0), (2, 1)], [(2, 1), (1, 2)], [(1, 2), (0, 1)], [(0, 1), (1, 0)]]
PARTS = [
    *((part, dict(enumerate(weights.EDGES, 1))) for part in EDGES),
    *((part, dict(enumerate(weights.MIDDLES, 1))) for part in MIDDLES),
    *((part, dict(enumerate(weights.DIAGONALS, 1))) for part in DIAGONALS),
    *((part, {2: weights.SLANT}) for part in SLANTS),
    *(([(x, y)], {1: weights.CORNER}) for x in (0, 2) for y in (0, 2)),
    *(([square], {1: weights.EDGE}) for square in ((1, 0), (0, 1), (2, 1), (1, 2))),
    ([(1, 1)], {1: weights.CENTRE}),
]


def held(cells: naive.Cells, squares: list[Square], side: str) -> int:
    """How many of some squares a side has where the enemy has none of them, else 0."""
    owners = [cells[square] for square in squares if square in cells]
    return len(owners) if set(owners) == {side} else 0


def value_of_lines(cells: naive.Cells, side: str, points: tuple[int, int, int]) -> int:
    """Open lines of five with two, three and four marbles of a side."""
    worth = dict(enumerate(points, 2))
    return sum(worth.get(held(cells, line, side), 0) for line in LINES)


def value_of_quadrants(cells: naive.Cells, side: str) -> int:
    """What a side holds of the quadrants, however they are turned."""
    return sum(
        worth.get(held(cells, [(left + x, top + y) for x, y in part], side), 0)
        for left, top in naive.QUADRANTS
        for part, worth in PARTS
    )


def evaluate(cells: naive.Cells, side: str) -> int:
    """The estimate for the side to move."""
    enemy = "b" if side == "w" else "w"
    value = value_of_lines(cells, side, weights.OWN) - value_of_lines(cells, enemy, weights.THEIRS)
    value += value_of_quadrants(cells, side) - value_of_quadrants(cells, enemy)
    threatened = any(result == enemy for _, result in naive.moves(cells, enemy).values())
    return value + weights.TEMPO - weights.THREAT * threatened
