"""Gomoku's rules on bitboards: fast enough to prove claims in tests, and independent of the kernels.

Only the fouls of renju with caro are those of the kernels (`BitGomoku.uses_kernel_fouls`).

The stones of each colour are one integer. A cell is its bit `y * (width + 1) + x`. The extra column, which has no
cells, separates the rows. test_claims.py checks these rules against the slower ones of naive.py.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache, reduce
from operator import or_

from bots.gomoku.notation import CARO, EXACT, RENJU, parse_variant
from bots.gomoku.position import PAD, STRIDE, GomokuPosition
from core.play.player import Setup
from core.play.squares import format_square
from tests.bots.gomoku.boards import position_with
from tests.bots.gomoku.naive import BLACK, Board, foul

Lines = tuple[tuple[int, ...], ...]


def bits_of(cells: int) -> Iterator[int]:
    """Yield the cells of a bit set, in ascending order."""
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1


def union_of(sets: Iterable[int]) -> int:
    """Return the union of bit sets."""
    return reduce(or_, sets, 0)


@cache
def lines_through(width: int, height: int, reach: int) -> Lines:
    """Return, for each cell, the cells at most `reach` away in each of the four directions, as bit sets."""
    lines_by_cell = []
    for cell in range((width + 1) * height):
        y, x = divmod(cell, width + 1)
        lines = []
        for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            points = [(x + n * dx, y + n * dy) for n in range(-reach, reach + 1) if n]
            lines.append(sum(1 << v * (width + 1) + u for u, v in points if 0 <= u < width and 0 <= v < height))
        lines_by_cell.append(tuple(lines))
    return tuple(lines_by_cell)


class BitGomoku:
    """A position with the interface `Rules` of tests/claims.py, which proves claimed wins and losses.

    `moves` returns every move that may win in time, fours first.
    """

    def __init__(self, position: GomokuPosition) -> None:
        setup: Setup = position.setup
        self.width, self.height, self.rule = setup.width, setup.height, parse_variant(setup.variant)
        self.stride = setup.width + 1
        self.board = sum(((1 << self.width) - 1) << y * self.stride for y in range(self.height))
        # Line segments through each cell: as far as a five reaches, and with the cells at the ends of a five.
        self.lines, self.long_lines = (lines_through(self.width, self.height, reach) for reach in (4, 5))
        self.stones, self.side, self.won = [0, 0], position.to_move, False
        self.path: list[int] = []
        for cell in position.played_cells:
            self.stones[position.state.cells[cell] - 1] |= 1 << self.cell_of_kernel_cell(cell)
        self._fouls: dict[tuple[int, int, int], bool] = {}
        self._fives: dict[tuple[int, int, int], int] = {}

    @property
    def empty(self) -> int:
        return self.board & ~(self.stones[0] | self.stones[1])

    def fives(self, colour: int) -> int:
        """Return the empty cells on which a colour makes a winning row."""
        key = (self.stones[0], self.stones[1], colour)
        if key not in self._fives:
            self._fives[key] = self._find_fives(colour)
        return self._fives[key]

    def _find_fives(self, colour: int) -> int:
        """Return the empty cells on which a stone makes exactly five, or more if longer rows win."""
        own, other = self.stones[colour], self.stones[1 - colour]
        overlines_lose = self.rule & EXACT or (self.rule & RENJU and colour == BLACK)
        found = 0
        for step in (1, self.stride, self.stride + 1, self.stride - 1):
            # Entry n + 5: own stones, shifted by n cells.
            shifted = [own << -n * step if n < 0 else own >> n * step for n in range(-5, 6)]
            for stones_before in range(5):  # of the five that a stone on the cell would complete
                row = -1
                for n in range(5 - stones_before, 10 - stones_before):
                    if n != 5:
                        row &= shifted[n]
                low, high = 4 - stones_before, 10 - stones_before  # entries of the cells at the ends of the five
                longer = shifted[low] | shifted[high]
                exact = row & ~longer
                if exact and self.rule & CARO:
                    exact &= ~((other << (5 - low) * step) & (other >> (high - 5) * step))
                found |= exact | (0 if overlines_lose else row & longer)
        return found & self.empty

    def makes_five(self, cell: int) -> bool:
        """Return True if a stone of the side to move wins."""
        own = self.stones[self.side]
        near = any((own & line).bit_count() > 3 for line in self.lines[cell])
        return near and bool(self.fives(self.side) >> cell & 1)

    def is_foul(self, cell: int) -> bool:
        """Return True if renju forbids a cell to the side to move."""
        if not self.rule & RENJU or self.side != BLACK:
            return False
        counts = sorted((self.stones[0] & line).bit_count() for line in self.lines[cell])
        if counts[-1] < 4 and counts[-2] < 2:
            return False
        key = (self.stones[0], self.stones[1], cell)
        if key not in self._fouls:
            board = self.naive_board()
            if self.uses_kernel_fouls:
                self._fouls[key] = format_square(*self.point(cell)) in position_with(board).forbidden()
            else:
                self._fouls[key] = foul(board, BLACK, self.point(cell)) is not None
        return self._fouls[key]

    @property
    def uses_kernel_fouls(self) -> bool:
        """True for renju with caro: no rule book defines a three there, so the kernels decide what is a foul."""
        return bool(self.rule & RENJU and self.rule & CARO)

    def naive_board(self) -> Board:
        """Return the same stones as a naive board."""
        stones = {self.point(cell): colour for colour in range(2) for cell in bits_of(self.stones[colour])}
        return Board(self.width, self.height, self.rule, stones)

    def point(self, cell: int) -> tuple[int, int]:
        """Return column and row of a cell."""
        return cell % self.stride, cell // self.stride

    def cell_of_kernel_cell(self, cell: int) -> int:
        """Return the cell of these rules for a cell of the kernels."""
        return (cell // STRIDE - PAD) * self.stride + cell % STRIDE - PAD

    def moves(self, plies: int) -> Iterator[int]:
        """Yield the moves that may win within `plies`.

        They are the fives if there are any. Otherwise they are the legal moves that stop the opponent's five, or all
        legal moves if it has none: those that make a four first, then the others if `plies` allow.
        """
        fives = self.fives(self.side)
        if fives or plies < 3:
            yield from bits_of(fives)
            return
        cells = list(self.stopping_cells()) if self.fives(1 - self.side) else list(bits_of(self.empty))
        fours = [cell for cell in cells if self._makes_four(cell)]
        quiet = [cell for cell in cells if cell not in fours] if self.tries_quiet_moves(plies) else []
        yield from (cell for cell in fours + quiet if not self.is_foul(cell))

    def tries_quiet_moves(self, plies: int) -> bool:
        """Return True if moves that make no four may win in time."""
        return plies > 3

    def replies(self) -> Sequence[int]:
        """Return the legal moves to try.

        If the opponent threatens a five, and the side to move has none, they are the moves that stop it. If no move
        stops it, only one move is returned, because all lose alike. In all other cases, every legal move is returned.
        """
        if not self.fives(1 - self.side) or self.fives(self.side):
            return [cell for cell in bits_of(self.empty) if not self.is_foul(cell)]
        stopping_cells = [cell for cell in self.stopping_cells() if not self.is_foul(cell)]
        return stopping_cells or [cell for cell in bits_of(self.empty) if not self.is_foul(cell)][:1]

    def stopping_cells(self) -> Iterator[int]:
        """Yield the cells after which the opponent has no five; under caro also at the ends of its row."""
        fives = self.fives(1 - self.side)
        if self.rule & CARO:
            lines = (line for cell in bits_of(fives) for line in self.long_lines[cell])
            candidates = (fives | union_of(lines)) & self.empty
        else:
            candidates = fives if fives.bit_count() == 1 else 0
        return (cell for cell in bits_of(candidates) if self._stops(cell))

    def play(self, move: int) -> None:
        self.won = self.makes_five(move)
        self.stones[self.side] |= 1 << move
        self.side = 1 - self.side
        self.path.append(move)

    def undo(self) -> None:
        self.side = 1 - self.side
        self.stones[self.side] &= ~(1 << self.path.pop())
        self.won = False

    def result(self) -> int | None:
        return 1 if self.won else None if self.empty else 0

    def key(self) -> Hashable:
        return *self.stones, self.side

    def _stops(self, cell: int) -> bool:
        self.stones[self.side] |= 1 << cell
        remaining_fives = self.fives(1 - self.side)
        self.stones[self.side] ^= 1 << cell
        return not remaining_fives

    def _makes_four(self, cell: int) -> bool:
        own = self.stones[self.side]
        if not any((own & line).bit_count() > 2 for line in self.lines[cell]):
            return False
        self.stones[self.side] |= 1 << cell
        fives = self.fives(self.side)
        self.stones[self.side] = own
        return fives != 0


class OnlyFours(BitGomoku):
    """Rules under which the side that is to win makes fours and fives only."""

    def tries_quiet_moves(self, plies: int) -> bool:  # noqa: ARG002
        return False
