"""Play the pairs of games of a run on a dask.distributed cluster (`pentad match --scheduler`).

Each pair is one task. The worker that plays it returns the events of its games, and this process, the runner, writes
them to the log. If a worker is lost, the scheduler gives its pair to another one. If a pair returns incomplete, it is
played again; only the events of the last attempt reach the log. cluster_worker.py is the part that runs on the workers.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress

import msgspec
from distributed import Client, Future, KilledWorker
from distributed.comm.addressing import get_address_host_port

from arena.errors import CommandFailedError, UsageError
from arena.log.events import Event, GameEnded, GameStarted, PairEnded, RunStarted
from arena.run.cluster_worker import ClusterWorker, check_starts, play_pair
from arena.run.config import MatchConfig
from arena.run.file_bundle import pack
from arena.run.pairs import MoveCallback, ignore_moves
from arena.run.workers import PairWorkers, WorkersLostError
from arena.terms.ending import Ending
from arena.terms.plan import Pair

CONNECT_TIMEOUT_S = 10
POLL_S = 5.0  # interval at which waiting threads check that the cluster still has workers
NO_WORKER_TIMEOUT_S = 60.0  # the run stops after this time without any worker
MAX_ATTEMPTS = 5  # per pair; a pair returns incomplete if its worker is shut down while playing it


@contextmanager
def open_cluster(config: MatchConfig, header: RunStarted, *, checks_starts: bool) -> Iterator[PairWorkers]:
    """Send the engines of a run to all workers of the cluster, and yield the `PairWorkers` that play there.

    Raise UsageError if no scheduler answers, no worker has joined it, or a worker cannot run the engines. With
    `checks_starts` each worker starts each engine once; raise CommandFailedError if one cannot.
    """
    client = _connect(config.scheduler)
    # The same name after a resumption: if the first session was killed, its plugin is replaced.
    plugin_name = f"pentad {header.started} {config.out.absolute()}"
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise UsageError(f"--scheduler {config.scheduler}: no worker has joined this cluster")
        _register(client, plugin_name, config, header)
        try:
            if checks_starts:
                _check_starts(client, plugin_name)
            yield PairWorkers(config.concurrency or threads, lambda _: RemotePairWorker(client, plugin_name))
        finally:
            with suppress(OSError):  # the scheduler may be gone
                client.unregister_worker_plugin(plugin_name)
    finally:
        client.close()


def _register(client: Client, plugin_name: str, config: MatchConfig, header: RunStarted) -> None:
    """Install the plugin with the engines on all workers; raise UsageError if a worker refuses it."""
    bundle = pack(tuple(engine.log_entry(config.game) for engine in config.engines))
    try:
        client.register_plugin(ClusterWorker(header, bundle), name=plugin_name)
    except CommandFailedError as error:
        client.unregister_worker_plugin(plugin_name)
        raise UsageError(f"--scheduler {config.scheduler}: {error}") from None


def _check_starts(client: Client, plugin_name: str) -> None:
    """Start each engine once on each worker that has joined; raise CommandFailedError if one cannot."""
    tasks = [client.submit(check_starts, plugin_name, workers=[address], pure=False) for address in client.nthreads()]
    for task in tasks:
        task.result()


def _connect(address: str) -> Client:
    try:
        get_address_host_port(address)  # a client of a malformed address would wait for 20 s after the error
    except ValueError as error:
        raise UsageError(f"--scheduler must be such as tcp://host:8786, not {address!r}: {error}") from None
    try:
        return Client(address, timeout=CONNECT_TIMEOUT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"--scheduler {address}: no scheduler answers at this address: {error}") from None


class RemotePairWorker:
    """Plays one pair at a time on the cluster. All events of a pair arrive together, at its end.

    It has the interface of `PairWorker` (arena/run/workers.py), but never calls `on_move`.
    """

    def __init__(self, client: Client, plugin_name: str) -> None:
        self._client = client
        self._plugin_name = plugin_name
        self._future: Future[list[bytes]] | None = None
        self._interrupted = False

    def play(self, pair: Pair, on_move: MoveCallback = ignore_moves) -> Iterator[GameStarted | GameEnded | PairEnded]:  # noqa: ARG002
        """Play a pair and yield its events, none if interrupted; raise WorkersLostError if the cluster is lost."""
        for _ in range(MAX_ATTEMPTS):
            events = self._play_once(pair)
            if self._interrupted:
                return
            if is_complete(events):
                yield from events
                return
        raise WorkersLostError(f"pair {pair.number} returned incomplete from the cluster {MAX_ATTEMPTS} times")

    def close(self) -> None:
        """Do nothing: the worker ends the engines after each pair."""

    def interrupt(self) -> None:
        """Stop waiting for the pair. Its worker plays on until `open_cluster` removes the plugin."""
        self._interrupted = True
        future = self._future
        if future is not None:
            future.cancel()

    def _play_once(self, pair: Pair) -> list[GameStarted | GameEnded | PairEnded]:
        """Play a pair once and return its events, none after an interruption; raise WorkersLostError."""
        self._future = self._client.submit(play_pair, self._plugin_name, pair, pure=False)
        if self._interrupted:
            self._future.cancel()
        try:
            encoded_events = self._wait(self._future)
        except (CancelledError, KilledWorker, CommandFailedError, OSError) as error:
            if self._interrupted:
                return []
            raise WorkersLostError(f"the cluster has lost pair {pair.number}: {error}") from None
        events = []
        for encoded in encoded_events:
            event: Event = msgspec.json.decode(encoded, type=Event)
            assert isinstance(event, GameStarted | GameEnded | PairEnded)
            events.append(event)
        return events

    def _wait(self, future: Future[list[bytes]]) -> list[bytes]:
        """Return the result of a task; raise TimeoutError if there is no worker for `NO_WORKER_TIMEOUT_S` seconds."""
        last_worker_s = time.perf_counter()  # when the cluster last had a worker
        while True:
            try:
                return future.result(timeout=POLL_S)
            except TimeoutError:
                if self._client.nthreads():
                    last_worker_s = time.perf_counter()
                elif time.perf_counter() - last_worker_s >= NO_WORKER_TIMEOUT_S:
                    raise TimeoutError(f"the cluster has had no worker for {NO_WORKER_TIMEOUT_S:g} s") from None


def is_complete(events: list[GameStarted | GameEnded | PairEnded]) -> bool:
    """Return whether a pair needs no further attempt: it has ended, or its last game is void (an engine failed)."""
    last = events[-1] if events else None
    return isinstance(last, PairEnded) or (isinstance(last, GameEnded) and last.ending is Ending.VOID)
