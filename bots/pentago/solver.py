"""The exact solver: the value of a position with few empty squares, and which moves reach it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, product
from math import comb
from operator import sub
from typing import TYPE_CHECKING

from bots.pentago.layout import BLOCK_SQUARES, CELLS, LOW, PLACEMENT
from core.native.library import copy_state, new_array
from core.native.memory import memory_limit
from core.search.clock import CLOCK
from core.system.threads import running_threads

if TYPE_CHECKING:
    from bots.pentago.kernels.boundary import Kernels, Pentago

MAX_EMPTY = 19  # of the retrograde solver: it takes 1.8 GB there, three times as much with each square
MEMORY_SHARE = 0.5  # of what the process may have
SURE_SHARE = 0.1  # of the work, after which it can be told how long the whole will take
ENTRY_BYTES, FIVES_BYTES = 32, 64
LARGE_EMPTY = 15  # from here on the memory is worth huge pages
SHARED_SIZE = 30_000  # positions of a block that are worth starting threads for


@dataclass(frozen=True)
class Proof:
    """The value for the side to move, 1, 0 or -1, and the moves that reach it."""

    value: int
    moves: frozenset[int]


def level_size(empty: int, placed: int) -> int:
    """Positions of a level: sets of squares, and the parts of them that the side to move at the root has taken."""
    return comb(empty, placed) * comb(placed, (placed + 1) // 2)


def block_sizes(empty: int, placed: int) -> list[int]:
    """Positions of each block of a level, in order; a choice on the highest squares and all choices on the others."""
    others = min(empty, max(LOW, empty - BLOCK_SQUARES))
    sizes = []
    for owners in product(range(3), repeat=empty - others):
        rest, first = placed - len(owners) + owners.count(0), (placed + 1) // 2 - owners.count(1)
        sizes.append(comb(others, rest) * comb(rest, first) if 0 <= first <= rest else 0)
    return sizes


def lay_out(empty: int) -> tuple[list[int], int]:
    """Where each level begins in the memory, in entries, and how many entries that takes.

    A level lies over the one above it, as low as needed for each of its blocks to end before what it is made from: the
    block of the same number and those after it (bots/pentago/kernels/retrograde.py).
    """
    starts = [0] * (empty + 1)
    above = block_sizes(empty, empty)
    end = sum(above)
    for placed in range(empty - 1, -1, -1):
        sizes = block_sizes(empty, placed)
        starts[placed] = starts[placed + 1] - max(map(sub, accumulate(sizes), accumulate(above, initial=0)))
        end = max(end, starts[placed] + sum(sizes))
        above = sizes
    return [start - starts[0] for start in starts], end - starts[0]


def memory_bytes(empty: int) -> int:
    """What a solution takes."""
    return ENTRY_BYTES * lay_out(empty)[1] + (FIVES_BYTES << empty)


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
        huge_pages = empty >= LARGE_EMPTY
        self._fives = new_array("u64", 8 << empty, huge_pages)
        low = min(empty, LOW)
        self._choices = new_array("u16", 2 * 3**low)
        self._children = new_array("u16", max(2 * low * 3 ** (low - 1), 1))  # each choice has a third of them empty
        self._tiles = new_array("u64", 2 * 3 ** (empty - low))
        self._states = [state, *(library.new("Pentago") for _ in range(threads - 1))]
        self._starts, size = lay_out(empty)
        self._entries = new_array("u64", ENTRY_BYTES // 8 * size, huge_pages)

    def solve(self) -> bool:
        """Fill the levels from the full board down to the first; False where stopped, or too slow for the deadline."""
        started = CLOCK.now()
        if not self._library.begin_slices(self._state, self._fives):
            return False
        if not self._library.begin_low(self._state, self._choices, self._children):
            return False
        work = [level_size(self._empty, placed) * (self._empty - placed + 1) for placed in range(self._empty + 1)]
        for placed in range(self._empty, 0, -1):
            if not self._solve_level(placed) or self._is_late(started, sum(work[placed:]) / sum(work)):
                return False
        return True

    def _is_late(self, started: int, share: float) -> bool:
        """Whether at this pace the whole will end after the deadline; `share` of it is done."""
        deadline, now = self._state.deadline, CLOCK.poll()
        return bool(deadline) and share > SURE_SHARE and started + (now - started) / share > deadline

    def _solve_level(self, placed: int) -> bool:
        """Fill a level block by block; False where the search was stopped."""
        self._library.begin_level(self._state, self._tiles, placed, self._starts[placed])
        for state in self._states[1:]:
            copy_state(self._state, state)
            CLOCK.install(state)
        sizes = block_sizes(self._empty, placed)
        return all(self._solve_block(placed, block, size) for block, size in enumerate(sizes) if size)

    def _solve_block(self, placed: int, block: int, size: int) -> bool:
        """Share the tiles of a block out among the threads where it is worth it; False where the search was stopped."""
        shares = len(self._states) if size >= SHARED_SIZE else 1
        done = [False] * shares

        def work(number: int) -> None:
            """Fill one thread's share."""
            arrays = self._fives, self._choices, self._children, self._tiles, self._entries
            done[number] = bool(self._library.solve_block(self._states[number], *arrays, placed, block, number, shares))

        def stop() -> None:
            """End the other threads unless this one has done its share."""
            if not done[0]:
                for state in self._states[1:]:
                    state.stop = 1

        with running_threads(work, range(1, shares), stop) as helpers:
            work(0)
            for number in range(1 + len(helpers), shares):  # for these there were no threads
                if done[0]:
                    work(number)
        return all(done)

    def reaches(self, move: int, value: int) -> bool:
        """Whether a legal move wins (1) or at least does not lose (0), from the entries of level 1."""
        if move >= PLACEMENT:
            return True
        cell, turn = divmod(move - 1, 8)
        quadrant, turns = turn // 2, 1 if turn % 2 else 3
        square = list(self._state.slice_cells[: self._empty]).index(cell)
        half, bit = (turns // 2, 0) if quadrant == 0 else (0, turns << 2 * (quadrant - 1))
        return bool(self._entries[self._place(square) + 2 * (1 - value) + half] >> bit & 1)

    def _place(self, square: int) -> int:
        """Where the entry of level 1 begins that has a marble on an empty square."""
        low, odd = self._state.low_count, len(self._tiles) // 2
        if square < low:
            return int(self._tiles[odd] + 4 * square)
        return int(self._tiles[odd + 3 ** (square - low)])
