"""Python wrapper around the solver kernels (bots/hex/kernels/solver/proof.py): winner, winning move, principal
variation.

A solver is not thread-safe. Another thread may end a proof by the stop token of its limits.
"""

from __future__ import annotations

import ctypes
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.hex.notation import SOLVERS, parse_opening
from bots.hex.position import HexPosition
from core.native.library import ArrayField, new_array
from core.native.memory import allocate_largest
from core.play.game import ProofCase
from core.play.player import Limits, Setup
from core.play.squares import format_square
from core.search.clock import CLOCK
from core.search.table_size import table_words

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import HexSolver, Kernels

DEFAULT_TABLE_BYTES = 1 << 26  # transposition table for half a million positions
MIN_TABLE_WORDS = 128  # a bucket of four entries of the largest kind
_WIN, _LOSS = 1, 2  # results of the kernel `solve`


@dataclass(frozen=True)
class SolveResult:
    """Result of a search. `winner` is 0 (black), 1 (white) or None if a limit or a stop ended the search.

    `move` wins for the side to move; it is empty if that side loses, nothing was proven or the game is over. `pv` is
    the principal variation; it stops where a side wins by a virtual connection.
    """

    winner: int | None
    move: str = ""
    pv: tuple[str, ...] = ()
    nodes: int = 0
    time_ms: int = 0


class DfpnSolver:
    """Solves positions; its transposition table is kept from one position to the next."""

    def __init__(self, position: HexPosition, table_bytes: int = DEFAULT_TABLE_BYTES):
        """Allocate a transposition table, a smaller one if memory is short; raise MemoryError if there is none.

        `position` gives the native library and the size of the board.
        """
        self._library = position.library
        self.state = new_solver_state(self._library, position.setup)
        table = allocate_largest(
            max(table_words(table_bytes), MIN_TABLE_WORDS), MIN_TABLE_WORDS, lambda words: new_array("u64", words)
        )
        if table is None:
            raise MemoryError("no memory for proofs")
        self._table = table
        self._size = (position.setup.width, position.setup.height)

    def solve(self, position: HexPosition, limits: Limits = Limits()) -> SolveResult:  # noqa: B008 - frozen
        """Solve a position for its side to move, within the limits `move_time_ms` and `nodes`, or until `stop` is set.

        Raise MemoryError if another board size needs a new state and there is no memory for it.
        """
        self._load(position)
        outcome = position.outcome()
        if outcome:
            self._library.clear_result(self.state)
            return SolveResult(outcome.winner)
        state, side = self.state, position.to_move
        started = time.perf_counter()
        state.node_limit = limits.nodes or 0
        state.deadline = CLOCK.deadline_in(limits.move_time_ms)
        with limits.stop.linked(state):
            result = self._library.solve(state, self._table, side)
        nodes, elapsed = state.nodes, int((time.perf_counter() - started) * 1000)
        if result not in (_WIN, _LOSS):
            return SolveResult(None, nodes=nodes, time_ms=elapsed)
        move = solver_cell_name(state, state.best_move) if result == _WIN else ""
        length = self._library.find_pv(state, self._table, side)
        pv = tuple(solver_cell_name(state, cell) for cell in state.pv[:length]) or ((move,) if move else ())
        return SolveResult(side if result == _WIN else 1 - side, move, pv, nodes, elapsed)

    def _load(self, position: HexPosition) -> None:
        setup = position.setup
        if (setup.width, setup.height) != self._size:  # hash keys do not include the board size
            old_state, self.state = self.state, new_solver_state(self._library, setup)
            self.state.stop = old_state.stop
            ctypes.memset(self._table, 0, ctypes.sizeof(self._table))
            self._size = (setup.width, setup.height)
        self._library.solver_load(self.state, position.state)


def solve_case(case: ProofCase) -> tuple[str, int]:
    """Solve a benchmark position with an empty table; return the winning move, or an empty text, and the nodes."""
    position = HexPosition(case.setup)
    for move in parse_opening(case.line, case.setup):
        position.play(move)
    solution = DfpnSolver(position).solve(position, Limits(nodes=case.nodes))
    return solution.move, solution.nodes


def new_solver_state(library: Kernels, setup: Setup) -> HexSolver:
    """Return a solver state with room for the board, and a clock; raise MemoryError if there is no memory for it."""
    name = next(name for words, name in SOLVERS.items() if setup.width * setup.height + 2 <= 64 * words)
    solver = library.new(name)
    CLOCK.install(solver)
    return solver


def solver_state_at(position: HexPosition) -> HexSolver:
    """Return a solver state with a position on its board; raise MemoryError if there is no memory for it."""
    solver = new_solver_state(position.library, position.setup)
    position.library.solver_load(solver, position.state)
    return solver


def solver_cell_name(state: HexSolver, cell: int) -> str:
    """Return the name of a cell in the solver's numbering, in which 0 and 1 are edges and the cells begin with 2."""
    y, x = divmod(cell - 2, state.width)
    return format_square(x, y)


def cell_names(state: HexSolver, words: ArrayField[int]) -> list[str]:
    """Return the names of the cells in a set, whose bit n is the cell with the solver's number n."""
    return [solver_cell_name(state, cell) for cell in range(2, state.cell_end) if words[cell >> 6] >> (cell & 63) & 1]
