"""A finished game as data for the report's page: positions as changes of scenes, and the search info of the engines.

A scene (core/play/scene.py) is the drawing of a position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from arena.errors import CommandFailedError
from arena.log.engine_output import truncate_text
from arena.log.events import GameEnded, MoveEntry
from arena.results.game_records import GAMES_FOLDER, join_moves, list_record_files
from arena.web.report.changes import Change, describe_change
from arena.web.report.figures import MoveTime
from core.play.game import Position
from core.play.player import IllegalMove
from core.play.scene import Painter

MAX_STDERR_LENGTH = 6000  # characters of an engine's standard error per game; the log has more

SearchInfo = tuple[int | str | None, ...]  # score, win_in, depth, nodes, result, as in `MoveEntry`; None: not reported


class Replay(msgspec.Struct, frozen=True):
    """A game to step through. Fields "per move" have an entry for each move, including those of the opening."""

    number: int
    pair: int
    first: int  # index of the engine that began
    second: int
    winner: int  # index of the engine; -1 for none
    blamed: int  # likewise: the engine that lost by its own fault or could not start
    ending: str
    detail: str  # more about the ending, for people
    opening: int  # number of moves that the opening has
    moves: tuple[str, ...]
    sides: tuple[int, ...]  # 0 or 1 per move: the side that made it; one more entry for the side to move at the end
    times_ms: tuple[int | None, ...]  # per move; None in the opening
    search_info: tuple[SearchInfo | None, ...]  # per move, for the side that moved; None if nothing was reported
    pvs: tuple[str, ...]  # per move: reported principal variation
    messages: tuple[tuple[str, ...], ...]  # per move: other lines that the engine printed
    final_messages: tuple[str, ...]  # lines of the blamed engine, else of the one to move, since its last move
    stderr: tuple[str, ...]  # standard error of first and second; empty if neither wrote any
    changes: tuple[Change, ...]  # from an empty board to the start position, then per move
    records: tuple[str, ...]  # paths of the game's files, relative to the run's folder
    review: str = ""  # path of the page of its review, relative to the run's folder; empty if there is none


def replay_game(
    position: Position, painter: Painter, game: GameEnded, names: Sequence[str], formats: Sequence[str]
) -> Replay:
    """Return a game of the log as a replay; raise CommandFailedError if a move is illegal.

    `position` is the start position; the game is played on it and taken back, which is faster than a new position for
    each game. `formats` are the file formats of the run's game records.
    """
    scene = painter.make_scene(position)
    changes, sides = [describe_change(None, scene)], [position.to_move]
    for move in game.all_moves:
        try:
            position.play(move)
        except IllegalMove as error:
            raise CommandFailedError(f"game {game.number} of the log: {error}") from None
        previous, scene = scene, painter.make_scene(position)
        changes.append(describe_change(previous, scene))
        sides.append(position.to_move)
    for _ in game.all_moves:
        position.undo()
    opening = len(game.opening)
    return Replay(
        number=game.number,
        pair=game.pair,
        first=names.index(game.first),
        second=names.index(game.second),
        winner=names.index(game.winner) if game.winner else -1,
        blamed=names.index(game.blamed) if game.blamed else -1,
        ending=game.ending.value,
        detail=game.detail,
        opening=opening,
        moves=game.all_moves,
        sides=tuple(sides),
        times_ms=(*[None] * opening, *(entry.time_ms for entry in game.moves)),
        search_info=(*[None] * opening, *map(_list_search_info, game.moves)),
        pvs=(*[""] * opening, *(join_moves(entry.pv) for entry in game.moves)),
        messages=(*[()] * opening, *(entry.messages for entry in game.moves)),
        final_messages=game.messages,
        stderr=tuple(truncate_text(text.rstrip(), MAX_STDERR_LENGTH) for text in game.stderr),
        changes=tuple(changes),
        records=tuple(f"{GAMES_FOLDER}/{name}" for name in list_record_files(formats, game)),
    )


def list_times(replay: Replay, names: Sequence[str]) -> Iterator[MoveTime]:
    """Yield the time of each move after the opening. `replay.sides` says who moved, as Kolibrat may skip a side."""
    numbers = [0, 0]
    engines = (names[replay.first], names[replay.second])
    for side, time_ms in zip(replay.sides, replay.times_ms, strict=False):  # `sides` has one entry more
        if time_ms is not None:
            yield MoveTime(engines[side], numbers[side], time_ms)
            numbers[side] += 1


def _list_search_info(entry: MoveEntry) -> SearchInfo | None:
    info = (entry.score, entry.win_in, entry.depth, entry.nodes, entry.result or None)
    return None if all(value is None for value in info) else info
