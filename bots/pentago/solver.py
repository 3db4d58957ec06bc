"""Exact solver for positions with few empty squares: the value, and the moves that reach it.

It works backwards from the full board. Level n holds all positions that can follow with n marbles more than the
position to solve; it is computed from level n + 1, the one above. bots/pentago/kernels/retrograde.py explains the
method and the terms choice, entry, tile, block and low square.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, product
from math import comb
from operator import sub
from typing import TYPE_CHECKING

from bots.pentago.layout import BLOCK_SQUARES, CELLS, MAX_LOW_SQUARES, PLACEMENT
from core.native.library import copy_state, new_array
from core.native.memory import memory_limit
from core.search.clock import CLOCK
from core.system.threads import running_threads

if TYPE_CHECKING:
    from bots.pentago.kernels.boundary import Kernels, Pentago

MAX_EMPTY = 19  # empty squares; takes 1.8 GB, and three times as much with each further square
MEMORY_SHARE = 0.5  # fraction of the process's memory limit that the solver may use
FORECAST_SHARE = 0.1  # fraction of the work after which its total time is forecast
ENTRY_BYTES = 32  # per position
FIVES_BYTES = 64  # per set of empty squares
HUGE_PAGES_EMPTY = 15  # from here on the arrays use huge pages
MIN_PARALLEL_SIZE = 30_000  # positions in a block from which it is shared among threads


@dataclass(frozen=True)
class Proof:
    """The value of a position, and the moves that reach it."""

    value: int  # for the side to move: 1 win, 0 draw, -1 loss
    moves: frozenset[int]  # codes (bots/pentago/layout.py)


def level_size(empty_count: int, level: int) -> int:
    """Return the number of positions of a level: sets of `level` empty squares, times choices of their owners.

    The first side, which is to move in the position to solve, owns half of these squares, rounded up.
    """
    return comb(empty_count, level) * comb(level, (level + 1) // 2)


def block_sizes(empty_count: int, level: int) -> list[int]:
    """Return the number of positions in each block of a level.

    A block is one choice of contents of the highest squares (empty, first side, second side), with all choices of the
    others.
    """
    other_squares = min(empty_count, max(MAX_LOW_SQUARES, empty_count - BLOCK_SQUARES))
    sizes = []
    for owners in product(range(3), repeat=empty_count - other_squares):  # 0 empty, 1 first side, 2 second side
        # Marbles on the other squares: of both sides, and of the first side.
        count = level - len(owners) + owners.count(0)
        first_count = (level + 1) // 2 - owners.count(1)
        sizes.append(comb(other_squares, count) * comb(count, first_count) if 0 <= first_count <= count else 0)
    return sizes


def layout_levels(empty_count: int) -> tuple[list[int], int]:
    """Return the index of each level's first entry, and the total number of entries.

    A level overlaps the one above it to save memory. It starts so low that each of its blocks ends before the block of
    the same number above begins: that block and later ones are still needed to compute it.
    """
    starts = [0] * (empty_count + 1)
    sizes_above = block_sizes(empty_count, empty_count)
    end = sum(sizes_above)
    for level in range(empty_count - 1, -1, -1):
        sizes = block_sizes(empty_count, level)
        starts[level] = starts[level + 1] - max(map(sub, accumulate(sizes), accumulate(sizes_above, initial=0)))
        end = max(end, starts[level] + sum(sizes))
        sizes_above = sizes
    return [start - starts[0] for start in starts], end - starts[0]


def memory_bytes(empty_count: int) -> int:
    """Return the memory that solving a position with `empty_count` empty squares takes, but for some small arrays."""
    return ENTRY_BYTES * layout_levels(empty_count)[1] + (FIVES_BYTES << empty_count)


def prove(library: Kernels, state: Pentago, legal: list[int], deadline: int, threads: int = 1) -> Proof | None:
    """Solve the state's position; return None if the solver is stopped or will not finish by `deadline`.

    `legal` are the legal moves. `deadline` is in clock ticks, 0 for none. The total time is forecast after each level,
    once a tenth of the work is done. Raise `MemoryError` if there is not enough memory.
    """
    state.nodes, state.next_poll, state.node_limit, state.aborted, state.deadline = 0, 0, 0, 0, deadline
    empty_count = CELLS - (state.white | state.black).bit_count()
    if memory_bytes(empty_count) > MEMORY_SHARE * memory_limit():
        raise MemoryError(f"{memory_bytes(empty_count)} bytes to solve {empty_count} empty squares")
    tables = SolutionTables(library, state, empty_count, threads)
    if not tables.solve():
        return None
    for value in (1, 0):
        reaching = [move for move in legal if tables.reaches(move, value)]
        if reaching:
            return Proof(value, frozenset(reaching))
    return Proof(-1, frozenset(legal))


class SolutionTables:
    """The arrays of one solution; bots/pentago/kernels/retrograde.py describes their contents."""

    def __init__(self, library: Kernels, state: Pentago, empty_count: int, threads: int):
        """Allocate the arrays for a position with `empty_count` empty squares."""
        self._library, self._state, self._empty_count = library, state, empty_count
        huge_pages = empty_count >= HUGE_PAGES_EMPTY
        self._fives = new_array("u64", 8 << empty_count, huge_pages)
        low_count = min(empty_count, MAX_LOW_SQUARES)  # number of low squares
        self._choices = new_array("u16", 2 * 3**low_count)
        # On average a third of a choice's squares are empty.
        self._children = new_array("u16", max(2 * low_count * 3 ** (low_count - 1), 1))
        self._tiles = new_array("u64", 2 * 3 ** (empty_count - low_count))
        self._states = [state, *(library.new("Pentago") for _ in range(threads - 1))]  # one per thread
        self._level_starts, entry_count = layout_levels(empty_count)
        self._entries = new_array("u64", ENTRY_BYTES // 8 * entry_count, huge_pages)

    def solve(self) -> bool:
        """Compute the levels from the full board down; return False if stopped or too slow for the deadline."""
        started = CLOCK.now()
        if not self._library.init_slices(self._state, self._fives):
            return False
        if not self._library.init_low_choices(self._state, self._choices, self._children):
            return False
        # Work by level: its number of positions times (their number of empty squares + 1).
        costs = [
            level_size(self._empty_count, level) * (self._empty_count - level + 1)
            for level in range(self._empty_count + 1)
        ]
        for level in range(self._empty_count, 0, -1):
            if not self._solve_level(level) or self._will_be_late(started, sum(costs[level:]) / sum(costs)):
                return False
        return True

    def _will_be_late(self, started: int, done_share: float) -> bool:
        """Return whether, at the present pace, the work will end after the deadline; False before FORECAST_SHARE."""
        deadline, now = self._state.deadline, CLOCK.poll()
        return bool(deadline) and done_share > FORECAST_SHARE and started + (now - started) / done_share > deadline

    def _solve_level(self, level: int) -> bool:
        """Compute a level block by block; return False if the search was stopped."""
        self._library.init_level(self._state, self._tiles, level, self._level_starts[level])
        for state in self._states[1:]:
            copy_state(self._state, state)
            CLOCK.install(state)
        sizes = block_sizes(self._empty_count, level)
        return all(self._solve_block(level, block, size) for block, size in enumerate(sizes) if size)

    def _solve_block(self, level: int, block: int, size: int) -> bool:
        """Compute a block, by several threads if it is large; return False if the search was stopped."""
        workers = len(self._states) if size >= MIN_PARALLEL_SIZE else 1
        is_finished = [False] * workers

        def work(worker: int) -> None:
            """Compute one thread's part of the block."""
            arrays = self._fives, self._choices, self._children, self._tiles, self._entries
            is_finished[worker] = bool(
                self._library.solve_block(self._states[worker], *arrays, level, block, worker, workers)
            )

        def stop() -> None:
            """Stop the other threads if this one was stopped."""
            if not is_finished[0]:
                for state in self._states[1:]:
                    state.stop = 1

        with running_threads(work, range(1, workers), stop) as helpers:
            work(0)
            for worker in range(1 + len(helpers), workers):  # parts for which no thread could be started
                if is_finished[0]:
                    work(worker)
        return all(is_finished)

    def reaches(self, move: int, value: int) -> bool:
        """Return whether a legal move wins (`value` 1) or at least draws (0), by the entries of level 1."""
        if move >= PLACEMENT:  # without a rotation, which is legal only if the placement wins
            return True
        cell, turn = divmod(move - 1, 8)
        quadrant, turns = turn // 2, 1 if turn % 2 else 3  # clockwise quarter turns
        square = list(self._state.slice_cells[: self._empty_count]).index(cell)
        # Word and bit of the entry for this rotation, as at the top of retrograde.py.
        half, bit = (turns // 2, 0) if quadrant == 0 else (0, turns << 2 * (quadrant - 1))
        return bool(self._entries[self._entry_index(square) + 2 * (1 - value) + half] >> bit & 1)

    def _entry_index(self, square: int) -> int:
        """Return the index in `_entries` of the entry of level 1 that has a marble on an empty square.

        `square` is the square's index among the empty ones; the low squares come first.
        """
        low_count, odd_start = self._state.low_count, len(self._tiles) // 2  # the second half is for odd levels
        if square < low_count:
            return int(self._tiles[odd_start] + 4 * square)
        return int(self._tiles[odd_start + 3 ** (square - low_count)])
