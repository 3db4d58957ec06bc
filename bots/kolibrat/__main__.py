"""Entry point of the executable `pentad-kolibrat`: a Kolibrat player that speaks GTP."""

from __future__ import annotations

from core.system.early_interrupts import exit_on_interrupt

if __name__ == "__main__":
    exit_on_interrupt()  # before the other imports, which take longer

from bots.game_names import GAME_NAMES
from bots.kolibrat.gtp import GTP
from bots.kolibrat.gtp_commands import make_commands
from bots.kolibrat.players import PLAYERS
from protocols.gtp.program import run_gtp_bot


def main() -> None:
    """Serve GTP until `quit` or the end of input."""
    title = "Pentad Kolibrat, a GTP engine"
    run_gtp_bot("kolibrat", GTP, PLAYERS, title, name="Pentad Kolibrat", commands=make_commands, all_games=GAME_NAMES)


if __name__ == "__main__":
    main()
