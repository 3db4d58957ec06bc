"""A finished game as the report's page replays it: scenes as changes, and what the engines told, ply by ply."""

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

MOST_STDERR = 6000  # characters of an engine's standard error in a game; the log and the text beside it have more


class Replay(msgspec.Struct, frozen=True):
    """A game. Lists of plies are as long as the game, opening included; `changes` has the start position before them.

    `told` is what the engine that moved said: score for its own side, plies to the end it claims, depth, nodes, a
    result that it claims without plies.
    `expected` is its main line, `words` are its messages; `last_words` are those of who did not move any more.
    `stderr` is what the first and the second wrote to their standard error in the whole game.
    """

    number: int
    pair: int
    first: int  # index of the engine
    second: int
    winner: int  # index of the engine, -1 for none
    blamed: int  # the same
    ending: str
    detail: str
    opening: int  # plies
    moves: tuple[str, ...]
    sides: tuple[int, ...]  # 0 or 1: who made each move, and who would go on after the last
    times: tuple[int | None, ...]
    told: tuple[tuple[int | str | None, ...] | None, ...]
    expected: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    last_words: tuple[str, ...]
    stderr: tuple[str, ...]  # none where both were silent
    changes: tuple[Change, ...]
    records: tuple[str, ...]  # paths of the game's files, from the run's folder


def replay_game(
    position: Position, painter: Painter, played: GameEnded, names: Sequence[str], formats: Sequence[str]
) -> Replay:
    """Play a game of the log again; raise CommandFailedError where its moves are not legal on our board.

    `formats` are those of its records.

    `position` is at the start before and after: to make a new one takes longer than a whole game.
    """
    scene = painter.make_scene(position)
    changes, sides = [describe_change(None, scene)], [position.to_move]
    for move in played.all_moves:
        try:
            position.play(move)
        except IllegalMove as error:
            raise CommandFailedError(f"game {played.number} of the log: {error}") from None
        before, scene = scene, painter.make_scene(position)
        changes.append(describe_change(before, scene))
        sides.append(position.to_move)
    for _ in played.all_moves:
        position.undo()
    skipped = [None] * len(played.opening)
    return Replay(
        number=played.number,
        pair=played.pair,
        first=names.index(played.first),
        second=names.index(played.second),
        winner=names.index(played.winner) if played.winner else -1,
        blamed=names.index(played.blamed) if played.blamed else -1,
        ending=played.ending.value,
        detail=played.detail,
        opening=len(played.opening),
        moves=played.all_moves,
        sides=tuple(sides),
        times=(*skipped, *(entry.time_ms for entry in played.moves)),
        told=(*skipped, *map(_tell, played.moves)),
        expected=(*("" for _ in skipped), *(join_moves(entry.pv) for entry in played.moves)),
        words=(*(() for _ in skipped), *(entry.messages for entry in played.moves)),
        last_words=played.messages,
        stderr=tuple(truncate_text(text.rstrip(), MOST_STDERR) for text in played.stderr),
        changes=tuple(changes),
        records=tuple(f"{GAMES_FOLDER}/{name}" for name in list_record_files(formats, played)),
    )


def list_times(replay: Replay, names: Sequence[str]) -> Iterator[MoveTime]:
    """The time of each move after the opening. Who moved is what our board says: in Kolibrat a side may be skipped."""
    numbers = [0, 0]
    engines = (names[replay.first], names[replay.second])
    for side, time_ms in zip(replay.sides, replay.times, strict=False):
        if time_ms is not None:
            yield MoveTime(engines[side], numbers[side], time_ms)
            numbers[side] += 1


def _tell(entry: MoveEntry) -> tuple[int | str | None, ...] | None:
    told = (entry.score, entry.win_in, entry.depth, entry.nodes, entry.result or None)
    return None if not any(value is not None for value in told) else told
