"""What Pentago plugs into GTP: its board and texts, and the dialect of Pentagod and Morat."""

from __future__ import annotations

from dataclasses import replace

from bots.pentago.notation import DIALECTS, OWN, PENTAGOD, check_setup, swap_square
from bots.pentago.position import MAX_PERFT, PentagoPosition
from core.options import Option
from core.player import Setup
from protocols.gtp_game import GtpGame

DIALECT = Option("dialect", OWN, "pentagod: the row's letter before the column's number", choices=DIALECTS)


def parse_position(text: str, setup: Setup) -> Setup:
    """The setup of `set_position`; raise BadSetup."""
    found = replace(setup, position=text.strip())
    check_setup(found)
    return found


def make_game(dialect: str) -> GtpGame:
    """Pentago in one of the dialects."""
    swap = swap_square if dialect == PENTAGOD else str.lower
    return GtpGame(
        title="Pentago",
        default_setup=Setup(6, 6, "pentago"),
        new_position=PentagoPosition,
        colours=("white", "black"),
        parse_move=lambda text, _: swap(text.lower()),
        format_move=lambda move, _: swap(move),
        parse_position=parse_position,
        max_perft=MAX_PERFT,
        resigns=False,
    )


GTP = make_game(OWN)
