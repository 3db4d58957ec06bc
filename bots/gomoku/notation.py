"""Gomoku's texts: squares, moves, openings and rule names. Examples:

h8                square: column letter, row number from the top
h8i9g7            moves in pos form, as Gomocup's opening files have them
0,0, 1,-1         moves in offset form: x and y from the centre
renju, rule-4     a rule by name or by the protocol's number
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.play.player import BadSetup, Setup, illegal_move_is_bad_setup
from core.play.squares import check_board_size, format_square, parse_board_square, split_squares

MIN_SIZE, MAX_SIZE = 5, 22

EXACT, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8  # bits of the rule number of Gomocup's `INFO rule`
MAX_QUOTED_CHARACTERS = 40  # of a faulty variant name in an error message; twice as many of an opening
# Rule bits by variant name.
VARIANTS = {"freestyle": 0, "standard": EXACT, "renju": RENJU, "caro": CARO | EXACT, "caro-overline": CARO}


def parse_variant(text: str) -> int:
    """Return the rule bits of a variant name or of `rule-N`, without CONTINUOUS; raise `BadSetup` if it is neither."""
    if text in VARIANTS:
        return VARIANTS[text]
    prefix, _, number = text.partition("-")
    if prefix == "rule" and re.fullmatch("[0-9]{1,2}", number) and int(number) < 16:
        return int(number) & ~CONTINUOUS
    raise BadSetup(f"unknown variant {text[:MAX_QUOTED_CHARACTERS]!r}; known: {', '.join(VARIANTS)}, rule-0 to rule-15")


def format_variant(rule: int) -> str:
    """Return the variant name of the protocol's rule number.

    The bit CONTINUOUS is ignored: it only says that the host starts another game after a five.
    """
    bits = rule & (EXACT | RENJU | CARO)
    for name, value in VARIANTS.items():
        if value == bits:
            return name
    return f"rule-{bits}"


def check_setup(setup: Setup) -> Setup:
    """Return the setup if the board size and variant are possible; else raise `BadSetup`."""
    check_board_size(setup, MIN_SIZE, MAX_SIZE)
    parse_variant(setup.variant)
    return setup


def parse_move(text: str, setup: Setup) -> tuple[int, int]:
    """Return column and row of a square, from 0; raise `IllegalMove` if it is not a square of the board."""
    return parse_board_square(text, setup, "a square such as h8")


def parse_opening(line: str, setup: Setup) -> list[str]:
    """Return the moves of an opening in pos form or offset form; raise `BadSetup` if it is neither."""
    line = line.strip()
    moves = split_squares(line) if line[:1].isalpha() else _parse_offsets(line, setup)
    if not moves:
        raise BadSetup(f"expected an opening such as h8i9g7 or '0,0, 1,-1', not {line[: 2 * MAX_QUOTED_CHARACTERS]!r}")
    with illegal_move_is_bad_setup(f"opening {line[: 2 * MAX_QUOTED_CHARACTERS]!r}"):
        for move in moves:
            parse_move(move, setup)
    return moves


def _parse_offsets(line: str, setup: Setup) -> list[str] | None:
    """Return the squares of an opening in offset form; None if the text has another form or leaves the board."""
    parts = [part.strip() for part in line.split(",")]
    if not all(re.fullmatch("[+-]?[0-9]{1,3}", part) for part in parts):
        return None
    numbers = [int(part) for part in parts]
    points = list(zip(numbers[::2], numbers[1::2], strict=False))
    squares = [(dx + setup.width // 2, dy + setup.height // 2) for dx, dy in points]
    all_on_board = all(0 <= x < setup.width and 0 <= y < setup.height for x, y in squares)
    return [format_square(x, y) for x, y in squares] if all_on_board and len(numbers) % 2 == 0 else None


def join_squares(moves: Sequence[str]) -> str:
    """Return moves in pos form."""
    return "".join(moves)
