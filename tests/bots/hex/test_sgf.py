"""SGF files of Hex: reading what HexGui and other programs write."""

from __future__ import annotations

import random

import pytest

from bots.hex.position import HexPosition
from bots.hex.sgf import HexGame, read_game
from core.play.player import BadSetup, Setup


def format_sgf(game: HexGame, properties: str = "") -> str:
    """Return a game without set-up stones as HexGui writes it, one move per line; `properties` belong to the root."""
    moves = "\n".join(f";{'BW'[colour]}[{move}]" for colour, move in game.moves)
    return f"(;FF[4]GM[11]SZ[{game.setup.width}:{game.setup.height}]{properties}{moves})\n"


def test_random_games_are_read_as_they_were_played() -> None:
    rng = random.Random(5)
    for _ in range(20):
        setup = Setup(rng.randint(2, 19), rng.randint(2, 19), "standard")
        position = HexPosition(setup)
        while not position.outcome():
            position.play(rng.choice(position.legal_moves()))
        moves = [(ply % 2, move) for ply, move in enumerate(position.moves)]
        game = HexGame(setup, [], moves, names=("a]b\\", "c d"), result="B+")
        text = format_sgf(game, r"PB[a\]b\\]PW[c d]RE[B+]")
        assert read_game(text) == game
        assert read_game(text).position().stones() == position.stones()


def test_set_up_stones_and_a_resignation_are_read() -> None:
    game = read_game("(;FF[4]GM[11]SZ[5:4]PB[x]RE[B+R]AB[a1]AW[b2];B[c3];W[resign])\n")
    assert game == HexGame(
        Setup(5, 4, "standard"), [(0, "a1"), (1, "b2")], [(0, "c3"), (1, "resign")], "", ("x", ""), "B+R"
    )


def test_cells_are_emptied_and_the_side_to_move_is_set_before_the_moves() -> None:
    game = read_game("(;GM[11]SZ[5]AB[a1][b2]AW[c3]PL[W];AE[b2]AB[d4])")
    assert game.setup_stones == [(0, "a1"), (1, "c3"), (0, "d4")]
    assert game.position().to_move == 1
    assert read_game("(;GM[11]SZ[5]AB[a1]PL[W];B[c3])").start().to_move == 0


def test_swaps_of_pieces_and_of_sides() -> None:
    pieces = read_game("(;FF[4]GM[11]SZ[5];B[b4];W[swap-pieces];B[c3])")
    assert pieces.position().stones() == [(1, "d2"), (0, "c3")]
    sides = read_game("(;FF[4]GM[11]SZ[5];B[b4];W[swap];W[c3])")
    assert sides.moves[1] == (1, "swap-sides")
    assert sides.position().stones() == [(1, "c3"), (0, "b4")]
    old = read_game("(;AP[HexGui:0.9.0]FF[4]GM[11]SZ[5];B[b4];W[swap-pieces])")
    assert old.position().stones() == [(0, "b4")]


LITTLE_GOLEM_GAME = (
    "(;FF[4]EV[hex.mc.2011]PB[a]PW[b]SZ[13]RE[1]SO[http];W[ll];B[swap];W[ff];B[gg];W[hh];B[ii];W[jj];B[kk])"
)


def test_little_golem_swaps_pieces_and_writes_w_for_the_first_player() -> None:
    """The first player, whose moves have the letter W, is our black. The swap makes the only stone white."""
    game = read_game(LITTLE_GOLEM_GAME.replace("W[ll]", "W[mf]"))
    assert game.moves[:3] == [(0, "m6"), (1, "swap-pieces"), (0, "f6")]
    assert game.setup == Setup(13, 13, "swap")
    stones = game.position().stones()
    assert (1, "f13") in stones
    assert [colour for colour, _ in stones].count(0) == 3
    assert len(stones) == 7
    assert game.note == "swap is read as swap-pieces, as Little Golem writes it"


@pytest.mark.parametrize(
    "origin",
    ["EV[hex.ch.23.1.1]", "SO[http://www.littlegolem.com]", "GM[11]EV[HEX.mc.2011]", "GM[11]SO[LittleGolem.net]"],
)
def test_the_origin_of_a_file_says_what_swap_means(origin: str) -> None:
    game = read_game(f"(;FF[4]{origin}SZ[5];W[bd];B[swap];W[cc])")
    assert game.moves == [(0, "b4"), (1, "swap-pieces"), (0, "c3")]
    other = read_game("(;FF[4]GM[11]EV[club match]SZ[5];B[bd];W[swap];W[cc])")
    assert other.note == "swap is read as swap-sides, as HexGui reads it"
    assert other.position().to_move == 0
    assert read_game(f"(;FF[4]{origin}SZ[5];W[bd];B[cc])").note == ""


def test_a_file_of_little_golem_with_black_first_keeps_its_colours() -> None:
    assert read_game("(;GM[11]EV[hex.mc.2011]SZ[5];B[bd];W[swap];B[cc])").moves[2] == (0, "c3")


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("B[b4];B[c3]", "move 2, black c3: it is white's turn: black has 1 stones and white 0"),
        ("B[b4];W[swap];B[c3]", "move 3, black c3: it is white's turn"),
        ("B[b4];W[swap-pieces];W[c3]", "move 3, white c3: it is black's turn"),
        ("B[b4];W[c3];B[b4]", "move 3, black b4: .*occupied"),
        ("B[b4];W[c3];B[swap-pieces]", "move 3, black swap-pieces: "),
        ("B[swap];W[c3]", "move 1, black swap-sides: only the second player may swap"),
        ("B[swap-sides]", "move 1, black swap-sides: only the second player may swap"),
        ("B[swap-pieces]", "move 1, black swap-pieces: .*only the second player may swap"),
        ("B[b4];W[c3];B[swap-sides]", "move 3, black swap-sides: only the second player may swap"),
        ("B[b4];W[swap-sides];W[swap-sides]", "move 3, white swap-sides: only the second player may swap"),
        ("B[b4];W[swap-pieces];B[swap-sides]", "move 3, black swap-sides: only the second player may swap"),
        ("B[b4];W[pass];B[swap-sides]", "move 3, black swap-sides: only the second player may swap"),
    ],
)
def test_wrong_moves_are_refused_with_their_number(moves: str, reason: str) -> None:
    game = read_game(f"(;FF[4]GM[11]SZ[5];{moves})")
    with pytest.raises(BadSetup, match=reason):
        game.position()


def test_swap_of_little_golem_as_first_move_is_refused() -> None:
    game = read_game("(;FF[4]EV[hex.mc.2011]SZ[13];W[swap];B[ll])")
    with pytest.raises(BadSetup, match=r"move 1, black swap-pieces: .*only the second player may swap"):
        game.position()


def test_single_stone_that_is_set_up_may_be_swapped() -> None:
    assert read_game("(;FF[4]GM[11]SZ[5]AB[b4];W[swap-sides];W[c3])").position().to_move == 0


def test_variants_of_the_format_are_read() -> None:
    """Lower-case properties, Go's points, comments with brackets, variations."""
    text = "(;GM[11]\nFF[4] SZ[5]C[a \\] ; ( b];B[cb]LB[a1:x];W[C3](;B[A5]C[main])(;B[a4]))"
    game = read_game(text)
    assert game.moves == [(0, "c2"), (1, "c3"), (0, "a5")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", r"a game record"),
        ("(", "no node"),
        ("(;GM[11]SZ[5];B[a1];W[b2]", "the file may be cut off"),
        ("(;GM[11]SZ[5];B[a1]((((", "the file may be cut off"),
        ("(;GM[1]SZ[5])", "expected GM.11."),
        ("(;GM[11])", "SZ with a board size"),
        ("(;GM[11]SZ[20])", "1..19, not 20"),
        ("(;GM[11]SZ[5];B[f1])", "outside the 5x5 board"),
        ("(;GM[11]SZ[5];B[b1)", "cannot be read"),
        ("(GM[11];)", "before the first node"),
        ("(;GM[11]SZ[5];B[a1];AW[a2])", "AW after the first move"),
        ("(;GM[11]SZ[5];B[a1];AE[a1])", "AE after the first move"),
        ("(;GM[11]SZ[5]PL[x])", "expected PL with a colour, B or W, not 'x'"),
    ],
)
def test_unreadable_file_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(BadSetup, match=reason):
        read_game(text)


def test_two_stones_on_one_cell_are_refused() -> None:
    with pytest.raises(BadSetup, match="occupied"):
        read_game("(;GM[11]SZ[5];B[a1];W[a1])").position()
