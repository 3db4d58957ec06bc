"""First moves where pieces may be swapped: which are worth taking over, and fair ones to play."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from core.play.squares import format_square
from core.system.files import read_json_object

VALUES_FILE = Path(__file__).with_name("swap_values.json")  # bots/hex/training/make_swap_values.py makes it
# Of the first moves on solved boards this share wins: 56 % on 5x5, 61 % on 6x6. Where values are guesses of the search
# their order is better than their level, so on larger boards the best ones up to this share count as wins.
WINNING_SHARE = 0.57
FAIR_RANKS = 2  # how far from the border between wins and losses a fair opening may stand
UNLISTED = "a2"  # for boards without values; about fair on most
Cell = tuple[int, int]


@cache
def opening_values(size: int) -> Sequence[Sequence[int]]:
    """The first player's winning chances in percent after each first move, by rows; none for a board without values."""
    rows: list[list[int]] = read_json_object(VALUES_FILE).get(str(size), [])
    return rows


@cache
def rank_openings(size: int) -> list[Cell]:
    """Columns and rows of all first moves on a board that has values, worst first; of equals the outlying ones."""
    values = opening_values(size)
    cells = [(x, y) for y in range(size) for x in range(size)]
    return sorted(cells, key=lambda cell: (values[cell[1]][cell[0]], -sum(abs(2 * c - size + 1) for c in cell)))


def opening_value(size: int, x: int, y: int) -> int | None:
    """The first player's winning chances in percent after a first move, or None where the board has no values."""
    values = opening_values(size)
    return values[y][x] if values else None


def is_worth_swapping(size: int, x: int, y: int) -> bool | None:
    """Whether a first move is better for who makes it, or None where the board has no values."""
    value = opening_value(size, x, y)
    if value is None or value in (0, 100):  # the latter are proven
        return None if value is None else value == 100
    return rank_openings(size).index((x, y)) >= _first_winning_rank(size)


def choose_opening(size: int, rng: random.Random) -> str:
    """One of the fairest first moves; where they are solved, one of those that win and look worst.

    After a solved one the second player wins if it rightly swaps or does not. Programs that never swap are more than
    those that always do, and have lost against a stone that wins.
    """
    if not opening_values(size):
        return UNLISTED if size > 1 else "a1"
    ranked = rank_openings(size)
    wins = [(x, y) for x, y in ranked if opening_value(size, x, y) == 100]
    first_win = _first_winning_rank(size)
    fair = wins[: 2 * FAIR_RANKS] or ranked[first_win - FAIR_RANKS : first_win + FAIR_RANKS]
    return format_square(*rng.choice(fair))


def _first_winning_rank(size: int) -> int:
    """Rank of the worst first move that counts as a win."""
    return round((1 - WINNING_SHARE) * size * size)
