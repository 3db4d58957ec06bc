"""What the engine claims without a table is so: results and distances, against values found by plain iteration."""

from __future__ import annotations

import random
import re

import pytest

from bots.kolibrat import engine as module
from bots.kolibrat.engine import KolibratEngine
from bots.kolibrat.notation import Board
from bots.kolibrat.players import PLAYERS
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.solver.solve import solve_board
from core.play.player import Limits, Progress, Setup, Solution, build_player
from tests.bots.kolibrat.naive import Naive
from tests.bots.kolibrat.retrograde import format_state, solve_naively
from tests.bots.kolibrat.test_gtp import talk
from tests.bots.kolibrat.test_solver import random_states
from tests.lines import play_on

SMALL = [(2, 2, 1, 3), (2, 2, 2, 3), (2, 3, 2, 2), (3, 2, 2, 3), (3, 2, 3, 3), (2, 3, 3, 3), (2, 4, 2, 1), (4, 2, 2, 2)]
SMALL += [(3, 3, 1, 3), (3, 3, 2, 1), (2, 5, 1, 2)]
LARGER = [(2, 5, 3, 4), (3, 4, 3, 2), (3, 3, 3, 3), (2, 6, 2, 2)]
# A search to a depth, and one that is broken off within an iteration.
SEARCHES = (Limits(depth=7), Limits(nodes=700))
RESULTS = {True: "win", False: "loss"}


def engine() -> KolibratEngine:
    player = build_player(PLAYERS, "pentad:perfect=no,hash=4")
    assert isinstance(player, KolibratEngine)
    return player


def check_progress(told: Progress, value: int, text: str) -> None:
    """A result is the true one, a distance the shortest."""
    assert told.result in ("", RESULTS[value > 0] if value else "draw"), text
    assert told.win_in in (None, value), text


def check_solution(found: Solution, value: int, text: str) -> None:
    assert found.result in ("unknown", RESULTS[value > 0] if value else "draw"), text
    assert found.distance in (None, abs(value)), text
    assert found.distance is None or found.result != "unknown"


def check_claims(player: KolibratEngine, text: str, value: int, search: int) -> bool:
    """Whether a search claimed anything; all its claims are checked."""
    player.new_game(Setup(position=text))
    player.clear_hash()
    told: list[Progress] = []
    decision = player.choose(SEARCHES[search], told.append)
    for progress in (*told, decision.progress):
        check_progress(progress, value, text)
    return bool(decision.progress.result)


@pytest.mark.parametrize("board", SMALL, ids=str)
@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_claims_on_small_boards_are_true(board: tuple[int, int, int, int], count: int) -> None:
    values, chance, player = solve_naively(*board), random.Random(str(board)), engine()
    claims = sum(
        check_claims(player, format_state(Naive(*board), state), values[state], number % 2)
        for number, state in enumerate(chance.sample(sorted(values), min(count, len(values))))
    )
    assert claims >= min(count, len(values)) // 8


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_solutions_of_small_boards_are_true_and_shortest(board: tuple[int, int, int, int]) -> None:
    """From the start and from anywhere. What is told of the distance is true, and it is told of all short ways."""
    values, chance, player = solve_naively(*board), random.Random(str(board)), engine()
    for state in [((), "r", (0, 0)), *chance.sample(sorted(values), 12)]:
        text, value = format_state(Naive(*board), state), values[state]
        player.new_game(Setup(position=text))
        player.clear_hash()
        found = player.solve(Limits(nodes=20_000))
        check_solution(found, value, text)
        if abs(value) <= 5:
            assert (found.result, found.distance) == (RESULTS[value > 0], abs(value)), text


@pytest.mark.parametrize("board", [*SMALL, (3, 3, 2, 5)], ids=str)
def test_small_boards_are_solved_at_the_table(board: tuple[int, int, int, int]) -> None:
    """Without a table in the executable: from anywhere the value and its distance, and a move that keeps both."""
    values, chance, player = solve_naively(*board), random.Random(str(board)), build_player(PLAYERS, "pentad:hash=4")
    assert isinstance(player, KolibratEngine)
    for state in [((), "r", (0, 0)), *chance.sample(sorted(values), 60)]:
        text, value = format_state(Naive(*board), state), values[state]
        player.new_game(Setup(position=text))
        found = player.solve(Limits())
        assert found.result == (RESULTS[value > 0] if value else "draw"), text
        assert (found.distance or 0) == abs(value), text
        if value > 1:
            play_on(player, player.choose(Limits()).move)
            assert player.solve(Limits()).distance == value - 1, text


@pytest.mark.parametrize("board", LARGER, ids=str)
@pytest.mark.parametrize("count", [60, pytest.param(3000, marks=pytest.mark.slow)])
def test_claims_on_larger_boards_are_those_of_the_solver(board: tuple[int, int, int, int], count: int) -> None:
    """Its tables are held against plain iteration in tests/bots/kolibrat/test_solver.py and below."""
    solved, player = solve_board(Board(*board)), engine()
    position = KolibratPosition(Setup(variant="{}x{}-{}-{}".format(*board)))
    claims, chance = 0, random.Random(str(board))
    for number, state in enumerate(random_states(position, chance, count)):
        state.points[0], state.points[1] = (chance.randrange(board[3]) for _ in range(2))
        word = solved.word(state)
        value = -(word >> 1) if word & 1 else word >> 1
        claims += check_claims(player, position.position_text(), value, number % 2)
    assert claims > count // 10


@pytest.mark.slow
@pytest.mark.parametrize(("board", "plies"), [((2, 5, 3, 4), 56), ((3, 4, 3, 2), 25)], ids=str)
def test_the_solver_has_the_values_of_plain_iteration(board: tuple[int, int, int, int], plies: int) -> None:
    values, solved = solve_naively(*board), solve_board(Board(*board))
    assert abs(values[(), "r", (0, 0)]) == plies
    position = KolibratPosition(Setup(variant="{}x{}-{}-{}".format(*board)))
    for state, value in values.items():
        position.restart(Setup(position=format_state(Naive(*board), state)))
        position.library.number_placements(position.state)
        word = solved.word(position.state)
        assert (-(word >> 1) if word & 1 else word >> 1) == value


@pytest.mark.parametrize(
    ("board", "answer", "told"),
    [("3 2 3 3", "win a1 17", "win"), ("2 5 3 4", "loss a1", "loss"), ("3 4 3 2", "win a1 25", "win")],
)
def test_no_distance_is_told_that_was_only_found(board: str, answer: str, told: str) -> None:
    """A search finds ends that are further: 19, 60 and 27 plies it once told here. The second is lost in 56."""
    lines = f"kolibrat_setup {board}\nparam_player perfect no\nparam_gtp nodes 2000000\nsolve\nanalyze\nlast_search"
    solved, analysed, searched = talk(lines)[3:]
    assert solved == f"= {answer}"
    assert f" score {told} " in searched
    for line in analysed.splitlines():
        assert re.search(r"score (-?\d+|win|loss) ", line), line


@pytest.mark.parametrize(("name", "otherwise"), [("pentad", "draw"), ("pentad:perfect=no", "unknown")])
def test_a_win_after_the_last_ply_of_a_game_is_none(name: str, otherwise: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Table and search know positions only, while the rules end a game at some ply: red wins this one in 13."""
    player = build_player(PLAYERS, name)
    assert isinstance(player, KolibratEngine)
    player.new_game(Setup(variant="3x4-4-1"))
    for last, result in ((13, "win"), (12, otherwise)):
        monkeypatch.setattr(module, "DRAW_PLIES", last)
        assert player.solve(Limits(nodes=100_000)).result == result
    assert player.choose(Limits(nodes=100_000)).progress.result == ""


def test_a_drawn_move_of_a_table_is_told_as_drawn() -> None:
    player = build_player(PLAYERS, "pentad")
    player.new_game(Setup(variant="3x4-5-5"))
    told: list[Progress] = []
    decision = player.choose(Limits(move_time_ms=100), told.append)
    assert {(progress.result, progress.score) for progress in (*told, decision.progress)} == {("draw", 0)}
