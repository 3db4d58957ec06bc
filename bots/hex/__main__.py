"""Entry point of the executable `pentad-hex`: a Hex player that speaks GTP."""

from __future__ import annotations

from core.system.early_interrupts import exit_on_interrupt

if __name__ == "__main__":
    exit_on_interrupt()  # before the other imports, which take longer

from bots.game_names import GAME_NAMES
from bots.hex.gtp import GTP
from bots.hex.gtp_commands import make_commands
from bots.hex.players import PLAYERS
from protocols.gtp.program import run_gtp_bot

TUNING_NODES = 200  # of `--tunable`: a node is an evaluation by the network, which takes about a millisecond


def main() -> None:
    """Serve GTP until `quit` or the end of input."""
    title = "Pentad Hex, an engine for HexGui and other GTP controllers"
    run_gtp_bot("hex", GTP, PLAYERS, title, commands=make_commands, all_games=GAME_NAMES, tuning_nodes=TUNING_NODES)


if __name__ == "__main__":
    main()
