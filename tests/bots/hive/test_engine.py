"""The engine of Hive: wins, depth, passes, levels, threads.

tests/bots/test_player_contract.py tests the requirements on all players.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from bots.hive import engine
from bots.hive.engine import HiveEngine
from bots.hive.notation import parse_game
from bots.hive.position import HivePosition
from core.play.player import Limits, Progress, Setup
from core.search.engine_options import FirstSight
from tests.bots.hive.real_games import MIDGAMES, REAL_GAMES, WON_GAMES, WON_IN_ONE, truncate_game
from tests.bots.hive.test_search import THROWN_QUEEN
from tests.bots.playing import player_after, winner_of
from tests.lines import play_on
from tests.manual_clock import ManualClock

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


def play_mistakes(monkeypatch: pytest.MonkeyPatch, first_sight: FirstSight | None) -> None:
    """Let every move below level 10 be a mistake; without `first_sight` a random move."""
    levels = replace(engine.LEVELS, mistake_rates=(1.0,) * 9, first_sight=first_sight)
    monkeypatch.setattr(engine, "LEVELS", levels)


def immediate_results(game: str) -> dict[str, int]:
    """Return the moves of a position with 1 for a win at once, -1 if the enemy can win with the next move, else 0."""
    position = HivePosition.from_game(game)
    codes = position.legal_numbers()
    return {position.format(code): position.library.immediate_result(position.state, code) for code in codes}


@cache
def hanging_positions() -> list[str]:
    """Return positions near the end of real games in which some move hangs the queen, but not every move."""
    ends = [truncate_game(game, -plies) for game in WON_GAMES for plies in range(1, 9)]
    ends.append(truncate_game(THROWN_QUEEN, -1))
    return [game for game in ends if set(immediate_results(game).values()) == {-1, 0}]


def play_at_level(level: int, game: str, limits: Limits) -> list[int]:
    """Return the immediate results of the moves that a level plays with eight seeds."""
    results = immediate_results(game)
    player = engine_after(game, f"pentad:level={level},hash=1")
    chosen = []
    for seed in range(1, 9):
        player.set_option("seed", seed)
        player.clear_hash()
        chosen.append(results[player.choose(limits).move])
    return chosen


@pytest.mark.parametrize("nodes", [1, 1000])
def test_mistakes_hang_the_queen_only_below_level_5(nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even a search that is stopped at once must not let the enemy surround the queen with the next move."""
    play_mistakes(monkeypatch, None)
    assert len(hanging_positions()) >= 8
    assert any(-1 in play_at_level(4, game, Limits(nodes=nodes)) for game in hanging_positions())
    for level in (5, 9):
        assert all(set(play_at_level(level, game, Limits(nodes=nodes))) == {0} for game in hanging_positions())


def test_every_win_in_one_is_taken_from_level_5_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by a throw of the queen, and if the search is stopped at once."""
    play_mistakes(monkeypatch, None)
    for level in (5, 9):
        assert all(set(play_at_level(level, game, Limits(nodes=1))) == {1} for game in (*WON_IN_ONE, THROWN_QUEEN))


def test_mistakes_are_moves_that_look_good_at_first_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    first_sight = engine.LEVELS.first_sight
    assert first_sight is not None
    play_mistakes(monkeypatch, first_sight)
    for game in MIDGAMES[1:8:2]:
        reports: list[Progress] = []
        engine_after(game, "pentad:hash=1").choose(Limits(depth=1, multi_pv=first_sight.moves), reports.append)
        candidates = {progress.pv[0] for progress in reports[-first_sight.moves :]}
        players = [engine_after(game, f"pentad:level=3,hash=1,seed={seed}") for seed in range(1, 13)]
        chosen = {player.choose(Limits()).move for player in players}
        assert chosen <= candidates
        assert len(chosen) > 2


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
