"""Sends the commands of sessions recorded in GoGui's window to our GTP session, and compares the answers.

In a recording, `> text` is a command that GoGui sent, and `< text` and `| text` are the first and the further lines of
the answer. A `*` in them matches any text, including line ends. Instead of `genmove`, the recorded move is played.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bots.hex.test_gtp import GtpTalk

SESSIONS = sorted((Path(__file__).parents[2] / "data" / "hex").glob("gogui_*.txt"))


def exchanges(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command and the text of its answer, which may contain `*`."""
    for block in re.split(r"^> ", text, flags=re.MULTILINE)[1:]:
        sent, *lines = block.splitlines()
        answer = "\n".join(line[2:] for line in lines)
        if sent.startswith("genmove "):
            yield f"play {sent.split()[1]} {answer.removeprefix('= ')}", "="
        else:
            yield sent, answer


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_recorded_session(path: Path) -> None:
    talk = GtpTalk()
    talk.ask("param_gtp coordinates go")
    for sent, expected in exchanges(path.read_text(encoding="utf-8")):
        talk.session.handle(sent)
        answer = talk.answers[-1].removesuffix("\n")
        assert re.fullmatch(".*".join(map(re.escape, expected.split("*"))), answer, re.DOTALL), (sent, answer)


def test_sessions_are_there() -> None:
    assert [path.stem for path in SESSIONS] == ["gogui_program", "gogui_ruler", "gogui_ruler_of_game"]
