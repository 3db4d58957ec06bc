"""Tests of a running tuning: its log, interruptions, faults, and engines that keep running."""

from __future__ import annotations

import concurrent.futures
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from arena.console import ExitCode
from arena.errors import UsageError
from arena.log.file import LOG_NAME
from arena.run.config import USER_STOP
from arena.run.provenance import describe_resumption
from arena.terms.ending import Ending
from arena.terms.plan import Pair
from arena.tune.config import TuneConfig, restore_tuning
from arena.tune.events import IterationEnded, PairPlayed, TunedGame, TuneResumed
from arena.tune.log import TUNE_LOG_NAME, Tuning, decode_tune_event, read_tuning
from arena.tune.pairs import EngineCannotPlayError, WorkerFactory, plan_pair
from arena.tune.run import TuneResult, resume_tuning, run_tuning
from arena.tune.spsa import Values
from core.play.player import Player
from tests.arena.fakes import Taker
from tests.arena.tune.skilled import (
    QuietTuningObserver,
    SimulatedWorker,
    configure,
    make_simulated_worker,
    play_with_skill,
)


class KilledError(Exception):
    """Ends a tuning without any cleanup of its log."""


def resume(directory: Path, make_worker: WorkerFactory | None = None, observer: object = None) -> TuneResult:
    """Resume a tuning with the settings in its log, as `pentad resume` does."""
    config = restore_tuning(directory, read_tuning(directory).header)
    resumption = describe_resumption(config.match, forced=False)
    resumed = TuneResumed(resumption.started, resumption.engines, False)
    watcher = observer if isinstance(observer, QuietTuningObserver) else QuietTuningObserver()
    return resume_tuning(config, watcher, resumed, make_worker)


def read_pairs(directory: Path) -> dict[int, tuple[object, ...]]:
    """Return what happened in each pair, by number, without the times."""
    lines = (directory / TUNE_LOG_NAME).read_bytes().splitlines()
    pairs = [event for line in lines if isinstance(event := decode_tune_event(line), PairPlayed)]
    assert len({pair.number for pair in pairs}) == len(pairs)  # no pair is played twice
    return {pair.number: (pair.iteration, pair.plus, pair.minus, pair.games) for pair in pairs}


def raise_after(pairs: int) -> Callable[[int], object]:
    """Return a callback that ends the tuning like a kill after a number of pairs."""

    def check(number: int) -> None:
        if number == pairs:
            raise KilledError

    return check


@pytest.mark.parametrize(
    "killed_after", [1, 8, 30]
)  # in the first, third and tenth iteration; after pair 30, at its end
@pytest.mark.parametrize("make_worker", [make_simulated_worker, None], ids=["simulated", "player"])
def test_killed_tuning_ends_with_the_values_of_an_uninterrupted_one(
    killed_after: int, make_worker: WorkerFactory | None, tmp_path: Path
) -> None:
    """Pairs in the log must not be played again, and the others need the same random numbers as without the kill."""
    whole = run_tuning(configure(tmp_path / "whole"), QuietTuningObserver(), (), make_worker)
    out = tmp_path / "killed"
    with pytest.raises(KilledError):
        run_tuning(configure(out), QuietTuningObserver(raise_after(killed_after)), (), make_worker)
    with (out / TUNE_LOG_NAME).open("ab") as log:
        log.write(b'{"event":"pair","number":9')  # a line that the kill has cut off
    result = resume(out, make_worker)
    assert result.tuning.spsa.values == whole.tuning.spsa.values
    assert result.tuning.spsa.values != tuple(parameter.value for parameter in result.tuning.header.parameters)
    assert read_pairs(out) == read_pairs(tmp_path / "whole")
    assert [(i.result, i.values) for i in result.tuning.history] == [(i.result, i.values) for i in whole.tuning.history]


def test_concurrency_does_not_change_the_values(tmp_path: Path) -> None:
    """Pairs of an iteration end in any order; the values must not depend on it."""
    one = run_tuning(configure(tmp_path / "one"), QuietTuningObserver())
    two = run_tuning(configure(tmp_path / "two", concurrency=2, force=True), QuietTuningObserver())
    assert one.tuning.spsa.values == two.tuning.spsa.values
    assert read_pairs(tmp_path / "one") == read_pairs(tmp_path / "two")


def test_log_repeats_the_whole_tuning(tmp_path: Path) -> None:
    """`pentad report` knows nothing but the log."""
    result = run_tuning(configure(tmp_path), QuietTuningObserver())
    tuning = read_tuning(tmp_path)
    assert (tuning.spsa.values, tuning.spsa.iteration, tuning.games) == (result.tuning.spsa.values, 20, 120)
    assert (tuning.history, tuning.pair_results) == (result.tuning.history, result.tuning.pair_results)
    assert tuning.ended is not None
    assert (tuning.ended.iterations, tuning.ended.planned, tuning.ended.reason) == (20, 20, "")
    assert result.exit_code == ExitCode.SUCCESS
    before = (tmp_path / TUNE_LOG_NAME).read_bytes()
    assert resume(tmp_path).tuning.is_finished
    assert (tmp_path / TUNE_LOG_NAME).read_bytes() == before  # a finished tuning is left as it is


def test_tuning_finds_the_skill(tmp_path: Path) -> None:
    """The perturbed values must reach the player with the right sign: the option `skill` is best at its maximum."""
    result = run_tuning(configure(tmp_path, iterations=30, pairs=6, r_end=0.3), QuietTuningObserver())
    skill, _ = result.tuning.spsa.values
    assert skill > 80


def make_players_counted(config: TuneConfig, players: list[Taker]) -> TuneConfig:
    """Return the tuning with a list of all players that are started."""
    make_player = config.match.make_player

    def make(spec: object) -> Player:
        player = make_player(spec)  # type: ignore[arg-type]
        assert isinstance(player, Taker)
        players.append(player)
        return player

    return structs.replace(config, match=structs.replace(config.match, make_player=make))


def test_engines_keep_running(tmp_path: Path) -> None:
    """To start two engines for each pair would take most of the time of short games."""
    players: list[Taker] = []
    result = run_tuning(make_players_counted(configure(tmp_path), players), QuietTuningObserver())
    assert result.tuning.games == 120
    assert len(players) == 2
    assert all(player.closed for player in players)


def test_player_begins_each_game_with_an_empty_table(tmp_path: Path) -> None:
    """Scores in a table that is kept are those of other values, and depend on the games before."""
    cleared: list[int] = []

    def clear_hash(player: Taker) -> None:
        cleared.append(player.options.get_int("skill"))

    config = make_players_counted(configure(tmp_path, iterations=2), [])
    make_player = config.match.make_player

    def make(spec: object) -> Player:
        player = make_player(spec)  # type: ignore[arg-type]
        player.clear_hash = lambda: clear_hash(player)  # type: ignore[attr-defined,arg-type]
        return player

    config = structs.replace(config, match=structs.replace(config.match, make_player=make))
    assert run_tuning(config, QuietTuningObserver()).tuning.games == 12
    pairs = read_pairs(tmp_path).values()
    sent = sorted([pair[1][0] for pair in pairs] + [pair[2][0] for pair in pairs])  # type: ignore[index]
    assert sorted(cleared) == sorted([*sent, *sent])  # by both players in both games of a pair, with its values


def test_failed_engine_is_restarted_with_its_parameters(tmp_path: Path) -> None:
    """After a fault the new process must get the values of the pair, although they were sent before."""
    seen: list[int] = []

    def answer(taker: Taker, limits: object) -> str:
        seen.append(taker.options.get_int("skill"))
        if len(seen) in (3, 40):
            raise RuntimeError("broken")
        return play_with_skill(taker, limits)  # type: ignore[arg-type]

    players: list[Taker] = []
    config = make_players_counted(configure(tmp_path, iterations=8), players)
    make_player = config.match.make_player

    def make(spec: object) -> Player:
        player = make_player(spec)  # type: ignore[arg-type]
        assert isinstance(player, Taker)
        player.answer = answer
        return player

    config = structs.replace(config, match=structs.replace(config.match, make_player=make))
    result = run_tuning(config, QuietTuningObserver())
    assert (result.stopped, result.tuning.is_finished, result.tuning.faults, len(players)) == ("", True, 2, 4)
    sent = {value for pair in read_pairs(tmp_path).values() for value in (pair[1][0], pair[2][0])}  # type: ignore[index]
    assert set(seen) <= sent
    assert 50 not in seen or 50 in sent  # 50 is the default that a restarted player would have


class BlockedWorker(SimulatedWorker):
    """A worker whose pairs last until it is interrupted or released."""

    release = threading.Event()
    started = threading.Event()

    def play(self, pair: Pair, iteration: int, values: tuple[Values, Values]) -> PairPlayed | None:
        self.started.set()
        self.release.wait(60)
        return None if self.interrupted else super().play(pair, iteration, values)

    def interrupt(self) -> None:
        super().interrupt()
        self.release.set()


def test_first_interruption_lets_the_running_pair_finish(tmp_path: Path) -> None:
    """A finished pair must be in the log, and no other pair may start."""

    def interrupt(number: int) -> None:
        if number == 5:
            raise KeyboardInterrupt

    observer = QuietTuningObserver(interrupt)
    result = run_tuning(configure(tmp_path), observer, (), make_simulated_worker)
    assert (result.stopped, result.exit_code) == (USER_STOP, ExitCode.INTERRUPTED)
    assert observer.messages == ["interrupted: waiting for the running pairs; press Ctrl-C again to end them at once"]
    assert read_tuning(tmp_path).ended == result.tuning.ended
    assert 5 <= len(read_pairs(tmp_path)) <= 6
    whole = run_tuning(configure(tmp_path / "whole"), QuietTuningObserver(), (), make_simulated_worker)
    assert resume(tmp_path, make_simulated_worker).tuning.spsa.values == whole.tuning.spsa.values


def test_second_interruption_ends_the_running_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the user waits for the end of a long game."""
    import arena.tune.run as module

    BlockedWorker.release.clear()
    BlockedWorker.started.clear()
    calls = 0

    def wait_and_interrupt(*_: object) -> tuple[set[object], set[object]]:
        nonlocal calls
        calls += 1
        if calls <= 2:
            BlockedWorker.started.wait(60)
            raise KeyboardInterrupt
        return real_wait(*_)  # type: ignore[arg-type,return-value]

    real_wait = concurrent.futures.wait
    monkeypatch.setattr(module, "wait", wait_and_interrupt)
    result = run_tuning(configure(tmp_path), QuietTuningObserver(), (), BlockedWorker)
    assert (result.stopped, result.tuning.games) == (USER_STOP, 0)


def test_interruption_starts_no_further_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user waits for the running pairs only, not for all pairs of the iteration."""
    import arena.tune.run as module

    BlockedWorker.release.clear()
    BlockedWorker.started.clear()
    is_interrupted = False

    def wait_and_interrupt(*arguments: object) -> tuple[set[object], set[object]]:
        nonlocal is_interrupted
        if not is_interrupted:
            is_interrupted = True
            BlockedWorker.started.wait(60)
            raise KeyboardInterrupt
        BlockedWorker.release.set()
        return real_wait(*arguments)  # type: ignore[arg-type,return-value]

    real_wait = concurrent.futures.wait
    monkeypatch.setattr(module, "wait", wait_and_interrupt)
    result = run_tuning(configure(tmp_path, pairs=4), QuietTuningObserver(), (), BlockedWorker)
    assert (result.stopped, list(read_pairs(tmp_path))) == (USER_STOP, [1])


def test_error_of_the_arena_plays_no_further_pair(tmp_path: Path) -> None:
    """An error must be raised at once, not after the other pairs of the iteration."""
    played: list[int] = []

    class BrokenWorker(BlockedWorker):
        def play(self, pair: Pair, iteration: int, values: tuple[Values, Values]) -> PairPlayed | None:
            played.append(pair.number)
            if pair.number == 1:
                raise ZeroDivisionError
            return super().play(pair, iteration, values)

    BlockedWorker.release.clear()
    with pytest.raises(ZeroDivisionError):
        run_tuning(configure(tmp_path, pairs=9), QuietTuningObserver(), (), BrokenWorker)
    assert len(played) <= 2  # the second one may have begun before the error was noticed


def test_engine_that_keeps_failing_stops_the_tuning(tmp_path: Path) -> None:
    class FailingWorker(SimulatedWorker):
        def play(self, pair: Pair, iteration: int, values: tuple[Values, Values]) -> PairPlayed:
            game = TunedGame(Ending.DISCONNECT, "plus", 3, "minus", "exited with code 1")
            return PairPlayed(pair.number, iteration, *values, (game, game))

    result = run_tuning(configure(tmp_path, pairs=1), QuietTuningObserver(), (), FailingWorker)
    assert result.stopped == "skilled failed in 2 consecutive games: exited with code 1"
    assert (result.exit_code, result.tuning.games) == (ExitCode.FAILURE, 2)
    result = run_tuning(configure(tmp_path / "never", max_faults=0), QuietTuningObserver(), (), FailingWorker)
    assert (result.exit_code, result.tuning.faults) == (ExitCode.SUCCESS, 120)


def test_engine_that_cannot_start_stops_the_tuning(tmp_path: Path) -> None:
    """A void game has no result and must not move the parameters."""

    class AbsentWorker(SimulatedWorker):
        def play(self, pair: Pair, iteration: int, values: tuple[Values, Values]) -> PairPlayed | None:
            if pair.number == 5:
                raise EngineCannotPlayError("plus could not start: no such file")
            return super().play(pair, iteration, values)

    result = run_tuning(configure(tmp_path), QuietTuningObserver(), (), AbsentWorker)
    assert (result.stopped, result.exit_code) == ("plus could not start: no such file", ExitCode.FAILURE)
    assert 5 not in read_pairs(tmp_path)


def test_pairs_are_planned_as_in_a_match(tmp_path: Path) -> None:
    """A long tuning plans each pair when it is played; openings and seeds must be those of the whole plan."""
    book = tmp_path / "book.txt"
    book.write_text("1\n2\n3\n1 1\n", encoding="utf-8")
    match = configure(tmp_path / "run", openings=book).match
    assert [plan_pair(match.dealer, pair.number) for pair in match.plan()] == match.plan()
    assert len({pair.opening for pair in match.plan()}) == 4


def test_folder_holds_one_tuning(tmp_path: Path) -> None:
    run_tuning(configure(tmp_path), QuietTuningObserver(), (), make_simulated_worker)
    with pytest.raises(UsageError, match="already holds a tuning: choose another --out, or `pentad resume` it"):
        run_tuning(configure(tmp_path), QuietTuningObserver(), (), make_simulated_worker)
    (tmp_path / "match").mkdir()
    (tmp_path / "match" / LOG_NAME).touch()
    with pytest.raises(UsageError, match="already holds a run: choose another --out"):
        run_tuning(configure(tmp_path / "match"), QuietTuningObserver(), (), make_simulated_worker)


def test_state_read_from_the_log_is_checked_while_it_runs(tmp_path: Path) -> None:
    """A worker that returns a pair of another iteration would corrupt the log."""
    from arena.log.validation import FieldError
    from arena.tune.config import describe_tuning
    from arena.tune.log import start_tuning

    tuning: Tuning = start_tuning(describe_tuning(configure(tmp_path), ()))
    with pytest.raises(FieldError, match="iteration: must be 1, not 2"):
        tuning.add_pair(PairPlayed(1, 2, *tuning.spsa.perturbed_values(1), ()))
    with pytest.raises(FieldError, match="number: iteration 1 cannot end, pair 1 has not ended"):
        tuning.add_iteration(IterationEnded(1, 0, tuning.spsa.values))
