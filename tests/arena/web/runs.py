"""Small runs for tests of the report: log events, logs on disk, and the data of a report page."""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from arena.log.events import EngineEntry, GameEnded, MoveEntry, PairEnded, RoundPaired, RunStarted
from arena.log.file import LogWriter, Run
from arena.log.validation import make_tournament, score_pair
from arena.results.outcome import RunOutcome, compute_outcome
from arena.terms.clock import TimeControl
from arena.terms.ending import Ending
from arena.terms.plan import list_pairings
from arena.web.report.page import Report
from core.play.game import Game

# An engine's name or message that closes a script and has markup, entities, quotes and a placeholder of the template.
HOSTILE = "</script><img src=x onerror=alert(1)>&quot;'\"\\u003c{{DATA}}"


def make_header(names: Sequence[str], game: str = "gomoku", **changes: object) -> RunStarted:
    """Return the header of a run between engines with these names; `changes` replace fields."""
    fields: dict[str, object] = {
        "engines": tuple(EngineEntry(name, command=f"./{name}") for name in names),
        "game": game,
        "width": 15,
        "height": 15,
        "variant": "freestyle",
        "games": 2,
        "seed": 1,
        "order": "random",
        "control": TimeControl(move_ms=1000),
        "openings": "",
        "openings_hash": "",
        "concurrency": 1,
        "restart": False,
        "command_line": ("pentad", "match"),
        "versions": {"python": "3.11"},
        "machine": {"cpu": "some"},
        "started": "2026-01-01T00:00:00+00:00",
    }
    return RunStarted(**(fields | changes))  # type: ignore[arg-type]


def make_game(number: int, first: str, second: str, **changes: object) -> GameEnded:
    """Return a game that the first engine wins by five in a row; `changes` replace fields."""
    line = ("h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8")
    entries = tuple(
        MoveEntry(move, time_ms=10 * ply, score=ply, depth=3, nodes=100, side=ply % 2)
        for ply, move in enumerate(line[2:])
    )
    fields: dict[str, object] = {
        "number": number,
        "pair": (number + 1) // 2,
        "first": first,
        "second": second,
        "ending": Ending.WIN,
        "winner": first,
        "blamed": "",
        "detail": "five",
        "opening": line[:2],
        "moves": entries,
    }
    return GameEnded(**(fields | changes))  # type: ignore[arg-type]


def make_outcome(header: RunStarted, *games: GameEnded) -> RunOutcome:
    """Return the outcome of a run whose pairs are all complete."""
    return compute_outcome(Run(header, games, frozenset(game.pair for game in games)))


def write_run(directory: Path, header: RunStarted, games: Sequence[GameEnded]) -> Path:
    """Write a log into a directory and return the directory.

    The header gets the number of games per pairing that `games` has, rounded up.
    """
    pairings = len(list_pairings(len(header.engines)))
    with LogWriter(directory) as log:
        log.write(structs.replace(header, games=-(-len(games) // pairings)))
        for game in games:
            log.write(game)
        for pair in sorted({game.pair for game in games}):
            log.write(PairEnded(pair))
    return directory


def write_rounds(
    directory: Path, header: RunStarted, find_winner: Callable[[str, str], str], max_pairs: int | None = None
) -> Path:
    """Write the log of a Swiss or knock-out into a directory and return the directory.

    `find_winner` returns the winner of a game from the names of its engines, an empty text if it is drawn. With
    `max_pairs` the log ends after this number of pairs.
    """
    names = [engine.name for engine in header.engines]
    tournament = make_tournament(header)
    assert tournament
    with LogWriter(directory) as log:
        log.write(header)
        while stage := tournament.next_stage():
            first_pair = tournament.pair_count + 1
            tournament.add_stage(stage)
            pairings = tuple((names[first], names[second]) for first, second in stage.pairings)
            log.write(RoundPaired(stage.round, pairings, tuple(names[bye] for bye in stage.byes), stage.tie_break))
            for number in range(first_pair, tournament.pair_count + 1):
                if max_pairs is not None and number > max_pairs:
                    return directory
                first, second = (names[engine] for engine in tournament.find_engines(number))
                games = []
                for game_number, (one, other) in enumerate(((first, second), (second, first)), 2 * number - 1):
                    winner = find_winner(one, other)
                    fields = {"winner": winner, "ending": Ending.WIN if winner else Ending.DRAW}
                    games.append(make_game(game_number, one, other, **fields))
                    log.write(games[-1])
                log.write(PairEnded(number))
                tournament.add_pair(number, score_pair(header, tournament, number, games))
    return directory


MOVES_BY_GAME = {  # some moves from the start position
    "gomoku": ("h8", "i9", "g7", "i7", "i8", "g8", "j8", "h9"),
    "hex": ("c2", "f6", "d8", "g7", "h4", "e7"),
    "hive": ("wP", "bG1 -wP", "wQ wP-", "bL \\bG1", "wB1 wP/", "bP -bL", "wB1 bL-", "bQ /bG1"),
    "pentago": ("c3t", "d4v", "b2s", "e5x"),
    "kolibrat": ("b1", "c4", "b1a2", "c4b3", "c1", "a4"),
}


def make_games(game: Game, count: int) -> tuple[RunStarted, list[GameEnded]]:
    """Return header and games of a run of three engines: `count` games with the same moves, won by A on time."""
    setup = game.default_setup
    header = make_header("ABC", game=game.name, width=setup.width, height=setup.height, variant=setup.variant)
    entries = tuple(
        MoveEntry(move, time_ms=40, score=30, depth=ply, nodes=999, side=ply % 2)
        for ply, move in enumerate(MOVES_BY_GAME[game.name], 1)
    )
    fields: dict[str, Any] = {"opening": (), "moves": entries, "ending": Ending.TIME, "winner": "A"}
    games = []
    for number in range(1, count + 1):
        first, second = ("CA", "AB", "BA", "AC")[number % 4]
        games.append(make_game(number, first, second, blamed="C" if "C" in (first, second) else "B", **fields))
    return header, games


def read_report(page: str) -> Report:
    """Return the data of a report page."""
    data = re.search('<script type="text/plain" id="data">([^<]*)</script>', page)
    assert data
    return msgspec.json.decode(gzip.decompress(base64.b64decode(data[1])), type=Report)
