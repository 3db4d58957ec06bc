"""`pentad bench`: searches fixed positions to a fixed depth and counts nodes and CPU time.

The node total is the engine's signature: it changes only where the search changes. The speed is per CPU-second, so that
a busy machine does not spoil it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import psutil

from core.game import Game
from core.player import Limits, Player, Progress

CpuClock = Callable[[], float]


@dataclass(frozen=True)
class BenchRow:
    """One position searched."""

    position: str
    move: str
    depth: int
    nodes: int
    cpu_s: float

    @property
    def nodes_per_s(self) -> float:
        """Speed; 0 where the search took no measurable time."""
        return self.nodes / self.cpu_s if self.cpu_s else 0.0


def bench_player(player: Player, game: Game, depth: int, cpu_clock: CpuClock) -> Iterator[BenchRow]:
    """Search each of the game's bench positions to `depth` plies, each from a fresh game."""
    for line in game.bench_positions:
        player.new_game(game.default_setup)
        player.set_moves(game.parse_opening(line, game.default_setup) if line else [])
        reports: list[Progress] = []
        before = cpu_clock()
        decision = player.choose(Limits(depth=depth), reports.append)
        cpu_s = cpu_clock() - before
        nodes = max(progress.nodes for progress in [decision.progress, *reports])
        yield BenchRow(line, decision.move, decision.progress.depth, nodes, cpu_s)


def sum_rows(rows: list[BenchRow]) -> BenchRow:
    """All rows as one."""
    depth = min((row.depth for row in rows), default=0)
    return BenchRow("total", "", depth, sum(row.nodes for row in rows), sum(row.cpu_s for row in rows))


def own_cpu_clock() -> float:
    """CPU seconds of this process, all threads."""
    return time.process_time()


def tree_cpu_clock(pid: int) -> CpuClock:
    """A clock of the CPU seconds of a process and its children: a one-file executable searches in a child."""

    def read() -> float:
        root = psutil.Process(pid)
        times = [process.cpu_times() for process in [root, *root.children(recursive=True)]]
        return sum(spent.user + spent.system for spent in times)

    return read
