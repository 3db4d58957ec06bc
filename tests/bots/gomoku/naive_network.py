"""Slow reference implementation of Gomoku's network: shapes read from the board, layers as matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from bots.gomoku.kernels.network import CHANNEL_MAX, COUNT_SCALE, TOTAL_SCALE
from bots.gomoku.kernels.network_record import CHANNELS
from bots.gomoku.kernels.shapes import OFF_BOARD, REACH, SHAPE_OF
from bots.gomoku.weights import UNITS_PER_LOGIT
from tests.bots.gomoku.naive import STEPS, Board


def naive_network_evaluation(board: Board, side: int, weights: Any) -> float:
    """Return the evaluation of a board for the side to move.

    `weights` is numpy's view of a kernels' state of the same position: it has the weights and the counts of patterns.
    """
    total = np.zeros(2 * CHANNELS)
    for y in range(board.height):
        for x in range(board.width):
            if (x, y) not in board.stones:
                numbers = [shape_number(board, x, y, step) for step in STEPS]
                total += weights["shape_weights"][numbers].astype(int).sum(axis=0).clip(0, CHANNEL_MAX)
    if side == 1:
        total = np.roll(total, CHANNELS)
    counts = np.concatenate([weights["pattern_count"], weights["grade_count"]], axis=1)[[side, 1 - side]]
    counts[:, [0, weights["pattern_count"].shape[1]]] = 0  # the lowest pattern and grade are not inputs
    return naive_network_output(total, counts.T.ravel(), weights)


def naive_network_output(total: Any, counts: Any, weights: Any) -> float:
    """Return the evaluation from the accumulator (side to move's channels first) and the counts."""
    inputs = np.concatenate([total * TOTAL_SCALE, counts * COUNT_SCALE])
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
