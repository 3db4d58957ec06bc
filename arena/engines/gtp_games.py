"""The GTP side of a game (notation, commands), found through the game's registry entry."""

from __future__ import annotations

from arena.errors import UsageError
from core.play.game import Game
from protocols.gtp.game import GtpGame


def find_gtp_game(game: Game) -> GtpGame:
    """Return the game's GTP description; raise `UsageError` if the game is played over another protocol."""
    if game.gtp is None:
        raise UsageError(f"{game.title} is played over {game.protocol}, not over GTP")
    gtp_game = game.gtp()
    assert isinstance(gtp_game, GtpGame)
    return gtp_game
