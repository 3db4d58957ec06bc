"""`pentad bench`: searches fixed positions of a game to a fixed depth and counts nodes and CPU time.

The node total is the engine's signature: it changes only if the search changes. Speed is given in nodes per CPU-second,
which depends little on the load of the machine. The positions are listed in the definition of each game.
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

CpuClock = Callable[[], float]  # returns CPU time in seconds
BENCH_GRACE_MS = 1000  # by which an executable may exceed a time limit
SEED = "seed"  # name of a player's option
MIN_SPEED_IN_MILLIONS = 5e4  # nodes per second from which the speed is printed in millions


@dataclass(frozen=True)
class BenchRow:
    """The search or proof of one position, or the total of several."""

    position: str  # such as `h8 i9`, the moves that lead to it; or the name of a total
    move: str  # the move that was chosen; empty for a total
    depth: int  # reached depth in plies; the smallest one for a total; 0 for proofs
    nodes: int
    cpu_s: float

    @property
    def nodes_per_s(self) -> float:
        """Return the nodes per CPU-second, or 0 if the search took no measurable time."""
        return self.nodes / self.cpu_s if self.cpu_s else 0.0


def bench_game(game: Game, depth: int, executable: Path | None, player: str = "") -> Iterator[BenchRow]:
    """Bench a player in this process, or the `executable` if it is given; yield a row per position, then the total.

    `player` is a name with options, such as `pentad:search=playouts`. If neither an
    executable nor a player is named, the positions that the game's solver proves follow, with a total of their own.
    Executables are left out there, because protocols do not report the nodes of proofs.
    """
    rows = bench_executable(game, depth, executable) if executable else bench_in_process(game, depth, player)
    yield from _with_total("total", rows)
    if game.bench_proofs and not executable and not player:
        yield from _with_total("proofs", bench_proofs(game))


def bench_in_process(game: Game, depth: int, player: str = "") -> Iterator[BenchRow]:
    """Bench a player in this process, by default the game's strongest one; yield a row per position.

    Raise UsageError if the player is unknown. Players that do not support a depth limit ignore `depth`.
    """
    for setup, opening in list_cases(game):
        instance = _make_player(game, player)
        yield bench_position(instance, game, setup, opening, depth, time.process_time)
        instance.close()


def bench_gaps(game: Game, player: str = "") -> PollGap:
    """Return the longest gap between two clock polls of a player's searches.

    It is measured in searches of its own, because measuring costs time.
    """
    return measure_gaps(game, partial(_make_player, game, player), list_cases(game))


def bench_executable(game: Game, depth: int, executable: Path) -> Iterator[BenchRow]:
    """Bench a built executable through its protocol; yield a row per position.

    Raise CommandFailedError if the executable is missing or fails. Gomoku's messages round the nodes (`123K`), so its
    total differs a little from that of `bench_in_process`.
    """
    if not executable.is_file():
        raise CommandFailedError(f"no executable {executable}: run `pentad build` first")
    command, settings = join_command([str(executable)]), PROTOCOL_ADAPTERS[game.protocol].bench_options
    spec = EngineSpec(executable.name, command=command, protocol=game.protocol, options=settings)
    for setup, opening in list_cases(game):
        client = make_client(spec, game, BENCH_GRACE_MS)
        try:
            yield bench_position(client, game, setup, opening, depth, partial(_measure_client_cpu_s, client))
        except EngineError as fault:
            raise CommandFailedError(f"{executable}: {fault}") from None
        finally:
            client.close()


def list_cases(game: Game) -> list[tuple[Setup, str]]:
    """Return the positions to search, each as a setup and an opening such as `h8 i9` (empty: the start position)."""
    cases = [(game.default_setup, opening) for opening in game.bench_positions]
    return cases + [(setup, "") for setup in game.bench_setups]


def bench_proofs(game: Game) -> Iterator[BenchRow]:
    """Let the game's solver prove the result of each position in `game.bench_proofs`; yield a row for each."""
    assert game.prove is not None
    for case in game.bench_proofs:
        start_s = time.process_time()
        move, nodes = game.prove(case)
        yield BenchRow(_name_case(game, case.setup, case.line), move, 0, nodes, time.process_time() - start_s)


def bench_position(player: Player, game: Game, setup: Setup, opening: str, depth: int, cpu_clock: CpuClock) -> BenchRow:
    """Search the position after an opening to `depth` plies with a newly made player.

    A search of the start position to depth 1 comes first and is not counted, because it loads kernels and allocates
    memory. `cpu_clock` gives the CPU time of the player.
    """
    player.new_game(setup)
    player.choose(Limits(depth=1))
    player.set_position(game.parse_opening(opening, setup) if opening else [])
    reports: list[Progress] = []
    start_s = cpu_clock()
    decision = player.choose(Limits(depth=depth), reports.append)
    cpu_s = cpu_clock() - start_s
    nodes = max(progress.nodes for progress in [decision.progress, *reports])
    return BenchRow(_name_case(game, setup, opening), decision.move, decision.progress.depth, nodes, cpu_s)


def sum_rows(name: str, rows: Sequence[BenchRow]) -> BenchRow:
    """Return a row with the sums of nodes and times and the smallest depth."""
    depth = min((row.depth for row in rows), default=0)
    return BenchRow(name, "", depth, sum(row.nodes for row in rows), sum(row.cpu_s for row in rows))


def format_row(row: BenchRow) -> str:
    """Return a row as a line for the user.

    Example: `h8 i9: j10 depth 7, 24583 nodes, 0.02 CPU-s, 1.23 M nodes per CPU-second`.
    """
    speed = f"{row.nodes_per_s / 1e6:.2f} M" if row.nodes_per_s >= MIN_SPEED_IN_MILLIONS else f"{row.nodes_per_s:.0f}"
    move, depth = f" {row.move}" if row.move else "", f" depth {row.depth}," if row.depth else ""
    return f"{row.position}:{move}{depth} {row.nodes} nodes, {row.cpu_s:.2f} CPU-s, {speed} nodes per CPU-second"


def _make_player(game: Game, name: str) -> Player:
    """Return a new player, with a fixed seed unless its text gives one; raise UsageError if it is unknown."""
    try:
        player = load_player(name or game.players()[0].name, game)
    except OptionError as error:
        raise UsageError(f"--player: {error}") from None
    if SEED in player.options and player.options[SEED] == 0:  # 0 draws a new seed for each game
        player.set_option(SEED, BENCH_SEED)
    return player


def _with_total(name: str, rows: Iterator[BenchRow]) -> Iterator[BenchRow]:
    """Yield the rows, then their total under this name."""
    yielded = []
    for row in rows:
        yielded.append(row)
        yield row
    yield sum_rows(name, yielded)


def _name_case(game: Game, setup: Setup, opening: str) -> str:
    """Return the opening, after the board size if that is not the default one, or `start` if both are empty."""
    board = "" if setup == game.default_setup else f"{setup.width}x{setup.height}"
    return " ".join(filter(None, (board, opening))) or "start"


def _measure_client_cpu_s(client: EngineClient) -> float:
    """Return the CPU time of a program and its children; a one-file executable searches in a child process."""
    assert client.process is not None  # started by new_game()
    return client.process.tree.cpu_s()
