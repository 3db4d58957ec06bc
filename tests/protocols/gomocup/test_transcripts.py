"""Replays the transcripts in tests/data/gomocup against the Gomocup session.

Each line of a transcript begins with a mark:

- `> text` is sent to the session (`\\r` stands for a carriage return);
- `< text` is the next line that the session must answer (`*` stands for any text);
- `= name value` checks what the player received, for example `= limits.depth 3`;
- `@ name value` prepares the player;
- `#` begins a comment.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bots.gomoku.notation import check_setup, format_variant
from core.play.player import Progress
from protocols.gomocup.session import GomocupSession
from protocols.serving.serve import decode_line
from tests.mocks.scripted_player import GiftedPlayer, ScriptedPlayer

pytestmark = pytest.mark.usefixtures("no_delay")

TRANSCRIPTS = sorted((Path(__file__).parents[2] / "data" / "gomocup").glob("*.txt"))


class Conversation:
    """A session with a scripted player, and the answers that the transcript has not matched yet."""

    def __init__(self, text: str) -> None:
        self.player = GiftedPlayer() if "@ gifted" in text else ScriptedPlayer()
        self.answers: list[str] = []
        self.session = GomocupSession(
            self.player, self.answers.append, format_variant, check_setup=check_setup, threaded=False
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
        elif name == "report":
            self.player.reports += (parse_report(value),)

    def send(self, line: str) -> None:
        self.session.handle(decode_line(line.replace("\\r", "\r").encode()))

    def expect(self, pattern: str) -> None:
        assert self.answers, f"no answer where {pattern!r} is expected"
        answer = self.answers.pop(0)
        wanted = ".*".join(map(re.escape, pattern.split("*")))
        assert re.fullmatch(wanted, answer), f"{answer!r} is not {pattern!r}"

    def check(self, name: str, value: str) -> None:
        assert self.look_up(name) == value

    def look_up(self, name: str) -> str:
        player = self.player
        group, _, key = name.partition(".")
        if group == "limits":
            seen = getattr(player.limits, key)
            return " ".join(seen) if isinstance(seen, tuple) else str(seen)
        setup = f"{player.setup.width}x{player.setup.height} {player.setup.variant}"
        plain = {"moves": "".join(player.moves), "setup": setup, "log": player.log[-1]}
        return str(player.options[key]) if group == "options" else plain[name]


def parse_report(text: str) -> Progress:
    fields = dict(part.split("=") for part in text.split())
    pv = tuple(fields.pop("pv", "").split(",")) if "pv" in fields else ()
    numbers: dict[str, Any] = {key: int(value) for key, value in fields.items()}
    return Progress(pv=pv, **numbers)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    conversation = Conversation(text)
    for number, line in enumerate(text.splitlines(), 1):
        mark, rest = line[:1], line[2:]
        name, _, value = rest.partition(" ")
        if mark in (">", "@"):
            assert not conversation.answers, f"line {number}: unexpected {conversation.answers}"
        if mark == ">":
            conversation.send(rest)
        elif mark == "<":
            conversation.expect(rest)
        elif mark == "=":
            conversation.check(name, value)
        elif mark == "@":
            conversation.prepare(name, value)
    assert not conversation.answers
