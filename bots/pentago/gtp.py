"""Pentago's part of GTP (Go Text Protocol): positions, colours, and the dialect of the programs Pentagod and Morat.

In the dialect letters are rows and numbers columns: our `b1s` is `a2s` there. Every move has a rotation, even one that
wins before it. protocols/gtp/game.py explains the fields of `GtpGame`.
"""

from __future__ import annotations

from dataclasses import replace

from bots.pentago.layout import SIZE
from bots.pentago.notation import NATIVE, PENTAGOD, VARIANTS, check_setup, swap_square
from bots.pentago.position import MAX_PERFT, PentagoPosition
from core.play.options import Option, OptionSet
from core.play.player import Setup
from protocols.gtp.game import GtpGame

DIALECT = Option(
    "dialect", NATIVE, "pentagod: letters for rows, numbers for columns, a rotation with every move", choices=VARIANTS
)


def swap_in_dialect(text: str, setup: Setup) -> str:
    """Convert a move from a controller's notation to ours, or back: if it uses the dialect, swap column and row."""
    return swap_square(text.lower()) if setup.variant == PENTAGOD else text.lower()


def parse_position(text: str, setup: Setup) -> Setup:
    """Return the setup that GTP's `set_position` asks for; raise `BadSetup` if the text is not a position."""
    return check_setup(replace(setup, position=text.strip()))


def apply_options(setup: Setup, options: OptionSet) -> Setup:
    """Return the setup in the dialect that the options select."""
    return replace(setup, variant=options.get_str(DIALECT.name))


GTP = GtpGame(
    title="Pentago",
    default_setup=Setup(SIZE, SIZE, NATIVE),
    new_position=PentagoPosition,
    colours=("white", "black"),
    parse_move=swap_in_dialect,
    format_move=swap_in_dialect,
    parse_position=parse_position,
    options=(DIALECT,),
    read_options=lambda setup: {DIALECT.name: setup.variant},
    apply_options=apply_options,
    max_perft_depth=MAX_PERFT,
)
