"""The exact solver: the value of a position with few empty squares, and which moves reach it."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

from bots.pentago.layout import CELLS, PLACEMENT
from core.native.library import copy_record, new_array
from core.search.clock import CLOCK
from core.system.threads import start_threads

if TYPE_CHECKING:
    from bots.pentago.kernels.boundary import Kernels, Pentago

MAX_EMPTY = 18  # of the retrograde solver: its memory is 512 MiB there and grows fourfold with each square
LARGE_EMPTY = 15  # from here on the memory is worth huge pages


@dataclass(frozen=True)
class Proof:
    """The value for the side to move, 1, 0 or -1, and the moves that reach it."""

    value: int
    moves: frozenset[int]


def level_size(empty: int, placed: int) -> int:
    """Positions of a level: sets of squares, and the parts of them that the side to move at the root has taken."""
    return comb(empty, placed) * comb(placed, (placed + 1) // 2)


def prove(library: Kernels, state: Pentago, legal: list[int], deadline: int, threads: int = 1) -> Proof | None:
    """Solve the position in the record; None where `deadline` (clock ticks, 0 for none) or a stop came first.

    Raise MemoryError where there is no room for it.
    """
    state.nodes, state.next_poll, state.node_limit, state.aborted, state.deadline = 0, 0, 0, 0, deadline
    empty = CELLS - (state.white | state.black).bit_count()
    tables = Tables(library, state, empty, threads)
    if not tables.begin():
        return None
    for value in (1, 0):
        good = tables.solve(value, legal)
        if good is None:
            return None
        if good:
            return Proof(value, frozenset(good))
    return Proof(-1, frozenset(legal))


def nth_set(number: int, size: int) -> int:
    """The set of squares, as bits, that has this number among those of its size (Knuth, TAOCP 7.2.1.3, theorem L)."""
    result = 0
    for left in range(size, 0, -1):
        square = left - 1
        while comb(square + 1, left) <= number:
            square += 1
        result |= 1 << square
        number -= comb(square, left)
    return result


class Tables:
    """The memory of one solution; see bots/pentago/kernels/retrograde.py."""

    def __init__(self, library: Kernels, state: Pentago, empty: int, threads: int):
        self._library, self._state, self._empty = library, state, empty
        is_busy = empty >= LARGE_EMPTY
        self._ranks = new_array("u64", 1 << empty, is_busy)
        self._wins = new_array("u64", 8 << empty, is_busy)
        widest = max((size + 2) * comb(size, (size + 1) // 2) for size in range(empty + 1))
        self._inserted = new_array("u64", widest)
        self._parts = [new_array("u64", 3 * comb(empty, (empty + 1) // 2)) for _ in range(threads)]
        self._states = [state, *(library.new("Pentago") for _ in range(threads - 1))]
        sizes = [level_size(empty, placed) for placed in range(empty + 1)]
        self._levels = [new_array("u64", 2 * max(sizes[parity::2], default=1), is_busy) for parity in (0, 1)]

    def begin(self) -> bool:
        """Number everything; False where the search was stopped."""
        return bool(self._library.begin_slices(self._state, self._ranks, self._wins))

    def solve(self, value: int, legal: list[int]) -> list[int] | None:
        """The moves that reach a win (1) or at least a draw (0); None where the search was stopped."""
        self._state.slice_draws[:] = [int(value == 0), int(value == 1)]
        for helper in self._states[1:]:
            copy_record(self._state, helper)
        for placed in range(self._empty, 0, -1):
            self._library.begin_level(self._state, self._ranks, self._inserted, placed)
            if not self._solve_level(placed):
                return None
        return [move for move in legal if self._is_good(move)]

    def _solve_level(self, placed: int) -> bool:
        """Share the sets of a level out among the threads; False where the search was stopped."""
        sets = comb(self._empty, placed)
        shares = [sets * number // len(self._states) for number in range(len(self._states) + 1)]
        done = [False] * len(self._states)

        def work(number: int, state: Pentago) -> None:
            """Fill one thread's share."""
            first, end = shares[number], shares[number + 1]
            done[number] = first == end or bool(
                self._library.solve_sets(
                    state,
                    self._ranks,
                    self._wins,
                    self._inserted,
                    self._parts[number],
                    self._levels[(placed + 1) % 2],
                    self._levels[placed % 2],
                    nth_set(first, placed),
                    first,
                    end - first,
                )
            )

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

    def _is_good(self, move: int) -> bool:
        """Whether a legal move reaches the goal, from the entries of level 1."""
        if move >= PLACEMENT:
            return True
        cell, turn = divmod(move - 1, 8)
        quadrant, turns = turn // 2, 1 if turn % 2 else 3
        index = list(self._state.slice_cells[: self._empty]).index(cell)
        word, bit = (turns // 2, 0) if quadrant == 0 else (0, turns << 2 * (quadrant - 1))
        return bool(self._levels[1][2 * index + word] >> bit & 1)


def deadline_in(milliseconds: float | None) -> int:
    """Clock ticks so long from now; 0 for no limit."""
    return 0 if milliseconds is None else max(CLOCK.now() + int(milliseconds * CLOCK.ticks_per_ms), 1)
