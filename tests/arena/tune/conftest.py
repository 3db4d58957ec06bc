"""Fixtures of the tests of the tuning."""

from __future__ import annotations

import pytest

from tests.arena.tune.skilled import SKILLED_GAME


@pytest.fixture(autouse=True)
def register_skilled_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the pile game with the skilled player the only game."""
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": SKILLED_GAME})
