"""The experiments of the University of Waterloo's Gomoku paper: search depths, two search methods, other programs.

A "brain" is a Gomocup program, as in the paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from arena.engines.spec import parse_engines
from arena.log.file import Run
from arena.options.match import MatchOptions
from arena.study.cross_table import count_distinct_games
from arena.study.game_statistics import Score, count_scores, list_moves, mean_time_s
from arena.study.study import Cell, Chart, Curve, Findings, Study, StudyGames, StudyReport, StudyTable, StudyTerms
from arena.terms.arguments import find_game

BOOK = Path(__file__).parents[2] / "books" / "gomoku-freestyle-15.txt"
DEPTHS = (1, 2, 3, 4)
MAX_DEPTH = DEPTHS[-1]
MOVE_LIMIT_S = "600"  # per move; long enough for the players' fixed depths
OPENINGS, QUICK_OPENINGS = 50, 1  # each is played twice; a deterministic player repeats its game against itself
BRAIN_GAMES, QUICK_BRAIN_GAMES = 20, 2  # of each of our engines against each brain; 20 as in the paper
BRAIN_TC = "2"  # seconds per move, which need not be the paper's
SEARCHES = ("minimax", "negamax")
PAPER_S = {"minimax": 9.24, "negamax": 8.43}  # seconds per move in the paper
# Games that the paper's program won and lost against each brain; none was drawn
PAPER_BRAINS = {"MUSHROOM": (20, 0), "Valkyrie": (18, 2), "PureRocky": (16, 4), "Pisq7": (11, 9), "Noesis": (2, 18)}
OUR_ENGINES = {"paper": f"player=paper:depth={MAX_DEPTH},name=paper", "pentad": "player=pentad,name=pentad"}


def plan(terms: StudyTerms) -> Sequence[StudyGames]:
    """Return self-play at each depth, a match of the two searches, and our engines against the brains of --engine."""
    games = 2 * (QUICK_OPENINGS if terms.quick else OPENINGS)
    parts = []
    for depth in DEPTHS:
        engines = [_format_paper_engine(f"depth={depth}", name) for name in "AB"]
        parts.append(_plan_games(f"depth-{depth}", engines, games))
    # kill=0 turns the threat search off, which both would share, so that only the searches are compared
    engines = [_format_paper_engine(f"depth={MAX_DEPTH},kill=0,search={search}", search) for search in SEARCHES]
    parts.append(_plan_games("searches", engines, games))
    brain_games = QUICK_BRAIN_GAMES if terms.quick else BRAIN_GAMES
    for number, brain in enumerate(terms.engines, 1):
        for our_name, engine in OUR_ENGINES.items():
            parse_engines([engine, brain], find_game("gomoku"))  # raises UsageError before any game is played
            parts.append(_plan_games(f"{our_name}-brain-{number}", [engine, brain], brain_games, BRAIN_TC))
    return parts


def _format_paper_engine(parameters: str, name: str) -> str:
    return f"player=paper:{parameters},name={name}"


def _plan_games(name: str, engines: list[str], games: int, tc: str = MOVE_LIMIT_S) -> StudyGames:
    return StudyGames(name, MatchOptions(game="gomoku", engine=engines, games=games, tc=tc, openings=BOOK))


def analyse(findings: Findings) -> StudyReport:
    """Return tables of the depths, the searches and the brains, with the paper's figures, and charts of the depths."""
    depth_runs = [findings.runs[f"depth-{depth}"] for depth in DEPTHS]
    tables = [
        _make_depth_table(depth_runs),
        _make_search_table(findings.runs["searches"]),
        _make_brain_table(findings),
    ]
    times = Curve("", DEPTHS, [_mean_move_time_s(run) for run in depth_runs])
    lengths = Curve("", DEPTHS, [_mean_plies(run) for run in depth_runs])
    charts = [
        Chart("Gomoku, the paper's player against itself", "depth", "s per move", [times], log_scale=True),
        Chart("Length of its games", "depth", "plies", [lengths]),
    ]
    return StudyReport(tables, charts, _list_remarks(findings))


def _mean_move_time_s(run: Run) -> float | None:
    return mean_time_s([entry for game in run.games for entry in game.moves])


def _mean_plies(run: Run) -> float | None:
    """Return the mean length of a game, its opening included."""
    return fmean(len(game.all_moves) for game in run.games) if run.games else None


def _make_depth_table(runs: Sequence[Run]) -> StudyTable:
    rows: list[list[Cell]] = []
    for depth, run in zip(DEPTHS, runs, strict=True):
        first_won = sum(game.winner == game.first for game in run.games)
        drawn = sum(not game.winner for game in run.games)
        second_won = len(run.games) - first_won - drawn
        results: list[Cell] = [count_distinct_games(run), first_won, drawn, second_won]
        rows.append([str(depth), *results, _mean_plies(run), _mean_move_time_s(run)])
    headings = ("depth", "distinct games", "first won", "drawn", "second won", "plies", "s per move")
    return StudyTable("The paper's player against itself, each opening twice:", headings, rows)


def _make_search_table(run: Run) -> StudyTable:
    scores = count_scores(run.games)
    rows: list[list[Cell]] = []
    for name, opponent in (SEARCHES, SEARCHES[::-1]):
        moves = list_moves(run.games, name)
        nodes = [entry.nodes for entry in moves if entry.nodes]
        score = scores.get((name, opponent), Score())
        results: list[Cell] = [score.won, score.drawn, score.lost]
        rows.append([name, *results, fmean(nodes) if nodes else None, mean_time_s(moves), PAPER_S[name]])
    headings = ("search", "won", "drawn", "lost", "nodes per move", "s per move", "paper s")
    title = f"Minimax against negamax with a transposition table, depth {MAX_DEPTH}, no threat search:"
    return StudyTable(title, headings, rows)


def _make_brain_table(findings: Findings) -> StudyTable:
    """Return a table of our engines against each brain of --engine, and then the paper's other brains."""
    rows: list[list[Cell]] = []
    remaining = list(PAPER_BRAINS)
    for number in range(1, len(findings.terms.engines) + 1):
        runs = [findings.runs[f"{our_name}-brain-{number}"] for our_name in OUR_ENGINES]
        name = runs[0].names[1]
        scores = [count_scores(run.games).get((run.names[0], name)) for run in runs]
        # "pbrain-valkyrie" is the paper's Valkyrie
        paper_name = next((brain for brain in remaining if brain.lower() in name.lower()), None)
        if paper_name:
            remaining.remove(paper_name)
        rows.append([name, *map(_format_score, scores), _format_paper_score(paper_name)])
    rows += [[name, None, None, _format_paper_score(name)] for name in remaining]
    title = f"Games won, drawn, lost against brains, {BRAIN_TC} s per move:"
    return StudyTable(title, ("brain", *OUR_ENGINES, "in the paper"), rows)


def _format_score(score: Score | None) -> str | None:
    return f"{score.won}, {score.drawn}, {score.lost}" if score else None


def _format_paper_score(name: str | None) -> str | None:
    return "{}, 0, {}".format(*PAPER_BRAINS[name]) if name else None


def _list_remarks(findings: Findings) -> list[str]:
    run = findings.runs["searches"]
    minimax_s, negamax_s = (mean_time_s(list_moves(run.games, search)) for search in SEARCHES)
    remarks = []
    if minimax_s and negamax_s:
        ratio, paper_ratio = minimax_s / negamax_s, PAPER_S["minimax"] / PAPER_S["negamax"]
        times = f"{ratio:.2f} times as long as negamax with a transposition table"
        remarks.append(f"Minimax takes {times}; in the paper {paper_ratio:.2f} times.")
    if not findings.terms.engines:
        remarks.append("No brains were given. --engine cmd=./pbrain-valkyrie adds one; it may be repeated.")
    return remarks


GOMOKU_PAPER = Study(
    name="gomoku-paper",
    help="the Gomoku paper: times and game lengths by depth, minimax and negamax, and other programs (--engine)",
    plan=plan,
    analyse=analyse,
    takes_engines=True,
    duration="a few minutes, and about half an hour for each brain",
)
