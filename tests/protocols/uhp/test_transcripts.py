"""Conversations with the UHP session, kept as text under tests/data/uhp.

`> text` goes to the session (`\\r` stands for a carriage return), each `< text` is one line it must answer (`*` stands
for anything), `= name value` checks what the player saw, `@ name value` prepares the player, `#` explains. The first
answers are the banner.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from core.play.player import Progress
from protocols.serving.serve import decode_line
from protocols.uhp.session import UhpGame, UhpSession
from tests.mocks.hive_player import KINDS, HivePlayer
from tests.mocks.tiny_hive import TinyHive

pytestmark = pytest.mark.usefixtures("no_delay")

TRANSCRIPTS = sorted((Path(__file__).parents[2] / "data" / "uhp").glob("*.txt"))
RULES = UhpGame(TinyHive.load, ("Mosquito", "Ladybug", "Pillbug"))


class Conversation:
    """A session around a scripted player, with the answers that are still to be accounted for."""

    def __init__(self) -> None:
        self.player = HivePlayer()
        self.answers: list[str] = []
        self.complaints: list[str] = []
        self.session = UhpSession(
            self.player,
            RULES,
            self.answers.append,
            name="Pentad",
            version="1.0",
            kinds=KINDS,
            warn=self.complaints.append,
            threaded=False,
        )

    def prepare(self, name: str, value: str) -> None:
        if name == "answer":
            position, _, move = value.rpartition("= ")
            self.player.script[position.strip()] = move
        elif name == "report":
            fields = dict(part.split("=") for part in value.split())
            pv = tuple(fields.pop("pv").replace("_", " ").split(","))
            numbers: dict[str, Any] = {key: int(number) for key, number in fields.items()}
            self.player.reports += (Progress(pv=pv, **numbers),)
        elif name == "fail":
            self.player.fail = RuntimeError(value)

    def send(self, line: str) -> None:
        assert self.session.handle(decode_line(line.replace("\\r", "\r").encode()))

    def expect(self, pattern: str) -> None:
        assert self.answers, f"no answer where {pattern!r} is expected"
        answer = self.answers.pop(0)
        wanted = ".*".join(map(re.escape, pattern.split("*")))
        assert re.fullmatch(wanted, answer), f"{answer!r} is not {pattern!r}"

    def look_up(self, name: str) -> str:
        if name.startswith("limits."):
            return str(getattr(self.player.limits, name.partition(".")[2]))
        return {"log": self.player.log[-1], "complaints": str(len(self.complaints))}[name]


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path) -> None:
    conversation = Conversation()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark, rest = line[:1], line[2:]
        name, _, value = rest.partition(" ")
        if mark in (">", "@"):
            assert not conversation.answers, f"line {number}: unexpected {conversation.answers}"
        if mark == ">":
            conversation.send(rest)
        elif mark == "<":
            conversation.expect(rest)
        elif mark == "=":
            assert conversation.look_up(name) == value, f"line {number}"
        elif mark == "@":
            conversation.prepare(name, value)
    assert not conversation.answers
