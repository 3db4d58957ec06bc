"""Counts that can be broken off are the counts that cannot, and leave the position as it was."""

from __future__ import annotations

import pytest

from core.play.player import Setup
from core.play.stop import StopToken
from protocols.serving import perft
from protocols.serving.perft import PerftInterrupted, interruptible_perft
from tests.mocks.tiny_hex import TinyHex


@pytest.mark.parametrize("max_chunk_s", [0.0, 1e9])
def test_perft_in_chunks_equals_perft(max_chunk_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A portion counted twice or left out would make a wrong number, with no sign of it."""
    monkeypatch.setattr(perft, "MAX_CHUNK_S", max_chunk_s)
    position = TinyHex(Setup(3, 3))
    assert [interruptible_perft(position, depth, StopToken()) for depth in range(5)] == [1, 9, 72, 504, 3024]
    assert position.moves == []


def test_stop_ends_a_count_and_leaves_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count that ended in the midst of a line would leave its moves on the board."""
    monkeypatch.setattr(perft, "MAX_CHUNK_S", 0.0)
    stop, position = StopToken(), TinyHex(Setup(3, 3))
    position.play("b2")
    played = 0
    play = position.play

    def play_and_stop(move: str) -> None:
        nonlocal played
        played += 1
        if played == 100:
            stop.set()
        play(move)

    monkeypatch.setattr(position, "play", play_and_stop)
    with pytest.raises(PerftInterrupted):
        interruptible_perft(position, 8, stop)
    assert (played, position.moves) == (101, ["b2"])  # the next count is not begun
