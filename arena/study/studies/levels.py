"""The study of the levels of our strongest player: each against the next lower one, and a round robin of all.

`pentad` is that player in every game. Its levels are 1 to `MAX_LEVEL`. The lower ones have a node limit
and play some random moves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from arena.log.events import GameEnded
from arena.options.match import MatchOptions
from arena.results.ratings import Estimate, Ratings, estimate_ratings
from arena.results.tables import format_rating
from arena.study.cross_table import count_distinct_games
from arena.study.game_statistics import Score, count_scores, list_moves, mean_time_s
from arena.study.study import Cell, Chart, Curve, MatchPart, Study, StudyData, StudyReport, StudySettings, StudyTable
from core.search.engine_options import MAX_LEVEL

BOOKS = Path(__file__).parents[2] / "books"
# By game: values of the match options --size and --rule (None: the game's default), and the name of the opening file.
# None of these boards is solved.
BOARDS: dict[str, tuple[int | None, str | None, str]] = {
    "gomoku": (15, "freestyle", "gomoku-freestyle-15.txt"),
    "hive": (None, "Base+MLP", "hive-base-mlp.txt"),
    "hex": (11, "standard", "hex-11.txt"),
    "pentago": (None, None, "pentago.txt"),
    "kolibrat": (None, "5x6-6-4", "kolibrat-5x6-6-4.txt"),
}
MOVE_LIMIT_S = "60"  # per move (text for --tc); so long that the levels below the highest reach their node limits
TOP_LEVEL_S = "1"  # per move of the highest level, which has no node limit
MIN_SHARE, MAX_SHARE = 0.60, 0.85  # intended share of the points against the next lower level
# Games per pairing, in the complete study and in a quick one
NEIGHBOUR_GAME_COUNTS = (30, 4)  # of a level against the next lower one
LADDER_GAME_COUNTS = (2, 2)  # of the round robin
MAX_QUICK_LEVEL = 5  # a quick study has levels 1 to 5, which answer at once
LADDER_PART = "ladder"  # name of the part that is the round robin


def list_levels(settings: StudySettings) -> range:
    """Return the levels that play."""
    return range(1, (MAX_QUICK_LEVEL if settings.quick else MAX_LEVEL) + 1)


def plan(settings: StudySettings) -> Sequence[MatchPart]:
    """Return a match of each level against the next lower one, then a round robin of all levels."""
    # `quick` (False or True) is the index into the pairs of game counts
    levels = list_levels(settings)
    pairings = [(level, level - 1) for level in levels[1:]]
    parts = [
        _plan_games(settings, _part_name(*pairing), pairing, NEIGHBOUR_GAME_COUNTS[settings.quick])
        for pairing in pairings
    ]
    return [*parts, _plan_games(settings, LADDER_PART, levels, LADDER_GAME_COUNTS[settings.quick])]


def _plan_games(settings: StudySettings, name: str, levels: Sequence[int], games: int) -> MatchPart:
    size, rule, book = BOARDS.get(settings.game, (None, None, ""))
    engines = [
        f"player=pentad:level={level},name={engine_name(level)}{f',tc={TOP_LEVEL_S}' if level == MAX_LEVEL else ''}"
        for level in levels
    ]
    options = MatchOptions(
        game=settings.game,
        size=size,
        rule=rule,
        engine=engines,
        games=games,
        tc=MOVE_LIMIT_S,
        margin_ms=5000,  # tolerated overrun of the time limit; so large that no engine loses on time
        openings=BOOKS / book if book else None,
    )
    return MatchPart(name, options)


def engine_name(level: int) -> str:
    """Return the name that a level has in the log."""
    return f"level-{level}"


def _part_name(higher: int, lower: int) -> str:
    return f"{higher}-against-{lower}"


def analyse(study_data: StudyData) -> StudyReport:
    """Return the scores of neighbouring levels, then ratings from all games and times per move."""
    levels = list_levels(study_data.settings)
    names = [engine_name(level) for level in levels]
    games = [game for run in study_data.runs.values() for game in run.games]
    ratings = estimate_ratings(names, games)
    neighbour_rows = [_make_neighbour_row(study_data, level) for level in levels[1:]]
    headings = ("level", "against", "won", "drawn", "lost", "score", "±", "60 to 85 %", "distinct games")
    tables = [
        StudyTable("Each level against the next lower one, ± one standard error:", headings, neighbour_rows),
        _make_rating_table(names, ratings, games),
    ]
    return StudyReport(tables, _make_charts(levels, ratings, games), _list_remarks(study_data, neighbour_rows))


def _make_neighbour_row(study_data: StudyData, level: int) -> list[Cell]:
    """Return the result of a level against the next lower one."""
    run = study_data.runs[_part_name(level, level - 1)]
    score = count_scores(run.games).get((engine_name(level), engine_name(level - 1)), Score())
    share = score.share
    results: list[Cell] = [str(level), str(level - 1), score.won, score.drawn, score.lost]
    distinct = f"{count_distinct_games(run)} of {len(run.games)}"
    if share is None:
        return [*results, None, None, None, distinct]
    error = math.sqrt(share * (1 - share) / score.games)  # of a binomial share; with draws it is too large
    error_text = f"{error:.0%}" if error else None  # this estimate is 0, and useless, if all games had the same winner
    is_intended = MIN_SHARE <= share <= MAX_SHARE
    return [*results, f"{share:.0%}", error_text, "yes" if is_intended else "no", distinct]


def _make_rating_table(names: Sequence[str], ratings: Ratings, games: Sequence[GameEnded]) -> StudyTable:
    rows: list[list[Cell]] = []
    for name in names:
        moves = list_moves(games, name)
        level = name.rpartition("-")[2]
        rows.append([level, format_rating(ratings.engines[name]), len(moves), mean_time_s(moves)])
    title = "Elo from all games, with 95 % intervals if they can be estimated:"
    return StudyTable(title, ("level", "Elo", "moves", "s per move"), rows)


def _make_charts(levels: Sequence[int], ratings: Ratings, games: Sequence[GameEnded]) -> list[Chart]:
    level_ratings = [ratings.engines[engine_name(level)] for level in levels]
    elos = [rating.elo if isinstance(rating, Estimate) else None for rating in level_ratings]
    times = [mean_time_s(list_moves(games, engine_name(level))) for level in levels]
    return [
        Chart("Rating by level", "level", "Elo", [Curve("", levels, elos)]),
        Chart("Time by level", "level", "s per move", [Curve("", levels, times)], log_scale=True),
    ]


def _list_remarks(study_data: StudyData, neighbour_rows: Sequence[Sequence[Cell]]) -> list[str]:
    # cells 0, 5 and 7 of a row are the level, its score and whether that is intended
    outside = [f"{row[0]} ({row[5]})" for row in neighbour_rows if row[7] == "no"]
    intended = f"{MIN_SHARE:.0%} to {MAX_SHARE:.0%}"
    remarks = [f"Levels that do not score {intended} against the next lower one: {', '.join(outside) or 'none'}."]
    if study_data.settings.quick:
        remarks.append(f"Quick: only levels 1 to {MAX_QUICK_LEVEL} play.")
    else:
        remarks.append(f"Level {MAX_LEVEL} had {TOP_LEVEL_S} s per move.")
    return remarks


LEVELS = Study(
    name="levels",
    help="the levels of our strongest player: each against the next lower one, and a round robin of all",
    plan=plan,
    analyse=analyse,
    takes_game=True,
    duration="about an hour, in Hive longer",
)
