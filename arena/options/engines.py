"""Checks --concurrency against the processors of this machine, and adds the memory limit to the options of engines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.engines.spec import EngineSpec
    from arena.terms.engine_limits import EngineLimits

MEMORY_OPTION = "memory"  # engine option of Gomocup programs, bytes
MEMORY_OPTIONS = frozenset({MEMORY_OPTION, "max_memory"})  # a user may write either; the protocol has the second


def check_processors(limits: EngineLimits, concurrency: int, *, force: bool) -> int:
    """Return the number of games to play at the same time on this machine; `concurrency` 0 stands for the maximum.

    Raise UsageError if there are too few processors, unless `force` is set and no engine is pinned to processors. Raise
    it also if engines are to be pinned and the system cannot do that.
    """
    import psutil

    from core.native.machine import list_processors

    if limits.affinity and not hasattr(psutil.Process, "cpu_affinity"):
        raise UsageError("--affinity: this system cannot pin a program to a processor")
    processors, threads = len(list_processors()), limits.engine_threads
    maximum = max(1, processors // threads)
    if threads > processors and (limits.affinity or not force):
        hint = "" if limits.affinity else "; --force plays anyway"
        raise UsageError(f"--engine-threads must be 1..{processors} with {processors} processors, not {threads}{hint}")
    if concurrency > maximum and (limits.affinity or not force):
        hint = "" if limits.affinity else "; --force plays anyway"
        machine = f"{processors} processors and {threads} threads per engine"
        raise UsageError(f"--concurrency must be 1..{maximum} with {machine}, not {concurrency}{hint}")
    return concurrency or maximum


def with_memory_option(engines: tuple[EngineSpec, ...], limits: EngineLimits) -> tuple[EngineSpec, ...]:
    """Return the engines with the memory limit as an option, if their protocol has one and they do not set it."""
    option = (MEMORY_OPTION, str(limits.memory_bytes))
    return tuple(
        replace(spec, options=(*spec.options, option))
        if limits.memory_bytes and spec.protocol == "gomocup" and MEMORY_OPTIONS.isdisjoint(dict(spec.options))
        else spec
        for spec in engines
    )
