"""What the evaluations learn from: the quiet positions of recorded games (make_data.py) as the network sees them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bots.gomoku.kernels.patterns import CODES
from bots.gomoku.kernels.rules import GOMOKU, PAD, STRIDE
from bots.gomoku.kernels.shapes import OPPOSITE
from bots.gomoku.position import GomokuPosition
from bots.gomoku.training.make_data import SIZES
from bots.gomoku.weights import UNITS
from core.play.player import Setup
from core.search.scores import MAX_EVALUATION, UNSETTLED

NO_RESULT = 2  # of a stray, which was not played on
SCORE_SHARE = 0.7  # of what is learnt of a position that was played; the rest is the game's result

Sample = tuple[Any, Any, int, int]  # one position's part of the arrays of `Samples`, without `starts`


@dataclass
class Samples:
    """Positions for the side to move. Those of one game follow each other."""

    shapes: Any  # (cells, 4) u16: the shapes of the empty cells that have any, for the side to move as if it were black
    starts: Any  # (positions + 1,) i64: where a position's cells begin
    counts: Any  # (positions, inputs) i16: counts by code and grade, in the order of `network.feed_inputs`
    scores: Any  # (positions,) i16: the search's score
    results: Any  # (positions,) i8: 1 won, 0 drawn, -1 lost, or NO_RESULT

    def __len__(self) -> int:
        return len(self.scores)


class Reader:
    """Replays games of one rule."""

    def __init__(self, rule: str) -> None:
        self._rule, self._layout = rule, GOMOKU.dtype()
        self._positions = {size: GomokuPosition(Setup(size, size, rule)) for size in set(SIZES[rule])}

    def read(self, file: Path) -> Samples:
        """All samples of a file."""
        found = [sample for line in file.read_text(encoding="utf-8").splitlines() for sample in self._game(line)]
        shapes, counts, scores, results = zip(*found, strict=True)
        starts = np.cumsum([0, *(len(part) for part in shapes)])
        return Samples(
            np.concatenate(shapes),
            starts,
            np.array(counts, dtype=np.int16),
            np.array(scores, dtype=np.int16),
            np.array(results, dtype=np.int8),
        )

    def _game(self, line: str) -> Iterator[Sample]:
        game = json.loads(line)
        position = self._positions[game["size"]]
        position.library.setup(position.state, game["size"], game["size"], int(position.state.rule))
        strays: dict[int, list[tuple[list[int], int]]] = {}
        for ply, moves, score in game["strays"]:
            strays.setdefault(ply, []).append((moves, score))
        for ply, move in enumerate(game["moves"]):
            scored = ply - game["opening"]
            if 0 <= scored < len(game["scores"]):
                yield from self._sample(position, game["scores"][scored], game["result"])
            for moves, score in strays.get(ply, ()):
                for other in moves:
                    position.library.apply(position.state, padded(other, game["size"]))
                yield from self._sample(position, score, None)
                for _ in moves:
                    position.library.undo(position.state)
            position.library.apply(position.state, padded(move, game["size"]))

    def _sample(self, position: GomokuPosition, score: int, result: int | None) -> Iterator[Sample]:
        """One sample, or none where the position is forced: the search never asks for the value of such."""
        state: Any = position.state
        library = position.library
        if library.settle(state, 0) != UNSETTLED or library.is_forced(state):
            return
        library.follow(state)
        record = np.frombuffer(state, dtype=self._layout)[0]
        cells = np.flatnonzero((record["net_cells"] == 0) & record["net_shapes"].any(axis=0))
        shapes = record["net_shapes"][:, cells].T
        sides = [state.side, 1 - state.side]
        kinds = np.concatenate([record["code_count"], record["grade_count"]], axis=1)[sides].T.copy()
        kinds[[0, CODES]] = 0  # the cells that make nothing, which a board has many of
        told = NO_RESULT if result is None else result * (1 - 2 * state.side)
        shapes = OPPOSITE[shapes] if state.side else shapes.copy()
        yield shapes, kinds.ravel(), score, told


def chances(samples: Samples) -> Any:
    """Chance of winning to learn, (positions,) f32: the search's score, squashed, mixed with the result of a game."""
    scores = samples.scores.astype(np.float32)
    proven = np.abs(scores) > MAX_EVALUATION
    chance = np.where(proven, scores > 0, 1 / (1 + np.exp(-np.clip(scores, -4000, 4000) / UNITS)))
    played = (samples.results != NO_RESULT) & ~proven
    return np.where(played, SCORE_SHARE * chance + (1 - SCORE_SHARE) * (samples.results + 1) / 2, chance).astype("f4")


def padded(move: int, size: int) -> int:
    """A move of a recorded game as a cell of the kernels' board."""
    return (move // size + PAD) * STRIDE + move % size + PAD


def read_samples(files: list[Path], rule: str) -> Samples:
    """The samples of all files; each is replayed once, and kept in a file beside it until it grows."""
    return _join([_read_kept(file, rule) for file in files])


def _read_kept(file: Path, rule: str) -> Samples:
    kept = file.with_suffix(".npz")
    if kept.exists() and kept.stat().st_mtime > file.stat().st_mtime:
        with np.load(kept) as arrays:
            return Samples(**arrays)
    samples = Reader(rule).read(file)
    np.savez(kept, **vars(samples))
    return samples


def _join(parts: list[Samples]) -> Samples:
    offsets = np.cumsum([0, *(len(part.shapes) for part in parts[:-1])])
    starts = [part.starts[:-1] + offset for part, offset in zip(parts, offsets, strict=True)]
    end = sum(len(part.shapes) for part in parts)
    return Samples(
        np.concatenate([part.shapes for part in parts]),
        np.concatenate([*starts, [end]]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.results for part in parts]),
    )
