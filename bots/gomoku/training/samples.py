"""What the evaluations learn from: the quiet positions of recorded games (make_data.py) as the network sees them.

`RecordedGames` maps the files into memory, and `GameSource.read` replays their games some hundred at a time, in other
processes if there are any. So memory does not grow with the number of games.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from bots.gomoku.kernels.patterns import CODES
from bots.gomoku.kernels.rules import GOMOKU, PAD, STRIDE
from bots.gomoku.kernels.shapes import OPPOSITE
from bots.gomoku.notation import format_variant, parse_variant
from bots.gomoku.position import GomokuPosition
from bots.gomoku.training.game_record import GameRecord, decode, head_of
from bots.gomoku.weights import UNITS
from core.play.player import Setup
from core.search.scores import MAX_EVALUATION, NO_SCORE
from core.training.blocks import open_blocks
from core.training.games import map_in_order

SCORE_SHARE = 0.7  # of the target of a position that was played; the rest is the game's result
HELD_BACK = 20  # every 20th game is held back from training
GAMES_AT_ONCE = 200  # whose positions are shuffled together; some 100,000 positions and 150 MB

Sample = tuple[Any, Any, int, int, bool]  # one position's part of the arrays of `Samples`, without `starts`


@dataclass
class Samples:
    """Positions for the side to move. Those of one game follow each other."""

    shapes: Any  # (cells, 4) u16: the shapes of the empty cells that have any, for the side to move as if it were black
    starts: Any  # (positions + 1,) i64: where a position's cells begin
    counts: Any  # (positions, inputs) i16: counts by code and grade, in the order of `network.feed_inputs`
    scores: Any  # (positions,) i16: the search's score
    results: Any  # (positions,) i8: 1 if the side to move won the game, 0 if it was drawn, else -1
    played: Any  # (positions,) bool: False for a stray, from which the game did not go on

    def __len__(self) -> int:
        return len(self.scores)


class RecordedGames:
    """The games of some rules in some files, numbered from 0 in the order of the files."""

    def __init__(self, paths: Iterable[Path], rules: Iterable[str]) -> None:
        wanted = {parse_variant(rule) for rule in rules}
        self._places = [
            (file, block)
            for file in map(open_blocks, paths)
            for block in range(1, len(file.spans))
            if head_of(file.view(block)).rule in wanted
        ]

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[GameRecord]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> GameRecord:
        file, block = self._places[number]
        try:
            return decode(file.view(block))
        except ValueError as error:
            raise ValueError(f"{file.path}, block {block}: {error}") from error


@dataclass(frozen=True)
class GameSource:
    """Where to read games from: some files and rules."""

    paths: tuple[Path, ...]
    rules: tuple[str, ...]

    def numbers(self, share: float = 1.0) -> tuple[Any, Any]:
        """Numbers of the games to learn from, or of the first share of them, and of those held back from learning."""
        numbers = np.arange(len(_open(self)))
        is_held = numbers % HELD_BACK == HELD_BACK - 1
        learnt = numbers[~is_held]
        return learnt[: round(share * len(learnt))], numbers[is_held]

    def read(self, numbers: Any, executor: Executor | None = None, ahead: int = 1) -> Iterator[Samples]:
        """The samples of games in the order of their numbers, those of GAMES_AT_ONCE games at a time."""
        chunks = (numbers[begin : begin + GAMES_AT_ONCE] for begin in range(0, len(numbers), GAMES_AT_ONCE))
        return map_in_order(partial(_read, self), chunks, executor=executor, ahead=ahead)


@cache
def _open(source: GameSource) -> RecordedGames:
    return RecordedGames(source.paths, source.rules)


def _read(source: GameSource, numbers: Any) -> Samples:
    games = _open(source)
    return _reader().read(games[number] for number in numbers)


@cache
def _reader() -> Reader:
    """The reader of this process, whose tables take long to fill."""
    return Reader()


class Reader:
    """Replays games."""

    def __init__(self) -> None:
        self._layout = GOMOKU.dtype()
        self._positions: dict[tuple[int, int], GomokuPosition] = {}

    def read(self, games: Iterable[GameRecord]) -> Samples:
        """All samples of some games."""
        found = [sample for game in games for sample in self._game(game)]
        shapes, counts, scores, results, played = zip(*found, strict=True) if found else ((),) * 5
        return Samples(
            np.concatenate([np.empty((0, 4), dtype=np.uint16), *shapes]),
            np.cumsum([0, *(len(part) for part in shapes)]),
            np.array(counts, dtype=np.int16),
            np.array(scores, dtype=np.int16),
            np.array(results, dtype=np.int8),
            np.array(played, dtype=bool),
        )

    def _game(self, game: GameRecord) -> Iterator[Sample]:
        position = self._position(game)
        library, state = position.library, position.state
        library.setup(state, game.size, game.size, game.rule)
        for move in game.moves[: game.opening]:
            library.apply(state, padded(move, game.size))
        for ply, move in itertools.zip_longest(game.plies, game.moves[game.opening :]):
            if ply is not None:
                yield from self._sample(position, ply.label.score, game.result, True)
                for stray in ply.strays:
                    for other in stray.moves:
                        library.apply(state, padded(other, game.size))
                    yield from self._sample(position, stray.label.score, game.result, False)
                    for _ in stray.moves:
                        library.undo(state)
            if move is not None:
                library.apply(state, padded(move, game.size))

    def _position(self, game: GameRecord) -> GomokuPosition:
        """A position of the game's board and rule, kept because its tables take long to fill."""
        key = game.rule, game.size
        if key not in self._positions:
            self._positions[key] = GomokuPosition(Setup(game.size, game.size, format_variant(game.rule)))
        return self._positions[key]

    def _sample(self, position: GomokuPosition, score: int, result: int, played: bool) -> Iterator[Sample]:
        """One sample; none if a threat must be answered, as the search never asks for the value of such a position."""
        state: Any = position.state
        library = position.library
        if library.terminal_score(state, 0) != NO_SCORE or library.must_answer_threat(state):
            return
        library.follow(state)
        record = np.frombuffer(state, dtype=self._layout)[0]
        cells = np.flatnonzero((record["net_cells"] == 0) & record["net_shapes"].any(axis=0))
        shapes = record["net_shapes"][:, cells].T
        sides = [state.side, 1 - state.side]
        kinds = np.concatenate([record["code_count"], record["grade_count"]], axis=1)[sides].T.copy()
        kinds[[0, CODES]] = 0  # the cells that make nothing, which a board has many of
        shapes = OPPOSITE[shapes] if state.side else shapes.copy()
        yield shapes, kinds.ravel(), score, result * (1 - 2 * state.side), played


def chances(samples: Samples) -> Any:
    """Probability of winning to learn, (positions,) f32: the search's score, squashed, mixed with a game's result."""
    scores = samples.scores.astype(np.float32)
    proven = np.abs(scores) > MAX_EVALUATION
    chance = np.where(proven, scores > 0, 1 / (1 + np.exp(-np.clip(scores, -4000, 4000) / UNITS)))
    mixed = SCORE_SHARE * chance + (1 - SCORE_SHARE) * (samples.results + 1) / 2
    return np.where(samples.played & ~proven, mixed, chance).astype("f4")


def padded(move: int, size: int) -> int:
    """A move of a recorded game as a cell of the kernels' board."""
    return (move // size + PAD) * STRIDE + move % size + PAD
