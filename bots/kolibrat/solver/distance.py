"""The shortest way to a win or the longest to a loss, by the full-width search of bots/kolibrat/kernels/paper.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.native.library import new_array
from core.search.clock import CLOCK
from core.search.scores import win_distance
from core.search.table_size import table_words

if TYPE_CHECKING:
    from bots.kolibrat.kernels.boundary import Kernels, Kolibrat

MOST_NODES = 1_000_000  # a second or two
TABLE_BYTES = 16 << 20


@dataclass(frozen=True)
class Bounds:
    """How far to look: plies within which a win or a loss is known, and what the search may take."""

    plies: int
    nodes: int
    time_ms: float | None


@dataclass(frozen=True)
class Shortest:
    """A move that wins in the fewest plies or loses in the most, and how many these are."""

    move: int
    plies: int


def find_shortest(library: Kernels, state: Kolibrat, moves: list[int], bounds: Bounds) -> Shortest | None:
    """Of the position in the record, its legal `moves`; None where the bounds do not suffice, or somebody says stop.

    A depth at a time, so that the first end
    that is found is the shortest: nothing is pruned, and what a table entry says holds for its depth alone.
    """
    table = new_array("u64", table_words(TABLE_BYTES))
    state.nodes, state.next_poll, state.aborted, state.node_limit = 0, 0, 0, bounds.nodes
    state.deadline = CLOCK.deadline_in(bounds.time_ms)
    state.root_move_count = len(moves)
    state.root_moves[: len(moves)] = moves
    for depth in range(1, bounds.plies + 1):
        distance = win_distance(library.minimax_root(state, table, depth))
        if state.aborted:
            return None
        if distance is not None:
            return Shortest(state.root_moves[0], abs(distance))
    return None
