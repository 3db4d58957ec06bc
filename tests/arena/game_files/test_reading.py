"""Reading files of games.

Which game it is (Hex, Hive, ...) is detected from the content. A wrong move ends the reading, and the reason is kept.
"""

from __future__ import annotations

import pytest

from arena.game_files.reading import ReadingOptions, read_games
from arena.game_files.stored_game import GameFileError, StoredGame
from arena.terms.arguments import find_game

HEXGUI = "(;FF[4]GM[11]SZ[11]PB[Anna]PW[Ben];B[a3];W[swap-pieces];B[f6])"
LITTLE_GOLEM = "(;FF[4]EV[hex.mc.2011]PB[x]PW[y]SZ[13]SO[http://www.littlegolem.com];W[mf];B[swap];W[ff];B[gg])"
GOMOKU_SGF = "(;GM[4]SZ[15]RU[renju]PB[Anna];B[hh];W[hi](;B[jj])(;B[kk]))"
PSQ = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,120\nbrain-a\nbrain-b\n0\n"
BOARDSPACE = (
    '(;\nSU[hive-plm]\nP0[id "Anna"]\nP1[id "Ben"]\n; P0[1 Pick W 6 wL]\n; P0[2 Dropb wL N 13 .]\n; P0[3 Done]\n)\n'
)


def read_one(text: str, options: ReadingOptions | None = None) -> StoredGame:
    (game,) = read_games(text, options or ReadingOptions())
    return game


@pytest.mark.parametrize(
    ("text", "game", "variant", "moves"),
    [
        (HEXGUI, "hex", "swap", ("a3", "swap-pieces", "f6")),
        (LITTLE_GOLEM, "hex", "swap", ("m6", "swap-pieces", "f6", "g7")),
        (GOMOKU_SGF, "gomoku", "renju", ("h8", "h9", "j10")),
        (PSQ, "gomoku", "freestyle", ("h8", "i9")),
        (BOARDSPACE, "hive", "Base+MLP", ("wL",)),
        ("h8i9g7", "gomoku", "freestyle", ("h8", "i9", "g7")),
        ("H8i9g7\n", "gomoku", "freestyle", ("h8", "i9", "g7")),
        ("Base+M;InProgress;White[2];wS1;bS1 wS1-", "hive", "Base+M", ("wS1", "bS1 wS1-")),
        ("wS1;bS1 wS1-", "hive", "Base+MLP", ("wS1", "bS1 wS1-")),
        ("# hex swap 7x7: Anna against Ben; resigned, won by Anna\nc2 swap-pieces d4\n", "hex", "swap", ()),
        ("# kolibrat 3x3-3-5: a against b\nb1 b3", "kolibrat", "3x3-3-5", ("b1", "b3")),
    ],
)
def test_the_game_is_found_from_the_content(text: str, game: str, variant: str, moves: tuple[str, ...]) -> None:
    stored = read_one(text)
    assert (stored.game.name, stored.setup.variant, stored.problem) == (game, variant, "")
    assert stored.moves == moves or not moves


def test_names_and_results_are_read() -> None:
    assert read_one(HEXGUI).players == ("Anna", "Ben")
    assert read_one(PSQ).players == ("brain-a", "brain-b")
    assert read_one(BOARDSPACE).players == ("Anna", "Ben")
    titled = read_one("# hex swap 7x7: Anna against Ben; resigned, won by Anna\nc2 d4\n")
    assert (titled.players, titled.result) == (("Anna", "Ben"), "resigned, won by Anna")


@pytest.mark.parametrize(
    ("end", "names", "variant"),
    [
        ("a\nb\n0\n", ("a", "b"), "freestyle"),
        ("-1\na\nb\n", ("a", "b"), "freestyle"),
        ("a\nb\n-1\n2,Standard\n", ("a", "b"), "standard"),
        ("", ("", ""), "freestyle"),
    ],
)
def test_the_end_of_a_piskvork_record_has_several_forms(end: str, names: tuple[str, str], variant: str) -> None:
    stored = read_one("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,120\n" + end)
    assert (stored.players, stored.setup.variant, len(stored.moves)) == (names, variant, 2)


def test_little_golem_always_offers_the_swap() -> None:
    """The variant is `swap` even if nobody swapped, so that the review does not grade the first move."""
    assert read_one(LITTLE_GOLEM.replace("B[swap];", "B[cc];")).setup.variant == "swap"


def test_the_colours_of_an_sgf_file_decide_who_plays() -> None:
    """Regression: moves used to be given to black and white in turn, whatever the file said."""
    white_first = read_one("(;GM[4]SZ[15]RU[freestyle]PB[Anna]PW[Ben];W[hh];B[ii])")
    assert white_first.players == ("Ben", "Anna")
    assert white_first.note == "white moves first in the file"
    twice = read_one("(;GM[4]SZ[15]RU[freestyle];B[hh];B[ii])")
    assert twice.problem == "move 2, 'ii': the same colour moves twice in a row"
    hex_white = read_one("(;GM[11]SZ[7]PB[Anna]PW[Ben];W[d3];B[d4];W[e2])")
    assert (hex_white.moves, hex_white.position(0).to_move, hex_white.players) == (
        ("d3", "d4", "e2"),
        1,
        ("Anna", "Ben"),
    )
    passed = read_one("(;GM[11]SZ[7];B[d4];W[pass];B[c3])")
    assert passed.problem == "move 2, 'pass': expected a cell"


def test_the_first_move_of_a_hex_game_with_a_swap_counts_as_opening() -> None:
    by_sides = read_one("(;GM[11]SZ[7]AP[HexGui:1.0];B[a2];W[swap-sides];W[d4];B[c5])")
    assert (by_sides.opening_plies, by_sides.moves) == (1, ("a2", "d4", "c5"))
    assert "exchanged colours" in by_sides.note
    assert read_one("(;GM[11]SZ[7]RU[swap];B[a1];W[d4])").setup.variant == "swap"


def test_texts_of_sgf_properties_are_read_without_escapes() -> None:
    stored = read_one(
        r"(;GM[4]SZ[15]RU[caro-overline]PB[An\]na \\ x]PW[B\
en];B[hh])"
    )
    assert (stored.players, stored.setup.variant, stored.note) == (("An]na \\ x", "Ben"), "caro-overline", "")


def test_a_malformed_line_of_a_piskvork_record_is_named() -> None:
    stored = read_one("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9\n8,9,10\nA\nB\n")
    assert (len(stored.moves), stored.problem) == (1, "move 2, '9,9': expected x,y,milliseconds")


def test_a_malformed_move_of_a_game_string_ends_the_game_there() -> None:
    stored = read_one("# hive Base+MLP: Anna against Ben\nBase+MLP;InProgress;White[3];wS1;bS1 wS1-;wX1 bS1-")
    assert (stored.moves, stored.players) == (("wS1", "bS1 wS1-"), ("Anna", "Ben"))
    assert stored.problem.startswith("move 3, 'wX1 bS1-': ")


def test_the_meaning_of_swap_is_told() -> None:
    assert read_one(LITTLE_GOLEM).note == "swap is read as swap-pieces, as Little Golem writes it"


@pytest.mark.parametrize(
    ("text", "plies", "problem"),
    [
        ("h8i9h8", 2, "move 3, 'h8': h8 is illegal"),
        ("(;GM[4]SZ[15]RU[renju];B[hh];W[hh])", 1, "move 2, 'hh': h8 is illegal"),
        (PSQ.replace("9,9", "8,8"), 1, "move 2, '8,8,120': h8 is illegal"),
        (PSQ.replace("9,9", "16,9"), 1, "move 2, '16,9,120': p9 is outside the 15x15 board"),
        (HEXGUI.replace("f6", "c1"), 2, "move 3, 'c1': c1 is illegal"),
        ("Base;InProgress;White[2];wS1;bS1 wS1-;wG1 bS1-", 2, "move 3, 'wG1 bS1-': "),
        (BOARDSPACE.replace("N 13", "NN 13"), 0, "event '; P0[2 Dropb wL NN 13 .]'"),
    ],
)
def test_a_wrong_move_ends_the_game_with_its_reason(text: str, plies: int, problem: str) -> None:
    stored = read_one(text)
    assert len(stored.moves) == plies
    assert stored.problem.startswith(problem)


@pytest.mark.parametrize(
    ("text", "games"),
    [
        (PSQ + PSQ.replace("9,9", "7,7"), 2),
        (HEXGUI + GOMOKU_SGF, 2),
        ("Base;InProgress;White[2];wS1;bS1 wS1-\nBase;InProgress;White[2];wS1;bG1 wS1-", 2),
        ("h8i9g7\n\nh8h9i9\n", 2),
        ("h8i9g7\nh8h9i9\n", 2),  # two lines that cannot be one game
        ("h8i9g7\nj10k9\n", 1),  # two lines that can
        ("# hex standard 7x7: a against b\nc2 d4\n# hex standard 7x7: b against a\nc3 d4\n", 2),
        (BOARDSPACE + BOARDSPACE, 2),
    ],
)
def test_a_file_may_hold_several_games(text: str, games: int) -> None:
    assert len(read_games(text)) == games


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "there is no game in the text"),
        ("# only a comment\n", "there is no game in the text"),
        ("hello world", "no game that Pentad knows begins with 'hello world'"),
        ("c2 f6 d4", "the moves fit gomoku or hex: name the game with --game"),
        ("(;GM[1]SZ[19];B[dd])", "the SGF has GM[1]: 4 (Gomoku) and 11 (Hex) can be read"),
        ("(;GM[4]SZ[40];B[dd])", "board size must be 5..22, not 40"),
        ("(;GM[4]SZ[15];B[dd]", "the SGF cannot be read: "),
        ("Piskvorky 99x15, 11:11, 0\n8,8,0\n", "board size must be 5..22, not 99"),
        ("# chess standard: a against b\ne4 e5\n", "unknown game 'chess'"),
    ],
)
def test_a_text_without_a_game_is_refused_with_the_reason(text: str, problem: str) -> None:
    with pytest.raises(GameFileError) as error:
        read_games(text)
    assert str(error.value).startswith(problem)


def test_options_decide_what_the_content_leaves_open() -> None:
    hex_game = read_one("c2 f6 d4", ReadingOptions(find_game("hex"), size=7))
    assert (hex_game.game.name, hex_game.setup.width) == ("hex", 7)
    assert read_one(PSQ, ReadingOptions(rule="standard")).setup.variant == "standard"
    with pytest.raises(GameFileError, match="a game of Gomoku, not of Hex"):
        read_games(PSQ, ReadingOptions(find_game("hex")))
