"""The command `pentad play`: starts a game session and serves its page until Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable

from arena.errors import CommandFailedError, UsageError, install_command
from arena.options.play import PlayOptions
from arena.web.play.new_game import make_session
from core.play.game import Game

MAX_PORT = 65535


def play(game: Game, options: PlayOptions, announce: Callable[[str], None]) -> None:
    """Serve the page of a new session until Ctrl-C, then end all engines. `announce` gets the page's address.

    Raise UsageError for wrong options, and CommandFailedError if the port is in use or a package of the web extra is
    missing.
    """
    if not 0 <= options.port <= MAX_PORT:
        raise UsageError(f"--port must be 0..{MAX_PORT}, not {options.port}")
    try:
        from arena.web.play.server import serve
    except ImportError as error:
        raise CommandFailedError(f"{error}: the page needs more packages, {install_command('web')}") from None
    session = make_session(game, options)
    try:
        serve(session, options.port, browse=not options.no_browser, announce=announce)
    except KeyboardInterrupt:
        return  # Ctrl-C is the normal end of the command
    finally:
        session.close()
