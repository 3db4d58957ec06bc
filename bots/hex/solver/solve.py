"""The Python face of the solver: who wins a position of a small board, by which move, and along which line.

The kernels are in bots/hex/kernels/solver/proof.py. One thread at a time may solve; another ends it by the stop token
of its limits.
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

DEFAULT_TABLE_BYTES = 1 << 26  # half a million positions
MIN_TABLE_WORDS = 128  # four entries of the largest kind
_WIN, _LOSS = 1, 2  # answers of the kernel


@dataclass(frozen=True)
class SolveResult:
    """What a search has found out about a position. `winner` is 0 (black), 1 (white) or None if it was cut off.

    `move` wins for the side to move; it is empty where that side has lost or the game is over. `pv` is best play as
    far as the search went: a win by virtual connections ends it.
    """

    winner: int | None
    move: str = ""
    pv: tuple[str, ...] = ()
    nodes: int = 0
    time_ms: int = 0


class DfpnSolver:
    """Solves one position after another and keeps what it has learned for the next."""

    def __init__(self, position: HexPosition, table_bytes: int = DEFAULT_TABLE_BYTES):
        """Make a table of proofs, a smaller one where memory is short; `position` gives the kernels' library.

        Raise MemoryError.
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
        """Solve a position for its side to move, within `move_time_ms` and `nodes`; raise MemoryError."""
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

    def carrier(self) -> list[str]:
        """The cells that the result of the last `solve` rests on: the winner wins even if the loser has all other empty
        cells. None if it was cut off, or if the game was over."""
        return cell_names(self.state, self.state.carrier)

    def _load(self, position: HexPosition) -> None:
        setup = position.setup
        if (setup.width, setup.height) != self._size:  # keys tell positions of one size apart, not sizes
            before, self.state = self.state, new_solver_state(self._library, setup)
            self.state.stop = before.stop
            ctypes.memset(self._table, 0, ctypes.sizeof(self._table))
            self._size = (setup.width, setup.height)
        self._library.solver_load(self.state, position.state)


def solve_case(case: ProofCase) -> tuple[str, int]:
    """The winning move, empty where none is found, and the nodes, by a solver that knows nothing yet."""
    position = HexPosition(case.setup)
    for move in parse_opening(case.line, case.setup):
        position.play(move)
    solution = DfpnSolver(position).solve(position, Limits(nodes=case.nodes))
    return solution.move, solution.nodes


def new_solver_state(library: Kernels, setup: Setup) -> HexSolver:
    """Return a solver's state with room for a board, and a clock; raise MemoryError."""
    name = next(name for words, name in SOLVERS.items() if setup.width * setup.height + 2 <= 64 * words)
    solver = library.new(name)
    CLOCK.install(solver)
    return solver


def solver_state_at(position: HexPosition) -> HexSolver:
    """Return a solver's state with a position on its board; raise MemoryError."""
    solver = new_solver_state(position.library, position.setup)
    position.library.solver_load(solver, position.state)
    return solver


def solver_cell_name(state: HexSolver, cell: int) -> str:
    """Name of a cell of the solver's board."""
    y, x = divmod(cell - 2, state.width)
    return format_square(x, y)


def cell_names(state: HexSolver, words: ArrayField[int]) -> list[str]:
    """The cells of a set."""
    return [solver_cell_name(state, cell) for cell in range(2, state.cell_end) if words[cell >> 6] >> (cell & 63) & 1]
