"""Replay the games of a log by our own rules.

Reports and resumed runs use the moves of the log as they are, so the games are checked here first.
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

HEADER_LINE = 1  # number of the header's line, which holds the opening book, too


def replay_games(directory: Path, run: Run) -> Game:
    """Replay every opening and game of a run and return the rules by which it was played.

    Raise LogError naming the line and the field of the first move that is not legal, or if the board is not possible.
    `directory` is the one that the run was read from.
    """
    with _naming_line(directory, HEADER_LINE):
        game, position = _make_start_position(run.header)
        for index, opening in enumerate(run.header.book):
            _replay(position, ((f"book[{index}]", opening),))
    for record in (*run.games, *run.unfinished):
        moves = tuple(entry.move for entry in record.moves)
        with _naming_line(directory, run.line_numbers[record.number]):
            _replay(position, (("opening", record.opening), ("moves", moves)))
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
    """Return the game and its start position; raise FieldError if there is no such game or board."""
    try:
        game = find_game(header.game)
        return game, game.new_position(Setup(header.width, header.height, header.variant, header.position))
    except UsageError as error:
        raise FieldError(f"game: {error}") from None
    except (BadSetup, IllegalMove) as error:
        raise FieldError(f"width, height, variant, position: {error}") from None


def _replay(position: Position, sequences: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Play move sequences, each with the name of its field, one after the other; then take all moves back.

    Taking back is cheaper than making a new position for each game. Raise FieldError for an illegal move.
    """
    plies = 0
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
