"""A correct GTP engine: the real main loop and session with a player of small Hex boards (`tiny_hex.py`).

Arguments: the time for a move in milliseconds; `deaf` (searches cannot be stopped); `endless` (a search has no limit
but those of its command).
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from protocols.gtp.session import GtpSession, serve_gtp
from tests.mocks.scripted_player import ReportedStart, ReportedStops
from tests.mocks.tiny_hex import KINDS, TINY_HEX, SolvingPlayer, UnstoppableHexPlayer, make_commands


def main() -> None:
    player_class = UnstoppableHexPlayer if "deaf" in sys.argv else SolvingPlayer
    player = player_class(think_ms=int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    player.was_stopped = ReportedStops()
    player.begun, player.endless = ReportedStart(), "endless" in sys.argv

    def make_session(write: Callable[[str], None]) -> GtpSession:
        print("a print that must not reach the controller")
        return GtpSession(player, TINY_HEX, write, name="Served", version="1.0", kinds=KINDS, commands=make_commands)

    serve_gtp(make_session)


if __name__ == "__main__":
    main()
