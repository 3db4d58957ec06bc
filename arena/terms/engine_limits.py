"""What holds for every engine of a run besides its clock."""

from __future__ import annotations

from dataclasses import dataclass

from core.native.machine import list_processors
from protocols.driving.deadlines import DEFAULT_DEADLINES, Deadlines


@dataclass(frozen=True)
class EngineLimits:
    """How long a program may take and what it may use; it stands in the log's header."""

    deadlines: Deadlines = DEFAULT_DEADLINES  # of programs
    memory_bytes: int = 0  # that a program and its children may hold by themselves, 0 for any
    suspend: bool = False  # stop the processes of a program while it is the other side's turn
    affinity: bool = False  # keep the programs of each game on processors of their own
    engine_threads: int = 1  # processors of each game
    io_log: bool = False  # keep every line that programs send and get

    def processors(self, slot: int) -> tuple[int, ...]:
        """The processors of a slot, from 0; empty where its programs run on any."""
        free = list_processors()
        first = slot * self.engine_threads
        return tuple(free[first : first + self.engine_threads]) if self.affinity else ()


DEFAULT_ENGINE_LIMITS = EngineLimits()
