"""`StoredGame`: a game that was read from a file, as far as its moves are legal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.play.game import Game, Position
from core.play.player import IllegalMove, Setup
from protocols.text import clean_text

MAX_QUOTED = 40  # characters of the file that an error quotes


class GameFileError(ValueError):
    """A text holds no game that can be read; the message says why."""


@dataclass(frozen=True)
class StoredGame:
    """A game from a file. `moves` are legal one after the other, in the game's notation."""

    game: Game
    setup: Setup
    moves: tuple[str, ...]
    players: tuple[str, str] = ("", "")  # names of the first and the second side; empty if the file has none
    result: str = ""  # as the file writes it
    opening_plies: int = 0  # moves at the start that the players did not choose
    note: str = ""  # how something ambiguous was read, such as the word `swap`
    problem: str = ""  # why the moves after `moves` were not read; empty if the whole game was

    def position(self, plies: int | None = None) -> Position:
        """Return the position after the first `plies` moves, or after all of them."""
        position = self.game.new_position(self.setup)
        for move in self.moves[:plies]:
            position.play(move)
        return position


def play_moves(position: Position, moves: Iterable[str], play: Callable[[str], None] | None = None) -> str:
    """Play moves up to the first illegal one, and return why that is illegal; an empty text if all are legal.

    `play` plays a move if the file's moves are not in the game's notation; it raises IllegalMove like `Position.play`.
    """
    play_move = play or position.play
    for number, move in enumerate(moves, 1):
        try:
            play_move(move)
        except IllegalMove as error:
            return f"move {number}, {clean_text(move, MAX_QUOTED)!r}: {error}"
    return ""
