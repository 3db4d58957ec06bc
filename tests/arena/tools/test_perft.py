"""`pentad perft` can be interrupted at any depth."""

from __future__ import annotations

import pytest

from arena.tools.perft import count_all, count_by_move
from core.play.player import Setup
from protocols.serving import perft
from tests.mocks.tiny_hex import TinyHex

MAX_UNINTERRUPTED = 3  # plies


@pytest.fixture
def position(monkeypatch: pytest.MonkeyPatch) -> TinyHex:
    """Return a position that refuses to count over three plies at once; Ctrl-C cannot interrupt a count."""
    monkeypatch.setattr(perft, "MAX_CHUNK_S", 0.0)
    position = TinyHex(Setup(3, 3))
    original_perft = position.perft

    def perft_of_few_plies(depth: int) -> int:
        assert depth <= MAX_UNINTERRUPTED
        return original_perft(depth)

    monkeypatch.setattr(position, "perft", perft_of_few_plies)
    return position


def test_deep_counts_are_split_into_portions(position: TinyHex) -> None:
    """Without portions `pentad perft gomoku 99` could be ended neither by Ctrl-C nor by SIGTERM."""
    assert count_all(position, 4).nodes == 3024
    assert [row.nodes for row in count_by_move(position, 4)] == [336] * 9
