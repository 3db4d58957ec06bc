"""Replays the transcripts in tests/data/uhp against the UHP session; tests/protocols/transcripts.py has the format.

The first answers of each transcript are the banner.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from protocols.uhp.session import UhpGame, UhpSession
from tests.mocks.hive_player import KINDS, HivePlayer
from tests.mocks.tiny_hive import TinyHive
from tests.protocols.transcripts import TranscriptReplay, list_transcripts

pytestmark = pytest.mark.usefixtures("no_delay")

GAME = UhpGame(TinyHive.load, ("Mosquito", "Ladybug", "Pillbug"))


@pytest.mark.parametrize("path", list_transcripts("uhp"), ids=lambda path: path.stem)
def test_transcript(path: Path) -> None:
    player = HivePlayer()
    replay = TranscriptReplay(
        player,
        lambda write, warn: UhpSession(
            player, GAME, write, name="Pentad", version="1.0", kinds=KINDS, warn=warn, threaded=False
        ),
    )
    replay.replay(path)
