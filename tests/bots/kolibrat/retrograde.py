"""Values of all states of a small board of Kolibrat, by a simple method.

The method plays each move. It finds the wins and losses in 1 ply, then those in 2 plies, and so on.

The tests compare the bot's solver, which `solve_board` runs, with these values.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product

from bots.kolibrat.notation import Board
from bots.kolibrat.solver.solve import KolibratSolver
from tests.bots.kolibrat.naive import NaiveKolibrat, Square

Placement = tuple[tuple[Square, str], ...]  # occupied squares and their owners
State = tuple[Placement, str, tuple[int, int]]  # placement, side to move, points of red and black
Move = tuple[Placement, str, int, str]  # after the move: placement, side to move, points gained, loser by blocking


def list_placements(board: NaiveKolibrat) -> list[Placement]:
    """Return all ways to put at most `board.pieces` pieces of each side on the board."""
    squares = [(x, y) for y in range(board.height) for x in range(board.width)]
    found = []
    for filling in product("rb.", repeat=len(squares)):
        if max(filling.count("r"), filling.count("b")) <= board.pieces:
            found.append(tuple((square, side) for square, side in zip(squares, filling, strict=True) if side != "."))
    return found


def list_moves(board: NaiveKolibrat, placement: Placement, side: str) -> list[Move]:
    """Return the moves of a side, which are the same for all points."""
    state = NaiveKolibrat(board.width, board.height, board.pieces, 9, placement, side)  # one point does not win
    found = []
    for move in state.moves(side):
        successor = state.play(move)
        found.append((tuple(sorted(successor.board)), successor.side, sum(successor.points), successor.loser))
    return found


@cache
def list_all_moves(board: NaiveKolibrat) -> dict[tuple[Placement, str], list[Move]]:
    """Return the moves of each side at each placement; a side that cannot move there is left out."""
    placements = [tuple(sorted(placement)) for placement in list_placements(board)]
    moves = {(placement, side): list_moves(board, placement, side) for placement in placements for side in "rb"}
    return {key: found for key, found in moves.items() if found}


def list_states(width: int, height: int, pieces: int, goal: int) -> list[State]:
    """Return all states in which the side to move has a move."""
    points = [(red, black) for red in range(goal) for black in range(goal)]
    moves = list_all_moves(NaiveKolibrat(width, height, pieces, goal))
    return [(placement, side, score) for placement, side in moves for score in points]


@cache
def solve_naively(width: int, height: int, pieces: int, goal: int) -> dict[State, int]:
    """Return plies to the win (> 0) or loss (< 0) for the side to move; states without a forced end are left out."""
    moves = list_all_moves(NaiveKolibrat(width, height, pieces, goal))
    known: dict[State, int] = {}
    unknown = list_states(width, height, pieces, goal)
    plies, passes_without_result = 0, 0
    while passes_without_result <= 1:  # the longest loss may come a ply after the longest win
        plies += 1
        resolved = {}
        for state in unknown:
            values = [value_of(move, state, goal, known) for move in moves[state[:2]]]
            if plies in values:
                resolved[state] = plies
            elif max(values) < 0 and min(values) == -plies:
                resolved[state] = -plies
        known |= resolved
        unknown = [state for state in unknown if state not in resolved]
        passes_without_result = 0 if resolved else passes_without_result + 1
    return known


def value_of(move: Move, state: State, goal: int, known: dict[State, int]) -> int:
    """Return the value of a move for the side that makes it, 0 if it is not known yet."""
    placement, side, gained, loser = move
    _, mover, (red, black) = state
    if (red if mover == "r" else black) + gained == goal:
        return 1
    if loser:
        return -1 if loser == mover else 1
    points = (red + gained, black) if mover == "r" else (red, black + gained)
    successor_value = known.get((placement, side, points), 0)
    successor_value = successor_value if side == mover else -successor_value
    return successor_value + (successor_value > 0) - (successor_value < 0)


def format_state(board: NaiveKolibrat, state: State) -> str:
    """Return a state as the text of a position."""
    placement, side, points = state
    squares = dict(placement)
    ranks = ["".join(squares.get((x, y), ".") for x in range(board.width)) for y in reversed(range(board.height))]
    text = re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(ranks))
    return f"{text} {side} {points[0]} {points[1]} {board.pieces} {board.goal}"


def solve_board(board: Board) -> KolibratSolver:
    """Solve a board with the bot's solver and return the solver."""
    solver = KolibratSolver(board)
    for _ in solver.solve():
        pass
    return solver
