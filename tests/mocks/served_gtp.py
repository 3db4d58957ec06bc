"""A correct GTP engine: the real loop and session with a player of the toy game that takes `argv[1]` ms per move."""

from __future__ import annotations

import sys
from collections.abc import Callable

from protocols.gtp.session import GtpSession, serve_gtp
from tests.mocks.scripted_player import ToldBegin, ToldEnds
from tests.mocks.tiny_hex import KINDS, TINY_HEX, DeafHexPlayer, SolvingPlayer, make_commands


def main() -> None:
    kind = DeafHexPlayer if "deaf" in sys.argv else SolvingPlayer
    player = kind(think_ms=int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    player.was_stopped = ToldEnds()
    player.begun, player.endless = ToldBegin(), "endless" in sys.argv

    def make_session(write: Callable[[str], None]) -> GtpSession:
        print("a stray print, which must not reach the controller")
        return GtpSession(player, TINY_HEX, write, name="Served", version="1.0", kinds=KINDS, commands=make_commands)

    serve_gtp(make_session)


if __name__ == "__main__":
    main()
