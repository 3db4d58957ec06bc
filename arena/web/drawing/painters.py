"""Which painter draws which game; a sixth game has one row here."""

from __future__ import annotations

from arena.errors import CommandFailedError
from arena.web.drawing.scene import Painter
from arena.web.drawing.scenes import gomoku, hex, hive, kolibrat, pentago

PAINTERS: dict[str, Painter] = {
    "gomoku": gomoku.PAINTER,
    "hex": hex.PAINTER,
    "hive": hive.PAINTER,
    "kolibrat": kolibrat.PAINTER,
    "pentago": pentago.PAINTER,
}


def find_painter(game: str) -> Painter:
    """The painter of a game; raise CommandFailedError where there is none."""
    if game not in PAINTERS:
        raise CommandFailedError(f"no board is drawn for {game!r}; known: {', '.join(PAINTERS)}")
    return PAINTERS[game]
