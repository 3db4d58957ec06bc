"""Replay the games of a log to check that every move is legal.

Commands that read or resume a run, such as `pentad report` and `pentad resume`, call this before they use its log,
which may come from anybody and may be edited.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.errors import UsageError
from arena.log.events import RunStarted
from arena.log.file import LOG_NAME, MAX_ERROR_LENGTH, LogError, Run
from arena.log.validation import FieldError
from arena.terms.arguments import find_game
from core.play.game import Game, Position
from core.play.player import BadSetup, IllegalMove, Setup
from protocols.text import clean_text

HEADER_LINE = 1  # line number of the header, which contains the opening book


def replay_games(directory: Path, run: Run) -> Game:
    """Replay the openings, the games that count and the unfinished ones of a run; return its `Game` (the rules).

    Raise LogError with line and field of the first illegal move, or if the game or its board does not exist.
    `directory` is the folder of the log; error messages name it.
    """
    with _naming_line(directory, HEADER_LINE):
        game, position = _make_start_position(run.header)
        for index, opening in enumerate(run.header.book):
            _replay(position, ((f"book[{index}]", opening),))
    for played in (*run.games, *run.unfinished):
        moves = tuple(entry.move for entry in played.moves)
        with _naming_line(directory, run.line_numbers[played.number]):
            _replay(position, (("opening", played.opening), ("moves", moves)))
    return game


@contextmanager
def _naming_line(directory: Path, line_number: int) -> Iterator[None]:
    """Turn a FieldError into a LogError that names the file and the line."""
    try:
        yield
    except FieldError as error:
        text = clean_text(str(error), MAX_ERROR_LENGTH)
        raise LogError(f"{directory / LOG_NAME}, line {line_number}: {text}") from None


def _make_start_position(header: RunStarted) -> tuple[Game, Position]:
    """Return the game and its start position; raise FieldError if the game or its board does not exist."""
    try:
        game = find_game(header.game)
        return game, game.new_position(Setup(header.width, header.height, header.variant, header.position))
    except UsageError as error:
        raise FieldError(f"game: {error}") from None
    except (BadSetup, IllegalMove) as error:
        raise FieldError(f"width, height, variant, position: {error}") from None


def _replay(position: Position, sequences: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Play move sequences one after the other and then undo all moves. Each sequence comes with the name of its field.

    To undo is cheaper than to create a new position for each game. Raise FieldError for an illegal move.
    """
    plies = 0  # number of moves played
    try:
        for field, moves in sequences:
            for index, move in enumerate(moves):
                try:
                    position.play(move)
                except IllegalMove as error:
                    raise FieldError(f"{field}[{index}]: {error}") from None
                plies += 1
    finally:
        for _ in range(plies):
            position.undo()
