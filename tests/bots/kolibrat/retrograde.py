"""Values of all states of a small board in the plainest Python: over forward moves, a ply of distance at a time."""

from __future__ import annotations

import re
from functools import cache
from itertools import product

from tests.bots.kolibrat.naive import NaiveKolibrat, Square

Layout = tuple[tuple[Square, str], ...]
State = tuple[Layout, str, tuple[int, int]]  # squares, side to move, points of red and black
Move = tuple[Layout, str, int, str]  # what it leads to: squares, side to move, points gained, and who has lost


def list_layouts(board: NaiveKolibrat) -> list[Layout]:
    """All ways to put up to so many pieces of each side on the board."""
    squares = [(x, y) for y in range(board.height) for x in range(board.width)]
    found = []
    for filling in product("rb.", repeat=len(squares)):
        if max(filling.count("r"), filling.count("b")) <= board.pieces:
            found.append(tuple((square, side) for square, side in zip(squares, filling, strict=True) if side != "."))
    return found


def list_moves(board: NaiveKolibrat, layout: Layout, side: str) -> list[Move]:
    """The moves of a side, which do not hang on the points."""
    state = NaiveKolibrat(board.width, board.height, board.pieces, 9, layout, side)
    found = []
    for move in state.moves(side):
        after = state.play(move)
        found.append((tuple(sorted(after.board)), after.side, sum(after.points), after.loser))
    return found


@cache
def solve_naively(width: int, height: int, pieces: int, goal: int) -> dict[State, int]:
    """Plies to the win (> 0) or loss (< 0) of the side to move; states that nobody can bring to an end are left out."""
    board = NaiveKolibrat(width, height, pieces, goal)
    layouts = [tuple(sorted(layout)) for layout in list_layouts(board)]
    moves = {(layout, side): list_moves(board, layout, side) for layout in layouts for side in "rb"}
    points = [(red, black) for red in range(goal) for black in range(goal)]
    known: dict[State, int] = {}
    unknown = [(layout, side, score) for (layout, side), found in moves.items() if found for score in points]
    plies, quiet = 0, 0
    while quiet <= 1:  # the longest loss may come a ply after the longest win
        plies += 1
        settled = {}
        for state in unknown:
            values = [value_of(move, state, goal, known) for move in moves[state[:2]]]
            if plies in values:
                settled[state] = plies
            elif max(values) < 0 and min(values) == -plies:
                settled[state] = -plies
        known |= settled
        unknown = [state for state in unknown if state not in settled]
        quiet = 0 if settled else quiet + 1
    return known


def value_of(move: Move, state: State, goal: int, known: dict[State, int]) -> int:
    """The value of a state after one of its moves, 0 where it is not known yet."""
    layout, side, gained, loser = move
    _, mover, (red, black) = state
    if (red if mover == "r" else black) + gained == goal:
        return 1
    if loser:
        return -1 if loser == mover else 1
    points = (red + gained, black) if mover == "r" else (red, black + gained)
    below = known.get((layout, side, points), 0)
    below = below if side == mover else -below
    return below + (below > 0) - (below < 0)


def format_state(board: NaiveKolibrat, state: State) -> str:
    """The state as a position's text."""
    layout, side, points = state
    squares = dict(layout)
    ranks = ["".join(squares.get((x, y), ".") for x in range(board.width)) for y in reversed(range(board.height))]
    text = re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(ranks))
    return f"{text} {side} {points[0]} {points[1]} {board.pieces} {board.goal}"
