"""Run a tuning: play the pairs of each iteration, on several threads, and write each event to the log.

Iterations follow each other; the pairs of an iteration are played at the same time if `concurrency` allows. So the
values do not depend on which pair ends first. fishtest updates the values while other games are still running, which
keeps more processors busy, but cannot be repeated.

A tuning stops early on Ctrl-C, on SIGTERM, and when an engine cannot start or keeps failing. Its log then has all
finished pairs, and `pentad resume` plays the rest.
"""

from __future__ import annotations

import hashlib
import queue
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from arena.console import ExitCode
from arena.errors import CommandFailedError, Terminated, UsageError, format_os_error, format_resume_command
from arena.log.file import LogWriter, encode_event
from arena.run.config import USER_STOP
from arena.run.match import POLL_S, check_new, lock_run
from arena.run.trusted_runs import trust_run
from arena.terms.ending import BREAKDOWNS
from arena.terms.plan import Pair
from arena.tune.config import TuneConfig, describe_tuning
from arena.tune.events import IterationEnded, PairPlayed, TuneEnded, TuneResumed, TuneStarted
from arena.tune.log import Tuning, is_tuning, open_log, read_tuning, start_tuning
from arena.tune.pairs import EngineCannotPlayError, TuningPairRunner, TuningWorker, WorkerFactory, plan_pair
from core.system.ownership import UnsafeFileError


class TuningObserver(Protocol):
    """Receives the progress of a tuning; the thread that runs it calls the methods."""

    def on_start(self, tuning: Tuning) -> None:
        """Handle the start of a session. `tuning` is kept up to date."""

    def on_pair(self, pair: PairPlayed) -> None:
        """Handle the end of a pair."""

    def on_iteration(self, iteration: IterationEnded) -> None:
        """Handle the end of an iteration."""

    def show_message(self, text: str) -> None:
        """Show a message to the user."""


@dataclass(frozen=True)
class TuneResult:
    """The state of a tuning at the end of a session."""

    tuning: Tuning
    stopped: str  # reason of an early end, empty if there was none
    directory: Path

    @property
    def exit_code(self) -> ExitCode:
        """Exit code of `pentad tune spsa`."""
        if self.stopped == USER_STOP:
            return ExitCode.INTERRUPTED
        return ExitCode.SUCCESS if self.tuning.is_finished else ExitCode.FAILURE


def run_tuning(
    config: TuneConfig,
    observer: TuningObserver,
    command_line: Sequence[str] = (),
    make_worker: WorkerFactory | None = None,
) -> TuneResult:
    """Begin a tuning in the folder of its match; raise UsageError if the folder is in use or already holds one."""
    directory = config.match.out
    directory.mkdir(parents=True, exist_ok=True)
    with lock_run(directory):
        check_new(directory)
        if is_tuning(directory):
            raise UsageError(f"{directory} already holds a tuning: choose another --out, or `pentad resume` it")
        header = describe_tuning(config, command_line)
        _trust(header, observer)
        return _play(config, observer, header, start_tuning(header), make_worker)


def resume_tuning(
    config: TuneConfig, observer: TuningObserver, resumed: TuneResumed, make_worker: WorkerFactory | None = None
) -> TuneResult:
    """Continue the tuning in the folder of its match; raise UsageError if the folder is in use.

    `config` comes from the header of the log (`restore_tuning`). A finished tuning leaves the log as it is.
    """
    directory = config.match.out
    with lock_run(directory):
        tuning = read_tuning(directory)
        if tuning.is_finished:
            return TuneResult(tuning, "", directory)
        return _play(config, observer, resumed, tuning, make_worker)


def _trust(header: TuneStarted, observer: TuningObserver) -> None:
    """Record that this user began the tuning, so that `pentad resume` does not ask for confirmation."""
    try:
        trust_run(hashlib.sha256(encode_event(header).removesuffix(b"\n")).hexdigest())
    except (OSError, UnsafeFileError) as error:
        observer.show_message(f"`pentad resume` will ask before it continues: the start cannot be recorded: {error}")


def _play(
    config: TuneConfig,
    observer: TuningObserver,
    first_event: TuneStarted | TuneResumed,
    tuning: Tuning,
    make_worker: WorkerFactory | None,
) -> TuneResult:
    """Play the missing games of a tuning."""
    directory = config.match.out
    try:
        with open_log(directory) as log:
            log.write(first_event)
            session = _TuningSession(config, observer, log, tuning, make_worker or partial(TuningPairRunner, config))
            session.run()
            tuning = read_tuning(directory)  # the result is computed from the log on disk
            stopped = session.stopped if session.stopped != USER_STOP or not tuning.is_finished else ""
            ended = TuneEnded(tuning.spsa.iteration, tuning.header.iterations, stopped)
            log.write(ended)
    except OSError as error:
        advice = f"finished pairs are recorded; once this is fixed, continue with `{format_resume_command(directory)}`"
        raise CommandFailedError(f"{format_os_error(error)}; {advice}") from None
    tuning.ended = ended
    return TuneResult(tuning, stopped, directory)


class _TuningSession:
    """The part of a tuning that one process plays. Only the thread that calls `run` writes the log."""

    def __init__(
        self,
        config: TuneConfig,
        observer: TuningObserver,
        log: LogWriter,
        tuning: Tuning,
        make_worker: WorkerFactory,
    ) -> None:
        self.stopped = ""  # reason of an early end
        self._config = config
        self._observer = observer
        self._log = log
        self._tuning = tuning
        self._make_worker = make_worker
        self._dealer = config.match.dealer
        self._workers: list[TuningWorker] = []
        # Workers that play no pair now; the last one is used first, as its engines are running
        self._idle: queue.LifoQueue[TuningWorker | int] = queue.LifoQueue()
        self._breakdowns = 0  # consecutive games that ended by a failure
        self._is_ending = False  # running games are being ended

    def run(self) -> None:
        """Play until all iterations are finished or the tuning is stopped."""
        self._observer.on_start(self._tuning)
        count = self._config.match.concurrency or 1
        for slot in reversed(range(count)):
            self._idle.put(slot)
        try:
            with ThreadPoolExecutor(count, thread_name_prefix="pair") as pool:
                try:
                    while not self.stopped and not self._tuning.is_finished:
                        self._play_iteration(pool)
                except KeyboardInterrupt:  # between two iterations, when no pair is running
                    self._stop(USER_STOP)
                finally:
                    self._end_games()  # no effect if all games have ended
        finally:
            for worker in self._workers:
                worker.close()

    def _play_iteration(self, pool: ThreadPoolExecutor) -> None:
        """Play the missing pairs of the next iteration, and end it if none is missing then."""
        tuning = self._tuning
        missing = [number for number in tuning.pair_numbers() if number not in tuning.open_pairs]
        self._wait_for([pool.submit(self._play_pair, plan_pair(self._dealer, number)) for number in missing])
        if all(number in tuning.open_pairs for number in tuning.pair_numbers()):
            iteration = tuning.end_iteration()
            self._log.write(iteration)
            tuning.add_iteration(iteration)
            self._observer.on_iteration(iteration)

    def _wait_for(self, pairs: Sequence[Future[PairPlayed | None]]) -> None:
        """Wait for the pairs and log them. A first Ctrl-C lets running pairs finish; a second one or SIGTERM ends them.

        The message on the first Ctrl-C is printed inside `try`, because the second one may arrive meanwhile.
        """
        message_due = False
        left = set(pairs)
        while left:
            try:
                if message_due:
                    message_due = False
                    self._observer.show_message(
                        "interrupted: waiting for the running pairs; press Ctrl-C again to end them at once"
                    )
                done, _ = wait(left, POLL_S, FIRST_COMPLETED)
                for future in done:
                    left.remove(future)  # first, so that an interruption cannot add a pair twice
                    self._add_pair(future)
            except KeyboardInterrupt as interruption:
                message_due = not isinstance(interruption, Terminated) and self.stopped != USER_STOP
                self._stop(USER_STOP, left)
                if not message_due:
                    self._end_games()

    def _play_pair(self, pair: Pair) -> PairPlayed | None:
        """Play a pair with an idle worker; the body of a task of the thread pool."""
        worker = self._idle.get()
        if isinstance(worker, int):
            worker = self._make_worker(worker)
            self._workers.append(worker)
        try:
            if self._is_ending:
                return None
            spsa = self._tuning.spsa  # does not change while pairs are played
            return worker.play(pair, spsa.iteration + 1, spsa.perturbed_values(pair.number))
        finally:
            self._idle.put(worker)

    def _add_pair(self, future: Future[PairPlayed | None]) -> None:
        """Log a pair that has ended, and check its faults."""
        if future.cancelled():
            return
        try:
            pair = future.result()
        except EngineCannotPlayError as error:
            self._stop(str(error))
            return
        if pair is None:
            return
        self._log.write(pair)
        self._tuning.add_pair(pair)
        self._observer.on_pair(pair)
        for game in pair.games:
            self._breakdowns = self._breakdowns + 1 if game.ending in BREAKDOWNS else 0
            if self._breakdowns and self._breakdowns == self._config.match.max_faults:
                self._stop(f"{self._config.engine} failed in {self._breakdowns} consecutive games: {game.detail}")

    def _stop(self, reason: str, pending: set[Future[PairPlayed | None]] | None = None) -> None:
        """Start no further pair. The first reason is kept, but Ctrl-C replaces it."""
        self.stopped = reason if reason == USER_STOP else self.stopped or reason
        for future in pending or ():
            future.cancel()  # has no effect on running pairs

    def _end_games(self) -> None:
        """End the running games without a result."""
        self._is_ending = True
        for worker in list(self._workers):
            worker.interrupt()
