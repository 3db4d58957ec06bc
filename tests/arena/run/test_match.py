"""A match plays what it planned whatever the engines do, counts it rightly and leaves it on disk."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from arena.cli import main as cli
from arena.console import ExitCode
from arena.engines.spec import EngineSpec
from arena.errors import UsageError
from arena.log.events import Event, GameEnded, PairEnded, RunEnded, RunStarted
from arena.log.file import LogWriter, read_run
from arena.results.run_statistics import list_warnings
from arena.run.config import USER_STOP, MatchConfig, MatchResult
from arena.run.match import run_match
from arena.statistics.sprt import Sprt
from arena.terms.clock import TimeControl
from arena.terms.ending import Ending
from arena.terms.openings import OpeningBook
from core.play.player import BadSetup, Decision, Limits, Player, ProgressCallback, Setup, ignore_progress
from protocols.driving.process import EngineTerminated
from tests.arena.events import read_log
from tests.arena.fakes import PILE_GAME, Quiet, Taker, take_one

Maker = Callable[[], Player]


def play(out: Path, good: Maker, other: Maker, screen: Quiet | None = None, **changes: object) -> MatchResult:
    """A match of two unless `changes` say otherwise; all but `good` are made by `other`."""
    defaults = {
        "game": PILE_GAME,
        "engines": (EngineSpec("good", player="perfect"), EngineSpec("other", player="one")),
        "games": 6,
        "control": TimeControl(move_ms=2000),
        "make_player": lambda spec: good() if spec.name == "good" else other(),
    }
    config = MatchConfig(
        setup=PILE_GAME.default_setup,
        out=out,
        seed=1,
        **(defaults | changes),  # type: ignore[arg-type]
    )
    return run_match(config, screen or Quiet(), ("pentad", "match"))


def weak() -> Taker:
    return Taker(take_one)


def crashing() -> Taker:
    def answer(taker: Taker, limits: Limits) -> str:
        if len(taker.pile.moves) >= 2:
            raise EngineTerminated("exit code 3; last line 'oops'")
        return take_one(taker, limits)

    return Taker(answer)


def ended_games(directory: Path) -> list[GameEnded]:
    return [event for event in read_log(directory) if isinstance(event, GameEnded)]


def test_match_is_played_and_logged(tmp_path: Path) -> None:
    book = OpeningBook((("1",), ("2",), ("3",)), "book.txt", "00")
    result = play(tmp_path, Taker, weak, book=book)
    statistics = result.statistics
    assert (statistics.played, result.stopped, result.exit_code) == (6, "", ExitCode.SUCCESS)
    assert statistics.endings == {Ending.WIN: 6}
    assert sum(statistics.pairings[0].pentanomial) == 3
    games = ended_games(tmp_path)
    assert [(game.first, game.second) for game in games] == [("good", "other"), ("other", "good")] * 3
    assert [game.opening for game in games[::2]] == [game.opening for game in games[1::2]]
    header, *_, last = read_log(tmp_path)
    assert isinstance(header, RunStarted)
    assert header.engines[0].player == "perfect"
    assert last == RunEnded(6, 6, "")
    assert len(list((tmp_path / "games").iterdir())) == 6
    assert len((tmp_path / "results.csv").read_text().splitlines()) == 7


def test_concurrent_match_plays_the_same_games(tmp_path: Path) -> None:
    book = OpeningBook((("1",), ("2",), ("3",)))
    for concurrency in (1, 4):
        play(tmp_path / str(concurrency), Taker, weak, games=24, concurrency=concurrency, book=book)
    alone, together = (ended_games(tmp_path / name) for name in ("1", "4"))
    assert sorted((game.number, game.all_moves) for game in alone) == sorted(
        (game.number, game.all_moves) for game in together
    )


@pytest.mark.parametrize(("answer", "ending"), [("4", Ending.ILLEGAL), ("resign", Ending.RESIGNED)])
def test_loser_loses_every_game_with_either_colour(tmp_path: Path, answer: str, ending: Ending) -> None:
    result = play(tmp_path, Taker, lambda: Taker(lambda *_: answer), max_faults=0)
    assert result.statistics.engines[0].won == result.statistics.engines[1].lost == 6
    assert result.statistics.engines[1].faults[Ending.ILLEGAL] == (6 if ending is Ending.ILLEGAL else 0)
    assert result.statistics.engines[0].faults[Ending.ILLEGAL] == 0
    assert result.statistics.endings == {ending: 6}


def test_breaking_down_twice_in_a_row_stops_the_run(tmp_path: Path) -> None:
    result = play(tmp_path, Taker, crashing)
    assert (result.statistics.played, result.exit_code) == (2, ExitCode.FAILURE)
    assert result.stopped.startswith("other failed in 2 consecutive games: exit code 3")
    assert [game.blamed for game in ended_games(tmp_path)] == ["other", "other"]


def test_remaining_games_are_played_where_breakdowns_do_not_stop_the_run(tmp_path: Path) -> None:
    result = play(tmp_path, Taker, crashing, max_faults=0)
    assert (result.statistics.played, result.exit_code) == (6, ExitCode.SUCCESS)
    assert result.statistics.engines[1].faults[Ending.DISCONNECT] == 6


def test_one_breakdown_is_a_loss_and_the_match_goes_on(tmp_path: Path) -> None:
    made: list[Taker] = []

    def once() -> Taker:
        made.append(crashing() if not made else weak())
        return made[-1]

    result = play(tmp_path, Taker, once)
    assert (result.statistics.played, result.exit_code) == (6, ExitCode.SUCCESS)
    assert result.statistics.endings[Ending.DISCONNECT] == 1
    assert len(made) == 2


def test_engine_that_cannot_start_stops_the_run_without_a_result(tmp_path: Path) -> None:
    def broken() -> Player:
        raise BadSetup("needs a bigger board")

    result = play(tmp_path, Taker, broken)
    assert (result.statistics.played, result.exit_code) == (0, ExitCode.FAILURE)
    assert result.stopped == "other could not start: BadSetup: needs a bigger board"
    assert [game.ending for game in read_run(tmp_path).unfinished] == [Ending.VOID]


def test_games_without_a_clock_are_the_same_at_any_concurrency(tmp_path: Path) -> None:
    """An engine that learns from its games knew of other ones in each slot, and of none in a resumed run."""

    class Learner(Taker):
        games = 0

        def new_game(self, setup: Setup) -> None:
            super().new_game(setup)
            self.games += 1

        def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
            return replace(super().choose(limits, report), note=f"game {self.games}")

    def told(concurrency: int, control: TimeControl) -> set[tuple[str, ...]]:
        out = tmp_path / f"{concurrency}-{control.nodes}"
        play(out, Learner, weak, concurrency=concurrency, control=control)
        return {entry.messages for game in ended_games(out) for entry in game.moves if entry.messages}

    alone = told(1, TimeControl(nodes=9))
    assert alone == told(2, TimeControl(nodes=9)) == {("game 1",), ("game 2",)}
    assert len(told(1, TimeControl(move_ms=2000))) == 6  # with a clock no two runs are alike anyhow


@pytest.mark.parametrize(("restart", "starts"), [(False, 1), (True, 6)])
def test_engines_are_started_anew_where_asked(tmp_path: Path, restart: bool, starts: int) -> None:
    made: list[Taker] = []

    def start() -> Taker:
        made.append(weak())
        return made[-1]

    play(tmp_path, Taker, start, restart=restart)
    assert len(made) == starts
    assert all(player.closed for player in made)


def test_repeated_games_are_counted(tmp_path: Path) -> None:
    statistics = play(tmp_path, Taker, Taker, games=20).statistics
    assert (statistics.played, statistics.distinct) == (20, 1)
    concerns = list_warnings(statistics)
    assert "19 of 20 games repeat an earlier one move for move" in concerns
    assert any("split" in concern for concern in concerns)


def test_directory_is_used_once_and_by_one(tmp_path: Path) -> None:
    play(tmp_path, Taker, weak)
    with pytest.raises(UsageError, match="already holds a run"):
        play(tmp_path, Taker, weak)
    other = tmp_path / "other"
    other.mkdir()
    with FileLock(other / ".lock"), pytest.raises(UsageError, match="another run is using"):
        play(other, Taker, weak)


@pytest.mark.parametrize("while_told", [False, True])
def test_interruption_leaves_the_finished_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, while_told: bool
) -> None:
    """Ctrl-C arrives twice while the third game is played, the second time maybe while the first is being told."""
    reached, release = threading.Event(), threading.Event()

    def answer(taker: Taker, limits: Limits) -> str:
        if len(ended_games(tmp_path)) == 2:
            reached.set()
            with limits.stop.calling(release.set):
                release.wait(5)
        return take_one(taker, limits)

    class RunObserver(Quiet):
        def tell(self, text: str) -> None:
            super().tell(text)
            if while_told:
                raise KeyboardInterrupt

    screen, real_wait = RunObserver(), wait

    def interrupted_wait(*arguments: Any) -> object:
        if screen.told and while_told:
            return real_wait(*arguments)
        reached.wait(5)
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.run.match.wait", interrupted_wait)
    result = play(tmp_path, Taker, lambda: Taker(answer), screen=screen)
    assert (result.statistics.played, result.stopped, result.exit_code) == (2, USER_STOP, ExitCode.INTERRUPTED)
    assert len(screen.told) == 1
    assert len((tmp_path / "results.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize(("tc", "wait_s"), [("", "3.25"), ("N=10", "60"), ("0.5/7", "3.25"), ("9", "10.25")])
def test_first_interruption_lets_the_running_pair_finish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tc: str, wait_s: str
) -> None:
    """What is told to be waited for is the slowest engine's move, which no clock may hold."""
    reached, heard = threading.Event(), threading.Event()

    def answer(taker: Taker, limits: Limits) -> str:
        if len(ended_games(tmp_path)) == 2:
            reached.set()
            heard.wait(5)
        return take_one(taker, limits)

    class Hearing(Quiet):
        def tell(self, text: str) -> None:
            super().tell(text)
            heard.set()

    real_wait = wait

    def interrupted_wait(*arguments: Any) -> object:
        if not heard.is_set():
            reached.wait(5)
            raise KeyboardInterrupt
        return real_wait(*arguments)

    monkeypatch.setattr("arena.run.match.wait", interrupted_wait)
    screen = Hearing()
    engines = (EngineSpec("good", player="perfect"), EngineSpec("other", player="one", tc=tc))
    result = play(tmp_path, Taker, lambda: Taker(answer), screen=screen, engines=engines)
    assert (result.statistics.played, result.stopped, result.exit_code) == (4, USER_STOP, ExitCode.INTERRUPTED)
    waits = f"the running pairs are finished first, now game 3 (good v other); each move takes {wait_s} s at most"
    assert screen.told == [f"interrupted: {waits}; once more ends them at once"]


def test_interruption_in_the_last_pair_is_no_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started, interrupted = threading.Event(), threading.Event()
    real_wait = wait

    def interrupted_wait(*arguments: Any) -> object:
        if not interrupted.is_set():
            assert started.wait(60)
            interrupted.set()
            raise KeyboardInterrupt
        return real_wait(*arguments)

    monkeypatch.setattr("arena.run.match.wait", interrupted_wait)

    def answer(taker: Taker, limits: Limits) -> str:
        started.set()
        assert interrupted.wait(60)
        return take_one(taker, limits)

    result = play(tmp_path, Taker, lambda: Taker(answer), games=2)
    assert (result.statistics.played, result.stopped, result.exit_code) == (2, "", ExitCode.SUCCESS)


@pytest.mark.parametrize(
    ("swap", "cap", "verdict", "exit_code"),
    [(False, 400, "H1", ExitCode.SUCCESS), (True, 400, "H0", ExitCode.H0_ACCEPTED), (False, 4, "", ExitCode.SUCCESS)],
)
@pytest.mark.parametrize("concurrency", [1, 3])
def test_sequential_test_ends_the_match(
    tmp_path: Path, swap: bool, cap: int, verdict: str, exit_code: ExitCode, concurrency: int
) -> None:
    """One engine wins every game: some fifteen pairs decide, and at a smaller cap the test is inconclusive."""
    makers: list[Maker] = [Taker, lambda: Taker(lambda *_: "resign")]
    first, second = makers[::-1] if swap else makers
    test = Sprt(0, 50)
    result = play(tmp_path, first, second, games=cap, sprt=test, h0_fails=True, concurrency=concurrency)
    sprt_state = result.outcome.sprt_state
    assert sprt_state is not None
    assert (sprt_state.accepted, result.exit_code, result.stopped) == (verdict, exit_code, "")
    assert sprt_state.pairs_used == (2 if cap == 4 else 17 if verdict == "H1" else 14)
    if concurrency == 1:
        assert result.statistics.played == 2 * sprt_state.pairs_used
    assert ("inconclusive" in (tmp_path / "crosstable.txt").read_text()) == (not verdict)


def test_strict_match_stops_at_the_first_fault(tmp_path: Path) -> None:
    result = play(tmp_path, Taker, lambda: Taker(lambda *_: "9"), strict=True)
    assert (result.statistics.played, result.exit_code) == (0, ExitCode.FAILURE)
    assert result.stopped.startswith("other lost game 1 by illegal move: take 1 to 3")


def test_strict_match_fails_where_something_speaks_against_its_result(tmp_path: Path) -> None:
    result = play(tmp_path, Taker, Taker, strict=True)
    assert (result.statistics.played, result.stopped, result.exit_code) == (6, "", ExitCode.FAILURE)
    assert result.outcome.warnings


@pytest.mark.parametrize(("games", "played", "exit_code"), [(1, 3, ExitCode.SUCCESS), (2, 0, ExitCode.FAILURE)])
def test_breakdowns_are_counted_in_each_pairing(tmp_path: Path, games: int, played: int, exit_code: ExitCode) -> None:
    """Three crashes in a row, one against each of three, stop nothing; two in a row against one do."""
    engines = tuple(EngineSpec(name, player="one") for name in ("bad", "a", "b", "c"))
    result = play(
        tmp_path,
        Taker,
        crashing,
        make_player=lambda spec: crashing() if spec.name == "bad" else Taker(),
        games=games,
        engines=engines,
        gauntlet=1,
    )
    assert result.exit_code is exit_code
    assert result.statistics.engines[0].faults[Ending.DISCONNECT] == (played or 2)


def test_games_missing_from_the_log_fail_loudly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts is what is on disk: a log that lost a pair is no complete run, whatever was played."""
    written = LogWriter.write

    def lose_a_pair(log: LogWriter, event: Event) -> None:
        if event != PairEnded(2):
            written(log, event)

    monkeypatch.setattr(LogWriter, "write", lose_a_pair)
    result = play(tmp_path, Taker, weak)
    assert (result.stopped, result.exit_code) == ("4 games on record, 6 planned", ExitCode.FAILURE)


def test_openings_are_played_under_symmetries_where_asked(tmp_path: Path) -> None:
    """The pile has none of its own, so here 1 and 3 change places."""
    mirrored = {"1": "3", "2": "2", "3": "1"}
    game = replace(PILE_GAME, symmetries=lambda moves, _: [list(moves), [mirrored[move] for move in moves]])
    play(tmp_path, Taker, weak, games=4, game=game, transform=True, book=OpeningBook((("1",),)))
    assert {ended.opening for ended in ended_games(tmp_path)} == {("1",), ("3",)}


class Stopwatch(Quiet):
    """When games have begun and ended, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.times_s: list[float] = []
        self.ended = threading.Event()

    def on_start(self, game: object) -> None:  # noqa: ARG002
        self.times_s.append(time.perf_counter())

    def on_game(self, game: object) -> None:  # noqa: ARG002
        self.times_s.append(time.perf_counter())
        self.ended.set()


def test_a_run_waits_between_games_and_remembers_how_long(tmp_path: Path) -> None:
    screen = Stopwatch()
    play(tmp_path, Taker, weak, screen, games=4, wait_ms=150)
    ends, starts = screen.times_s[1:-1:2], screen.times_s[2::2]
    assert len(starts) == 3
    assert all(start - end >= 0.15 for start, end in zip(starts, ends, strict=True))
    assert read_run(tmp_path).header.wait_ms == 150


def test_the_first_game_waits_for_nothing_and_an_interruption_for_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Stopwatch()

    def interrupted_wait(*_: object) -> None:
        assert screen.ended.wait(60)
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.run.match.wait", interrupted_wait)
    result = play(tmp_path, Taker, weak, screen, wait_ms=120_000)
    assert (len(ended_games(tmp_path)), result.exit_code) == (1, ExitCode.INTERRUPTED)


@pytest.mark.parametrize("wait", ["-1", "86400001", "soon"])
def test_a_wait_has_limits(wait: str, capsys: pytest.CaptureFixture[str]) -> None:
    engines = ["--engine", "player=pentad", "--engine", "player=paper"]
    assert cli.run(["match", *engines, "--wait", wait]) == ExitCode.USAGE_ERROR
    told = capsys.readouterr().err
    assert "--wait" in told
    assert wait in told
