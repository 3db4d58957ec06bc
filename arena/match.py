"""A match of two engines: plays the plan, logs each game, and stops in order on faults and on interruption."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from functools import partial

from filelock import FileLock, Timeout

from arena import records
from arena.config import INTERRUPTED, MatchConfig, MatchResult, Screen
from arena.ending import BREAKDOWNS, Ending
from arena.errors import UsageError
from arena.game import Played, Terms, play_game
from arena.log import LOG_NAME, GameEnded, GameStarted, LogWriter, RunEnded
from arena.plan import Pair, PlannedGame
from arena.provenance import describe_run
from arena.seat import Seat
from arena.standing import count_standing

POLL_S = 0.2  # how soon an interruption is noticed; some systems deliver none to a thread that waits for ever


def run_match(config: MatchConfig, screen: Screen, command_line: Sequence[str] = ()) -> MatchResult:
    """Play a match into its directory; raise UsageError where that is in use or holds another run."""
    config.out.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(config.out / ".lock", timeout=0):
            if (config.out / LOG_NAME).exists():
                raise UsageError(f"{config.out} already holds a run; choose another --out")
            with LogWriter(config.out) as log:
                return _Match(config, screen, log).run(command_line)
    except Timeout:
        raise UsageError(f"another run is using {config.out}") from None


class _Match:
    """One run. Workers take pairs from a queue; what they share is changed under `_lock` only."""

    def __init__(self, config: MatchConfig, screen: Screen, log: LogWriter) -> None:
        self._config = config
        self._screen = screen
        self._log = log
        self._terms = Terms(config.game, config.setup, config.control)
        self._pairs: queue.SimpleQueue[Pair] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._stopped = ""
        self._seats: list[Seat] = []
        self._breakdowns = dict.fromkeys(config.names, 0)  # in a row
        self._ended: list[GameEnded] = []

    def run(self, command_line: Sequence[str]) -> MatchResult:
        """Play all pairs, then write what derives from the log."""
        self._header = describe_run(self._config, command_line)
        self._log.write(self._header)
        for pair in self._config.plan():
            self._pairs.put(pair)
        with ThreadPoolExecutor(self._config.concurrency, thread_name_prefix="game") as pool:
            self._watch([pool.submit(self._work) for _ in range(self._config.concurrency)])
        records.write_results(self._config.out, self._ended)
        self._log.write(RunEnded(len(self._ended), self._config.games, self._stopped))
        standing = count_standing(self._config.names, self._ended)
        return MatchResult(standing, self._config.games, self._stopped, self._config.out)

    def _watch(self, workers: list[Future[None]]) -> None:
        """Wait for the workers; on an interruption end the running games without a result."""
        try:
            while not all(worker.done() for worker in workers):
                wait(workers, POLL_S, FIRST_EXCEPTION)
                if any(worker.done() and worker.exception() for worker in workers):
                    break
        except KeyboardInterrupt:
            self._halt(INTERRUPTED)
            for seat in list(self._seats):
                seat.interrupt()
        finally:
            self._stop.set()
        for worker in workers:
            worker.result()

    def _work(self) -> None:
        """Play pairs until none is left; each worker has engines of its own."""
        seats = [
            Seat(engine.name, partial(self._config.start, engine), reseed=engine.wants_seed)
            for engine in self._config.engines
        ]
        self._seats += seats
        try:
            while not self._stop.is_set():
                self._play_pair(self._pairs.get_nowait(), seats)
        except queue.Empty:
            return
        finally:
            for seat in seats:
                seat.discard()

    def _play_pair(self, pair: Pair, seats: Sequence[Seat]) -> None:
        for planned in pair.games:
            if self._stop.is_set():
                return
            self._play_one(pair, planned, (seats[planned.first], seats[1 - planned.first]))

    def _play_one(self, pair: Pair, planned: PlannedGame, seats: tuple[Seat, Seat]) -> None:
        opening = self._config.book.moves(pair.opening)
        first, second = (seat.name for seat in seats)
        with self._lock:
            self._log.write(GameStarted(planned.number, pair.number, first, second, opening))

        def on_move(plies: int) -> None:
            with self._lock:
                self._screen.on_move(planned.number, plies)

        if self._config.restart:
            for seat in seats:
                seat.discard()
        played = play_game(
            self._terms, seats, opening, planned.seed, on_move=on_move, is_interrupted=self._is_interrupted
        )
        if played is not None:
            self._finish(_to_event(played, pair, planned, (first, second), opening))

    def _finish(self, game: GameEnded) -> None:
        """Record a game; the run stops where an engine cannot start or keeps breaking down."""
        with self._lock:
            self._log.write(game)
            self._ended.append(game)
            records.write_game(self._config.out, self._config.game.record, self._header, game)
            self._screen.on_game(game, count_standing(self._config.names, self._ended))
            self._count_breakdowns(game)

    def _count_breakdowns(self, game: GameEnded) -> None:
        if game.ending is Ending.VOID:
            self._halt(f"{game.blamed} {game.detail}")
        for name in self._breakdowns:
            if game.blamed != name or game.ending not in BREAKDOWNS:
                self._breakdowns[name] = 0
                continue
            self._breakdowns[name] += 1
            if self._breakdowns[name] == self._config.max_faults:
                self._halt(f"{name} broke down in {self._config.max_faults} games in a row: {game.detail}")

    def _is_interrupted(self) -> bool:
        return self._stopped == INTERRUPTED

    def _halt(self, reason: str) -> None:
        """Let no further game begin; the first reason is told, unless a person interrupts."""
        self._stopped = reason if reason == INTERRUPTED else self._stopped or reason
        self._stop.set()


def _to_event(
    played: Played, pair: Pair, planned: PlannedGame, names: tuple[str, str], opening: tuple[str, ...]
) -> GameEnded:
    verdict = played.verdict
    return GameEnded(
        number=planned.number,
        pair=pair.number,
        first=names[0],
        second=names[1],
        ending=verdict.ending,
        winner="" if verdict.winner is None else names[verdict.winner],
        blamed="" if verdict.blamed is None else names[verdict.blamed],
        detail=verdict.detail,
        opening=opening,
        moves=played.moves,
    )
