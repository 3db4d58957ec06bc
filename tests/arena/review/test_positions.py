"""Searching the positions of a game with several players at the same time."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from arena.engines.spec import EngineSpec
from arena.errors import CommandFailedError
from arena.game_files.stored_game import StoredGame
from arena.review import positions
from arena.review.positions import SearchSettings, search_positions
from bots.registry import GAMES
from core.play.options import OptionSet
from core.play.player import Decision, Limits, Setup
from protocols.driving.process import EngineError


class BlockingProgram:
    """A program that searches until it is interrupted; the first of them fails as soon as the second searches."""

    last_elapsed_ms = 0.0
    messages: Sequence[str] = ()

    def __init__(self, others: list[BlockingProgram]) -> None:
        self.options = OptionSet(())
        self.is_interrupted, self.is_searching = threading.Event(), threading.Event()
        self._others = others
        others.append(self)
        self._is_first = len(others) == 1

    def new_game(self, setup: Setup) -> None:
        pass

    def set_position(self, moves: Sequence[str]) -> None:
        pass

    def choose(self, limits: Limits) -> Decision:  # noqa: ARG002
        if not self._is_first:
            self.is_searching.set()
            assert self.is_interrupted.wait(30)
            raise EngineError("it was interrupted")
        while len(self._others) < 2:
            threading.Event().wait(0.01)
        assert self._others[1].is_searching.wait(30)
        raise EngineError("it has crashed")

    def take_stderr(self) -> str:
        return ""

    def interrupt(self) -> None:
        self.is_interrupted.set()

    def close(self) -> None:
        pass


def test_programs_are_interrupted_when_a_review_ends_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: after Ctrl-C or a crash the other programs used to search until their time was over."""
    programs: list[BlockingProgram] = []
    monkeypatch.setattr(positions, "make_engine_player", lambda *_: BlockingProgram(programs))
    moves = ("h8", "i9", "g7", "h7", "j8", "h6", "i7")
    stored = StoredGame(GAMES["gomoku"], Setup(15, 15, "freestyle"), moves, ("", ""))
    settings = SearchSettings(EngineSpec("program", command="program"), jobs=2)
    with pytest.raises(CommandFailedError, match="program: it has crashed"):
        search_positions(stored, settings, range(8), lambda _: None)
    assert programs[1].is_interrupted.is_set()
