"""The engine of Hive: wins, depth, passes, levels, threads.

tests/bots/test_player_contract.py tests the requirements on all players.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from bots.hive import engine
from bots.hive.engine import HiveEngine
from bots.hive.notation import parse_game
from bots.hive.position import HivePosition
from core.play.player import Limits, Progress, Setup
from tests.bots.hive.real_games import MIDGAMES, REAL_GAMES, WON_IN_ONE, truncate_game
from tests.bots.playing import player_after, winner_of
from tests.lines import play_on
from tests.manual_clock import ManualClock

# Black must answer a threat to surround its queen; from a game against another program.
ONE_DEFENCE = (
    "Base+MLP;;;"
    r"wA1;bB1 wA1/;wQ /wA1;bA1 \bB1;wG1 wA1\;bQ \bA1;wM -wA1;bP bA1/;wM /bQ;"
    r"bM bP\;wQ /wG1;bM -wQ;wA2 wG1-;bB2 /bM;wA2 /bB2;bA2 bP\;wA3 wG1-;bG1 -bM;"
    r"wA3 \bQ;bG1 wG1\;wB1 wA3/;bA2 \wB1;wB2 -wA3;bA2 wM\;wB1 wA3;bL bG1\;wB1 bQ;"
    r"bA1 bP-;wB2 /wA3;bA1 bM\;wP wA3/;bL wQ\;wP \bP"
)


ANTS_TO_AND_FRO = r"Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 \wQ;bA1 bQ/;wA1 /wQ;bA1 bQ\;wA1 \wQ;bA1 bQ/"
# Of the 6,022 positions of 120 games of boardspace.net, those in which a search to depth 4 has most nodes.
LARGEST_SEARCHES = (
    (
        "Base+ML;;;"
        r"wB1;bL /wB1;wG1 wB1/;bA1 /bL;wQ wG1\;bB1 -bL;wG1 /bA1;bQ -bB1;wA1 \wQ;bS1 bL\;wA1 -bQ;bS1 wQ-;"
        r"wS1 \wB1;bB2 bS1\;wS1 \bQ;bB2 wQ\;wS2 -wA1;bS2 bS1-;wS2 bQ\;bS2 \wQ;wG2 -wS1;bB1 bL;wG2 bQ/;"
        r"bG1 bS1\;wA1 bG1\;bG2 bS1/;wA2 /wS2;bA2 bS2/;wA2 bA2/;bG3 -bA2;wA3 /wS2;bG3 wA2\;wA2 \bA2;bB2 wQ"
    ),
    (
        "Base+MLP;;;"
        r"wL;bL /wL;wQ wL-;bQ -bL;wP wQ/;bA1 /bQ;wM wP\;bS1 bL\;wA1 wM/;bS1 wM\;wA2 \wA1;bB1 /bS1;wA2 /bB1;"
        r"bP -bQ;wS1 -wP;bA2 \bP;wA1 \bA2;bM /bP;wA3 wM/;bM wA3/;wG1 \wP;bB2 bM-;wA1 bB2-;bA1 bM\;wG1 bQ\;"
        r"bM wA3;wQ \wP;bA2 \wQ;wB1 /wG1;bM wP;wB1 wG1;bM wQ;wG2 wS1\;bG1 bM/;wG2 wA3\;bS2 \bG1;wA3 \bS2;"
        r"bA2 -bM;wA3 -bS2;bG2 bS1\;wA2 bG2\;bB1 bS1;wB1 bL;bB1 wM"
    ),
)
MAX_NODES_DEPTH_4 = 2_000_000  # less than 5 s even at half a million nodes per second


def engine_after(game: str, name: str = "pentad:hash=16") -> HiveEngine:
    """Return an engine at the end of a GameString."""
    variant, moves = parse_game(game)
    player = player_after("hive", name, moves, Setup(variant=variant))
    assert isinstance(player, HiveEngine)
    return player


@pytest.mark.parametrize("game", WON_IN_ONE)
def test_a_win_in_one_is_played(game: str, clock: ManualClock) -> None:
    clock.step_ms = 1
    player = engine_after(game)
    us = player.position.to_move
    decision = player.choose(Limits(move_time_ms=2000))
    play_on(player, decision.move)
    assert winner_of(player.position) == us
    assert decision.progress.time_ms < 20


@pytest.mark.parametrize("game", [truncate_game(game, -plies) for game in REAL_GAMES for plies in (2, 3, 4)])
def test_wins_that_a_full_search_proves_are_found(game: str) -> None:
    """The alpha-beta player searches all moves; the engine prunes some, but must find the same short wins."""
    variant, moves = parse_game(game)
    thesis_player = player_after("hive", "alphabeta:depth=3,seed=1", moves, Setup(variant=variant))
    proven = thesis_player.choose(Limits()).progress.win_in
    if proven is not None and proven > 0:
        found = engine_after(game).choose(Limits(nodes=100_000)).progress.win_in
        assert found is not None
        assert 0 < found <= proven


def loses_at_once(position: HivePosition, move: str) -> bool:
    """Return whether a move lets the enemy surround the queen with its next move."""
    us = position.to_move
    position.play(move)
    outcomes = []
    for reply in position.legal_moves():
        position.play(reply)
        outcomes.append(position.outcome())
        position.undo()
    position.undo()
    return any(outcome is not None and outcome.winner == 1 - us for outcome in outcomes)


def test_mistakes_from_level_5_on_do_not_let_the_queen_be_surrounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but one of the 100 moves lose at once, and so do nearly all sets of candidates drawn at random."""
    monkeypatch.setattr(engine, "LEVELS", replace(engine.LEVELS, mistake_rates=(1.0,) * 9))
    position = HivePosition.from_game(ONE_DEFENCE)

    def blunders(level: int) -> int:
        players = [engine_after(ONE_DEFENCE, f"pentad:level={level},hash=1,seed={seed}") for seed in range(1, 9)]
        return sum(loses_at_once(position, player.choose(Limits()).move) for player in players)

    assert blunders(4) > 0
    assert blunders(5) == 0


@pytest.mark.parametrize(("plies", "repeating"), [(9, "bA1 bQ/"), (10, "wA1 /wQ")])
def test_contempt_decides_whether_a_position_is_repeated(plies: int, repeating: str) -> None:
    """The ants of both sides go to and fro. The same player is asked again, and uses no entry of another contempt."""
    variant, moves = parse_game(ANTS_TO_AND_FRO)
    player = player_after("hive", "pentad:hash=1", moves[:plies], Setup(variant=variant))
    decisions = []
    for contempt in (1000, -1000, 1000):
        player.set_option("contempt", contempt)
        decisions.append(player.choose(Limits(depth=5)))
    assert [decision.move == repeating for decision in decisions] == [False, True, False]
    assert decisions[0].progress.nodes == decisions[2].progress.nodes


def test_the_search_ends_at_the_depth_limit() -> None:
    assert engine_after(MIDGAMES[1]).choose(Limits(depth=3)).progress.depth == 3


@pytest.mark.parametrize("game", LARGEST_SEARCHES)
def test_depth_4_has_few_nodes(game: str) -> None:
    """Bridges to websites ask for a depth and set no time limit; answers to threats extend the search."""
    progress = engine_after(game).choose(Limits(depth=4, nodes=MAX_NODES_DEPTH_4)).progress
    assert progress.depth == 4
    assert progress.nodes < MAX_NODES_DEPTH_4


def test_the_principal_variation_can_be_played() -> None:
    """A move names a neighbouring tile, which must be where the earlier moves of the variation have put it."""
    for game in MIDGAMES[:10]:
        player = engine_after(game)
        seen: list[Progress] = []
        player.choose(Limits(depth=5), seen.append)
        for progress in seen:
            position = HivePosition.from_game(game)
            for move in progress.pv:
                position.play(move)


def test_choosing_does_not_change_the_position() -> None:
    player = engine_after(MIDGAMES[2])
    position = player.position
    expected = (position.game_string(), position.legal_numbers(), position.state.last_moved)
    player.choose(Limits(nodes=20_000))
    assert (position.game_string(), position.legal_numbers(), position.state.last_moved) == expected


def test_forced_pass_and_finished_game() -> None:
    forced = r"Base;;;wA1;bS1 wA1-;wQ -wA1;bQ bS1/;wQ \wA1;bA1 bS1\;wQ -wA1;bA2 bQ\;wQ \wA1;bA1 \wQ;wG1 /wQ;bA2 /wG1"
    assert engine_after(forced).choose(Limits(move_time_ms=5000)).move == "pass"
    decision = engine_after(REAL_GAMES[0]).choose(Limits(move_time_ms=100))
    assert (decision.move, decision.note) == ("", "game over")


@pytest.mark.parametrize("level", [1, 5, 9])
def test_levels_answer_quickly_and_take_a_win(level: int) -> None:
    """Even the weakest levels must not overlook a win in one."""
    player = engine_after(WON_IN_ONE[0], f"pentad:level={level},hash=16")
    decision = player.choose(Limits(move_time_ms=3000))
    assert decision.progress.win_in == 1
    # Level 9 has the highest limit of these, 300,000 nodes. It is varied at random, so the bound leaves room.
    assert (
        engine_after(MIDGAMES[0], f"pentad:level={level}").choose(Limits(move_time_ms=3000)).progress.nodes <= 400_050
    )


@pytest.mark.usefixtures("many_processors")
def test_two_threads_play_a_legal_move() -> None:
    player = engine_after(MIDGAMES[7], "pentad:threads=2,hash=16")
    decision = player.choose(Limits(move_time_ms=200))
    assert decision.move in player.position.legal_moves()
