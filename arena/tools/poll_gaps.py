"""How long players go without looking at the clock: in processor time, which a busy machine does not change, and nodes.

Limits of time are kept, and stops heard, no sooner than at the next look.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.play.game import Game
from core.play.player import RESIGN, Limits, Player, Setup
from core.search.clock import CLOCK

CASE_MS, GAME_MS = 300, 100  # for a move of a bench position, of a game
GAME_PLIES = 60
SETTINGS = {"hash": 8}  # MiB: a search tree is thinned out several times in a game


@dataclass(frozen=True)
class PollGap:
    """The longest time between two looks, the choice of a move in which it was, and, of any choice, the most nodes."""

    cpu_ms: float = 0.0
    nodes: int = 0
    place: str = ""


class GapMeter:
    """A watcher of the clock (`core.search.clock.Clock.watched`). A thread's gaps are of its own processor time."""

    def __init__(self, cpu_ns: Callable[[], int] = time.thread_time_ns) -> None:
        self.longest = PollGap()
        self._cpu_ns = cpu_ns
        self._place = ""
        self._last_ns: dict[int, int] = {}  # by thread; none while it chooses no move
        self._last_nodes: dict[int, int] = {}  # by record

    def begin(self, place: str) -> None:
        """Let gaps count in this thread from now on."""
        self._place = place
        self._last_ns[threading.get_ident()] = self._cpu_ns()

    def end(self) -> None:
        """Let gaps no longer count in this thread: what comes after its last look is one, too."""
        self.poll(0, 0)
        del self._last_ns[threading.get_ident()]

    def poll(self, record: int, nodes: int) -> None:
        """Take a look at the clock in, by a kernel that has counted `nodes` since its search began or, with 0, Python.

        The time that this takes itself is in no gap.
        """
        now_ns, thread = self._cpu_ns(), threading.get_ident()
        gap_ms = (now_ns - self._last_ns.get(thread, now_ns)) / 1e6
        if gap_ms > self.longest.cpu_ms:
            self.longest = replace(self.longest, cpu_ms=gap_ms, place=self._place)
        if record:
            before = self._last_nodes.get(record, 0)
            since = nodes - before if nodes >= before else nodes
            self.longest = replace(self.longest, nodes=max(self.longest.nodes, since))
            self._last_nodes[record] = nodes
        if thread in self._last_ns:
            self._last_ns[thread] = self._cpu_ns()


def measure_gaps(game: Game, make_player: Callable[[], Player], cases: Sequence[tuple[Setup, str]]) -> PollGap:
    """Have a player choose moves in the cases and in a game against itself, and return its longest gaps.

    The game comes to what the cases lack: trees that are reused and thinned out, solvers, tables, the end.
    """
    meter = GapMeter()
    with CLOCK.observe_polls(meter.poll):
        for setup, line in cases:
            opening = game.parse_opening(line, setup) if line else []
            _play(meter, game, make_player(), GamePart(setup, opening, CASE_MS, 1))
        _play(meter, game, make_player(), GamePart(game.default_setup, [], GAME_MS, GAME_PLIES))
    return meter.longest


def format_gap(gap: PollGap) -> str:
    """One line of the printed report."""
    place = f" ({gap.place})" if gap.place else ""
    return f"longest between two looks at the clock: {gap.cpu_ms:.2f} ms of processor time{place}, {gap.nodes} nodes"


@dataclass(frozen=True)
class GamePart:
    """A part of a game: it begins after an opening, and has so many plies."""

    setup: Setup
    opening: Sequence[str]
    move_ms: int
    plies: int


def _play(meter: GapMeter, game: Game, player: Player, part: GamePart) -> None:
    """Have a player play both sides of a part; a short search before pays for what is loaded."""
    for name, value in SETTINGS.items():
        if name in player.options:
            player.set_option(name, value)
    position = game.new_position(part.setup)
    player.new_game(part.setup)
    player.choose(Limits(depth=1))
    for move in part.opening:
        position.play(move)
    while len(position.moves) < len(part.opening) + part.plies and position.outcome() is None:
        player.set_position(position.moves)
        meter.begin(" ".join(filter(None, (" ".join(part.opening), f"ply {len(position.moves) + 1}"))))
        move = player.choose(Limits(move_time_ms=part.move_ms)).move
        meter.end()
        if not move or move == RESIGN:
            break
        position.play(move)
    player.close()
