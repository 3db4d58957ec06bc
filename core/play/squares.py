"""Square names such as `h8`: a letter for the column and a number for the row.

Column and row numbers count from 0, so `a1` is (0, 0). Whether row 0 is at the top or the bottom is up to the game.
"""

from __future__ import annotations

from core.play.player import BadSetup, IllegalMove, Setup

COLUMN_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def format_square(x: int, y: int) -> str:
    """Return the name of the square in column `x` and row `y`."""
    return f"{COLUMN_LETTERS[x]}{y + 1}"


def parse_square(text: str) -> tuple[int, int] | None:
    """Return (column, row) of a square name, or None if the text is not one. The letter may be upper case.

    A row of more than three digits is refused, as is row 0.
    """
    letter, number = text[:1].lower(), text[1:]
    if letter not in COLUMN_LETTERS or not letter or not (number.isascii() and number.isdigit()) or len(number) > 3:
        return None
    row = int(number)
    return (COLUMN_LETTERS.index(letter), row - 1) if row > 0 else None


def parse_board_square(text: str, setup: Setup, expected: str) -> tuple[int, int]:
    """Return (column, row) of a square on the board; raise IllegalMove if there is none of this name.

    `expected` describes a correct text for the error message: `a cell such as c2`.
    """
    square = parse_square(text)
    if square is None:
        raise IllegalMove(f"expected {expected}, not {text!r}")
    if square[0] >= setup.width or square[1] >= setup.height:
        raise IllegalMove(f"{text} is outside the {setup.width}x{setup.height} board")
    return square


def check_board_size(setup: Setup, minimum: int, maximum: int) -> None:
    """Raise BadSetup unless width and height are from `minimum` to `maximum`."""
    for length in (setup.width, setup.height):
        if not minimum <= length <= maximum:
            raise BadSetup(f"board size must be {minimum}..{maximum}, not {length}")


def split_squares(text: str) -> list[str] | None:
    """Split a text such as `h8i9g7` into square names; return None if it contains anything else."""
    names: list[str] = []
    for character in text.strip().lower():
        if character in COLUMN_LETTERS:
            names.append(character)
        elif character.isascii() and character.isdigit() and names:
            names[-1] += character
        else:
            return None
    return names if all(parse_square(name) for name in names) else None
