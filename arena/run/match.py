"""A run of games between two engines or many: plays the plan, logs each game, stops in order on faults and request."""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from filelock import FileLock, Timeout

from arena.errors import CommandFailedError, Terminated, UsageError, format_os_error, install_command
from arena.log.events import GameEnded, GameStarted, PairEnded, RunEnded, RunResumed, RunStarted
from arena.log.file import LOG_NAME, LogWriter, Run, encode_event, read_run
from arena.results import game_records as records
from arena.results.derived_files import write_derived_files
from arena.results.outcome import compute_outcome
from arena.results.run_statistics import Tally, group_by_pair
from arena.run.config import USER_STOP, MatchConfig, MatchResult, RunObserver
from arena.run.pairs import PairRunner
from arena.run.provenance import describe_run
from arena.run.trusted_runs import trust_run
from arena.run.workers import Place, PlaceLostError, Places
from arena.statistics import elo as stats
from arena.statistics.sprt import SprtState
from arena.terms.clock import SideClock, effective_control
from arena.terms.ending import BREAKDOWNS, FAULTS, Ending
from arena.terms.plan import Pair
from core.play.game import Position
from core.system.ownership import UnsafeFileError

POLL_S = 0.2  # how soon an interruption is noticed; some systems deliver none to a thread that waits for ever


def run_match(config: MatchConfig, screen: RunObserver, command_line: Sequence[str] = ()) -> MatchResult:
    """Play a run into its directory; raise UsageError where that is in use or holds another run."""
    config.out.mkdir(parents=True, exist_ok=True)
    with hold(config.out):
        check_new(config.out)
        header = describe_run(config, command_line)
        _remember(header, screen)
        return _play(config, screen, header, Run(header, (), frozenset()))


def _remember(header: RunStarted, screen: RunObserver) -> None:
    """Note that this user has begun the run, so that going on with it asks nothing."""
    digest = hashlib.sha256(encode_event(header).removesuffix(b"\n")).hexdigest()
    try:
        trust_run(digest)
    except (OSError, UnsafeFileError) as error:
        screen.tell(f"`pentad resume` will ask before it goes on with this run, as nothing can be noted: {error}")


def check_new(directory: Path) -> None:
    """Raise UsageError where a directory holds a run."""
    if (directory / LOG_NAME).exists():
        raise UsageError(f"{directory} already holds a run: choose another --out, or `pentad resume` it")


def resume_match(config: MatchConfig, screen: RunObserver, resumed: RunResumed) -> MatchResult:
    """Go on with the run in the directory of `config`, which `arena/run/resume.py` made of its log; raise UsageError.

    Where nothing is left to play, the log stays as it is.
    """
    with hold(config.out):
        done = read_run(config.out)
        outcome = compute_outcome(done)
        if outcome.is_finished:
            write_derived_files(config.out, config.game.records, outcome)
            return MatchResult(outcome, "", config.out)
        return _play(config, screen, resumed, done)


@contextmanager
def hold(directory: Path) -> Iterator[None]:
    """Keep all others from running in a directory; raise UsageError where one does."""
    try:
        with FileLock(directory / ".lock", timeout=0):
            yield
    except Timeout:
        raise UsageError(f"another run is using {directory}") from None


@contextmanager
def _advising(directory: Path) -> Iterator[None]:
    """Say how to go on where the system refuses to write what derives from the log."""
    try:
        yield
    except OSError as error:
        advice = f"complete pairs are on record; `pentad resume {directory}` goes on when that is mended"
        raise CommandFailedError(f"{format_os_error(error)}; {advice}") from None


def _play(config: MatchConfig, screen: RunObserver, begin: RunStarted | RunResumed, done: Run) -> MatchResult:
    stats.preload_scipy()
    with _open_places(config, done.header) as places, _advising(config.out), LogWriter(config.out) as log:
        log.write(begin)
        if config.scheduler:
            screen.tell(f"{places.count} pairs at a time are played on {config.scheduler}")
        session = _Session(config, screen, log, done, places)
        session.run()
        run = read_run(config.out)  # what counts is what is on disk
        outcome = compute_outcome(run)
        stopped = session.stopped if session.stopped != USER_STOP or not outcome.is_finished else ""
        if not stopped and not outcome.is_finished:
            stopped = f"{outcome.statistics.played} games on record, {config.planned} planned"
        ended = RunEnded(outcome.statistics.played, config.planned, stopped)
        log.write(ended)
    outcome = replace(outcome, run=replace(run, ended=ended))
    with _advising(config.out):
        write_derived_files(config.out, config.game.records, outcome, session.written)
    return MatchResult(outcome, stopped, config.out)


class _Session:
    """One sitting of a run. Workers take pairs from a queue; what they share is changed under `_lock` only."""

    def __init__(self, config: MatchConfig, screen: RunObserver, log: LogWriter, done: Run, places: Places) -> None:
        self.stopped = ""
        self.written: set[int] = set()  # numbers of the games whose records this session has written
        self.sprt_state = SprtState(config.sprt) if config.sprt else None
        self._config = config
        self._available = places
        self._screen = screen
        self._log = log
        self._header = done.header
        self._lock = threading.Lock()
        self._no_more_pairs = threading.Event()
        self._no_more_games = threading.Event()
        self._places: list[Place] = []
        self._running: dict[int, GameStarted] = {}  # games by number
        self._breakdowns: dict[tuple[frozenset[str], str], int] = {}  # in a row, of an engine in a pairing
        self._tally = Tally(config.names)
        for number, games in group_by_pair(done.games).items():
            self._count(number, games)
        self._pairs: queue.SimpleQueue[Pair] = queue.SimpleQueue()
        for pair in config.plan():
            if pair.number not in done.complete_pairs:
                self._pairs.put(pair)

    def run(self) -> None:
        """Play until no pair is left or something stops the run."""
        self._screen.on_pair(self._tally.statistics(), self.sprt_state)
        if self.sprt_state and self.sprt_state.accepted:
            return
        with ThreadPoolExecutor(self._available.count, thread_name_prefix="pair") as pool:
            workers = [pool.submit(self._work, slot) for slot in range(self._available.count)]
            try:
                self._watch(workers)
            finally:
                self._cut()  # nothing is left to cut where all went well
        for worker in workers:
            worker.result()

    def _watch(self, workers: Sequence[Future[None]]) -> None:
        """Wait for the workers; the first interruption lets the running pairs finish, the second ends them.

        The second may come while the first is being told.
        """
        to_tell = False
        while True:
            try:
                if to_tell:
                    to_tell = False
                    self._screen.tell(self._describe_wait())
                while not all(worker.done() for worker in workers):
                    wait(workers, POLL_S, FIRST_EXCEPTION)
                    if any(worker.done() and worker.exception() for worker in workers):
                        return
                return
            except KeyboardInterrupt as interruption:
                to_tell = not isinstance(interruption, Terminated) and self.stopped != USER_STOP
                self._halt(USER_STOP)
                if not to_tell:
                    self._cut()

    def _describe_wait(self) -> str:
        """Say what an interrupted run still waits for, and how long a move of it may take."""
        running = list(self._running.values())  # the games go on while this is told
        games = ", ".join(f"game {game.number} ({game.first} v {game.second})" for game in running)
        rules, control = self._config.engine_limits, self._config.control
        controls = [effective_control(engine.tc, control) for engine in self._config.engines]
        longest_ms = max(SideClock(own, rules.deadlines.move_s).max_wait_ms() for own in controls)
        what = f"the running pairs are finished first, now {games}" if games else "the running pairs are finished first"
        most = f"each move takes {longest_ms / 1000:g} s at most"
        return f"interrupted: {what}; {most}; once more ends them at once"

    def _work(self, slot: int) -> None:
        """Play pairs until none is left; each worker has engines of its own."""
        place = self._available.make(slot)
        self._places.append(place)
        try:
            while not self._no_more_pairs.is_set():
                self._play_pair(self._pairs.get_nowait(), place)
        except queue.Empty:
            return
        except PlaceLostError as error:
            self._halt(str(error))
        finally:
            place.close()

    def _play_pair(self, pair: Pair, place: Place) -> None:
        games: list[GameEnded] = []
        for event in place.play(pair, self._on_move):
            if isinstance(event, GameStarted) and self._no_more_games.is_set():
                return
            with self._lock:
                self._log.write(event)
                if isinstance(event, GameStarted):
                    self._running[event.number] = event
                    self._screen.on_start(event)
                elif isinstance(event, GameEnded):
                    self._running.pop(event.number, None)
                    games.append(event)
                    self._screen.on_game(event)
                    self._judge(event)
                elif isinstance(event, PairEnded):
                    self._derive(games)
                    self._count(pair.number, games)
                    self._screen.on_pair(self._tally.statistics(), self.sprt_state)

    def _derive(self, games: Sequence[GameEnded]) -> None:
        """Records of games can be looked at while the run goes on."""
        for game in games:
            records.write_game(self._config.out, self._config.game.records, self._header, game)
            self.written.add(game.number)

    def _on_move(self, game: int, position: Position) -> None:
        with self._lock:
            self._screen.on_move(game, position)

    def _count(self, number: int, games: Sequence[GameEnded]) -> None:
        """A pair counts; a test that has come to its verdict ends the run, and the games under way with it."""
        self._tally.add(games)
        if self.sprt_state and len(games) == 2:
            name = self._config.names[0]
            if self.sprt_state.add_pair(number, (games[0].score(name), games[1].score(name))):
                self._cut()

    def _judge(self, game: GameEnded) -> None:
        """The run stops where an engine cannot start or keeps breaking down, and a strict one at any fault."""
        if game.ending is Ending.VOID:
            self._fail(f"{game.blamed} {game.detail}")
        if self._config.strict and game.ending in FAULTS:
            self._fail(f"{game.blamed} lost game {game.number} by {game.ending}: {game.detail}")
        pairing = frozenset((game.first, game.second))
        for name in pairing:
            broken = game.blamed == name and game.ending in BREAKDOWNS
            count = self._breakdowns[pairing, name] = self._breakdowns.get((pairing, name), 0) + 1 if broken else 0
            if count and count == self._config.max_faults:
                why = f"{name} broke down in {count} games in a row: {game.detail}"
                self._fail(f"{why}; with --recover the run would go on")

    def _fail(self, reason: str) -> None:
        self._halt(reason)
        self._no_more_games.set()

    def _halt(self, reason: str) -> None:
        """Let no further pair begin; the first reason is told, unless a person interrupts."""
        self.stopped = reason if reason == USER_STOP else self.stopped or reason
        self._no_more_pairs.set()

    def _cut(self) -> None:
        """End the running games without a result."""
        self._no_more_pairs.set()
        self._no_more_games.set()
        for place in list(self._places):
            place.interrupt()


@contextmanager
def _open_places(config: MatchConfig, header: RunStarted) -> Iterator[Places]:
    """The places of a run; raise UsageError where its cluster cannot be had."""
    if not config.scheduler:
        yield Places(config.concurrency or 1, partial(PairRunner, config))
        return
    try:
        from arena.run.cluster import open_cluster
    except ModuleNotFoundError as error:
        raise UsageError(f"--scheduler needs more packages, {install_command('cluster')}: {error}") from None
    with open_cluster(config, header) as places:
        yield places
