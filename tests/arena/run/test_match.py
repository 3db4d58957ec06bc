"""Tests of runs in this process: counting, faults, interruptions, the SPRT, and the log of the run.

The game is a small pile of stones (tests/arena/fakes.py), and the engines are players in Python.
The runner waits for games in `concurrent.futures.wait`. To simulate Ctrl-C, tests replace that function by one that
raises KeyboardInterrupt.
"""

from __future__ import annotations

import errno
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
from arena.errors import CommandFailedError, UsageError
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
from tests.arena.fakes import PILE_GAME, QuietObserver, Taker, take_one

PlayerFactory = Callable[[], Player]


def play(
    out: Path, good: PlayerFactory, other: PlayerFactory, observer: QuietObserver | None = None, **changes: object
) -> MatchResult:
    """Play a match of two engines named `good` and `other`; `changes` replace fields of the MatchConfig.

    `good` creates the player of the first engine, `other` those of all others.
    """
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
    return run_match(config, observer or QuietObserver(), ("pentad", "match"))


def make_weak() -> Taker:
    """Return a player that always takes one stone, and loses against a perfect player."""
    return Taker(take_one)


def make_crashing() -> Taker:
    """Return a player that crashes at its first move after two plies."""

    def answer(taker: Taker, limits: Limits) -> str:
        if len(taker.pile.moves) >= 2:
            raise EngineTerminated("exit code 3; last line 'oops'")
        return take_one(taker, limits)

    return Taker(answer)


def read_ended_games(directory: Path) -> list[GameEnded]:
    return [event for event in read_log(directory) if isinstance(event, GameEnded)]


def test_match_is_played_and_logged(tmp_path: Path) -> None:
    book = OpeningBook((("1",), ("2",), ("3",)), source="book.txt", digest="00")
    result = play(tmp_path, Taker, make_weak, book=book)
    statistics = result.statistics
    assert (statistics.played, result.stopped, result.exit_code) == (6, "", ExitCode.SUCCESS)
    assert statistics.endings == {Ending.WIN: 6}
    assert sum(statistics.pairings[0].pentanomial) == 3
    games = read_ended_games(tmp_path)
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
        play(tmp_path / str(concurrency), Taker, make_weak, games=24, concurrency=concurrency, book=book)
    one_thread, four_threads = (read_ended_games(tmp_path / name) for name in ("1", "4"))
    assert sorted((game.number, game.all_moves) for game in one_thread) == sorted(
        (game.number, game.all_moves) for game in four_threads
    )


@pytest.mark.parametrize(("answer", "ending"), [("4", Ending.ILLEGAL), ("resign", Ending.RESIGNED)])
def test_illegal_moves_and_resignations_lose_with_either_colour(tmp_path: Path, answer: str, ending: Ending) -> None:
    result = play(tmp_path, Taker, lambda: Taker(lambda *_: answer), max_faults=0)
    assert result.statistics.engines[0].won == result.statistics.engines[1].lost == 6
    assert result.statistics.engines[1].faults[Ending.ILLEGAL] == (6 if ending is Ending.ILLEGAL else 0)
    assert result.statistics.engines[0].faults[Ending.ILLEGAL] == 0
    assert result.statistics.endings == {ending: 6}


def test_two_consecutive_crashes_stop_the_run(tmp_path: Path) -> None:
    result = play(tmp_path, Taker, make_crashing)
    assert (result.statistics.played, result.exit_code) == (2, ExitCode.FAILURE)
    assert result.stopped.startswith("other failed in 2 consecutive games: exit code 3")
    assert [game.blamed for game in read_ended_games(tmp_path)] == ["other", "other"]


def test_all_games_are_played_if_failures_do_not_stop_the_run(tmp_path: Path) -> None:
    result = play(tmp_path, Taker, make_crashing, max_faults=0)
    assert (result.statistics.played, result.exit_code) == (6, ExitCode.SUCCESS)
    assert result.statistics.engines[1].faults[Ending.DISCONNECT] == 6


def test_after_one_crash_the_match_continues(tmp_path: Path) -> None:
    made_players: list[Taker] = []

    def crash_first() -> Taker:
        made_players.append(make_crashing() if len(made_players) == 1 else make_weak())
        return made_players[-1]

    result = play(tmp_path, Taker, crash_first)
    assert (result.statistics.played, result.exit_code) == (6, ExitCode.SUCCESS)
    assert result.statistics.endings[Ending.DISCONNECT] == 1
    assert len(made_players) == 3  # the first one is that of the trial before the first game


def test_engines_that_cannot_start_are_all_named_before_the_first_game(tmp_path: Path) -> None:
    def fail_to_start() -> Player:
        raise BadSetup("needs a bigger board")

    engines = tuple(EngineSpec(name, player="one") for name in ("good", "B", "C"))
    with pytest.raises(CommandFailedError) as refusal:
        play(tmp_path / "run", Taker, fail_to_start, engines=engines)
    assert str(refusal.value).splitlines() == [
        "B could not start: needs a bigger board",
        "C could not start: needs a bigger board",
    ]
    assert not (tmp_path / "run").exists()


def test_run_stops_if_the_machine_cannot_start_a_process(tmp_path: Path) -> None:
    """Nobody is to blame, so the game has no result and is played again by a resumption."""
    made_players: list[Taker] = []

    def start() -> Player:
        if len(made_players) == 2:
            raise OSError(errno.EMFILE, "too many open files")
        made_players.append(make_weak())
        return made_players[-1]

    result = play(tmp_path, Taker, start, restart=True, max_faults=0)
    assert result.stopped == f"other could not start: OSError: [Errno {errno.EMFILE}] too many open files"
    assert result.exit_code == ExitCode.FAILURE
    assert [game.ending for game in read_run(tmp_path).unfinished] == [Ending.WIN, Ending.VOID]


def test_engines_are_restarted_for_each_pair_without_a_clock(tmp_path: Path) -> None:
    """Without a clock, engines are restarted for each pair, so that a game cannot depend on which games came before.

    The player below notes how many games it has played since its start.
    """

    class GameCounter(Taker):
        games = 0

        def new_game(self, setup: Setup) -> None:
            super().new_game(setup)
            self.games += 1

        def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
            return replace(super().choose(limits, report), note=f"game {self.games}")

    def collect_notes(concurrency: int, control: TimeControl, *, keep: bool = False) -> set[tuple[str, ...]]:
        out = tmp_path / f"{concurrency}-{control.nodes}-{keep}"
        play(out, GameCounter, make_weak, concurrency=concurrency, control=control, keep=keep)
        return {entry.messages for game in read_ended_games(out) for entry in game.moves if entry.messages}

    one_thread = collect_notes(1, TimeControl(nodes=9))
    assert one_thread == collect_notes(2, TimeControl(nodes=9)) == {("game 1",), ("game 2",)}
    assert len(collect_notes(1, TimeControl(move_ms=2000))) == 6  # with a clock, engines are not restarted
    assert len(collect_notes(1, TimeControl(nodes=9), keep=True)) == 6


@pytest.mark.parametrize(("restart", "starts"), [(False, 2), (True, 7)])
def test_restart_starts_engines_anew_for_each_game(tmp_path: Path, restart: bool, starts: int) -> None:
    """One more start is the trial before the first game."""
    made_players: list[Taker] = []

    def start() -> Taker:
        made_players.append(make_weak())
        return made_players[-1]

    play(tmp_path, Taker, start, restart=restart)
    assert len(made_players) == starts
    assert all(player.closed for player in made_players)


def test_repeated_games_are_counted(tmp_path: Path) -> None:
    statistics = play(tmp_path, Taker, Taker, games=20).statistics
    assert (statistics.played, statistics.distinct) == (20, 1)
    warnings = list_warnings(statistics)
    assert "19 of 20 games repeat an earlier one move for move" in warnings
    assert any("split" in warning for warning in warnings)


def test_folder_with_a_run_and_folder_in_use_are_refused(tmp_path: Path) -> None:
    play(tmp_path, Taker, make_weak)
    with pytest.raises(UsageError, match="already holds a run"):
        play(tmp_path, Taker, make_weak)
    other = tmp_path / "other"
    other.mkdir()
    with FileLock(other / ".lock"), pytest.raises(UsageError, match="another run is using"):
        play(other, Taker, make_weak)


@pytest.mark.parametrize("during_message", [False, True])
def test_second_interruption_ends_the_running_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, during_message: bool
) -> None:
    """Ctrl-C arrives twice in the third game; with `during_message`, while the message on the first one is printed."""
    reached, release = threading.Event(), threading.Event()

    def answer(taker: Taker, limits: Limits) -> str:
        if len(read_ended_games(tmp_path)) == 2:
            reached.set()
            with limits.stop.calling(release.set):
                release.wait(5)
        return take_one(taker, limits)

    class InterruptedObserver(QuietObserver):
        def show_message(self, text: str) -> None:
            super().show_message(text)
            if during_message:
                raise KeyboardInterrupt

    observer, real_wait = InterruptedObserver(), wait

    def interrupted_wait(*arguments: Any) -> object:
        if observer.messages and during_message:
            return real_wait(*arguments)
        reached.wait(5)
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.run.match.wait", interrupted_wait)
    result = play(tmp_path, Taker, lambda: Taker(answer), observer=observer)
    assert (result.statistics.played, result.stopped, result.exit_code) == (2, USER_STOP, ExitCode.INTERRUPTED)
    assert len(observer.messages) == 1
    assert len((tmp_path / "results.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize(("tc", "wait_s"), [("", "3.25"), ("N=10", "60"), ("0.5/7", "3.25"), ("9", "10.25")])
def test_first_interruption_lets_the_running_pair_finish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tc: str, wait_s: str
) -> None:
    """The message names the longest wait for a move of any engine.

    It is the time per move, here 2 s by default, plus 0.25 s margin and 1 s until a stall; without a clock it is the
    move timeout of 60 s.
    """
    reached, message_shown = threading.Event(), threading.Event()

    def answer(taker: Taker, limits: Limits) -> str:
        if len(read_ended_games(tmp_path)) == 2:
            reached.set()
            message_shown.wait(5)
        return take_one(taker, limits)

    class SignallingObserver(QuietObserver):
        def show_message(self, text: str) -> None:
            super().show_message(text)
            message_shown.set()

    real_wait = wait

    def interrupted_wait(*arguments: Any) -> object:
        if not message_shown.is_set():
            reached.wait(5)
            raise KeyboardInterrupt
        return real_wait(*arguments)

    monkeypatch.setattr("arena.run.match.wait", interrupted_wait)
    observer = SignallingObserver()
    engines = (EngineSpec("good", player="perfect"), EngineSpec("other", player="one", tc=tc))
    result = play(tmp_path, Taker, lambda: Taker(answer), observer=observer, engines=engines)
    assert (result.statistics.played, result.stopped, result.exit_code) == (4, USER_STOP, ExitCode.INTERRUPTED)
    assert observer.messages == [
        "interrupted: waiting for the running pairs, now game 3 (good v other); "
        f"each move takes at most {wait_s} s; press Ctrl-C again to end them at once"
    ]


def test_run_interrupted_in_its_last_pair_is_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    ("first_loses", "games", "accepted", "exit_code"),
    [(False, 400, "H1", ExitCode.SUCCESS), (True, 400, "H0", ExitCode.H0_ACCEPTED), (False, 4, "", ExitCode.SUCCESS)],
)
@pytest.mark.parametrize("concurrency", [1, 3])
def test_decided_sprt_ends_the_match(
    tmp_path: Path, first_loses: bool, games: int, accepted: str, exit_code: ExitCode, concurrency: int
) -> None:
    """If one engine wins every game, 14 pairs accept H0 and 17 accept H1; two pairs decide nothing."""
    factories: list[PlayerFactory] = [Taker, lambda: Taker(lambda *_: "resign")]
    first, second = factories[::-1] if first_loses else factories
    result = play(tmp_path, first, second, games=games, sprt=Sprt(0, 50), h0_fails=True, concurrency=concurrency)
    sprt_state = result.outcome.sprt_state
    assert sprt_state is not None
    assert (sprt_state.accepted, result.exit_code, result.stopped) == (accepted, exit_code, "")
    assert sprt_state.pairs_used == {"H1": 17, "H0": 14, "": 2}[accepted]
    if concurrency == 1:
        assert result.statistics.played == 2 * sprt_state.pairs_used
    assert ("inconclusive" in (tmp_path / "crosstable.txt").read_text()) == (not accepted)


def test_strict_match_stops_at_the_first_fault(tmp_path: Path) -> None:
    result = play(tmp_path, Taker, lambda: Taker(lambda *_: "9"), strict=True)
    assert (result.statistics.played, result.exit_code) == (0, ExitCode.FAILURE)
    assert result.stopped.startswith("other lost game 1 by illegal move: take 1 to 3")


def test_strict_match_with_warnings_has_the_exit_code_of_a_failure(tmp_path: Path) -> None:
    """Two perfect players repeat the same game, which is a warning."""
    result = play(tmp_path, Taker, Taker, strict=True)
    assert (result.statistics.played, result.stopped, result.exit_code) == (6, "", ExitCode.FAILURE)
    assert result.outcome.warnings


@pytest.mark.parametrize(("games", "crashes", "exit_code"), [(1, 3, ExitCode.SUCCESS), (2, 2, ExitCode.FAILURE)])
def test_failures_are_counted_per_pairing(tmp_path: Path, games: int, crashes: int, exit_code: ExitCode) -> None:
    """One crash against each of three opponents does not stop the run, but two in a row against one opponent do."""
    engines = tuple(EngineSpec(name, player="one") for name in ("bad", "a", "b", "c"))
    result = play(
        tmp_path,
        Taker,
        make_crashing,
        make_player=lambda spec: make_crashing() if spec.name == "bad" else Taker(),
        games=games,
        engines=engines,
        gauntlet=1,
    )
    assert result.exit_code is exit_code
    assert result.statistics.engines[0].faults[Ending.DISCONNECT] == crashes


def test_pair_missing_from_the_log_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result is computed from the log on disk and not from what was played."""
    real_write = LogWriter.write

    def write_all_but_one_pair(log: LogWriter, event: Event) -> None:
        if event != PairEnded(2):
            real_write(log, event)

    monkeypatch.setattr(LogWriter, "write", write_all_but_one_pair)
    result = play(tmp_path, Taker, make_weak)
    assert (result.stopped, result.exit_code) == ("4 games on record, 6 planned", ExitCode.FAILURE)


def test_transform_plays_openings_under_symmetries(tmp_path: Path) -> None:
    """The pile game has no symmetries, so this test gives it one that swaps the moves 1 and 3."""
    mirrored = {"1": "3", "2": "2", "3": "1"}
    game = replace(PILE_GAME, symmetries=lambda moves, _: [list(moves), [mirrored[move] for move in moves]])
    play(tmp_path, Taker, make_weak, games=4, game=game, transform=True, book=OpeningBook((("1",),)))
    assert {ended.opening for ended in read_ended_games(tmp_path)} == {("1",), ("3",)}


class Stopwatch(QuietObserver):
    """Records when games begin and end."""

    def __init__(self) -> None:
        super().__init__()
        self.times_s: list[float] = []  # start and end of the first game, of the second game, ...
        self.game_ended = threading.Event()

    def on_start(self, game: object) -> None:  # noqa: ARG002
        self.times_s.append(time.perf_counter())

    def on_game(self, game: object) -> None:  # noqa: ARG002
        self.times_s.append(time.perf_counter())
        self.game_ended.set()


def test_wait_option_pauses_between_games_and_is_logged(tmp_path: Path) -> None:
    stopwatch = Stopwatch()
    play(tmp_path, Taker, make_weak, stopwatch, games=4, wait_ms=150)
    ends, starts = stopwatch.times_s[1:-1:2], stopwatch.times_s[2::2]
    assert len(starts) == 3
    assert all(start - end >= 0.15 for start, end in zip(starts, ends, strict=True))
    assert read_run(tmp_path).header.wait_ms == 150


def test_no_pause_before_the_first_game_and_after_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopwatch = Stopwatch()

    def interrupted_wait(*_: object) -> None:
        assert stopwatch.game_ended.wait(60)
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.run.match.wait", interrupted_wait)
    result = play(tmp_path, Taker, make_weak, stopwatch, wait_ms=120_000)
    assert (len(read_ended_games(tmp_path)), result.exit_code) == (1, ExitCode.INTERRUPTED)


@pytest.mark.parametrize("milliseconds", ["-1", "86400001", "soon"])
def test_wrong_wait_option_is_refused(milliseconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    engines = ["--engine", "player=pentad", "--engine", "player=paper"]
    assert cli.run(["match", *engines, "--wait", milliseconds]) == ExitCode.USAGE_ERROR
    error = capsys.readouterr().err
    assert "--wait" in error
    assert milliseconds in error
