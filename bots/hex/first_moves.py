"""The paper's players' first moves: a strong opening, and replies on 7x7 that the solver has proven."""

from __future__ import annotations

from bots.hex.opening_replies import REPLIES
from bots.hex.position import HexPosition
from core.squares import format_square

REPLY_SIZE = 7  # of the board that the replies are for
LEAST_SIZE = 3


def find_opening(position: HexPosition) -> str:
    """The first move of a side, or nothing where it is to be found otherwise.

    Black begins on the cell lower left of the centre, which wins on 7x7 (Yang, Liao and Pawlak, "New winning and losing
    positions for 7x7 Hex", 2003). A white reply is known to 7x7's openings only.
    """
    setup, stones = position.setup, position.stones()
    if not stones and min(setup.width, setup.height) >= LEAST_SIZE and position.to_move == 0:
        return format_square((setup.width - 1) // 2 - 1, setup.height // 2 + 1)
    if (setup.width, setup.height) == (REPLY_SIZE, REPLY_SIZE) and position.to_move == 1 and len(stones) == 1:
        colour, cell = stones[0]
        return REPLIES.get(cell, "") if colour == 0 else ""
    return ""
