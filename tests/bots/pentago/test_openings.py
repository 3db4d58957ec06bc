"""Balanced openings: undecided, of the requested length, and different under all symmetries."""

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


def test_openings_have_the_length_and_differ() -> None:
    openings = list(islice(balanced_openings(SETUP, 4, 2, 1), 4))
    assert openings == list(islice(balanced_openings(SETUP, 4, 2, 1), 4))
    assert {len(moves) for moves in openings} == {4}
    assert len({key_after(moves) for moves in openings}) == 4


def test_generator_ends_when_all_openings_are_found() -> None:
    """One ply leads to only six different boards."""
    assert len(list(balanced_openings(SETUP, 1, 1, 1))) <= 6
