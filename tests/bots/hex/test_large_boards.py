"""The solver on boards of more than 126 cells, whose sets of cells need three or six words instead of two.

The arguments of `connect` are the solver's state, the colour (0 black, 1 white) and 1 if this colour moves first.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from bots.hex.notation import SOLVERS
from bots.hex.position import HexPosition
from bots.hex.solver.solve import DfpnSolver, new_solver_state
from core.native.library import new_array
from core.play.player import Limits, Setup
from core.play.squares import format_square, parse_square
from tests.bots.hex.bit_solver import BitHex
from tests.bots.hex.boards import carrier_of, to_position
from tests.bots.hex.naive import NaiveHex, random_position

SIZES = [(12, 11), (12, 12), (13, 13), (14, 13), (14, 14), (15, 15), (16, 16), (19, 19)]
TABLE_BYTES = 1 << 22


def late_position(width: int, height: int, empty: int, rng: random.Random) -> NaiveHex:
    """Return a board with `empty` empty cells and no winner."""
    while True:
        board = NaiveHex(width, height)
        cells = board.cells()
        for cell in rng.sample(cells, len(cells) - empty):
            board.stones[cell] = rng.randrange(2)
        if board.winner() is None:
            return board


def solver_results(position: HexPosition, state_name: Any) -> list[Any]:
    """Return the results of all solver kernels on a small position, whose sets need two words.

    `state_name` selects a state with sets of two or more words.
    """
    library, state, table = position.library, position.library.new(state_name), new_array("u64", 1 << 12)
    results: list[Any] = []
    for colour in range(2):
        for moves_first in range(2):
            library.solver_load(state, position.state)
            is_connected = library.connect(state, colour, moves_first)
            results += [is_connected, state.key_move, list(state.carrier[:2])]
            if not is_connected and not moves_first:
                results.append(list(state.mustplay[:2]))
    library.fill_in_board(state)
    results += [list(state.stones[colour][:2]) for colour in range(2)]
    for side in range(2):
        library.solver_load(state, position.state)
        library.find_candidates(state, side)
        results.append(list(state.candidates[:2]))
        results += [library.solve(state, table, side), state.best_move, state.nodes, list(state.carrier[:2])]
        results.append(state.pv[: library.find_pv(state, table, side)])
    return results


@pytest.mark.parametrize("state_name", list(SOLVERS.values())[1:])
def test_solver_states_of_all_sizes_agree(state_name: str) -> None:
    """Node counts are equal, too, because everything happens in the same order."""
    rng = random.Random(11)
    for _ in range(40):
        position = to_position(random_position(rng, 12), 0)
        assert solver_results(position, state_name) == solver_results(position, "HexSolver")


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_late_positions_of_large_boards_are_solved_right(width: int, height: int) -> None:
    """The empty cells are random, so every word of a set matters."""
    rng = random.Random(width * 100 + height)
    solver = DfpnSolver(HexPosition(Setup(width, height, "standard")), TABLE_BYTES)
    for _ in range(6):
        board = late_position(width, height, 9, rng)
        exact = BitHex(board)
        for side in range(2):
            solution = solver.solve(to_position(board, side))
            assert solution.winner == exact.winner(side)
            if solution.move:
                cell = parse_square(solution.move) or (0, 0)
                black, white = ([cell], []) if side == 0 else ([], [cell])
                assert exact.winner(1 - side, black, white) == side


def test_a_ladder_of_bridges_joins_the_edges_of_large_boards() -> None:
    for size in (12, 13, 14, 15, 19):
        position = HexPosition(Setup(size, size, "standard"))
        for row in range(1, size - 1, 2):  # down to the left
            position.place(0, format_square(size - 3 - row // 2, row))
        state = new_solver_state(position.library, position.setup)
        position.library.solver_load(state, position.state)
        assert position.library.connect(state, 0, 0) == 1
        assert position.library.connect(state, 1, 1) == 0


def test_one_solver_takes_boards_of_different_sizes() -> None:
    """Table entries of a small board must not be used for a large one."""
    solver = DfpnSolver(HexPosition(Setup(4, 4, "standard")), TABLE_BYTES)
    for size in (4, 12, 4, 19, 13):
        position = HexPosition(Setup(size, size, "standard"))
        if size > 4:
            for row in range(size - 2):
                position.place(0, format_square(size // 2, row))
            position.set_to_move(1)
        assert solver.solve(position, Limits(nodes=2_000)).winner == 0


def test_interrupted_search_leaves_no_carrier() -> None:
    """Regression: the solver used to keep the carrier of an earlier result, or of connections found on the way."""
    solver = DfpnSolver(HexPosition(Setup(9, 9, "standard")), TABLE_BYTES)
    decided = HexPosition(Setup(9, 9, "standard", position="4b4/9/4b4/9/4b4/9/4b4/9/4b4 w"))
    assert solver.solve(decided).winner == 0
    assert carrier_of(solver)
    assert solver.solve(HexPosition(Setup(9, 9, "standard")), Limits(nodes=3)).winner is None
    assert carrier_of(solver) == []
    assert solver.solve(decided).winner == 0
    over = HexPosition(Setup(9, 9, "standard", position="/".join(["b8"] * 9) + " w"))
    assert solver.solve(over).winner == 0
    assert carrier_of(solver) == []
