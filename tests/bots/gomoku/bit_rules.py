"""Gomoku's rules on bitboards: fast enough to prove claims in tests, and independent of the kernels.

A board is one integer per colour; a cell is bit `y * (width + 1) + x`, so that an extra column separates the rows. The
slower rules of naive.py are its reference.
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
    """Yield the cells of a bit set."""
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1


def union(sets: Iterable[int]) -> int:
    """Return the union of bit sets."""
    return reduce(or_, sets, 0)


@cache
def lines_through(width: int, height: int, reach: int) -> Lines:
    """Return, for each cell, the cells at most `reach` away in each of the four directions, as bit sets."""
    found = []
    for index in range((width + 1) * height):
        y, x = divmod(index, width + 1)
        lines = []
        for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            near = [(x + n * dx, y + n * dy) for n in range(-reach, reach + 1) if n]
            lines.append(sum(1 << v * (width + 1) + u for u, v in near if 0 <= u < width and 0 <= v < height))
        found.append(tuple(lines))
    return tuple(found)


class BitGomoku:
    """A position with the interface that tests/claims.py needs; the winning side tries every attacking move."""

    def __init__(self, position: GomokuPosition) -> None:
        setup: Setup = position.setup
        self.width, self.height, self.rule = setup.width, setup.height, parse_variant(setup.variant)
        self.stride = setup.width + 1
        self.board = sum(((1 << self.width) - 1) << y * self.stride for y in range(self.height))
        self.lines, self.ends = (lines_through(self.width, self.height, reach) for reach in (4, 5))
        self.stones, self.side, self.won = [0, 0], position.to_move, False
        self.path: list[int] = []
        for cell in position.played_cells:
            self.stones[position.state.cells[cell] - 1] |= 1 << self.cell(cell)
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
        """Find rows of exactly five, then longer ones if they win."""
        own, other = self.stones[colour], self.stones[1 - colour]
        overlines_lose = self.rule & EXACT or (self.rule & RENJU and colour == BLACK)
        found = 0
        for step in (1, self.stride, self.stride + 1, self.stride - 1):
            # Entry n + 5: own stones, shifted by n cells.
            shifted = [own << -n * step if n < 0 else own >> n * step for n in range(-5, 6)]
            for before in range(5):
                row = -1
                for n in range(5 - before, 10 - before):
                    if n != 5:
                        row &= shifted[n]
                low, high = 4 - before, 10 - before
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
        """True for renju with caro: no rule defines a three there, so the kernels' fouls are taken."""
        return bool(self.rule & RENJU and self.rule & CARO)

    def naive_board(self) -> Board:
        """Return the same stones as a naive board."""
        stones = {self.point(cell): colour for colour in range(2) for cell in bits_of(self.stones[colour])}
        return Board(self.width, self.height, self.rule, stones)

    def point(self, cell: int) -> tuple[int, int]:
        """Return column and row of a cell."""
        return cell % self.stride, cell // self.stride

    def cell(self, number: int) -> int:
        """Return our cell for a cell of the kernels."""
        return (number // STRIDE - PAD) * self.stride + number % STRIDE - PAD

    def moves(self, plies: int) -> Iterator[int]:
        """Yield fives, else moves that stop the opponent's five, else fours and, if `plies` allow, all other moves."""
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
        """Return all legal moves; of those that do not stop a five only one, because they lose alike."""
        if not self.fives(1 - self.side) or self.fives(self.side):
            return [cell for cell in bits_of(self.empty) if not self.is_foul(cell)]
        stopping_cells = [cell for cell in self.stopping_cells() if not self.is_foul(cell)]
        return stopping_cells or [cell for cell in bits_of(self.empty) if not self.is_foul(cell)][:1]

    def stopping_cells(self) -> Iterator[int]:
        """Yield the cells after which the opponent has no five; under caro also at the ends of its row."""
        fives = self.fives(1 - self.side)
        if self.rule & CARO:
            near = (line for cell in bits_of(fives) for line in self.ends[cell])
            candidates = (fives | union(near)) & self.empty
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
        left = self.fives(1 - self.side)
        self.stones[self.side] ^= 1 << cell
        return not left

    def _makes_four(self, cell: int) -> bool:
        own = self.stones[self.side]
        if not any((own & line).bit_count() > 2 for line in self.lines[cell]):
            return False
        self.stones[self.side] |= 1 << cell
        fives = self.fives(self.side)
        self.stones[self.side] = own
        return fives != 0


class OnlyFours(BitGomoku):
    """Rules under which the winning side makes nothing but fours."""

    def tries_quiet_moves(self, plies: int) -> bool:  # noqa: ARG002
        return False
