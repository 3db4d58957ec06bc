"""Changing a position from one move list to another with as few moves as possible.

In the toy game `Pile` a move is 1, 2 or 3. The tests write move lists as texts: `123` are the moves 1, 2 and 3.
"""

from __future__ import annotations

import pytest

from core.play.move_list import common_prefix_length, set_position
from core.play.player import IllegalMove
from tests.arena.fakes import PILE_GAME, Pile


class RecordingPile(Pile):
    """A position of the toy game `Pile` that records the moves played and undone."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        super().__init__(PILE_GAME.default_setup)

    def play(self, move: str) -> None:
        super().play(move)
        self.calls.append(move)

    def undo(self) -> None:
        super().undo()
        self.calls.append("undo")


@pytest.mark.parametrize(
    ("old", "new", "length"),
    [("", "", 0), ("12", "", 0), ("", "12", 0), ("12", "123", 2), ("123", "12", 2), ("1231", "1321", 1), ("2", "3", 0)],
)
def test_the_common_prefix_ends_at_the_first_different_move(old: str, new: str, length: int) -> None:
    assert common_prefix_length(old, new) == length


@pytest.mark.parametrize(
    ("moves", "calls"),
    [("123", []), ("1231", ["1"]), ("12", ["undo"]), ("132", ["undo", "undo", "3", "2"]), ("", ["undo"] * 3)],
)
def test_common_moves_are_not_undone(moves: str, calls: list[str]) -> None:
    position = RecordingPile()
    set_position(position, "123", position.play)
    position.calls.clear()
    set_position(position, moves, position.play)
    assert position.moves == list(moves)
    assert position.calls == calls


@pytest.mark.parametrize("moves", ["129", "9", "1239", "12319"])
def test_an_illegal_move_restores_the_old_position(moves: str) -> None:
    """Move 9 is illegal."""
    position = RecordingPile()
    set_position(position, "123", position.play)
    with pytest.raises(IllegalMove):
        set_position(position, moves, position.play)
    assert position.moves == ["1", "2", "3"]
