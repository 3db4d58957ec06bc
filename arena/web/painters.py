"""Where the pages find the painter of a game."""

from __future__ import annotations

from arena.errors import CommandFailedError
from core.play.game import Game
from core.play.scene import Painter


def find_painter(game: Game) -> Painter:
    """The painter of a game; raise CommandFailedError where it has none."""
    if game.painter is None:
        raise CommandFailedError(f"no board is drawn for {game.title}: its row has no painter")
    return game.painter()
