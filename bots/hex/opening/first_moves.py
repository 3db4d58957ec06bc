"""What is known without a search: the results of first moves, and the paper's players' first moves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from bots.hex.position import HexPosition
from core.play.player import Solution
from core.play.squares import format_square, parse_square
from core.system.files import read_json_object

SOLVED_FILE = Path(__file__).with_name("solved_openings.json")  # bots/hex/training/make_solved.py makes it
REPLY_SIZE = 7  # of the board on which the paper's players have replies
MIN_OPENING_SIZE = 3


@cache
def solved_openings(size: int) -> Mapping[str, tuple[int, str]]:
    """By first move who wins, 0 for black and 1 for white, and white's reply; empty for a size that has no table.

    The reply is white's winning one, or the one that is hardest to refute, empty where virtual connections refute all.
    """
    return {cell: (winner, reply) for cell, (winner, reply) in read_json_object(SOLVED_FILE).get(str(size), {}).items()}


def find_paper_opening(position: HexPosition) -> str:
    """The first move of a side of the paper's players, or nothing where it is to be found otherwise.

    Black begins on the cell lower left of the centre, which wins on 7x7 (Yang, Liao and Pawlak, "New winning and losing
    positions for 7x7 Hex", 2003). A white reply is known to 7x7's openings only.
    """
    setup, stones = position.setup, position.stones()
    if not stones and min(setup.width, setup.height) >= MIN_OPENING_SIZE and position.to_move == 0:
        return format_square((setup.width - 1) // 2 - 1, setup.height // 2 + 1)
    if (setup.width, setup.height) == (REPLY_SIZE, REPLY_SIZE) and position.to_move == 1 and len(stones) == 1:
        colour, cell = stones[0]
        return solved_openings(REPLY_SIZE)[cell][1] if colour == 0 else ""
    return ""


def find_solved(position: HexPosition) -> Solution | None:
    """What the table of solved openings tells, by the rules without a swap; None where it tells nothing.

    It holds for the empty board and for one stone of the side that is not to move: white's game is black's with
    columns and rows exchanged, as after a swap of pieces.
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
    """Black's winning first move nearest to the centre of a board that has a table."""
    winning = [cell for cell, (winner, _) in solved_openings(size).items() if winner == 0]
    return min(winning, key=lambda cell: sum(abs(2 * place - size + 1) for place in parse_square(cell) or ()))


def _mirror_for(side: int, cell: str) -> str:
    """A cell as the table has it, where `side` is who opens: white's are mirrored. No cell stays none."""
    x, y = parse_square(cell) or (0, 0)
    return format_square(y, x) if side == 1 and cell else cell
