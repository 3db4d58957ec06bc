"""Formatting and parsing of square names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.play.squares import format_square, parse_square, split_squares

columns, rows = st.integers(0, 25), st.integers(0, 998)


@given(columns, rows)
def test_parsing_inverts_formatting(x: int, y: int) -> None:
    assert parse_square(format_square(x, y)) == (x, y)
    assert parse_square(format_square(x, y).upper()) == (x, y)


@given(st.lists(st.tuples(columns, rows)))
def test_joined_names_are_split_again(squares: list[tuple[int, int]]) -> None:
    names = [format_square(*square) for square in squares]
    assert split_squares("".join(names)) == names


@pytest.mark.parametrize("text", ["", "h", "8", "h0", "h-1", "h 8", "h1000", "hh8", "ä8", "h8 ", "h²", "h٣", "ß1"])
def test_a_text_that_is_no_square_name_gives_none(text: str) -> None:
    assert parse_square(text) is None


@pytest.mark.parametrize("text", ["8h", "h8,i9", "h8 i9", "hi9", "h8i", "h8i0", "h²", "h8ß1"])
def test_a_text_with_anything_else_than_square_names_gives_none(text: str) -> None:
    assert split_squares(text) is None


@given(st.text(max_size=12))
def test_no_text_raises_an_error(text: str) -> None:
    square, names = parse_square(text), split_squares(text)
    assert square is None or format_square(*square) == text.lower()[:1] + str(int(text[1:]))
    assert names is None or "".join(names) == text.strip().lower()
