"""Shapes whose meaning is known: bridges, an edge template, captured and dead cells.

test_claims.py compares connections and inferior cells of random boards with the whole game tree. The arguments of
`connect` are the solver's state, the colour (0 black, 1 white) and 1 if this colour moves first, else 0.
"""

from __future__ import annotations

from bots.hex.position import HexPosition
from core.play.player import Setup
from tests.bots.hex.boards import cells_of, to_naive, to_solver
from tests.bots.hex.naive import NaiveHex

CONNECTED = 1  # result of the kernel `connect`


def test_bridges_and_an_edge_template_are_found() -> None:
    """A bridge and an edge template join black's edges, unless the opponent has stones in the template.

    The template of a stone on the third row has eight cells, the bridge two.
    """
    board = NaiveHex(6, 5, {(3, 0): 0, (2, 2): 0})
    library, state = to_solver(board)
    assert library.connect(state, 0, 0) == CONNECTED
    assert len(cells_of(state.carrier, board)) == 2 + 8
    board = NaiveHex(6, 5, {(3, 0): 0, (2, 2): 0, (1, 4): 1, (2, 4): 1})
    library, state = to_solver(board)
    assert library.connect(state, 0, 0) != CONNECTED


def test_a_large_board_is_connected_too() -> None:
    """11x11 uses both words of every set."""
    position = HexPosition(Setup(11, 11, "standard"))
    for row in (1, 3, 5, 7, 9):  # bridges down from column f to the left
        position.place(0, f"{'abcdefghijk'[8 - row // 2]}{row + 1}")
    state = position.library.new("HexSolver")
    position.library.solver_load(state, position.state)
    assert position.library.connect(state, 0, 0) == CONNECTED
    assert position.library.connect(state, 1, 1) != CONNECTED


def test_an_edge_pair_below_a_second_row_stone_is_captured() -> None:
    """Black's stone on the second row takes both cells between it and black's edge."""
    board = NaiveHex(5, 5, {(2, 1): 0})
    library, state = to_solver(board)
    library.fill_in_board(state)
    stones = to_naive(state, board).stones
    assert stones[2, 0] == stones[3, 0] == 0
    assert (4, 0) not in stones


def test_a_cell_between_white_stones_and_a_white_edge_is_dead() -> None:
    board = NaiveHex(4, 4, {(1, 1): 1, (0, 2): 1, (1, 0): 1, (0, 3): 1})
    library, state = to_solver(board)
    library.fill_in_board(state)
    assert (0, 1) in to_naive(state, board).stones
