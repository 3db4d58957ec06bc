"""Pentago's texts: moves, positions, and the dialect of the programs Pentagod and Morat.

    b2s                   square and rotation; a square is column letter and row number from the top
    e1                    a placement that wins at once, without a rotation
    6/6/2w3/6/6/6 b       a position: rows from the top (w, b, digits for empty squares), then the side to move

Rotation letters, the first of each pair anticlockwise: s t top left, u v top right, w x bottom right, y z bottom left
quadrant.
"""

from __future__ import annotations

import re

from bots.pentago.layout import CELL_OF, CELLS, PLACEMENT, SIZE, SQUARES
from core.play.player import BadSetup, IllegalMove, Setup, illegal_move_is_bad_setup
from core.play.squares import format_square, parse_square

TURNS = "stuvwxyz"  # letter of each rotation 0 to 7 (bots/pentago/layout.py)
NATIVE, PENTAGOD = "pentago", "pentagod"
VARIANTS = (NATIVE, PENTAGOD)  # the same rules; in the second, a winning placement has a rotation too
START_POSITION = "6/6/6/6/6/6 w"
_SIDES = "wb"
MAX_QUOTED_CHARACTERS = 40  # of a faulty text, in error messages


def format_move(move: int) -> str:
    """Return the text of a move code (bots/pentago/layout.py)."""
    if move >= PLACEMENT:
        return format_square(*SQUARES[move - PLACEMENT])
    cell, turn = divmod(move - 1, 8)
    return format_square(*SQUARES[cell]) + TURNS[turn]


def parse_move(text: str) -> tuple[int, int | None]:
    """Return cell and rotation (0 to 7; None for a bare square) of a move; raise `IllegalMove` if it is malformed."""
    word = text.strip().lower()
    turn = TURNS.find(word[-1:]) if len(word) == 3 else None
    square = parse_square(word[:2])
    if square not in CELL_OF or len(word) not in (2, 3) or turn == -1:
        raise IllegalMove(
            f"expected a move such as b2s, a1 to f6 with a turn from s to z, not {text[:MAX_QUOTED_CHARACTERS]!r}"
        )
    return CELL_OF[square], turn


def encode_move(cell: int, turn: int | None) -> int:
    """Return the code of a move; `turn` is its rotation, None for a placement that wins at once."""
    return PLACEMENT + cell if turn is None else 1 + 8 * cell + turn


def swap_square(text: str) -> str:
    """Swap column and row of a move's square, which converts between our notation and that of Pentagod and Morat.

    A text that does not begin with a square is returned unchanged.
    """
    square = parse_square(text[:2])
    return text if square not in CELL_OF else format_square(square[1], square[0]) + text[2:].lower()


def parse_position(text: str) -> tuple[int, int, int]:
    """Return white's bitboard, black's bitboard, and the side to move (0 white, 1 black) of a position.

    Raise `BadSetup` if the text is malformed or the side to move does not fit the numbers of marbles. A position in
    which a side has a five is accepted.
    """
    rows_text, _, side = text.strip().partition(" ")
    rows = [re.sub("[1-6]", lambda digit: "." * int(digit[0]), row) for row in rows_text.split("/")]
    if [len(row) for row in rows] != [SIZE] * SIZE or set("".join(rows)) - set(".wb") or side not in (*_SIDES,):
        raise BadSetup(f"expected a position such as '{START_POSITION}', not {text[: 2 * MAX_QUOTED_CHARACTERS]!r}")
    boards = [0, 0]  # of white and of black
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter != ".":
                boards[_SIDES.index(letter)] |= 1 << CELL_OF[x, y]
    white, black = (board.bit_count() for board in boards)
    if white - black != _SIDES.index(side):
        raise BadSetup(f"white begins and the sides alternate; {white} white, {black} black, {side} to move cannot be")
    return boards[0], boards[1], _SIDES.index(side)


def format_rows(white: int, black: int) -> list[str]:
    """Return the six rows of two bitboards from the top: `w`, `b`, or `.` for an empty square."""
    letters = ["wb"[black >> cell & 1] if (white | black) >> cell & 1 else "." for cell in range(CELLS)]
    return ["".join(letters[CELL_OF[x, y]] for x in range(SIZE)) for y in range(SIZE)]


def format_position(white: int, black: int, side: int) -> str:
    """Return a position as `parse_position` reads it."""
    rows = "/".join(format_rows(white, black))
    return f"{re.sub('[.]+', lambda run: str(len(run[0])), rows)} {_SIDES[side]}"


def parse_opening(line: str, setup: Setup) -> list[str]:  # noqa: ARG001 - one board
    """Return the moves of an opening, which are separated by spaces; raise `BadSetup` if one is malformed."""
    moves = line.split()
    with illegal_move_is_bad_setup(f"opening {line[: 2 * MAX_QUOTED_CHARACTERS]!r}"):
        for move in moves:
            parse_move(move)
    return moves


def check_setup(setup: Setup) -> Setup:
    """Return the setup unchanged; raise `BadSetup` if its board, variant or position is invalid."""
    if (setup.width, setup.height) not in ((0, 0), (SIZE, SIZE)):
        raise BadSetup(f"board size must be {SIZE}, not {setup.width}x{setup.height}")
    if setup.variant not in ("", *VARIANTS):
        raise BadSetup(f"unknown variant {setup.variant!r}; known: {', '.join(VARIANTS)}")
    if setup.position:
        parse_position(setup.position)
    return setup
