"""A correct UHP engine: the real loop and session with a scripted player that takes `argv[1]` ms per move."""

from __future__ import annotations

import sys
from collections.abc import Callable

from protocols.uhp.session import UhpGame, UhpSession, serve_uhp
from tests.mocks.hive_player import DeafHivePlayer, HivePlayer
from tests.mocks.scripted_player import ToldBegin
from tests.mocks.tiny_hive import TinyHive


def main() -> None:
    kind = DeafHivePlayer if "deaf" in sys.argv else HivePlayer
    player = kind(think_ms=int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    player.begun, player.endless = ToldBegin(), "endless" in sys.argv

    def make_session(write: Callable[[str], None]) -> UhpSession:
        print("a stray print, which must not reach the viewer")
        return UhpSession(player, UhpGame(TinyHive.load), write, name="Served", version="1.0")

    serve_uhp(make_session)


if __name__ == "__main__":
    main()
