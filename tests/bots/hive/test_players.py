"""The moves that the players of Hive choose. tests/bots/test_player_contract.py tests limits, options and errors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bots.hive.notation import parse_game
from bots.hive.players import PLAYERS
from bots.hive.position import HivePosition
from core.play.player import Limits, Player, Progress, Setup, build_player
from protocols.uhp.session import UhpGame, UhpSession
from tests.bots.hive.real_games import MIDGAMES, WON_GAMES, WON_IN_ONE, truncate_game
from tests.bots.playing import play_game, winner_of
from tests.bots.playing import player_after as player_after_moves
from tests.lines import play_on, take_back
from tests.manual_clock import ManualClock

# Players of Pettersson's thesis on Hive. A value without a name, as in `greedy:1`, is that of the first option.
THESIS_PLAYERS = ("alphabeta", "minimax", "greedy", "aggro", "random")
ENDLESS_SEARCH = "alphabeta:depth=20,seed=1"
MIDGAME = MIDGAMES[1]


def player_after(name: str, game: str) -> Player:
    """Return a player at the end of a GameString."""
    variant, moves = parse_game(game)
    return player_after_moves("hive", name, moves, Setup(variant=variant))  # type: ignore[no-any-return]


def count_enemy_queen_neighbours(position: HivePosition, side: int) -> int:
    return int(position.library.count_queen_neighbours(position.state, 1 - side))


def find_attacks(position: HivePosition) -> Iterator[str]:
    """Yield the legal moves that occupy one more cell beside the enemy queen."""
    side = position.to_move
    count_before = count_enemy_queen_neighbours(position, side)
    for move in position.legal_moves():
        position.play(move)
        if count_enemy_queen_neighbours(position, side) > count_before:
            yield move
        position.undo()


@pytest.mark.parametrize(("strong", "weak"), [("greedy:1", "random:1"), ("alphabeta:depth=3,seed=1", "greedy:2")])
def test_the_stronger_player_wins(strong: str, weak: str) -> None:
    """With the wrong sign of the evaluation the stronger player would lose."""
    for names, side in (((strong, weak), 0), ((weak, strong), 1)):
        assert winner_of(play_game("hive", names, Setup(variant="Base"), Limits(), max_plies=400)) == side


@pytest.mark.parametrize("game", WON_IN_ONE)
@pytest.mark.parametrize("name", ["greedy:3", "minimax:depth=2,seed=3", "alphabeta:depth=3,seed=3"])
def test_a_win_in_one_is_taken(name: str, game: str) -> None:
    decision = player_after(name, game).choose(Limits())
    assert decision.progress.win_in == 1
    position = HivePosition.from_game(game)
    side = position.to_move
    position.play(decision.move)
    assert winner_of(position) == side


def test_aggro_adds_a_tile_whenever_it_can() -> None:
    player, attacked = player_after("aggro:1", "Base"), 0
    for game in MIDGAMES:
        position = HivePosition.from_game(game)
        player.new_game(position.setup)
        player.set_position(position.moves)
        expected = set(find_attacks(position))
        attacked += bool(expected)
        assert player.choose(Limits()).move in (expected or position.legal_moves())
    assert 0 < attacked < len(MIDGAMES)


def test_greedy_and_minimax_choose_among_the_best_within_delta() -> None:
    """Every move within delta of the best is chosen at some time, and no other move."""
    position = HivePosition.from_game(MIDGAME)
    values = {}
    for move in position.legal_moves():
        position.play(move)
        values[move] = -position.library.thesis_evaluate(position.state)
        position.undo()
    for name, delta in (("greedy:1", 0), ("minimax:depth=1,delta=0,seed=1", 0), ("minimax:depth=1,delta=8,seed=1", 8)):
        best_moves = {move for move, value in values.items() if value >= max(values.values()) - delta}
        player = player_after(name, MIDGAME)
        assert {player.choose(Limits()).move for _ in range(40 * len(best_moves))} == best_moves
        assert len(best_moves) > 1 or delta == 0


@pytest.mark.parametrize("name", [ENDLESS_SEARCH, "minimax:depth=20"])
def test_stop_ends_a_deep_search_with_its_best_move(name: str, clock: ManualClock) -> None:
    clock.step_ms = 1
    player = player_after(name, MIDGAME)
    seen: list[Progress] = []
    limits = Limits(move_time_ms=3_600_000)
    clock.call_at(200, limits.stop.set)
    decision = player.choose(limits, seen.append)
    assert 200 <= clock.now_ms < 210
    assert decision.move == seen[-1].pv[0]
    assert [progress.depth for progress in seen[:2]] == [1, 2]


@pytest.mark.parametrize(
    ("name", "depth", "expected"), [("alphabeta:3", 2, 2), ("alphabeta:3", 9, 3), ("greedy", 4, 1)]
)
def test_the_smaller_of_option_and_limit_is_the_depth(name: str, depth: int, expected: int) -> None:
    assert player_after(name, MIDGAME).choose(Limits(depth=depth)).progress.depth == expected
    assert player_after(name, MIDGAME).choose(Limits()).progress.depth == (1 if name == "greedy" else 3)


@pytest.mark.parametrize("name", THESIS_PLAYERS)
def test_finished_games_passes_and_repetitions_are_handled(name: str) -> None:
    """A player answers when the game is finished, when only a pass is legal, and after a third repetition."""
    finished = player_after(name, WON_GAMES[0])
    assert finished.choose(Limits()).move == ""
    take_back(finished)
    assert finished.choose(Limits()).move
    passing = next(truncate_game(line, line.split(";")[3:].index("pass")) for line in WON_GAMES if ";pass" in line)
    assert player_after(name, passing).choose(Limits()).move == "pass"
    there_and_back = ["wQ -wG1", "bQ bG1-", "wQ \\wG1", "bQ bG1/"] * 3
    repeating = player_after(name, ";".join(["Base;;", "wG1", "bG1 wG1-", "wQ \\wG1", "bQ bG1/", *there_and_back]))
    play_on(repeating, repeating.choose(Limits()).move)


@pytest.mark.parametrize("name", [kind.name for kind in PLAYERS])
def test_players_are_served_over_uhp(name: str) -> None:
    lines: list[str] = []
    rules = UhpGame(HivePosition.from_game)
    session = UhpSession(build_player(PLAYERS, name), rules, lines.append, name="P", version="1", kinds=PLAYERS)
    for line in ("newgame Base+MLP", f"options set Player {name}", "bestmove depth 2"):
        session.handle(line)
    assert session.wait_idle(5)
    assert f"Player;enum;{name}" in " ".join(lines)
    # The last two lines are the move and `ok`; `parse` raises IllegalMove for an illegal one.
    assert HivePosition(Setup(variant="Base+MLP")).parse(lines[-2])
