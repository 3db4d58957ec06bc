"""Where the arena finds what a game plugs into GTP."""

from __future__ import annotations

import importlib

from arena.errors import UsageError
from core.play.game import Game
from protocols.gtp.game import GtpGame


def find_gtp_game(game: Game) -> GtpGame:
    """The `GTP` of the game's module `bots.<game>.gtp`; raise UsageError for a game that has another protocol."""
    if game.protocol != "gtp":
        raise UsageError(f"{game.title} is played over {game.protocol}, not over GTP")
    found = importlib.import_module(f"bots.{game.name}.gtp").GTP
    assert isinstance(found, GtpGame)
    return found
