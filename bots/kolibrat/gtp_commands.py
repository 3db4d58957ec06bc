"""Kolibrat's own GTP command, `kolibrat_setup WIDTH HEIGHT PIECES GOAL`, which begins a game on any board."""

from __future__ import annotations

from bots.kolibrat.gtp import make_setup
from bots.kolibrat.notation import Board
from core.play.player import BadSetup
from protocols.gtp.context import GtpCommand, GtpContext
from protocols.text import parse_number

_USAGE = "kolibrat_setup WIDTH HEIGHT PIECES GOAL"


def make_commands(context: GtpContext) -> list[GtpCommand]:
    """Return the commands that Kolibrat adds to the command table of the GTP session."""

    def set_up(arguments: tuple[str, ...]) -> str:
        numbers = [parse_number(word) for word in arguments]  # None for a word that is not a number
        if None in numbers:
            raise BadSetup(f"{_USAGE} expects four integers, not {' '.join(arguments)!r}")
        context.begin(make_setup(Board(*(number or 0 for number in numbers))))
        return ""

    help_text = "begin a game with this board size, number of pieces per side and points needed to win"
    return [GtpCommand(set_up, _USAGE, help_text)]
