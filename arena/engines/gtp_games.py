"""Where the arena finds what a game plugs into GTP."""

from __future__ import annotations

from arena.errors import UsageError
from core.play.game import Game
from protocols.gtp.game import GtpGame


def find_gtp_game(game: Game) -> GtpGame:
    """What its row names; raise UsageError for a game that has another protocol."""
    if game.gtp is None:
        raise UsageError(f"{game.title} is played over {game.protocol}, not over GTP")
    found = game.gtp()
    assert isinstance(found, GtpGame)
    return found
