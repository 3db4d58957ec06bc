"""Whether the games of a log can be played: their board, and every move by our rules.

What derives from a log takes its moves as they stand there, and so does a run that goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.errors import UsageError
from arena.log.events import RunStarted
from arena.log.file import LOG_NAME, MOST_TOLD, LogError, Run
from arena.terms.arguments import find_game
from core.play.game import Game, Position
from core.play.player import BadSetup, IllegalMove, Setup
from protocols.text import clean_text


def replay_games(directory: Path, run: Run) -> Game:
    """The game of a run that was read from a directory; raise LogError naming the line and the field."""
    line = 1
    try:
        game, position = _find_board(run.header)
        for index, opening in enumerate(run.header.book):
            _play_through(position, ((f"book[{index}]", opening),))
        for played in (*run.games, *run.unfinished):
            line = run.lines[played.number]
            moves = tuple(entry.move for entry in played.moves)
            _play_through(position, (("opening", played.opening), ("moves", moves)))
    except ValueError as error:
        raise LogError(f"{directory / LOG_NAME}, line {line}: {clean_text(str(error), MOST_TOLD)}") from None
    return game


def _find_board(header: RunStarted) -> tuple[Game, Position]:
    """The game and its start; raise ValueError."""
    try:
        game = find_game(header.game)
        return game, game.new_position(Setup(header.width, header.height, header.variant, header.position))
    except UsageError as error:
        raise ValueError(f"game: {error}") from None
    except (BadSetup, IllegalMove) as error:
        raise ValueError(f"width, height, variant, position: {error}") from None


def _play_through(position: Position, lines: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Play named lines one after the other and take all back: a new position costs more; raise ValueError."""
    made = 0
    try:
        for field, moves in lines:
            for index, move in enumerate(moves):
                try:
                    position.play(move)
                except IllegalMove as error:
                    raise ValueError(f"{field}[{index}]: {error}") from None
                made += 1
    finally:
        for _ in range(made):
            position.undo()
