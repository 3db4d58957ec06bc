"""Kolibrat's own GTP command: `kolibrat_setup`, which begins a game on any board."""

from __future__ import annotations

from bots.kolibrat.gtp import make_setup
from bots.kolibrat.notation import Board
from core.play.player import BadSetup
from protocols.gtp.context import GtpCommand, GtpContext
from protocols.text import parse_number

_USAGE = "kolibrat_setup WIDTH HEIGHT PIECES GOAL"


def make_commands(context: GtpContext) -> list[GtpCommand]:
    """Rows of the command table."""

    def set_up(arguments: tuple[str, ...]) -> str:
        numbers = [parse_number(word) for word in arguments]
        if None in numbers:
            raise BadSetup(f"{_USAGE} wants four whole numbers, not {' '.join(arguments)!r}")
        context.begin(make_setup(Board(*(number or 0 for number in numbers))))
        return ""

    help_text = "begin a game on a board of that size, with so many pieces of each side and points to win"
    return [GtpCommand(set_up, _USAGE, help_text)]
