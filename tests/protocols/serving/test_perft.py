"""An interruptible perft returns the same counts as the plain one and restores the position."""

from __future__ import annotations

import pytest

from core.play.player import Setup
from core.play.stop import StopToken
from protocols.serving import perft
from protocols.serving.perft import PerftInterrupted, interruptible_perft
from tests.mocks.tiny_hex import TinyHex


@pytest.mark.parametrize("max_chunk_s", [0.0, 1e9], ids=["smallest chunks", "one chunk"])
def test_perft_in_chunks_equals_perft(max_chunk_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting a subtree twice or leaving it out would silently give a wrong number."""
    monkeypatch.setattr(perft, "MAX_CHUNK_S", max_chunk_s)
    position = TinyHex(Setup(3, 3))
    assert [interruptible_perft(position, depth, StopToken()) for depth in range(5)] == [1, 9, 72, 504, 3024]
    assert position.moves == []


def test_stop_ends_a_count_and_leaves_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted perft must take back the moves that it has played."""
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
    assert (played, position.moves) == (101, ["b2"])  # the next subtree is not counted
