"""Games of other installed packages, found through the entry point group `pentad.games`.

Loading such a game executes code of its package with all rights of this process.
"""

from __future__ import annotations

from importlib.metadata import entry_points

from arena.errors import UsageError, format_foreign_error
from core.play.game import Game

GROUP = "pentad.games"


def list_installed() -> list[str]:
    """Return the names of the installed games, sorted, without loading them."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def load_installed(name: str) -> Game | None:
    """Load an installed game; None if there is none. Raise UsageError if its entry point is not a valid game."""
    point = next((point for point in entry_points(group=GROUP) if point.name == name), None)
    if point is None:
        return None
    location = f"game {point.name!r}, installed as {point.value}"
    try:
        loaded = point.load()
    except (Exception, SystemExit) as error:  # foreign code may raise anything
        raise UsageError(f"{location}: {format_foreign_error(error)}") from error
    if not isinstance(loaded, Game):
        raise UsageError(f"{location}: a core.play.game.Game is wanted, not {type(loaded).__name__}")
    if loaded.name != name:
        raise UsageError(f"{location}: the game is named {loaded.name!r}")
    return loaded
