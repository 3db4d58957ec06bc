"""Solver states for the tree search of bots/hex/engine.py, one per search thread.

The first one also runs the proofs before a search, and chooses a winning move that ends the game soon.

Cells are those of the padded board (`cell_index`), unless a comment calls them the solver's.
"""

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

PROOF_TABLE_WORDS = 1 << 22  # 32 MiB: 260,000 positions
MIN_TABLE_WORDS = 1 << 16  # smallest transposition table that is worth using
MAX_TICKS = (1 << 63) - 1  # a deadline that is never reached
UNREACHABLE = 362  # more stones than any board has cells
MAX_MOVES_TRIED = 8  # candidates that are tested for a winning move that ends the game soon


@dataclass(frozen=True)
class PoolResult:
    """A proven result for the side to move, or UNKNOWN.

    `cells` belongs to WON: its first cell is a winning move, and the others may be. If it is empty, every move wins.
    """

    result: int  # WON, LOST or UNKNOWN
    cells: tuple[int, ...] = ()


class SolverPool:
    """A solver state for each search thread. The first one also runs proofs, with a transposition table of its own.

    `warnings` collects messages about memory that could not be allocated.
    """

    def __init__(self, library: Kernels) -> None:
        self.warnings = PendingWarnings()
        self._library = library
        self._playout = library.new("HexPlayout")  # passes a position to the static analysis
        self._solvers: list[HexSolver] = []
        self._table: TranspositionTable | None = None
        self._size = (0, 0)  # width and height of the board
        self._deadline = 0  # of the present move, in ticks of CLOCK; 0 for none

    def set_deadline(self, milliseconds: float | None) -> None:
        """Interrupt all solver calls of the present move after this time; None for no limit."""
        self._deadline = CLOCK.deadline_in(milliseconds)
        for solver in self._solvers:
            solver.deadline = self._deadline

    def clear(self) -> None:
        """Clear the transposition table."""
        self._table = None

    def prepare(self, position: HexPosition, threads: int) -> bool:
        """Allocate a solver state for each thread, for the size of the board; return False if there is not enough
        memory.
        """
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
        """Return a context in which the stop token also stops the solvers. Call `prepare` first."""
        return stop.linked(*self._solvers)

    def call_solver(self, state: HexPlayout, thread: int, tree: Tree) -> None:
        """Prove or prune the node at which a search thread has stopped (bots/hex/kernels/tree/solver_call.py)."""
        self._library.call_solver(state, self._solvers[thread], tree)

    def static_result(self, position: HexPosition) -> PoolResult:
        """Return what virtual connections and inferior cells alone prove; UNKNOWN if time runs out.

        The game must not be over. Call `prepare` first.
        """
        solver = self._solvers[0]
        self._library.set_root(position.state, self._playout)
        result = self._library.static_result_of_root(self._playout, solver)
        if result != WON:
            return PoolResult(result)
        key = [self._cell(solver.key_move)] if solver.key_move > 0 else []
        return PoolResult(WON, (*key, *self._cells(solver.carrier)))

    def prove(self, position: HexPosition, milliseconds: float) -> PoolResult:
        """Run the df-pn search on a position, with a time limit. Call `prepare` first."""
        solver = self._solvers[0]
        if self._table is None:
            self._table = allocate_largest(PROOF_TABLE_WORDS, MIN_TABLE_WORDS, lambda words: new_array("u64", words))
        if self._table is None:
            self.warnings.add("no memory for proofs")
            return PoolResult(UNKNOWN)
        self._library.solver_load(solver, position.state)
        solver.node_limit, solver.deadline = 0, min(CLOCK.deadline_in(milliseconds), self._deadline or MAX_TICKS)
        result = self._library.solve(solver, self._table, position.to_move)
        solver.deadline = self._deadline
        best = int(solver.best_move)
        return PoolResult(result, (self._cell(best),) if result == WON and best else ())

    def winning_move(self, position: HexPosition, proven: PoolResult, deadline_s: float = math.inf) -> int:
        """Return a move that keeps a proven win, preferably one after which the fewest stones are missing from a chain.

        After `deadline_s` (of time.perf_counter), or if virtual connections prove none of the moves tried, return the
        first cell of `proven`, or the first legal move if it has no cells.
        """
        cells = proven.cells or tuple(position.parse(move) for move in position.legal_moves())
        missing = count_missing_stones(position, position.to_move)
        ranked = sorted(cells, key=lambda cell: missing.after_stone.get(cell, missing.now))
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
        """Return the cells of a set, whose bit n is the solver's cell n."""
        cell_end = 2 + self._size[0] * self._size[1]
        return [self._cell(bit) for bit in range(2, cell_end) if words[bit >> 6] >> (bit & 63) & 1]

    def _cell(self, solver_cell: int) -> int:
        """Convert a cell of the solver, 2 + x + y * width."""
        width = self._size[0]
        return cell_index((solver_cell - 2) % width, (solver_cell - 2) // width)


@dataclass(frozen=True)
class MissingStones:
    """Number of stones that a colour still needs to connect its edges; UNREACHABLE if it cannot."""

    now: int
    after_stone: Mapping[int, int]  # by empty cell: the number after a stone of the colour on it


def immediate_win(position: HexPosition, excluded: Sequence[int]) -> int:
    """Return a cell that connects the edges of the side to move at once and is not excluded, or 0."""
    missing = count_missing_stones(position, position.to_move)
    if missing.now != 1:
        return 0
    winning = (cell for cell, count in missing.after_stone.items() if count == 0 and cell not in excluded)
    return next(winning, 0)


def count_missing_stones(position: HexPosition, colour: int) -> MissingStones:
    """Count the stones that a colour needs for a chain, now and after a stone on each empty cell.

    Two breadth-first searches, one from each edge, give the shortest chain through every cell.
    """
    width, height = position.setup.width, position.setup.height
    length = (height, width)[colour]  # number of rows for black, of columns for white
    from_start, from_end = (_stones_needed_from(position, colour, edge) for edge in (0, length - 1))
    cells = [cell_index(x, y) for y in range(height) for x in range(width)]
    last_cells = [cell for cell in cells if (cell // STRIDE, cell % STRIDE)[colour] == length]
    shortest = min((from_start[cell] for cell in last_cells if cell in from_start), default=UNREACHABLE)
    contents = position.state.cells[:]
    # After a stone on an empty cell. Both counts include this cell, hence the 2.
    through = {
        cell: from_start[cell] + from_end[cell] - 2 if cell in from_start and cell in from_end else UNREACHABLE
        for cell in cells
        if not contents[cell]
    }
    return MissingStones(shortest, {cell: min(count, shortest) for cell, count in through.items()})


def _stones_needed_from(position: HexPosition, colour: int, edge_row: int) -> dict[int, int]:
    """Return, for each cell, the number of empty cells on a shortest path from an edge, including the cell itself.

    The path begins in row `edge_row` for colour 0, in the column of this number for colour 1. Cells that no path
    reaches, such as stones of the opponent, have no entry.
    """
    width, height = position.setup.width, position.setup.height
    cells = position.state.cells[:]
    fronts: list[list[int]] = [[], []]  # cells to visit, by distance
    for offset in range((width, height)[colour]):
        cell = cell_index(edge_row, offset) if colour else cell_index(offset, edge_row)
        if cells[cell] in (0, colour + 1):
            fronts[cells[cell] == 0].append(cell)
    distances: dict[int, int] = {}
    for count, front in enumerate(fronts):  # Both lists grow while they are read: own stones cost nothing.
        if front or count == 0:
            fronts.append([])
        for cell in front:
            if cell in distances:
                continue
            distances[cell] = count
            for step in NEIGHBOUR_OFFSETS:
                x, y = (cell + step) % STRIDE - 1, (cell + step) // STRIDE - 1
                if 0 <= x < width and 0 <= y < height and cells[cell + step] in (0, colour + 1):
                    fronts[count + (cells[cell + step] == 0)].append(cell + step)
    return distances
