"""Gomoku's position: the Python wrapper of the rules kernels, used by players, referee and tests.

A square is a text such as `h8`. The kernels number the squares of a padded board: cell `(row + PAD) * STRIDE + column +
PAD`, column and row from 0 at the top left. A cell is also the code of the move to it. `state` holds the position,
`library` the compiled kernels.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, cast

from bots.gomoku.notation import check_setup, parse_move, parse_variant
from core.play.board import BoardPosition
from core.play.game import Outcome
from core.play.player import PASS, IllegalMove, Setup
from core.play.squares import format_square

if TYPE_CHECKING:
    from bots.gomoku.kernels.boundary import Gomoku, Kernels

PAD, STRIDE = 5, 32  # padding and width of the kernels' board (bots/gomoku/kernels/rules.py)
STEPS = (1, STRIDE, STRIDE + 1, 1 - STRIDE)  # to the next cell of a row, column, falling, rising diagonal
FIVE_PATTERN = 12  # FIVE of bots/gomoku/kernels/patterns.py, repeated because that module needs numba
_FILLED_STATES: dict[int, bytes] = {}  # a state with pattern tables, by number of the rule
RENJU_BLACK_REASONS = "renju forbids black double-threes, double-fours and overlines"


class GomokuPosition(BoardPosition):
    """A game in progress; black moves first."""

    game, state_type = "gomoku", "Gomoku"
    library: Kernels
    state: Gomoku

    def _check_setup(self, setup: Setup) -> Setup:
        return check_setup(setup)

    def _set_up(self) -> None:
        """Fill `state`. A new one is copied from an earlier one: to fill the pattern tables takes 5 to 60 ms."""
        rule, state = parse_variant(self.setup.variant), cast("ctypes.Structure", self.state)
        is_new = self.state.tables_rule == 0
        filled = _FILLED_STATES.get(rule)
        if is_new and filled:
            ctypes.memmove(ctypes.addressof(state), filled, len(filled))
        self.library.setup(self.state, self.setup.width, self.setup.height, rule)
        if is_new and not filled:
            _FILLED_STATES[rule] = ctypes.string_at(ctypes.addressof(state), ctypes.sizeof(state))

    @property
    def played_cells(self) -> list[int]:
        """The stones placed so far, as cells in the order of play, without passes."""
        return list(self.state.path[: self.state.stones])

    def parse(self, text: str) -> int:
        """Return the cell of a square; raise `IllegalMove` if it is no square of the board."""
        x, y = parse_move(text, self.setup)
        return (y + PAD) * STRIDE + x + PAD

    def format(self, move_code: int) -> str:
        """Return the square of a cell."""
        return format_cell(move_code)

    def place(self, move: str) -> None:
        """Place a stone on any free square, legal or not, or pass. Gomocup managers set up arbitrary positions.

        Raise `IllegalMove` if the square is off the board or occupied.
        """
        if move == PASS:
            self.library.pass_turn(self.state)
            self._moves.append(PASS)
            return
        cell = self.parse(move)
        if self.state.cells[cell]:
            raise IllegalMove(f"{move} is illegal: the square is occupied")
        self.make(cell)

    def undo(self) -> None:
        """Take back the last move or pass."""
        if self._moves[-1:] == [PASS]:
            self.library.pass_turn(self.state)
            self._moves.pop()
        else:
            super().undo()

    def outcome(self) -> Outcome | None:
        """Return a win by a five, a draw (full board, or no legal move), or None while the game goes on."""
        if self.state.winner:
            return Outcome(self.state.winner - 1, "five")
        if self.state.stones == self.setup.width * self.setup.height:
            return Outcome(None, "full board")
        return None if self.library.perft(self.state, 1) else Outcome(None, "no legal move")

    def decided_by(self) -> list[str]:
        """Return the squares of the winning rows, which may be several or longer than five; empty without a winner."""
        winner = self.state.winner  # 1 black, 2 white, as in `state.cells`
        # A filled cell keeps the patterns from before its stone was placed, four bits per colour and direction. So the
        # stone that completed a row has the pattern FIVE in the row's direction.
        winning_cells = {
            cell
            for stone in self.played_cells
            if self.state.cells[stone] == winner
            for direction, step in enumerate(STEPS)
            if self.state.patterns[stone] >> 16 * (winner - 1) + 4 * direction & 15 == FIVE_PATTERN
            for cell in self._row_through(stone, step)
        }
        return [format_cell(cell) for cell in sorted(winning_cells)]

    def forbidden(self) -> list[str]:
        """Return the squares that renju forbids to black, whichever side is to move; none after a five."""
        count = self.library.list_forbidden(self.state)
        return [format_cell(cell) for cell in self.state.list[:count]]

    def board(self) -> str:
        """Return the board as text, rows from the top: `X` black, `O` white, `.` free, with coordinates."""
        rows = []
        for y in range(self.setup.height):
            row = self.state.cells[(y + PAD) * STRIDE + PAD :][: self.setup.width]
            rows.append(f"{y + 1:2} " + " ".join(".XO"[content] for content in row))
        letters = " ".join(format_square(x, 0)[0] for x in range(self.setup.width))
        return "\n".join([f"   {letters}", *rows])

    def _row_through(self, stone: int, step: int) -> range:
        """Return the cells of the unbroken row of one colour through a stone. The padding ends it at the edge."""
        cells, start, end = self.state.cells, stone, stone
        while cells[start - step] == cells[stone]:
            start -= step
        while cells[end + step] == cells[stone]:
            end += step
        return range(start, end + step, step)

    def _reason(self, move_code: int) -> str:
        if self.state.winner:
            return "the game is over"
        return RENJU_BLACK_REASONS if self.state.cells[move_code] == 0 else "the square is occupied"


def format_cell(cell: int) -> str:
    """Return the square of a kernel's cell."""
    return format_square((cell & (STRIDE - 1)) - PAD, cell // STRIDE - PAD)
