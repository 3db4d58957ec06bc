"""Entry point of the tic-tac-toe engine, a GTP engine."""

from __future__ import annotations

from core.play.bot_cli import player_from_command_line
from protocols.gtp.context import session_options
from protocols.gtp.session import GtpSession, serve_gtp
from tests.mocks.tic_tac_toe.game import GAME, GTP
from tests.mocks.tic_tac_toe.player import PLAYERS


def main() -> None:
    """Serve until quit or the end of input."""
    options = session_options(GTP)
    player = player_from_command_line(GAME.name, PLAYERS, GAME.title, "1.0", options)
    serve_gtp(
        lambda write: GtpSession(player, GTP, write, name=GAME.title, version="1.0", kinds=PLAYERS, options=options)
    )


if __name__ == "__main__":
    main()
