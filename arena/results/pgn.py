"""Results of games as PGN headers with an empty move list, the input of the rating programs BayesElo and Ordo.

White is the engine that moves first. Void games are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from arena.log.events import GameEnded, RunStarted

UNKNOWN, UNKNOWN_DATE = "?", "????.??.??"  # of PGN
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}  # by the score of White


@dataclass(frozen=True)
class GameScore:
    """A game that counts."""

    pair: int  # number of its pair in the run, from 1
    first: str  # name of the engine that moves first
    second: str
    score: float  # of the first engine


def list_played(games: Iterable[GameEnded]) -> list[GameScore]:
    """Return the games that count."""
    return [
        GameScore(game.pair, game.first, game.second, game.score(game.first)) for game in games if game.ending.counts
    ]


def format_pgn(header: RunStarted, games: Iterable[GameScore]) -> str:
    """Return the games of a run.

    The round is the number of the pair, and the date that of the start of the run. Without an event name the event is
    the game and its variant.
    """
    event = header.event_name or describe_rules(header.game, header.variant, header.width, header.height)
    common = {"Event": event, "Site": header.site or UNKNOWN, "Date": _format_date(header.started)}
    texts = []
    for game in games:
        result = RESULTS[game.score]
        tags = common | {"Round": str(game.pair), "White": game.first, "Black": game.second, "Result": result}
        texts.append("".join(f"[{tag} {_quote(value)}]\n" for tag, value in tags.items()) + f"\n{result}\n")
    return "\n".join(texts)


def describe_rules(game: str, variant: str, width: int, height: int) -> str:
    """Return the game, its variant and its board as text; the board is left out if the variant names it."""
    board = f"{width}x{height}"
    return f"{game} {variant}" + (f" {board}" if width and not variant.startswith(board) else "")


def _format_date(started: str) -> str:
    """Return the date of an ISO time in PGN's form."""
    try:
        return f"{datetime.fromisoformat(started):%Y.%m.%d}"
    except ValueError:  # a log that was edited by hand
        return UNKNOWN_DATE


def _quote(value: str) -> str:
    """Return a PGN string token."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
