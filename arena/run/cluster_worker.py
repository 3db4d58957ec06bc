"""What a worker of a cluster does for a run: it gets the run's terms and engines once, then pairs, one a thread.

Engines start anew for each pair, so that its games do not depend on what else a worker has played, and nothing is left
running where the runner is lost. An incomplete pair is the runner's affair.
"""

from __future__ import annotations

import itertools
import platform
import threading
from contextlib import ExitStack
from pathlib import Path

import msgspec
from distributed import Worker, WorkerPlugin, get_worker
from msgspec import structs

from arena.errors import CommandFailedError
from arena.log.events import Event, PairEnded, RunStarted
from arena.run.file_bundle import FileBundle, unpack
from arena.run.pairs import PairRunner
from arena.run.provenance import describe_machine, read_versions
from arena.run.resume import OURS, check_players, restore_config
from arena.terms.plan import Pair
from core.native.library_cache import source_hash
from protocols.driving.orphans import adopt_orphans


class ClusterWorker(WorkerPlugin):
    """The engines of one run on one worker. It is made by the runner and travels to every worker, late ones too."""

    def __init__(self, header: RunStarted, bundle: FileBundle) -> None:
        self._header = msgspec.json.encode(header)
        self._bundle = bundle
        self._version = describe_code(header.game)
        self._problem = "not set up"
        self._ended = False
        self._places: dict[int, PairRunner] = {}  # by slot

    def setup(self, worker: Worker) -> None:
        """Called on the worker: unpack the engines; raise CommandFailedError, after which no pair is played here."""
        self._lock = threading.Lock()  # not before: locks do not travel
        self._adopting = ExitStack()
        self._adopting.enter_context(adopt_orphans())
        self._problem = ""
        self._here = f"{worker.address} on {platform.node()}, {describe_machine()['cpu']}"
        try:
            self._prepare()
        except Exception as error:
            self._adopting.close()
            self._problem = f"worker {worker.address}: {error}"
            raise CommandFailedError(self._problem) from error

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002 - as it is called
        """Called on the worker when the run is over or the worker closes: end the running games."""
        with self._lock:
            self._ended = True
            places = list(self._places.values())
        for place in places:
            place.interrupt()
        self._adopting.close()

    def play(self, pair: Pair) -> list[bytes]:
        """The events of a pair as lines of the log; raise CommandFailedError where this worker cannot play."""
        if self._problem:
            raise CommandFailedError(self._problem)
        with self._lock:
            if self._ended:
                return []
            slot = next(slot for slot in itertools.count() if slot not in self._places)
            place = self._places[slot] = PairRunner(self._config, slot)
        try:
            return [msgspec.json.encode(self._note_place(event)) for event in place.play(pair)]
        finally:
            place.close()
            with self._lock:
                del self._places[slot]

    def _note_place(self, event: Event) -> Event:
        return structs.replace(event, worker=self._here) if isinstance(event, PairEnded) else event

    def _prepare(self) -> None:
        header = msgspec.json.decode(self._header, type=RunStarted)
        here = describe_code(header.game)
        if here != self._version:
            raise CommandFailedError(f"Pentad is {here} here and {self._version} where the run began")
        # logs of the engines would be written on this machine and not to the folder of the run
        engine_limits = structs.replace(header.engine_limits, io_log=False)
        self._config = restore_config(
            Path(), structs.replace(header, engines=unpack(self._bundle), engine_limits=engine_limits)
        )
        check_players(self._config, self._bundle.engines)
        self._bundle = FileBundle((), {})  # it is on disk now


def play_pair(plugin_name: str, pair: Pair) -> list[bytes]:
    """The task that a cluster runs."""
    plugin = get_worker().plugins[plugin_name]
    assert isinstance(plugin, ClusterWorker)
    return plugin.play(pair)


def describe_code(game: str) -> str:
    """The version of what referees and plays a game here."""
    return f"{read_versions().get(OURS, 'of no version')}, kernels {source_hash(game)}"
