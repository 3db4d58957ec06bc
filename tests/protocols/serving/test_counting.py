"""Counts that can be broken off are the counts that cannot, and leave the position as it was."""

from __future__ import annotations

import pytest

from core.play.player import Setup
from protocols.serving import counting
from protocols.serving.counting import Interrupted, count_sequences
from tests.mocks.tiny_hex import TinyHex


@pytest.mark.parametrize("portion_s", [0.0, 1e9])
def test_count_in_portions_equals_the_count(portion_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A portion counted twice or left out would make a wrong number, with no sign of it."""
    monkeypatch.setattr(counting, "PORTION_S", portion_s)
    position = TinyHex(Setup(3, 3))
    assert [count_sequences(position, depth, lambda: False) for depth in range(5)] == [1, 9, 72, 504, 3024]
    assert position.moves == []


def test_stop_ends_a_count_and_leaves_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count that ended in the midst of a line would leave its moves on the board."""
    monkeypatch.setattr(counting, "PORTION_S", 0.0)
    asked: list[bool] = []

    def is_stopped() -> bool:
        asked.append(len(asked) > 100)
        return asked[-1]

    position = TinyHex(Setup(3, 3))
    position.play("b2")
    with pytest.raises(Interrupted):
        count_sequences(position, 8, is_stopped)
    assert (len(asked), position.moves) == (102, ["b2"])
