"""Python wrapper of the Hex rules (bots/hex/kernels/rules.py), used by players, referee and tests.

Colours are 0 black and 1 white. In the state, a cell's content and the winner are 1 + the colour, and 0 means none.
"""

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

STRIDE, SWAP_CELL = 21, 0  # row length of the padded board, and the move code of a swap (bots/hex/kernels/records.py)
NEIGHBOUR_OFFSETS = (1, 1 - STRIDE, -STRIDE, -1, STRIDE - 1, STRIDE)  # to the six neighbours on the padded board


class HexPosition(BoardPosition):
    """A game in progress; black moves first.

    In `moves`, a stone placed out of turn or after the end is written with its colour: `white:c2`.
    """

    game, state_type = "hex", "Hex"
    has_avx512_kernels = True  # the network takes two thirds of the time with AVX-512
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
        """Return colour and cell of each stone on the board, row by row."""
        pairs = []
        for y in range(self.setup.height):
            for x in range(self.setup.width):
                content = self.state.cells[cell_index(x, y)]
                if content:
                    pairs.append((content - 1, format_square(x, y)))
        return pairs

    def parse(self, text: str) -> int:
        """Return the move code of a cell name or `swap-pieces`; raise IllegalMove if it names no cell of the
        board.
        """
        return SWAP_CELL if text.lower() == SWAP else cell_index(*parse_cell(text, self.setup))

    def format(self, move_code: int) -> str:
        """Return the name of a move code: `c2`, or `swap-pieces`."""
        return format_cell(move_code)

    def play(self, move: str) -> None:
        """Play a legal move, or place a stone written with its colour (`white:c2`); raise IllegalMove with the
        reason.
        """
        colour, colon, square = move.partition(":")
        if colon:
            self.place(parse_colour(colour), square)
        else:
            super().play(move)

    def place(self, colour: int, cell: str) -> None:
        """Place a stone of a colour on an empty cell, even out of turn or after the end; the other colour moves next.

        Raise IllegalMove if the cell is off the board or occupied.
        """
        x, y = parse_cell(cell, self.setup)
        if self.state.cells[cell_index(x, y)]:
            raise IllegalMove(f"{COLOURS[colour]} {cell} is illegal: the cell is occupied")
        self.library.put(self.state, colour, cell_index(x, y))
        prefix = f"{COLOURS[colour]}:" if self.state.path_out_of_turn[self.state.plies - 1] else ""
        self._moves.append(prefix + format_square(x, y))

    def set_to_move(self, side: int) -> None:
        """Set the side to move; undoing the next move restores the previous one."""
        self.library.set_side(self.state, side)

    @property
    def first_stone_may_be_swapped(self) -> bool:
        """Whether black is to make the first move and white may answer it by a swap."""
        return self.setup.variant == "swap" and not self.state.plies and self.to_move == 0

    def outcome(self) -> Outcome | None:
        """Return the winner whose chain connects its edges, or None. Hex has no draws."""
        return Outcome(self.state.winner - 1, "connection") if self.state.winner else None

    def decided_by(self) -> list[str]:
        """Return the cells of a shortest chain between the winner's edges, in order; empty if nobody has won."""
        winner = self.state.winner  # 1 black, 2 white
        own = {cell_index(*parse_cell(cell, self.setup)) for colour, cell in self.stones() if colour == winner - 1}
        # Cell // axis_stride % STRIDE is the row for black (1 to height) and the column for white (1 to width).
        last, axis_stride = (self.setup.height, STRIDE) if winner == 1 else (self.setup.width, 1)
        parent = {cell: 0 for cell in sorted(own) if cell // axis_stride % STRIDE == 1}
        queue = list(parent)
        for cell in queue:  # breadth-first search from the first edge
            if cell // axis_stride % STRIDE == last:
                return _path_to(parent, cell)
            for neighbour in (cell + step for step in NEIGHBOUR_OFFSETS):
                if neighbour in own and neighbour not in parent:
                    parent[neighbour] = cell
                    queue.append(neighbour)
        return []

    def board(self, name: Callable[[str], str] = str) -> str:
        """Return the board as text, each row half a cell further right; `X` is black, `O` white.

        Row and column labels are taken from `name(cell)`, so that other coordinates can be shown.
        """
        letters = " ".join(name(format_square(x, 0))[0] for x in range(self.setup.width))
        rows = [" " * y + f"{name(format_square(0, y))[1:]:>2} {row}" for y, row in enumerate(self.rows())]
        return "\n".join([f"   {letters}", *rows])

    def rows(self, contents: str = ".XO", between: str = " ") -> list[str]:
        """Return the rows from the top, with the text `between` between two cells.

        `contents` has the characters for an empty cell, a black stone and a white stone.
        """
        starts = [cell_index(0, y) for y in range(self.setup.height)]
        rows = [self.state.cells[start : start + self.setup.width] for start in starts]
        return [between.join(contents[content] for content in row) for row in rows]

    def position_text(self) -> str:
        """Return the stones and the side to move in one line, such as `b1w/3/2b w` (bots/hex/notation.py)."""
        rows = [re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in self.rows(".bw", "")]
        return f"{'/'.join(rows)} {COLOURS[self.to_move][0]}"

    def _reason(self, move_code: int) -> str:
        """Return why a move is illegal."""
        if self.state.winner:
            return "the game is over"
        if move_code != SWAP_CELL:
            return "the cell is occupied"
        if not self.state.swap:
            return f"variant {self.setup.variant} has no swap"
        return "only the second player may swap, as the answer to the first stone"


def _path_to(parent: Mapping[int, int], cell: int) -> list[str]:
    """Return the path to `cell` from the root of the breadth-first search, whose parent is 0."""
    chain: list[str] = []
    while cell:
        chain.insert(0, format_cell(cell))
        cell = parent[cell]
    return chain


def cell_index(x: int, y: int) -> int:
    """Return the cell of the padded board for a column and a row, both from 0."""
    return (y + 1) * STRIDE + x + 1


def format_cell(cell: int) -> str:
    """Return the name of a cell or of SWAP_CELL: `c2`, or `swap-pieces`."""
    return SWAP if cell == SWAP_CELL else format_square(cell % STRIDE - 1, cell // STRIDE - 1)
