"""Entry point of the executable `pentad-hex`: a Hex player that speaks GTP."""

from __future__ import annotations

from core.system.early_interrupts import exit_on_interrupt

if __name__ == "__main__":
    exit_on_interrupt()  # before the other imports, which take longer

from bots.game_names import GAME_NAMES
from bots.hex.gtp import GTP
from bots.hex.gtp_commands import make_commands
from bots.hex.players import PLAYERS
from core.play.bot_cli import player_from_command_line
from core.version import VERSION
from protocols.gtp.context import session_options
from protocols.gtp.session import GtpSession, serve_gtp


def main() -> None:
    """Serve GTP until `quit` or the end of input."""
    options = session_options(GTP)
    title = "Pentad Hex, an engine for HexGui and other GTP controllers"
    player = player_from_command_line("hex", PLAYERS, title, VERSION, options, all_games=GAME_NAMES)
    serve_gtp(
        lambda write: GtpSession(
            player, GTP, write, name="Pentad", version=VERSION, kinds=PLAYERS, options=options, commands=make_commands
        )
    )


if __name__ == "__main__":
    main()
