"""The two experiments of the Skövde thesis on Pentago: alpha-beta against genetic minimax, by depth and by time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

from arena.log.file import Run
from arena.options.match import MatchOptions
from arena.study.readings import Score, count_scores, list_moves_of, mean_time_s
from arena.study.study import Cell, Chart, Curve, Findings, Study, StudyGames, StudyReport, StudyTable, StudyTerms

ALPHABETA, GENETIC = "alphabeta", "genetic"
NAMES = (ALPHABETA, GENETIC)
MARGIN_MS = 1000  # both end their searches by the clock, on a machine that may be busy
PATIENCE_S = "600"  # a move: the players' depths end it
TIMED_DEPTH = 4
# Of the second experiment: more genomes than usual, bred until the clock ends it.
TIMED_GENETIC = f"player=genetic:population=1000,generations=1000000,depth={TIMED_DEPTH},name={GENETIC}"
TIMED_ALPHABETA = f"player=alphabeta:depth={TIMED_DEPTH},name={ALPHABETA}"


@dataclass(frozen=True)
class Ladder:
    """An experiment: what grows from step to step, as a table names it, its steps, and the games of each."""

    unit: str
    steps: tuple[float, ...]
    games: int


# The whole and the quick one. At depth 4 alpha-beta wants a quarter of a minute for an early move.
BY_DEPTH = Ladder("depth", (1, 2, 3), 8), Ladder("depth", (1, 2, 3), 2)
BY_TIME = Ladder("s a move", (0.1, 0.3, 1), 16), Ladder("s a move", (0.05, 0.1, 0.2), 4)


def plan_depths(terms: StudyTerms) -> Sequence[StudyGames]:
    """A match for each depth, which both have."""
    ladder = BY_DEPTH[terms.quick]

    def make_request(depth: float) -> MatchOptions:
        engines = [f"player={name}:depth={depth:g},name={name}" for name in NAMES]
        return MatchOptions(game="pentago", engine=engines, games=ladder.games, tc=PATIENCE_S)

    return _plan(ladder, make_request)


def plan_times(terms: StudyTerms) -> Sequence[StudyGames]:
    """A match for each time limit at one depth."""
    ladder = BY_TIME[terms.quick]

    def make_request(seconds: float) -> MatchOptions:
        engines = [TIMED_ALPHABETA, TIMED_GENETIC]
        return MatchOptions(game="pentago", engine=engines, games=ladder.games, tc=f"{seconds:g}", margin_ms=MARGIN_MS)

    return _plan(ladder, make_request)


def _plan(ladder: Ladder, make_request: Callable[[float], MatchOptions]) -> list[StudyGames]:
    return [StudyGames(_name_part(step), make_request(step)) for step in ladder.steps]


def _name_part(step: float) -> str:
    return f"at-{step:g}"


def analyse(ladders: tuple[Ladder, Ladder], findings: Findings) -> StudyReport:
    """Results, times and estimates of a move at each step, and where genetic minimax does best."""
    ladder = ladders[findings.terms.quick]
    runs = [findings.runs[_name_part(step)] for step in ladder.steps]
    scores = [count_scores(run.games).get(NAMES, Score()) for run in runs]
    rows = [_make_row(step, score, run) for step, score, run in zip(ladder.steps, scores, runs, strict=True)]
    headings = (ladder.unit, "games", "won", "drawn", "lost", "score", "s a move", "genetic", "nodes", "genetic")
    title = "Alpha-beta against genetic minimax: results, and means of a move of both"
    shares = [score.share for score in scores]
    charts = [
        Chart(
            "Alpha-beta against genetic minimax",
            ladder.unit,
            "share of points",
            [Curve(ALPHABETA, ladder.steps, shares)],
        ),
        _draw_times(ladder, runs),
    ]
    return StudyReport([StudyTable(f"{title}:", headings, rows)], charts, _list_remarks(ladder, scores))


def _make_row(step: float, score: Score, run: Run) -> list[Cell]:
    moves = [list_moves_of(run.games, name) for name in NAMES]
    nodes = [[entry.nodes for entry in own if entry.nodes is not None] for own in moves]
    share = None if score.share is None else f"{score.share:.0%}"
    means = [fmean(own) if own else None for own in nodes]
    return [f"{step:g}", score.games, score.won, score.drawn, score.lost, share, *map(mean_time_s, moves), *means]


def _draw_times(ladder: Ladder, runs: Sequence[Run]) -> Chart:
    curves = [
        Curve(name, ladder.steps, [mean_time_s(list_moves_of(run.games, name)) for run in runs]) for name in NAMES
    ]
    return Chart("Time of a move", ladder.unit, "s", curves, log_scale=True)


def _list_remarks(ladder: Ladder, scores: Sequence[Score]) -> list[str]:
    """Whether the thesis' conclusion holds here, and where its rival does best."""
    total = Score(
        sum(each.won for each in scores), sum(each.drawn for each in scores), sum(each.lost for each in scores)
    )
    if total.share is None:
        return ["No game counted."]
    word = "does so here, too" if total.share > 0.5 else "does not here"
    told = [f"The thesis found that alpha-beta fits the game better; it {word}: {total.share:.0%} of all points."]
    found = [
        (1 - score.share, step) for step, score in zip(ladder.steps, scores, strict=True) if score.share is not None
    ]
    best = max(share for share, _ in found)
    if not best:
        return [*told, "Genetic minimax wins nothing at any of them."]
    steps = ", ".join(f"{step:g}" for share, step in found if share == best)
    return [*told, f"Genetic minimax does best at {ladder.unit} {steps}: {best:.0%} of the points."]


PENTAGO_DEPTH = Study(
    name="pentago-depth",
    help="the Pentago thesis' first experiment: alpha-beta and genetic minimax at equal, growing depth",
    plan=plan_depths,
    analyse=partial(analyse, BY_DEPTH),
)
PENTAGO_TIME = Study(
    name="pentago-time",
    help="the Pentago thesis' second experiment: the same at one depth and growing time for a move",
    plan=plan_times,
    analyse=partial(analyse, BY_TIME),
)
