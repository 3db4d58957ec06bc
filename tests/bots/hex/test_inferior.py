"""Inferior cells: filling in changes no winner, and pruning keeps a winning move."""

from __future__ import annotations

import random

from tests.bots.hex.boards import cells_of, to_naive, to_solver
from tests.bots.hex.naive import NaiveHex, random_position


def test_filling_in_changes_no_winner() -> None:
    rng = random.Random(3)
    filled = 0
    for _ in range(100):
        board = random_position(rng)
        library, state = to_solver(board)
        library.fill_in_board(state)
        other = to_naive(state, board)
        filled += len(other.stones) - len(board.stones)
        for side in range(2):
            assert other.solve(side) == board.solve(side)
    assert filled > 30


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


def test_pruning_keeps_a_winning_move() -> None:
    """Rules that are sound one by one may be unsound together."""
    rng = random.Random(4)
    pruned = 0
    for _ in range(200):
        board = random_position(rng)
        library, state = to_solver(board)
        library.fill_in_board(state)
        filled = to_naive(state, board)
        side = rng.randrange(2)
        moves = set(filled.empty())
        if filled.winner() is not None or not moves or filled.solve(side) != side:
            continue
        library.find_candidates(state, side)
        kept = cells_of(state.candidates, board)
        pruned += len(moves) - len(kept)
        assert any(_wins(filled, cell, side) for cell in kept)
    assert pruned > 30


def _wins(board: NaiveHex, cell: tuple[int, int], side: int) -> bool:
    board.stones[cell] = side
    won = board.solve(1 - side) == side
    del board.stones[cell]
    return won
