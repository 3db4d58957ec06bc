"""Positions of the real games under tests/data/hive/games.txt, as GameStrings without state and turn."""

from __future__ import annotations

from bots.hive.notation import parse_game
from tests.bots.hive.test_perft import DATA

GAMES = [line for line in (DATA / "games.txt").read_text(encoding="utf-8").splitlines() if line.startswith("Base")]
WON_GAMES = [line for line in GAMES if "Wins" in line.split(";")[1]]  # by the side that moved last


def truncate_game(line: str, plies: int) -> str:
    """The first plies of a game; with a negative number all but the last ones."""
    variant, moves = parse_game(line)
    return ";".join((variant, "", "", *moves[:plies]))


WON_IN_ONE = [truncate_game(line, -1) for line in WON_GAMES]
MIDGAMES = [truncate_game(line, plies) for line in GAMES for plies in (10, 22)]
