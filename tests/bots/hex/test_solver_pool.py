"""Winning moves that end the game soon, and deadlines of the solvers."""

from __future__ import annotations

import random

from bots.hex.position import HexPosition, cell_index
from bots.hex.solver.solver_pool import UNREACHABLE, SolverPool, count_missing_stones, immediate_win
from core.play.player import Setup
from core.search.mcts_tree import LOST, UNKNOWN, WON
from tests.bots.hex.boards import to_position
from tests.bots.hex.naive import NEIGHBOURS, Cell, NaiveHex


def count_missing_naively(board: NaiveHex, colour: int) -> int:
    """Return the number of stones that a colour needs for a chain, by relaxing costs until nothing changes."""
    other = 1 - colour
    cost: dict[Cell, int] = {}
    changed = True
    while changed:
        changed = False
        for cell in board.cells():
            if board.stones.get(cell) == other:
                continue
            neighbours = [(cell[0] + dx, cell[1] + dy) for dx, dy in NEIGHBOURS]
            costs = [cost[neighbour] for neighbour in neighbours if neighbour in cost]
            costs += [0] if cell[1 - colour] == 0 else []  # at the first edge
            if costs and min(costs) + (cell not in board.stones) < cost.get(cell, UNREACHABLE):
                cost[cell] = min(costs) + (cell not in board.stones)
                changed = True
    last = (board.height, board.width)[colour] - 1
    return min((cost[cell] for cell in cost if cell[1 - colour] == last), default=UNREACHABLE)


def test_missing_stones_match_a_naive_search() -> None:
    rng = random.Random(8)
    for _ in range(40):
        board = NaiveHex(rng.randint(1, 6), rng.randint(1, 6))
        for cell in rng.sample(board.cells(), rng.randint(0, len(board.cells()))):
            board.stones[cell] = rng.randrange(2)
        position = to_position(board, 0)
        for colour in range(2):
            missing = count_missing_stones(position, colour)
            assert missing.now == count_missing_naively(board, colour)
            expected = {}
            for cell in board.empty():
                stones = board.stones | {cell: colour}
                expected[cell_index(*cell)] = count_missing_naively(NaiveHex(board.width, board.height, stones), colour)
            assert missing.after_stone == expected


def test_immediate_win_is_found_unless_excluded() -> None:
    position = HexPosition(Setup(3, 3, "standard", position="1b1/1b1/3 b"))
    assert {immediate_win(position, ()), immediate_win(position, (cell_index(0, 2),))} == {
        cell_index(0, 2),
        cell_index(1, 2),
    }
    assert immediate_win(position, (cell_index(0, 2), cell_index(1, 2))) == 0
    assert immediate_win(HexPosition(Setup(3, 3, "standard", position="1b1/3/3 b")), ()) == 0


def test_deadline_interrupts_one_analysis_only() -> None:
    """On the largest boards connections take longer than a host waits. Later calls give results again."""
    position = HexPosition(Setup(19, 19, "standard"))
    pool = SolverPool(position.library)
    pool.set_deadline(0)  # over at once
    assert pool.prepare(position, 1)
    assert pool.static_result(position).result == UNKNOWN
    small = HexPosition(Setup(5, 5, "standard", position="2b2/5/2b2/5/2b2 w"))
    assert pool.prepare(small, 1)
    pool.set_deadline(None)
    assert pool.static_result(small).result == LOST
    small.set_to_move(0)
    assert pool.prove(small, 0).result in (UNKNOWN, WON)
    assert pool.static_result(small).result == WON
