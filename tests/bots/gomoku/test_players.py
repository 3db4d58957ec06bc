"""The players of Gomoku: who beats whom, forced moves and forced wins. test_player_contract.py tests the rest.

`paper`, `greedy` and `random` are the players of a paper. The option `kill` of `paper` is the length of the longest
forced win that it searches, in plies; the note `kill` marks a move that begins one.

Moves are squares; `pass` leaves the turn to the other side.
"""

from __future__ import annotations

import pytest

from bots.gomoku.notation import format_variant
from bots.gomoku.players import PLAYERS
from bots.gomoku.position import GomokuPosition
from core.play.board_player import BoardPlayerBase
from core.play.player import Limits, Player, Setup, build_player
from protocols.gomocup.session import GomocupSession
from tests.bots.playing import play_to_end, player_after, winner_of

FREESTYLE = Setup(15, 15, "freestyle")
PAPER_PLAYERS = ("paper", "greedy", "random:1")  # `random:1` has the seed 1
QUICK = Limits(move_time_ms=200)


def player_at(name: str, moves: str, setup: Setup = FREESTYLE) -> Player:
    """Return a player after some moves."""
    return player_after("gomoku", name, moves.split(), setup)  # type: ignore[no-any-return]


def find_winner(names: tuple[str, str], opening: str) -> int | None:
    """Return the side that wins a game of two players."""
    players = [player_at(name, opening) for name in names]
    return winner_of(play_to_end(players, at_position(opening, FREESTYLE), QUICK))


@pytest.mark.parametrize("opening", ["h8 i9", "h8 h9 j6", "g7 i8 j10 e5"])
def test_paper_beats_random(opening: str) -> None:
    for names, side in ((("paper", "random:3"), 0), (("random:3", "paper"), 1)):
        assert find_winner(names, opening) == side


def test_paper_beats_greedy_and_greedy_random() -> None:
    for names, opening, side in (
        (("paper", "greedy"), "h8 i9", 0),
        (("greedy", "paper"), "h8 j6 c3 c4", 1),
        (("greedy", "random:5"), "", 0),
        (("random:5", "greedy"), "", 1),
    ):
        assert find_winner(names, opening) == side, names


@pytest.mark.parametrize("name", ["pentad", *PAPER_PLAYERS])
def test_positions_with_unequal_numbers_of_stones_are_played(name: str) -> None:
    """Passes lead to any position, and taking passes back must work too.

    Black has four in a row, and either side plays at one of its ends, g8 or l8. `random` may play elsewhere.
    """
    problem = "h8 pass i8 pass j8 a1 k8 pass"  # four black stones, one white, black to move
    player = player_at(name, problem)
    assert player.choose(Limits(depth=2)).move in {"g8", "l8"} or name.startswith("random")
    player.set_position(["h8", "a1", "i8", "pass", "j8", "a2", "k8"])
    assert player.choose(Limits(depth=2)).move in {"g8", "l8"} or name.startswith("random")
    assert isinstance(player, BoardPlayerBase)
    new_player = player_at(name, "h8 a1")
    assert isinstance(new_player, BoardPlayerBase)
    player.set_position(["h8", "a1"])
    assert player.position.board() == new_player.position.board()
    assert player.position.to_move == new_player.position.to_move


def test_paper_and_greedy_complete_five_and_stop_a_four() -> None:
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


def test_found_vct_wins_after_every_answer() -> None:
    """After the first move of a found win and any answer to it, the player beats `greedy` within the win's length."""
    setup, moves = Setup(9, 9, "freestyle"), "e5 a1 f5 a9 d4 i1 d3 i9"
    players = [player_at(name, moves, setup) for name in ("paper", "greedy")]
    first = players[0].choose(QUICK)
    assert first.progress.win_in is not None
    after = f"{moves} {first.move}"
    for answer in at_position(after, setup).legal_moves():
        position = at_position(f"{after} {answer}", setup)
        while len(position.played_cells) < len(moves.split()) + first.progress.win_in and not position.outcome():
            player = players[position.to_move]
            player.set_position(position.moves)
            position.play(player.choose(QUICK).move)
        assert winner_of(position) == 0


def at_position(moves: str, setup: Setup) -> GomokuPosition:
    position = GomokuPosition(setup)
    for move in moves.split():
        position.play(move)
    return position


def test_paper_finds_no_forced_win_without_threats() -> None:
    assert player_at("paper", "h8 i9").choose(QUICK).note == ""


@pytest.mark.parametrize("name", PAPER_PLAYERS)
def test_a_move_is_chosen_after_a_five(name: str) -> None:
    """A host may go on after the end of the game."""
    player = player_at(name, "a1 b1 a2 b2 a3 b3 a4 b4 a5", Setup(5, 5, "freestyle"))
    assert player.choose(QUICK).move == "c1"


def test_parameters_are_understood() -> None:
    """The values given by name are the defaults. A value without a name is that of the first option."""
    player = build_player(PLAYERS, "paper:depth=2,breadth=10,gamma=1.5")
    assert dict(player.options) == dict(build_player(PLAYERS, "paper").options)
    assert build_player(PLAYERS, "paper:3").options["depth"] == 3


@pytest.mark.parametrize("name", PAPER_PLAYERS)
def test_players_are_served_by_the_gomocup_protocol(name: str) -> None:
    """Regression: a session sends options that only `pentad` has, which used to end the session."""
    answers: list[str] = []
    session = GomocupSession(build_player(PLAYERS, name), answers.append, format_variant)
    for line in ("START 15", "INFO max_memory 80000000", "INFO rule 4", "INFO timeout_turn 300", "TURN 7,7"):
        session.handle(line)
    assert session.wait_idle(5)
    assert answers[0] == "OK"
    assert len(answers[-1].split(",")) == 2
