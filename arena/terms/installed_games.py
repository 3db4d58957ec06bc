"""Games that are no part of Pentad: rows that installed packages name in the entry point group `pentad.games`.

Loading one runs its package's code, with all that this process may do.
"""

from __future__ import annotations

from importlib.metadata import entry_points

from arena.errors import UsageError, format_foreign_error
from core.play.game import Game

GROUP = "pentad.games"


def list_installed() -> list[str]:
    """Their names."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def load_installed(name: str) -> Game | None:
    """The game that is installed under a name, None where none is; raise UsageError where what is there is no game."""
    point = next((point for point in entry_points(group=GROUP) if point.name == name), None)
    if point is None:
        return None
    place = f"game {point.name!r}, installed as {point.value}"
    try:
        found = point.load()
    except (Exception, SystemExit) as error:  # foreign code may raise anything
        raise UsageError(f"{place}: {format_foreign_error(error)}") from error
    if not isinstance(found, Game):
        raise UsageError(f"{place}: a core.play.game.Game is wanted, not {type(found).__name__}")
    if found.name != name:
        raise UsageError(f"{place}: the row calls itself {found.name!r}")
    return found
