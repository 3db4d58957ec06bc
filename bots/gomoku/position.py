"""The Python face of Gomoku's rules: one board that bots, referee and tests share. The rules themselves are kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.gomoku.notation import check_setup, parse_move, parse_variant
from core.play.board import BoardPosition
from core.play.game import Outcome
from core.play.player import PASS, IllegalMove, Setup
from core.play.squares import format_square

if TYPE_CHECKING:
    from bots.gomoku.kernels.boundary import Gomoku, Kernels

PAD, STRIDE = 5, 32  # of the kernels' board; see bots/gomoku/kernels/rules.py
STEPS = (1, STRIDE, STRIDE + 1, 1 - STRIDE)  # its directions
FIVE = 12  # what a stone made of its line; see bots/gomoku/kernels/patterns.py
RENJU_BLACK_REASONS = "renju forbids black double-threes, double-fours and overlines"


class GomokuPosition(BoardPosition):
    """A game in progress; black moves first."""

    game, state_type = "gomoku", "Gomoku"
    library: Kernels
    state: Gomoku

    def _check_setup(self, setup: Setup) -> Setup:
        return check_setup(setup)

    def _set_up(self) -> None:
        self.library.setup(self.state, self.setup.width, self.setup.height, parse_variant(self.setup.variant))

    @property
    def cells(self) -> list[int]:
        """The cells played so far."""
        return list(self.state.path[: self.state.stones])

    def parse(self, text: str) -> int:
        """Cell of a square; raise IllegalMove where it is none or off the board."""
        x, y = parse_move(text, self.setup)
        return (y + PAD) * STRIDE + x + PAD

    def format(self, number: int) -> str:
        """Square of a cell."""
        return format_cell(number)

    def place(self, move: str) -> None:
        """Put a stone on any free square or pass, whatever the rules say of it: managers set up what they like.

        Raise IllegalMove if the square is off the board or occupied.
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
        """Take the last move back, or the last pass."""
        if self._moves[-1:] == [PASS]:
            self.library.pass_turn(self.state)
            self._moves.pop()
        else:
            super().undo()

    def outcome(self) -> Outcome | None:
        """A five, or a draw when no legal move is left."""
        if self.state.winner:
            return Outcome(self.state.winner - 1, "five")
        if self.state.stones == self.setup.width * self.setup.height:
            return Outcome(None, "full board")
        return None if self.library.perft(self.state, 1) else Outcome(None, "no legal move")

    def decided_by(self) -> list[str]:
        """Squares of the winning rows, which may be several and longer than five; none where nobody has won."""
        winner = self.state.winner
        won = {
            cell
            for stone in self.cells
            if self.state.cells[stone] == winner
            for direction, step in enumerate(STEPS)
            if self.state.codes[stone] >> 16 * (winner - 1) + 4 * direction & 15 == FIVE
            for cell in self._row(stone, step)
        }
        return [format_cell(cell) for cell in sorted(won)]

    def forbidden(self) -> list[str]:
        """Squares that renju forbids to black, who need not be to move."""
        count = self.library.list_forbidden(self.state)
        return [format_cell(cell) for cell in self.state.list[:count]]

    def board(self) -> str:
        """Rows from the top, `X` black, `O` white."""
        rows = []
        for y in range(self.setup.height):
            row = self.state.cells[(y + PAD) * STRIDE + PAD :][: self.setup.width]
            rows.append(f"{y + 1:2} " + " ".join(".XO"[content] for content in row))
        letters = " ".join(format_square(x, 0)[0] for x in range(self.setup.width))
        return "\n".join([f"   {letters}", *rows])

    def _row(self, stone: int, step: int) -> range:
        """Cells of the unbroken row of one colour through a stone; the border round the board ends it."""
        cells, first, last = self.state.cells, stone, stone
        while cells[first - step] == cells[stone]:
            first -= step
        while cells[last + step] == cells[stone]:
            last += step
        return range(first, last + step, step)

    def _reason(self, number: int) -> str:
        if self.state.winner:
            return "the game is over"
        return RENJU_BLACK_REASONS if self.state.cells[number] == 0 else "the square is occupied"


def format_cell(cell: int) -> str:
    """Square of a kernel's cell."""
    return format_square((cell & (STRIDE - 1)) - PAD, cell // STRIDE - PAD)
