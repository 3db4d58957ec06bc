"""Openings of random moves: distinct, the same for a seed, and none in which the game is over."""

from __future__ import annotations

import pytest

from arena.study.openings import draw_openings
from bots.kolibrat.position import KolibratPosition
from core.play.player import Setup


@pytest.mark.parametrize(("rule", "plies", "count"), [("3x4-4-5", 4, 20), ("9x9-30-4", 4, 3)])
def test_lines_differ_and_go_on(rule: str, plies: int, count: int) -> None:
    book = draw_openings("kolibrat", rule, plies, count, 1)
    assert len(book) == book.distinct == count
    assert all(len(line) == plies for line in book.lines)
    position = KolibratPosition(Setup(variant=rule))
    for line in book.lines:
        position.replay(line)
        assert position.outcome() is None
    assert draw_openings("kolibrat", rule, plies, count, 1) == book
    assert draw_openings("kolibrat", rule, plies, count, 2) != book


def test_a_board_that_has_few_gives_those() -> None:
    """On 2x2 to one point black scores in the fourth ply at the earliest, so that some lines of four are over."""
    book = draw_openings("kolibrat", "2x2-2-1", 4, 40, 1)
    position = KolibratPosition(Setup(variant="2x2-2-1"))
    wanted = set()

    def walk() -> None:
        if len(position.moves) == 4 and not position.outcome():
            wanted.add(tuple(position.moves))
        for move in position.legal_moves() if len(position.moves) < 4 else ():
            position.play(move)
            walk()
            position.undo()

    walk()
    assert set(book.lines) == wanted
    assert len(wanted) > 1
