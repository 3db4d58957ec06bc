"""Entry point of the executable `pbrain-pentad`: a Gomoku player that speaks the Gomocup protocol."""

from __future__ import annotations

from core.system.early_interrupts import exit_on_interrupt

if __name__ == "__main__":
    exit_on_interrupt()  # before the other imports, which take longer

from functools import partial

from bots.game_names import GAME_NAMES
from bots.gomoku.notation import check_setup, format_variant
from bots.gomoku.players import PLAYERS
from core.play.bot_cli import player_from_command_line
from core.search.tunable import TuningTarget, format_tunable
from core.version import AUTHOR, VERSION
from protocols.gomocup.session import GomocupSession
from protocols.gomocup.text import About
from protocols.serving.serve import serve_stdio


def main() -> None:
    """Serve the Gomocup protocol on standard input and output until the command END or the end of input."""
    title = "Pentad Gomoku, a brain for Gomocup managers"
    listing = partial(format_tunable, TuningTarget("gomoku"))
    player = player_from_command_line("gomoku", PLAYERS, title, VERSION, all_games=GAME_NAMES, format_tunable=listing)
    about = About(name="Pentad", version=VERSION, author=AUTHOR, country="")
    serve_stdio(lambda write: GomocupSession(player, write, format_variant, about, check_setup=check_setup))


if __name__ == "__main__":
    main()
