"""Kolibrat's notation: parsing and formatting of moves, positions and variants, and error messages.

`b1` inserts a piece, `b1c2` moves it, and `b4off` moves it off the board for a point. A position has the rows from the
top, the side to move, the points of red and black, the number of pieces of each side, and the points that win.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.kolibrat.notation import Board, format_move, format_position, parse_move, parse_position, parse_variant
from bots.kolibrat.position import KolibratPosition
from core.play.player import BadSetup, IllegalMove, Setup

STANDARD = Board(3, 4, 4, 5)  # columns, rows, pieces of each side, points that win


@pytest.mark.parametrize("move", ["b1", "b1c2", "b4off", "a1a4"])
def test_moves_are_parsed_and_formatted_unchanged(move: str) -> None:
    assert format_move(parse_move(move, STANDARD)) == move


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3/3/3/3 r 0 0 4", "six fields"),
        ("3/3/3/3 w 0 0 4 5", "r or b, not 'w'"),
        ("3/3/3/2 r 0 0 4 5", "all ranks must have 2 squares"),
        ("3/3/12/3 r 0 0 4 5", "as one number, not '12'"),
        ("3/3/x2/3 r 0 0 4 5", "not 'x' in 'x2'"),
        ("3/3/3/rrr r 0 0 2 5", "red has 3 pieces on the board, but only 2 in all"),
        ("3/3/3/3 r 6 0 4 5", "red has 6 points, but 5 win"),
        ("3/3/3/3 r 5 5 4 5", "only one side"),
        ("3/3/3/3 r -1 0 4 5", "three digits, not '-1'"),
        ("3/3/3/3 r 0 0 0 5", "number of pieces must be 1..81, not 0"),
        ("3/3/3/3 r 0 0 4 0", "goal must be 1..50, not 0"),
        ("3/3/3/3/3/3/3/3/3/3 r 0 0 4 5", "height must be 2..9, not 10"),
        ("// r 0 0 4 5", "width must be 2..9, not 0"),
        ("b2/3/3/bbb r 0 0 4 5", "red has no move there: it is black's turn"),
    ],
)
def test_malformed_positions_are_refused(text: str, message: str) -> None:
    position = KolibratPosition(Setup(variant="3x4-4-5"))
    with pytest.raises(BadSetup, match=message):
        position.restart(Setup(position=text))
    assert position.position_text() == "3/3/3/3 r 0 0 4 5"


@pytest.mark.parametrize("text", ["3x4", "3x4-4", "3x4-4-5-6", "axb-1-2", ""])
def test_malformed_variants_are_refused(text: str) -> None:
    with pytest.raises(BadSetup, match="variant such as 3x4-4-5"):
        parse_variant(text)


@pytest.mark.parametrize(
    "text", ["3/3/3/1r1 b 5 0 4 5", "b1b/brb/1r1/r1r b 0 0 4 5"], ids=["goal reached", "both sides blocked"]
)
def test_a_finished_game_can_be_set_up(text: str) -> None:
    """The answer of `showposition` after the last move must be a valid position, too."""
    position = KolibratPosition(Setup(position=text))
    assert position.position_text() == text
    assert (position.outcome() is not None) == (position.legal_moves() == [])


@given(st.text(alphabet="rb123/ 0459-x", max_size=40))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    try:
        position = parse_position(text)
    except BadSetup:
        return
    assert parse_position(format_position(position)) == position


@given(st.text(alphabet="abcd123456of", max_size=8))
def test_any_move_text_is_parsed_or_refused(text: str) -> None:
    try:
        assert format_move(parse_move(text, STANDARD)) == text
    except IllegalMove:
        return
