"""Records of other programs become one line, and a bad file is told by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import CommandFailedError
from arena.tools.convert import convert_file
from tests.bots.hive.test_boardspace import OPENING, sgf


def test_boardspace_game(tmp_path: Path) -> None:
    path = tmp_path / "game.SGF"
    path.write_text(sgf("hive-plm", *OPENING), encoding="utf-8")
    assert convert_file(path) == "Base+MLP;InProgress;White[2];wL;bG1 /wL"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("game.sgf", sgf("hive", *OPENING), "wL may not go there"),
        ("game.sgf", "nothing", "a game of Hive is wanted"),
        ("game.sgf", None, "No such file"),
        ("game.pgn", "", "a file with suffix .sgf is wanted"),
    ],
)
def test_bad_file_is_named(name: str, content: str | None, reason: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(CommandFailedError, match=reason) as caught:
        convert_file(path)
    assert str(caught.value).startswith(str(path))
