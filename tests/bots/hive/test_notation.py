"""Hive's notation: parsing in any spelling, formatting, and error messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.hive.notation import (
    TILE_NAMES,
    VARIANTS,
    MoveText,
    format_move,
    format_turn,
    format_variant,
    parse_game,
    parse_move,
    parse_opening,
    parse_variant,
)
from bots.hive.position import HivePosition
from core.play.player import BadSetup, IllegalMove, Setup

FORCED_PASS = (  # after this game, white can only pass
    "Base;InProgress;White[7];wA1;bS1 wA1-;wQ -wA1;bQ bS1/;wQ \\wA1;bA1 bS1\\;wQ -wA1;bA2 bQ\\;wQ \\wA1;bA1 \\wQ;"
    "wG1 /wQ;bA2 /wG1"
)


SPELLINGS = Path(__file__).parents[2] / "data" / "hive" / "spelling.txt"


@pytest.mark.parametrize("block", SPELLINGS.read_text(encoding="utf-8").split("\n\n")[1:])
def test_moves_are_spelled_as_mzinga_does(block: str) -> None:
    """Tools that compare the answer to `validmoves` as text need the same reference tiles as the program Mzinga."""
    game, moves = (line.partition(" ")[2] for line in block.strip().splitlines())
    assert ";".join(sorted(HivePosition.from_game(game).legal_moves())) == moves


def test_tiles_have_uhp_names() -> None:
    assert " ".join(TILE_NAMES[:14]) == "wQ wS1 wS2 wB1 wB2 wG1 wG2 wG3 wA1 wA2 wA3 wM wL wP"
    assert [name.replace("w", "b") for name in TILE_NAMES[:14]] == list(TILE_NAMES[14:])


def test_game_types() -> None:
    assert [format_variant(parse_variant(name)) for name in VARIANTS] == list(VARIANTS)
    assert format_variant(parse_variant(" base+pml ")) == "Base+MLP"
    for text in ("", "Chess", "Base+", "Base+MM", "Base+Q", "BaseM", "Base+M+L"):
        with pytest.raises(BadSetup, match="unknown type of game"):
            parse_variant(text)


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("pass", "pass"),
        ("PASS", "pass"),
        ("wS1", "wS1"),
        ("wb1 BQ", "wB1 bQ"),
        ("  wq\t -ws1 ", "wQ -wS1"),
        *((f"wA1 {neighbour}", f"wA1 {neighbour}") for neighbour in ("bQ-", "bQ/", "\\bQ", "-bQ", "/bQ", "bQ\\")),
    ],
)
def test_a_move_is_parsed_and_formatted(text: str, formatted: str) -> None:
    assert format_move(parse_move(text)) == formatted


def test_signs_are_directions_from_the_reference() -> None:
    directions = [
        parse_move(f"wA1 {neighbour}").direction for neighbour in ("bQ-", "bQ/", "\\bQ", "-bQ", "/bQ", "bQ\\", "bQ")
    ]
    assert directions == [0, 1, 2, 3, 4, 5, None]


@pytest.mark.parametrize("text", ["", "wX1", "wL1", "wQ1", "wA", "wA4", "wA1 -", "wA1 -bQ-", "wA1 bQ --", "wA1 bQ - 1"])
def test_malformed_moves_are_refused(text: str) -> None:
    with pytest.raises(IllegalMove, match="expected"):
        parse_move(text)


def test_state_and_turn_of_a_game_string_need_not_fit_the_moves() -> None:
    """Hosts send such game strings: hivegame.com writes NotStarted after the first move, and its bridge no turn."""
    assert parse_game("base+lm; WhiteWins;White[9]; wS1 ;bS1 wS1-") == ("Base+ML", ["wS1", "bS1 wS1-"])
    assert parse_game("Base") == ("Base", [])
    assert parse_game("Base;NotStarted") == ("Base", [])
    assert parse_game("Base+MLP;NotStarted;Black[1];wL") == ("Base+MLP", ["wL"])
    assert parse_game("Base;InProgress;;wS1") == ("Base", ["wS1"])
    with pytest.raises(BadSetup, match="move 2 of the game is empty"):
        parse_game("Base;InProgress;Black[1];wS1;")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Base;wS1;bS1 wS1-;wQ -wS1", "the state of a game must be NotStarted, .* or BlackWins, not 'wS1'"),
        ("Base;x", "the state of a game must be .*, not 'x'"),
        ("Base;InProgress;wS1;bS1 wS1-", r"the turn of a game must have the form White\[1\] or Black\[1\], not 'wS1'"),
        ("Base;InProgress;White[one];wS1", r"the turn of a game must have .*, not 'White\[one\]'"),
    ],
)
def test_game_string_without_state_or_turn_loses_no_moves(text: str, message: str) -> None:
    with pytest.raises(BadSetup, match=message):
        parse_game(text)


def test_an_opening_is_a_game_string_or_moves_alone() -> None:
    setup = Setup(variant="Base+M")
    assert parse_opening("Base+M;InProgress;White[2];wM;bM wM-", setup) == ["wM", "bM wM-"]
    assert parse_opening("wM; bM wM-", setup) == ["wM", "bM wM-"]
    with pytest.raises(BadSetup, match=r"a game of Base\+L, not of Base\+M"):
        parse_opening("Base+L;NotStarted;White[1];wL", setup)
    with pytest.raises(BadSetup, match="expected a tile such as wQ"):
        parse_opening("wM;bZ wM-", setup)


def test_turns_count_from_one() -> None:
    assert [format_turn(plies) for plies in range(4)] == ["White[1]", "Black[1]", "White[2]", "Black[2]"]


def test_several_spellings_of_a_move_have_one_code() -> None:
    """The reference may be any tile beside the target: a covered one, or the moving tile on its old cell."""
    position = HivePosition.from_game("Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 -wQ;bB1 bQ-;wB1 wQ;bB1 bQ")
    codes = [position.parse(text) for text in ("wB1 /wQ", "wB1 /wB1", "wb1 /wq")]
    assert len(set(codes)) == 1
    assert position.format(codes[0]) == "wB1 /wQ"
    assert position.parse("wB1 wS1") == position.parse("wB1  wS1") != codes[0]


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("wB1 wQ-", "occupied; to climb it write wS1"),
        ("wA1 bA1-", "bA1 is not in play"),
        ("bA1 bB1-", "other side's turn"),
        ("wB1 bQ", "bQ is covered"),
        ("wQ \\wS1", "wQ is covered"),
        ("wS1 -wQ", "cannot go there"),
        ("wA1 bB1-", "cannot be placed there"),
        ("wM /wQ", "not used in Base"),
        ("wA1", "only the first move of a game"),
        ("pass", "there are other moves"),
    ],
)
def test_an_illegal_move_is_refused_with_the_reason(move: str, reason: str) -> None:
    position = HivePosition.from_game("Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 -wQ;bB1 bQ-;wB1 wQ;bB1 bQ")
    with pytest.raises(IllegalMove, match=reason):
        position.play(move)


def test_a_forced_pass_is_a_ply() -> None:
    position = HivePosition.from_game(FORCED_PASS)
    assert position.legal_moves() == ["pass"]
    assert position.only_legal_move() == "pass"
    assert position.perft(1) == 1
    position.play("PASS")
    assert position.only_legal_move() == ""
    assert position.game_string().endswith(";bA2 /wG1;pass")
    assert position.game_string().startswith("Base;InProgress;Black[7];")
    position.undo()
    assert position.legal_moves() == ["pass"]


def test_a_game_string_is_parsed_and_formatted_unchanged() -> None:
    assert HivePosition(Setup(variant="Base+MLP")).game_string() == "Base+MLP;NotStarted;White[1]"
    game = HivePosition.from_game(FORCED_PASS).game_string()
    assert HivePosition.from_game(game).game_string() == game
    with pytest.raises(BadSetup, match="move 2 of the game: bQ wS1- is illegal: the queen"):
        HivePosition.from_game("Base;InProgress;White[2];wS1;bQ wS1-")


def test_a_step_down_refers_to_the_tile_that_stays() -> None:
    """A beetle steps down to a cell that touches only its own stack: the reference is the tile it uncovers."""
    position = HivePosition.from_game("Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 -wQ;bB1 bQ-;wB1 wQ;bA1 bB1-")
    assert "wB1 -wQ" in position.legal_moves()
    assert not any(move.startswith("wB1") and "wB1" in move.split()[1] for move in position.legal_moves())


def test_undo_reduces_the_number_of_repetitions() -> None:
    position = HivePosition.from_game("Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-")
    for turn in range(1, 3):
        assert position.repetitions() == turn
        for move in ("wQ \\wS1", "bQ bS1/", "wQ -wS1", "bQ bS1-"):
            position.play(move)
    assert position.repetitions() == 3
    assert position.outcome() is None
    position.undo()
    assert position.repetitions() == 2


def test_the_board_is_drawn_row_by_row() -> None:
    position = HivePosition.from_game("Base;;;wS1;bS1 wS1-;wQ /wS1;bQ bS1-;wB1 -wQ;bA1 bQ/;wB1 wQ")
    assert position.board() == " " * 18 + "bA1\n   wS1   bS1   bQ\nwB1+"
    assert HivePosition(Setup(variant="Base")).board() == "(empty)"


def test_a_move_onto_a_tile_has_no_direction() -> None:
    assert parse_move("wA1 bQ") == MoveText(TILE_NAMES.index("wA1"), TILE_NAMES.index("bQ"))
