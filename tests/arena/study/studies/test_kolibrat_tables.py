"""The study that repeats the tables of the Kolibrat thesis: its parts and its report.

Boards are written `3x4/5` (columns, rows, pieces); a variant also has the points needed to win: `3x4-5-4`. Loops are
positions in which neither side can force a win. A chain is a series of measurements, here of one board each.
"""

from __future__ import annotations

from arena.study.studies.kolibrat_tables import SOLVED_BOARDS, THESIS_BOARDS, analyse, mean_branching, plan
from arena.study.study import MatchPart, MeasurementPart, StudyData, StudySettings
from bots.kolibrat.position import KolibratPosition
from core.play.player import Setup
from tests.arena.study.fake_games import FakeGame, make_run, make_runs

SETTINGS = StudySettings(quick=True)
OPENING, REST = ("b1", "b4"), ("b1c2", "b4a3")  # moves of a legal game on 3x4


def plan_parts() -> tuple[MeasurementPart, list[MatchPart]]:
    """Return the part that solves boards, and those with games."""
    measurements, *games = plan(SETTINGS)
    assert isinstance(measurements, MeasurementPart)
    return measurements, [part for part in games if isinstance(part, MatchPart)]


def count_legal_moves(moves: tuple[str, ...]) -> int:
    position = KolibratPosition(Setup(variant="3x4-4-4"))
    position.replay(moves)
    return len(position.legal_moves())


def test_branching_counts_positions_after_the_opening() -> None:
    _, parts = plan_parts()
    part = next(part for part in parts if part.name == "random-3x4-4-4")
    run = make_run(part, [FakeGame("A", "B", 1, [(move, 1, None) for move in REST], OPENING)])
    expected = [count_legal_moves(OPENING), count_legal_moves((*OPENING, REST[0]))]
    assert mean_branching(run) == sum(expected) / 2
    assert mean_branching(make_run(part, [])) is None


def test_states_values_and_loops_come_from_the_solver() -> None:
    """Two small boards are really solved; the runs contain no games."""
    measurements, parts = plan_parts()
    small_chains = [chain for chain in measurements.chains if "2x2" in chain.name or "3x3-3" in chain.name]
    chains = {chain.name: [chain.measure((), {})] for chain in small_chains}  # the only record of each chain
    counts, branching, values, loops = analyse(StudyData(SETTINGS, make_runs(parts), chains)).tables
    assert counts.rows[0] == ("2x2/2", "63", "3,149")
    assert counts.rows[-1][0] == "9x9/30"
    # board; mean number of legal moves: in the thesis, in games of each player, over all placements
    assert branching.rows[0] == ["2x2/2", 1.6, None, None, None, chains["solved-2x2-2-5"][0]["mean_moves"]]
    assert branching.rows[4] == ["4x5/5", 4.5, None, None, None, None]
    assert values.rows[0] == ("2x2/2", "1", "black in 4", "a1 b1")
    assert values.rows[-1] == ("3x3/3", "5", "red in 46", "b1")
    assert loops.rows == [("2x2/2", 0, ""), ("3x3/3", 29, "rb1/1b1/3 r 1 0 3 5")]


def test_a_board_without_a_winner_is_endless() -> None:
    """The states of all loops are added up; the example is of the loop whose players need the fewest points.

    The record is made up.
    """
    _, parts = plan_parts()
    record = {
        "board": {"width": 3, "height": 4, "pieces": 5, "goal": 5},
        "mean_moves": 4.89,
        "results": [{"goal": 4, "value": 0, "best": ["a1", "b1"]}],
        "loops": [
            {"mine": 5, "other": 5, "states": 2, "example": "x"},
            {"mine": 1, "other": 2, "states": 3, "example": "y"},
        ],
    }
    _, branching, values, loops = analyse(StudyData(SETTINGS, make_runs(parts), {"solved": [record]})).tables
    assert branching.rows[2] == ["3x4/5", 3.2, None, None, None, 4.89]
    assert values.rows == [("3x4/5", "4", "endless", "a1 b1")]
    assert loops.rows == [("3x4/5", 5, "y")]


def test_boards_of_the_complete_study_and_of_perfect_play() -> None:
    """Perfect play needs a solved board; all nine boards of the thesis have games of the two other players."""
    _, parts = plan_parts()
    assert [part.name for part in parts if part.name.startswith("perfect")] == [
        f"perfect-{size}-4" for size in ("2x2-2", "3x4-4", "3x4-5", "3x4-6")
    ]
    assert len(parts) == 2 * len(THESIS_BOARDS) + 4
    assert [board.branching for board in THESIS_BOARDS] == [1.6, 3.2, 3.2, 3.2, 4.5, 5.0, 6.0, 12.3, 12.3]
    measurements = plan(StudySettings())[0]
    assert isinstance(measurements, MeasurementPart)
    assert len(measurements.chains) == len(SOLVED_BOARDS) == 8
