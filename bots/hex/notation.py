"""Hex text: cells (`c2`, rows from the top, no letter skipped), positions, the words that stand for moves.

GoGui's coordinates are the protocol's business (protocols/gtp/text.py).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from core.play.player import RESIGN, BadSetup, IllegalMove, Setup
from core.play.squares import format_square, parse_square, split_squares

MIN_SIZE, MAX_SIZE = 1, 19
SolverName = Literal["HexSolver", "HexSolver3", "HexSolver6"]
# The solver's records by the words of 64 bits of a set, which has a bit for each cell and for two edges: boards up to
# 11x11, 13x13 and 19x19.
SOLVERS: dict[int, SolverName] = {2: "HexSolver", 3: "HexSolver3", 6: "HexSolver6"}
MAX_FULL, MAX_SEMI = 16, 32  # connections that a solver state stores for a pair of cells
VARIANTS = ("standard", "swap")  # with `swap` the second player may answer the first stone by SWAP
SWAP = "swap-pieces"
COLOURS = ("black", "white")
_EMPTY_RUN = re.compile(r"[0-9]{1,2}")


def check_setup(setup: Setup) -> Setup:
    """The setup, as the game spells it; raise BadSetup where board, variant or position cannot be played."""
    for length in (setup.width, setup.height):
        if not MIN_SIZE <= length <= MAX_SIZE:
            raise BadSetup(f"board size must be {MIN_SIZE}..{MAX_SIZE}, not {length}")
    if setup.variant not in VARIANTS:
        raise BadSetup(f"unknown variant {setup.variant!r}; known: {', '.join(VARIANTS)}")
    if setup.variant == "swap" and setup.width != setup.height:
        raise BadSetup(f"swapping pieces wants a square board, not {setup.width}x{setup.height}")
    if setup.position:
        width, height, _, _ = parse_position_text(setup.position)
        if (width, height) != (setup.width, setup.height):
            raise BadSetup(f"a position of {setup.width}x{setup.height} cells is wanted, not {width}x{height}")
    return setup


def parse_position_text(text: str) -> tuple[int, int, list[tuple[int, str]], int]:
    """Width, height, stones as colour and cell, and side to move of a position; raise BadSetup.

    It is written by rows from the top, `b` and `w` for stones and numbers for empty cells, then the side to move:
    `b1w/3/2b w`.
    """
    rows, _, side = text.partition(" ")
    lines = [_EMPTY_RUN.sub(lambda run: "." * int(run[0]), row) for row in rows.lower().split("/")]
    sides = [name[0] for name in COLOURS]
    if side.lower() not in sides or len({len(line) for line in lines}) != 1 or set("".join(lines)) - {".", *sides}:
        raise BadSetup(f"a position such as 'b1w/3/2b w' is wanted, not {text!r}")
    stones = [
        (sides.index(content), format_square(x, y))
        for y, line in enumerate(lines)
        for x, content in enumerate(line[:MAX_SIZE])
        if content != "."
    ]
    return len(lines[0]), len(lines), stones, sides.index(side.lower())


def setup_with_position(text: str, setup: Setup) -> Setup:
    """The setup that begins with a position, on its board; raise BadSetup."""
    width, height, _, _ = parse_position_text(text)
    wanted = replace(setup, width=width, height=height, position=text.lower())
    check_setup(wanted)
    return wanted


def parse_opening(line: str, setup: Setup) -> list[str]:
    """Moves of an opening line, `c2 f6 d4` or `c2f6d4`, alternately of black and white; raise BadSetup."""
    moves = split_squares("".join(line.split()))
    if not moves:
        raise BadSetup(f"an opening such as c2f6d4 is wanted, not {line!r}")
    try:
        return [format_square(*parse_cell(move, setup)) for move in moves]
    except IllegalMove as error:
        raise BadSetup(f"opening {line!r}: {error}") from None


def parse_colour(text: str) -> int:
    """0 for `b` or `black`, 1 for `w` or `white`, in any case; raise IllegalMove."""
    for colour, name in enumerate(COLOURS):
        if text.lower() in (name, name[0]):
            return colour
    raise IllegalMove(f"a colour is wanted, black or white, not {text!r}")


def parse_cell(text: str, setup: Setup) -> tuple[int, int]:
    """Column and row of a cell on the board; raise IllegalMove."""
    cell = parse_square(text)
    if cell is None:
        raise IllegalMove(f"a cell such as c2 is wanted, not {text!r}")
    x, y = cell
    if x >= setup.width or y >= setup.height:
        raise IllegalMove(f"{text} is outside the {setup.width}x{setup.height} board")
    return x, y


def canonical_move(text: str, setup: Setup) -> str:
    """A move in our spelling: a cell of the board, SWAP or RESIGN; raise IllegalMove."""
    word = text.strip().lower()
    return word if word in (SWAP, RESIGN) else format_square(*parse_cell(word, setup))
