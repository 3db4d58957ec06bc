"""Gomoku positions for tests: empty boards that are reused, drawn boards, and conversions to and from naive boards.

A `GomokuPosition` numbers its squares as cells of the kernels' padded board. A naive board (naive.py) has points, that
is, column and row from 0.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bots.gomoku.notation import parse_variant
from bots.gomoku.position import PAD, STRIDE, GomokuPosition, format_cell
from core.play.player import Setup
from core.play.squares import format_square, split_squares
from tests.bots.gomoku.naive import STONES, Board, Point

DATA = Path(__file__).parents[2] / "data" / "gomoku"


def read_rows(name: str) -> list[list[str]]:
    """Return the fields of each line of a file in tests/data/gomoku; `#` starts a comment."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [fields for line in lines if (fields := line.partition("#")[0].split())]


@cache
def _cached_position(variant: str, _instance: int) -> GomokuPosition:
    return GomokuPosition(Setup(15, 15, variant))  # takes some tenths of a second, to fill the pattern tables


def empty_position(setup: Setup, instance: int = 0) -> GomokuPosition:
    """Return an empty board in a reused state. Two boards that a test uses at once need different `instance`s."""
    position = _cached_position(setup.variant, instance)
    position.restart(setup)
    return position


def position_after(variant: str, moves: str) -> GomokuPosition:
    """Return a new position on 15x15 after moves such as `h8i9`."""
    position = GomokuPosition(Setup(15, 15, variant))
    for move in split_squares(moves) or []:
        position.play(move)
    return position


def position_with(board: Board) -> GomokuPosition:
    """Return a position with the stones of a naive board, in a reused state; rows of five do not end the game."""
    position = empty_position(Setup(board.width, board.height, f"rule-{board.rule}"))
    for point, colour in board.stones.items():
        position.state.side = colour
        position.library.apply(position.state, cell_of(point))
    position.state.winner = 0  # a row of five would end the game, and then no move is forbidden
    return position


def position_from_rows(rows: Sequence[str], variant: str) -> GomokuPosition:
    """Return a new position with the stones of a drawn board, `X` black and `O` white, in any numbers; black moves."""
    position = GomokuPosition(Setup(len(rows[0]), len(rows), variant))
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark in STONES:
                place_stone(position, format_square(x, y), STONES.index(mark))
    if position.to_move != 0:
        position.library.pass_turn(position.state)
    return position


def place_stone(position: GomokuPosition, square: str, side: int) -> None:
    """Play a stone of a side, whichever is to move."""
    if position.to_move != side:
        position.library.pass_turn(position.state)
    position.play(square)


def board_of(position: GomokuPosition) -> Board:
    """Return the stones of a position as a naive board."""
    setup = position.setup
    stones = {point_of(cell): position.state.cells[cell] - 1 for cell in position.played_cells}
    return Board(setup.width, setup.height, parse_variant(setup.variant), stones)


def cell_of(point: Point) -> int:
    """Return the kernels' cell of a point."""
    return (point[1] + PAD) * STRIDE + point[0] + PAD


def point_of(cell: int) -> Point:
    """Return column and row of a kernels' cell."""
    return cell % STRIDE - PAD, cell // STRIDE - PAD


def choose_crowded(position: GomokuPosition, rng: random.Random) -> str:
    """Return a random legal move that is often near an own stone, so that rows of all kinds arise."""
    legal = position.legal_moves()
    own = position.played_cells[position.to_move :: 2]
    if own and rng.random() < 0.85:
        near = rng.choice(own) + rng.choice((1, STRIDE, STRIDE + 1, 1 - STRIDE)) * rng.choice((-2, -1, 1, 2))
        if format_cell(near) in legal:
            return format_cell(near)
    return rng.choice(legal)


def play_crowded(setup: Setup, seed: int, plies: int, instance: int = 0) -> GomokuPosition:
    """Return the position after a random game of `plies` moves, or fewer if it ends before, in a reused state."""
    position, rng = empty_position(setup, instance), random.Random(seed)
    while len(position.moves) < plies and position.outcome() is None:
        position.play(choose_crowded(position, rng))
    return position
