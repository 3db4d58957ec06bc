"""Replays the transcripts in tests/data/gomocup against the session; tests/protocols/transcripts.py has the format.

`@ gifted` anywhere in a transcript gives the session a player that knows openings and forbidden squares. `@ answer
MOVES MOVE` sets the player's move after MOVES (such as `h8i9`; nothing for the first move), `@ over_at N` lets the game
be over after N stones, and `@ swap2 N SQUARES` sets the answer to a swap2 opening with N stones.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.gomoku.notation import check_setup, format_variant
from protocols.gomocup.session import GomocupSession
from tests.mocks.scripted_player import GiftedPlayer, ScriptedPlayer
from tests.protocols.transcripts import TranscriptReplay, list_transcripts

pytestmark = pytest.mark.usefixtures("no_delay")


class GomocupReplay(TranscriptReplay):
    """A transcript replay with a Gomocup session."""

    def __init__(self, *, is_gifted: bool) -> None:
        player = GiftedPlayer() if is_gifted else ScriptedPlayer()
        super().__init__(
            player,
            lambda write, _: GomocupSession(player, write, format_variant, check_setup=check_setup, threaded=False),
        )

    def prepare(self, name: str, value: str) -> None:
        first, _, rest = value.partition(" ")
        if name == "answer":
            self.player.script[first if rest else ""] = rest or first
        elif name == "over_at":
            self.player.over_at = int(value)
        elif name == "swap2":
            assert isinstance(self.player, GiftedPlayer)
            self.player.swap2_answers[int(first)] = rest.split()
        else:
            super().prepare(name, value)

    def look_up(self, name: str) -> str:
        player = self.player
        if name == "moves":
            return "".join(player.moves)
        if name == "setup":
            return f"{player.setup.width}x{player.setup.height} {player.setup.variant}"
        if name.startswith("options."):
            return str(player.options[name.partition(".")[2]])
        return super().look_up(name)


@pytest.mark.parametrize("path", list_transcripts("gomocup"), ids=lambda path: path.stem)
def test_transcript(path: Path) -> None:
    GomocupReplay(is_gifted="@ gifted" in path.read_text(encoding="utf-8")).replay(path)
