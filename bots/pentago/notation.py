"""Pentago text: moves (`b2s`, or `e1` for a placement that wins), positions by rows, the dialect of Pentagod and Morat.

A square is column letter and row number from the top. Turn letters run clockwise round the board from its left edge,
two for each quadrant: s and t turn the top left one, u and v the top right, w and x the bottom right, y and z the
bottom left, the first of each pair anticlockwise.
"""

from __future__ import annotations

import re

from bots.pentago.layout import CELL_OF, CELLS, PLACEMENT, SIZE, SQUARES
from core.play.player import BadSetup, IllegalMove, Setup
from core.play.squares import format_square, parse_square

TURNS = "stuvwxyz"
OWN, PENTAGOD = "pentago", "pentagod"
VARIANTS = (OWN, PENTAGOD)  # the same rules; in the second a winning placement is written with a turn too
START = "6/6/6/6/6/6 w"
_SIDES = "wb"
_ECHO = 40  # characters of what came that an error repeats


def format_move(move: int) -> str:
    """Text of a move number of bots/pentago/layout.py."""
    if move >= PLACEMENT:
        return format_square(*SQUARES[move - PLACEMENT])
    cell, turn = divmod(move - 1, 8)
    return format_square(*SQUARES[cell]) + TURNS[turn]


def parse_move(text: str) -> tuple[int, int | None]:
    """Cell and turn of a move, None for a bare square; raise IllegalMove."""
    word = text.strip().lower()
    turn = TURNS.find(word[-1:]) if len(word) == 3 else None
    square = parse_square(word[:2])
    if square not in CELL_OF or len(word) not in (2, 3) or turn == -1:
        raise IllegalMove(f"a move such as b2s is wanted, a1 to f6 with a turn from s to z, not {text[:_ECHO]!r}")
    return CELL_OF[square], turn


def number_move(cell: int, turn: int | None) -> int:
    """The move number of a placement with its turn, or of a placement that wins at once."""
    return PLACEMENT + cell if turn is None else 1 + 8 * cell + turn


def swap_square(text: str) -> str:
    """A move of our notation in that of Pentagod and Morat, and the other way round: there the letter is the row.

    What is no square is left as it is.
    """
    square = parse_square(text[:2])
    return text if square not in CELL_OF else format_square(square[1], square[0]) + text[2:].lower()


def parse_position(text: str) -> tuple[int, int, int]:
    """White's and black's marbles as words of bits, and the side to move; raise BadSetup.

    The side must be the one that the number of marbles gives. That nobody has five already is not looked at.
    """
    rows_text, _, side = text.strip().partition(" ")
    rows = [re.sub("[1-6]", lambda digit: "." * int(digit[0]), row) for row in rows_text.split("/")]
    if [len(row) for row in rows] != [SIZE] * SIZE or set("".join(rows)) - set(".wb") or side not in (*_SIDES,):
        raise BadSetup(f"a position such as '{START}' is wanted, not {text[: 2 * _ECHO]!r}")
    boards = [0, 0]
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter != ".":
                boards[_SIDES.index(letter)] |= 1 << CELL_OF[x, y]
    white, black = (board.bit_count() for board in boards)
    if white - black != _SIDES.index(side):
        raise BadSetup(f"white begins and the sides alternate; {white} white, {black} black, {side} to move cannot be")
    return boards[0], boards[1], _SIDES.index(side)


def format_rows(white: int, black: int) -> list[str]:
    """The six rows from the top: w, b, or a point for an empty square."""
    letters = ["wb"[black >> cell & 1] if (white | black) >> cell & 1 else "." for cell in range(CELLS)]
    return ["".join(letters[CELL_OF[x, y]] for x in range(SIZE)) for y in range(SIZE)]


def format_position(white: int, black: int, side: int) -> str:
    """The position in one line, as `parse_position` reads it."""
    rows = "/".join(format_rows(white, black))
    return f"{re.sub('[.]+', lambda run: str(len(run[0])), rows)} {_SIDES[side]}"


def parse_opening(line: str, setup: Setup) -> list[str]:  # noqa: ARG001 - one board
    """The moves of an opening line, separated by blanks; raise BadSetup."""
    moves = line.split()
    for move in moves:
        try:
            parse_move(move)
        except IllegalMove as error:
            raise BadSetup(f"opening {line[: 2 * _ECHO]!r}: {error}") from None
    return moves


def check_setup(setup: Setup) -> Setup:
    """The setup, as the game spells it; raise BadSetup where there is no such board or variant, or no such position."""
    if (setup.width, setup.height) not in ((0, 0), (SIZE, SIZE)):
        raise BadSetup(f"board size must be {SIZE}, not {setup.width}x{setup.height}")
    if setup.variant not in ("", *VARIANTS):
        raise BadSetup(f"unknown variant {setup.variant!r}; known: {', '.join(VARIANTS)}")
    if setup.position:
        parse_position(setup.position)
    return setup
