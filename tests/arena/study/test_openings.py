"""Random openings are distinct, depend on nothing but the arguments, and do not end the game.

A Kolibrat rule such as `3x4-4-5` means 3 columns, 4 rows, 4 pieces per side and 5 points to win.
"""

from __future__ import annotations

import pytest

from arena.study.openings import draw_openings
from bots.kolibrat.position import KolibratPosition
from core.play.player import Setup


@pytest.mark.parametrize(("rule", "plies", "count"), [("3x4-4-5", 4, 20), ("9x9-30-4", 4, 3)])
def test_openings_are_distinct_and_unfinished_games(rule: str, plies: int, count: int) -> None:
    book = draw_openings("kolibrat", rule, plies, count, seed=1)
    assert len(book) == book.distinct == count
    assert all(len(line) == plies for line in book.lines)
    position = KolibratPosition(Setup(variant=rule))
    for line in book.lines:
        position.replay(line)
        assert position.outcome() is None
    assert draw_openings("kolibrat", rule, plies, count, seed=1) == book
    assert draw_openings("kolibrat", rule, plies, count, seed=2) != book


def test_a_board_with_few_openings_gives_all_of_them() -> None:
    """On 2x2 to one point black can win with the fourth ply, so some sequences of four plies are no openings."""
    book = draw_openings("kolibrat", "2x2-2-1", plies=4, count=40, seed=1)
    position = KolibratPosition(Setup(variant="2x2-2-1"))
    expected = set()

    def add_openings() -> None:
        """Add all openings that continue the current position."""
        if len(position.moves) == 4 and not position.outcome():
            expected.add(tuple(position.moves))
        for move in position.legal_moves() if len(position.moves) < 4 else ():
            position.play(move)
            add_openings()
            position.undo()

    add_openings()
    assert set(book.lines) == expected
    assert len(expected) > 1
