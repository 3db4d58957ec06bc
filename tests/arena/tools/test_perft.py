"""`pentad perft` can be interrupted at any depth."""

from __future__ import annotations

import pytest

from arena.tools.perft import count_all, count_by_move
from core.play.player import Setup
from protocols.serving import perft
from tests.mocks.tiny_hex import TinyHex

MAX_UNINTERRUPTED = 3


@pytest.fixture
def position(monkeypatch: pytest.MonkeyPatch) -> TinyHex:
    """A position whose own count may take no more than a few plies at once, as if more took hours."""
    monkeypatch.setattr(perft, "MAX_CHUNK_S", 0.0)
    position = TinyHex(Setup(3, 3))
    count = position.perft

    def count_few_plies(depth: int) -> int:
        assert depth <= MAX_UNINTERRUPTED
        return count(depth)

    monkeypatch.setattr(position, "perft", count_few_plies)
    return position


def test_counts_in_portions(position: TinyHex) -> None:
    """Kernels run with signals held back: `pentad perft gomoku 99` ended neither by Ctrl-C nor by SIGTERM."""
    assert count_all(position, 4).nodes == 3024
    assert [row.nodes for row in count_by_move(position, 4)] == [336] * 9
