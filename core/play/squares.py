"""Square names shared by the board games: a letter for the column and a number for the row, `h8`; row 1 is row 0."""

from __future__ import annotations

COLUMN_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def format_square(x: int, y: int) -> str:
    """Name of column `x` and row `y`, both from 0."""
    return f"{COLUMN_LETTERS[x]}{y + 1}"


def parse_square(text: str) -> tuple[int, int] | None:
    """Column and row of a square name, or None where the text is no square name. Case does not matter."""
    letter, number = text[:1].lower(), text[1:]
    if letter not in COLUMN_LETTERS or not letter or not (number.isascii() and number.isdigit()) or len(number) > 3:
        return None
    row = int(number)
    return (COLUMN_LETTERS.index(letter), row - 1) if row > 0 else None


def split_squares(text: str) -> list[str] | None:
    """Cut `h8i9g7` into its square names, or None where something else stands in it."""
    names: list[str] = []
    for character in text.strip().lower():
        if character in COLUMN_LETTERS:
            names.append(character)
        elif character.isascii() and character.isdigit() and names:
            names[-1] += character
        else:
            return None
    return names if all(parse_square(name) for name in names) else None
