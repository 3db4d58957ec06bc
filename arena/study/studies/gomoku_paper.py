"""The experiments of the University of Waterloo's Gomoku paper: search depths, two search methods, other programs.

Our replica of the paper's program is the player `paper` (`bots/gomoku/paper/`); `pentad` is our strongest player.
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
from arena.study.study import Cell, Chart, Curve, MatchPart, Study, StudyData, StudyReport, StudySettings, StudyTable
from arena.terms.arguments import find_game

BOOK = Path(__file__).parents[2] / "books" / "gomoku-freestyle-15.txt"
DEPTHS = (1, 2, 3, 4)
MAX_DEPTH = DEPTHS[-1]
MOVE_LIMIT_S = "600"  # per move (text for --tc); so long that the fixed depth ends each search
OPENING_COUNT, QUICK_OPENING_COUNT = 50, 1  # of each match between our own players; each opening is played twice
BRAIN_GAME_COUNT, QUICK_BRAIN_GAME_COUNT = 20, 2  # of each of our engines against each brain; 20 as in the paper
BRAIN_MOVE_LIMIT_S = "2"  # per move (text for --tc) in the games against brains; the paper's limit may be another
SEARCHES = ("minimax", "negamax")  # names of the two engines, and values of the replica's option `search`
PAPER_MOVE_TIMES_S = {"minimax": 9.24, "negamax": 8.43}  # mean time per move in the paper
# By brain: games that the paper's program won and lost against it in the paper; none was drawn
PAPER_BRAIN_SCORES = {
    "MUSHROOM": (20, 0),
    "Valkyrie": (18, 2),
    "PureRocky": (16, 4),
    "Pisq7": (11, 9),
    "Noesis": (2, 18),
}
# By name in the report: engine, as for `pentad match --engine`
OUR_ENGINES = {"paper": f"player=paper:depth={MAX_DEPTH},name=paper", "pentad": "player=pentad,name=pentad"}


def plan(settings: StudySettings) -> Sequence[MatchPart]:
    """Return the replica's self-play at each depth, a match of its two searches, and our engines against brains.

    `settings.engines` are the brains that the user added with --engine.
    """
    games = 2 * (QUICK_OPENING_COUNT if settings.quick else OPENING_COUNT)
    parts = []
    for depth in DEPTHS:
        engines = [_format_replica(f"depth={depth}", name) for name in "AB"]
        parts.append(_plan_games(f"depth-{depth}", engines, games))
    # kill=0 turns the replica's threat search off: it would find the same moves for both, without minimax or negamax
    engines = [_format_replica(f"depth={MAX_DEPTH},kill=0,search={search}", search) for search in SEARCHES]
    parts.append(_plan_games("searches", engines, games))
    brain_games = QUICK_BRAIN_GAME_COUNT if settings.quick else BRAIN_GAME_COUNT
    for number, brain in enumerate(settings.engines, 1):
        for our_name, engine in OUR_ENGINES.items():
            parse_engines([engine, brain], find_game("gomoku"))  # raises UsageError before any game is played
            parts.append(_plan_games(f"{our_name}-brain-{number}", [engine, brain], brain_games, BRAIN_MOVE_LIMIT_S))
    return parts


def _format_replica(parameters: str, name: str) -> str:
    """Return the replica with these options as an engine for `pentad match --engine`."""
    return f"player=paper:{parameters},name={name}"


def _plan_games(name: str, engines: list[str], games: int, tc: str = MOVE_LIMIT_S) -> MatchPart:
    return MatchPart(name, MatchOptions(game="gomoku", engine=engines, games=games, tc=tc, openings=BOOK))


def analyse(study_data: StudyData) -> StudyReport:
    """Return tables of depths, searches and brains, the last two with the paper's figures, and charts by depth."""
    depth_runs = [study_data.runs[f"depth-{depth}"] for depth in DEPTHS]
    tables = [
        _make_depth_table(depth_runs),
        _make_search_table(study_data.runs["searches"]),
        _make_brain_table(study_data),
    ]
    times = Curve("", DEPTHS, [_mean_move_time_s(run) for run in depth_runs])
    lengths = Curve("", DEPTHS, [_mean_plies(run) for run in depth_runs])
    charts = [
        Chart(
            "Gomoku, our replica of the paper's program against itself", "depth", "s per move", [times], log_scale=True
        ),
        Chart("Length of these games", "depth", "plies", [lengths]),
    ]
    return StudyReport(tables, charts, _list_remarks(study_data))


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
    return StudyTable("Our replica of the paper's program against itself, each opening twice:", headings, rows)


def _make_search_table(run: Run) -> StudyTable:
    scores = count_scores(run.games)
    rows: list[list[Cell]] = []
    for name, opponent in (SEARCHES, SEARCHES[::-1]):
        moves = list_moves(run.games, name)
        nodes = [entry.nodes for entry in moves if entry.nodes]
        score = scores.get((name, opponent), Score())
        results: list[Cell] = [score.won, score.drawn, score.lost]
        rows.append([name, *results, fmean(nodes) if nodes else None, mean_time_s(moves), PAPER_MOVE_TIMES_S[name]])
    headings = ("search", "won", "drawn", "lost", "nodes per move", "s per move", "s per move in the paper")
    title = f"Minimax against negamax (which has a transposition table), depth {MAX_DEPTH}, no threat search:"
    return StudyTable(title, headings, rows)


def _make_brain_table(study_data: StudyData) -> StudyTable:
    """Return our engines' scores against each brain of --engine, then the paper's scores against its other brains."""
    rows: list[list[Cell]] = []
    remaining = list(PAPER_BRAIN_SCORES)
    for number in range(1, len(study_data.settings.engines) + 1):
        runs = [study_data.runs[f"{our_name}-brain-{number}"] for our_name in OUR_ENGINES]
        name = runs[0].names[1]  # of the brain; the first name is our engine's
        scores = [count_scores(run.games).get((run.names[0], name)) for run in runs]
        # "pbrain-valkyrie" is the paper's Valkyrie
        paper_name = next((brain for brain in remaining if brain.lower() in name.lower()), None)
        if paper_name:
            remaining.remove(paper_name)
        rows.append([name, *map(_format_score, scores), _format_published_score(paper_name)])
    rows += [[name, None, None, _format_published_score(name)] for name in remaining]
    title = f"Games won, drawn, lost against brains; ours with {BRAIN_MOVE_LIMIT_S} s per move:"
    return StudyTable(title, ("brain", *(f"our {name}" for name in OUR_ENGINES), "the paper's program"), rows)


def _format_score(score: Score | None) -> str | None:
    return f"{score.won}, {score.drawn}, {score.lost}" if score else None


def _format_published_score(name: str | None) -> str | None:
    """Return the score of the paper's program against a brain of the paper."""
    return "{}, 0, {}".format(*PAPER_BRAIN_SCORES[name]) if name else None


def _list_remarks(study_data: StudyData) -> list[str]:
    run = study_data.runs["searches"]
    # None without games
    minimax_s, negamax_s = (mean_time_s(list_moves(run.games, search)) for search in SEARCHES)
    remarks = []
    if minimax_s and negamax_s:
        ratio, paper_ratio = minimax_s / negamax_s, PAPER_MOVE_TIMES_S["minimax"] / PAPER_MOVE_TIMES_S["negamax"]
        times = f"{ratio:.2f} times as long as negamax with a transposition table"
        remarks.append(f"Minimax takes {times}; in the paper {paper_ratio:.2f} times.")
    if not study_data.settings.engines:
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
