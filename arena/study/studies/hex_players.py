"""The Hex paper's five players against each other on 7x7 (PROP, the IAHex family)."""

from __future__ import annotations

from collections.abc import Sequence

from arena.options.match import MatchOptions
from arena.study.cross import count_distinct, list_shares, make_cross_table
from arena.study.study import Chart, Curve, Findings, Study, StudyGames, StudyReport, StudyTerms

PLAYERS = ("sexsearch", "queenbee", "potentials", "minimax", "negamontescout")
SIZE = 7
GAMES, QUICK_GAMES = 100, 2  # of each two
PATIENCE_S = "600"  # a move: the players' depths end it
PARTS = {  # what its games are, and the players' parameters and rule
    "opening-moves": ("with the players' opening moves", "opening=yes", "standard"),
    "no-opening-moves": ("without them", "opening=no", "standard"),
    "swap": ("with them and the swap rule", "opening=yes", "swap"),
}


def plan(terms: StudyTerms) -> Sequence[StudyGames]:
    """A round robin for each way to begin."""
    games = QUICK_GAMES if terms.quick else GAMES
    return [
        StudyGames(
            name,
            MatchOptions(
                game="hex",
                engine=[f"player={player}:{parameters},name={player}" for player in PLAYERS],
                games=games,
                size=SIZE,
                rule=rule,
                tc=PATIENCE_S,
            ),
        )
        for name, (_, parameters, rule) in PARTS.items()
    ]


def analyse(findings: Findings) -> StudyReport:
    """A cross table for each way to begin; the chart sets the players' scores side by side."""
    tables, curves, remarks = [], [], []
    for name, (about, _, _) in PARTS.items():
        run = findings.runs[name]
        tables.append(make_cross_table(f"Games won by the row, 7x7, {about}:", run))
        curves.append(Curve(about, PLAYERS, list_shares(run)))
        first = sum(game.winner == game.first for game in run.games)
        differ = f"{count_distinct(run)} of {len(run.games)} games differ"
        remarks.append(f"{about}: {differ}; who began won {first / len(run.games):.0%}.")
    chart = Chart("Hex 7x7, the paper's players", "", "share of points", curves, bars=True)
    if _same_games(findings, "opening-moves", "swap"):
        remarks.append("None of the five ever swaps: the games by the swap rule are those of the first table.")
    return StudyReport(tables, [chart], remarks)


def _same_games(findings: Findings, *parts: str) -> bool:
    lines = [[game.all_moves for game in findings.runs[part].games] for part in parts]
    return all(each == lines[0] for each in lines)


HEX_PLAYERS = Study(
    name="hex-players",
    help="the five Hex players of the PROP paper on 7x7, with and without opening moves, and with the swap",
    plan=plan,
    analyse=analyse,
    duration="about ten minutes",
)
