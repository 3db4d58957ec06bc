"""Hex positions for tests, and conversions between the naive board and the kernels' states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bots.hex.position import HexPosition
from bots.hex.solver.solve import DfpnSolver, cell_names
from core.play.player import Setup
from core.play.squares import format_square
from tests.bots.hex.naive import Cell, NaiveHex


def position_after(size: int, moves: Sequence[str]) -> HexPosition:
    """Return the position on a square board after moves from the start, without the swap rule."""
    position = HexPosition(Setup(size, size, "standard"))
    position.replay(moves)
    return position


def to_position(board: NaiveHex, side: int) -> HexPosition:
    """Return a position with the same stones and `side` to move."""
    position = HexPosition(Setup(board.width, board.height, "standard"))
    for (x, y), colour in board.stones.items():
        position.place(colour, format_square(x, y))
    position.set_to_move(side)
    return position


def to_solver(board: NaiveHex) -> tuple[Any, Any]:
    """Return the kernel library and a solver state with the same stones; the board has at most 126 cells."""
    position = to_position(board, 0)
    state = position.library.new("HexSolver")
    position.library.solver_load(state, position.state)
    return position.library, state


def cells_of(words: Any, board: NaiveHex) -> set[Cell]:
    """Return the cells of a solver's set of two 64-bit words, in which cell (x, y) has the bit 2 + x + y * width."""
    bits = int(words[0]) | int(words[1]) << 64
    return {(x, y) for x, y in board.cells() if bits >> (2 + x + y * board.width) & 1}


def to_naive(state: Any, board: NaiveHex) -> NaiveHex:
    """Return the stones of a solver state, including filled-in cells, on a new board of the size of `board`."""
    copy = NaiveHex(board.width, board.height)
    for colour in range(2):
        copy.stones |= dict.fromkeys(cells_of(state.stones[colour], board), colour)
    return copy


def carrier_of(solver: DfpnSolver) -> list[str]:
    """Return the carrier of the last result: the winner wins even if the loser gets all empty cells outside it.

    It is empty if a limit ended the search or the game was over.
    """
    return cell_names(solver.state, solver.state.carrier)
