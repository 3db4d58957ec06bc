"""Slow and obvious random playouts that save bridges, as in bots/hex/kernels/tree/mcts_game.py."""

from __future__ import annotations

import random

from tests.bots.hex.naive import Cell, NaiveHex

CIRCLE = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # steps (dx, dy) to the neighbours, in circular order


def owner(board: NaiveHex, cell: Cell) -> int | None:
    """Return the owner of a cell: beyond an edge it is the edge's colour, beyond a corner nobody's."""
    x, y = cell
    beyond = [colour for colour, outside in ((0, not 0 <= y < board.height), (1, not 0 <= x < board.width)) if outside]
    if beyond:
        return beyond[0] if len(beyond) == 1 else None
    return board.stones.get(cell)


def saving_replies(board: NaiveHex, side: int, last: Cell) -> list[Cell]:
    """Return the empty neighbours of the last move that lie between two stones or edges of `side` around it.

    There `side` saves a bridge into which the opponent has played.
    """
    circle = [(last[0] + dx, last[1] + dy) for dx, dy in CIRCLE]
    empty = set(board.empty())
    return [
        cell
        for index, cell in enumerate(circle)
        if cell in empty and owner(board, circle[index - 1]) == side and owner(board, circle[(index + 1) % 6]) == side
    ]


def playout_naively(board: NaiveHex, side: int, rng: random.Random) -> int:
    """Fill a board at random, beginning with `side`, and return its winner."""
    replies: list[Cell] = []
    while board.empty():
        cell = rng.choice(replies or board.empty())
        board.stones[cell] = side
        side = 1 - side
        replies = saving_replies(board, side, cell)
    winner = board.winner()
    assert winner is not None
    return winner
