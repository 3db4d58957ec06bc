"""Tests that only errors of the log are reported as a damaged log, not programming errors of Pentad."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.log.file import LOG_NAME, LogError, read_run
from arena.log.replay import replay_games
from tests.arena.fakes import PILE_GAME, Pile

STORED_LOG = Path(__file__).parents[2] / "data" / "arena" / "match_log.txt"


@pytest.fixture(autouse=True)
def register_test_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / LOG_NAME).write_bytes(STORED_LOG.read_bytes())
    return tmp_path


def test_error_in_the_rules_is_not_a_log_error(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ValueError from a bug in the rules must not be reported as a wrong line of the log."""

    def fail(*_: object) -> None:
        raise ValueError("a bug")

    assert replay_games(directory, read_run(directory)) is PILE_GAME
    monkeypatch.setattr(Pile, "play", fail)
    with pytest.raises(ValueError, match="a bug") as caught:
        replay_games(directory, read_run(directory))
    assert not isinstance(caught.value, LogError)


def test_error_in_a_check_is_not_a_log_error(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr("arena.log.file.check_result", fail)
    with pytest.raises(ValueError, match="a bug"):
        read_run(directory)


def test_deeply_nested_line_is_reported(directory: Path) -> None:
    """The JSON decoder raises RecursionError, which must become a LogError."""
    text = STORED_LOG.read_text(encoding="utf-8").replace('"house":{', '"house":{"x":' + "[" * 100_000 + ",", 1)
    (directory / LOG_NAME).write_text(text, encoding="utf-8")
    with pytest.raises(LogError, match="line 1: "):
        read_run(directory)
