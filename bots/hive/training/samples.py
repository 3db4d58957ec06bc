"""Replays recorded games (make_data.py), to read the position of each search with its score and the game's result."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bots.hive.position import HivePosition
from bots.hive.training.game_record import GameRecord, decode
from core.play.player import Setup
from core.search.scores import MAX_EVALUATION, NO_SCORE
from core.training.recording import RecordedGames

if TYPE_CHECKING:
    from bots.hive.kernels.boundary import Hive

VALIDATION_EVERY = 20  # every 20th game is for validation
SCORE_WEIGHT = 0.7  # weight of the search's score in the target; the rest is the game's result
SCORE_UNITS = 140  # score that means log-odds of 1: the most likely value by 175,000 results of recorded games


@dataclass(frozen=True)
class Sample:
    """What a recording says about a position, for the side to move."""

    score: int  # of the search
    result: int  # 1 if the side to move won the game, 0 if it was drawn, else -1
    # True if the search evaluates such positions: no proven score, no win at once, no threat that must be answered
    is_quiet: bool


def recorded_games(paths: Iterable[Path]) -> RecordedGames[GameRecord]:
    """Return the games of some files."""
    return RecordedGames(paths, decode)


def is_validation(game: GameRecord) -> bool:
    """Return whether a game is held out of the training, for validation."""
    return game.index % VALIDATION_EVERY == VALIDATION_EVERY - 1


class GameReplayer:
    """Replays games with the kernels, `library`. `state` is their state of the present position, without a network."""

    def __init__(self) -> None:
        position = HivePosition(Setup(variant="Base"))
        self.library = position.library
        self.state: Hive = position.state

    def replay(self, game: GameRecord) -> Iterator[Sample]:
        """Yield a sample for each searched position, while `state` is that position."""
        library, state = self.library, self.state
        library.setup(state, game.expansions)
        for ply, (move, score) in enumerate(
            itertools.zip_longest(game.moves, (NO_SCORE,) * game.opening_length + game.scores)
        ):
            is_open = library.terminal_score(state, 0) == NO_SCORE  # stores the key of each position for later plies
            if score is not None and score != NO_SCORE:
                is_quiet = is_open and abs(score) <= MAX_EVALUATION and not library.must_answer_threat(state)
                yield Sample(score, game.result * (1 - 2 * (ply % 2)), is_quiet)
            if move is not None:
                library.apply(state, move)


def value_target(sample: Sample) -> float:
    """Return the target probability of winning: the sigmoid of the score, mixed with the game's result."""
    probability = 1 / (1 + math.exp(-max(-40, min(40, sample.score / SCORE_UNITS))))
    return SCORE_WEIGHT * probability + (1 - SCORE_WEIGHT) * (sample.result + 1) / 2
