"""The Python face of the solver: who wins a position of a small board, by which move, and along which line.

The kernels are in bots/hex/kernels/solver/proof.py. Boards have at most 126 cells, such as 11x11; what can be solved in
practice ends well before that. One thread at a time; another ends `solve` by its limits.
"""

from __future__ import annotations

import ctypes
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.hex.notation import MAX_SOLVER_CELLS, parse_opening
from bots.hex.position import HexPosition
from core.native.library import FieldArray, new_array
from core.native.memory import make_largest
from core.play.game import ProofCase
from core.play.player import BadSetup, Limits
from core.play.squares import format_square
from core.search.clock import CLOCK
from core.search.table_size import table_words

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import HexSolver

DEFAULT_TABLE_BYTES = 1 << 26  # half a million positions
LEAST_WORDS = 64  # four entries
_WON, _LOST = 1, 2  # answers of the kernel


@dataclass(frozen=True)
class Proven:
    """What is known of a position. `winner` is 0 (black), 1 (white) or None where the search was cut off.

    `move` wins for the side to move; it is empty where that side has lost or the game is over. `line` is best play as
    far as the search went: a win by virtual connections ends it.
    """

    winner: int | None
    move: str = ""
    line: tuple[str, ...] = ()
    nodes: int = 0
    time_ms: int = 0


class ProofSearch:
    """Solves one position after another and keeps what it has learned for the next."""

    def __init__(self, position: HexPosition, table_bytes: int = DEFAULT_TABLE_BYTES):
        """Make a table of proofs, a smaller one where memory is short; `position` gives the kernels' library.

        Raise MemoryError.
        """
        self._library = position.library
        self.state = self._library.new("HexSolver")
        CLOCK.install(self.state)
        table = make_largest(
            max(table_words(table_bytes), LEAST_WORDS), LEAST_WORDS, lambda words: new_array("u64", words)
        )
        if table is None:
            raise MemoryError("no memory for proofs")
        self._table = table
        self._size = (0, 0)

    def solve(self, position: HexPosition, limits: Limits = Limits()) -> Proven:  # noqa: B008 - frozen
        """Solve a position for its side to move, within `move_time_ms` and `nodes`; raise BadSetup for a big board."""
        outcome = position.outcome()
        if outcome:
            return Proven(outcome.winner)
        self._load(position)
        state, side = self.state, position.to_move
        started = time.perf_counter()
        state.node_limit = limits.nodes or 0
        state.deadline = CLOCK.deadline_in(limits.move_time_ms)
        with limits.stop.linked(state):
            answer = self._library.solve(state, self._table, side)
        nodes, elapsed = state.nodes, int((time.perf_counter() - started) * 1000)
        if answer not in (_WON, _LOST):
            return Proven(None, nodes=nodes, time_ms=elapsed)
        move = format_end(state, state.best_move) if answer == _WON else ""
        length = self._library.find_line(state, self._table, side)
        line = tuple(format_end(state, end) for end in state.line[:length]) or ((move,) if move else ())
        return Proven(side if answer == _WON else 1 - side, move, line, nodes, elapsed)

    def carrier(self) -> list[str]:
        """The cells that the last decision rests on: the winner wins even if the loser has all other empty cells."""
        return format_cells(self.state, self.state.carrier)

    def _load(self, position: HexPosition) -> None:
        size = (position.setup.width, position.setup.height)
        load_board(self.state, position)
        if size != self._size:  # keys tell positions of one size apart, not sizes
            if self._size != (0, 0):
                ctypes.memset(self._table, 0, ctypes.sizeof(self._table))
            self._size = size


def prove(case: ProofCase) -> tuple[str, int]:
    """The winning move, empty where none is found, and the nodes, by a solver that knows nothing yet."""
    position = HexPosition(case.setup)
    for move in parse_opening(case.line, case.setup):
        position.play(move)
    solution = ProofSearch(position).solve(position, Limits(nodes=case.nodes))
    return solution.move, solution.nodes


def load_board(state: HexSolver, position: HexPosition) -> None:
    """Put a position on a solver's board; raise BadSetup where it is too big."""
    width, height = position.setup.width, position.setup.height
    if width * height > MAX_SOLVER_CELLS:
        raise BadSetup(f"the solver takes boards of at most {MAX_SOLVER_CELLS} cells, not {width}x{height}")
    position.library.solver_load(state, position.state)


def format_end(state: HexSolver, end: int) -> str:
    """Name of a cell of the solver's board."""
    y, x = divmod(end - 2, state.width)
    return format_square(x, y)


def format_cells(state: HexSolver, words: FieldArray[int]) -> list[str]:
    """The cells of a set."""
    bits = words[0] | words[1] << 64
    return [format_end(state, end) for end in range(2, state.ends) if bits >> end & 1]
