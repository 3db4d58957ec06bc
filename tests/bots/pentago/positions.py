"""Random positions of Pentago: marbles anywhere without a five, and sharp ones, in which fives are near."""

from __future__ import annotations

import random

from bots.pentago.layout import LINES, SQUARES
from bots.pentago.notation import TURNS
from tests.bots.pentago import naive
from tests.bots.pentago.prover import has_five, is_forced


def format_cells(cells: naive.Cells, side: str) -> str:
    """Return a position as text."""
    rows = ["".join(cells.get((x, y), "1") for x in range(6)) for y in range(6)]
    return f"{'/'.join(rows)} {side}"


def random_cells(rng: random.Random, marbles: int) -> naive.Cells:
    """Return a board with `marbles` marbles at random, alternately white and black; nobody has a five."""
    while True:
        squares = rng.sample([(x, y) for x in range(6) for y in range(6)], marbles)
        cells = {square: "wb"[number % 2] for number, square in enumerate(squares)}
        if not naive.outcome(cells):
            return cells


def sharp_position(rng: random.Random, marbles: int) -> str:
    """Return a position of at least eight marbles in which nobody wins with the next move.

    In about half of them, that move can usually make fives of both colours. In the others, each side has up to four
    marbles of a line.
    """
    side, other = "wb"[marbles % 2], "wb"[1 - marbles % 2]
    while True:
        remaining = {"w": (marbles + 1) // 2, "b": marbles // 2}
        cells: naive.Cells = {}
        both_fives = rng.random() < 0.5
        for owner in (side, other):
            line = {SQUARES[cell] for cell in rng.choice(LINES)} - set(cells)
            marble_count = 5 if both_fives else rng.choice((3, 4, 4))
            cells.update(dict.fromkeys(rng.sample(sorted(line), min(marble_count, len(line))), owner))
        if both_fives:
            cells = naive.rotate_quadrant(cells, rng.choice(TURNS))
            del cells[rng.choice([square for square, owner in cells.items() if owner == side])]
        for owner in cells.values():
            remaining[owner] -= 1
        if min(remaining.values()) < 0:
            continue
        empty = [(x, y) for x in range(6) for y in range(6) if (x, y) not in cells]
        colours = rng.sample("w" * remaining["w"] + "b" * remaining["b"], remaining["w"] + remaining["b"])
        cells.update(zip(rng.sample(empty, len(colours)), colours, strict=True))
        text = format_cells(cells, side)
        if not has_five(text) and not is_forced(text, 1):
            return text
