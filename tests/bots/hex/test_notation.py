"""Names of cells and colours, and the words that stand for moves.

Rows counted from the wrong end would fail silently elsewhere.
"""

from __future__ import annotations

import pytest

from bots.hex.notation import canonical_move, parse_cell, parse_colour
from core.play.player import IllegalMove, Setup

BOARD = Setup(11, 9, "standard")  # 11 columns, 9 rows


def test_case_is_ignored_and_rows_count_from_the_top() -> None:
    assert [canonical_move(text, BOARD) for text in ("K2", " i9 ", "SWAP-pieces", "resign")] == [
        "k2",
        "i9",
        "swap-pieces",
        "resign",
    ]
    assert parse_cell("i9", BOARD) == (8, 8)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("l1", "outside the 11x9 board"),
        ("a10", "outside"),
        ("a0", "a cell such as c2"),
        ("", "a cell such as c2"),
        ("pass", "not 'pass'"),
    ],
)
def test_text_that_names_no_cell_is_refused(text: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason):
        canonical_move(text, BOARD)


def test_colours() -> None:
    assert [parse_colour(text) for text in ("b", "Black", "W", "white")] == [0, 0, 1, 1]
    with pytest.raises(IllegalMove, match="not 'red'"):
        parse_colour("red")
