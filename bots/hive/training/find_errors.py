"""Finds errors of the engine in lost games: `python -m bots.hive.training.find_errors RUN FILE.sgf ... --out FILE`.

An error is a position whose score by a short search is far from the score by a search of 100 times the nodes. RUN is
the folder of a match, from whose log the games are taken that `--loser` lost or drew. A file of boardspace.net counts
if a program lost it or drew. Of each game the positions are searched in which the loser was to move.

Each position becomes a line of JSON in FILE. A position that FILE has already is not searched again, so an interrupted
command can be repeated. At the end a table of the kinds of errors (error_kinds.py) is printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bots.hive.boardspace import replay_game
from bots.hive.engine import ENGINE_OPTIONS, HiveEngine
from bots.hive.openings import has_queens
from bots.hive.training.error_kinds import ComparedPosition, format_table
from core.play.game import FIRST, SECOND
from core.play.options import OptionSet
from core.play.player import BadSetup, Limits, Setup

NODES, FACTOR = 5_000, 100  # of the short search; how many times as many the long search has
PROGRAMS = ("WeakBot", "Dumbot", "SmartBot")  # beginnings of the names of boardspace.net's programs


@dataclass(frozen=True)
class LostGame:
    """A game that `loser` (0 white, 1 black) lost or drew."""

    name: str
    variant: str
    moves: list[str]  # in UHP
    opening_length: int  # number of leading moves that nobody chose
    loser: int


def lost_games_of_run(folder: Path, loser: str) -> Iterator[LostGame]:
    """Yield the games of a match that an engine lost or drew by the rules."""
    with (folder / "log.jsonl").open(encoding="utf-8") as lines:
        events = [json.loads(line) for line in lines]
    for event in events:
        if event["event"] == "end" and event["ending"] in ("win by rule", "draw by rule") and event["winner"] != loser:
            opening, side = event["opening"], int(event["first"] != loser)
            moves = [*opening, *(entry["move"] for entry in event["moves"])]
            yield LostGame(f"{folder.name} {event['number']}", events[0]["variant"], moves, len(opening), side)


def lost_games_of_file(file: Path) -> Iterator[LostGame]:
    """Yield the game of a file of boardspace.net if a program lost it or drew, as far as it can be replayed."""
    try:
        game = replay_game(file.read_text(encoding="utf-8", errors="replace"))
    except BadSetup:
        return  # another game than Hive
    outcome = game.position.outcome()
    winner = outcome.winner if outcome else None if game.resigned is None else 1 - game.resigned
    for side in (FIRST, SECOND):
        if game.names[side].startswith(PROGRAMS) and winner != side:
            yield LostGame(file.stem, game.position.setup.variant, list(game.position.moves), 0, side)


def search_games(
    games: Sequence[LostGame], nodes: int, factor: int, is_known: Callable[[str, int], bool]
) -> Iterator[ComparedPosition]:
    """Yield the positions in which the loser was to move, with the results of both searches.

    Leave out positions of the opening, before both queens are in play, with a single legal move, and with a result that
    the short search proves. Leave out those for whose game and ply `is_known` returns true.
    """
    engine = HiveEngine(OptionSet(ENGINE_OPTIONS))
    for game in games:
        engine.new_game(Setup(variant=game.variant))
        for ply in range(game.opening_length, len(game.moves)):
            engine.set_position(game.moves[:ply])
            state = engine.position.state
            if state.side != game.loser or is_known(game.name, ply) or not has_queens(engine.position):
                continue
            engine.clear_hash()
            short = engine.choose(Limits(nodes=nodes))
            if short.note == "only move" or short.progress.result:
                continue
            long = engine.choose(Limits(nodes=nodes * factor)).progress
            scores = engine.position.library.evaluate(state), short.progress.score, long.score
            lines = list(short.progress.pv), list(long.pv)
            yield ComparedPosition(game.name, game.variant, game.moves[:ply], game.moves[ply], *scores, *lines)


def read_positions(file: Path) -> list[ComparedPosition]:
    """Return the positions in a file of this command; none if there is no file yet."""
    if not file.exists():
        return []
    return [ComparedPosition(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Search the positions of lost games and print the table of kinds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path, nargs="*", help="folders of matches, and files of boardspace.net")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="positions, a line of JSON each")
    parser.add_argument("--loser", default="pentad", help="name of the engine in the matches (default %(default)s)")
    parser.add_argument("--nodes", type=int, default=NODES, help="nodes of the short search (default %(default)s)")
    parser.add_argument("--factor", type=int, default=FACTOR, help="nodes of the long search by the short one's")
    options = parser.parse_args(arguments)
    games: list[LostGame] = []
    for source in options.sources:
        games += lost_games_of_run(source, options.loser) if source.is_dir() else lost_games_of_file(source)
    positions = read_positions(options.out)
    known = {(position.game, len(position.moves)) for position in positions}
    with options.out.open("a", encoding="utf-8") as out:
        for position in search_games(games, options.nodes, options.factor, lambda *key: key in known):
            out.write(json.dumps(vars(position)) + "\n")
            out.flush()
            positions.append(position)
    print(f"{len(games)} games, {len(positions)} positions", file=sys.stderr)
    print(format_table(positions))


if __name__ == "__main__":
    main()
