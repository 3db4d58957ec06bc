"""Measures the longest gap between two clock polls of a player's search, in CPU time and in nodes.

A search sees its time limit and a stop request only when it polls the clock, so this gap bounds how late it stops. CPU
time is used because it depends little on the load of the machine. `pentad bench` prints the result.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.play.game import Game
from core.play.player import RESIGN, Limits, Player, Setup
from core.search.clock import CLOCK

BENCH_MOVE_MS, GAME_MOVE_MS = 300, 100  # time per move in a bench position, in the game against itself
GAME_PLIES = 60  # maximum length of that game
HASH_OPTION, HASH_MIB = "hash", 8  # so little that a search tree has to be pruned several times in a game


@dataclass(frozen=True)
class PollGap:
    """The longest gaps between two polls."""

    cpu_ms: float = 0.0
    nodes: int = 0  # largest number of nodes between two polls, perhaps in another gap than `cpu_ms`
    position: str = ""  # in which the gap of `cpu_ms` occurred, such as "h8 ply 2": opening and ply of the search


class GapMeter:
    """Measures gaps between polls; its `poll` is an observer for `core.search.clock.Clock.observe_polls`.

    CPU time is measured between `begin` and `end`, for each thread by itself. `cpu_ns` returns the CPU time of the
    current thread in nanoseconds.
    """

    def __init__(self, cpu_ns: Callable[[], int] = time.thread_time_ns) -> None:
        self.longest = PollGap()
        self._cpu_ns = cpu_ns
        self._position = ""
        # By thread id: CPU time at the last poll (or at `begin`); only threads between `begin` and `end`
        self._last_ns: dict[int, int] = {}
        # By address of a kernel's state, which a search has for itself: its nodes at the last poll
        self._last_nodes: dict[int, int] = {}

    def begin(self, position: str) -> None:
        """Start to measure this thread's gaps; `position` describes the position to be searched."""
        self._position = position
        self._last_ns[threading.get_ident()] = self._cpu_ns()

    def end(self) -> None:
        """Stop measuring this thread; the time since its last poll is a gap too."""
        self.poll(0, 0)
        del self._last_ns[threading.get_ident()]

    def poll(self, state_address: int, nodes: int) -> None:
        """Register a poll of the current thread.

        A kernel with its state at `state_address` has visited `nodes` nodes since its search began. Python code, which
        counts no nodes, passes address 0. The time that this method takes is not part of a gap.
        """
        now_ns, thread = self._cpu_ns(), threading.get_ident()
        gap_ms = (now_ns - self._last_ns.get(thread, now_ns)) / 1e6
        if gap_ms > self.longest.cpu_ms:
            self.longest = replace(self.longest, cpu_ms=gap_ms, position=self._position)
        if state_address:
            last_nodes = self._last_nodes.get(state_address, 0)
            gap_nodes = nodes - last_nodes if nodes >= last_nodes else nodes  # fewer nodes: a new search has begun
            self.longest = replace(self.longest, nodes=max(self.longest.nodes, gap_nodes))
            self._last_nodes[state_address] = nodes
        if thread in self._last_ns:
            self._last_ns[thread] = self._cpu_ns()


def measure_gaps(game: Game, make_player: Callable[[], Player], cases: Sequence[tuple[Setup, str]]) -> PollGap:
    """Return the longest gaps of a player's searches in `cases` and in a game against itself.

    A case is a setup and an opening, in whose final position one move is searched. The game covers what the cases lack:
    reused and pruned search trees, solvers, solved tables, endgames.
    """
    meter = GapMeter()
    with CLOCK.observe_polls(meter.poll):
        for setup, opening_text in cases:
            opening = game.parse_opening(opening_text, setup) if opening_text else []
            _play(meter, game, make_player(), GameSegment(setup, opening, BENCH_MOVE_MS, 1))
        _play(meter, game, make_player(), GameSegment(game.default_setup, [], GAME_MOVE_MS, GAME_PLIES))
    return meter.longest


def format_gap(gap: PollGap) -> str:
    """Return the line that `pentad bench` prints."""
    position = f" ({gap.position})" if gap.position else ""
    return f"longest time between two clock polls: {gap.cpu_ms:.2f} ms CPU time{position}, {gap.nodes} nodes"


@dataclass(frozen=True)
class GameSegment:
    """Consecutive moves of a game."""

    setup: Setup
    opening: Sequence[str]  # the moves before the segment
    move_ms: int  # time per move
    plies: int  # maximum length


def _play(meter: GapMeter, game: Game, player: Player, segment: GameSegment) -> None:
    """Let a player choose the moves of both sides in a segment, and measure its searches; then close the player.

    A search to depth 1 comes first, so that the loading of kernels is in no gap.
    """
    if HASH_OPTION in player.options:
        player.set_option(HASH_OPTION, HASH_MIB)
    position = game.new_position(segment.setup)
    player.new_game(segment.setup)
    player.choose(Limits(depth=1))
    for move in segment.opening:
        position.play(move)
    while len(position.moves) < len(segment.opening) + segment.plies and position.outcome() is None:
        player.set_position(position.moves)
        meter.begin(" ".join(filter(None, (" ".join(segment.opening), f"ply {len(position.moves) + 1}"))))
        move = player.choose(Limits(move_time_ms=segment.move_ms)).move
        meter.end()
        if not move or move == RESIGN:
            break
        position.play(move)
    player.close()
