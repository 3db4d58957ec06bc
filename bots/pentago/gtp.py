"""What Pentago plugs into GTP: its board and texts, and the dialect of Pentagod and Morat."""

from __future__ import annotations

from dataclasses import replace

from bots.pentago.layout import SIZE
from bots.pentago.notation import OWN, PENTAGOD, VARIANTS, check_setup, swap_square
from bots.pentago.position import MAX_PERFT, PentagoPosition
from core.play.options import Option, OptionSet
from core.play.player import Setup
from protocols.gtp.game import GtpGame

DIALECT = Option(
    "dialect", OWN, "pentagod: letters for rows, numbers for columns, and a turn with every move", choices=VARIANTS
)


def swap_in_dialect(text: str, setup: Setup) -> str:
    """A controller's move in our notation, or the other way round."""
    return swap_square(text.lower()) if setup.variant == PENTAGOD else text.lower()


def parse_position(text: str, setup: Setup) -> Setup:
    """The setup of `set_position`; raise BadSetup."""
    found = replace(setup, position=text.strip())
    check_setup(found)
    return found


def apply_options(setup: Setup, options: OptionSet) -> Setup:
    """The setup in a dialect."""
    return replace(setup, variant=str(options[DIALECT.name]))


GTP = GtpGame(
    title="Pentago",
    default_setup=Setup(SIZE, SIZE, OWN),
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


def speaking(dialect: str) -> GtpGame:
    """Pentago whose sessions begin in a dialect."""
    return replace(GTP, default_setup=replace(GTP.default_setup, variant=dialect))
