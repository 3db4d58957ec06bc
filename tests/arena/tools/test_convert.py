"""`pentad convert` reads game records of other programs, and names the file that it cannot read."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import CommandFailedError
from arena.tools.convert import ConvertedGame, convert_file
from tests.bots.hive.test_boardspace import OPENING_EVENTS, boardspace_sgf


def test_hive_game_of_boardspace(tmp_path: Path) -> None:
    """OPENING_EVENTS are the first two moves of a game on boardspace.net, as that site writes them."""
    path = tmp_path / "game.SGF"
    path.write_text(boardspace_sgf("hive-plm", *OPENING_EVENTS), encoding="utf-8")
    assert convert_file(path) == ConvertedGame("Base+MLP;InProgress;White[2];wL;bG1 /wL")


def test_hex_games_of_little_golem_and_hexgui(tmp_path: Path) -> None:
    """Little Golem's files have no game number (GM), and `swap` has another meaning than in HexGui."""
    path = tmp_path / "game.sgf"
    path.write_text("(;FF[4]EV[hex.mc.2011]PB[a]PW[b]SZ[13]RE[1]SO[http];W[mf];B[swap];W[ff];B[gg])")
    note = "board 13x13; swap is read as swap-pieces, as Little Golem writes it"
    assert convert_file(path) == ConvertedGame("m6 swap-pieces f6 g7", note)
    path.write_text("(;FF[4]GM[11]SZ[5];B[b4];W[swap];W[c3];B[resign])")
    assert convert_file(path) == ConvertedGame("b4 c3", "board 5x5; swap is read as swap-sides, as HexGui reads it")
    path.write_text("(;FF[4]GM[11]SZ[5:4]AB[a1]AW[b2];W[d1])")
    assert convert_file(path) == ConvertedGame("b2w1/1w3/5/5 b", "board 5x4")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("game.sgf", boardspace_sgf("hive", *OPENING_EVENTS), "wL may not go there"),
        ("game.sgf", "nothing", "expected a Hive game"),
        ("game.sgf", None, "No such file"),
        ("game.sgf", "(;GM[11]SZ[5];B[b4];B[c3])", "move 2, black c3: it is white's turn"),
        ("game.pgn", "", "the suffix must be .sgf"),
    ],
)
def test_bad_file_is_named(name: str, content: str | None, reason: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(CommandFailedError, match=reason) as caught:
        convert_file(path)
    assert str(caught.value).startswith(str(path))
