"""`pentad play`: lays the table, serves its page, and ends all engines with it."""

from __future__ import annotations

from collections.abc import Callable

from arena.errors import CommandFailedError, UsageError, install_command
from arena.options.play import PlayOptions
from arena.web.play.terms import make_table
from core.play.game import Game

MOST_PORT = 65535


def play(game: Game, request: PlayOptions, tell: Callable[[str], None]) -> None:
    """Serve a table until it is interrupted; raise UsageError, CommandFailedError where a part is not installed."""
    if not 0 <= request.port <= MOST_PORT:
        raise UsageError(f"--port must be 0..{MOST_PORT}, not {request.port}")
    try:
        from arena.web.play.server import serve
    except ImportError as error:
        raise CommandFailedError(f"{error}: the page needs more packages, {install_command('web')}") from None
    table = make_table(game, request)
    try:
        serve(table, request.port, browse=not request.no_browser, tell=tell)
    except KeyboardInterrupt:
        return  # the way to end it
    finally:
        table.close()
