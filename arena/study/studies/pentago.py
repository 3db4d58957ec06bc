"""The experiments of S. Jonsson's thesis on Pentago (Skövde, 2014): alpha-beta against genetic minimax.

Genetic minimax is a genetic algorithm that evolves lines of play. The first experiment gives both players the same
search depth, the second the same time per move at one depth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

from arena.log.file import Run
from arena.options.match import MatchOptions
from arena.study.game_statistics import Score, count_scores, format_share, list_moves, mean_time_s, sum_scores
from arena.study.study import Cell, Chart, Curve, MatchPart, Study, StudyData, StudyReport, StudySettings, StudyTable

ALPHABETA, GENETIC = "alphabeta", "genetic"
NAMES = (ALPHABETA, GENETIC)  # of the two engines, and of our players in `bots/pentago`
MARGIN_MS = 1000  # tolerated overrun of the time limit in the second experiment, in which both players may use it up
MOVE_LIMIT_S = "600"  # per move (text for --tc) in the first experiment; so long that the fixed depths end the searches
TIMED_DEPTH = 4  # of both players in the second experiment
# The genetic player of the second experiment has a larger population than by default. Its number of generations is so
# large that the time limit ends the search.
TIMED_GENETIC = f"player=genetic:population=1000,generations=1000000,depth={TIMED_DEPTH},name={GENETIC}"
TIMED_ALPHABETA = f"player=alphabeta:depth={TIMED_DEPTH},name={ALPHABETA}"


@dataclass(frozen=True)
class Experiment:
    """Matches that differ in one quantity."""

    quantity: str  # "depth" or "s per move"
    steps: tuple[float, ...]  # values of the quantity, one match each
    games: int  # number of games per match


# Each experiment as (complete, quick). BY_DEPTH leaves depth 4 out, as alpha-beta needs 15 s for an early move there.
BY_DEPTH = Experiment("depth", (1, 2, 3), 8), Experiment("depth", (1, 2, 3), 2)
BY_TIME = Experiment("s per move", (0.1, 0.3, 1), 16), Experiment("s per move", (0.05, 0.1, 0.2), 4)


def plan_depths(settings: StudySettings) -> Sequence[MatchPart]:
    """Return a match for each depth; both players search to it."""
    experiment = BY_DEPTH[settings.quick]  # index 0 or 1

    def make_options(depth: float) -> MatchOptions:
        engines = [f"player={name}:depth={depth:g},name={name}" for name in NAMES]
        return MatchOptions(game="pentago", engine=engines, games=experiment.games, tc=MOVE_LIMIT_S)

    return _plan(experiment, make_options)


def plan_times(settings: StudySettings) -> Sequence[MatchPart]:
    """Return a match for each time limit; both players search to `TIMED_DEPTH`."""
    experiment = BY_TIME[settings.quick]

    def make_options(seconds: float) -> MatchOptions:
        return MatchOptions(
            game="pentago",
            engine=[TIMED_ALPHABETA, TIMED_GENETIC],
            games=experiment.games,
            tc=f"{seconds:g}",
            margin_ms=MARGIN_MS,
        )

    return _plan(experiment, make_options)


def _plan(experiment: Experiment, make_options: Callable[[float], MatchOptions]) -> list[MatchPart]:
    return [MatchPart(_part_name(step), make_options(step)) for step in experiment.steps]


def _part_name(step: float) -> str:
    return f"at-{step:g}"


def analyse(experiments: tuple[Experiment, Experiment], study_data: StudyData) -> StudyReport:
    """Return a table with the results, times and nodes at each step, and charts of scores and times.

    `experiments` holds the complete experiment and the quick one.
    """
    experiment = experiments[study_data.settings.quick]
    steps = experiment.steps
    runs = [study_data.runs[_part_name(step)] for step in steps]
    scores = [count_scores(run.games).get(NAMES, Score()) for run in runs]
    rows = [_make_row(step, score, run) for step, score, run in zip(steps, scores, runs, strict=True)]
    means = ("s per move", "genetic", "nodes", "genetic")  # of alpha-beta and of genetic minimax, twice
    headings = (experiment.quantity, "games", "won", "drawn", "lost", "score", *means)
    title = "Alpha-beta's results against genetic minimax, and mean time and nodes per move, alpha-beta's first"
    shares = [score.share for score in scores]
    charts = [
        Chart(
            "Alpha-beta against genetic minimax",
            experiment.quantity,
            "share of points",
            [Curve(ALPHABETA, steps, shares)],
        ),
        _make_time_chart(experiment, runs),
    ]
    return StudyReport([StudyTable(f"{title}:", headings, rows)], charts, _list_remarks(experiment, scores))


def _make_row(step: float, score: Score, run: Run) -> list[Cell]:
    # both lists are in the order of NAMES
    moves_by_player = [list_moves(run.games, name) for name in NAMES]
    nodes_by_player = [[entry.nodes for entry in moves if entry.nodes is not None] for moves in moves_by_player]
    results: list[Cell] = [score.games, score.won, score.drawn, score.lost]
    mean_nodes = [fmean(nodes) if nodes else None for nodes in nodes_by_player]
    return [f"{step:g}", *results, format_share(score.share), *map(mean_time_s, moves_by_player), *mean_nodes]


def _make_time_chart(experiment: Experiment, runs: Sequence[Run]) -> Chart:
    times = {name: [mean_time_s(list_moves(run.games, name)) for run in runs] for name in NAMES}
    curves = [Curve(name, experiment.steps, times[name]) for name in NAMES]
    return Chart("Time per move", experiment.quantity, "s", curves, log_scale=True)


def _list_remarks(experiment: Experiment, scores: Sequence[Score]) -> list[str]:
    """Return a sentence on the thesis' conclusion, and one on the steps at which genetic minimax scores most.

    Without results, return one sentence that says so.
    """
    total = sum_scores(scores)
    if total.share is None:
        return ["There is no game with a result."]
    verdict = "Here it does" if total.share > 0.5 else "Here it does not"
    remarks = [f"The thesis found that alpha-beta plays better. {verdict}: {total.share:.0%} of all points."]
    genetic_shares = {
        step: 1 - score.share for step, score in zip(experiment.steps, scores, strict=True) if score.share is not None
    }
    best = max(genetic_shares.values())
    if not best:
        return [*remarks, "Genetic minimax scores no point in any of these matches."]
    best_steps = ", ".join(f"{step:g}" for step, share in genetic_shares.items() if share == best)
    return [*remarks, f"Genetic minimax does best at {experiment.quantity} = {best_steps}: {best:.0%} of the points."]


PENTAGO_DEPTH = Study(
    name="pentago-depth",
    help="the Pentago thesis' first experiment: alpha-beta against genetic minimax at equal depths 1 to 3",
    plan=plan_depths,
    analyse=partial(analyse, BY_DEPTH),
)
PENTAGO_TIME = Study(
    name="pentago-time",
    help="the Pentago thesis' second experiment: alpha-beta against genetic minimax at depth 4, by time per move",
    plan=plan_times,
    analyse=partial(analyse, BY_TIME),
)
