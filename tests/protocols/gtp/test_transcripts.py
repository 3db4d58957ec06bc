"""Replays the transcripts in tests/data/gtp against the GTP session; tests/protocols/transcripts.py has the format.

The empty line that ends each response is checked here, but is not part of the transcripts. The line `! strict` replaces
the game by one in which the rules alone decide who moves, and removes the other players and the game's own commands.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from protocols.gtp.session import GtpSession
from tests.mocks.tiny_hex import KINDS, STRICT_HEX, TINY_HEX, HexPlayer, SkippingPlayer, make_commands
from tests.protocols.transcripts import TranscriptReplay, list_transcripts

pytestmark = pytest.mark.usefixtures("no_delay")


class GtpReplay(TranscriptReplay):
    """A transcript replay with a GTP session."""

    def __init__(self, *, is_strict: bool) -> None:
        player = SkippingPlayer() if is_strict else HexPlayer()
        player.name = "scripted"
        super().__init__(
            player,
            lambda write, warn: GtpSession(
                player,
                STRICT_HEX if is_strict else TINY_HEX,
                write,
                name="Pentad",
                version="1.0",
                kinds=() if is_strict else KINDS,
                commands=(lambda _: []) if is_strict else make_commands,
                warn=warn,
                threaded=False,
            ),
        )

    def receive(self, answer: str) -> None:
        *lines, last = answer.split("\n")
        assert not last, "the empty line at the end is missing"
        assert all(lines), "an empty line inside the response"
        for line in lines:
            super().receive(line)


@pytest.mark.parametrize("path", list_transcripts("gtp"), ids=lambda path: path.stem)
def test_transcript(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[3])  # transcripts load files by relative paths
    GtpReplay(is_strict="\n! strict\n" in path.read_text(encoding="utf-8")).replay(path)
