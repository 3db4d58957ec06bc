"""Openings that a book may hold: games that go on, of a length, and never the same one turned or mirrored."""

from __future__ import annotations

from itertools import islice

from bots.pentago.openings import balanced_openings
from bots.pentago.position import PentagoPosition
from core.play.player import Setup

SETUP = Setup(6, 6, "pentago")


def key_after(moves: tuple[str, ...] | list[str]) -> int:
    position = PentagoPosition(SETUP)
    for move in moves:
        position.play(move)
    assert position.outcome() is None
    return int(position.library.key(position.state))


def test_openings_are_of_a_length_and_different() -> None:
    openings = list(islice(balanced_openings(SETUP, 4, 2, 1), 4))
    assert openings == list(islice(balanced_openings(SETUP, 4, 2, 1), 4))
    assert {len(moves) for moves in openings} == {4}
    assert len({key_after(moves) for moves in openings}) == 4


def test_openings_come_to_an_end() -> None:
    """A ply leads to six boards; looking for more would never end."""
    assert len(list(balanced_openings(SETUP, 1, 1, 1))) <= 6
