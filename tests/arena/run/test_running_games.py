"""A run shows other processes the moves of its running games, and that it is being played."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from arena.engines.spec import EngineSpec
from arena.log import running_games
from arena.log.events import MoveEntry
from arena.log.running_games import RUNNING_FOLDER, BeatReader, RunningGameReader
from arena.run.config import MatchConfig
from arena.run.match import run_match
from arena.run.pairs import PairRunner
from arena.run.workers import PairWorkers
from arena.terms.clock import TimeControl
from core.play.player import Limits
from tests.arena.events import read_log
from tests.arena.fakes import PILE_GAME, QuietObserver, Taker, take_one
from tests.waiting import wait_until


class EntryObserver(QuietObserver):
    """An observer that keeps the moves that it got with each position of each game."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: dict[int, list[list[MoveEntry]]] = {}

    def on_move(self, game: int, position: object, entries: Sequence[MoveEntry]) -> None:  # type: ignore[override]
        super().on_move(game, position, entries)
        self.entries.setdefault(game, []).append(list(entries))


def play(out: Path, look: object, observer: QuietObserver | None = None, scheduler: str = "") -> None:
    """Play two games in which `look`, a function, is called with the number of moves before each move."""
    assert callable(look)

    def answer(taker: Taker, limits: Limits) -> str:
        look(len(taker.pile.moves))
        return take_one(taker, limits)

    config = MatchConfig(
        game=PILE_GAME,
        setup=PILE_GAME.default_setup,
        engines=(EngineSpec("A", player="one"), EngineSpec("B", player="one")),
        games=2,
        control=TimeControl(move_ms=60_000),
        make_player=lambda _: Taker(answer),
        out=out,
        seed=1,
        scheduler=scheduler,
    )
    run_match(config, observer or QuietObserver(), ("pentad", "match"))


def test_moves_of_the_running_game_can_be_read(tmp_path: Path) -> None:
    """The file of a game exists while it is played only, and its moves are there before the next engine thinks."""
    seen: list[tuple[int, list[str]]] = []

    def look(plies: int) -> None:
        (path,) = (tmp_path / RUNNING_FOLDER).iterdir()
        changes = RunningGameReader(tmp_path, int(path.stem)).poll()
        assert changes
        assert len(changes[0]) == plies
        seen.append((int(path.stem), [entry.move for entry in changes[0]]))
        assert all(entry.score == 7 for entry in changes[0])

    play(tmp_path, look)
    assert seen == [(number, ["1"] * plies) for number in (1, 2) for plies in range(8)]
    assert not (tmp_path / RUNNING_FOLDER).exists()


def test_observers_get_the_log_entries_of_the_moves(tmp_path: Path) -> None:
    """They have the scores, depths and variations of the engines, which the position does not have."""
    observer = EntryObserver()
    play(tmp_path, lambda _: None, observer)
    ended = {event.number: event for event in read_log(tmp_path) if event.__struct_config__.tag == "end"}  # type: ignore[union-attr]
    assert list(observer.entries) == [1, 2]
    for number, lists in observer.entries.items():
        moves = ended[number].moves  # type: ignore[union-attr]
        assert lists == [list(moves[:plies]) for plies in range(len(moves) + 1)]


def test_run_beats_while_it_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, a page could not tell a long move from a run that was killed."""
    monkeypatch.setattr(running_games, "BEAT_S", 0.0)
    folder = tmp_path / RUNNING_FOLDER

    def look(plies: int) -> None:
        if plies == 3:
            os.utime(folder, (1, 1))
            wait_until(lambda: folder.stat().st_mtime > 1)
            assert BeatReader(tmp_path).is_played()

    play(tmp_path, look)
    assert not BeatReader(tmp_path).is_played()


@pytest.mark.parametrize("scheduler", ["", "tcp://cluster:8786"])
def test_run_says_whether_its_moves_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheduler: str
) -> None:
    """A cluster sends its moves when a pair has ended."""

    @contextmanager
    def open_workers(config: MatchConfig, *_: object, **__: object) -> Iterator[PairWorkers]:
        yield PairWorkers(1, partial(PairRunner, config))

    monkeypatch.setattr("arena.run.match._open_workers", open_workers)
    seen: set[bool] = set()
    play(tmp_path, lambda _: seen.add(BeatReader(tmp_path).has_boards()), scheduler=scheduler)
    assert seen == {not scheduler}
