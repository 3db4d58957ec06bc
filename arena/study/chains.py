"""Measures the chains of a study side by side. Each measurement is a line of JSON, on disk before it counts."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from arena.errors import CommandFailedError
from arena.study.study import Chain, Record, Records

SUFFIX = ".jsonl"
POLL_S = 0.2  # how soon an interruption is noticed; some systems deliver none to a thread that waits for ever


def read_chain(folder: Path, chain: Chain) -> list[Record]:
    """What has been measured of a chain; a last line without its end, which a power cut leaves, does not count."""
    path = chain_path(folder, chain)
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")[:-1]
    return [_read_record(line, f"{path}, line {number}") for number, line in enumerate(lines, 1)]


def chain_path(folder: Path, chain: Chain) -> Path:
    """The file of a chain."""
    return folder / (chain.name + SUFFIX)


def measure_chains(
    folder: Path, chains: Sequence[Chain], earlier: Records, at_once: int, tell: Callable[[], None]
) -> dict[str, list[Record]]:
    """Measure what is missing, so many chains at once, and return all records; they go on where they were broken off.

    `earlier` are the chains of earlier parts. `tell` is called after each measurement, one call at a time. On an
    interruption the measurements under way are finished first, and then KeyboardInterrupt is raised.
    """
    halt, lock = threading.Event(), threading.Lock()

    def work(chain: Chain) -> list[Record]:
        records = read_chain(folder, chain)
        while len(records) < chain.length and not halt.is_set():
            records.append(chain.measure(tuple(records), earlier))
            _append(chain_path(folder, chain), records[-1])
            with lock:
                tell()
        return records

    with ThreadPoolExecutor(at_once, thread_name_prefix="chain") as pool:
        workers = {chain.name: pool.submit(work, chain) for chain in chains}
        try:
            while not all(worker.done() for worker in workers.values()):
                wait(workers.values(), POLL_S, FIRST_EXCEPTION)
                if any(worker.done() and worker.exception() for worker in workers.values()):
                    break
        finally:
            halt.set()
    return {name: worker.result() for name, worker in workers.items()}


def _append(path: Path, record: Record) -> None:
    """Add a line that is on disk when this returns; what was left of a broken one goes first."""
    with path.open("ab") as file:
        whole = path.read_bytes().rfind(b"\n") + 1
        file.truncate(whole)
        file.write(json.dumps(record).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _read_record(line: bytes, place: str) -> Record:
    try:
        record: Any = json.loads(line)
    except ValueError as error:
        raise CommandFailedError(f"{place}: no JSON: {error}") from None
    if not isinstance(record, dict):
        raise CommandFailedError(f"{place}: a record is wanted, not {type(record).__name__}")
    return record
