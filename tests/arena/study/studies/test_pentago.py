"""The parts and the reports of the two Pentago studies: alpha-beta against genetic minimax, by depth and by time.

A step is a value of the quantity that a study varies, a depth or a time limit; it has one match.
"""

from __future__ import annotations

from arena.study.studies.pentago import (
    ALPHABETA,
    BY_DEPTH,
    GENETIC,
    PENTAGO_DEPTH,
    PENTAGO_TIME,
    plan_depths,
    plan_times,
)
from arena.study.study import StudyData, StudySettings
from tests.arena.study.fake_games import FakeGame, make_runs


def test_each_step_has_results_times_and_nodes() -> None:
    settings = StudySettings(quick=True)
    parts = plan_depths(settings)
    moves = [("a1s", 2000, 30), ("b1s", 500, 7), ("c1s", 4000, None), ("d1s", 1500, 9)]
    # one list per depth 1, 2, 3
    games = [
        [FakeGame(ALPHABETA, GENETIC, 1, moves), FakeGame(GENETIC, ALPHABETA, 1)],
        [FakeGame(ALPHABETA, GENETIC, 0.5), FakeGame(GENETIC, ALPHABETA, 0.5)],
        [FakeGame(ALPHABETA, GENETIC, 1), FakeGame(GENETIC, ALPHABETA, 0)],
    ]
    runs = make_runs(parts, {part.name: part_games for part, part_games in zip(parts, games, strict=True)})
    report = PENTAGO_DEPTH.analyse(StudyData(settings, runs))
    # step; games, won, drawn, lost and score of alpha-beta; mean seconds and mean nodes of alpha-beta and genetic
    assert report.tables[0].rows == [
        ["1", 2, 1, 0, 1, "50%", 3.0, 1.0, 30, 8],
        ["2", 2, 0, 2, 0, "50%", None, None, None, None],
        ["3", 2, 2, 0, 0, "100%", None, None, None, None],
    ]
    assert report.charts[0].curves[0].ys == [0.5, 0.5, 1.0]  # scores
    assert report.charts[1].curves[1].ys == [1.0, None, None]  # times of genetic minimax
    assert report.remarks == [
        "The thesis found that alpha-beta plays better. Here it does: 67% of all points.",
        "Genetic minimax does best at depth = 1, 2: 50% of the points.",
    ]


def test_remarks_on_a_drawn_and_on_a_one_sided_result() -> None:
    """The thesis found that alpha-beta plays better, which equal scores contradict."""
    settings = StudySettings(quick=True)
    remarks = {}
    for result in (0.5, 1):
        games = {part.name: [FakeGame(ALPHABETA, GENETIC, result)] for part in plan_times(settings)}
        remarks[result] = PENTAGO_TIME.analyse(StudyData(settings, make_runs(plan_times(settings), games))).remarks
    assert "Here it does not: 50%" in remarks[0.5][0]
    assert remarks[1][1] == "Genetic minimax scores no point in any of these matches."


def test_steps_change_the_depth_of_both_players_or_the_time() -> None:
    depths = [part.options for part in plan_depths(StudySettings())]
    assert [options.engine[1] for options in depths] == [
        f"player=genetic:depth={depth},name=genetic" for depth in BY_DEPTH[0].steps
    ]
    assert all(
        options.engine[0].startswith(f"player=alphabeta:depth={step},") for step, options in enumerate(depths, 1)
    )
    times = [part.options for part in plan_times(StudySettings())]
    assert [options.tc for options in times] == ["0.1", "0.3", "1"]
    assert len({tuple(options.engine) for options in times}) == 1
