"""The part of a cluster run that executes on the workers: a worker plugin of dask.distributed.

A worker receives the settings and engines of the run once; then each of its threads plays one pair at a time. Engines
are started anew for each pair, so that games do not depend on what the worker has played before, and no engine stays
alive if the runner is lost. The runner (arena/run/cluster.py) repeats pairs that return incomplete.
"""

from __future__ import annotations

import itertools
import platform
import threading
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec
from distributed import Worker, WorkerPlugin, get_worker
from msgspec import structs

from arena.errors import CommandFailedError
from arena.log.events import Event, PairEnded, RunStarted
from arena.run.file_bundle import FileBundle, unpack
from arena.run.pairs import PairRunner
from arena.run.provenance import describe_machine, read_versions
from arena.run.resume import PACKAGE_NAME, check_player_hashes, restore_config
from arena.terms.plan import Pair
from core.native.library_cache import source_hash
from protocols.driving.orphans import adopt_orphans


class ClusterWorker(WorkerPlugin):
    """Plays pairs of one run on one worker. The runner creates it, and dask sends a pickled copy to each worker."""

    def __init__(self, header: RunStarted, bundle: FileBundle) -> None:
        self._header = msgspec.json.encode(header)
        self._bundle = bundle
        self._runner_version = describe_code(header.game)
        self._problem = "not set up"  # why this worker cannot play; empty if it can
        self._closed = False
        self._runners: dict[int, PairRunner] = {}  # runners that are playing now, by slot (from 0)

    def setup(self, worker: Worker) -> None:
        """Unpack the engines; dask calls this on the worker. Raise CommandFailedError if it cannot play the run."""
        self._lock = threading.Lock()  # not in __init__: locks cannot be pickled
        self._orphan_adoption = ExitStack()  # makes it possible to end processes that outlive their engine
        self._orphan_adoption.enter_context(adopt_orphans())
        self._problem = ""
        self._location = f"{worker.address} on {platform.node()}, {describe_machine()['cpu']}"
        try:
            self._prepare()
        except Exception as error:
            self._orphan_adoption.close()
            self._problem = f"worker {worker.address}: {error}"
            raise CommandFailedError(self._problem) from error

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002 - the signature is that of WorkerPlugin
        """End the running games; dask calls this on the worker when the run is over or the worker closes."""
        with self._lock:
            self._closed = True
            runners = list(self._runners.values())
        for runner in runners:
            runner.interrupt()
        self._orphan_adoption.close()

    def play(self, pair: Pair) -> list[bytes]:
        """Play a pair and return its events encoded as JSON; raise CommandFailedError if `setup` has failed."""
        if self._problem:
            raise CommandFailedError(self._problem)
        with self._lock:
            if self._closed:
                return []
            slot = next(slot for slot in itertools.count() if slot not in self._runners)
            runner = self._runners[slot] = PairRunner(self._config, slot)
        try:
            return [msgspec.json.encode(self._add_location(event)) for event in runner.play(pair)]
        finally:
            runner.close()
            with self._lock:
                del self._runners[slot]

    def check_starts(self) -> None:
        """Start each engine once; raise CommandFailedError that names this worker and the engines that fail."""
        with closing(PairRunner(self._config)) as runner:
            try:
                runner.check_starts()
            except CommandFailedError as error:
                raise CommandFailedError(f"worker {self._location}:\n{error}") from None

    def _add_location(self, event: Event) -> Event:
        """Return the event; if it is a `PairEnded`, with the location of this worker."""
        return structs.replace(event, worker=self._location) if isinstance(event, PairEnded) else event

    def _prepare(self) -> None:
        """Check the version of Pentad, unpack the engines and restore the configuration of the run."""
        header = msgspec.json.decode(self._header, type=RunStarted)
        version = describe_code(header.game)
        if version != self._runner_version:
            raise CommandFailedError(f"this worker has Pentad {version}, the runner has {self._runner_version}")
        # Without --io-log: its files would be written on this machine and not in the folder of the run.
        engine_limits = structs.replace(header.engine_limits, io_log=False)
        self._config = restore_config(
            Path(), structs.replace(header, engines=unpack(self._bundle), engine_limits=engine_limits)
        )
        check_player_hashes(self._config, self._bundle.engines)
        self._bundle = FileBundle((), {})  # frees the memory: the files are on disk now


def check_starts(plugin_name: str) -> None:
    """Start each engine once on this worker; the task that the runner submits before the first game."""
    _find_plugin(plugin_name).check_starts()


def play_pair(plugin_name: str, pair: Pair) -> list[bytes]:
    """Play a pair on this worker; the task that the runner submits to the cluster."""
    return _find_plugin(plugin_name).play(pair)


def _find_plugin(plugin_name: str) -> ClusterWorker:
    plugin = get_worker().plugins[plugin_name]
    assert isinstance(plugin, ClusterWorker)
    return plugin


def describe_code(game: str) -> str:
    """Return the version of Pentad on this machine and the hash of the game's kernels, as text."""
    return f"{read_versions().get(PACKAGE_NAME, 'of unknown version')}, kernels {source_hash(game)}"
