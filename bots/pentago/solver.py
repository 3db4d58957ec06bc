"""The exact solver: the value of a position with few empty squares, and which moves reach it."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

from bots.pentago.layout import CELLS, LOW, PLACEMENT
from core.native.library import copy_record, new_array
from core.native.memory import memory_limit
from core.search.clock import CLOCK
from core.system.threads import start_threads

if TYPE_CHECKING:
    from bots.pentago.kernels.boundary import Kernels, Pentago

MAX_EMPTY = 19  # of the retrograde solver: it takes 2.9 GB there, three times as much with each square
MEMORY_SHARE = 0.5  # of what the process may have
SURE_SHARE = 0.1  # of the work, after which it can be told how long the whole will take
ENTRY_BYTES, FIVES_BYTES = 32, 64
LARGE_EMPTY = 15  # from here on the memory is worth huge pages


@dataclass(frozen=True)
class Proof:
    """The value for the side to move, 1, 0 or -1, and the moves that reach it."""

    value: int
    moves: frozenset[int]


def level_size(empty: int, placed: int) -> int:
    """Positions of a level: sets of squares, and the parts of them that the side to move at the root has taken."""
    return comb(empty, placed) * comb(placed, (placed + 1) // 2)


def level_sizes(empty: int) -> list[int]:
    """Positions of the two levels that are kept at a time, at most: of even and odd numbers of marbles placed."""
    sizes = [level_size(empty, placed) for placed in range(empty + 1)]
    return [max(sizes[parity::2], default=1) for parity in (0, 1)]


def memory_bytes(empty: int) -> int:
    """What a solution takes."""
    return ENTRY_BYTES * sum(level_sizes(empty)) + (FIVES_BYTES << empty)


def prove(library: Kernels, state: Pentago, legal: list[int], deadline: int, threads: int = 1) -> Proof | None:
    """Solve the position in the record; None where a stop came first, or it cannot be done by `deadline`.

    That is in clock ticks, 0 for none; it is seen after a tenth of the work. Raise MemoryError where there is no room.
    """
    state.nodes, state.next_poll, state.node_limit, state.aborted, state.deadline = 0, 0, 0, 0, deadline
    empty = CELLS - (state.white | state.black).bit_count()
    if memory_bytes(empty) > MEMORY_SHARE * memory_limit():
        raise MemoryError(f"{memory_bytes(empty)} bytes to solve {empty} empty squares")
    tables = Tables(library, state, empty, threads)
    if not tables.solve():
        return None
    for value in (1, 0):
        good = [move for move in legal if tables.reaches(move, value)]
        if good:
            return Proof(value, frozenset(good))
    return Proof(-1, frozenset(legal))


class Tables:
    """The memory of one solution; see bots/pentago/kernels/retrograde.py."""

    def __init__(self, library: Kernels, state: Pentago, empty: int, threads: int):
        self._library, self._state, self._empty = library, state, empty
        is_busy = empty >= LARGE_EMPTY
        self._fives = new_array("u64", 8 << empty, is_busy)
        low = min(empty, LOW)
        self._taken, self._first = new_array("u16", 3**low), new_array("u16", 3**low)
        self._children = new_array("u16", max(2 * low * 3 ** (low - 1), 1))  # each choice has a third of them empty
        self._states = [state, *(library.new("Pentago") for _ in range(threads - 1))]
        words = ENTRY_BYTES // 8
        self._levels = [new_array("u64", words * size, is_busy) for size in level_sizes(empty)]

    def solve(self) -> bool:
        """Fill the levels from the full board down to the first; False where stopped, or too slow for the deadline."""
        started = CLOCK.now()
        if not self._library.begin_slices(self._state, self._fives):
            return False
        self._library.begin_low(self._state, self._taken, self._first, self._children)
        work = [level_size(self._empty, placed) * (self._empty - placed + 1) for placed in range(self._empty + 1)]
        for placed in range(self._empty, 0, -1):
            self._library.begin_level(self._state, placed)
            if not self._solve_level(placed) or self._is_late(started, sum(work[placed:]) / sum(work)):
                return False
        return True

    def _is_late(self, started: int, share: float) -> bool:
        """Whether at this pace the whole will end after the deadline; `share` of it is done."""
        deadline, now = self._state.deadline, CLOCK.now()
        return bool(deadline) and share > SURE_SHARE and started + (now - started) / share > deadline

    def _solve_level(self, placed: int) -> bool:
        """Share the tiles of a level out among the threads; False where the search was stopped."""
        done = [False] * len(self._states)

        def work(number: int, state: Pentago) -> None:
            """Fill one thread's share."""
            above, entries = self._levels[(placed + 1) % 2], self._levels[placed % 2]
            choices = self._taken, self._first, self._children
            shares = len(self._states)
            arrays = self._fives, *choices, above, entries
            done[number] = bool(self._library.solve_tiles(state, *arrays, placed, number, shares))

        for state in self._states[1:]:
            copy_record(self._state, state)
            CLOCK.install(state)
        helpers = start_threads(lambda number: work(number, self._states[number]), range(1, len(self._states)))
        work(0, self._state)
        for number in range(1 + len(helpers), len(self._states)):  # for these there were no threads
            if done[0]:
                work(number, self._state)
        if not done[0]:
            for state in self._states[1:]:
                state.stop = 1
        for helper in helpers:
            helper.join()
        return all(done)

    def reaches(self, move: int, value: int) -> bool:
        """Whether a legal move wins (1) or at least does not lose (0), from the entries of level 1."""
        if move >= PLACEMENT:
            return True
        cell, turn = divmod(move - 1, 8)
        quadrant, turns = turn // 2, 1 if turn % 2 else 3
        square = list(self._state.slice_cells[: self._empty]).index(cell)
        half, bit = (turns // 2, 0) if quadrant == 0 else (0, turns << 2 * (quadrant - 1))
        return bool(self._levels[1][self._place(square, 2 * (1 - value) + half)] >> bit & 1)

    def _place(self, square: int, word: int) -> int:
        """Where level 1 has a word of the entry with a marble on an empty square."""
        low, starts = self._state.low_count, self._state.tiles_at
        if square < low:
            return int(4 * starts[0][0] + word * low + square)
        return int(4 * (starts[1][1] + square - low) + word)


def deadline_in(milliseconds: float | None) -> int:
    """Clock ticks so long from now; 0 for no limit."""
    return 0 if milliseconds is None else max(CLOCK.now() + int(milliseconds * CLOCK.ticks_per_ms), 1)
