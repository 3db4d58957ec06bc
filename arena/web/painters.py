"""Access to the painter of a game: the functions that draw its positions for the web pages."""

from __future__ import annotations

from arena.errors import CommandFailedError
from core.play.game import Game
from core.play.scene import Painter


def find_painter(game: Game) -> Painter:
    """Return the painter of a game; raise CommandFailedError if the game has none."""
    if game.painter is None:
        raise CommandFailedError(f"no board is drawn for {game.title}: its `Game` entry has no painter")
    return game.painter()
