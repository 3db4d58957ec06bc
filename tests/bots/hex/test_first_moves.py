"""The table of solved openings. The engine plays from it without a search, so a wrong entry would lose a won game.

An entry belongs to black's first stone: the winner (0 black, 1 white) and, if white wins, a winning reply.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bots.hex.board_player import BoardPlayer
from bots.hex.notation import SWAP
from bots.hex.opening.first_moves import find_solved, solved_openings
from bots.hex.players import PLAYERS
from bots.hex.position import HexPosition
from bots.hex.solver.solve import DfpnSolver
from bots.hex.symmetry import list_symmetries
from bots.hex.training.make_solved import SIZES, solve_opening
from core.play.player import Limits, Setup, build_player
from tests.bots.hex.boards import position_after
from tests.lines import play_on

# Positions and openings with the results of other solvers.
SOLVED = json.loads((Path(__file__).parents[2] / "data" / "hex" / "solved.json").read_text(encoding="utf-8"))
# Size and first stone of the entries that are proven again, because their proofs are short.
PROVEN_AGAIN = [(5, cell) for cell in solved_openings(5)] + [(6, cell) for cell in ("a1", "b2", "d3", "f6", "e1", "c4")]


def player_at(position: str, size: int = 7, variant: str = "standard") -> BoardPlayer:
    """Return the engine at a position such as `b1w/3/2b w` (bots/hex/notation.py)."""
    player = build_player(PLAYERS, "pentad:seed=1")
    assert isinstance(player, BoardPlayer)
    player.new_game(Setup(size, size, variant, position))
    return player


@pytest.mark.parametrize("size", SIZES)
def test_the_table_is_complete_symmetric_and_agrees_with_other_solvers(size: int) -> None:
    table, setup = solved_openings(size), Setup(size, size, "standard")
    assert len(table) == size * size
    for opening, (winner, reply) in table.items():
        rotated, rotated_reply = list_symmetries([opening, reply], setup)[1]
        assert rotated == opening or table[rotated] == (winner, rotated_reply)
        assert reply or winner == 0
    assert {cell: table[cell][0] == 0 for cell in SOLVED["openings"][str(size)]} == SOLVED["openings"][str(size)]


@pytest.mark.parametrize(("size", "opening"), PROVEN_AGAIN)
def test_cheap_entries_are_proven_again(size: int, opening: str) -> None:
    winner, reply = solved_openings(size)[opening]
    assert solve_opening(Setup(size, size, "standard"), opening)[0] == winner
    if winner == 1:
        position = position_after(size, [opening, reply])
        assert DfpnSolver(position).solve(position).winner == 1


def test_the_player_and_solve_answer_at_once() -> None:
    """The result comes from the table, because on 7x7 the solver would need up to half a minute."""
    for text, result in (("7/7/7/7/7/7/7 b", "win"), ("7/7/7/b6/7/7/7 w", "loss"), ("6b/7/7/7/7/7/7 w", "loss")):
        player = player_at(text)
        assert player.solve(Limits(move_time_ms=1)).result == result
        decision = player.choose(Limits(move_time_ms=1000))
        assert (decision.note, decision.progress.nodes) == ("solved opening", 1)
        assert (decision.progress.score > 0) == (result == "win")
    player = player_at("7/7/7/7/7/7/b6 w")
    assert player.solve(Limits(move_time_ms=1)).result == "loss"
    assert player_at("b6/7/7/7/7/7/7 w").choose(Limits()).move == solved_openings(7)["a1"][1]


def test_white_begins_on_the_mirrored_board() -> None:
    """After a swap HexGui shows the engine one white stone, with black to move."""
    black, white = player_at("5/5/5/5/1b3 w", 5), player_at("5/4w/5/5/5 b", 5)
    for player in (black, white):
        known = find_solved(player.position)
        assert known
        assert known == player.solve(Limits())
        position = player.position
        if known.result == "win":
            position.play(known.move)
        # The winner is white (1) if the table calls white's position a win, or black's position a loss.
        assert DfpnSolver(position).solve(position).winner == (known.result == "win") ^ (player is white)
    assert find_solved(HexPosition(Setup(5, 5, "standard", "5/5/5/5/1b3 b"))) is None
    assert find_solved(HexPosition(Setup(5, 6, "standard"))) is None
    assert find_solved(HexPosition(Setup(8, 8, "standard"))) is None


def test_the_swap_rule_goes_before_the_table() -> None:
    for opening, (winner, reply) in list(solved_openings(7).items())[::6]:
        player = player_at("", variant="swap")
        play_on(player, opening)
        answer = SWAP if winner == 0 else reply
        assert player.choose(Limits(move_time_ms=1000)).move == answer
        assert player.solve(Limits(move_time_ms=1)).move == answer
