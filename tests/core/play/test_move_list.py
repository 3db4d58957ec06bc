"""Changing a position from one move list to another with as few moves as possible."""

from __future__ import annotations

import pytest

from core.play.move_list import common_prefix_length, set_position
from core.play.player import IllegalMove
from tests.arena.fakes import PILE_GAME, Pile


class Counting(Pile):
    """A pile that notes what is done to it."""

    def __init__(self) -> None:
        self.done: list[str] = []
        super().__init__(PILE_GAME.default_setup)

    def play(self, move: str) -> None:
        super().play(move)
        self.done.append(move)

    def undo(self) -> None:
        super().undo()
        self.done.append("undo")


@pytest.mark.parametrize(
    ("known", "wanted", "common"),
    [("", "", 0), ("12", "", 0), ("", "12", 0), ("12", "123", 2), ("123", "12", 2), ("1231", "1321", 1), ("2", "3", 0)],
)
def test_lines_are_common_up_to_the_first_other_move(known: str, wanted: str, common: int) -> None:
    assert common_prefix_length(known, wanted) == common


@pytest.mark.parametrize(
    ("wanted", "done"),
    [("123", []), ("1231", ["1"]), ("12", ["undo"]), ("132", ["undo", "undo", "3", "2"]), ("", ["undo"] * 3)],
)
def test_what_both_lines_have_is_left_alone(wanted: str, done: list[str]) -> None:
    position = Counting()
    set_position(position, "123", position.play)
    position.done.clear()
    set_position(position, wanted, position.play)
    assert position.moves == list(wanted)
    assert position.done == done


@pytest.mark.parametrize("bad", ["129", "9", "1239", "12319"])
def test_a_line_that_cannot_be_played_leaves_the_old_one(bad: str) -> None:
    position = Counting()
    set_position(position, "123", position.play)
    with pytest.raises(IllegalMove):
        set_position(position, bad, position.play)
    assert position.moves == ["1", "2", "3"]
