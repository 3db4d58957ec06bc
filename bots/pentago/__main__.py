"""Entry point of the executable `pentad-pentago`: a Pentago player that speaks GTP."""

from __future__ import annotations

from core.system.early_interrupts import exit_on_interrupt

if __name__ == "__main__":
    exit_on_interrupt()  # before the other imports, which take longer

from bots.game_names import GAME_NAMES
from bots.pentago.gtp import DIALECT, GTP, with_dialect
from bots.pentago.players import PLAYERS
from core.play.bot_cli import player_from_command_line
from core.play.options import OptionSet
from core.version import VERSION
from protocols.gtp.context import session_options
from protocols.gtp.session import GtpSession, serve_gtp


def main() -> None:
    """Serve the protocol on standard input and output until quit or the end of input."""
    options = session_options(GTP)
    arguments = OptionSet((*options.options, DIALECT))
    title = "Pentad Pentago, an engine for GTP controllers"
    player = player_from_command_line("pentago", PLAYERS, title, VERSION, arguments, all_games=GAME_NAMES)
    options.update({name: arguments[name] for name in options})
    game = with_dialect(str(arguments[DIALECT.name]))
    serve_gtp(
        lambda write: GtpSession(player, game, write, name="Pentad", version=VERSION, kinds=PLAYERS, options=options)
    )


if __name__ == "__main__":
    main()
