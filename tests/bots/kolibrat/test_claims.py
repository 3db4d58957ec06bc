"""Wins, losses and distances that the engine reports by search are true: they are compared with solved boards."""

from __future__ import annotations

import random
import re

import pytest

from bots.kolibrat import engine as engine_module
from bots.kolibrat.engine import KolibratEngine
from bots.kolibrat.notation import Board
from bots.kolibrat.players import PLAYERS
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.solver.solve import count_states
from core.play.player import Limits, Progress, Setup, Solution, build_player
from tests.bots.kolibrat.naive import NaiveKolibrat
from tests.bots.kolibrat.retrograde import format_state, list_states, solve_board, solve_naively
from tests.bots.kolibrat.test_gtp import run_commands
from tests.bots.kolibrat.test_solver import random_states
from tests.lines import play_on

# Width, height, pieces and goal.
SMALL_BOARDS = [
    (2, 2, 1, 3),
    (2, 2, 2, 3),
    (2, 3, 2, 2),
    (3, 2, 2, 3),
    (3, 2, 3, 3),
    (2, 3, 3, 3),
    (2, 4, 2, 1),
    (4, 2, 2, 2),
    (3, 3, 1, 3),
    (3, 3, 2, 1),
    (2, 5, 1, 2),
]
LARGER_BOARDS = [(2, 5, 3, 4), (3, 4, 3, 2), (3, 3, 3, 3), (2, 6, 2, 2)]
# A search to a fixed depth, and one that is stopped within an iteration.
SEARCH_LIMITS = (Limits(depth=7), Limits(nodes=700))
RESULTS = {True: "win", False: "loss"}


def make_engine() -> KolibratEngine:
    """Return an engine that always searches."""
    player = build_player(PLAYERS, "pentad:perfect=no,hash=4")
    assert isinstance(player, KolibratEngine)
    return player


def check_progress(reported: Progress, value: int, text: str) -> None:
    """Check that a reported result is true, and that a reported distance is the shortest."""
    assert reported.result in ("", RESULTS[value > 0] if value else "draw"), text
    assert reported.win_in in (None, value), text


def value_of_code(code: int) -> int:
    """Return plies to the win (> 0) or the loss (< 0), 0 for neither, from a code of the solver.

    A code is twice the number of plies, plus 1 for a loss.
    """
    return -(code >> 1) if code & 1 else code >> 1


def check_solution(solution: Solution, value: int, text: str) -> None:
    """Check that the answer to `solve` is true, or that it is `unknown`."""
    assert solution.result in ("unknown", RESULTS[value > 0] if value else "draw"), text
    assert solution.distance in (None, abs(value)), text
    assert solution.distance is None or solution.result != "unknown"


def check_claims(player: KolibratEngine, text: str, value: int, limits_index: int) -> bool:
    """Search a position, check everything that it reports, and return whether it reported a result."""
    player.new_game(Setup(position=text))
    player.clear_hash()
    reported: list[Progress] = []
    decision = player.choose(SEARCH_LIMITS[limits_index], reported.append)
    for progress in (*reported, decision.progress):
        check_progress(progress, value, text)
    return bool(decision.progress.result)


@pytest.mark.parametrize("board", SMALL_BOARDS, ids=str)
@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_reported_results_on_small_boards_are_true(board: tuple[int, int, int, int], count: int) -> None:
    values, rng, player = solve_naively(*board), random.Random(str(board)), make_engine()
    claim_count = sum(
        check_claims(player, format_state(NaiveKolibrat(*board), state), values[state], number % 2)
        for number, state in enumerate(rng.sample(sorted(values), min(count, len(values))))
    )
    assert claim_count >= min(count, len(values)) // 8


@pytest.mark.parametrize("board", SMALL_BOARDS, ids=str)
def test_solutions_of_small_boards_are_true_and_shortest(board: tuple[int, int, int, int]) -> None:
    """Start positions and random positions are solved. Distances of up to 5 plies are always reported."""
    values, rng, player = solve_naively(*board), random.Random(str(board)), make_engine()
    for state in [((), "r", (0, 0)), *rng.sample(sorted(values), 12)]:
        text, value = format_state(NaiveKolibrat(*board), state), values[state]
        player.new_game(Setup(position=text))
        player.clear_hash()
        solution = player.solve(Limits(nodes=20_000))
        check_solution(solution, value, text)
        if abs(value) <= 5:
            assert (solution.result, solution.distance) == (RESULTS[value > 0], abs(value)), text


@pytest.mark.parametrize("board", [*SMALL_BOARDS, (3, 3, 2, 5)], ids=str)
def test_small_boards_are_solved_during_the_game(board: tuple[int, int, int, int]) -> None:
    """Without a table file, `solve` returns the true value and distance, and a move of `choose` keeps a win."""
    values, rng, player = solve_naively(*board), random.Random(str(board)), build_player(PLAYERS, "pentad:hash=4")
    assert isinstance(player, KolibratEngine)
    for state in [((), "r", (0, 0)), *rng.sample(sorted(values), 60)]:
        text, value = format_state(NaiveKolibrat(*board), state), values[state]
        player.new_game(Setup(position=text))
        solution = player.solve(Limits())
        assert solution.result == (RESULTS[value > 0] if value else "draw"), text
        assert (solution.distance or 0) == abs(value), text
        if value > 1:
            play_on(player, player.choose(Limits()).move)
            assert player.solve(Limits()).distance == value - 1, text


@pytest.mark.parametrize("board", LARGER_BOARDS, ids=str)
@pytest.mark.parametrize("count", [60, pytest.param(3000, marks=pytest.mark.slow)])
def test_reported_results_on_larger_boards_agree_with_the_solver(board: tuple[int, int, int, int], count: int) -> None:
    """The solver itself is compared with a simple method in `test_the_solver_agrees_with_a_simple_method`."""
    solved, player = solve_board(Board(*board)), make_engine()
    position = KolibratPosition(Setup(variant="{}x{}-{}-{}".format(*board)))
    claim_count, rng = 0, random.Random(str(board))
    for number, state in enumerate(random_states(position, rng, count)):
        state.points[0], state.points[1] = (rng.randrange(board[3]) for _ in range(2))
        value = value_of_code(solved.code(state))
        claim_count += check_claims(player, position.position_text(), value, number % 2)
    assert claim_count > count // 10


@pytest.mark.parametrize(
    ("board", "plies"),
    [
        ((2, 2, 2, 2), 10),
        pytest.param((2, 5, 3, 4), 56, marks=pytest.mark.slow),
        pytest.param((3, 4, 3, 2), 25, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_the_solver_agrees_with_a_simple_method(board: tuple[int, int, int, int], plies: int) -> None:
    """The values agree in every state, also in those from which neither side can force an end."""
    values, solved = solve_naively(*board), solve_board(Board(*board))
    assert abs(values[(), "r", (0, 0)]) == plies
    position = KolibratPosition(Setup(variant="{}x{}-{}-{}".format(*board)))
    compared = 0
    for state in list_states(*board):
        position.restart(Setup(position=format_state(NaiveKolibrat(*board), state)))
        position.library.number_placements(position.state)
        assert value_of_code(solved.code(position.state)) == values.get(state, 0), state
        compared += 1
    assert len(values) <= compared <= count_states(Board(*board))


@pytest.mark.parametrize(
    ("board", "answer", "reported"),
    [("3 2 3 3", "win a1 17", "win"), ("2 5 3 4", "loss a1", "loss"), ("3 4 3 2", "win a1 25", "win")],
)
def test_a_distance_that_is_not_proven_shortest_is_not_reported(board: str, answer: str, reported: str) -> None:
    """Here the search finds wins and losses of 19, 60 and 27 plies, although the shortest take 17, 56 and 25."""
    lines = f"kolibrat_setup {board}\nparam_player perfect no\nparam_gtp nodes 2000000\nsolve\nanalyze\nlast_search"
    solved, analysed, searched = run_commands(lines)[3:]
    assert solved == f"= {answer}"
    assert f" score {reported} " in searched
    for line in analysed.splitlines():
        assert re.search(r"score (-?\d+|win|loss) ", line), line


@pytest.mark.parametrize(("name", "result_after_limit"), [("pentad", "draw"), ("pentad:perfect=no", "unknown")])
def test_a_win_after_the_last_ply_of_a_game_is_a_draw(
    name: str, result_after_limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Table and search do not know the maximum length of a game. Red wins this game in 13 plies."""
    player = build_player(PLAYERS, name)
    assert isinstance(player, KolibratEngine)
    player.new_game(Setup(variant="3x4-4-1"))
    for ply_limit, result in ((13, "win"), (12, result_after_limit)):
        monkeypatch.setattr(engine_module, "DRAW_PLIES", ply_limit)
        assert player.solve(Limits(nodes=100_000)).result == result
    assert player.choose(Limits(nodes=100_000)).progress.result == ""


def test_a_drawn_move_of_a_solved_table_is_reported_as_a_draw() -> None:
    player = build_player(PLAYERS, "pentad")
    player.new_game(Setup(variant="3x4-5-5"))
    reported: list[Progress] = []
    decision = player.choose(Limits(move_time_ms=100), reported.append)
    assert {(progress.result, progress.score) for progress in (*reported, decision.progress)} == {("draw", 0)}
