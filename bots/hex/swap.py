"""First moves where pieces may be swapped: which are worth taking over, and fair ones to play."""

from __future__ import annotations

import random

from bots.hex.swap_values import VALUES
from core.squares import format_square

FAIR, NEARLY = 50, 3  # percent: a fair opening, and how much further from it than the fairest another may be
UNLISTED = "a2"  # for boards without values; about fair on most


def opening_value(size: int, x: int, y: int) -> int | None:
    """The first player's winning chances in percent after a first move, or None where the board has no values."""
    return int(VALUES[size][y].split()[x]) if size in VALUES else None


def choose_opening(size: int, choice: random.Random) -> str:
    """One of the fairest first moves."""
    if size not in VALUES:
        return UNLISTED if size > 1 else "a1"
    gaps = {}
    for y, row in enumerate(VALUES[size]):
        for x, value in enumerate(row.split()):
            gaps[format_square(x, y)] = abs(int(value) - FAIR)
    least = min(gaps.values())
    return choice.choice([cell for cell, gap in gaps.items() if gap <= least + NEARLY])
