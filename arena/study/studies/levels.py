"""The levels of our strongest player of a game: each against the one below, and a ladder of them all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from arena.log.events import GameEnded
from arena.options.match import MatchOptions
from arena.results.crosstable import format_rating
from arena.results.ratings import Estimate, Ratings, estimate_ratings
from arena.study.readings import Score, count_scores, list_moves_of, mean_time_s
from arena.study.study import Cell, Chart, Curve, Findings, Study, StudyGames, StudyReport, StudyTable, StudyTerms
from core.search.engine_options import MAX_LEVEL

BOOKS = Path(__file__).parents[2] / "books"
# By game: size, rule and book; the board of the strongest opposition, not one that is solved.
BOARDS: dict[str, tuple[int | None, str | None, str]] = {
    "gomoku": (15, "freestyle", "gomoku-freestyle-15.txt"),
    "hive": (None, "Base+MLP", "hive-base-mlp.txt"),
    "hex": (11, "standard", "hex-11.txt"),
    "pentago": (None, None, "pentago.txt"),
    "kolibrat": (None, "5x6-6-4", "kolibrat-5x6-6-4.txt"),
}
PATIENCE_S = "60"  # a move of the levels that count nodes
FULL_S = "1"  # a move of the highest level, which is all that it can do in its time
LOW, HIGH = 0.60, 0.85  # what each is to score against the one below
NEIGHBOURS, LADDER = (30, 4), (2, 2)  # games of each two, of the whole study and of a quick one
QUICK_LEVELS = 5  # those that answer at once
LADDER_PART = "ladder"


def list_levels(terms: StudyTerms) -> range:
    """The levels that play."""
    return range(1, (QUICK_LEVELS if terms.quick else MAX_LEVEL) + 1)


def plan(terms: StudyTerms) -> Sequence[StudyGames]:
    """A match of each two neighbours, then a round robin."""
    levels = list_levels(terms)
    pairs = [(level, level - 1) for level in levels[1:]]
    parts = [_plan_games(terms, _name_part(*pair), pair, NEIGHBOURS[terms.quick]) for pair in pairs]
    return [*parts, _plan_games(terms, LADDER_PART, levels, LADDER[terms.quick])]


def _plan_games(terms: StudyTerms, name: str, levels: Sequence[int], games: int) -> StudyGames:
    size, rule, book = BOARDS.get(terms.game, (None, None, ""))
    engines = [f"player=pentad:level={level},name={name_level(level)}" for level in levels]
    engines = [
        f"{text},tc={FULL_S}" if level == MAX_LEVEL else text for level, text in zip(levels, engines, strict=True)
    ]
    request = MatchOptions(
        game=terms.game,
        size=size,
        rule=rule,
        engine=engines,
        games=games,
        tc=PATIENCE_S,
        margin_ms=5000,  # nobody is to lose on time here
        openings=BOOKS / book if book else None,
    )
    return StudyGames(name, request)


def name_level(level: int) -> str:
    """As the log has it."""
    return f"level-{level}"


def _name_part(above: int, below: int) -> str:
    return f"{above}-against-{below}"


def analyse(findings: Findings) -> StudyReport:
    """Neighbours with what they are to score, then ratings by all games, and the time of a move."""
    levels = list_levels(findings.terms)
    names = [name_level(level) for level in levels]
    games = [game for run in findings.runs.values() for game in run.games]
    ratings = estimate_ratings(names, games)
    neighbours = [_make_neighbours(findings, level) for level in levels[1:]]
    headings = ("level", "against", "won", "drawn", "lost", "score", "±", "60 to 85 %", "different games")
    tables = [
        StudyTable("Each level against the one below, ± one standard error:", headings, neighbours),
        _make_ladder(names, ratings, games),
    ]
    return StudyReport(tables, _draw(levels, ratings, games), _list_remarks(findings, neighbours))


def _make_neighbours(findings: Findings, level: int) -> list[Cell]:
    run = findings.runs[_name_part(level, level - 1)]
    score = count_scores(run.games).get((name_level(level), name_level(level - 1)), Score())
    share = score.share
    results: list[Cell] = [str(level), str(level - 1), score.won, score.drawn, score.lost]
    distinct = f"{len({game.all_moves for game in run.games})} of {len(run.games)}"
    if share is None:
        return [*results, None, None, None, distinct]
    error = math.sqrt(share * (1 - share) / score.games)  # a clean sweep's 0 is no error
    told = f"{error:.0%}" if error else None
    return [*results, f"{share:.0%}", told, "yes" if LOW <= share <= HIGH else "no", distinct]


def _make_ladder(names: Sequence[str], ratings: Ratings, games: Sequence[GameEnded]) -> StudyTable:
    rows: list[list[Cell]] = []
    for name in names:
        moves = list_moves_of(games, name)
        rows.append([name.rpartition("-")[2], format_rating(ratings.engines[name]), len(moves), mean_time_s(moves)])
    title = "All games together; Elo with 95 % intervals, where results overlap:"
    return StudyTable(title, ("level", "Elo", "moves", "s a move"), rows)


def _draw(levels: Sequence[int], ratings: Ratings, games: Sequence[GameEnded]) -> list[Chart]:
    found = [ratings.engines[name_level(level)] for level in levels]
    elos = [rating.elo if isinstance(rating, Estimate) else None for rating in found]
    times = [mean_time_s(list_moves_of(games, name_level(level))) for level in levels]
    return [
        Chart("Rating by level", "level", "Elo", [Curve("", levels, elos)]),
        Chart("Time by level", "level", "s a move", [Curve("", levels, times)], log_scale=True),
    ]


def _list_remarks(findings: Findings, neighbours: Sequence[Sequence[Cell]]) -> list[str]:
    outside = [f"{row[0]} ({row[5]})" for row in neighbours if row[7] == "no"]
    told = [f"Levels that do not score {LOW:.0%} to {HIGH:.0%} against the one below: {', '.join(outside) or 'none'}."]
    if findings.terms.quick:
        told.append(f"Quick: levels 1 to {QUICK_LEVELS} alone.")
    else:
        told.append(f"Level {MAX_LEVEL} had {FULL_S} s a move.")
    return told


LEVELS = Study(
    name="levels",
    help="the levels of our strongest player: each against the one below, and a ladder of them all",
    plan=plan,
    analyse=analyse,
    takes_game=True,
    duration="about an hour, in Hive longer",
)
