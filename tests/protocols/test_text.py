"""Text from outside is cleaned, cut and quoted before it is repeated in an answer or a message."""

from __future__ import annotations

from protocols.text import (
    ECHO_LENGTH,
    QUOTE_LENGTH,
    clean_text,
    parse_large_number,
    quote_argument,
    quote_line,
)


def test_text_becomes_one_printable_line() -> None:
    assert clean_text(" a\r\n\tb\x07 \u00e9 ") == "a b? ?"
    assert clean_text("abc", 2) == "ab"


def test_answer_quotes_bad_input_cleaned_and_cut() -> None:
    assert quote_argument("it's\n\u00e9") == '"it\'s ?"'
    assert quote_argument("x" * 100) == repr("x" * ECHO_LENGTH)


def test_message_quotes_a_line_unchanged_and_marks_a_cut() -> None:
    assert quote_line("\u00e9\x07") == r"'é\x07'"
    assert quote_line("x" * QUOTE_LENGTH) == repr("x" * QUOTE_LENGTH)
    assert quote_line("x" * (QUOTE_LENGTH + 1)) == repr("x" * QUOTE_LENGTH + "...")


def test_numbers_of_any_length_are_numbers_in_settings() -> None:
    """Regression: a time of 20 digits was called no number, and the clock kept its old value."""
    assert parse_large_number("18446744073709551615") == 10**18 - 1
    assert parse_large_number("-" + "9" * 5000) == 1 - 10**18  # more digits than int() accepts
    assert parse_large_number("+12") == 12
    assert [parse_large_number(text) for text in ("", "-", "1_0", " 1", "1.0", "\u0663")] == [None] * 6
