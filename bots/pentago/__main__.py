"""Entry point of the executable `pentad-pentago`: a Pentago player that speaks GTP."""

from __future__ import annotations

from core.system.early_interrupts import exit_on_interrupt

if __name__ == "__main__":
    exit_on_interrupt()  # before the other imports, which take longer

from bots.game_names import GAME_NAMES
from bots.pentago.gtp import DIALECT, GTP
from bots.pentago.players import PLAYERS
from protocols.gtp.program import run_gtp_bot


def main() -> None:
    """Serve GTP until `quit` or the end of input."""
    title = "Pentad Pentago, an engine for GTP controllers"
    run_gtp_bot("pentago", GTP, PLAYERS, title, start_options=(DIALECT,), all_games=GAME_NAMES)


if __name__ == "__main__":
    main()
