"""The Python face of Hex's rules: one board that bots, referee and tests share. The rules themselves are kernels."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from bots.hex.notation import COLOURS, SWAP, check_setup, parse_cell, parse_colour, parse_position_text
from core.play.board import BoardPosition
from core.play.game import Outcome
from core.play.player import IllegalMove, Setup
from core.play.squares import format_square

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import Hex, Kernels

STRIDE, SWAP_CELL = 21, 0  # of the kernels' board; see bots/hex/kernels/rules.py
NEIGHBOUR_OFFSETS = (1, 1 - STRIDE, -STRIDE, -1, STRIDE - 1, STRIDE)  # to the neighbours on it


class HexPosition(BoardPosition):
    """A game in progress; black moves first.

    Of `moves` a stone that was put out of turn or after the end has its colour before it, `white:c2`.
    """

    game, state_type = "hex", "Hex"
    library: Kernels
    state: Hex

    def _check_setup(self, setup: Setup) -> Setup:
        return check_setup(setup)

    def _set_up(self) -> None:
        setup = self.setup
        self.library.setup(self.state, setup.width, setup.height, int(setup.variant == "swap"))
        if setup.position:
            _, _, stones, side = parse_position_text(setup.position)
            for colour, cell in stones:
                self.library.put(self.state, colour, self.parse(cell))
            self.library.set_side(self.state, side)

    def stones(self) -> list[tuple[int, str]]:
        """Colour (0 black, 1 white) and cell of each stone on the board, by rows."""
        found = []
        for y in range(self.setup.height):
            for x in range(self.setup.width):
                content = self.state.cells[cell_index(x, y)]
                if content:
                    found.append((content - 1, format_square(x, y)))
        return found

    def parse(self, text: str) -> int:
        """The kernels' number of a move that names a cell of the board or the swap; raise IllegalMove."""
        return SWAP_CELL if text.lower() == SWAP else cell_index(*parse_cell(text, self.setup))

    def format(self, number: int) -> str:
        """Name of a cell, or the swap."""
        return format_cell(number)

    def play(self, move: str) -> None:
        """Play a move of the side to move, or put a stone that has its colour before it, `white:c2`, as `place` does.

        Raise IllegalMove with the reason.
        """
        colour, colon, square = move.partition(":")
        if colon:
            self.place(parse_colour(colour), square)
        else:
            super().play(move)

    def place(self, colour: int, cell: str) -> None:
        """Put a stone of either colour (0 black, 1 white) out of turn, also after the game's end; the other moves next.

        Raise IllegalMove where the cell is off the board or occupied.
        """
        x, y = parse_cell(cell, self.setup)
        if self.state.cells[cell_index(x, y)]:
            raise IllegalMove(f"{COLOURS[colour]} {cell} is illegal: the cell is occupied")
        self.library.put(self.state, colour, cell_index(x, y))
        placed = self.state.path_out_of_turn[self.state.plies - 1]
        self._moves.append(f"{COLOURS[colour]}:" * placed + format_square(x, y))

    def set_to_move(self, side: int) -> None:
        """Say whose turn it is: 0 black, 1 white. The next stone that is taken back makes it what it was before."""
        self.library.set_side(self.state, side)

    @property
    def first_stone_may_be_swapped(self) -> bool:
        """Whether black's first stone comes next, which white may answer by a swap."""
        return self.setup.variant == "swap" and not self.state.plies and self.to_move == 0

    def outcome(self) -> Outcome | None:
        """A chain between a side's edges; Hex knows no draw."""
        return Outcome(self.state.winner - 1, "connection") if self.state.winner else None

    def decided_by(self) -> list[str]:
        """Cells of a shortest chain between the winner's edges, from one to the other; none while nobody has won."""
        winner = self.state.winner
        own = {cell_index(*parse_cell(cell, self.setup)) for colour, cell in self.stones() if colour == winner - 1}
        last, axis_stride = (
            (self.setup.height, STRIDE) if winner == 1 else (self.setup.width, 1)
        )  # of its way over the board
        parent = {cell: 0 for cell in sorted(own) if cell // axis_stride % STRIDE == 1}
        queue = list(parent)
        for cell in queue:  # breadth first
            if cell // axis_stride % STRIDE == last:
                return _path_to(parent, cell)
            for neighbour in (cell + step for step in NEIGHBOUR_OFFSETS):
                if neighbour in own and neighbour not in parent:
                    parent[neighbour] = cell
                    queue.append(neighbour)
        return []

    def board(self, name: Callable[[str], str] = str) -> str:
        """The rhombus by rows from the top, each half a cell further right, `X` black, `O` white.

        Its labels are of what `name` makes of the cells' names.
        """
        letters = " ".join(name(format_square(x, 0))[0] for x in range(self.setup.width))
        rows = [" " * y + f"{name(format_square(0, y))[1:]:>2} {row}" for y, row in enumerate(self.rows())]
        return "\n".join([f"   {letters}", *rows])

    def rows(self, contents: str = ".XO", between: str = " ") -> list[str]:
        """The rows from the top with a character for an empty cell, a black and a white stone."""
        starts = [cell_index(0, y) for y in range(self.setup.height)]
        rows = [self.state.cells[start : start + self.setup.width] for start in starts]
        return [between.join(contents[content] for content in row) for row in rows]

    def position_text(self) -> str:
        """Stones and side to move in one line, as `bots.hex.notation.parse_position_text` reads it."""
        rows = [re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in self.rows(".bw", "")]
        return f"{'/'.join(rows)} {COLOURS[self.to_move][0]}"

    def _reason(self, number: int) -> str:
        if self.state.winner:
            return "the game is over"
        if number != SWAP_CELL:
            return "the cell is occupied"
        if not self.state.swap:
            return f"variant {self.setup.variant} knows no swap"
        return "only the second player may swap, as the answer to the first stone"


def _path_to(parent: Mapping[int, int], cell: int) -> list[str]:
    """The cells from the one that has none before it to `cell`."""
    chain: list[str] = []
    while cell:
        chain.insert(0, format_cell(cell))
        cell = parent[cell]
    return chain


def cell_index(x: int, y: int) -> int:
    """The kernels' cell of a column and row."""
    return (y + 1) * STRIDE + x + 1


def format_cell(cell: int) -> str:
    """Name of a kernels' move."""
    return SWAP if cell == SWAP_CELL else format_square(cell % STRIDE - 1, cell // STRIDE - 1)
