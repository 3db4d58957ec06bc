"""The five Hex players of the student paper on Hex (it calls them IAHex) against each other on a 7x7 board.

Every player plays every other one in three parts: with opening moves that it knows, without such moves, and with the
swap rule.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.options.match import MatchOptions
from arena.study.cross_table import count_distinct_games, list_score_shares, make_cross_table
from arena.study.study import Chart, Curve, MatchPart, Study, StudyData, StudyReport, StudySettings

# Names of players in `bots/hex`, which implement the paper's descriptions
PLAYERS = ("sexsearch", "queenbee", "potentials", "minimax", "negamontescout")
SIZE = 7
GAME_COUNT, QUICK_GAME_COUNT = 100, 2  # per pairing
MOVE_LIMIT_S = "600"  # per move (text for --tc); so long that the fixed depths end the searches
# By name of the part: its description in the report, the options of every player, the rule. With `opening=yes` a player
# plays a known opening move on its first turn.
PARTS = {
    "opening-moves": ("with the players' opening moves", "opening=yes", "standard"),
    "no-opening-moves": ("without opening moves", "opening=no", "standard"),
    "swap": ("with opening moves and the swap rule", "opening=yes", "swap"),
}


def plan(settings: StudySettings) -> Sequence[MatchPart]:
    """Return a round robin for each part: with and without known opening moves, and with the swap rule."""
    games = QUICK_GAME_COUNT if settings.quick else GAME_COUNT
    return [
        MatchPart(
            name,
            MatchOptions(
                game="hex",
                engine=[f"player={player}:{options},name={player}" for player in PLAYERS],
                games=games,
                size=SIZE,
                rule=rule,
                tc=MOVE_LIMIT_S,
            ),
        )
        for name, (_, options, rule) in PARTS.items()
    ]


def analyse(study_data: StudyData) -> StudyReport:
    """Return a cross table for each part, and one chart of the players' scores in all parts."""
    tables, curves, remarks = [], [], []
    for name, (description, _, _) in PARTS.items():
        run = study_data.runs[name]
        tables.append(make_cross_table(f"Games won by the row, 7x7, {description}:", run))
        curves.append(Curve(description, PLAYERS, list_score_shares(run)))
        first_wins = sum(game.winner == game.first for game in run.games)
        distinct = f"{count_distinct_games(run)} of {len(run.games)} games are distinct"
        remarks.append(f"{description}: {distinct}; the first side won {first_wins / len(run.games):.0%}.")
    chart = Chart("Hex 7x7, the paper's players", "", "share of points", curves, bars=True)
    if _have_same_games(study_data, "opening-moves", "swap"):
        remarks.append("No player ever swaps: the games with the swap rule are those of the first table.")
    return StudyReport(tables, [chart], remarks)


def _have_same_games(study_data: StudyData, part: str, other_part: str) -> bool:
    """Return whether the games of two parts have the same moves, game by game."""
    moves, other_moves = ([game.all_moves for game in study_data.runs[name].games] for name in (part, other_part))
    return moves == other_moves


HEX_PLAYERS = Study(
    name="hex-players",
    help="the five Hex players of the PROP paper on 7x7, with and without opening moves, and with the swap rule",
    plan=plan,
    analyse=analyse,
    duration="about ten minutes",
)
