"""Table 4 of the Hive thesis (Urban Pettersson, "AI för Hive", KTH 2014): its eight players against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.log.file import Run
from arena.options.match import MatchOptions
from arena.study.game_statistics import Score, count_scores, format_share, total_score
from arena.study.study import Cell, Chart, Curve, MatchPart, Study, StudyData, StudyReport, StudySettings, StudyTable
from arena.terms.ending import Ending

PART_NAME = "games"  # of the study's only part
# By the thesis' abbreviation of each of its players: our player and its options. Minimax plays a random move whose
# score is within `delta` of the best. The thesis says only that delta is small; 4 is the smallest evaluation weight of
# a tile that can move.
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
# By (row, column) of the thesis' table: games that the row's player won, and games that the column's player won. The
# other games of the hundred reached the move limit.
THESIS_WINS = {
    ("Ra", "Ag"): (0, 36), ("Ra", "Gr"): (0, 99), ("Ra", "M2"): (0, 94), ("Ra", "M3"): (0, 98), ("Ra", "A2"): (0, 85),
    ("Ra", "A3"): (0, 99), ("Ra", "A4"): (0, 87), ("Ag", "Gr"): (9, 26), ("Ag", "M2"): (0, 11), ("Ag", "M3"): (1, 9),
    ("Ag", "A2"): (0, 12), ("Ag", "A3"): (3, 10), ("Ag", "A4"): (1, 12), ("Gr", "M2"): (9, 75), ("Gr", "M3"): (12, 69),
    ("Gr", "A2"): (15, 51), ("Gr", "A3"): (4, 74), ("Gr", "A4"): (10, 76), ("M2", "M3"): (4, 78),
    ("M2", "A2"): (13, 19), ("M2", "A3"): (6, 76), ("M2", "A4"): (8, 55), ("M3", "A2"): (39, 6), ("M3", "A3"): (18, 41),
    ("M3", "A4"): (20, 52), ("A2", "A3"): (22, 35), ("A2", "A4"): (0, 27), ("A3", "A4"): (41, 57),
}  # fmt: skip
THESIS_GAME_COUNT = 100  # per pairing, in the thesis
GAME_COUNT, QUICK_GAME_COUNT = 100, 2  # per pairing, in the complete and the quick study
MAX_PLIES = 200  # length at which a game is a draw, as in the thesis
MOVE_LIMIT_S = "600"  # per move (text for --tc); so long that the fixed depths end the searches
MIN_REPORTED_DIFFERENCE = 0.25  # of a pairing's score (0..1) from the thesis' score
ScoresByPairing = dict[tuple[str, str], Score]  # (A, B): the score of A against B


def plan(settings: StudySettings) -> Sequence[MatchPart]:
    """Return one round robin of all players."""
    options = MatchOptions(
        game="hive",
        rule="Base",
        engine=[f"player={player},name={name}" for name, player in PLAYERS.items()],
        games=QUICK_GAME_COUNT if settings.quick else GAME_COUNT,
        max_plies=MAX_PLIES,
        tc=MOVE_LIMIT_S,
    )
    return [MatchPart(PART_NAME, options)]


def analyse(study_data: StudyData) -> StudyReport:
    """Return a cross table, and the scores of pairings and of players beside the thesis'."""
    run = study_data.runs[PART_NAME]
    scores = count_scores(run.games)
    thesis_scores = _make_thesis_scores()
    tables = [
        _make_cross_table(scores),
        _make_pairing_table(run, scores, thesis_scores),
        _make_total_table(scores, thesis_scores),
    ]
    names = list(PLAYERS)
    curves = [
        Curve("ours", names, [total_score(scores, name).share for name in names]),
        Curve("thesis", names, [total_score(thesis_scores, name).share for name in names], is_paper=True),
    ]
    chart = Chart("Hive, players of the thesis", "", "share of points", curves, bars=True)
    return StudyReport(tables, [chart], _list_remarks(run, scores, thesis_scores))


def _make_thesis_scores() -> ScoresByPairing:
    """Return the thesis' results for both orders of each pairing; games at the move limit are draws."""
    scores = {}
    for (row, column), (won, lost) in THESIS_WINS.items():
        scores[row, column] = Score(won, THESIS_GAME_COUNT - won - lost, lost)
        scores[column, row] = Score(lost, THESIS_GAME_COUNT - won - lost, won)
    return scores


def _make_cross_table(scores: ScoresByPairing) -> StudyTable:
    """Return a table with cells such as `12,3` above its diagonal: games won by the row, by the column."""
    rows: list[list[Cell]] = []
    for i, row in enumerate(PLAYERS):
        row_scores = [scores.get((row, column)) if j > i else None for j, column in enumerate(PLAYERS)]
        rows.append([row, *(f"{score.won},{score.lost}" if score else "" for score in row_scores)])
    return StudyTable("Games won by the row and by the column:", ("", *PLAYERS), rows)


def _make_pairing_table(run: Run, scores: ScoresByPairing, thesis_scores: ScoresByPairing) -> StudyTable:
    """Return the results of each pairing beside the thesis'."""
    # Number of games at the move limit by pairing, in either order of colours
    capped = Counter(frozenset((game.first, game.second)) for game in run.games if game.ending is Ending.MOVE_CAP)
    rows: list[list[Cell]] = []
    for pairing in THESIS_WINS:
        score, thesis = scores.get(pairing, Score()), thesis_scores[pairing]
        ours: list[Cell] = [score.won, score.drawn, score.lost, capped[frozenset(pairing)], format_share(score.share)]
        rows.append(["-".join(pairing), *ours, thesis.won, thesis.drawn, thesis.lost, format_share(thesis.share)])
    headings = ("pairing", "won", "drawn", "lost", "capped", "score", "thesis won", "drawn", "lost", "score")
    return StudyTable(f"Results by pairing; capped: drawn at {MAX_PLIES} plies:", headings, rows)


def _make_total_table(scores: ScoresByPairing, thesis_scores: ScoresByPairing) -> StudyTable:
    rows = []
    for name, player in PLAYERS.items():
        shares = (total_score(results, name).share for results in (scores, thesis_scores))
        rows.append((name, player, *map(format_share, shares)))
    return StudyTable("Scores against all others:", ("", "player", "ours", "thesis"), rows)


def _list_remarks(run: Run, scores: ScoresByPairing, thesis_scores: ScoresByPairing) -> list[str]:
    differing = []
    for pairing in THESIS_WINS:
        ours, thesis = scores.get(pairing, Score()).share, thesis_scores[pairing].share
        if ours is not None and thesis is not None and abs(ours - thesis) >= MIN_REPORTED_DIFFERENCE:
            differing.append(f"{'-'.join(pairing)} {ours:.0%} ({thesis:.0%})")
    limit = f"{100 * MIN_REPORTED_DIFFERENCE:.0f} percentage points or more"
    remarks = [f"Scores that differ by {limit} from the thesis' (in parentheses): {', '.join(differing) or 'none'}."]
    aggro_games = [game for game in run.games if "Ag" in (game.first, game.second)]
    capped = sum(game.ending is Ending.MOVE_CAP for game in aggro_games)
    if aggro_games:
        remarks.append(
            f"Of aggro's games {capped / len(aggro_games):.0%} reached the move limit; in the thesis, which suspects a "
            f"bug in its aggro, {_thesis_capped_share('Ag'):.0%} did."
        )
    return remarks


def _thesis_capped_share(name: str) -> float:
    """Return the share of a player's games in the thesis that reached the move limit."""
    results = [result for pairing, result in THESIS_WINS.items() if name in pairing]
    return 1 - sum(map(sum, results)) / (THESIS_GAME_COUNT * len(results))


HIVE_TABLE4 = Study(
    name="hive-table4",
    help="the Hive thesis' table 4: its eight players against each other",
    plan=plan,
    analyse=analyse,
    duration="about twenty minutes",
)
