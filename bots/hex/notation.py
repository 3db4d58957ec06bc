"""Text for Hex: cells, positions, opening lines and the words that stand for moves.

A cell is a column letter and a row number, `c2`; rows count from the top and no letter is skipped. GoGui's coordinates
are converted by the protocol (protocols/gtp/text.py).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from core.play.player import RESIGN, BadSetup, IllegalMove, Setup, illegal_move_is_bad_setup
from core.play.squares import check_board_size, format_square, parse_board_square, split_squares

MIN_SIZE, MAX_SIZE = 1, 19
SolverName = Literal["HexSolver", "HexSolver3", "HexSolver6"]
# Names of the solver's state structs (kernels/records.py), by the number of 64-bit words in a set of cells. A set has a
# bit for each cell and for two edges, so the structs have room for boards up to 11x11, 13x13 and 19x19.
SOLVERS: dict[int, SolverName] = {2: "HexSolver", 3: "HexSolver3", 6: "HexSolver6"}
MAX_FULL, MAX_SEMI = 16, 32  # full and semi connections that a solver state stores for each pair of cells
VARIANTS = ("standard", "swap")  # in `swap` the second player may answer the first stone by SWAP
SWAP = "swap-pieces"  # the first stone becomes white and moves to the mirrored cell (column and row exchanged)
COLOURS = ("black", "white")
_EMPTY_RUN = re.compile(r"[0-9]{1,2}")


def check_setup(setup: Setup) -> Setup:
    """Return the setup; raise BadSetup if the board, the variant or the position is not possible."""
    check_board_size(setup, MIN_SIZE, MAX_SIZE)
    if setup.variant not in VARIANTS:
        raise BadSetup(f"unknown variant {setup.variant!r}; known: {', '.join(VARIANTS)}")
    if setup.variant == "swap" and setup.width != setup.height:
        raise BadSetup(f"the swap rule needs a square board, not {setup.width}x{setup.height}")
    if setup.position:
        width, height, _, _ = parse_position_text(setup.position)
        if (width, height) != (setup.width, setup.height):
            raise BadSetup(f"the position has {width}x{height} cells, the board {setup.width}x{setup.height}")
    return setup


def parse_position_text(text: str) -> tuple[int, int, list[tuple[int, str]], int]:
    """Parse a position: return width, height, stones as (colour, cell), and side to move; raise BadSetup.

    It has the rows from the top, `b` and `w` for stones and numbers for runs of empty cells, then the side to move:
    `b1w/3/2b w`.
    """
    rows, _, side = text.partition(" ")
    lines = [_EMPTY_RUN.sub(lambda match: "." * int(match[0]), row) for row in rows.lower().split("/")]
    sides = [name[0] for name in COLOURS]
    if side.lower() not in sides or len({len(line) for line in lines}) != 1 or set("".join(lines)) - {".", *sides}:
        raise BadSetup(f"expected a position such as 'b1w/3/2b w', not {text!r}")
    stones = [
        (sides.index(content), format_square(x, y))
        for y, line in enumerate(lines)
        for x, content in enumerate(line[:MAX_SIZE])
        if content != "."
    ]
    return len(lines[0]), len(lines), stones, sides.index(side.lower())


def setup_with_position(text: str, setup: Setup) -> Setup:
    """Return the setup with this start position and its board size; raise BadSetup."""
    width, height, _, _ = parse_position_text(text)
    return check_setup(replace(setup, width=width, height=height, position=text.lower()))


def parse_opening(line: str, setup: Setup) -> list[str]:
    """Parse an opening line, `c2 f6 d4` or `c2f6d4`: moves of black and white in turn; raise BadSetup."""
    moves = split_squares("".join(line.split()))
    if not moves:
        raise BadSetup(f"expected an opening such as c2f6d4, not {line!r}")
    with illegal_move_is_bad_setup(f"opening {line!r}"):
        return [format_square(*parse_cell(move, setup)) for move in moves]


def parse_colour(text: str) -> int:
    """Return 0 for `b` or `black` and 1 for `w` or `white`, in either case; raise IllegalMove."""
    for colour, name in enumerate(COLOURS):
        if text.lower() in (name, name[0]):
            return colour
    raise IllegalMove(f"expected a colour, black or white, not {text!r}")


def parse_cell(text: str, setup: Setup) -> tuple[int, int]:
    """Return column and row, from 0, of a cell on the board; raise IllegalMove."""
    return parse_board_square(text, setup, "a cell such as c2")


def canonical_move(text: str, setup: Setup) -> str:
    """Return a move in canonical form: a cell of the board, SWAP or RESIGN; raise IllegalMove."""
    word = text.strip().lower()
    return word if word in (SWAP, RESIGN) else format_square(*parse_cell(word, setup))
