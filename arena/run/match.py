"""Play a new or resumed run: all planned pairs of games, on several threads, with each event written to the log.

A run stops early on Ctrl-C, on SIGTERM, when an engine keeps failing (with --strict after any fault), when the machine
cannot start another process, when a cluster loses its workers, or when the SPRT is decided. Its log then has all
complete pairs, and `pentad resume` plays the rest unless the SPRT is decided. The studies use this module, too.
"""

from __future__ import annotations

import hashlib
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from filelock import FileLock, Timeout

from arena.errors import (
    CommandFailedError,
    Terminated,
    UsageError,
    format_os_error,
    format_resume_command,
    install_command,
)
from arena.log.events import GameEnded, GameStarted, MoveEntry, PairEnded, RunEnded, RunResumed, RunStarted
from arena.log.file import LOG_NAME, LogError, LogWriter, Run, encode_event, read_run
from arena.log.running_games import RunningGamesWriter
from arena.results import game_records
from arena.results.derived_files import format_short_report, write_derived_files
from arena.results.outcome import compute_outcome
from arena.results.run_statistics import Tally, group_by_pair
from arena.run.config import (
    USER_STOP,
    MatchConfig,
    MatchResult,
    RunObserver,
    describe_forced_resumption,
)
from arena.run.pairs import PairRunner
from arena.run.planner import make_planner
from arena.run.provenance import describe_run
from arena.run.trusted_runs import trust_run
from arena.run.workers import PairWorker, PairWorkers, WorkersLostError
from arena.statistics import elo
from arena.statistics.sprt import SprtState
from arena.terms.clock import SideClock, effective_control
from arena.terms.ending import BREAKDOWNS, FAULTS, Ending
from arena.terms.plan import Pair
from core.play.game import Position
from core.system.ownership import UnsafeFileError

LOCK_NAME = ".lock"  # in the folder of a run; it stays after the run
POLL_S = 0.2  # maximum delay of Ctrl-C, because some systems deliver it only between two waits


def run_match(config: MatchConfig, observer: RunObserver, command_line: Sequence[str] = ()) -> MatchResult:
    """Play a new run in the folder `config.out`; raise UsageError if the folder is in use or already holds a run.

    Raise CommandFailedError before the folder is made if an engine cannot start.
    """
    if not config.scheduler:
        check_starts(config)
    config.out.mkdir(parents=True, exist_ok=True)
    with lock_run(config.out):
        check_new(config.out)
        header = describe_run(config, command_line)
        _trust_new_run(header, observer)
        return _play(config, observer, header, Run(header, (), frozenset()))


def _trust_new_run(header: RunStarted, observer: RunObserver) -> None:
    """Record that this user started the run, so that `pentad resume` does not ask for confirmation."""
    digest = hashlib.sha256(encode_event(header).removesuffix(b"\n")).hexdigest()
    try:
        trust_run(digest)
    except (OSError, UnsafeFileError) as error:
        observer.show_message(
            "`pentad resume` will ask before it resumes this run, unless all engines are players of Pentad, because the"
            f" start of the run cannot be recorded: {error}"
        )


def check_starts(config: MatchConfig) -> None:
    """Start each engine once on this machine; raise CommandFailedError that names those that fail."""
    with closing(PairRunner(config)) as runner:
        runner.check_starts()


def _check_starts_again(config: MatchConfig) -> None:
    """Call `check_starts` before resuming; add advice on how to resume without the engine to its error."""
    try:
        check_starts(config)
    except CommandFailedError as error:
        raise CommandFailedError(f"{error}\n{describe_forced_resumption(config.out)}") from None


def check_new(directory: Path) -> None:
    """Raise UsageError if a directory holds a run."""
    if (directory / LOG_NAME).exists():
        raise UsageError(f"{directory} already holds a run: choose another --out, or `pentad resume` it")


def resume_match(config: MatchConfig, observer: RunObserver, resumed: RunResumed) -> MatchResult:
    """Resume the run in the folder `config.out`; raise UsageError if the folder is in use.

    `config` comes from the header of the log (`restore_config`). A finished run leaves the log as it is. Raise
    CommandFailedError if an engine cannot start, unless the resumption is forced: then it loses its games.
    """
    with lock_run(config.out):
        previous = read_run(config.out)
        outcome = compute_outcome(previous)
        if outcome.is_finished:
            write_derived_files(config.out, config.game.records, outcome)
            return MatchResult(outcome, "", config.out)
        if not config.scheduler and not resumed.forced:
            _check_starts_again(config)
        return _play(config, observer, resumed, previous)


@contextmanager
def lock_run(directory: Path) -> Iterator[None]:
    """Lock the folder of a run for this process; raise UsageError if another process has locked it."""
    try:
        with FileLock(directory / LOCK_NAME, timeout=0):
            yield
    except Timeout:
        raise UsageError(f"another run is using {directory}") from None


@contextmanager
def _explain_write_errors(directory: Path, observer: RunObserver) -> Iterator[None]:
    """Show the result so far after an error while writing, and raise it as a CommandFailedError with advice."""
    try:
        yield
    except LogError:  # its message says how to resume
        _show_result_so_far(directory, observer)
        raise
    except OSError as error:
        _show_result_so_far(directory, observer)
        advice = f"complete pairs are recorded; once this is fixed, continue with `{format_resume_command(directory)}`"
        raise CommandFailedError(f"{format_os_error(error)}; {advice}") from None


def _show_result_so_far(directory: Path, observer: RunObserver) -> None:
    """Show the result of the complete pairs, if there are any."""
    with suppress(LogError, OSError):  # the error that is being handled says more than one of reading
        outcome = compute_outcome(read_run(directory))
        if outcome.statistics.played:
            observer.show_message(format_short_report(outcome).rstrip())


def _play(
    config: MatchConfig, observer: RunObserver, first_event: RunStarted | RunResumed, previous: Run
) -> MatchResult:
    """Play the missing games of a run and write its result; `previous` is the run as the log has it so far."""
    elo.preload_scipy()
    is_forced = isinstance(first_event, RunResumed) and first_event.forced
    with (
        _open_workers(config, previous.header, checks_starts=not is_forced) as worker_factory,
        _explain_write_errors(config.out, observer),
        LogWriter(config.out, observer.on_line) as log,
        RunningGamesWriter(config.out, observer.show_message, has_boards=not config.scheduler) as running_games,
    ):
        log.write(first_event)
        if config.scheduler:
            observer.show_message(f"{worker_factory.count} pairs at a time are played on {config.scheduler}")
        session = _RunSession(config, observer, log, running_games, previous, worker_factory)
        session.run()
        run = read_run(config.out)  # the result is computed from the log on disk
        outcome = compute_outcome(run)
        stopped = session.stopped if session.stopped != USER_STOP or not outcome.is_finished else ""
        if not stopped and not outcome.is_finished:
            stopped = f"{outcome.statistics.played} games on record, {outcome.planned} planned"
        ended = RunEnded(outcome.statistics.played, outcome.planned, stopped)
        log.write(ended)
    outcome = replace(outcome, run=replace(run, ended=ended))
    with _explain_write_errors(config.out, observer):
        write_derived_files(config.out, config.game.records, outcome, session.stored_games)
    return MatchResult(outcome, stopped, config.out)


class _RunSession:
    """The part of a run that one process plays: from its start, or a resumption, to its end or interruption.

    Worker threads take pairs from a queue. They use the log, the observer, the queue and the planner only while holding
    `_lock`. The thread that completes the last pair of a round fills the queue with the pairs of the next one.
    """

    def __init__(
        self,
        config: MatchConfig,
        observer: RunObserver,
        log: LogWriter,
        running_games: RunningGamesWriter,
        previous: Run,
        worker_factory: PairWorkers,
    ) -> None:
        self.stopped = ""  # reason of an early end
        self.stored_games: set[int] = set()  # numbers of the games whose records this session has written
        self.sprt_state = SprtState(config.sprt) if config.sprt else None
        self._config = config
        self._worker_factory = worker_factory
        self._observer = observer
        self._log = log
        self._running_games = running_games
        self._header = previous.header
        self._lock = threading.Lock()
        self._queue_changed = threading.Condition(self._lock)
        self._no_more_pairs = (
            threading.Event()
        )  # set: once set, no new pair starts; running pairs are played to their end
        self._no_more_games = threading.Event()  # set: no other game starts either
        self._workers: list[PairWorker] = []
        self._running: dict[int, GameStarted] = {}  # games being played, by number
        self._breakdowns: dict[tuple[frozenset[str], str], int] = {}  # consecutive failures, by pairing and engine
        self._tally = Tally(config.names)
        for number, games in group_by_pair(previous.games).items():
            self._count_pair(number, games)
        self._planner = make_planner(config, previous)
        self._pairs: deque[Pair] = deque()  # pairs of the planner's last batch that nobody has begun
        self._playing = 0  # number of pairs that are being played

    def run(self) -> None:
        """Play until no pair is left or the run is stopped."""
        self._observer.on_pair(self._tally.statistics(), self.sprt_state)
        if self.sprt_state and self.sprt_state.accepted:
            return
        with self._lock:
            self._queue_next_batch()
        with ThreadPoolExecutor(self._worker_factory.count, thread_name_prefix="pair") as pool:
            threads = [pool.submit(self._work, slot) for slot in range(self._worker_factory.count)]
            try:
                self._wait_for(threads)
            finally:
                self._end_games()  # no effect if all games have ended
        for thread in threads:
            thread.result()  # raises the exception of a thread that has failed

    def _wait_for(self, threads: Sequence[Future[None]]) -> None:
        """Wait for the worker threads. A first Ctrl-C lets the running pairs finish; a second one or SIGTERM ends them.

        Return early if a thread has failed. The message on the first Ctrl-C is printed inside `try`, because the second
        Ctrl-C may arrive meanwhile.
        """
        message_due = False
        while True:
            try:
                if message_due:
                    message_due = False
                    self._observer.show_message(self._describe_wait())
                while not all(thread.done() for thread in threads):
                    wait(threads, POLL_S, FIRST_EXCEPTION)
                    self._running_games.beat()
                    if any(thread.done() and thread.exception() for thread in threads):
                        return
                return
            except KeyboardInterrupt as interruption:
                message_due = not isinstance(interruption, Terminated) and self.stopped != USER_STOP
                self._stop_pairs(USER_STOP)
                if not message_due:
                    self._end_games()

    def _describe_wait(self) -> str:
        """Return the message on a first Ctrl-C: the running games and the maximum time of a move."""
        running = list(self._running.values())  # a copy, because other threads add and remove games
        games = ", ".join(f"game {game.number} ({game.first} v {game.second})" for game in running)
        engine_limits, control = self._config.engine_limits, self._config.control
        controls = [effective_control(engine.tc, control) for engine in self._config.engines]
        longest_ms = max(
            SideClock(engine_control, engine_limits.deadlines.move_s).max_wait_ms() for engine_control in controls
        )
        waiting_for = f"waiting for the running pairs, now {games}" if games else "waiting for the running pairs"
        longest = f"each move takes at most {longest_ms / 1000:g} s"
        return f"interrupted: {waiting_for}; {longest}; press Ctrl-C again to end them at once"

    def _work(self, slot: int) -> None:
        """Play pairs until none is left or the run stops; the body of a worker thread."""
        try:
            while self._wait_for_pairs():
                self._play_queue(slot)
        except WorkersLostError as error:
            self._stop_pairs(str(error))

    def _wait_for_pairs(self) -> bool:
        """Wait until a pair is in the queue and return True; False if the run stops or no running pair can add one."""
        with self._lock:
            while not self._no_more_pairs.is_set():
                if self._pairs:
                    return True
                if not self._playing:
                    return False
                self._queue_changed.wait(POLL_S)  # `_stop_pairs` cannot notify: a signal may call it at any time
            return False

    def _play_queue(self, slot: int) -> None:
        """Play pairs until the queue is empty or the run stops; then quit the engines, which may have long to wait."""
        worker = self._worker_factory.make(slot)
        self._workers.append(worker)
        try:
            while not self._no_more_pairs.is_set():
                with self._lock:
                    if not self._pairs:
                        return
                    pair = self._pairs.popleft()
                    self._playing += 1
                try:
                    self._play_pair(pair, worker)
                finally:
                    with self._lock:
                        self._playing -= 1
                        self._queue_changed.notify_all()
        finally:
            self._workers.remove(worker)
            worker.close()

    def _queue_next_batch(self) -> None:
        """Log the next round and fill the queue if all pairs before it are complete; the caller holds `_lock`."""
        batch = None if self._no_more_pairs.is_set() else self._planner.next_batch()
        if batch:
            if batch.paired and batch.is_new:
                self._log.write(batch.paired)
            if batch.paired:
                self._observer.on_round(batch.paired, self._planner.planned)
            self._pairs.extend(batch.pairs)
            self._queue_changed.notify_all()

    def _play_pair(self, pair: Pair, worker: PairWorker) -> None:
        """Play a pair; log its events and show them to the observer. Its games count once `PairEnded` is logged."""
        games: list[GameEnded] = []
        for event in worker.play(pair, self._on_move):
            if isinstance(event, GameStarted) and self._no_more_games.is_set():
                return
            with self._lock:
                self._log.write(event)
                if isinstance(event, GameStarted):
                    self._running[event.number] = event
                    self._observer.on_start(event)
                elif isinstance(event, GameEnded):
                    self._running.pop(event.number, None)
                    self._running_games.remove(event.number)
                    games.append(event)
                    self._observer.on_game(event)
                    self._check_faults(event)
                elif isinstance(event, PairEnded):
                    self._write_records(games)
                    self._count_pair(pair.number, games)
                    self._planner.add_pair(pair.number, games)
                    self._observer.on_pair(self._tally.statistics(), self.sprt_state)
                    self._queue_next_batch()

    def _write_records(self, games: Sequence[GameEnded]) -> None:
        """Write the record files of a pair now and not at the end, so that they can be read during the run."""
        for game in games:
            game_records.write_game(self._config.out, self._config.game.records, self._header, game)
            self.stored_games.add(game.number)

    def _on_move(self, game: int, position: Position, entries: Sequence[MoveEntry]) -> None:
        self._running_games.write_move(game, entries)  # without the lock: only this thread plays the game
        with self._lock:
            self._observer.on_move(game, position, entries)

    def _count_pair(self, number: int, games: Sequence[GameEnded]) -> None:
        """Add the games of a complete pair to the statistics. If this decides the SPRT, end all running games."""
        self._tally.add(games)
        if self.sprt_state and len(games) == 2:
            name = self._config.names[0]
            if self.sprt_state.add_pair(number, (games[0].score(name), games[1].score(name))):
                self._end_games()

    def _check_faults(self, game: GameEnded) -> None:
        """Stop the run if a game is void or an engine has failed repeatedly; with --strict, after any fault."""
        if game.ending is Ending.VOID:
            self._fail(f"{game.blamed} {game.detail}")
        if self._config.strict and game.ending in FAULTS:
            self._fail(f"{game.blamed} lost game {game.number} by {game.ending}: {game.detail}")
        pairing = frozenset((game.first, game.second))
        for name in pairing:
            has_failed = game.blamed == name and game.ending in BREAKDOWNS
            count = self._breakdowns[pairing, name] = self._breakdowns.get((pairing, name), 0) + 1 if has_failed else 0
            if count and count == self._config.max_faults:
                reason = f"{name} failed in {count} consecutive games: {game.detail}"
                self._fail(f"{reason}; use --recover to play on after failures")

    def _fail(self, reason: str) -> None:
        """Start no further game; let the running games play to their end."""
        self._stop_pairs(reason)
        self._no_more_games.set()

    def _stop_pairs(self, reason: str) -> None:
        """Start no further pair. The first reason is kept, but Ctrl-C replaces it."""
        self.stopped = reason if reason == USER_STOP else self.stopped or reason
        self._no_more_pairs.set()

    def _end_games(self) -> None:
        """End the running games without a result, and start no others."""
        self._no_more_pairs.set()
        self._no_more_games.set()
        for worker in list(self._workers):
            worker.interrupt()


@contextmanager
def _open_workers(config: MatchConfig, header: RunStarted, *, checks_starts: bool) -> Iterator[PairWorkers]:
    """Yield a factory of workers that play pairs, here or on a cluster; raise UsageError without that cluster.

    With `checks_starts` each worker of a cluster starts each engine once; raise CommandFailedError if one cannot.
    """
    if not config.scheduler:
        yield PairWorkers(config.concurrency or 1, partial(PairRunner, config))
        return
    try:
        from arena.run.cluster import open_cluster
    except ModuleNotFoundError as error:
        raise UsageError(f"--scheduler needs more packages, {install_command('cluster')}: {error}") from None
    with open_cluster(config, header, checks_starts=checks_starts) as worker_factory:
        yield worker_factory
