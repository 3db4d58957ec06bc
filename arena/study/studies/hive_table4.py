"""Table 4 of the Hive thesis (Urban Pettersson, "AI för Hive", KTH 2014): its eight players against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.log.file import Run
from arena.options.match import MatchOptions
from arena.study.game_statistics import Score, count_scores, format_share, total_score
from arena.study.study import Cell, Chart, Curve, Findings, Study, StudyGames, StudyReport, StudyTable, StudyTerms
from arena.terms.ending import Ending

PART_NAME = "games"
# Engines by the thesis' abbreviations of its players. Minimax plays a random move within `delta` of the best
# score. The thesis says only that delta is small; 4 is the smallest evaluation weight of a tile that can move.
PLAYERS = {
    "Ra": "random",
    "Ag": "aggro",
    "Gr": "greedy",
    "M2": "minimax:depth=2,delta=4",
    "M3": "minimax:depth=3,delta=4",
    "A2": "alphabeta:depth=2",
    "A3": "alphabeta:depth=3",
    "A4": "alphabeta:depth=4",
}
# By (row, column) of the thesis' table: games that the row won and that the column won; the other games of the hundred
# reached the move limit.
PAPER_WINS = {
    ("Ra", "Ag"): (0, 36), ("Ra", "Gr"): (0, 99), ("Ra", "M2"): (0, 94), ("Ra", "M3"): (0, 98), ("Ra", "A2"): (0, 85),
    ("Ra", "A3"): (0, 99), ("Ra", "A4"): (0, 87), ("Ag", "Gr"): (9, 26), ("Ag", "M2"): (0, 11), ("Ag", "M3"): (1, 9),
    ("Ag", "A2"): (0, 12), ("Ag", "A3"): (3, 10), ("Ag", "A4"): (1, 12), ("Gr", "M2"): (9, 75), ("Gr", "M3"): (12, 69),
    ("Gr", "A2"): (15, 51), ("Gr", "A3"): (4, 74), ("Gr", "A4"): (10, 76), ("M2", "M3"): (4, 78),
    ("M2", "A2"): (13, 19), ("M2", "A3"): (6, 76), ("M2", "A4"): (8, 55), ("M3", "A2"): (39, 6), ("M3", "A3"): (18, 41),
    ("M3", "A4"): (20, 52), ("A2", "A3"): (22, 35), ("A2", "A4"): (0, 27), ("A3", "A4"): (41, 57),
}  # fmt: skip
PAPER_GAMES = 100  # per pairing
GAMES, QUICK_GAMES = 100, 2  # per pairing
MAX_PLIES = 200
MOVE_LIMIT_S = "600"  # per move; long enough for the players' fixed depths
MIN_REPORTED_DIFFERENCE = 0.25  # of a pairing's score from the paper's
ScoresByPairing = dict[tuple[str, str], Score]


def plan(terms: StudyTerms) -> Sequence[StudyGames]:
    """Return one round robin of all players."""
    options = MatchOptions(
        game="hive",
        rule="Base",
        engine=[f"player={player},name={name}" for name, player in PLAYERS.items()],
        games=QUICK_GAMES if terms.quick else GAMES,
        max_plies=MAX_PLIES,
        tc=MOVE_LIMIT_S,
    )
    return [StudyGames(PART_NAME, options)]


def analyse(findings: Findings) -> StudyReport:
    """Return a cross table, and the scores of pairings and of players beside the paper's."""
    run = findings.runs[PART_NAME]
    scores = count_scores(run.games)
    paper_scores = _paper_scores()
    tables = [
        _make_cross_table(scores),
        _make_pairing_table(run, scores, paper_scores),
        _make_total_table(scores, paper_scores),
    ]
    names = list(PLAYERS)
    curves = [
        Curve("ours", names, [total_score(scores, name).share for name in names]),
        Curve("paper", names, [total_score(paper_scores, name).share for name in names], is_paper=True),
    ]
    chart = Chart("Hive, players of the thesis", "", "share of points", curves, bars=True)
    return StudyReport(tables, [chart], _list_remarks(run, scores, paper_scores))


def _paper_scores() -> ScoresByPairing:
    """Return the paper's results for both orders of each pairing; games at the move limit are draws."""
    scores = {}
    for (row, column), (won, lost) in PAPER_WINS.items():
        scores[row, column] = Score(won, PAPER_GAMES - won - lost, lost)
        scores[column, row] = Score(lost, PAPER_GAMES - won - lost, won)
    return scores


def _make_cross_table(scores: ScoresByPairing) -> StudyTable:
    rows: list[list[Cell]] = []
    for i, row in enumerate(PLAYERS):
        row_scores = [scores.get((row, column)) if j > i else None for j, column in enumerate(PLAYERS)]
        rows.append([row, *(f"{score.won},{score.lost}" if score else "" for score in row_scores)])
    return StudyTable("Games won by the row and by the column:", ("", *PLAYERS), rows)


def _make_pairing_table(run: Run, scores: ScoresByPairing, paper_scores: ScoresByPairing) -> StudyTable:
    """Return the results of each pairing beside the paper's."""
    capped = Counter(frozenset((game.first, game.second)) for game in run.games if game.ending is Ending.MOVE_CAP)
    rows: list[list[Cell]] = []
    for pairing in PAPER_WINS:
        score, paper = scores.get(pairing, Score()), paper_scores[pairing]
        ours: list[Cell] = [score.won, score.drawn, score.lost, capped[frozenset(pairing)], format_share(score.share)]
        rows.append(["-".join(pairing), *ours, paper.won, paper.drawn, paper.lost, format_share(paper.share)])
    headings = ("pairing", "won", "drawn", "lost", "capped", "score", "paper won", "drawn", "lost", "score")
    return StudyTable(f"Results by pairing; capped: drawn at {MAX_PLIES} plies:", headings, rows)


def _make_total_table(scores: ScoresByPairing, paper_scores: ScoresByPairing) -> StudyTable:
    rows = []
    for name, player in PLAYERS.items():
        shares = (total_score(results, name).share for results in (scores, paper_scores))
        rows.append((name, player, *map(format_share, shares)))
    return StudyTable("Scores against all others:", ("", "player", "ours", "paper"), rows)


def _list_remarks(run: Run, scores: ScoresByPairing, paper_scores: ScoresByPairing) -> list[str]:
    differing = []
    for pairing in PAPER_WINS:
        ours, paper = scores.get(pairing, Score()).share, paper_scores[pairing].share
        if ours is not None and paper is not None and abs(ours - paper) >= MIN_REPORTED_DIFFERENCE:
            differing.append(f"{'-'.join(pairing)} {ours:.0%} ({paper:.0%})")
    limit = f"{100 * MIN_REPORTED_DIFFERENCE:.0f} percentage points or more"
    remarks = [f"Scores that differ by {limit} from the paper's (in parentheses): {', '.join(differing) or 'none'}."]
    aggro_games = [game for game in run.games if "Ag" in (game.first, game.second)]
    capped = sum(game.ending is Ending.MOVE_CAP for game in aggro_games)
    if aggro_games:
        remarks.append(
            f"Of aggro's games {capped / len(aggro_games):.0%} reached the move limit; in the paper, which suspects a "
            f"bug in its aggro, {_paper_capped_share('Ag'):.0%} did."
        )
    return remarks


def _paper_capped_share(name: str) -> float:
    """Return the share of a player's games in the paper that reached the move limit."""
    results = [result for pairing, result in PAPER_WINS.items() if name in pairing]
    return 1 - sum(map(sum, results)) / (PAPER_GAMES * len(results))


HIVE_TABLE4 = Study(
    name="hive-table4",
    help="the Hive thesis' table 4: its eight players against each other",
    plan=plan,
    analyse=analyse,
    duration="about twenty minutes",
)
