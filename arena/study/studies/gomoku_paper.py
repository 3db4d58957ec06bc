"""The experiments of the Waterloo paper on Gomoku: its depth, its two searches, and its games against other brains."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from arena.engines.spec import parse_engines
from arena.log.file import Run
from arena.options.match import MatchOptions
from arena.study.readings import Score, count_scores, list_moves_of, mean_time_s
from arena.study.study import Cell, Chart, Curve, Findings, Study, StudyGames, StudyReport, StudyTable, StudyTerms
from arena.terms.arguments import find_game

BOOK = Path(__file__).parents[2] / "books" / "gomoku-freestyle-15.txt"
DEPTHS = (1, 2, 3, 4)
DEEPEST = DEPTHS[-1]
PATIENCE_S = "600"  # a move: the players' depths end it
OPENINGS, QUICK_OPENINGS = 50, 1  # each twice; a player without chance plays itself twice alike
BRAIN_GAMES, QUICK_BRAIN_GAMES = 20, 2  # of each of ours against each brain, as in the paper
BRAIN_TC = "2"  # s a move, whatever time the paper took
SEARCHES = ("minimax", "negamax")
PAPER_S = {"minimax": 9.24, "negamax": 8.43}  # a turn
PAPER_BRAINS = {"MUSHROOM": (20, 0), "Valkyrie": (18, 2), "PureRocky": (16, 4), "Pisq7": (11, 9), "Noesis": (2, 18)}
OURS = {"paper": f"player=paper:depth={DEEPEST},name=paper", "pentad": "player=pentad,name=pentad"}


def plan(terms: StudyTerms) -> Sequence[StudyGames]:
    """Self-play at each depth, the two searches against each other, and ours against the brains that were given."""
    games = 2 * (QUICK_OPENINGS if terms.quick else OPENINGS)
    found = []
    for depth in DEPTHS:
        engines = [_name_paper(f"depth={depth}", name) for name in "AB"]
        found.append(_plan_games(f"depth-{depth}", engines, games))
    # without the kill search, so that it is the searches that are compared
    methods = [_name_paper(f"depth={DEEPEST},kill=0,search={search}", search) for search in SEARCHES]
    found.append(_plan_games("searches", methods, games))
    brain_games = QUICK_BRAIN_GAMES if terms.quick else BRAIN_GAMES
    for number, brain in enumerate(terms.engines, 1):
        for ours, engine in OURS.items():
            parse_engines([engine, brain], find_game("gomoku"))  # so that mistakes are told before anything is played
            found.append(_plan_games(f"{ours}-brain-{number}", [engine, brain], brain_games, BRAIN_TC))
    return found


def _name_paper(parameters: str, name: str) -> str:
    return f"player=paper:{parameters},name={name}"


def _plan_games(name: str, engines: list[str], games: int, tc: str = PATIENCE_S) -> StudyGames:
    return StudyGames(name, MatchOptions(game="gomoku", engine=engines, games=games, tc=tc, openings=BOOK))


def analyse(findings: Findings) -> StudyReport:
    """Time a move and length by depth, the searches beside the paper's, and the brains."""
    depths = [findings.runs[f"depth-{depth}"] for depth in DEPTHS]
    tables = [_make_depths(depths), _make_searches(findings.runs["searches"]), _make_brains(findings)]
    times, lengths = (Curve("", DEPTHS, [measure(run) for run in depths]) for measure in (_time_s, _length))
    charts = [
        Chart("Gomoku, the paper's player against itself", "depth", "s a move", [times], log_scale=True),
        Chart("Length of its games", "depth", "plies", [lengths]),
    ]
    return StudyReport(tables, charts, _list_remarks(findings))


def _time_s(run: Run) -> float | None:
    return mean_time_s([entry for game in run.games for entry in game.moves])


def _length(run: Run) -> float | None:
    """Plies of a game, its opening included."""
    return fmean(len(game.all_moves) for game in run.games) if run.games else None


def _make_depths(runs: Sequence[Run]) -> StudyTable:
    rows: list[list[Cell]] = []
    for depth, run in zip(DEPTHS, runs, strict=True):
        first = sum(game.winner == game.first for game in run.games)
        drawn = sum(not game.winner for game in run.games)
        distinct = len({game.all_moves for game in run.games})
        rows.append([str(depth), distinct, first, drawn, len(run.games) - first - drawn, _length(run), _time_s(run)])
    headings = ("depth", "different games", "first won", "drawn", "second won", "plies", "s a move")
    return StudyTable("The paper's player against itself, each opening twice:", headings, rows)


def _make_searches(run: Run) -> StudyTable:
    scores = count_scores(run.games)
    rows: list[list[Cell]] = []
    for name, other in (SEARCHES, SEARCHES[::-1]):
        moves = list_moves_of(run.games, name)
        nodes = [entry.nodes for entry in moves if entry.nodes]
        score = scores.get((name, other), Score())
        results: list[Cell] = [score.won, score.drawn, score.lost]
        rows.append([name, *results, fmean(nodes) if nodes else None, mean_time_s(moves), PAPER_S[name]])
    headings = ("search", "won", "drawn", "lost", "nodes a move", "s a move", "paper s")
    return StudyTable(f"Minimax against negamax with a table, depth {DEEPEST}, no kill search:", headings, rows)


def _make_brains(findings: Findings) -> StudyTable:
    """Our two against each brain that was given, the paper's results beside them; then what was not given."""
    rows: list[list[Cell]] = []
    left = list(PAPER_BRAINS)
    for number in range(1, len(findings.terms.engines) + 1):
        runs = [findings.runs[f"{ours}-brain-{number}"] for ours in OURS]
        name = runs[0].names[1]
        scores = [count_scores(run.games).get((ours, name)) for ours, run in zip(OURS, runs, strict=True)]
        known = next((brain for brain in left if brain.lower() in name.lower()), None)  # pbrain-valkyrie, too
        if known:
            left.remove(known)
        rows.append([name, *map(_format_score, scores), _format_paper(known)])
    rows += [[name, None, None, _format_paper(name)] for name in left]
    title = f"Games won, drawn, lost against brains, {BRAIN_TC} s a move:"
    return StudyTable(title, ("brain", *OURS, "in the paper"), rows)


def _format_score(score: Score | None) -> str | None:
    return f"{score.won}, {score.drawn}, {score.lost}" if score else None


def _format_paper(name: str | None) -> str | None:
    return "{}, 0, {}".format(*PAPER_BRAINS[name]) if name else None


def _list_remarks(findings: Findings) -> list[str]:
    run = findings.runs["searches"]
    minimax_s, negamax_s = (mean_time_s(list_moves_of(run.games, search)) for search in SEARCHES)
    told = []
    if minimax_s and negamax_s:
        paper = PAPER_S["minimax"] / PAPER_S["negamax"]
        times = f"{minimax_s / negamax_s:.2f} times as long as negamax with a table; in the paper {paper:.2f} times"
        told.append(f"Minimax takes {times}.")
    if not findings.terms.engines:
        told.append("No brains were given: --engine cmd=./pbrain-valkyrie plays against one; it may be repeated.")
    return told


GOMOKU_PAPER = Study(
    name="gomoku-paper",
    help="the Gomoku paper: time and length by depth, minimax and negamax, and brains given by --engine",
    plan=plan,
    analyse=analyse,
    takes_engines=True,
    duration="a few minutes, and about half an hour for each brain",
)
