"""Table 4 of the Hive thesis (Pettersson, AI för Hive, KTH 2014): its eight players against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.log.file import Run
from arena.options.match import MatchOptions
from arena.study.readings import Score, count_scores, total_score
from arena.study.study import Cell, Chart, Curve, Findings, Study, StudyGames, StudyReport, StudyTable, StudyTerms
from arena.terms.ending import Ending

PART = "games"
# The thesis calls its delta small and gives no number: it is 4 here, the least weight of a tile that can move.
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
# By row and column: games of a hundred that the row won, and that the column won; the rest ran out of moves.
PAPER = {
    ("Ra", "Ag"): (0, 36), ("Ra", "Gr"): (0, 99), ("Ra", "M2"): (0, 94), ("Ra", "M3"): (0, 98), ("Ra", "A2"): (0, 85),
    ("Ra", "A3"): (0, 99), ("Ra", "A4"): (0, 87), ("Ag", "Gr"): (9, 26), ("Ag", "M2"): (0, 11), ("Ag", "M3"): (1, 9),
    ("Ag", "A2"): (0, 12), ("Ag", "A3"): (3, 10), ("Ag", "A4"): (1, 12), ("Gr", "M2"): (9, 75), ("Gr", "M3"): (12, 69),
    ("Gr", "A2"): (15, 51), ("Gr", "A3"): (4, 74), ("Gr", "A4"): (10, 76), ("M2", "M3"): (4, 78),
    ("M2", "A2"): (13, 19), ("M2", "A3"): (6, 76), ("M2", "A4"): (8, 55), ("M3", "A2"): (39, 6), ("M3", "A3"): (18, 41),
    ("M3", "A4"): (20, 52), ("A2", "A3"): (22, 35), ("A2", "A4"): (0, 27), ("A3", "A4"): (41, 57),
}  # fmt: skip
PAPER_GAMES = 100  # a pair
GAMES, QUICK_GAMES = 100, 2
MOST_PLIES = 200
PATIENCE_S = "600"  # a move: the players' depths end it
FAR = 0.25  # difference of a pair's score that is told


def plan(terms: StudyTerms) -> Sequence[StudyGames]:
    """One round robin."""
    request = MatchOptions(
        game="hive",
        rule="Base",
        engine=[f"player={player},name={name}" for name, player in PLAYERS.items()],
        games=QUICK_GAMES if terms.quick else GAMES,
        max_plies=MOST_PLIES,
        tc=PATIENCE_S,
    )
    return [StudyGames(PART, request)]


def analyse(findings: Findings) -> StudyReport:
    """The cross table, the pairs beside the paper's, and each player's score beside its own there."""
    run = findings.runs[PART]
    scores = count_scores(run.games)
    theirs = _paper_scores()
    tables = [_make_cross(scores), _make_pairs(run, scores, theirs), _make_totals(scores, theirs)]
    names = list(PLAYERS)
    curves = [
        Curve("ours", names, [total_score(scores, name).share for name in names]),
        Curve("paper", names, [total_score(theirs, name).share for name in names], is_paper=True),
    ]
    chart = Chart("Hive, players of the thesis", "", "share of points", curves, bars=True)
    return StudyReport(tables, [chart], _list_remarks(run, scores, theirs))


def _paper_scores() -> dict[tuple[str, str], Score]:
    """The paper's results both ways round, games that ran out of moves as draws."""
    found = {}
    for (row, column), (won, lost) in PAPER.items():
        found[row, column] = Score(won, PAPER_GAMES - won - lost, lost)
        found[column, row] = Score(lost, PAPER_GAMES - won - lost, won)
    return found


def _make_cross(scores: dict[tuple[str, str], Score]) -> StudyTable:
    rows: list[list[Cell]] = []
    for place, row in enumerate(PLAYERS):
        found = [scores.get((row, column)) if later > place else None for later, column in enumerate(PLAYERS)]
        rows.append([row, *(f"{score.won},{score.lost}" if score else "" for score in found)])
    return StudyTable("Games won by the row and by the column:", ("", *PLAYERS), rows)


def _make_pairs(run: Run, scores: dict[tuple[str, str], Score], theirs: dict[tuple[str, str], Score]) -> StudyTable:
    """Each pair beside the paper's."""
    capped = Counter(frozenset((game.first, game.second)) for game in run.games if game.ending is Ending.MOVE_CAP)
    rows: list[list[Cell]] = []
    for pair in PAPER:
        score, their = scores.get(pair, Score()), theirs[pair]
        ours: list[Cell] = [score.won, score.drawn, score.lost, capped[frozenset(pair)], _format_share(score)]
        rows.append(["-".join(pair), *ours, their.won, their.drawn, their.lost, _format_share(their)])
    headings = ("pair", "won", "drawn", "lost", "capped", "score", "paper won", "drawn", "lost", "score")
    return StudyTable(f"Pair by pair; capped are draws after {MOST_PLIES} moves:", headings, rows)


def _make_totals(scores: dict[tuple[str, str], Score], theirs: dict[tuple[str, str], Score]) -> StudyTable:
    rows = [
        (name, player, _format_share(total_score(scores, name)), _format_share(total_score(theirs, name)))
        for name, player in PLAYERS.items()
    ]
    return StudyTable("Scores against all others:", ("", "player", "ours", "paper"), rows)


def _list_remarks(run: Run, scores: dict[tuple[str, str], Score], theirs: dict[tuple[str, str], Score]) -> list[str]:
    far = []
    for pair in PAPER:
        ours, paper = scores.get(pair, Score()).share, theirs[pair].share
        if ours is not None and paper is not None and abs(ours - paper) >= FAR:
            far.append(f"{'-'.join(pair)} {ours:.0%} ({paper:.0%})")
    aggro = [game for game in run.games if "Ag" in (game.first, game.second)]
    capped = sum(game.ending is Ending.MOVE_CAP for game in aggro)
    told = [f"Scores a quarter or more off the paper's, which stand in brackets: {', '.join(far) or 'none'}."]
    if aggro:
        told.append(
            f"Of aggro's games {capped / len(aggro):.0%} ran out of moves; in the paper, which suspects a fault in its "
            f"own, {_paper_capped('Ag'):.0%} did."
        )
    return told


def _paper_capped(name: str) -> float:
    """The share of a player's games in the paper that nobody won."""
    own = [result for pair, result in PAPER.items() if name in pair]
    return 1 - sum(map(sum, own)) / (PAPER_GAMES * len(own))


def _format_share(score: Score) -> str | None:
    return None if score.share is None else f"{score.share:.0%}"


HIVE_TABLE4 = Study(
    name="hive-table4",
    help="the Hive thesis' table 4: its eight players against each other",
    plan=plan,
    analyse=analyse,
    duration="about twenty minutes",
)
