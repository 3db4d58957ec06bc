"""Moves known without a search: the table of solved openings, and the first moves of the paper's players."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from bots.hex.position import HexPosition
from core.play.player import Solution
from core.play.squares import format_square, parse_square
from core.system.files import read_json_object

SOLVED_FILE = Path(__file__).with_name("solved_openings.json")  # bots/hex/training/make_solved.py makes it
REPLY_SIZE = 7  # board size on which the paper's players reply from the table
MIN_OPENING_SIZE = 3  # smallest board on which they have a first move


@cache
def solved_openings(size: int) -> Mapping[str, tuple[int, str]]:
    """Return, by black's first move, the winner (0 black, 1 white) and white's reply; empty if the size has no table.

    The reply is a winning one if white wins. Otherwise it is the reply whose refutation took the solver most nodes, or
    an empty text if virtual connections refute all replies.
    """
    return {cell: (winner, reply) for cell, (winner, reply) in read_json_object(SOLVED_FILE).get(str(size), {}).items()}


def find_paper_opening(position: HexPosition) -> str:
    """Return the opening move of the paper's players, or an empty text.

    Black begins on the cell to the lower left of the centre, which wins on 7x7 (Yang, Liao and Pawlak, "New winning and
    losing positions for 7x7 Hex", 2003). White has replies on 7x7 only.
    """
    setup, stones = position.setup, position.stones()
    if not stones and min(setup.width, setup.height) >= MIN_OPENING_SIZE and position.to_move == 0:
        return format_square((setup.width - 1) // 2 - 1, setup.height // 2 + 1)
    if (setup.width, setup.height) == (REPLY_SIZE, REPLY_SIZE) and position.to_move == 1 and len(stones) == 1:
        colour, cell = stones[0]
        return solved_openings(REPLY_SIZE)[cell][1] if colour == 0 else ""
    return ""


def find_solved(position: HexPosition) -> Solution | None:
    """Return the table's result for the side to move and its move, or None if the table does not have the position.

    The table covers the empty board, and boards with one stone of the side that is not to move. A white stone, as after
    a swap, is looked up on the mirrored board, with columns and rows exchanged. The swap rule itself is ignored.
    """
    setup, side = position.setup, position.to_move
    if setup.width != setup.height or position.state.stones > 1:
        return None
    table = solved_openings(setup.width)
    if not table:
        return None
    stones = position.stones()
    if not stones:
        return Solution("win", _mirror_for(side, find_winning_opening(setup.width)))
    colour, cell = stones[0]
    if colour == side:
        return None
    winner, reply = table[_mirror_for(colour, cell)]
    return Solution("win" if winner == 1 else "loss", _mirror_for(colour, reply))


def find_winning_opening(size: int) -> str:
    """Return black's winning first move closest to the centre; the board must have a table."""
    winning = [cell for cell, (winner, _) in solved_openings(size).items() if winner == 0]
    return min(winning, key=lambda cell: sum(abs(2 * coordinate - size + 1) for coordinate in parse_square(cell) or ()))


def _mirror_for(side: int, cell: str) -> str:
    """Exchange column and row of a cell if `side` is white; an empty text stays empty."""
    x, y = parse_square(cell) or (0, 0)
    return format_square(y, x) if side == 1 and cell else cell
