"""Replays transcripts, which are text files under tests/data with what a host sends and a session must answer.

    # A comment
    @ answer b2= a1
    > 1 genmove white
    < =1 a1
    = limits.move_time_ms 5000

Each line begins with a mark:

- `> text` is sent to the session (`\\r` stands for a carriage return);
- `< text` is the next line that the session must answer, and so is `| text`, for the further lines of a GTP response.
  `*` stands for any text;
- `= name value` checks what the player received (`limits.NAME` of a search, `log`: its last call), or the number of
  `warnings` that the session gave;
- `@ name value` prepares the scripted player: `answer b2= a1` makes it play a1 after b2. Unknown names are ignored;
- `#` begins a comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.play.player import Progress
from protocols.serving.serve import Session, decode_line
from tests.mocks.scripted_player import ScriptedPlayer

DATA = Path(__file__).parents[1] / "data"
QUIT_WORDS = {"END", "EXIT", "QUIT"}


def list_transcripts(protocol: str) -> list[Path]:
    """Return the transcripts of a protocol, sorted by name."""
    return sorted((DATA / protocol).glob("*.txt"))


class TranscriptReplay:
    """A session with a scripted player, which a transcript drives and checks.

    `make_session` gets the functions that receive the session's answers and its warnings.
    """

    def __init__(
        self,
        player: ScriptedPlayer,
        make_session: Callable[[Callable[[str], None], Callable[[str], None]], Session],
    ) -> None:
        self.player = player
        self._answers: list[str] = []  # lines that the transcript has not matched yet
        self._warnings: list[str] = []
        self._has_quit = False
        self._session = make_session(self.receive, self._warnings.append)

    def replay(self, path: Path) -> None:
        """Replay a transcript; fail at the first line that does not fit."""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            mark, text = line[:1], line[2:]
            name, _, value = text.partition(" ")
            if mark in (">", "@"):
                assert not self._answers, f"line {number}: unexpected {self._answers}"
            if mark == ">":
                self._send(text)
            elif mark in ("<", "|"):
                self._expect(text, number)
            elif mark == "=":
                assert self.look_up(name) == value, f"line {number}"
            elif mark == "@":
                self.prepare(name, value)
        assert not self._answers

    def receive(self, answer: str) -> None:
        """Collect an answer of the session."""
        self._answers.append(answer)

    def prepare(self, name: str, value: str) -> None:
        """Handle the mark `@`."""
        if name == "answer":
            position, _, move = value.rpartition("= ")
            self.player.script[position.strip()] = move
        elif name == "report":
            self.player.reports += (parse_report(value),)
        elif name == "fail":
            self.player.fail = RuntimeError(value)

    def look_up(self, name: str) -> str:
        """Return the value to compare with that of the mark `=`."""
        if name.startswith("limits."):
            value = getattr(self.player.limits, name.partition(".")[2])
            return " ".join(value) if isinstance(value, tuple) else str(value)
        return {"log": self.player.log[-1], "warnings": str(len(self._warnings))}[name]

    def _send(self, line: str) -> None:
        self._has_quit |= not QUIT_WORDS.isdisjoint(line.replace("\\r", " ").upper().split())
        is_open = self._session.handle(decode_line(line.replace("\\r", "\r").encode()))
        assert is_open or self._has_quit

    def _expect(self, pattern: str, number: int) -> None:
        assert self._answers, f"line {number}: no answer where {pattern!r} is expected"
        answer = self._answers.pop(0)
        expression = ".*".join(map(re.escape, pattern.split("*")))
        assert re.fullmatch(expression, answer), f"line {number}: {answer!r} is not {pattern!r}"


def parse_report(text: str) -> Progress:
    """Parse a search report such as `depth=3 score=17 pv=b2,a3`; `_` stands for a blank in a move."""
    fields = dict(part.split("=") for part in text.split())
    pv = fields.pop("pv", "").replace("_", " ")
    numbers: dict[str, Any] = {name: int(value) for name, value in fields.items()}
    return Progress(pv=tuple(pv.split(",")) if pv else (), **numbers)
