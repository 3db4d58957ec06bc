"""Gomoku text: squares (`h8`, rows from the top), whole positions (`h8i9g7`), offset openings, names of the rules."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.play.player import BadSetup, IllegalMove, Setup
from core.play.squares import format_square, parse_square, split_squares

MIN_SIZE, MAX_SIZE = 5, 22

EXACT, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8  # bits of the protocol's rule number
_ECHO = 40  # characters of what came that an error repeats
VARIANTS = {"freestyle": 0, "standard": EXACT, "renju": RENJU, "caro": CARO | EXACT, "caro-overline": CARO}


def parse_variant(text: str) -> int:
    """Rule bits of a variant name or of `rule-N`; raise BadSetup naming the known ones."""
    if text in VARIANTS:
        return VARIANTS[text]
    prefix, _, number = text.partition("-")
    if prefix == "rule" and re.fullmatch("[0-9]{1,2}", number) and int(number) < 16:
        return int(number) & ~CONTINUOUS
    raise BadSetup(f"unknown variant {text[:_ECHO]!r}; known: {', '.join(VARIANTS)}, rule-0 to rule-15")


def format_variant(rule: int) -> str:
    """Variant name of the protocol's rule number. Continuing after a five does not change how one plays up to it."""
    bits = rule & (EXACT | RENJU | CARO)
    for name, value in VARIANTS.items():
        if value == bits:
            return name
    return f"rule-{bits}"


def check_setup(setup: Setup) -> Setup:
    """The setup, as the game spells it; raise BadSetup where the board or the variant cannot be played."""
    for length in (setup.width, setup.height):
        if not MIN_SIZE <= length <= MAX_SIZE:
            raise BadSetup(f"board size must be {MIN_SIZE}..{MAX_SIZE}, not {length}")
    parse_variant(setup.variant)
    return setup


def parse_move(text: str, setup: Setup) -> tuple[int, int]:
    """Column and row of a square on the board; raise IllegalMove."""
    square = parse_square(text)
    if square is None:
        raise IllegalMove(f"a square such as h8 is wanted, not {text!r}")
    x, y = square
    if x >= setup.width or y >= setup.height:
        raise IllegalMove(f"{text} is outside the {setup.width}x{setup.height} board")
    return x, y


def parse_opening(line: str, setup: Setup) -> list[str]:
    """Moves of an opening line in pos form (`h8i9g7`) or offset form (`1,-2, 0,3`: from the centre); raise BadSetup."""
    line = line.strip()
    moves = split_squares(line) if line[:1].isalpha() else _parse_offsets(line, setup)
    if not moves:
        raise BadSetup(f"an opening such as h8i9g7 or '0,0, 1,-1' is wanted, not {line[: 2 * _ECHO]!r}")
    for move in moves:
        try:
            parse_move(move, setup)
        except IllegalMove as error:
            raise BadSetup(f"opening {line[: 2 * _ECHO]!r}: {error}") from None
    return moves


def _parse_offsets(line: str, setup: Setup) -> list[str] | None:
    parts = [part.strip() for part in line.split(",")]
    if not all(re.fullmatch("[+-]?[0-9]{1,3}", part) for part in parts):
        return None
    numbers = [int(part) for part in parts]
    points = list(zip(numbers[::2], numbers[1::2], strict=False))
    squares = [(dx + setup.width // 2, dy + setup.height // 2) for dx, dy in points]
    inside = all(0 <= x < setup.width and 0 <= y < setup.height for x, y in squares)
    return [format_square(x, y) for x, y in squares] if inside and len(numbers) % 2 == 0 else None


def join_squares(moves: Sequence[str]) -> str:
    """The pos form of a move list."""
    return "".join(moves)
