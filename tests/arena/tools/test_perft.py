"""`pentad perft` can be interrupted at any depth."""

from __future__ import annotations

import pytest

from arena.tools.perft import count_all, count_by_move
from core.play.player import Setup
from protocols.serving import perft
from tests.mocks.tiny_hex import TinyHex

MAX_UNINTERRUPTED_PLIES = 3  # that one call of `Position.perft` may count in these tests


@pytest.fixture
def position(monkeypatch: pytest.MonkeyPatch) -> TinyHex:
    """Return a position that refuses to count more than MAX_UNINTERRUPTED_PLIES at once.

    Ctrl-C cannot interrupt a call of `Position.perft`. MAX_CHUNK_S = 0 asks for portions as small as possible.
    """
    monkeypatch.setattr(perft, "MAX_CHUNK_S", 0.0)
    position = TinyHex(Setup(3, 3))
    original_perft = position.perft

    def perft_of_few_plies(depth: int) -> int:
        assert depth <= MAX_UNINTERRUPTED_PLIES
        return original_perft(depth)

    monkeypatch.setattr(position, "perft", perft_of_few_plies)
    return position


def test_deep_counts_are_split_into_portions(position: TinyHex) -> None:
    """Regression: neither Ctrl-C nor SIGTERM used to end `pentad perft gomoku 99`."""
    assert count_all(position, 4).nodes == 3024  # 9 * 8 * 7 * 6 on the empty board of nine cells
    assert [row.nodes for row in count_by_move(position, 4)] == [336] * 9
