"""Replays recorded games (make_data.py), to read the position of each search with its score and the game's result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bots.hive.position import HivePosition
from bots.hive.training.game_record import GameRecord, decode
from core.play.player import Setup
from core.search.scores import NO_SCORE
from core.training.recording import RecordedGames

if TYPE_CHECKING:
    from bots.hive.kernels.boundary import Hive

VALIDATION_EVERY = 20  # every 20th game is for validation


@dataclass(frozen=True)
class Sample:
    """What a recording says about a position, for the side to move."""

    score: int  # of the search
    result: int  # 1 if the side to move won the game, 0 if it was drawn, else -1


def recorded_games(paths: Iterable[Path]) -> RecordedGames[GameRecord]:
    """Return the games of some files."""
    return RecordedGames(paths, decode)


def is_validation(game: GameRecord) -> bool:
    """Return whether a game is held out of the training, for validation."""
    return game.index % VALIDATION_EVERY == VALIDATION_EVERY - 1


class GameReplayer:
    """Replays games with the kernels of the rules. `state` is the kernels' state of the present position."""

    def __init__(self) -> None:
        position = HivePosition(Setup(variant="Base"))
        self._library = position.library
        self.state: Hive = position.state

    def replay(self, game: GameRecord) -> Iterator[Sample]:
        """Yield a sample for each searched position, while `state` is that position."""
        self._library.setup(self.state, game.expansions)
        for move in game.moves[: game.opening_length]:
            self._library.apply(self.state, move)
        for ply, score in enumerate(game.scores, game.opening_length):
            if score != NO_SCORE:
                yield Sample(score, game.result * (1 - 2 * self.state.side))
            if ply < len(game.moves):
                self._library.apply(self.state, game.moves[ply])
