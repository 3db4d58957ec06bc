"""A correct UHP engine: the real main loop and session with a scripted player of a toy game (`tiny_hive.py`).

Arguments: the time for a move in milliseconds; `deaf` (searches cannot be stopped); `endless` (a search has no limit
but those of its command).
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from protocols.uhp.session import UhpGame, UhpSession, serve_uhp
from tests.mocks.hive_player import HivePlayer, UnstoppableHivePlayer
from tests.mocks.scripted_player import ReportedStart
from tests.mocks.tiny_hive import TinyHive


def main() -> None:
    player_class = UnstoppableHivePlayer if "deaf" in sys.argv else HivePlayer
    player = player_class(think_ms=int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    player.begun, player.endless = ReportedStart(), "endless" in sys.argv

    def make_session(write: Callable[[str], None]) -> UhpSession:
        print("a print that must not reach the viewer")
        return UhpSession(player, UhpGame(TinyHive.load), write, name="Served", version="1.0")

    serve_uhp(make_session)


if __name__ == "__main__":
    main()
