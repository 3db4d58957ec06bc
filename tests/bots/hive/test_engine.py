"""The strongest player: wins and threats, limits, stopping, playing levels, threads, and whole games."""

from __future__ import annotations

import pytest

from bots.hive.engine import HiveEngine
from bots.hive.notation import parse_game
from bots.hive.players import PLAYERS
from bots.hive.position import HivePosition
from core.play.player import IllegalMove, Limits, Progress, Setup, build_player
from tests.bots.hive.real_games import MIDGAMES, REAL_GAMES, WON_IN_ONE, truncate_game
from tests.lines import play_on
from tests.manual_clock import ManualClock


def engine_after(game: str, name: str = "pentad:hash=16") -> HiveEngine:
    """Return an engine at the end of a GameString."""
    player = build_player(PLAYERS, name)
    assert isinstance(player, HiveEngine)
    variant, moves = parse_game(game)
    player.new_game(Setup(variant=variant))
    player.set_position(moves)
    return player


@pytest.mark.parametrize("game", WON_IN_ONE)
def test_a_win_in_one_is_played(game: str, clock: ManualClock) -> None:
    clock.step_ms = 1
    player = engine_after(game)
    us = player.position.to_move
    decision = player.choose(Limits(move_time_ms=2000))
    play_on(player, decision.move)
    outcome = player.position.outcome()
    assert outcome is not None
    assert outcome.winner in (us, None)  # one of the games ends in a move that surrounds both
    assert decision.progress.time_ms < 20


@pytest.mark.parametrize("game", [truncate_game(game, -plies) for game in REAL_GAMES for plies in (2, 3, 4)])
def test_wins_that_a_full_search_proves_are_found(game: str) -> None:
    """The alpha-beta player searches all moves; the engine prunes some, but must find the same short wins."""
    thesis = build_player(PLAYERS, "alphabeta:depth=3,seed=1")
    variant, moves = parse_game(game)
    thesis.new_game(Setup(variant=variant))
    thesis.set_position(moves)
    proven = thesis.choose(Limits()).progress.win_in
    if proven is not None and proven > 0:
        found = engine_after(game).choose(Limits(nodes=100_000)).progress.win_in
        assert found is not None
        assert 0 < found <= proven


def test_the_time_of_a_move_is_used_but_not_exceeded(clock: ManualClock) -> None:
    clock.step_ms = 1
    player = engine_after(MIDGAMES[3])
    began_ms = clock.now_ms
    player.choose(Limits(move_time_ms=400))
    assert 250 <= clock.now_ms - began_ms <= 400


@pytest.mark.parametrize("limits", [Limits(move_time_ms=0), Limits(time_left_ms=-500), Limits(move_time_ms=1)])
def test_no_time_is_answered_at_once(limits: Limits, clock: ManualClock) -> None:
    clock.step_ms = 1
    player = engine_after(MIDGAMES[0])
    began_ms = clock.now_ms
    move = player.choose(limits).move
    assert clock.now_ms - began_ms < 20
    assert move in player.position.legal_moves()


def test_stop_ends_an_endless_search(clock: ManualClock) -> None:
    clock.step_ms = 1
    player = engine_after(MIDGAMES[0])
    limits = Limits()
    clock.call_at(200, limits.stop.set)
    move = player.choose(limits).move
    assert 200 <= clock.now_ms < 220
    assert move in player.position.legal_moves()


def test_depth_and_nodes_are_kept_to() -> None:
    player = engine_after(MIDGAMES[1])
    assert player.choose(Limits(depth=3)).progress.depth == 3
    assert player.choose(Limits(nodes=5000)).progress.nodes <= 5050


def test_the_principal_variation_can_be_played() -> None:
    """Its moves refer to tiles where they are after the moves before."""
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
    before = (player.position.game_string(), player.position.legal_numbers(), player.position.state.last_moved)
    player.choose(Limits(nodes=20_000))
    assert before == (player.position.game_string(), player.position.legal_numbers(), player.position.state.last_moved)


def test_same_search_twice_is_the_same() -> None:
    first, second = (engine_after(MIDGAMES[4]).choose(Limits(nodes=30_000)) for _ in range(2))
    assert (first.move, first.progress.score, first.progress.nodes) == (
        second.move,
        second.progress.score,
        second.progress.nodes,
    )


def test_forced_pass_and_finished_game() -> None:
    forced = r"Base;;;wA1;bS1 wA1-;wQ -wA1;bQ bS1/;wQ \wA1;bA1 bS1\;wQ -wA1;bA2 bQ\;wQ \wA1;bA1 \wQ;wG1 /wQ;bA2 /wG1"
    assert engine_after(forced).choose(Limits(move_time_ms=5000)).move == "pass"
    decision = engine_after(REAL_GAMES[0]).choose(Limits(move_time_ms=100))
    assert (decision.move, decision.note) == ("", "game over")


def test_excluded_moves_are_not_chosen() -> None:
    player = engine_after(MIDGAMES[5])
    best = player.choose(Limits(nodes=5000)).move
    assert player.choose(Limits(nodes=5000, excluded_moves=(best,))).move != best
    with pytest.raises(IllegalMove):
        player.choose(Limits(nodes=100, excluded_moves=("wX9",)))


def test_multi_pv_lines_begin_with_different_moves() -> None:
    player = engine_after(MIDGAMES[6])
    lines: dict[int, Progress] = {}
    player.choose(Limits(depth=3, multi_pv=4), lambda progress: lines.update({progress.pv_index: progress}))
    assert len({line.pv[0] for line in lines.values()}) == 4


@pytest.mark.parametrize("level", [1, 5, 9])
def test_levels_answer_quickly_and_take_a_win(level: int) -> None:
    """Even the weakest levels must not overlook a win in one."""
    player = engine_after(WON_IN_ONE[0], f"pentad:level={level},hash=16")
    decision = player.choose(Limits(move_time_ms=3000))
    assert decision.progress.win_in == 1
    assert (
        engine_after(MIDGAMES[0], f"pentad:level={level}").choose(Limits(move_time_ms=3000)).progress.nodes <= 400_050
    )


@pytest.mark.usefixtures("many_processors")
def test_two_threads_play_a_legal_move() -> None:
    player = engine_after(MIDGAMES[7], "pentad:threads=2,hash=16")
    decision = player.choose(Limits(move_time_ms=200))
    assert decision.move in player.position.legal_moves()


def test_self_play_games_have_only_legal_moves() -> None:
    """Crashes and corrupted positions show up in long games, with and without all expansions."""
    for seed, variant in enumerate(("Base", "Base+MLP")):
        player = build_player(PLAYERS, f"pentad:level=2,seed={seed},hash=16")
        player.new_game(Setup(variant=variant))
        referee = HivePosition(Setup(variant=variant))
        while referee.outcome() is None and len(referee.moves) < 120:
            move = player.choose(Limits(nodes=300)).move
            referee.play(move)
            play_on(player, move)
        assert referee.outcome() is not None or len(referee.moves) == 120
