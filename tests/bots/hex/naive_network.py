"""A slow and obvious forward pass of Hex's network: cells in dictionaries, floats without rounding.

bots/hex/kernels/tree/network.py describes the network, bots/hex/kernels/network_fields.py the layout of the weights.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bots.hex.kernels.network_fields import BLOCKS, CHANNELS, LANES
from bots.hex.kernels.tree.network import FIRST_SHIFT, ONE, TOP, WEIGHT_ONE
from tests.bots.hex.naive import NEIGHBOURS, NaiveHex

Cell = tuple[int, int]  # column and row
Planes = dict[Cell, Any]  # the channels of each cell
# Offsets (dx, dy) of the cells within one and within two steps, row by row, as in the arrays of weights.
NEAR = sorted([(0, 0), *NEIGHBOURS], key=lambda step: step[::-1])
WIDE = sorted({(a + c, b + d) for a, b in NEAR for c, d in NEAR}, key=lambda step: step[::-1])


def evaluate_naively(board: NaiveHex, side: int, state: Any) -> tuple[dict[Cell, float], float]:
    """Return the policy logit of each cell and the value logit for the side to move.

    `state` has the fields of the search state as numpy arrays: the weights, and `net_rotated`, which is 1 if the
    network sees the board rotated by 180 degrees.
    """
    if state["net_rotated"]:
        last = (board.width - 1, board.height - 1)
        rotated = {(last[0] - x, last[1] - y): colour for (x, y), colour in board.stones.items()}
        policy_logits, value_logit = _evaluate(NaiveHex(board.width, board.height, rotated), side, state)
        return {(last[0] - x, last[1] - y): logit for (x, y), logit in policy_logits.items()}, value_logit
    return _evaluate(board, side, state)


def _evaluate(board: NaiveHex, side: int, state: Any) -> tuple[dict[Cell, float], float]:
    """Return policy logits and value logit, with the board as it is (not rotated)."""
    view = _as_black(board, side)
    planes = {cell: _stem(view, cell, state) for cell in view.cells()}
    for block in range(BLOCKS):
        pooled_bias = _pool(planes) @ (state["global_pool_weights"][block] / WEIGHT_ONE)
        inner = {cell: _clip(value + pooled_bias) for cell, value in _convolve(planes, 2 * block, state).items()}
        outer = _convolve(inner, 2 * block + 1, state)
        planes = {cell: _clip(planes[cell] + outer[cell]) for cell in planes}
    hidden = np.maximum(state["value_hidden_bias"] + _pool(planes) @ state["value_hidden_weights"], 0)
    value_logit = float(state["value_bias"] + hidden @ state["value_weights"])
    policy = state["policy_weights"] / WEIGHT_ONE
    return {cell[::-1] if side else cell: float(value @ policy) for cell, value in planes.items()}, value_logit


def _as_black(board: NaiveHex, side: int) -> NaiveHex:
    """Return the board from the view of black: for white, columns and rows are exchanged, and the colours."""
    if side == 0:
        return board
    stones = {(y, x): 1 - colour for (x, y), colour in board.stones.items()}
    return NaiveHex(board.height, board.width, stones)


def _stem(board: NaiveHex, cell: Cell, state: Any) -> Any:
    """Return the channels of a cell after the first layer, from the stones and edges within two steps."""
    total = state["stem_bias"].astype(float)
    for offset, (dx, dy) in enumerate(WIDE):
        x, y = cell[0] + dx, cell[1] + dy
        owner = board.stones.get((x, y))
        outside = (not 0 <= y < board.height, not 0 <= x < board.width)  # beyond black's edges, beyond white's
        if outside in ((True, False), (False, True)):
            owner = outside.index(True)
        if owner is not None:
            total += state["stem_weights"][owner + 1, offset]
    return _clip(total / (ONE << FIRST_SHIFT))


def _convolve(planes: Planes, layer: int, state: Any) -> Planes:
    """Return the channels of all cells after a layer of a block, before clipping."""
    bias = state["block_bias"][layer] / (ONE * WEIGHT_ONE)
    weights = state["block_weights"][layer].astype(float) / WEIGHT_ONE
    # (lane groups, offsets, pairs of inputs, output lanes x inputs of the pair) -> (offsets, inputs, outputs)
    parts = weights.reshape(CHANNELS // LANES, len(NEAR), CHANNELS // 2, LANES, 2).transpose(1, 2, 4, 0, 3)
    taps = parts.reshape(len(NEAR), CHANNELS, CHANNELS)
    nothing = np.zeros(CHANNELS)
    return {
        (x, y): bias
        + sum(planes.get((x + dx, y + dy), nothing) @ tap for (dx, dy), tap in zip(NEAR, taps, strict=True))
        for x, y in planes
    }


def _pool(planes: Planes) -> Any:
    cells = np.array(list(planes.values()))
    return np.concatenate([cells.mean(axis=0), cells.max(axis=0)])


def _clip(values: Any) -> Any:
    return np.clip(values, 0, TOP / ONE)
