"""`pentad bench`: searches fixed positions to a fixed depth and counts nodes and CPU time.

The node total is the engine's signature: it changes only where the search changes. The speed is per CPU-second, so that
a busy machine does not spoil it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from arena.engines.clients import BENCH_SEED, PROTOCOL_ADAPTERS, make_client
from arena.engines.plugins import load_player
from arena.engines.spec import EngineSpec
from arena.errors import CommandFailedError, UsageError
from arena.tools.poll_gaps import PollGap, measure_gaps
from core.play.game import Game
from core.play.options import OptionError
from core.play.player import Limits, Player, Progress, Setup
from protocols.command_line import join_command
from protocols.driving.engine_client import EngineClient
from protocols.driving.process import EngineError

CpuClock = Callable[[], float]
BENCH_GRACE_MS = 1000
SEED = "seed"
MIN_SPEED_IN_MILLIONS = 5e4  # nodes a second that are told as millions


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
    """Bench the game in this process, or its executable where one is named; after the rows comes their total.

    Proofs follow with a total of their own, in this process only: no protocol tells their nodes.
    """
    searched = bench_executable(game, depth, executable) if executable else bench_in_process(game, depth, player)
    yield from _with_total("total", searched)
    if game.bench_proofs and not executable and not player:
        yield from _with_total("proofs", bench_proofs(game))


def bench_in_process(game: Game, depth: int, player: str = "") -> Iterator[BenchRow]:
    """Bench a player in this process, the game's strongest where none is named; raise UsageError where it is unknown.

    A player that has no depth searches as deep as it likes.
    """
    for setup, line in list_cases(game):
        made = _make_player(game, player)
        yield bench_position(made, game, setup, line, depth, time.process_time)
        made.close()


def bench_gaps(game: Game, player: str = "") -> PollGap:
    """Return how long a player goes without a look at the clock, in searches of their own: to look costs time."""
    return measure_gaps(game, partial(_make_player, game, player), list_cases(game))


def bench_executable(game: Game, depth: int, executable: Path) -> Iterator[BenchRow]:
    """Bench a built executable through its protocol; raise CommandFailedError where it is missing or fails.

    Gomoku's messages round the nodes (`123K`), so the total is near the one of this process and not equal to it.
    """
    if not executable.is_file():
        raise CommandFailedError(f"no executable {executable}: run `pentad build` first")
    command, settings = join_command([str(executable)]), PROTOCOL_ADAPTERS[game.protocol].bench_options
    spec = EngineSpec(executable.name, command=command, protocol=game.protocol, options=settings)
    for setup, line in list_cases(game):
        client = make_client(spec, game, BENCH_GRACE_MS)
        try:
            yield bench_position(client, game, setup, line, depth, partial(_measure_client_cpu_s, client))
        except EngineError as fault:
            raise CommandFailedError(f"{executable}: {fault}") from None
        finally:
            client.close()


def list_cases(game: Game) -> list[tuple[Setup, str]]:
    """Setups and opening lines that are searched."""
    return [(game.default_setup, line) for line in game.bench_positions] + [(setup, "") for setup in game.bench_setups]


def bench_proofs(game: Game) -> Iterator[BenchRow]:
    """Bench the game's solver."""
    assert game.prove is not None
    for case in game.bench_proofs:
        before = time.process_time()
        move, nodes = game.prove(case)
        yield BenchRow(_name_case(game, case.setup, case.line), move, 0, nodes, time.process_time() - before)


def bench_position(player: Player, game: Game, setup: Setup, line: str, depth: int, cpu_clock: CpuClock) -> BenchRow:
    """Search the position after an opening line to `depth` plies with a player that knows nothing yet.

    A short search comes first and is not counted: it pays for what is loaded and allocated once.
    """
    player.new_game(setup)
    player.choose(Limits(depth=1))
    player.set_position(game.parse_opening(line, setup) if line else [])
    reports: list[Progress] = []
    before = cpu_clock()
    decision = player.choose(Limits(depth=depth), reports.append)
    cpu_s = cpu_clock() - before
    nodes = max(progress.nodes for progress in [decision.progress, *reports])
    return BenchRow(_name_case(game, setup, line), decision.move, decision.progress.depth, nodes, cpu_s)


def sum_rows(name: str, rows: Sequence[BenchRow]) -> BenchRow:
    """All rows as one; its depth is the least that was reached."""
    depth = min((row.depth for row in rows), default=0)
    return BenchRow(name, "", depth, sum(row.nodes for row in rows), sum(row.cpu_s for row in rows))


def format_row(row: BenchRow) -> str:
    """One line of the printed report; proofs have no depth, and are slower, as is a search by a network."""
    speed = f"{row.nodes_per_s / 1e6:.2f} M" if row.nodes_per_s >= MIN_SPEED_IN_MILLIONS else f"{row.nodes_per_s:.0f}"
    move, depth = f" {row.move}" if row.move else "", f" depth {row.depth}," if row.depth else ""
    return f"{row.position}:{move}{depth} {row.nodes} nodes, {row.cpu_s:.2f} CPU-s, {speed} nodes per CPU-second"


def _make_player(game: Game, name: str) -> Player:
    """Return a new player with a fixed seed; raise UsageError if it is unknown."""
    try:
        made = load_player(name or game.players()[0].name, game)
    except OptionError as error:
        raise UsageError(f"--player: {error}") from None
    if SEED in made.options and made.options[SEED] == 0:  # which would be another one each time
        made.set_option(SEED, BENCH_SEED)
    return made


def _with_total(name: str, rows: Iterator[BenchRow]) -> Iterator[BenchRow]:
    done = []
    for row in rows:
        done.append(row)
        yield row
    yield sum_rows(name, done)


def _name_case(game: Game, setup: Setup, line: str) -> str:
    """The line, with the board before it where that is not the default."""
    board = "" if setup == game.default_setup else f"{setup.width}x{setup.height}"
    return " ".join(filter(None, (board, line))) or "start"


def _measure_client_cpu_s(client: EngineClient) -> float:
    """CPU seconds of a program and its children: a one-file executable searches in a child."""
    assert client.process is not None  # it runs from the first new_game on
    return client.process.tree.cpu_s()
