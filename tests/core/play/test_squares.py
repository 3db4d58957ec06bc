"""Formatting and parsing of square names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.play.squares import format_square, parse_square, split_squares

columns, rows = st.integers(0, 25), st.integers(0, 998)


@given(columns, rows)
def test_there_and_back(x: int, y: int) -> None:
    assert parse_square(format_square(x, y)) == (x, y)
    assert parse_square(format_square(x, y).upper()) == (x, y)


@given(st.lists(st.tuples(columns, rows)))
def test_a_row_of_names_is_cut_where_it_was_joined(points: list[tuple[int, int]]) -> None:
    names = [format_square(*point) for point in points]
    assert split_squares("".join(names)) == names


@pytest.mark.parametrize("text", ["", "h", "8", "h0", "h-1", "h 8", "h1000", "hh8", "ä8", "h8 ", "h²", "h٣", "ß1"])
def test_no_square(text: str) -> None:
    assert parse_square(text) is None


@pytest.mark.parametrize("text", ["8h", "h8,i9", "h8 i9", "hi9", "h8i", "h8i0", "h²", "h8ß1"])
def test_no_row_of_squares(text: str) -> None:
    assert split_squares(text) is None


@given(st.text(max_size=12))
def test_any_text_gives_an_answer(text: str) -> None:
    square, names = parse_square(text), split_squares(text)
    assert square is None or format_square(*square) == text.lower()[:1] + str(int(text[1:]))
    assert names is None or "".join(names) == text.strip().lower()
