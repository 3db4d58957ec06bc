"""Entry point of `pentad-kolibrat`: serves a Kolibrat player over the Go Text Protocol (GTP)."""

from __future__ import annotations

from core.system.early_interrupts import exit_on_interrupt

if __name__ == "__main__":
    exit_on_interrupt()  # before the other imports, which take longer

from bots.game_names import GAME_NAMES
from bots.kolibrat.gtp import GTP
from bots.kolibrat.gtp_commands import make_commands
from bots.kolibrat.players import PLAYERS
from core.play.bot_cli import player_from_command_line
from core.version import VERSION
from protocols.gtp.context import session_options
from protocols.gtp.session import GtpSession, serve_gtp


def main() -> None:
    """Answer commands until `quit` or the end of the input."""
    options = session_options(GTP)
    title = "Pentad Kolibrat, a GTP engine"
    player = player_from_command_line("kolibrat", PLAYERS, title, VERSION, options, all_games=GAME_NAMES)
    serve_gtp(
        lambda write: GtpSession(
            player,
            GTP,
            write,
            name="Pentad Kolibrat",
            version=VERSION,
            kinds=PLAYERS,
            options=options,
            commands=make_commands,
        )
    )


if __name__ == "__main__":
    main()
