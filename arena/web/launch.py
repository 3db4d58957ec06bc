"""`pentad play`: lays the table, serves its page, and ends all engines with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.errors import CommandFailedError, UsageError
from arena.web.play_table import Person
from arena.web.play_terms import make_table
from core.game import Game

MOST_PORT = 65535


def play(
    game: Game,
    engines: Sequence[str],
    person: Person,
    level: int | None,
    size: int | None,
    variant: str | None,
    move_time_s: float,
    port: int,
    *,
    browse: bool,
    tell: Callable[[str], None],
) -> None:
    """Serve a table until it is interrupted; raise UsageError, CommandFailedError where a part is not installed."""
    if not 0 <= port <= MOST_PORT:
        raise UsageError(f"--port must be 0..{MOST_PORT}, not {port}")
    try:
        from arena.web.server import serve
    except ImportError as error:
        raise CommandFailedError(f"{error}: install pentad with its web extra, `pip install pentad[web]`") from None
    table = make_table(game, engines, person, level, size, variant, move_time_s)
    try:
        serve(table, port, browse=browse, tell=tell)
    except KeyboardInterrupt:
        return  # the way to end it
    finally:
        table.close()
