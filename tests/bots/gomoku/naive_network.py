"""Slow reference implementation of Gomoku's network: shapes read from the board, layers as matrix products."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from bots.gomoku.kernels.network import COUNT_SCALE, STAR_SCALE, TOTAL_SCALE
from bots.gomoku.kernels.network_record import CHANNELS, SHAPE_WEIGHTS, STAR_OUTPUTS, STAR_WIDTH, WIDTH
from bots.gomoku.kernels.network_vectors import CHANNEL_MAX
from bots.gomoku.kernels.shapes import OFF_BOARD, REACH, SHAPE_OF
from bots.gomoku.weights import UNITS_PER_LOGIT
from tests.bots.gomoku.naive import STEPS, Board

# Factors of the star layer, written out so that a change in the kernels fails here: for the cell itself, and for the
# cells around by their distance.
CENTRE_FACTOR, FACTORS = 4, {1: 4, 2: 3}


def naive_network_evaluation(board: Board, side: int, weights: Any) -> float:
    """Return the evaluation of a board for the side to move.

    `weights` is numpy's view of a kernels' state of the same position: it has the weights and the counts of patterns.
    """
    sums = np.zeros((board.height, board.width, SHAPE_WEIGHTS), dtype=int)
    for y in range(board.height):
        for x in range(board.width):
            if (x, y) not in board.stones:
                numbers = [shape_number(board, x, y, step) for step in STEPS]
                sums[y, x] = weights["shape_weights"][numbers].astype(int).sum(axis=0)
    total = sums[:, :, :WIDTH].clip(0, CHANNEL_MAX).sum(axis=(0, 1))
    peaks = naive_peaks(sums[:, :, WIDTH:], weights)
    if side == 1:
        total, peaks = np.roll(total, CHANNELS), np.roll(peaks, STAR_OUTPUTS)
    counts = np.concatenate([weights["pattern_count"], weights["grade_count"]], axis=1)[[side, 1 - side]]
    counts[:, [0, weights["pattern_count"].shape[1]]] = 0  # the lowest pattern and grade are not inputs
    return naive_network_output(total, peaks, counts.T.ravel(), weights)


def naive_peaks(sums: Any, weights: Any) -> Any:
    """Return the maximum of each output of the star layer over all squares, filled ones too, at least 0.

    `sums` are each square's sums of its shapes' weights for the star layer there and around, (rows, columns, weights).
    """
    height, width = sums.shape[:2]
    centre, around = sums[:, :, :STAR_WIDTH], sums[:, :, STAR_WIDTH:]
    stars = CENTRE_FACTOR * centre + weights["star_bias"]
    for (dx, dy), distance in itertools.product([*STEPS, *((-dx, -dy) for dx, dy in STEPS)], FACTORS):
        for y, x in itertools.product(range(height), range(width)):
            other = y + distance * dy, x + distance * dx
            if 0 <= other[0] < height and 0 <= other[1] < width:
                stars[y, x] += FACTORS[distance] * around[other]
    return stars.max(axis=(0, 1)).clip(0)


def naive_network_output(total: Any, peaks: Any, counts: Any, weights: Any) -> float:
    """Return the evaluation from the accumulator and the peaks (side to move's first) and the counts."""
    inputs = np.concatenate([total * TOTAL_SCALE, peaks * STAR_SCALE, counts * COUNT_SCALE])
    first = (inputs @ weights["input_weights"] + weights["input_bias"]).clip(0)
    second = (first @ weights["hidden_weights"] + weights["hidden_bias"]).clip(0)
    logit = second @ weights["output_weights"] + weights["output_bias"]
    return float(logit) * UNITS_PER_LOGIT


def shape_number(board: Board, x: int, y: int, step: tuple[int, int]) -> int:
    """Return the number of the shape around a square in a direction."""
    key = 0
    for index, offset in enumerate([*range(-REACH, 0), *range(1, REACH + 1)]):
        point = x + offset * step[0], y + offset * step[1]
        on_board = 0 <= point[0] < board.width and 0 <= point[1] < board.height
        content = board.stones.get(point, -1) + 1 if on_board else OFF_BOARD
        key |= content << 2 * index
    return int(SHAPE_OF[key])
