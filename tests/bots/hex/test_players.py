"""The players of Hex: openings, blocked wins, depth, proofs. test_player_contract.py tests what all players share.

A number after a player's name, as in `queenbee:20`, is its first option, the search depth in plies.
"""

from __future__ import annotations

import random

import pytest

from bots.hex.board_player import BoardPlayer
from bots.hex.opening.first_moves import find_paper_opening
from bots.hex.position import HexPosition
from core.play.player import Limits, Player, Progress, Setup, Solver
from tests.bots.playing import player_after
from tests.lines import play_on
from tests.manual_clock import ManualClock

PAPER_PLAYERS = ("sexsearch", "queenbee", "negamontescout", "minimax", "potentials")  # the players of the PROP paper
STANDARD = Setup(7, 7, "standard")
BRIDGE = ["d4", "a1", "d2", "a2", "c6", "a3", "d6", "b1"]  # black needs two more cells and has two ways to each


def player_at(name: str, moves: list[str], setup: Setup = STANDARD) -> Player:
    """Return a player after some moves; `name` may be followed by options."""
    return player_after("hex", name, moves, setup)  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", ["sexsearch", "queenbee", "potentials", "minimax"])
def test_a_win_in_one_of_the_other_side_is_blocked(name: str) -> None:
    """White needs one of two cells, of which black takes one and must take the other.

    `negamontescout`, which searches a random sample of the moves, may miss it.
    """
    setup = Setup(5, 5, "standard")
    moves = ["a5", "a3", "b5", "b3", "c5", "c3", "e5", "d3", "a1", "b1"]
    position = HexPosition(setup)
    position.replay(moves)
    threats = {move for move in position.legal_moves() if _wins(position, 1, move)}
    assert threats == {"e2", "e3"}
    assert player_at(name, [*moves, "e3", "a2"], setup).choose(Limits()).move == "e2"


def _wins(position: HexPosition, colour: int, cell: str) -> bool:
    """Return whether a stone of a colour on a cell ends the game in its favour."""
    position.place(colour, cell)
    outcome = position.outcome()
    position.undo()
    return outcome is not None and outcome.winner == colour


def test_the_opening_is_lower_left_of_the_centre() -> None:
    for size, cell in ((7, "c5"), (11, "e7"), (19, "i11")):
        decision = player_at("queenbee", [], Setup(size, size, "standard")).choose(Limits())
        assert (decision.move, decision.note) == (cell, "opening")
    assert player_at("queenbee", [], STANDARD).choose(Limits(depth=1, excluded_moves=("c5",))).move != "c5"


@pytest.mark.parametrize("name", PAPER_PLAYERS)
def test_without_opening_moves_the_player_chooses_itself(name: str) -> None:
    for moves in ([], ["d4"]):
        decision = player_at(f"{name}:opening=no,seed=1", moves).choose(Limits(depth=1))
        assert decision.note == ""
        assert decision.progress.depth == 1
        assert player_at(f"{name}:seed=1", moves).choose(Limits(depth=1)).note == "opening"


def test_replies_that_are_proven_win() -> None:
    """White's replies to stones in the acute corners are proven again; others would take up to a minute."""
    for opening in ("a1", "g7"):
        position = HexPosition(STANDARD)
        position.play(opening)
        player = player_at("potentials", [opening, find_paper_opening(position)])
        assert isinstance(player, BoardPlayer)
        assert player.solve(Limits()).result == "loss"


@pytest.mark.parametrize("name", ["queenbee:20", "minimax:20", "negamontescout:20", "sexsearch:20"])
def test_time_limit_returns_the_last_completed_depth(name: str, clock: ManualClock) -> None:
    clock.step_ms = 1
    reports: list[Progress] = []
    player = player_at(name, ["j10"], Setup(19, 19, "standard"))
    began_ms = clock.now_ms
    decision = player.choose(Limits(move_time_ms=400), reports.append)
    assert clock.now_ms - began_ms <= 410  # a poll and the return may take some steps of the clock
    assert decision.progress == reports[-1]
    assert [report.depth for report in reports] == list(range(1, len(reports) + 1))


def test_a_stop_ends_a_proof(clock: ManualClock) -> None:
    clock.step_ms = 1
    player, limits = player_at("minimax:20", ["f6", "e7"], Setup(11, 11, "standard")), Limits(move_time_ms=3_600_000)
    assert isinstance(player, Solver)
    clock.call_at(500, limits.stop.set)
    assert player.solve(limits).result
    assert 500 <= clock.now_ms < 510


def test_the_search_ends_at_the_depth_limit() -> None:
    assert player_at("queenbee:20", ["d4", "c3"]).choose(Limits(depth=2)).progress.depth == 2


@pytest.mark.parametrize(("name", "stones"), [("negamontescout", 26), ("sexsearch", 15)])
def test_depth_grows_with_the_number_of_stones(name: str, stones: int) -> None:
    """The depth grows by one ply each 2.3 * size (negamontescout) or 1.3 * size stones (sexsearch).

    The positions are far from decided.
    """
    setup = Setup(11, 11, "standard")
    moves = random.Random(2).sample(HexPosition(setup).legal_moves(), stones)
    for count, depth in ((2, 2), (stones - 1, 2), (stones, 3)):
        assert player_at(f"{name}:seed=1", moves[:count], setup).choose(Limits()).progress.depth == depth


def test_negamontescout_samples_the_root_moves() -> None:
    reports: list[Progress] = []
    player_at("negamontescout:depth=1,root=2,seed=1", ["d4", "c3"]).choose(Limits(), reports.append)
    assert reports[0].nodes == 8  # 47 legal moves / (2 sqrt(7)); a search of one ply visits each move once


def test_positions_are_solved_with_a_move() -> None:
    player = player_at("potentials", BRIDGE)
    assert isinstance(player, Solver)
    solution = player.solve(Limits())
    assert solution.result == "win"
    play_on(player, solution.move)
    assert player.solve(Limits()).result == "loss"


def test_after_a_winning_opening_the_swap_wins() -> None:
    player = player_at("potentials", ["c3"], Setup(5, 5, "swap"))
    assert isinstance(player, Solver)
    assert (player.solve(Limits()).result, player.solve(Limits()).move) == ("win", "swap-pieces")
    player.new_game(Setup(5, 5, "standard"))
    player.set_position(["c3"])
    assert player.solve(Limits()).result == "loss"


def test_the_solver_takes_boards_of_more_than_126_cells() -> None:
    for size in (12, 13, 19):
        rows = [f"b{size - 1}"] * (size - 1) + [str(size)]
        player = player_at("potentials", [], Setup(size, size, "standard", position="/".join(rows) + " w"))
        assert isinstance(player, Solver)
        assert player.solve(Limits()).result == "loss"


def test_a_finished_game_has_a_known_value() -> None:
    player = player_at("queenbee", ["a1"], Setup(1, 1, "standard"))
    assert isinstance(player, Solver)
    assert (player.solve(Limits()).result, player.solve(Limits()).distance) == ("loss", 0)
