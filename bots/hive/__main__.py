"""Entry point of `pentad-hive`: serves a Hive player over the Universal Hive Protocol (UHP)."""

from __future__ import annotations

from core.system.early_interrupts import exit_on_interrupt

if __name__ == "__main__":
    exit_on_interrupt()  # before the other imports, which take longer

from functools import partial

from bots.game_names import GAME_NAMES
from bots.hive.players import PLAYERS
from bots.hive.position import HivePosition
from core.play.bot_cli import player_from_command_line
from core.search.tunable import TuningTarget, format_tunable
from core.version import VERSION
from protocols.uhp.options import session_options
from protocols.uhp.session import UhpGame, UhpSession, serve_uhp

RULES = UhpGame(parse_game=HivePosition.from_game, expansions=("Mosquito", "Ladybug", "Pillbug"))


def main() -> None:
    """Answer commands until `exit` or the end of the input."""
    options = session_options()
    title = "Pentad Hive, an engine for UHP viewers"
    listing = partial(format_tunable, TuningTarget("hive"))
    player = player_from_command_line(
        "hive", PLAYERS, title, VERSION, options, all_games=GAME_NAMES, format_tunable=listing
    )
    serve_uhp(  # `write` sends a line to the viewer
        lambda write: UhpSession(player, RULES, write, name="Pentad", version=VERSION, kinds=PLAYERS, options=options)
    )


if __name__ == "__main__":
    main()
