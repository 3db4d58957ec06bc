"""Perfect play from the table of a solved board: win in the fewest moves, else draw, else lose as late as possible."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from bots.kolibrat.notation import Board
from bots.kolibrat.solver.table_file import DamagedTableError, TableFile, read_solved_table, table_file_name
from bots.kolibrat.squares import MAX_PLIES
from core.play.pending_warnings import PendingWarnings

if TYPE_CHECKING:
    from bots.kolibrat.kernels.boundary import Kernels, Kolibrat

SHIPPED_FOLDER = Path(__file__).parents[1] / "tables"

# A value here is for the side to move: n > 0 a win in n plies, n < 0 a loss in -n, 0 a game without end.


class Words(Protocol):
    """What is known of a solved board."""

    @property
    def board(self) -> Board:
        """The board, with the most points that it is solved for."""

    def word(self, number: int, mine: int, other: int) -> int:
        """The word (bots/kolibrat/kernels/retrograde.py) of a board where the mover needs no more than the other."""


class SolvedTable:
    """The values of a board's states. States are records of the game; they are the same before and after a call."""

    def __init__(self, table: Words, library: Kernels) -> None:
        self._table = table
        self._library = library

    def value(self, state: Kolibrat) -> int:
        """The value of a state of a game that is not over."""
        side = state.side
        mine, other = state.goal - state.points[side], state.goal - state.points[1 - side]
        if mine <= other:
            word = self._table.word(self._library.board_number(state, side), mine, other)
            return -(word >> 1) if word & 1 else word >> 1
        return max((value for _, value in self.values(state, self._moves(state))), key=_worth)

    def values(self, state: Kolibrat, moves: list[int]) -> list[tuple[int, int]]:
        """Moves with the values that they reach, for the side that plays them."""
        return [(move, self._after(state, move)) for move in moves]

    def best(self, state: Kolibrat, moves: list[int]) -> tuple[int, list[int]]:
        """The best value that some legal moves reach, and which of them reach it."""
        found = self.values(state, moves)
        best = max((value for _, value in found), key=_worth)
        return best, [move for move, value in found if value == best]

    def _moves(self, state: Kolibrat) -> list[int]:
        return list(state.moves[0][: self._library.list_moves(state, state.side, 0)])

    def _after(self, state: Kolibrat, move: int) -> int:
        side = state.side
        self._library.apply(state, move)
        if state.result:
            value = 1 if state.result == side + 1 else -1
        else:
            below = self.value(state)
            value = below if state.side == side else -below
            value += (value > 0) - (value < 0)
        self._library.undo(state)
        return value


def open_solved_table(
    board: Board, library: Kernels, state: Kolibrat, folder: Path | None = None, warnings: PendingWarnings | None = None
) -> SolvedTable | None:
    """The table of a board from a folder or, failing that, of those shipped; None where there is none.

    Numbers the boards in the record `state`. `warnings` tell of files that cannot be read, which are passed over.
    """
    for path in (place / table_file_name(board) for place in (folder, SHIPPED_FOLDER) if place):
        table = _read_if_sound(path, warnings or PendingWarnings())
        if table and table.board.goal >= board.goal:
            library.number_placements(state)
            return SolvedTable(table, library)
    return None


def _read_if_sound(path: Path, warnings: PendingWarnings) -> TableFile | None:
    """The table of a file; None where there is no such file or, with a note, it cannot be read."""
    try:
        return read_solved_table(path) if path.is_file() else None
    except (DamagedTableError, OSError) as error:
        warnings.add(str(error))
    except MemoryError:
        warnings.add(f"no memory for {path}")
    return None


def _worth(value: int) -> int:
    """Orders values: quick wins, slow wins, no end, slow losses, quick losses."""
    if value == 0:
        return 0
    return MAX_PLIES - value if value > 0 else -MAX_PLIES - value
