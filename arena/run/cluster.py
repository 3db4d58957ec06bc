"""Hands the pairs of a run to the workers of a dask.distributed cluster and takes their events back.

The scheduler gives the pairs of a lost worker to another one; a pair that comes back without its end is played again.
Of each pair the events of one attempt only reach the run, so the log stays one, written in one place.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress

import msgspec
from distributed import Client, Future, KilledWorker

from arena.errors import CommandFailedError, UsageError
from arena.log.events import Event, GameEnded, GameStarted, PairEnded, RunStarted
from arena.run.cluster_worker import ClusterWorker, play_pair
from arena.run.config import MatchConfig
from arena.run.file_bundle import pack
from arena.run.pairs import Watch, ignore_moves
from arena.run.workers import PlaceLostError, Places
from arena.terms.ending import Ending
from arena.terms.plan import Pair

CONNECT_TIMEOUT_S = 10
POLL_S = 5.0  # how often a place that waits looks whether there is anybody to wait for
DESERTED_S = 60.0  # without any worker, after which the run stops instead of waiting for ever
ATTEMPTS = 5  # of a pair that comes back without its end, each time from a worker that went away in order


@contextmanager
def open_cluster(config: MatchConfig, header: RunStarted) -> Iterator[Places]:
    """Bring a run's engines to all workers and yield a place for each of their threads; raise UsageError."""
    client = _connect(config.scheduler)
    name = f"pentad {header.started} {config.out.absolute()}"  # a resumed run takes the place of its broken one
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise UsageError(f"--scheduler {config.scheduler}: no worker has joined this cluster")
        _register(client, name, config, header)
        try:
            yield Places(config.concurrency or threads, lambda _: ClusterPlace(client, name))
        finally:
            with suppress(OSError):  # the scheduler may be gone
                client.unregister_worker_plugin(name)
    finally:
        client.close()


def _register(client: Client, name: str, config: MatchConfig, header: RunStarted) -> None:
    bundle = pack(tuple(engine.log_entry(config.game) for engine in config.engines))
    try:
        client.register_plugin(ClusterWorker(header, bundle), name=name)
    except CommandFailedError as error:
        client.unregister_worker_plugin(name)
        raise UsageError(f"--scheduler {config.scheduler}: {error}") from None


def _connect(address: str) -> Client:
    try:
        return Client(address, timeout=CONNECT_TIMEOUT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"--scheduler {address}: no scheduler answers there: {error}") from None


class ClusterPlace:
    """Has one pair at a time played on the cluster. Its events come all at once, at the end of the pair."""

    def __init__(self, client: Client, plugin_name: str) -> None:
        self._client = client
        self._plugin_name = plugin_name
        self._future: Future[list[bytes]] | None = None
        self._interrupted = False

    def play(self, pair: Pair, watch: Watch = ignore_moves) -> Iterator[GameStarted | GameEnded | PairEnded]:  # noqa: ARG002
        """Have a pair played; an interrupted one has no events. Raise PlaceLostError."""
        for _ in range(ATTEMPTS):
            events = self._attempt(pair)
            if self._interrupted:
                return
            if is_over(events):
                yield from events
                return
        raise PlaceLostError(f"pair {pair.number} came back from the cluster {ATTEMPTS} times without its end")

    def close(self) -> None:
        """The engines end with their pair."""

    def interrupt(self) -> None:
        """Wait for the pair no longer; it ends on its worker when the cluster is left."""
        self._interrupted = True
        future = self._future
        if future is not None:
            future.cancel()

    def _attempt(self, pair: Pair) -> list[GameStarted | GameEnded | PairEnded]:
        """What comes of a pair; nothing where this place was interrupted meanwhile."""
        self._future = self._client.submit(play_pair, self._plugin_name, pair, pure=False)
        if self._interrupted:
            self._future.cancel()
        try:
            lines = self._wait(self._future)
        except (CancelledError, KilledWorker, CommandFailedError, OSError) as error:
            if self._interrupted:
                return []
            raise PlaceLostError(f"the cluster has lost pair {pair.number}: {error}") from None
        events = []
        for line in lines:
            event: Event = msgspec.json.decode(line, type=Event)
            assert isinstance(event, GameStarted | GameEnded | PairEnded)
            events.append(event)
        return events

    def _wait(self, future: Future[list[bytes]]) -> list[bytes]:
        """The result; raise TimeoutError where the cluster has had no worker for long."""
        served = time.perf_counter()
        while True:
            try:
                return future.result(timeout=POLL_S)
            except TimeoutError:
                if self._client.nthreads():
                    served = time.perf_counter()
                elif time.perf_counter() - served >= DESERTED_S:
                    raise TimeoutError(f"no worker has been there for {DESERTED_S:g} s") from None


def is_over(events: list[GameStarted | GameEnded | PairEnded]) -> bool:
    """Whether a pair has come to its end: all its games were played, or one could not be."""
    last = events[-1] if events else None
    return isinstance(last, PairEnded) or (isinstance(last, GameEnded) and last.ending is Ending.VOID)
