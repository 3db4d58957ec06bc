"""Conversations with the GTP session, kept as text under tests/data/gtp.

`> text` goes to the session (`\\r` stands for a carriage return), `< text` is the first line that it must answer and
each `| text` a further one (`*` stands for anything); the empty line that ends an answer is not written down.
`= name value` checks what the player saw, `@ name value` prepares the player, `! strict` takes the game with stricter
rules, `#` explains.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from core.play.player import Progress
from protocols.gtp.session import GtpSession
from protocols.serving.serve import decode_line
from tests.mocks.tiny_hex import KINDS, STRICT_HEX, TINY_HEX, HexPlayer, SkippingPlayer, make_commands

pytestmark = pytest.mark.usefixtures("no_delay")

TRANSCRIPTS = sorted((Path(__file__).parents[2] / "data" / "gtp").glob("*.txt"))


class Conversation:
    """A session around a scripted player, with the lines that are still to be accounted for."""

    def __init__(self, *, strict: bool) -> None:
        self.player = SkippingPlayer() if strict else HexPlayer()
        self.player.name = "scripted"
        self.lines: list[str] = []
        self.complaints: list[str] = []
        self.session = GtpSession(
            self.player,
            STRICT_HEX if strict else TINY_HEX,
            self.take,
            name="Pentad",
            version="1.0",
            kinds=() if strict else KINDS,
            commands=(lambda _: []) if strict else make_commands,
            warn=self.complaints.append,
            threaded=False,
        )

    def take(self, answer: str) -> None:
        *lines, last = answer.split("\n")
        assert not last, "the empty line is missing"
        assert all(lines), "an empty line inside the answer"
        self.lines += lines

    def prepare(self, name: str, value: str) -> None:
        if name == "answer":
            position, _, move = value.rpartition("= ")
            self.player.script[position.strip()] = move
        elif name == "report":
            fields = dict(part.split("=") for part in value.split())
            pv = tuple(fields.pop("pv").split(","))
            numbers: dict[str, Any] = {key: int(number) for key, number in fields.items()}
            self.player.reports += (Progress(pv=pv, **numbers),)
        elif name == "fail":
            self.player.fail = RuntimeError(value)

    def send(self, line: str) -> None:
        assert self.session.handle(decode_line(line.replace("\\r", "\r").encode())) or "quit" in line

    def expect(self, pattern: str) -> None:
        assert self.lines, f"no line where {pattern!r} is expected"
        line = self.lines.pop(0)
        wanted = ".*".join(map(re.escape, pattern.split("*")))
        assert re.fullmatch(wanted, line), f"{line!r} is not {pattern!r}"

    def look_up(self, name: str) -> str:
        if name.startswith("limits."):
            return str(getattr(self.player.limits, name.partition(".")[2]))
        return {"log": self.player.log[-1], "complaints": str(len(self.complaints))}[name]


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[3])
    text = path.read_text(encoding="utf-8")
    conversation = Conversation(strict="\n! strict\n" in text)
    for number, line in enumerate(text.splitlines(), 1):
        mark, rest = line[:1], line[2:]
        name, _, value = rest.partition(" ")
        if mark in (">", "@"):
            assert not conversation.lines, f"line {number}: unexpected {conversation.lines}"
        if mark == ">":
            conversation.send(rest)
        elif mark in ("<", "|"):
            conversation.expect(rest)
        elif mark == "=":
            assert conversation.look_up(name) == value, f"line {number}"
        elif mark == "@":
            conversation.prepare(name, value)
    assert not conversation.lines
