"""Random positions in which somebody is about to make five."""

from __future__ import annotations

import random

from bots.pentago.layout import LINES, SQUARES
from bots.pentago.notation import TURNS
from tests.bots.pentago import naive
from tests.bots.pentago.prover import has_five, is_true


def format_cells(cells: naive.Cells, side: str) -> str:
    rows = ["".join(cells.get((x, y), "1") for x in range(6)) for y in range(6)]
    return f"{'/'.join(rows)} {side}"


def sharp_position(source: random.Random, marbles: int) -> str:
    """A game that goes on, of eight marbles or more, in which nobody wins by the next move.

    In every other position that move can make fives of both colours; else both hold three or four of a line.
    """
    side, other = "wb"[marbles % 2], "wb"[1 - marbles % 2]
    while True:
        left = {"w": (marbles + 1) // 2, "b": marbles // 2}
        cells: naive.Cells = {}
        levels = source.random() < 0.5
        for owner in (side, other):
            line = {SQUARES[cell] for cell in source.choice(LINES)} - set(cells)
            held = 5 if levels else source.choice((3, 4, 4))
            cells.update(dict.fromkeys(source.sample(sorted(line), min(held, len(line))), owner))
        if levels:
            cells = naive.turn(cells, source.choice(TURNS))
            del cells[source.choice([square for square, owner in cells.items() if owner == side])]
        for owner in cells.values():
            left[owner] -= 1
        if min(left.values()) < 0:
            continue
        free = [(x, y) for x in range(6) for y in range(6) if (x, y) not in cells]
        rest = source.sample("w" * left["w"] + "b" * left["b"], left["w"] + left["b"])
        cells.update(zip(source.sample(free, len(rest)), rest, strict=True))
        text = format_cells(cells, side)
        if not has_five(text) and not is_true(text, 1):
            return text
