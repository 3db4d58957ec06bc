"""A correct Gomocup brain: the real main loop and session with a scripted player.

Arguments: the time for a move in milliseconds; `deaf` (searches cannot be stopped); `endless` (a search has no limit
but those of its command).
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from bots.gomoku.notation import format_variant
from protocols.gomocup.session import GomocupSession
from protocols.serving.serve import serve_stdio
from tests.mocks.scripted_player import ReportedStart, ScriptedPlayer, UnstoppablePlayer

SCRIPT = {  # moves that `pentad check gomocup` expects in the positions of the archive test
    "h8h9i8i9j8j9k8k9": "g8",
    "h8h9i8h10g8h11j13h12g14h14i15": "f8",
    "h8f8g8f9i8f7j8l8": "f5",
}


def main() -> None:
    think_ms = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    player_class = UnstoppablePlayer if "deaf" in sys.argv else ScriptedPlayer
    player = player_class(SCRIPT, think_ms)
    player.begun, player.endless = ReportedStart(), "endless" in sys.argv

    def make_session(write: Callable[[str], None]) -> GomocupSession:
        print("a print that must not reach the manager")
        return GomocupSession(player, write, format_variant)

    serve_stdio(make_session)


if __name__ == "__main__":
    main()
