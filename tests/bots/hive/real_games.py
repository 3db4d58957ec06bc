"""Real games from tests/data/hive/games.txt, and positions from them, as GameStrings of the Universal Hive Protocol.

A GameString is `TYPE;STATE;TURN;MOVE;MOVE...`. In those of the positions, state and turn are empty.
"""

from __future__ import annotations

from bots.hive.notation import parse_game
from tests.bots.hive.test_perft import DATA

REAL_GAMES = [line for line in (DATA / "games.txt").read_text(encoding="utf-8").splitlines() if line.startswith("Base")]
WON_GAMES = [line for line in REAL_GAMES if "Wins" in line.split(";")[1]]  # the last move surrounds the loser's queen


def truncate_game(line: str, plies: int) -> str:
    """Return the first `plies` plies of a game; -N stands for all but the last N plies."""
    variant, moves = parse_game(line)
    return ";".join((variant, "", "", *moves[:plies]))


# Positions before the last move of a won game, and after the first 10 and 22 plies of each game.
WON_IN_ONE = [truncate_game(line, -1) for line in WON_GAMES]
MIDGAMES = [truncate_game(line, plies) for line in REAL_GAMES for plies in (10, 22)]
