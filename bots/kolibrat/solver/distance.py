"""Finds the exact distance to a win or loss that the engine's search has proven.

The engine's search proves who wins, but not the shortest way. `KolibratEngine.solve` uses this module, which deepens
the full-width search of bots/kolibrat/kernels/paper.py until it finds the shortest win or the longest resistance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.native.library import new_array
from core.search.scores import win_distance
from core.search.table_size import table_words
from core.search.timed_search import TimedSearch

if TYPE_CHECKING:
    from bots.kolibrat.kernels.boundary import Kernels, Kolibrat

MAX_NODES = 1_000_000  # default; takes one or two seconds
TABLE_BYTES = 16 << 20


def find_exact_distance(
    library: Kernels, state: Kolibrat, moves: list[int], proven_plies: int, nodes: int, time_ms: float | None
) -> tuple[int, int] | None:
    """Return the best of the legal `moves`, and after how many plies it wins, or loses with best play of both sides.

    The win or loss is already proven to be at most `proven_plies` away. Return None if the search reaches the limit of
    nodes or milliseconds (None for no time limit), is stopped, or finds no win or loss within `proven_plies`.

    The depth grows by one ply at a time, so the first proven result is the shortest. This holds because the search
    prunes nothing but by alpha-beta cutoffs, and uses a table entry for its own depth only.
    """
    table = new_array("u64", table_words(TABLE_BYTES))
    TimedSearch(state).set_limits(nodes, time_ms)
    state.root_move_count = len(moves)
    state.root_moves[: len(moves)] = moves
    for depth in range(1, proven_plies + 1):
        distance = win_distance(library.minimax_root(state, table, depth))
        if state.aborted:
            return None
        if distance is not None:
            return state.root_moves[0], abs(distance)
    return None
