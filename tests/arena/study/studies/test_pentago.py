"""What the studies of Pentago read from their matches."""

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
from arena.study.study import Findings, StudyTerms
from tests.arena.study.made import Made, make_run


def test_each_step_has_its_results_times_and_nodes() -> None:
    terms = StudyTerms(quick=True)
    parts = plan_depths(terms)
    moves = [("a1s", 2000, 30), ("b1s", 500, 7), ("c1s", 4000, None), ("d1s", 1500, 9)]
    games = [
        [Made(ALPHABETA, GENETIC, 1, moves), Made(GENETIC, ALPHABETA, 1)],
        [Made(ALPHABETA, GENETIC, 0.5), Made(GENETIC, ALPHABETA, 0.5)],
        [Made(ALPHABETA, GENETIC, 1), Made(GENETIC, ALPHABETA, 0)],
    ]
    runs = {part.name: make_run(part, own) for part, own in zip(parts, games, strict=True)}
    report = PENTAGO_DEPTH.analyse(Findings(terms, runs))
    assert report.tables[0].rows == [
        ["1", 2, 1, 0, 1, "50%", 3.0, 1.0, 30, 8],
        ["2", 2, 0, 2, 0, "50%", None, None, None, None],
        ["3", 2, 2, 0, 0, "100%", None, None, None, None],
    ]
    assert report.charts[0].curves[0].ys == [0.5, 0.5, 1.0]
    assert report.charts[1].curves[1].ys == [1.0, None, None]
    assert report.remarks == [
        "The thesis found that alpha-beta fits the game better; it does so here, too: 67% of all points.",
        "Genetic minimax does best at depth 1, 2: 50% of the points.",
    ]


def test_a_thesis_that_does_not_hold_is_told() -> None:
    terms = StudyTerms(quick=True)
    runs = {part.name: make_run(part, [Made(ALPHABETA, GENETIC, 0.5)]) for part in plan_times(terms)}
    assert "it does not here: 50%" in PENTAGO_TIME.analyse(Findings(terms, runs)).remarks[0]
    lost = {part.name: make_run(part, [Made(ALPHABETA, GENETIC, 1)]) for part in plan_times(terms)}
    assert PENTAGO_TIME.analyse(Findings(terms, lost)).remarks[1] == "Genetic minimax wins nothing at any of them."


def test_what_grows_is_the_depth_of_both_or_the_time() -> None:
    depths = [part.request for part in plan_depths(StudyTerms())]
    assert [request.engine[1] for request in depths] == [
        f"player=genetic:depth={depth},name=genetic" for depth in BY_DEPTH[0].steps
    ]
    assert all(
        request.engine[0].startswith(f"player=alphabeta:depth={step},") for step, request in enumerate(depths, 1)
    )
    times = [part.request for part in plan_times(StudyTerms())]
    assert [request.tc for request in times] == ["0.1", "0.3", "1"]
    assert len({tuple(request.engine) for request in times}) == 1
