"""Compares the connections of H-search with the full game tree of small boards."""

from __future__ import annotations

import random

from bots.hex.position import HexPosition
from core.play.player import Setup
from tests.bots.hex.boards import cells_of, give_away, to_solver
from tests.bots.hex.naive import NaiveHex, random_position

CONNECTED = 1


def test_connections_hold_with_nothing_but_their_carriers() -> None:
    """If a carrier lacks a cell, the solver refutes moves that win."""
    rng = random.Random(1)
    found = [0, 0]
    for _ in range(100):
        board = random_position(rng)
        library, state = to_solver(board)
        for colour in range(2):
            for first in range(2):
                mover = colour if first else 1 - colour
                if library.connect(state, colour, first) == CONNECTED:
                    found[first] += 1
                    carrier = cells_of(state.carrier, board)
                    assert give_away(board, carrier, 1 - colour).solve(mover) == colour
                    if first and state.key_move >= 0:
                        key = ((state.key_move - 2) % board.width, (state.key_move - 2) // board.width)
                        assert key in carrier
                        board.stones[key] = colour
                        assert board.solve(1 - mover) == colour
                        del board.stones[key]
    assert min(found) > 15


def test_every_winning_move_is_in_the_must_play_region() -> None:
    rng = random.Random(2)
    smaller = 0
    for _ in range(100):
        board = random_position(rng)
        library, state = to_solver(board)
        colour = rng.randrange(2)
        if library.connect(state, colour, 0) == CONNECTED:
            continue
        must = cells_of(state.mustplay, board)
        smaller += len(must) < len(board.empty())
        for cell in board.empty():
            if cell not in must:
                board.stones[cell] = 1 - colour
                assert board.solve(colour) == colour
                del board.stones[cell]
    assert smaller > 2


def test_bridges_and_an_edge_template_are_found() -> None:
    """A stone on the third row is connected to its edge by an eight-cell template, unless the opponent has stones in
    it.
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
