"""Training samples for both evaluations, the network and the linear one: the quiet positions of recorded games.

make_data.py records the games. A position is quiet if no threat must be answered. It may be a stray: a position that a
search evaluated, but that was not played. `RecordedGames` maps the files into memory. `GameSource.read` replays
GAMES_AT_ONCE games at a time, in other processes if there are any, so that memory does not grow with their number.
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

from bots.gomoku.kernels.network_record import REFERENCE_CELLS
from bots.gomoku.kernels.patterns import PATTERNS
from bots.gomoku.kernels.rules import BLACK, BORDER, GOMOKU, PAD, STRIDE, WHITE
from bots.gomoku.kernels.shapes import OPPOSITE
from bots.gomoku.notation import MAX_SIZE, format_variant, parse_variant
from bots.gomoku.position import GomokuPosition
from bots.gomoku.training.game_record import GameRecord, decode, decode_header
from bots.gomoku.weights import UNITS_PER_LOGIT
from core.play.player import Setup
from core.search.scores import MAX_EVALUATION, NO_SCORE
from core.training.games import map_in_order
from core.training.recording import RecordedGames

# Weight of the game's result in the target of a played position; the rest is the search's score. It grows with the
# number of stones: on crowded boards results say more than searches (bots/gomoku/search_tests.md, "Labels").
FIRST_RESULT_WEIGHT, LAST_RESULT_WEIGHT = 0.3, 1.0
# Up to the first number it is the first weight, from the second on the last one. The numbers are those of a board of
# REFERENCE_CELLS cells; larger boards have proportionally more stones.
RESULT_WEIGHT_STONES = 14, 36
VALIDATION_EVERY = 20  # every 20th game is for validation
BOARD_BYTES = -(-3 * MAX_SIZE**2 // 8)  # of the packed planes of a position's board
GAMES_AT_ONCE = 200  # games whose positions are shuffled together: about 100,000 positions, 150 MB

# One position's part of the arrays of `Samples`: shapes, cell indices, size, counts, number of stones, score, result,
# whether it was played, and its board.
Sample = tuple[Any, Any, int, Any, int, int, int, bool, Any]


@dataclass
class Samples:
    """Arrays of positions, from the side to move's point of view. Positions of one game are adjacent.

    In the array shapes given here, `cells` is the number of empty cells of all positions, without those that have no
    stones in their windows (kernels/shapes.py).
    """

    shapes: Any  # (cells, 4) u16: shapes by direction (kernels/shapes.py); the side to move's stones count as black
    cell_indices: Any  # (cells,) u16: y * size + x of each cell
    sizes: Any  # (positions,) i64: number of rows and of columns of the board
    # (positions + 1,) i64: index of each position's first cell in `shapes` and `cell_indices`, and the number of cells.
    starts: Any
    # (positions, 2 * (PATTERNS + GRADES)) i16: number of each pattern, then of each grade, for the side to move and the
    # opponent in turn, as in `list_inputs` of kernels/network.py.
    counts: Any
    stones: Any  # (positions,) i16: number of stones on the board
    scores: Any  # (positions,) i16: the search's score in evaluation units
    results: Any  # (positions,) i8: 1 if the side to move won the game, 0 if it was drawn, else -1
    played: Any  # (positions,) bool: False for a stray, which was searched but not played
    # (positions, BOARD_BYTES) u8: three planes of MAX_SIZE x MAX_SIZE bits, packed by `numpy.packbits`: the stones of
    # the side to move, those of the opponent, and all cells of the board, which begins at the first bit.
    boards: Any

    def __len__(self) -> int:
        return len(self.scores)


def recorded_games(paths: Iterable[Path], rules: Iterable[str]) -> RecordedGames[GameRecord]:
    """Return the games of some files that have one of the given rules."""
    wanted_rules = {parse_variant(rule) for rule in rules}
    return RecordedGames(paths, decode, lambda data: decode_header(data).rule in wanted_rules)


@dataclass(frozen=True)
class GameSource:
    """Files and rules of the games to read."""

    paths: tuple[Path, ...]
    rules: tuple[str, ...]  # such as `freestyle`

    def split_games(self, share: float = 1.0) -> tuple[Any, Any]:
        """Return the numbers of the training games and of the validation games.

        Of the training games, only the first fraction `share` is returned.
        """
        numbers = np.arange(len(_open(self)))
        is_validation = numbers % VALIDATION_EVERY == VALIDATION_EVERY - 1
        training = numbers[~is_validation]
        return training[: round(share * len(training))], numbers[is_validation]

    def read(self, numbers: Any, executor: Executor | None = None, ahead: int = 1) -> Iterator[Samples]:
        """Yield the samples of the numbered games, GAMES_AT_ONCE games at a time, in order."""
        chunks = (numbers[begin : begin + GAMES_AT_ONCE] for begin in range(0, len(numbers), GAMES_AT_ONCE))
        return map_in_order(partial(_read, self), chunks, executor=executor, ahead=ahead)


@cache
def _open(source: GameSource) -> RecordedGames[GameRecord]:
    return recorded_games(source.paths, source.rules)


def _read(source: GameSource, numbers: Any) -> Samples:
    games = _open(source)
    return _sample_reader().read(games[number] for number in numbers)


@cache
def _sample_reader() -> SampleReader:
    """Return the reader of this process; it is kept because its tables take long to fill."""
    return SampleReader()


class SampleReader:
    """Replays games and takes a sample of each labelled position that is quiet."""

    def __init__(self) -> None:
        self._layout = GOMOKU.dtype()
        self._positions: dict[tuple[int, int], GomokuPosition] = {}

    def read(self, games: Iterable[GameRecord]) -> Samples:
        """Return all samples of some games."""
        samples = [sample for game in games for sample in self._read_game(game)]
        shapes, cell_indices, sizes, counts, stones, scores, results, played, boards = (
            zip(*samples, strict=True) if samples else ((),) * 9
        )
        return Samples(
            np.concatenate([np.empty((0, 4), dtype=np.uint16), *shapes]),
            np.concatenate([np.empty(0, dtype=np.uint16), *cell_indices]),
            np.array(sizes, dtype=np.int64),
            np.cumsum([0, *(len(part) for part in shapes)]),
            np.array(counts, dtype=np.int16),
            np.array(stones, dtype=np.int16),
            np.array(scores, dtype=np.int16),
            np.array(results, dtype=np.int8),
            np.array(played, dtype=bool),
            np.array(boards, dtype=np.uint8).reshape(-1, BOARD_BYTES),
        )

    def _read_game(self, game: GameRecord) -> Iterator[Sample]:
        position = self._position_for(game)
        library, state = position.library, position.state
        library.setup(state, game.size, game.size, game.rule)
        for move in game.moves[: game.opening_length]:
            library.apply(state, padded_cell(move, game.size))
        for ply, move in itertools.zip_longest(game.plies, game.moves[game.opening_length :]):
            if ply is not None:
                yield from self._take_sample(position, ply.label.score, game.result, True)
                for stray in ply.strays:
                    for other in stray.moves:
                        library.apply(state, padded_cell(other, game.size))
                    yield from self._take_sample(position, stray.label.score, game.result, False)
                    for _ in stray.moves:
                        library.undo(state)
            if move is not None:
                library.apply(state, padded_cell(move, game.size))

    def _position_for(self, game: GameRecord) -> GomokuPosition:
        """Return a position with the game's board and rule; it is reused because its tables take long to fill."""
        key = game.rule, game.size
        if key not in self._positions:
            self._positions[key] = GomokuPosition(Setup(game.size, game.size, format_variant(game.rule)))
        return self._positions[key]

    def _take_sample(
        self, position: GomokuPosition, score: int, black_result: int, was_played: bool
    ) -> Iterator[Sample]:
        """Yield a sample of the position; none if it is decided or a threat must be answered.

        The search hardly ever evaluates such positions.
        """
        state: Any = position.state
        library = position.library
        if library.terminal_score(state, 0) != NO_SCORE or library.must_answer_threat(state):
            return
        library.update_accumulator(state)
        fields = np.frombuffer(state, dtype=self._layout)[0]  # numpy's view of the state
        cells = np.flatnonzero((fields["net_cells"] == 0) & fields["net_shapes"].any(axis=0))
        shapes = fields["net_shapes"][:, cells].T
        sides = [state.side, 1 - state.side]
        counts = np.concatenate([fields["pattern_count"], fields["grade_count"]], axis=1)[sides].T.copy()
        counts[[0, PATTERNS]] = 0  # cells without a pattern, or of the lowest grade: most cells
        shapes = OPPOSITE[shapes] if state.side else shapes.copy()
        board = fields["cells"].reshape(STRIDE, STRIDE)[PAD : PAD + MAX_SIZE, PAD : PAD + MAX_SIZE]
        own, other = (WHITE, BLACK) if state.side else (BLACK, WHITE)
        planes = np.packbits([board == own, board == other, board != BORDER])
        yield (
            shapes,
            board_index(cells, state.width).astype(np.uint16),
            state.width,
            counts.ravel(),
            state.stones,
            score,
            black_result * (1 - 2 * state.side),
            was_played,
            planes,
        )


def value_targets(samples: Samples, indices: Any = slice(None)) -> Any:
    """Return the target probabilities of winning for the side to move, (positions,) f32, of some positions or all.

    A target is the sigmoid of the search's score, mixed with the game's result if the position was played. The target
    of a proven score is 0 or 1.
    """
    scores, results = samples.scores[indices].astype(np.float32), samples.results[indices]
    proven = np.abs(scores) > MAX_EVALUATION
    # The clipping avoids overflows of exp by proven scores, whose sigmoid is not used.
    target = np.where(proven, scores > 0, 1 / (1 + np.exp(-np.clip(scores, -4000, 4000) / UNITS_PER_LOGIT)))
    weight = result_weight(samples.stones[indices], samples.sizes[indices])
    mixed = (1 - weight) * target + weight * (results + 1) / 2
    return np.where(samples.played[indices] & ~proven, mixed, target).astype("f4")


def result_weight(stones: Any, sizes: Any) -> Any:
    """Return the weight of the game's result in the targets of played positions, (positions,) f64.

    `stones` is the number of stones and `sizes` the number of rows of the board of each position.
    """
    weights = FIRST_RESULT_WEIGHT, LAST_RESULT_WEIGHT
    return np.interp(stones * (REFERENCE_CELLS / sizes**2), RESULT_WEIGHT_STONES, weights)


def board_index(cell: Any, size: int) -> Any:
    """Return `y * size + x` for a cell of the kernels' board, or for an array of cells."""
    return (cell // STRIDE - PAD) * size + cell % STRIDE - PAD


def padded_cell(move: int, size: int) -> int:
    """Return the cell of the kernels' board for a move of a recorded game."""
    return (move // size + PAD) * STRIDE + move % size + PAD
