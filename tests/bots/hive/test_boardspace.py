"""Reading the game files of boardspace.net, and replaying real games that were converted from them.

A file records clicks as events. `P0 Pick W 6 wL1` takes a tile, `P0 Dropb wL1 N 13 .` puts it down on column N, row 13,
where `.` or `/wL` tells its place relative to other tiles, and `P0 Done` ends the turn.
"""

from __future__ import annotations

import pytest

from bots.hive.boardspace import read_game
from bots.hive.position import HivePosition
from core.play.player import BadSetup
from tests.bots.hive.test_perft import read_lines

GAMES = read_lines("games.txt")


def boardspace_sgf(variant: str, *events: str) -> str:
    """Return the text of a file with events such as `P0 Done`."""
    lines = ["(;", "GM[27]VV[1]", f"SU[{variant} 2 0 101]", 'P0[id "someone"]', 'P1[id "other"]']
    for number, event in enumerate(events):
        player, _, rest = event.partition(" ")
        lines.append(f"; {player}[{number} {rest}]TM[{1000 * number}]")
    return "\n".join([*lines, ")"])


OPENING_EVENTS = (
    "P0 Start P0",
    "P0 Pick W 6 wL1",
    "P0 Dropb wL1 N 13 .",
    "P0 Done ",
    "P1 Move B bG1 M 12 /wL",
    "P1 Done ",
)


@pytest.mark.parametrize("game", GAMES, ids=[str(number) for number in range(len(GAMES))])
def test_real_games_are_legal_and_end_with_the_recorded_result(game: str) -> None:
    position = HivePosition.from_game(game)
    assert position.game_string().split(";")[:3] == game.split(";")[:3]
    reread = HivePosition.from_game(position.game_string())
    assert reread.game_string() == position.game_string()
    assert reread.library.key(reread.state) == position.library.key(position.state)


def test_clicks_of_a_turn_make_one_move() -> None:
    position = read_game(
        boardspace_sgf("hive-plm", *OPENING_EVENTS, "P0 Pick W 0 wQ", "P0 Dropb wQ O 13 wL1-", "P0 Done ")
    )
    assert position.game_string() == "Base+MLP;InProgress;Black[2];wL;bG1 /wL;wQ wL-"


def test_only_the_last_drop_of_a_turn_counts() -> None:
    clicks = ("P0 Pick W 0 wQ", "P0 Dropb wQ O 13 wL-", "P0 Pickb O 13 wQ", "P0 Dropb wQ N 14 \\\\wL", "P0 Done ")
    position = read_game(boardspace_sgf("hive-plm", *OPENING_EVENTS, *clicks))
    assert position.moves[-1] == "wQ \\wL"


def test_first_tile_may_be_dropped_twice() -> None:
    """Regression: a game whose first tile was dropped twice used to be rejected. The last drop defines the origin."""
    clicks = ("P0 Dropb wL1 N 13 .", "P0 Pickb N 13 wL1", "P0 Dropb wL1 M 13 .", "P0 Done ")
    position = read_game(boardspace_sgf("hive-plm", "P0 Pick W 6 wL1", *clicks, "P1 Move B bG1 L 12 /wL", "P1 Done "))
    assert position.moves == ["wL", "bG1 /wL"]


def test_pieces_without_colour_and_events_in_any_case_are_read() -> None:
    """The colour is that of the picked tile or of the player."""
    clicks = (
        "P0 pick W 2 S1",
        "P0 dropb S1 N 13 .",
        "P0 done",
        "P1 MoveDone B B1 O 13 .",
        "P0 move W Q M 13 .",
        "P0 done",
    )
    position = read_game(boardspace_sgf("HIVE", *clicks))
    assert position.moves == ["wS1", "bB1 wS1-", "wQ -wS1"]


def test_draw_offers_are_no_turn_and_a_resignation_ends_the_game() -> None:
    events = ("P0 OfferDraw", "P0 Done ", "P1 DeclineDraw", "P1 Done ", "P0 Resign", "P0 Move W wQ O 13 .")
    position = read_game(boardspace_sgf("hive-plm", *OPENING_EVENTS, *events))
    assert position.moves == ["wL", "bG1 /wL"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (boardspace_sgf("hive-ultimate"), "expected a Hive game, not 'hive-ultimate'"),
        ("nothing", "not 'a file without SU'"),
        (boardspace_sgf("hive", *OPENING_EVENTS), "wL may not go there"),
        (boardspace_sgf("hive-plm", *OPENING_EVENTS, "P0 Move W wX O 13 ."), "not 'wX'"),
        (boardspace_sgf("hive-plm", *OPENING_EVENTS, "P0 Move W wQ"), "event '; P0.6 Move W wQ.'"),
    ],
)
def test_an_unreadable_file_is_reported_with_its_event(text: str, reason: str) -> None:
    with pytest.raises(BadSetup, match=reason):
        read_game(text)
