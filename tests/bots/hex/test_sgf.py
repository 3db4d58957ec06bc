"""SGF of Hex: what is written is read again, and what others write is understood."""

from __future__ import annotations

import random

import pytest

from bots.hex.position import HexPosition
from bots.hex.sgf import HexGame, read_game, write_game
from core.play.player import BadSetup, Setup


def test_random_games_go_there_and_back() -> None:
    chance = random.Random(5)
    for _ in range(20):
        setup = Setup(chance.randint(2, 19), chance.randint(2, 19), "standard")
        position = HexPosition(setup)
        while not position.outcome():
            position.play(chance.choice(position.legal_moves()))
        moves = [(ply % 2, move) for ply, move in enumerate(position.moves)]
        game = HexGame(setup, [], moves, ("a]b\\", "c d"), "BW"[len(moves) % 2 - 1] + "+")
        text = write_game(game)
        assert all(len(line) <= 80 for line in text.splitlines())
        assert read_game(text) == game
        assert read_game(text).position().stones() == position.stones()


def test_a_written_game_looks_as_hexgui_wants_it() -> None:
    game = HexGame(Setup(5, 4, "standard"), [(0, "a1"), (1, "b2")], [(0, "c3"), (1, "resign")], ("x", ""), "B+R")
    assert write_game(game) == "(;FF[4]GM[11]SZ[5:4]PB[x]RE[B+R]AB[a1]AW[b2];B[c3];W[resign])\n"


def test_swaps_of_pieces_and_of_sides() -> None:
    pieces = read_game("(;FF[4]GM[11]SZ[5];B[b4];W[swap-pieces];B[c3])")
    assert pieces.position().stones() == [(1, "d2"), (0, "c3")]
    sides = read_game("(;FF[4]GM[11]SZ[5];B[b4];W[swap];W[c3])")
    assert sides.moves[1] == (1, "swap-sides")
    assert sides.position().stones() == [(1, "c3"), (0, "b4")]
    old = read_game("(;AP[HexGui:0.9.0]FF[4]GM[11]SZ[5];B[b4];W[swap-pieces])")
    assert old.position().stones() == [(0, "b4")]


def test_foreign_spelling() -> None:
    """Lower-case names, Go's points, comments with brackets, variations: all of it is about."""
    text = "(;GM[11]\nFF[4] SZ[5]C[a \\] ; ( b];B[cb]LB[a1:x];W[C3](;B[A5]C[main])(;B[a4]))"
    game = read_game(text)
    assert game.moves == [(0, "c2"), (1, "c3"), (0, "a5")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", r"a game record"),
        ("(", "no node"),
        ("(;GM[1]SZ[5])", "GM.11. is wanted"),
        ("(;GM[11])", "SZ with a board size"),
        ("(;GM[11]SZ[20])", "1..19, not 20"),
        ("(;GM[11]SZ[5];B[f1])", "outside the 5x5 board"),
        ("(;GM[11]SZ[5];B[b1)", "cannot be read"),
        ("(GM[11];)", "before the first node"),
        ("(;GM[11]SZ[5];B[a1];AW[a2])", "AW stands after the first move"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(text: str, reason: str) -> None:
    with pytest.raises(BadSetup, match=reason):
        read_game(text)


def test_two_stones_on_one_cell_are_no_game() -> None:
    with pytest.raises(BadSetup, match="occupied"):
        read_game("(;GM[11]SZ[5];B[a1];W[a1])").position()
