"""Create two events of a run's log: its header and the event of a resumption.

The header records everything needed to repeat the run: the settings, engines and openings, the versions of Pentad and
its libraries, and the machine.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil

from arena.log.events import LOG_FORMAT, RunResumed, RunStarted
from arena.run.config import MatchConfig
from arena.terms.settings import settings_by_name

PACKAGES = ("pentad", "numpy", "numba", "llvmlite")  # whose versions the header records


def describe_run(config: MatchConfig, command_line: Sequence[str]) -> RunStarted:
    """Return the header of the log of a new run."""
    return RunStarted(
        **settings_by_name(config),
        engines=tuple(engine.log_entry(config.game) for engine in config.engines),
        game=config.game.name,
        width=config.setup.width,
        height=config.setup.height,
        variant=config.setup.variant,
        position=config.setup.position,
        openings=config.book.source,
        openings_hash=config.book.digest,
        book=config.book.lines,
        planned=config.planned,
        command_line=tuple(command_line),
        versions=read_versions(),
        machine=describe_machine(),
        started=format_current_time(),
        format=LOG_FORMAT,
    )


def describe_resumption(config: MatchConfig, *, forced: bool) -> RunResumed:
    """Return the event that is logged when a run is resumed; `forced` records the use of --force."""
    engines = tuple(engine.log_entry(config.game) for engine in config.engines)
    return RunResumed(format_current_time(), engines, forced)


def format_current_time() -> str:
    """Return the current time (UTC, to the second) in ISO format, such as 2026-01-31T12:00:00+00:00."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def read_versions() -> dict[str, str]:
    """Return the versions of Python (key `python`) and of each package in PACKAGES that is installed."""
    versions = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:  # Pentad itself, if it runs from a source tree without installation
            continue
    return versions


def describe_machine() -> dict[str, str]:
    """Return system, processor, number of logical processors and bytes of memory; numbers are text, too."""
    return {
        "system": platform.platform(),
        "cpu": _cpu_model(),
        "threads": str(os.cpu_count()),
        "memory_bytes": str(psutil.virtual_memory().total),
    }


def _cpu_model() -> str:
    """Return the name of the processor. On Linux only /proc/cpuinfo has it, not the `platform` module."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
