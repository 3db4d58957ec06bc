"""`pentad bench`: searches fixed positions to a fixed depth and counts nodes and CPU time.

The node total is the engine's signature: it changes only where the search changes. The speed is per CPU-second, so that
a busy machine does not spoil it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from arena.errors import CommandFailedError
from core.game import Game
from core.player import Limits, Player, Progress, build_player
from protocols.process import EngineFault

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


def bench_in_process(game: Game, depth: int) -> Iterator[BenchRow]:
    """Bench the game's strongest player in this process."""
    player = build_player(game.players(), game.players()[0].name)
    yield from bench_player(player, game, depth, time.process_time)
    player.close()


def bench_executable(game: Game, depth: int, executable: Path) -> Iterator[BenchRow]:
    """Bench a built executable through its protocol; raise CommandFailedError where it is missing or fails."""
    from bots.gomoku.notation import parse_variant
    from protocols.gomocup_client import GomocupClient

    if not executable.is_file():
        raise CommandFailedError(f"no executable {executable}: run `pentad build` first")
    client = GomocupClient([str(executable)], parse_variant)

    def cpu_clock() -> float:
        assert client.process is not None  # it runs from the first new_game on
        return measure_tree_cpu_s(client.process.pid)

    try:
        yield from bench_player(client, game, depth, cpu_clock)
    except EngineFault as fault:
        raise CommandFailedError(f"{executable}: {fault}") from None
    finally:
        client.close()


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


def sum_rows(rows: Sequence[BenchRow]) -> BenchRow:
    """All rows as one; its depth is the least that was reached."""
    depth = min((row.depth for row in rows), default=0)
    return BenchRow("total", "", depth, sum(row.nodes for row in rows), sum(row.cpu_s for row in rows))


def format_row(row: BenchRow) -> str:
    """One line of the printed report."""
    speed = f"{row.nodes_per_s / 1e6:.2f} M nodes per CPU-second"
    move = f" {row.move}" if row.move else ""
    return f"{row.position or 'start'}:{move} depth {row.depth}, {row.nodes} nodes, {row.cpu_s:.2f} CPU-s, {speed}"


def measure_tree_cpu_s(pid: int) -> float:
    """CPU seconds of a process and its children: a one-file executable searches in a child."""
    root = psutil.Process(pid)
    times = [process.cpu_times() for process in [root, *root.children(recursive=True)]]
    return float(sum(spent.user + spent.system for spent in times))
