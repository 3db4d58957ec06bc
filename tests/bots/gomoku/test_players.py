"""The named players: what they choose, under all rules and limits."""

from __future__ import annotations

import pytest

from bots.gomoku.notation import format_variant
from bots.gomoku.players import PLAYERS
from bots.gomoku.position import GomokuPosition
from core.play.board_player import BoardPlayerBase
from core.play.options import OptionError
from core.play.player import IllegalMove, Limits, Player, Setup, build_player
from protocols.gomocup.session import GomocupSession
from tests.lines import play_on, take_back
from tests.manual_clock import ManualClock

FREESTYLE = Setup(15, 15, "freestyle")
PAPER_PLAYERS = ("paper", "greedy", "random:1")
QUICK = Limits(move_time_ms=200)


def player_at(name: str, moves: str, setup: Setup = FREESTYLE) -> Player:
    """Return a player in a position."""
    player = build_player(PLAYERS, name)
    player.new_game(setup)
    player.set_position(moves.split())
    return player


def play_out(names: tuple[str, str], setup: Setup, opening: str = "", limits: Limits = QUICK) -> GomokuPosition:
    """Play a game; a separate position checks each move."""
    position = GomokuPosition(setup)
    for move in opening.split():
        position.play(move)
    players = [player_at(name, opening, setup) for name in names]
    while not position.outcome():
        move = players[position.to_move].choose(limits).move
        position.play(move)
        for player in players:
            play_on(player, move)
    return position


@pytest.mark.parametrize("opening", ["h8 i9", "h8 h9 j6", "g7 i8 j10 e5"])
def test_paper_beats_random(opening: str) -> None:
    for names, side in ((("paper", "random:3"), 0), (("random:3", "paper"), 1)):
        outcome = play_out(names, FREESTYLE, opening).outcome()
        assert outcome is not None
        assert outcome.winner == side


def test_paper_beats_greedy_and_greedy_random() -> None:
    for names, opening, side in (
        (("paper", "greedy"), "h8 i9", 0),
        (("greedy", "paper"), "h8 j6 c3 c4", 1),
        (("greedy", "random:5"), "", 0),
        (("random:5", "greedy"), "", 1),
    ):
        outcome = play_out(names, FREESTYLE, opening).outcome()
        assert outcome is not None
        assert outcome.winner == side, names


@pytest.mark.parametrize(
    ("variant", "size"),
    [("freestyle", (22, 7)), ("standard", (6, 9)), ("renju", (7, 7)), ("caro", (5, 5)), ("caro-overline", (9, 8))],
)
def test_games_under_every_rule_end_without_an_illegal_move(variant: str, size: tuple[int, int]) -> None:
    for names in (("paper:depth=3,breadth=5", "random:2"), ("greedy", "paper")):
        assert play_out(names, Setup(*size, variant)).outcome()


@pytest.mark.parametrize("name", ["pentad", *PAPER_PLAYERS])
def test_positions_with_any_numbers_of_stones_are_played(name: str) -> None:
    """Lines with passes lead to any position; undoing passes must work too."""
    problem = "h8 pass i8 pass j8 a1 k8 pass"  # four black stones, one white, black to move
    player = player_at(name, problem)
    assert player.choose(Limits(depth=2)).move in {"g8", "l8"} or name.startswith("random")
    player.set_position(["h8", "a1", "i8", "pass", "j8", "a2", "k8"])
    assert player.choose(Limits(depth=2)).move in {"g8", "l8"} or name.startswith("random")
    assert isinstance(player, BoardPlayerBase)
    fresh = player_at(name, "h8 a1")
    assert isinstance(fresh, BoardPlayerBase)
    player.set_position(["h8", "a1"])
    assert player.position.board() == fresh.position.board()
    assert player.position.to_move == fresh.position.to_move


@pytest.mark.parametrize("name", PAPER_PLAYERS)
@pytest.mark.parametrize("milliseconds", [0, 1, 20])
def test_time_limits_are_obeyed(name: str, milliseconds: int, clock: ManualClock) -> None:
    clock.step_ms = 1
    player = player_at("paper:depth=20,breadth=100,kill=61" if name == "paper" else name, "h8 i9 g7 i8 j9")
    for limits in (Limits(move_time_ms=milliseconds), Limits(time_left_ms=milliseconds), Limits(time_left_ms=-5)):
        began_ms = clock.now_ms
        assert player.choose(limits).move in GomokuPosition(FREESTYLE).legal_moves()
        assert clock.now_ms - began_ms <= milliseconds + 10


def test_stop_ends_a_deep_search_with_a_move(clock: ManualClock) -> None:
    clock.step_ms = 1
    player = player_at("paper:depth=20,breadth=100", "h8 i9 g7 i8")
    limits = Limits(move_time_ms=3_600_000)
    clock.call_at(50, limits.stop.set)
    assert player.choose(limits).move
    assert 50 <= clock.now_ms < 60


@pytest.mark.parametrize("nodes", [1, 2, 100, 3000])
def test_node_limits_are_obeyed(nodes: int) -> None:
    decision = player_at("paper:depth=20,breadth=100", "h8 i9 g7 i8").choose(Limits(nodes=nodes))
    assert decision.move
    assert decision.progress.nodes <= nodes + 1


def test_paper_completes_five_and_stops_a_four() -> None:
    assert player_at("paper", "h8 a1 i8 a3 j8 a5 k8 a7").choose(QUICK).move in ("g8", "l8")
    assert player_at("greedy", "h8 a1 i8 a3 j8 a5 k8 a7").choose(QUICK).move in ("g8", "l8")
    assert player_at("paper", "h8 g8 i8 a3 j8 a5 k8").choose(QUICK).move == "l8"
    assert player_at("greedy", "h8 g8 i8 a3 j8 a5 k8").choose(QUICK).move == "l8"


@pytest.mark.parametrize(
    ("moves", "win_in"),
    [
        ("h8 a1 i8 a15 j8 o1", 3),  # an open three
        ("h8 g8 i8 a15 j8 o1 k9 a1 k10 o15", 5),  # a four and an open three meet in k8
        ("h8 a1 i8 a15 g7 o1 g6 o15", 5),  # two open threes meet in g8
    ],
)
def test_paper_finds_a_forced_win(moves: str, win_in: int) -> None:
    player = player_at("paper", moves)
    decision = player.choose(QUICK)
    assert (decision.note, decision.progress.win_in) == ("kill", win_in)
    assert len(decision.progress.pv) <= win_in
    assert player_at("paper:kill=0", moves).choose(QUICK).note == ""


def test_found_vct_wins_against_every_defence() -> None:
    """After the first move of a found win, the player wins within its length, whatever the answer."""
    setup, moves = Setup(9, 9, "freestyle"), "e5 a1 f5 a9 d4 i1 d3 i9"
    players = [player_at(name, moves, setup) for name in ("paper", "greedy")]
    first = players[0].choose(QUICK)
    assert first.progress.win_in is not None
    after = f"{moves} {first.move}"
    for answer in at_position(after, setup).legal_moves():
        position = at_position(f"{after} {answer}", setup)
        while len(position.cells) < len(moves.split()) + first.progress.win_in and not position.outcome():
            player = players[position.to_move]
            player.set_position(position.moves)
            position.play(player.choose(QUICK).move)
        outcome = position.outcome()
        assert outcome is not None, answer
        assert outcome.winner == 0


def at_position(moves: str, setup: Setup) -> GomokuPosition:
    position = GomokuPosition(setup)
    for move in moves.split():
        position.play(move)
    return position


def test_paper_finds_no_forced_win_without_threats() -> None:
    assert player_at("paper", "h8 i9").choose(QUICK).note == ""


@pytest.mark.parametrize("name", PAPER_PLAYERS)
def test_excluded_moves_are_not_chosen(name: str) -> None:
    moves = "h8 a1 i8 a3 j8 a5 k8 a7"
    first = player_at(name, moves).choose(QUICK).move
    second = player_at(name, moves).choose(Limits(move_time_ms=200, excluded_moves=(first,))).move
    assert second != first
    assert second in at_position(moves, FREESTYLE).legal_moves()


@pytest.mark.parametrize("name", PAPER_PLAYERS)
def test_a_finished_game_and_a_full_board_are_answered(name: str) -> None:
    player = player_at(name, "a1 b1 a2 b2 a3 b3 a4 b4 a5", Setup(5, 5, "freestyle"))
    assert player.choose(QUICK).move == "c1"
    full = "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 b3 a3 d3 c3 a4 e3 c4 b4 e4 d4 b5 a5 d5 c5 e5"
    assert player_at(name, full, Setup(5, 5, "freestyle")).choose(QUICK).move == ""


@pytest.mark.parametrize("name", PAPER_PLAYERS)
def test_choices_are_reproducible(name: str) -> None:
    games = [play_out((name, name), Setup(9, 9, "freestyle"), "e5 f6 c3").moves for _ in range(2)]
    assert games[0] == games[1]


def test_random_follows_its_seed() -> None:
    player = player_at("random:7", "")
    first = [player.choose(QUICK).move for _ in range(5)]
    player.set_option("seed", 7)
    assert [player.choose(QUICK).move for _ in range(5)] == first
    assert [player_at("random:8", "").choose(QUICK).move for _ in range(5)] != first
    unseeded = {tuple(player_at("random", "").choose(QUICK).move for _ in range(5)) for _ in range(3)}
    assert len(unseeded) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("paper:depth=0", "option depth must be a whole number from 1 to 20, not '0'"),
        ("paper:0", "option depth must be"),
        ("paper:gamma=0.5", "option gamma must be"),
        ("paper:breadth=many", "option breadth must be"),
        ("random:-1", "option seed must be"),
        ("greedy:3", "player greedy takes no parameters"),
        ("waterloo", "unknown player 'waterloo'; known: pentad, paper, greedy, random"),
    ],
)
def test_misfitting_parameters_are_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        build_player(PLAYERS, text)


def test_parameters_are_understood() -> None:
    player = build_player(PLAYERS, "paper:depth=2,breadth=10,gamma=1.5")
    assert dict(player.options) == dict(build_player(PLAYERS, "paper").options)
    assert build_player(PLAYERS, "paper:3").options["depth"] == 3


@pytest.mark.parametrize("name", PAPER_PLAYERS)
def test_players_are_served_by_the_gomocup_protocol(name: str) -> None:
    """A session sends options that only `pentad` has; once this ended the session."""
    answers: list[str] = []
    session = GomocupSession(build_player(PLAYERS, name), answers.append, format_variant)
    for line in ("START 15", "INFO max_memory 80000000", "INFO rule 4", "INFO timeout_turn 300", "TURN 7,7"):
        session.handle(line)
    assert session.wait_idle(5)
    assert answers[0] == "OK"
    assert len(answers[-1].split(",")) == 2


@pytest.mark.parametrize("name", ["pentad", *PAPER_PLAYERS])
def test_a_refused_position_leaves_the_old_one(name: str) -> None:
    player = player_at(name, "h8 i9")
    with pytest.raises(IllegalMove, match="h8 is illegal: the square is occupied"):
        player.set_position(["h8", "h8"])
    with pytest.raises(IllegalMove, match="i9 is illegal"):
        play_on(player, "i9")
    take_back(player)
    take_back(player)
    assert isinstance(player, BoardPlayerBase)
    assert player.position.moves == []
