"""The Python face of the solver: what is proven of a position, within a time limit."""

from __future__ import annotations

from typing import Any

from bots.hex.notation import SWAP
from bots.hex.position import HexPosition, format_cell
from core.clock import CLOCK
from core.deepening import plan_time
from core.library import new_array
from core.player import BadSetup, Limits, Solution
from core.squares import format_square

TABLE_WORDS = 1 << 23  # 64 MiB: half a million positions
MAX_CELLS = 126  # as bots/hex/records.py has it
WON, LOST = 1, 2  # what the kernel answers
MARGIN_MS = 25  # kept back of every time limit
MOVES_TO_GO = 20


class Solver:
    """One solver record with its table, which is kept from one position to the next of the same board size."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self._state: Any = library.new("HexSolver")
        self._table: Any = None
        self._size = (0, 0)
        CLOCK.install(self._state)

    def stop(self) -> None:
        """End a running `solve`; from any thread."""
        self._state.stop = 1

    @property
    def nodes(self) -> int:
        """Positions that the last `solve` looked at."""
        return int(self._state.nodes)

    def solve(self, position: HexPosition, limits: Limits) -> Solution:
        """Try to prove who wins a position that is not over; raise BadSetup where the board is too large.

        A lost side's move, and the move where nothing is proven, is that of least cost by potentials.
        """
        width, height = position.setup.width, position.setup.height
        if width * height > MAX_CELLS:
            raise BadSetup(f"the solver takes boards of up to {MAX_CELLS} cells, not {width}x{height}")
        state = self._state
        state.stop, state.node_limit, state.deadline = 0, limits.nodes or 0, 0
        hard_ms = plan_time(limits, MARGIN_MS, MOVES_TO_GO).hard_ms
        if hard_ms is not None:
            state.deadline = CLOCK.now() + int(max(hard_ms, 0) * CLOCK.ticks_per_ms)
        self._set_up(position)
        result = self._library.solve(state, self._table, position.to_move)
        if result == WON:
            end = int(state.best_move)
            move = format_square((end - 2) % width, (end - 2) // width) if end else _likely_move(position)
            return Solution("win", move)
        if result == LOST and position.library.is_legal(position.state, position.parse(SWAP)):
            return Solution("win", SWAP)  # what the other side has won by this stone is ours after the swap
        return Solution("loss" if result == LOST else "unknown", _likely_move(position))

    def _set_up(self, position: HexPosition) -> None:
        width, height = position.setup.width, position.setup.height
        if self._size != (width, height):
            self._size, self._table = (width, height), new_array("u64", TABLE_WORDS)
        self._library.solver_load(self._state, position.state)


def _likely_move(position: HexPosition) -> str:
    position.library.paper_costs(position.state)
    return format_cell(position.state.root_moves[0])
