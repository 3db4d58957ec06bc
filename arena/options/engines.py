"""The options of `pentad match` on how engines are kept, and the rules for engines that they mean."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from arena.console import check_seconds
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.engines.spec import EngineSpec
    from arena.terms.engine_limits import EngineLimits

MEMORY_OPTION = "memory"  # of Gomocup's driver, bytes
MEMORY_OPTIONS = frozenset({MEMORY_OPTION, "max_memory"})  # by which it may be given; the other is the protocol's word


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class EngineLimitsOptions:
    """The options; each field's text is its help."""

    start_timeout: float = 10.0
    """Seconds that a program has from its start to its first word; 60 at least where our bots run from their sources,
    whose kernels may have to be compiled."""

    new_game_timeout: float = 60.0
    """Seconds that a program has to begin a game."""

    ping_timeout: float = 60.0
    """Seconds that a program has for any other answer that needs no thinking."""

    move_timeout: float = 60.0
    """Seconds that an engine has for a move if no clock runs, as with --depth or --tc N=NODES."""

    quit_timeout: float = 3.0
    """Seconds that a program has to end by itself; then it and its children are asked to, and killed a second later."""

    memory: int = 0
    """MiB that a program and its children may hold by themselves; beyond that it is killed and loses. 0: any."""

    suspend: Annotated[bool, Parameter(negative="")] = False
    """Stop the processes of a program while it is the other side's turn: no thinking on the opponent's time."""

    affinity: Annotated[bool, Parameter(negative="")] = False
    """Keep the programs of each game on processors of their own, as many as --engine-threads says."""

    engine_threads: int = 1
    """Threads that an engine uses; it is not told, but games at a time times threads may not exceed the processors."""

    io_log: Annotated[bool, Parameter(negative="")] = False
    """Keep every line that programs get and send, with its time, in io/ENGINE-SLOT.log of the run's folder."""

    force: Annotated[bool, Parameter(negative="")] = False
    """Play more games at a time than there are processors for."""


def choose_engine_rules(request: EngineLimitsOptions, concurrency: int) -> EngineLimits:
    """The rules for engines for so many games at a time; raise UsageError."""
    import psutil

    from arena.terms.engine_limits import EngineLimits
    from core.native.machine import list_processors
    from protocols.driving.deadlines import Deadlines

    for name in ("start_timeout", "new_game_timeout", "ping_timeout", "move_timeout", "quit_timeout"):
        check_seconds(f"--{name.replace('_', '-')}", getattr(request, name))
    for name, low in {"memory": 0, "engine_threads": 1}.items():
        if getattr(request, name) < low:
            raise UsageError(f"--{name.replace('_', '-')} must be {low} or more, not {getattr(request, name)}")
    if request.affinity and not hasattr(psutil.Process, "cpu_affinity"):
        raise UsageError("--affinity: this system cannot keep a program on a processor")
    processors, threads = len(list_processors()), request.engine_threads
    most = max(1, processors // threads)
    if concurrency > most and (request.affinity or not request.force):
        hint = "" if request.affinity else "; --force plays on"
        machine = f"{processors} processors and {threads} threads an engine"
        raise UsageError(f"--concurrency must be 1..{most} with {machine}, not {concurrency}{hint}")
    deadlines = Deadlines(
        start_s=request.start_timeout,
        new_game_s=request.new_game_timeout,
        ping_s=request.ping_timeout,
        quit_s=request.quit_timeout,
        move_s=request.move_timeout,
    )
    return EngineLimits(
        deadlines,
        request.memory << 20,
        request.suspend,
        request.affinity,
        request.engine_threads,
        request.io_log,
    )


def tell_memory(engines: tuple[EngineSpec, ...], engine_limits: EngineLimits) -> tuple[EngineSpec, ...]:
    """The engines, with the limit as an option where the protocol has a word for it and nobody gave another one."""
    told = (MEMORY_OPTION, str(engine_limits.memory_bytes))
    return tuple(
        replace(spec, options=(*spec.options, told))
        if engine_limits.memory_bytes and spec.protocol == "gomocup" and MEMORY_OPTIONS.isdisjoint(dict(spec.options))
        else spec
        for spec in engines
    )
