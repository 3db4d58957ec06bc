"""Games as text: a written game can be read back, and other text is refused with the reason."""

from __future__ import annotations

import pytest

from arena.web.play.game_text import read_game, write_game
from bots.hex.position import HexPosition
from bots.hive.position import HivePosition
from bots.registry import GAMES
from core.play.player import BadSetup, IllegalMove, Setup
from tests.bots.hive.test_perft import DRAWN_GAME, GAME_WHITE_WINS


def test_swap_can_be_read_back() -> None:
    """The parser of opening files refuses a swap, so the moves must be split without that parser."""
    game = GAMES["hex"]
    position = game.new_position(Setup(6, 6, "swap"))
    for move in ("c2", "swap-pieces", "d4"):
        position.play(move)
    read_back = read_game(game, write_game(game, position, "a against b"), game.default_setup)
    assert (read_back.moves, read_back.setup.variant) == (["c2", "swap-pieces", "d4"], "swap")


@pytest.mark.parametrize("game_string", [GAME_WHITE_WINS, DRAWN_GAME], ids=["won", "drawn"])
def test_text_of_a_finished_hive_game_has_the_result(game_string: str) -> None:
    """Regression: the text used to have the state InProgress, which is right for openings only."""
    game = GAMES["hive"]
    text = write_game(game, HivePosition.from_game(game_string), "a against b")
    assert text == f"# hive Base: a against b\n{game_string}\n"
    assert write_game(game, read_game(game, text, game.default_setup), "a against b") == text


def test_sgf_with_setup_stones_is_read() -> None:
    position = read_game(GAMES["hex"], "(;FF[4]GM[11]SZ[5]AB[b2][c3]AW[d4];W[a1])", GAMES["hex"].default_setup)
    assert isinstance(position, HexPosition)
    assert (position.setup.width, position.to_move) == (5, 0)
    assert {cell: side for side, cell in position.stones()} == {"a1": 1, "b2": 0, "c3": 0, "d4": 1}


def test_moves_without_a_title_are_for_the_current_board() -> None:
    """But a game string of Hive names its own game type."""
    setup = Setup(9, 9, "standard", "")
    assert read_game(GAMES["gomoku"], "\ne5\n", setup).setup == setup
    assert read_game(GAMES["hive"], "wS1;bS1 wS1-", Setup(variant="Base")).setup.variant == "Base"
    game_string = "Base+M;InProgress;White[2];wS1;bS1 wS1-"
    assert read_game(GAMES["hive"], game_string, Setup(variant="Base")).setup.variant == "Base+M"


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("hex", "", "no game"),
        ("hex", "# a remark", "no game"),
        ("hex", "# gomoku freestyle 15x15: a against b\nh8", "a game of gomoku"),
        ("hex", "# hex standard 40x40: a against b\nb2", "1..19"),
        ("hex", "# hex chess 4x4: a against b\nb2", "chess"),
        ("hex", "b2 b2", "move 2, 'b2': b2 is illegal"),
        ("hex", "b2 hello", "move 2, 'hello'"),
        ("hex", "b1w/4 w", "a position such as"),
        ("hex", "(;GM[1]SZ[19])", "GM[11]"),
        ("hex", "(;GM[11]SZ[5];B[c3];W[c3])", "move 2, white c3"),
        ("gomoku", "(;GM[4]SZ[15];B[hh])", "no SGF is read for Gomoku"),
        ("gomoku", "h8i9h8", "move 3, 'h8'"),
        ("gomoku", "Piskvorky 15x15, 11:11, 0\n8,8,0\n16,1,0\n", "outside"),
        ("gomoku", "Piskvorky 15x15, 11:11, 0\n99,1,0\n", "99,1"),
        ("gomoku", "Piskvorky 99x15, 11:11, 0\n", "99"),
        ("gomoku", "h8" * 6000, "10000 characters"),
        ("hive", "wS1;bS1", "move 2"),
        ("hive", "Chess;a;b;c", "Chess"),
        ("pentago", "6/6/6/6/6/6 b", "white begins"),
        ("pentago", "# pentago pentago 6x6: a\n# from 6/6\n", "a position such as"),
        ("kolibrat", "b1 b1", "move 2, 'b1'"),
        ("kolibrat", "3/3/3/9 r 0 0 4 5", "9 squares"),
    ],
)
def test_other_text_is_refused_with_the_reason(game: str, text: str, message: str) -> None:
    with pytest.raises((BadSetup, IllegalMove)) as error:
        read_game(GAMES[game], text, GAMES[game].default_setup)
    assert message in str(error.value)
