"""Perfect play from a solved table: win in the fewest plies, else draw, else lose in the most plies.

A value in this module is for the side to move: n > 0 is a win in n plies, n < 0 a loss in -n plies, and 0 means that
nobody can force an end. `state` is the kernels' state of a position, and moves are integer codes
(bots/kolibrat/squares.py).
"""

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


class SolvedCodes(Protocol):
    """The codes of a solved board, from a table file or from a solver that has just finished.

    The codes are explained in bots/kolibrat/kernels/retrograde.py.
    """

    @property
    def board(self) -> Board:
        """The board, with the highest goal that it is solved for."""

    def code(self, placement: int, mover_needs: int, opponent_needs: int) -> int:
        """Return the code of a placement (its number) in the layer given by the points that either side needs.

        Only layers with `mover_needs` <= `opponent_needs` are available.
        """


class SolvedTable:
    """The values of a solved board's states. Methods restore the state that they are given."""

    def __init__(self, table: SolvedCodes, library: Kernels) -> None:
        self._table = table
        self._library = library

    def value(self, state: Kolibrat) -> int:
        """Return the value of a state; the game must not be over."""
        side = state.side
        mover_needs, opponent_needs = state.goal - state.points[side], state.goal - state.points[1 - side]
        if mover_needs <= opponent_needs:
            code = self._table.code(self._library.placement_number(state, side), mover_needs, opponent_needs)
            return -(code >> 1) if code & 1 else code >> 1
        # This layer is not stored. After a move the opponent is the mover and needs no more points, which is stored; if
        # the opponent is skipped, the next position is looked up in the same way.
        return max((value for _, value in self.values(state, self._moves(state))), key=_preference)

    def values(self, state: Kolibrat, moves: list[int]) -> list[tuple[int, int]]:
        """Return each move with the value that it reaches, for the side that makes it."""
        return [(move, self._value_of_move(state, move)) for move in moves]

    def best(self, state: Kolibrat, moves: list[int]) -> tuple[int, list[int]]:
        """Return the best value among some legal moves, and the moves that reach it."""
        move_values = self.values(state, moves)
        best = max((value for _, value in move_values), key=_preference)
        return best, [move for move, value in move_values if value == best]

    def _moves(self, state: Kolibrat) -> list[int]:
        return list(state.moves[0][: self._library.list_moves(state, state.side, 0)])

    def _value_of_move(self, state: Kolibrat, move: int) -> int:
        """Return the value of a move for the side that makes it."""
        side = state.side
        self._library.apply(state, move)
        if state.result:  # RED_WINS or BLACK_WINS, which is the winner's side + 1
            value = 1 if state.result == side + 1 else -1
        else:
            successor_value = self.value(state)
            value = successor_value if state.side == side else -successor_value
            value += (value > 0) - (value < 0)  # the move itself is one ply more
        self._library.undo(state)
        return value


def open_solved_table(
    board: Board, library: Kernels, state: Kolibrat, folder: Path | None = None, warnings: PendingWarnings | None = None
) -> SolvedTable | None:
    """Return the solved table of a board, from `folder` or else from those that come with the program, or None.

    Calls `number_placements` for `state`, because `SolvedTable.value` needs it. Files that cannot be read are skipped,
    with a warning in `warnings`.
    """
    for path in (source / table_file_name(board) for source in (folder, SHIPPED_FOLDER) if source):
        table = _read_if_valid(path, warnings or PendingWarnings())
        if table and table.board.goal >= board.goal:
            library.number_placements(state)
            return SolvedTable(table, library)
    return None


def _read_if_valid(path: Path, warnings: PendingWarnings) -> TableFile | None:
    """Read a table file; return None if it does not exist or cannot be read (with a warning in `warnings`)."""
    try:
        return read_solved_table(path) if path.is_file() else None
    except (DamagedTableError, OSError) as error:
        warnings.add(str(error))
    except MemoryError:
        warnings.add(f"no memory for {path}")
    return None


def _preference(value: int) -> int:
    """Return a sort key for values: quick wins are the best, then slow wins, draws, slow losses, quick losses."""
    if value == 0:
        return 0
    return MAX_PLIES - value if value > 0 else -MAX_PLIES - value
