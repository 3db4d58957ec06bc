"""The Python face of Gomoku's rules: one board that bots, referee and tests share. The rules themselves are kernels."""

from __future__ import annotations

from typing import Any

from bots.gomoku.notation import check_setup, parse_move, parse_variant
from core.native.load import load
from core.play.game import Outcome
from core.play.player import IllegalMove, Setup
from core.play.squares import format_square

PAD, STRIDE = 5, 32  # of the kernels' board; see bots/gomoku/kernels/rules.py
STEPS = (1, STRIDE, STRIDE + 1, 1 - STRIDE)  # its directions
FIVE = 12  # what a stone made of its line; see bots/gomoku/kernels/patterns.py
RENJU_BLACK_REASONS = "renju forbids black double-threes, double-fours and overlines"


class GomokuPosition:
    """A game in progress (core.play.game.Position). `state` is the kernels' record."""

    def __init__(self, setup: Setup):
        """Empty board; raise BadSetup."""
        self.library = load("gomoku")
        self.state: Any = self.library.new("Gomoku")
        self.restart(setup)

    def restart(self, setup: Setup) -> None:
        """Empty board of another setup in the same record; raise BadSetup and change nothing."""
        self.setup = check_setup(setup)
        self.library.setup(self.state, setup.width, setup.height, parse_variant(setup.variant))

    @property
    def to_move(self) -> int:
        """0 for black, who moves first, or 1."""
        return int(self.state.side)

    @property
    def cells(self) -> list[int]:
        """The cells played so far."""
        return list(self.state.path[: self.state.stones])

    @property
    def moves(self) -> list[str]:
        """The squares played so far."""
        return [format_cell(cell) for cell in self.cells]

    def parse(self, move: str) -> int:
        """Cell of a square; raise IllegalMove where it is none or off the board."""
        x, y = parse_move(move, self.setup)
        return (y + PAD) * STRIDE + x + PAD

    def legal_moves(self) -> list[str]:
        """All legal squares by rows."""
        count = self.library.list_legal(self.state)
        return [format_cell(cell) for cell in self.state.list[:count]]

    def play(self, move: str) -> None:
        """Put a stone; raise IllegalMove with the reason."""
        cell = self.parse(move)
        if not self.library.is_legal(self.state, cell):
            raise IllegalMove(f"{move} is illegal: {self._reason(cell)}")
        self.library.apply(self.state, cell)

    def place(self, move: str) -> None:
        """Put a stone on any free square, whatever the rules say of it: managers set up what they like.

        Raise IllegalMove where the square is off the board or occupied.
        """
        cell = self.parse(move)
        if self.state.cells[cell]:
            raise IllegalMove(f"{move} is illegal: the square is occupied")
        self.library.apply(self.state, cell)

    def undo(self) -> None:
        """Take the last stone back."""
        if not self.state.stones:
            raise IllegalMove("there is no move to take back")
        self.library.undo(self.state)

    def outcome(self) -> Outcome | None:
        """A five, or a draw when no legal move is left."""
        if self.state.winner:
            return Outcome(int(self.state.winner) - 1, "five")
        if self.state.stones == self.setup.width * self.setup.height:
            return Outcome(None, "full board")
        return None if self.library.perft(self.state, 1) else Outcome(None, "no legal move")

    def decided_by(self) -> list[str]:
        """Squares of the winning rows, which may be several and longer than five; none where nobody has won."""
        winner = int(self.state.winner)
        won = {
            cell
            for stone in self.cells
            if self.state.cells[stone] == winner
            for direction, step in enumerate(STEPS)
            if self.state.codes[winner - 1][stone] >> 4 * direction & 15 == FIVE
            for cell in self._row(stone, step)
        }
        return [format_cell(cell) for cell in sorted(won)]

    def perft(self, depth: int) -> int:
        """Number of legal move sequences of `depth` plies."""
        return int(self.library.perft(self.state, depth))

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

    def _reason(self, cell: int) -> str:
        if self.state.winner:
            return "the game is over"
        return RENJU_BLACK_REASONS if self.state.cells[cell] == 0 else "the square is occupied"


def format_cell(cell: int) -> str:
    """Square of a kernel's cell."""
    return format_square((cell & (STRIDE - 1)) - PAD, cell // STRIDE - PAD)
