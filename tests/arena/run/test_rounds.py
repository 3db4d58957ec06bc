"""Tests of runs that are played by rounds: the same tournament after each kind of interruption and at any concurrency.

The game is a small pile of stones (tests/arena/fakes.py). A player's moves depend only on its name and the position, so
a game depends only on its engines and its opening.
"""

from __future__ import annotations

import concurrent.futures
import random
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from arena.cli import main as cli
from arena.console import ExitCode
from arena.engines.spec import EngineSpec
from arena.errors import CommandFailedError, UsageError
from arena.log.events import Event, GameEnded, GameStarted, PairEnded, RoundPaired, RunEnded, RunStarted
from arena.log.file import LOG_NAME, LogError, LogWriter, read_run
from arena.results.outcome import compute_outcome
from arena.results.ratings import estimate_ratings
from arena.run.config import USER_STOP, MatchConfig, MatchResult
from arena.run.match import resume_match, run_match
from arena.run.provenance import describe_resumption
from arena.run.run_or_resume import run_or_resume
from arena.terms.ending import Ending
from arena.terms.openings import OpeningBook
from core.play.player import Limits, Player
from protocols.driving.process import EngineTerminated
from tests.arena.events import read_log
from tests.arena.fakes import PILE_GAME, QuietObserver, Taker, take_one

BOOK = OpeningBook(tuple((first, second) for first in "123" for second in "123"), "book.txt", "00")
ROUND_FILES = ("rounds.csv", "standings.csv")


def make_player(spec: EngineSpec) -> Player:
    """Return a player whose moves depend only on its name and the position."""

    def answer(taker: Taker, _: Limits) -> str:
        generator = random.Random(f"{spec.name}/{taker.pile.moves}")
        return generator.choice(taker.pile.legal_moves())

    return Taker(answer)


def configure(out: Path, tournament_format: str, names: str = "ABCDE", **changes: object) -> MatchConfig:
    """Return a reproducible tournament; `changes` replace fields."""
    fields: dict[str, Any] = {
        "game": PILE_GAME,
        "setup": PILE_GAME.default_setup,
        "engines": tuple(EngineSpec(name, player="perfect") for name in names),
        "make_player": make_player,
        "book": BOOK,
        "seed": 3,
        "games": 2,
        "concurrency": 2,
        "tournament_format": tournament_format,
    }
    return MatchConfig(out=out, **(fields | changes))


def play(config: MatchConfig, observer: QuietObserver | None = None) -> MatchResult:
    return run_match(config, observer or QuietObserver(), ("pentad", "match"))


def resume(config: MatchConfig) -> MatchResult:
    return resume_match(config, QuietObserver(), describe_resumption(config, forced=False))


def read_rounds(directory: Path) -> list[RoundPaired]:
    return [event for event in read_log(directory) if isinstance(event, RoundPaired)]


def read_outcome(directory: Path) -> tuple[list[RoundPaired], list[GameEnded], list[str]]:
    """Return the rounds, the games of complete pairs without their times, and the files of the tournament."""
    games = [
        structs.replace(game, moves=tuple(structs.replace(entry, time_ms=0, overhead_us=0) for entry in game.moves))
        for game in read_run(directory).games
    ]
    return read_rounds(directory), games, [(directory / name).read_text(encoding="utf-8") for name in ROUND_FILES]


def list_truncations(log: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the log as a killed process may leave it: after each line, with the kind of the line, and within a line."""
    lines = log.splitlines(keepends=True)
    for count in range(1, len(lines) + 1):
        kind = lines[count - 1].partition(b'"event":"')[2].partition(b'"')[0].decode()
        yield kind, b"".join(lines[:count])
    yield "half a line", b"".join(lines[:4]) + lines[4][:40]


@pytest.mark.parametrize("names", ["ABC", pytest.param("ABCDEF", marks=pytest.mark.slow)])
@pytest.mark.parametrize("tournament_format", ["swiss", "knockout"])
def test_run_killed_after_any_event_ends_with_the_same_tournament(
    tournament_format: str, names: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the log has when the process is killed, the resumed run has the same rounds, games and final table."""
    rate = partial(estimate_ratings, games=())  # the ratings take most of the time of a resumption
    monkeypatch.setattr("arena.results.outcome.estimate_ratings", lambda names, *_: rate(names))
    config = configure(tmp_path / "whole", tournament_format, names, seed=1)
    whole = config.out
    assert play(config).exit_code is ExitCode.SUCCESS
    expected = read_outcome(whole)
    if tournament_format == "knockout":
        assert any(paired.tie_break for paired in expected[0])  # or this test would miss the tie-breaks
    kinds = set()
    for number, (kind, log) in enumerate(list_truncations((whole / LOG_NAME).read_bytes())):
        kinds.add(kind)
        out = tmp_path / str(number)
        out.mkdir()
        (out / LOG_NAME).write_bytes(log)
        result = resume(structs.replace(config, out=out))
        assert (result.exit_code, result.stopped) == (ExitCode.SUCCESS, ""), (number, kind)
        assert read_outcome(out) == expected, (number, kind)
    assert kinds == {"run", "round", "start", "end", "pair", "stop", "half a line"}


@pytest.mark.parametrize("tournament_format", ["swiss", "knockout"])
def test_concurrency_does_not_change_the_tournament(tournament_format: str, tmp_path: Path) -> None:
    for concurrency in (1, 4):
        play(configure(tmp_path / str(concurrency), tournament_format, "ABCDEFG", concurrency=concurrency, games=4))
    assert read_outcome(tmp_path / "1") == read_outcome(tmp_path / "4")


def test_all_encounters_of_a_round_are_played_at_the_same_time(tmp_path: Path) -> None:
    """No first move is answered before a game of each of the four encounters has begun."""
    barrier = threading.Barrier(4)

    def answer(taker: Taker, limits: Limits) -> str:
        if not taker.pile.moves:
            barrier.wait(20)
        return take_one(taker, limits)

    config = configure(
        tmp_path, "swiss", "ABCDEFGH", concurrency=4, make_player=lambda _: Taker(answer), book=OpeningBook()
    )
    result = play(config)
    assert (result.stopped, result.statistics.played) == ("", 24)


def test_thread_without_a_game_plays_again_in_the_next_round(tmp_path: Path) -> None:
    """The first round has one encounter, D - E, the second two. There A and B do not move before both are thinking."""
    thinking: set[str] = set()
    both_think = threading.Event()

    def start(spec: EngineSpec) -> Player:
        def answer(taker: Taker, limits: Limits) -> str:
            thinking.add(spec.name)
            if {"A", "B"} <= thinking:
                both_think.set()
            if spec.name in "AB":
                assert both_think.wait(20)
            return take_one(taker, limits)

        return Taker(answer)

    result = play(configure(tmp_path, "knockout", make_player=start, book=OpeningBook()))
    assert result.exit_code is ExitCode.SUCCESS
    assert set(result.statistics.endings) == {Ending.MOVE_CAP}  # no assertion of a player has failed


@pytest.mark.parametrize("tournament_format", ["swiss", "knockout"])
def test_round_begins_after_the_end_of_the_one_before(tournament_format: str, tmp_path: Path) -> None:
    """Numbers of pairs and games are consecutive, and every game belongs to the last round before it in the log."""
    play(configure(tmp_path, tournament_format, "ABCDEFG", games=4, concurrency=3))
    paired: RoundPaired | None = None
    complete: set[int] = set()
    announced = 0  # pairs of all rounds so far
    for event in read_log(tmp_path):
        if isinstance(event, RoundPaired):
            assert complete == set(range(1, announced + 1))
            paired, announced = event, announced + len(event.pairings) * (1 if event.tie_break else 2)
        elif isinstance(event, GameStarted):
            assert paired
            assert {event.first, event.second} in [set(pairing) for pairing in paired.pairings]
            assert event.pair == (event.number + 1) // 2 <= announced
        elif isinstance(event, PairEnded):
            complete.add(event.number)
    games = read_run(tmp_path).games
    assert [game.number for game in games] == list(range(1, 2 * announced + 1))
    openings = [game.opening for game in games]
    assert openings[::2] == openings[1::2]
    firsts = [(game.first, game.second) for game in games]
    assert all(one == other[::-1] for one, other in zip(firsts[::2], firsts[1::2], strict=True))


@pytest.mark.parametrize("tournament_format", ["swiss", "knockout"])
def test_openings_are_new_in_each_round_and_tie_break(tournament_format: str, tmp_path: Path) -> None:
    """The encounters of a round have the same openings, and no engine gets an opening again in a later round.

    The games are drawn, so the knock-out has tie-breaks. The book has more openings than it can use.
    """
    setup = replace(PILE_GAME.default_setup, variant="tie")
    changes: dict[str, Any] = {"tie_break_games": 2} if tournament_format == "knockout" else {}
    play(configure(tmp_path, tournament_format, "ABCD", games=4, setup=setup, **changes))
    games = iter(read_run(tmp_path).games)
    used: list[tuple[str, ...]] = []
    for paired in read_rounds(tmp_path):
        pairs = 1 if paired.tie_break else 2
        openings = [[next(games).opening for _ in range(2 * len(paired.pairings))] for _ in range(pairs)]
        assert all(len(set(same)) == 1 for same in openings)
        used += [same[0] for same in openings]
    assert len(used) == (6 if tournament_format == "knockout" else 4) == len(set(used))


def test_logged_round_is_played_even_if_it_would_be_paired_differently_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression guard for a newer networkx, which may choose another of several equally good pairings."""
    play(configure(tmp_path, "swiss", "ABCD", rounds=3))
    lines = (tmp_path / LOG_NAME).read_bytes().splitlines(keepends=True)
    begun = [number for number, line in enumerate(lines) if b'"event":"round"' in line][1]
    (tmp_path / LOG_NAME).write_bytes(b"".join(lines[: begun + 1]))
    logged = read_rounds(tmp_path)
    third = [(0, 1), (2, 3)]
    monkeypatch.setattr("arena.formats.tournament.pair_swiss_round", lambda _: (third, []))
    assert resume(configure(tmp_path, "swiss", "ABCD", rounds=3)).exit_code is ExitCode.SUCCESS
    assert read_rounds(tmp_path) == [*logged, RoundPaired(3, (("A", "B"), ("C", "D")))]


@pytest.mark.parametrize("concurrency", [1, 3])
@pytest.mark.parametrize("tournament_format", ["round-robin", "gauntlet", "swiss", "knockout"])
def test_engine_that_no_longer_starts_loses_and_the_others_play_on(
    tournament_format: str, concurrency: int, tmp_path: Path
) -> None:
    """C starts in the trial only. Regression: its first game ended the tournament for everybody."""
    starts: list[str] = []

    def refuse(spec: EngineSpec) -> Player:
        starts.append(spec.name)
        if spec.name == "C" and starts.count("C") > 1:
            raise EngineTerminated("no license")
        return make_player(spec)

    gauntlet = 1 if tournament_format == "gauntlet" else 0
    config = configure(tmp_path, tournament_format, make_player=refuse, concurrency=concurrency, gauntlet=gauntlet)
    result = play(structs.replace(config, max_faults=0))
    assert (result.stopped, result.exit_code) == ("", ExitCode.SUCCESS)
    games = [game for game in result.outcome.run.games if "C" in (game.first, game.second)]
    assert games
    assert {(game.ending, game.blamed) for game in games} == {(Ending.DISCONNECT, "C")}
    faults = {engine.name: sum(engine.faults.values()) for engine in result.statistics.engines}
    assert faults == dict.fromkeys("ABDE", 0) | {"C": len(games)}


@pytest.mark.parametrize("tournament_format", ["swiss", "knockout"])
def test_engine_that_keeps_failing_stops_the_round(tournament_format: str, tmp_path: Path) -> None:
    """Its lost encounter counts, the result so far is on disk, and a resumption plays the rest."""
    starts: list[str] = []

    def refuse(spec: EngineSpec) -> Player:
        starts.append(spec.name)
        if spec.name == "C" and starts.count("C") > 1:
            raise EngineTerminated("no license")
        return make_player(spec)

    result = play(configure(tmp_path, tournament_format, make_player=refuse, concurrency=1))
    assert result.stopped.startswith("C failed in 2 consecutive games: could not start: no license")
    assert not result.outcome.is_finished
    assert (tmp_path / "standings.csv").exists()
    ended = read_log(tmp_path)[-1]
    assert isinstance(ended, RunEnded)
    assert (ended.reason, ended.planned) == (result.stopped, result.outcome.planned)
    lost = [game.number for game in read_run(tmp_path).games if game.blamed == "C"]
    assert len(lost) == 2
    assert resume(configure(tmp_path, tournament_format)).exit_code is ExitCode.SUCCESS
    assert [game.number for game in read_run(tmp_path).games if game.blamed == "C"] == lost


def test_engine_that_always_fails_loses_its_encounter(tmp_path: Path) -> None:
    """With --recover a knock-out ends: each fault loses a game, and an engine with only faults is out."""

    def fail_if_first_seed(spec: EngineSpec) -> Player:
        return Taker(lambda *_: "9") if spec.name == "A" else make_player(spec)

    config = configure(tmp_path, "knockout", "ABCD", make_player=fail_if_first_seed, max_faults=0)
    rounds = play(config).outcome.rounds
    assert rounds
    assert rounds.encounters[0].winner == "D"
    assert rounds.winner in ("B", "C", "D")


def test_drawn_encounters_end_with_the_better_seed(tmp_path: Path) -> None:
    """In the variant `tie` all games are drawn. The planned number of games grows with each tie-break."""
    observer = QuietObserver()
    setup = replace(PILE_GAME.default_setup, variant="tie")
    result = play(configure(tmp_path, "knockout", "ABCD", setup=setup, tie_break_games=2), observer)
    assert result.exit_code is ExitCode.SUCCESS
    assert [(paired.number, paired.tie_break, planned) for paired, planned in observer.rounds] == [
        *((1, 0, 6), (1, 1, 10)),
        *((2, 0, 10), (2, 1, 12)),
    ]
    assert result.outcome.rounds
    assert result.outcome.rounds.winner == "A"
    assert all(encounter.by_seed for encounter in result.outcome.rounds.encounters)
    run = read_run(tmp_path)
    assert run.ended == RunEnded(12, 12, "")
    assert run.header.planned == 6


def test_resumption_tells_the_planned_number_with_tie_breaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All games are drawn in the variant `tie`, so the encounter has four more games than the header plans."""
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})
    engines = ["--engine", "player=one,name=A", "--engine", "player=one,name=B"]
    command = ["match", "--game", "pile", "--rule", "tie", *engines, "--nodes", "1", "--format", "knockout"]
    out = tmp_path / "run"
    assert cli.run([*command, "--out", str(out)]) == 0
    lines = (out / LOG_NAME).read_bytes().splitlines(keepends=True)
    (out / LOG_NAME).write_bytes(b"".join(lines[:-2]))  # without the last pair and the end
    capsys.readouterr()
    assert cli.run(["resume", str(out)]) == 0
    assert "4 of 6 games are already played" in capsys.readouterr().err
    assert read_run(out).ended == RunEnded(6, 6, "")


def test_interruption_in_the_last_pair_of_a_round_begins_no_other_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After Ctrl-C the running pair is finished. The next round would be announced, but not played."""
    reached, message_shown = threading.Event(), threading.Event()
    real_wait = concurrent.futures.wait

    def start(spec: EngineSpec) -> Player:
        def answer(taker: Taker, limits: Limits) -> str:
            reached.set()
            assert message_shown.wait(20)
            return take_one(taker, limits)

        del spec
        return Taker(answer)

    class SignallingObserver(QuietObserver):
        def show_message(self, text: str) -> None:
            super().show_message(text)
            message_shown.set()

    def interrupted_wait(*arguments: Any) -> object:
        if not message_shown.is_set():
            reached.wait(20)
            raise KeyboardInterrupt
        return real_wait(*arguments)

    monkeypatch.setattr("arena.run.match.wait", interrupted_wait)
    observer = SignallingObserver()
    result = play(configure(tmp_path, "knockout", "ABC", make_player=start), observer)
    assert (result.stopped, result.exit_code, result.statistics.played) == (USER_STOP, ExitCode.INTERRUPTED, 2)
    assert len(observer.rounds) == len(read_rounds(tmp_path)) == 1


def test_failed_write_of_a_round_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other threads wait for the next round. They must not wait forever if nobody can begin it."""
    real_write = LogWriter.write

    def write(log: LogWriter, event: Event) -> None:
        if isinstance(event, RoundPaired) and event.number == 2:
            raise LogError("disk full")
        real_write(log, event)

    monkeypatch.setattr(LogWriter, "write", write)
    with pytest.raises(CommandFailedError, match="disk full"):
        play(configure(tmp_path, "swiss", concurrency=4))


def test_engines_quit_while_they_wait_for_the_next_round(tmp_path: Path) -> None:
    """An idle engine would use memory and perhaps the processor during the last game of a round.

    The first round has C - F and D - E. F does not move before D and E have quit.
    """
    closed: set[str] = set()
    both_closed = threading.Event()

    def start(spec: EngineSpec) -> Player:
        def answer(taker: Taker, limits: Limits) -> str:
            if spec.name == "F":
                assert both_closed.wait(20)
            return take_one(taker, limits)

        def close() -> None:
            closed.add(spec.name)
            if {"D", "E"} <= closed:
                both_closed.set()

        taker = Taker(answer)
        taker.close = close  # type: ignore[method-assign]
        return taker

    result = play(configure(tmp_path, "knockout", "ABCDEF", make_player=start, book=OpeningBook()))
    assert result.exit_code is ExitCode.SUCCESS
    assert set(result.statistics.endings) == {Ending.MOVE_CAP}


def test_finished_tournament_has_nothing_to_resume(tmp_path: Path) -> None:
    play(configure(tmp_path, "swiss"))
    log = (tmp_path / LOG_NAME).read_bytes()
    assert resume(configure(tmp_path, "swiss")).exit_code is ExitCode.SUCCESS
    assert (tmp_path / LOG_NAME).read_bytes() == log


def test_study_continues_a_swiss_and_refuses_another_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`run_or_resume` compares the settings that determine the pairings."""
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})
    config = configure(tmp_path, "swiss", "ABC")
    play(config)
    assert run_or_resume(config, QuietObserver(), ()).exit_code is ExitCode.SUCCESS
    for changes in ({"tournament_format": "knockout"}, {"rounds": 3}, {"tournament_format": None}):
        with pytest.raises(UsageError, match="holds a different run"):
            run_or_resume(structs.replace(config, **changes), QuietObserver(), ())


def test_commands_play_resume_and_report_a_swiss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})
    engines = [part for name in "ABCDE" for part in ("--engine", f"player=dice,name={name}")]
    out = tmp_path / "run"
    command = ["match", "--game", "pile", *engines, "--nodes", "10", "--seed", "1", "--format", "swiss"]
    assert cli.run([*command, "--out", str(out)]) == 0
    captured = capsys.readouterr()
    assert "Swiss of 5 engines, 3 rounds, 2 games per encounter, 12 games" in captured.err
    assert "no openings: deterministic engines repeat the same game in all 3 pairs" in captured.err  # one per round
    assert "Round 1: A - C, B - D; bye: E\n" in captured.err
    assert captured.out.count("bye") == 3
    header = read_log(out)[0]
    assert isinstance(header, RunStarted)
    assert (header.tournament_format, header.rounds, header.tie_break_games) == ("swiss", 3, None)
    old_files = [(out / name).read_bytes() for name in (*ROUND_FILES, "crosstable.txt", "summary.json")]
    lines = (out / LOG_NAME).read_bytes().splitlines(keepends=True)
    (out / LOG_NAME).write_bytes(b"".join(lines[:9]))
    assert cli.run(["resume", str(out)]) == 0
    captured = capsys.readouterr()
    assert "2 of 12 games are already played" in captured.err
    assert [(out / name).read_bytes() for name in ROUND_FILES] == old_files[:2]
    (out / LOG_NAME).write_bytes(b"".join(lines))
    assert cli.run(["report", str(out)]) == 0
    assert [(out / name).read_bytes() for name in (*ROUND_FILES, "crosstable.txt", "summary.json")] == old_files
    assert compute_outcome(read_run(out)).is_finished
