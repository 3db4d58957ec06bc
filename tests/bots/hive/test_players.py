"""All Hive players: which moves they choose, and that they obey limits, seeds and options."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bots.hive.board_player import BoardPlayer
from bots.hive.notation import VARIANTS, parse_game
from bots.hive.players import PLAYERS
from bots.hive.position import HivePosition
from core.play.options import OptionError
from core.play.player import BadSetup, IllegalMove, Limits, Player, Progress, Setup, build_player
from protocols.uhp.session import UhpGame, UhpSession
from tests.bots.hive.real_games import MIDGAMES, WON_GAMES, WON_IN_ONE, truncate_game
from tests.lines import play_on, take_back
from tests.manual_clock import ManualClock

THESIS_PLAYERS = ("alphabeta", "minimax", "greedy", "aggro", "random")
ENDLESS_SEARCH = "alphabeta:depth=20,seed=1"
MIDGAME = MIDGAMES[1]


def player_after(name: str, game: str) -> Player:
    """Return a player at the end of a GameString."""
    variant, moves = parse_game(game)
    player = build_player(PLAYERS, name)
    player.new_game(Setup(variant=variant))
    player.set_position(moves)
    return player


def play_out(names: tuple[str, str], variant: str = "Base", plies: int = 120) -> HivePosition:
    """Play a game of at most `plies` plies and check each move on a separate position."""
    position = HivePosition(Setup(variant=variant))
    players = [player_after(name, variant) for name in names]
    while not position.outcome() and len(position.moves) < plies:
        move = players[position.to_move].choose(Limits()).move
        position.play(move)
        for player in players:
            play_on(player, move)
    return position


def count_enemy_queen_neighbours(position: HivePosition, side: int) -> int:
    return int(position.library.count_queen_neighbours(position.state, 1 - side))


def attacks(position: HivePosition) -> Iterator[str]:
    """Yield the legal moves that occupy one more cell beside the enemy queen."""
    side = position.to_move
    before = count_enemy_queen_neighbours(position, side)
    for move in position.legal_moves():
        position.play(move)
        if count_enemy_queen_neighbours(position, side) > before:
            yield move
        position.undo()


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_of_every_type_have_only_legal_moves(variant: str) -> None:
    play_out(("alphabeta:depth=2,seed=1", "random:2"), variant)
    play_out(("aggro:1", "minimax:depth=1,delta=10,seed=2"), variant)
    play_out(("greedy:1", "greedy:2"), variant)


@pytest.mark.parametrize(("strong", "weak"), [("greedy:1", "random:1"), ("alphabeta:depth=3,seed=1", "greedy:2")])
def test_the_stronger_player_wins(strong: str, weak: str) -> None:
    """With the wrong sign of the evaluation it would lose."""
    for names, side in (((strong, weak), 0), ((weak, strong), 1)):
        outcome = play_out(names, plies=400).outcome()
        assert outcome
        assert outcome.winner == side


@pytest.mark.parametrize("game", WON_IN_ONE)
@pytest.mark.parametrize("name", ["greedy:3", "minimax:depth=2,seed=3", "alphabeta:depth=3,seed=3"])
def test_a_win_in_one_is_taken(name: str, game: str) -> None:
    decision = player_after(name, game).choose(Limits())
    assert decision.progress.win_in == 1
    position = HivePosition.from_game(game)
    side = position.to_move
    position.play(decision.move)
    outcome = position.outcome()
    assert outcome
    assert outcome.winner == side


def test_aggro_adds_a_tile_whenever_it_can() -> None:
    player, attacked = player_after("aggro:1", "Base"), 0
    for game in MIDGAMES:
        position = HivePosition.from_game(game)
        player.new_game(position.setup)
        player.set_position(position.moves)
        expected = set(attacks(position))
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


@pytest.mark.parametrize("name", ["alphabeta:depth=2", "minimax:depth=1,delta=4", "greedy", "aggro", "random"])
def test_a_seed_repeats_a_game_and_another_gives_another(name: str) -> None:
    comma = "," if ":" in name else ":"
    games = [tuple(play_out((f"{name}{comma}seed={seed}",) * 2, plies=20).moves) for seed in (1, 1, 2, 3)]
    assert games[0] == games[1]
    assert len(set(games)) == 3


def test_setting_the_seed_restarts_the_random_stream_and_zero_draws_a_new_one() -> None:
    player = player_after("random:7", MIDGAME)
    first = [player.choose(Limits()).move for _ in range(8)]
    player.set_option("seed", 7)
    assert [player.choose(Limits()).move for _ in range(8)] == first
    assert len({tuple(player_after("random", MIDGAME).choose(Limits()).move for _ in range(8)) for _ in range(3)}) == 3


@pytest.mark.parametrize("name", [ENDLESS_SEARCH, "minimax:depth=20", "greedy", "aggro", "random"])
@pytest.mark.parametrize("milliseconds", [0, 1, 60])
def test_time_limits_are_obeyed(name: str, milliseconds: int, clock: ManualClock) -> None:
    clock.step_ms = 1
    player = player_after(name, MIDGAME)
    for limits in (Limits(move_time_ms=milliseconds), Limits(time_left_ms=milliseconds), Limits(time_left_ms=-5)):
        began_ms = clock.now_ms
        assert player.choose(limits).move
        assert clock.now_ms - began_ms <= milliseconds + 10


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


@pytest.mark.parametrize("nodes", [1, 2, 100, 3000])
def test_node_limits_are_obeyed(nodes: int) -> None:
    assert player_after(ENDLESS_SEARCH, MIDGAME).choose(Limits(nodes=nodes)).progress.nodes <= nodes


@pytest.mark.parametrize(
    ("name", "depth", "expected"), [("alphabeta:3", 2, 2), ("alphabeta:3", 9, 3), ("greedy", 4, 1)]
)
def test_the_smaller_of_option_and_limit_is_the_depth(name: str, depth: int, expected: int) -> None:
    assert player_after(name, MIDGAME).choose(Limits(depth=depth)).progress.depth == expected
    assert player_after(name, MIDGAME).choose(Limits()).progress.depth == min(expected if name == "greedy" else 3, 3)


@pytest.mark.parametrize("name", THESIS_PLAYERS)
def test_excluded_moves_are_not_chosen(name: str) -> None:
    legal = HivePosition.from_game(MIDGAME).legal_moves()
    assert player_after(name, MIDGAME).choose(Limits(excluded_moves=tuple(legal[1:]))).move == legal[0]


@pytest.mark.parametrize("name", THESIS_PLAYERS)
def test_finished_games_passes_and_repetitions_are_handled(name: str) -> None:
    """A player answers when the game is over, when only a pass is legal, and after a third repetition."""
    over = player_after(name, WON_GAMES[0])
    assert over.choose(Limits()).move == ""
    take_back(over)
    assert over.choose(Limits()).move
    passing = next(truncate_game(line, line.split(";")[3:].index("pass")) for line in WON_GAMES if ";pass" in line)
    assert player_after(name, passing).choose(Limits()).move == "pass"
    there_and_back = ["wQ -wG1", "bQ bG1-", "wQ \\wG1", "bQ bG1/"] * 3
    turning = player_after(name, ";".join(["Base;;", "wG1", "bG1 wG1-", "wQ \\wG1", "bQ bG1/", *there_and_back]))
    play_on(turning, turning.choose(Limits()).move)


@pytest.mark.parametrize("name", [kind.name for kind in PLAYERS])
def test_refused_moves_and_setups_change_nothing(name: str) -> None:
    player = player_after(name, "Base+M;;;wS1;bM wS1-")
    with pytest.raises(IllegalMove, match="bB1 -wS1 is illegal"):
        player.set_position(["wS1", "bM wS1-", "bB1 -wS1"])
    with pytest.raises(IllegalMove, match="expected a tile such as wQ or bA1, not 'wX'"):
        play_on(player, "wX")
    with pytest.raises(BadSetup, match=r"unknown type of game 'Base\+X'"):
        player.new_game(Setup(variant="Base+X"))
    assert isinstance(player, BoardPlayer)
    assert player.position.game_string() == "Base+M;InProgress;White[2];wS1;bM wS1-"
    take_back(player)
    take_back(player)
    assert player.position.moves == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("alphabeta:0", "option depth must be a whole number from 1 to 20, not '0'"),
        ("alphabeta:delta=3", "unknown option 'delta'; known: depth, seed"),
        ("minimax:depth=2,delta=-1", "option delta must be a whole number from 0 to 1000, not '-1'"),
        ("random:x", "option seed must be"),
        ("thesis", "unknown player 'thesis'; known: "),
    ],
)
def test_invalid_options_are_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        build_player(PLAYERS, text)


@pytest.mark.parametrize("name", [kind.name for kind in PLAYERS])
def test_players_are_served_over_uhp(name: str) -> None:
    lines: list[str] = []
    rules = UhpGame(HivePosition.from_game)
    session = UhpSession(build_player(PLAYERS, name), rules, lines.append, name="P", version="1", kinds=PLAYERS)
    for line in ("newgame Base+MLP", f"options set Player {name}", "bestmove depth 2"):
        session.handle(line)
    assert session.wait_idle(5)
    assert f"Player;enum;{name}" in " ".join(lines)
    assert HivePosition(Setup(variant="Base+MLP")).parse(lines[-2])
