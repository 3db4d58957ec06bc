"""Limits for the engines of a run, apart from the clock: deadlines, memory, processors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from cyclopts import Group, Parameter, Token
from msgspec import Meta

from arena.errors import UsageError
from arena.terms.struct_options import struct_options
from core.native.machine import list_processors
from protocols.driving.deadlines import DEFAULT_DEADLINES, Deadlines

ENGINE_LIMITS = Group("Engine limits", sort_key=7)
MIB = 1 << 20

struct_options(
    Deadlines,
    group=ENGINE_LIMITS,
    start_s="--start-timeout",
    new_game_s="--new-game-timeout",
    ping_s="--ping-timeout",
    move_s="--move-timeout",
    quit_s="--quit-timeout",
)


def _read_mib(kind: object, tokens: Sequence[Token]) -> int:  # noqa: ARG001 - as cyclopts calls it
    """Return bytes for a number of MiB; raise UsageError if it is negative."""
    mebibytes = int(tokens[0].value)
    if mebibytes < 0:
        raise UsageError(f"--memory must be 0 or more MiB, not {mebibytes}")
    return mebibytes * MIB


@Parameter(name="*", group=ENGINE_LIMITS)
@struct_options
class EngineLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a program may take and what it may use. A field's docstring is its help."""

    deadlines: Annotated[Deadlines, Parameter(name="*")] = DEFAULT_DEADLINES

    memory_bytes: Annotated[
        int, Meta(ge=0), Parameter(name="--memory", converter=_read_mib, group=ENGINE_LIMITS, show_default=False)
    ] = 0
    """MiB that a program and its child processes may use; a program that exceeds them is killed and loses the game.
    0, the default: no limit."""

    suspend: Annotated[bool, Parameter(negative="", group=ENGINE_LIMITS)] = False
    """Suspend the processes of a program during the opponent's turn, so that it cannot think on the opponent's time."""

    affinity: Annotated[bool, Parameter(negative="", group=ENGINE_LIMITS)] = False
    """Pin the programs of each game to processors of their own, --engine-threads of them."""

    engine_threads: Annotated[int, Meta(ge=1), Parameter(group=ENGINE_LIMITS)] = 1
    """Processors reserved per engine. This does not set the engine's own thread option. --concurrency times this number
    must not exceed the processors, except with --force."""

    io_log: Annotated[bool, Parameter(negative="", group=ENGINE_LIMITS)] = False
    """Log every line sent to and received from programs, with its time, in io/ENGINE-SLOT.log of the run's folder."""

    def processors(self, slot: int) -> tuple[int, ...]:
        """Return the processors for the game in a slot (from 0); empty if its programs may run on any processor."""
        free = list_processors()
        first = slot * self.engine_threads
        return tuple(free[first : first + self.engine_threads]) if self.affinity else ()


DEFAULT_ENGINE_LIMITS = EngineLimits()
