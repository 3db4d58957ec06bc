"""Measures the chains of a study in parallel, and stores each measurement as a line of JSON in NAME.jsonl.

A chain is a sequence of measurements in which each one may use those before it. NAME is the name of the chain; the
files are in the folder of the study.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from arena.errors import CommandFailedError
from arena.study.study import Chain, Record, RecordsByChain

SUFFIX = ".jsonl"
POLL_S = 0.2  # Ctrl-C is noticed after at most this time; on some systems it cannot interrupt an endless wait


def read_chain(folder: Path, chain: Chain) -> list[Record]:
    """Return the measurements of a chain that are on disk; skip an incomplete last line.

    Raise CommandFailedError if another line is damaged.
    """
    path = chain_path(folder, chain)
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")[:-1]
    return [_read_record(line, f"{path}, line {number}") for number, line in enumerate(lines, 1)]


def chain_path(folder: Path, chain: Chain) -> Path:
    """Return the path of the JSON lines file of a chain."""
    return folder / (chain.name + SUFFIX)


def measure_chains(
    folder: Path,
    chains: Sequence[Chain],
    earlier_chains: RecordsByChain,
    concurrency: int,
    on_measured: Callable[[], None],
) -> dict[str, list[Record]]:
    """Make the missing measurements of `chains` and return all records by chain name.

    `earlier_chains` has the records of earlier parts of the study. Up to `concurrency` chains are measured at the same
    time. `on_measured` is called after each new measurement, by one thread at a time. An interruption or an error in
    one chain is raised after the running measurements of all chains have ended.
    """
    stop_requested, lock = threading.Event(), threading.Lock()

    def measure_chain(chain: Chain) -> list[Record]:
        records = read_chain(folder, chain)
        while len(records) < chain.length and not stop_requested.is_set():
            records.append(chain.measure(tuple(records), earlier_chains))
            _append_record(chain_path(folder, chain), records[-1])
            with lock:
                on_measured()
        return records

    with ThreadPoolExecutor(concurrency, thread_name_prefix="chain") as pool:
        futures = {chain.name: pool.submit(measure_chain, chain) for chain in chains}
        try:
            while not all(future.done() for future in futures.values()):
                wait(futures.values(), POLL_S, FIRST_EXCEPTION)
                if any(future.done() and future.exception() for future in futures.values()):
                    break  # an error ends the study; the other chains stop after their running measurement
        finally:
            stop_requested.set()
    return {name: future.result() for name, future in futures.items()}


def _append_record(path: Path, record: Record) -> None:
    """Append a record and flush it to disk; first remove an incomplete last line of an interrupted write."""
    with path.open("ab") as file:
        complete_size = path.read_bytes().rfind(b"\n") + 1  # in bytes
        file.truncate(complete_size)
        file.write(json.dumps(record).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _read_record(line: bytes, location: str) -> Record:
    try:
        record: Any = json.loads(line)
    except ValueError as error:
        raise CommandFailedError(f"{location}: not valid JSON: {error}") from None
    if not isinstance(record, dict):
        raise CommandFailedError(f"{location}: expected a JSON object, not {type(record).__name__}")
    return record
