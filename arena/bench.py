"""`pentad bench`: searches fixed positions to a fixed depth and counts nodes and CPU time.

The node total is the engine's signature: it changes only where the search changes. The speed is per CPU-second, so that
a busy machine does not spoil it.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from arena.engines import DRIVERS, EngineSpec, make_client
from arena.errors import CommandFailedError, UsageError
from arena.plugins import make_named_player
from core.game import Game
from core.options import OptionError
from core.player import Limits, Player, Progress
from protocols.engine_client import EngineClient
from protocols.process import EngineFault

CpuClock = Callable[[], float]
BENCH_GRACE_MS = 1000


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


def bench_game(game: Game, depth: int, executable: Path | None, player: str = "") -> Iterator[BenchRow]:
    """Bench the game in this process, or its executable where one is named; the last row is the total."""
    rows = []
    for row in bench_executable(game, depth, executable) if executable else bench_in_process(game, depth, player):
        rows.append(row)
        yield row
    yield sum_rows(rows)


def bench_in_process(game: Game, depth: int, player: str = "") -> Iterator[BenchRow]:
    """Bench a player in this process, the game's strongest where none is named; raise UsageError where it is unknown.

    A player that has no depth searches as deep as it likes.
    """
    for position in game.bench_positions:
        try:
            made = make_named_player(player or game.players()[0].name, game)
        except OptionError as error:
            raise UsageError(f"--player: {error}") from None
        yield bench_position(made, game, position, depth, time.process_time)
        made.close()


def bench_executable(game: Game, depth: int, executable: Path) -> Iterator[BenchRow]:
    """Bench a built executable through its protocol; raise CommandFailedError where it is missing or fails.

    Gomoku's messages round the nodes (`123K`), so the total is near the one of this process and not equal to it.
    """
    if not executable.is_file():
        raise CommandFailedError(f"no executable {executable}: run `pentad build` first")
    command, settings = shlex.quote(str(executable)), DRIVERS[game.protocol].bench_settings
    spec = EngineSpec(executable.name, command=command, protocol=game.protocol, options=settings)
    for position in game.bench_positions:
        client = make_client(spec, game, BENCH_GRACE_MS)
        try:
            yield bench_position(client, game, position, depth, partial(_measure_client_cpu_s, client))
        except EngineFault as fault:
            raise CommandFailedError(f"{executable}: {fault}") from None
        finally:
            client.close()


def bench_position(player: Player, game: Game, line: str, depth: int, cpu_clock: CpuClock) -> BenchRow:
    """Search the position after an opening line to `depth` plies with a player that knows nothing yet.

    A short search comes first and is not counted: it pays for what is loaded and allocated once.
    """
    player.new_game(game.default_setup)
    player.choose(Limits(depth=1))
    player.set_moves(game.parse_opening(line, game.default_setup) if line else [])
    reports: list[Progress] = []
    before = cpu_clock()
    decision = player.choose(Limits(depth=depth), reports.append)
    cpu_s = cpu_clock() - before
    nodes = max(progress.nodes for progress in [decision.progress, *reports])
    return BenchRow(line, decision.move, decision.progress.depth, nodes, cpu_s)


def sum_rows(rows: Sequence[BenchRow]) -> BenchRow:
    """All rows as one; its depth is the least that was reached."""
    depth = min((row.depth for row in rows), default=0)
    return BenchRow("total", "", depth, sum(row.nodes for row in rows), sum(row.cpu_s for row in rows))


def format_row(row: BenchRow) -> str:
    """One line of the printed report."""
    speed = f"{row.nodes_per_s / 1e6:.2f} M nodes per CPU-second"
    move = f" {row.move}" if row.move else ""
    return f"{row.position or 'start'}:{move} depth {row.depth}, {row.nodes} nodes, {row.cpu_s:.2f} CPU-s, {speed}"


def _measure_client_cpu_s(client: EngineClient) -> float:
    """CPU seconds of a program and its children: a one-file executable searches in a child."""
    assert client.process is not None  # it runs from the first new_game on
    times = [process.cpu_times() for process in client.process.tree()]
    return float(sum(spent.user + spent.system for spent in times))
