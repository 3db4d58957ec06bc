"""Playing out what is proven: who wins by virtual connections or by search, and the move that ends the game soon."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.hex.position import NEIGHBOUR_OFFSETS, STRIDE, HexPosition, cell_index, format_cell
from bots.hex.solver.solve import new_solver_state
from core.native.library import ArrayField, new_array
from core.native.memory import allocate_largest
from core.play.pending_warnings import PendingWarnings
from core.play.stop import StopToken
from core.search.clock import CLOCK
from core.search.iterative_deepening import TranspositionTable
from core.search.mcts_search import Tree
from core.search.mcts_tree import LOST, UNKNOWN, WON

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import HexPlayout, HexSolver, Kernels

TABLE_WORDS = 1 << 22  # 32 MiB: 260,000 positions
MIN_TABLE_WORDS = 1 << 16  # with which a proof is worth trying
MAX_TICKS = (1 << 63) - 1
UNREACHABLE = 362  # more than any board has cells
MAX_MOVES_TRIED = 8  # moves that are looked at for one that wins sooner


@dataclass(frozen=True)
class PoolResult:
    """What a proof has found out for the side to move. If it has WON, the first of `cells` wins and others may; with no
    cells, all win."""

    result: int  # WON, LOST or UNKNOWN
    cells: tuple[int, ...] = ()


class SolverPool:
    """Solver records for the threads of a search, and one for proofs with a table of its own.

    `warnings` tell what there was no memory for.
    """

    def __init__(self, library: Kernels) -> None:
        self.warnings = PendingWarnings()
        self._library = library
        self._playout = library.new("HexPlayout")
        self._solvers: list[HexSolver] = []
        self._table: TranspositionTable | None = None
        self._size = (0, 0)
        self._deadline = 0  # of the move, in ticks of CLOCK; 0 for none

    def set_deadline(self, milliseconds: float | None) -> None:
        """Leave studies and judgements of a move unfinished when its time is over; None for no limit."""
        self._deadline = 0 if milliseconds is None else _ticks_after(milliseconds)
        for solver in self._solvers:
            solver.deadline = self._deadline

    def clear(self) -> None:
        """Forget what has been proven."""
        self._table = None

    def prepare(self, position: HexPosition, threads: int) -> bool:
        """Have a solver for each thread on the position's board; False if there is no memory for them."""
        width, height = position.setup.width, position.setup.height
        if self._size != (width, height):
            self._size, self._table = (width, height), None
            self._solvers = []
        with suppress(MemoryError):
            while len(self._solvers) < threads:
                solver = new_solver_state(self._library, position.setup)
                self._library.solver_load(solver, position.state)
                solver.deadline = self._deadline
                self._solvers.append(solver)
        if len(self._solvers) < threads:
            self.warnings.add(f"no memory for {threads} solvers of virtual connections")
        return len(self._solvers) >= threads

    def linked(self, stop: StopToken) -> AbstractContextManager[None]:
        """Let a token end what the solvers do in a block; `fit` comes before."""
        return stop.linked(*self._solvers)

    def call_solver(self, state: HexPlayout, number: int, tree: Tree) -> None:
        """Judge the node at which a thread's search has stopped; see bots/hex/kernels/tree/study.py."""
        self._library.call_solver(state, self._solvers[number], tree)

    def static_result(self, position: HexPosition) -> PoolResult:
        """What virtual connections alone prove of a position that is not over; UNKNOWN if its time ends before.

        `fit` comes before.
        """
        solver = self._solvers[0]
        self._library.set_root(position.state, self._playout)
        result = self._library.static_result_of_root(self._playout, solver)
        if result != WON:
            return PoolResult(result)
        key = [self._cell(solver.key_move)] if solver.key_move > 0 else []
        return PoolResult(WON, (*key, *self._cells(solver.carrier)))

    def prove(self, position: HexPosition, milliseconds: float) -> PoolResult:
        """What search proves of a position within a time."""
        solver = self._solvers[0]
        if self._table is None:
            self._table = allocate_largest(TABLE_WORDS, MIN_TABLE_WORDS, lambda words: new_array("u64", words))
        if self._table is None:
            self.warnings.add("no memory for proofs")
            return PoolResult(UNKNOWN)
        self._library.solver_load(solver, position.state)
        solver.node_limit, solver.deadline = 0, min(_ticks_after(milliseconds), self._deadline or MAX_TICKS)
        result = self._library.solve(solver, self._table, position.to_move)
        solver.deadline = self._deadline
        best = int(solver.best_move)
        return PoolResult(result, (self._cell(best),) if result == WON and best else ())

    def winning_move(self, position: HexPosition, proven: PoolResult, deadline_s: float = math.inf) -> int:
        """A move that keeps a proven win; of those near the shortest chain one after which it is shortest.

        From `deadline_s` on, by the clock of time.perf_counter, the first that keeps it will do.
        """
        cells = proven.cells or tuple(position.parse(move) for move in position.legal_moves())
        chains = count_missing_stones(position, position.to_move)
        ranked = sorted(cells, key=lambda cell: chains.after_stone.get(cell, chains.now))
        for cell in ranked[:MAX_MOVES_TRIED]:
            if time.perf_counter() >= deadline_s:
                break
            position.play(format_cell(cell))
            won = position.outcome() is not None or self.static_result(position).result == LOST
            position.undo()
            if won:
                return cell
        return cells[0]

    def _cells(self, words: ArrayField[int]) -> list[int]:
        ends = 2 + self._size[0] * self._size[1]
        return [self._cell(cell) for cell in range(2, ends) if words[cell >> 6] >> (cell & 63) & 1]

    def _cell(self, cell: int) -> int:
        width = self._size[0]
        return cell_index((cell - 2) % width, (cell - 2) // width)


@dataclass(frozen=True)
class MissingStones:
    """Stones that a colour lacks for its shortest chain between its edges; MAX_STONES if it cannot have one."""

    now: int
    after_stone: Mapping[int, int]  # the same after one more stone of its own, by its cell


def immediate_win(position: HexPosition, excluded: Sequence[int]) -> int:
    """A cell that closes the chain of the side to move at once, or 0."""
    chains = count_missing_stones(position, position.to_move)
    if chains.now != 1:
        return 0
    closing = (cell for cell, lacking in chains.after_stone.items() if lacking == 0 and cell not in excluded)
    return next(closing, 0)


def count_missing_stones(position: HexPosition, colour: int) -> MissingStones:
    """Return how many stones a colour lacks for a chain, now and after a stone on each of the empty cells.

    A chain through a cell is a way from each edge to it: two walks over the board tell them all.
    """
    width, height = position.setup.width, position.setup.height
    size = (height, width)[colour]
    here, there = (_stones_needed_from(position, colour, edge) for edge in (0, size - 1))
    board = [cell_index(x, y) for y in range(height) for x in range(width)]
    goal = [cell for cell in board if (cell // STRIDE, cell % STRIDE)[colour] == size]
    shortest = min((here[cell] for cell in goal if cell in here), default=UNREACHABLE)
    contents = position.state.cells[:]
    through = {
        cell: here[cell] + there[cell] - 2
        if cell in here and cell in there
        else UNREACHABLE  # the stone counts in both
        for cell in board
        if not contents[cell]
    }
    return MissingStones(shortest, {cell: min(lacking, shortest) for cell, lacking in through.items()})


def _stones_needed_from(position: HexPosition, colour: int, line: int) -> dict[int, int]:
    """Empty cells on the shortest way from a row of the board, or a column for colour 1, to each cell, itself included.

    Cells that the other colour cuts off are left out.
    """
    width, height = position.setup.width, position.setup.height
    cells = position.state.cells[:]
    fronts: list[list[int]] = [[], []]  # cells by the empty ones on the way to them
    for place in range((width, height)[colour]):
        cell = cell_index(line, place) if colour else cell_index(place, line)
        if cells[cell] in (0, colour + 1):
            fronts[cells[cell] == 0].append(cell)
    found: dict[int, int] = {}
    for count, front in enumerate(fronts):  # fronts and front grow while they are read: a stone costs nothing
        if front or count == 0:
            fronts.append([])
        for cell in front:
            if cell in found:
                continue
            found[cell] = count
            for step in NEIGHBOUR_OFFSETS:
                x, y = (cell + step) % STRIDE - 1, (cell + step) // STRIDE - 1
                if 0 <= x < width and 0 <= y < height and cells[cell + step] in (0, colour + 1):
                    fronts[count + (cells[cell + step] == 0)].append(cell + step)
    return found


def _ticks_after(milliseconds: float) -> int:
    return CLOCK.now() + int(milliseconds * CLOCK.ticks_per_ms)
