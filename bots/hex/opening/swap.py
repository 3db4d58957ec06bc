"""First moves under the swap rule: whether to swap a first stone, and which first stones are fair.

Only square boards have the rule, so one number is the size of a board. Columns and rows count from 0.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from core.play.squares import format_square
from core.system.files import read_json_object

VALUES_FILE = Path(__file__).with_name("swap_values.json")  # bots/hex/training/make_swap_values.py makes it
# In percent: a first move of higher value counts as winning. On 11x11, in games of the engine against itself, black won
# 44 of 64 after first moves of value 50 and 51, and 22 of 64 after those of value 44 and 45. Not measured elsewhere.
EVEN = 48
FAIR_RANKS = 2  # a fair opening is at most this many ranks from the border between losses and wins
DEFAULT_OPENING = "a2"  # first move on boards without values; about fair on most
Cell = tuple[int, int]  # column and row


@cache
def opening_values(size: int) -> Sequence[Sequence[int]]:
    """Return, by rows, black's winning chances in percent after each first move; empty if the size has no values."""
    rows: list[list[int]] = read_json_object(VALUES_FILE).get(str(size), [])
    return rows


@cache
def rank_openings(size: int) -> list[Cell]:
    """Return the cells of all first moves, worst first. Of equal values, those further from the centre come first."""
    values = opening_values(size)
    cells = [(x, y) for y in range(size) for x in range(size)]
    return sorted(cells, key=lambda cell: (values[cell[1]][cell[0]], -sum(abs(2 * c - size + 1) for c in cell)))


def opening_value(size: int, x: int, y: int) -> int | None:
    """Return black's winning chances in percent after a first move, or None if the board has no values."""
    values = opening_values(size)
    return values[y][x] if values else None


def is_worth_swapping(size: int, x: int, y: int) -> bool | None:
    """Return whether to swap a first stone, or None if the board has no values."""
    value = opening_value(size, x, y)
    return None if value is None else value > EVEN


def choose_opening(size: int, rng: random.Random) -> str:
    """Return a fair first move at random; if some are proven wins, one of those furthest from the centre.

    On boards without values it is DEFAULT_OPENING, or a1 on 1x1.

    A winning stone loses nothing against programs that never swap, which are more common than programs that always
    swap.
    """
    if not opening_values(size):
        return DEFAULT_OPENING if size > 1 else "a1"
    ranked = rank_openings(size)
    wins = [(x, y) for x, y in ranked if opening_value(size, x, y) == 100]
    first_win = sum(value <= EVEN for row in opening_values(size) for value in row)
    fair = wins[: 2 * FAIR_RANKS] or ranked[first_win - FAIR_RANKS : first_win + FAIR_RANKS]
    return format_square(*rng.choice(fair))
