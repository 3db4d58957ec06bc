"""Kolibrat's notation: squares, moves, positions and variants.

    square     b1 (column letter, row number; row 1 is red's home row)
    move       b1 (insert), b1c2 (diagonal step, attack or jump), b4off (leave the board for a point)
    position   3/1b1/1r1/3 b 0 0 4 5 (rows from the top, side to move, red's and black's points, pieces per side, goal)
    variant    3x4-4-5 (columns x rows - pieces per side - points needed to win)

Squares and moves are integer codes in the kernels (bots/kolibrat/squares.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bots.kolibrat.squares import HAND, MAX_GOAL, MAX_SIZE, MIN_SIZE, MOVE_SHIFT, OFF, SQUARE_MASK, STRIDE
from core.play.player import BadSetup, IllegalMove, Setup
from core.play.squares import format_square, parse_square

COLOURS = ("red", "black")
DEFAULT_VARIANT = "3x4-4-5"
# Offered for choice; any other board in the range of `Board` can be played, too.
VARIANTS = (DEFAULT_VARIANT, "2x2-2-5", "3x3-3-5", "3x4-5-5", "3x4-6-5", "4x5-5-5", "4x5-6-5", "5x6-6-4", "9x9-15-4")
PASS = "pass"  # not a move: GTP controllers may send it for a side that is skipped
_VARIANT = re.compile(r"([0-9]{1,3})x([0-9]{1,3})-([0-9]{1,3})-([0-9]{1,3})")
_MOVE = re.compile(r"([a-z][0-9]{1,2})([a-z][0-9]{1,2}|off)?")
_OFF_WORD = "off"
_MAX_QUOTED = 20  # characters of the input that an error message quotes


@dataclass(frozen=True)
class Board:
    """The parameters of a game: board size, number of pieces and goal."""

    width: int  # columns
    height: int  # rows
    pieces: int  # per side
    goal: int  # points needed to win

    def __post_init__(self) -> None:
        """Raise BadSetup if a parameter is out of range."""
        for name, value, low, high in (
            ("width", self.width, MIN_SIZE, MAX_SIZE),
            ("height", self.height, MIN_SIZE, MAX_SIZE),
            ("number of pieces", self.pieces, 1, MAX_SIZE * MAX_SIZE),
            ("goal", self.goal, 1, MAX_GOAL),
        ):
            if not low <= value <= high:
                raise BadSetup(f"the {name} must be {low}..{high}, not {value}")


@dataclass(frozen=True)
class PositionText:
    """A position as its text describes it. Squares are numbered as in bots/kolibrat/squares.py."""

    board: Board
    squares: tuple[tuple[int, ...], tuple[int, ...]]  # occupied squares of red and of black
    side: int  # to move: 0 red, 1 black
    points: tuple[int, int]  # of red and of black


def parse_variant(text: str) -> Board:
    """Return the board of a variant `WIDTHxHEIGHT-PIECES-GOAL`; raise BadSetup if it is malformed."""
    match = _VARIANT.fullmatch(text)
    if not match:
        form = f"{DEFAULT_VARIANT} (columns x rows - pieces - goal)"
        raise BadSetup(f"expected a variant such as {form}, not {text[:_MAX_QUOTED]!r}")
    return Board(*map(int, match.groups()))


def format_variant(board: Board) -> str:
    """Return the variant of a board as text."""
    return f"{board.width}x{board.height}-{board.pieces}-{board.goal}"


def board_of(setup: Setup) -> Board:
    """Return the board of a setup; raise BadSetup if the setup is malformed.

    The start position defines the board if there is one. Otherwise it is that of the variant, with the width and height
    of the setup if they are given.
    """
    if setup.position:
        return parse_position(setup.position).board
    board = parse_variant(setup.variant or DEFAULT_VARIANT)
    return Board(setup.width or board.width, setup.height or board.height, board.pieces, board.goal)


def check_setup(setup: Setup) -> Setup:
    """Return the setup in canonical form; raise BadSetup if it is malformed.

    Whether its position can occur in a game is not checked.
    """
    board = board_of(setup)
    return Setup(board.width, board.height, format_variant(board), setup.position)


def parse_position(text: str) -> PositionText:
    """Parse a position of six fields; raise BadSetup with the reason if it is malformed.

    Whether it can occur in a game is not checked.
    """
    fields = text.split()
    if len(fields) != 6:
        raise BadSetup(f"a position has six fields, such as 3/3/3/3 r 0 0 4 5; not {len(fields)}: {text!r}")
    ranks, side = fields[0].split("/")[::-1], fields[1]
    if side not in ("r", "b"):
        raise BadSetup(f"the side to move must be r or b, not {side!r}")
    red, black, pieces, goal = (_parse_count(field) for field in fields[2:])
    rows = [_parse_rank(rank) for rank in ranks]
    board = Board(len(rows[0]), len(rows), pieces, goal)
    if any(len(row) != board.width for row in rows):
        raise BadSetup(f"all ranks must have {board.width} squares: {fields[0]!r}")
    squares: tuple[list[int], list[int]] = ([], [])  # of red and of black
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter != ".":
                squares["rb".index(letter)].append(y * STRIDE + x + 1)
    _check_counts(board, (len(squares[0]), len(squares[1])), (red, black))
    return PositionText(board, (tuple(squares[0]), tuple(squares[1])), "rb".index(side), (red, black))


def format_ranks(position: PositionText) -> list[str]:
    """Return the rows of the board from the top: `r`, `b`, or `.` for an empty square."""
    board, (red, black) = position.board, position.squares
    letters = dict.fromkeys(red, "r") | dict.fromkeys(black, "b")
    return [
        "".join(letters.get(y * STRIDE + x + 1, ".") for x in range(board.width)) for y in reversed(range(board.height))
    ]


def format_position(position: PositionText) -> str:
    """Return the canonical text of a position, the inverse of `parse_position`."""
    board = position.board
    ranks = [re.sub(r"\.+", lambda run: str(len(run[0])), rank) for rank in format_ranks(position)]
    red, black = position.points
    return f"{'/'.join(ranks)} {'rb'[position.side]} {red} {black} {board.pieces} {board.goal}"


def parse_move(text: str, board: Board) -> int:
    """Return the code of a move, whether or not it is legal; raise IllegalMove if it is malformed or off the board."""
    match = _MOVE.fullmatch(text)
    if text == PASS:
        raise IllegalMove("only a side that has just been skipped may pass")
    if not match:
        raise IllegalMove(f"expected a move such as b1, b1c2 or b4off, not {text!r}")
    first_square = _parse_square(match[1], board)
    if match[2] is None:
        return HAND << MOVE_SHIFT | first_square
    return first_square << MOVE_SHIFT | (OFF if match[2] == _OFF_WORD else _parse_square(match[2], board))


def format_move(move: int) -> str:
    """Return a move as text, the inverse of `parse_move`."""
    origin, target = move >> MOVE_SHIFT, move & SQUARE_MASK
    start = "" if origin == HAND else square_name(origin)
    return start + (_OFF_WORD if target == OFF else square_name(target))


def _parse_rank(text: str) -> str:
    """Return a row of a position with one character per square: r, b or a dot."""
    row = ""
    for letter in text:
        if letter not in "rb123456789":
            raise BadSetup(f"a rank holds r, b and digits 1 to 9, not {letter!r} in {text!r}")
        if letter.isdigit() and row.endswith("."):
            raise BadSetup(f"adjacent empty squares must be written as one number, not {text!r}")
        row += "." * int(letter) if letter.isdigit() else letter
    return row


def _parse_count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise BadSetup(f"points, pieces and goal must be whole numbers of up to three digits, not {text!r}")
    return int(text)


def _check_counts(board: Board, pieces: tuple[int, int], points: tuple[int, int]) -> None:
    for colour, on_board, scored in zip(COLOURS, pieces, points, strict=True):
        if on_board > board.pieces:
            raise BadSetup(f"{colour} has {on_board} pieces on the board, but only {board.pieces} in all")
        if scored > board.goal:
            raise BadSetup(f"{colour} has {scored} points, but {board.goal} win")
    if points == (board.goal, board.goal):
        raise BadSetup("only one side can have won")


def _parse_square(text: str, board: Board) -> int:
    square = parse_square(text)
    if square is None or square[0] >= board.width or square[1] >= board.height:
        raise IllegalMove(f"{text} is outside the {board.width}x{board.height} board")
    return square[1] * STRIDE + square[0] + 1


def square_name(square: int) -> str:
    """Return the name of a square from its code."""
    return format_square((square - 1) % STRIDE, (square - 1) // STRIDE)
