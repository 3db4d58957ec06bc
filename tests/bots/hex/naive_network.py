"""A slow and obvious forward pass of Hex's network: cells in dictionaries, Python's integers without limits.

bots/hex/kernels/tree/network.py describes the network, bots/hex/kernels/network_fields.py the layout of the weights.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bots.hex.kernels.network_fields import BLOCKS, CHANNELS, LANES
from bots.hex.kernels.tree.network import FIRST_SHIFT, ONE, ONE_BITS, POOL_BITS, TOP, WEIGHT_ONE
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
        layer = 2 * block
        first_bits, second_bits = state["input_bits"][layer : layer + 2].tolist()
        inputs = {cell: _to_byte(_round_shift(value, ONE_BITS - first_bits)) for cell, value in planes.items()}
        pool_shifts = POOL_BITS - second_bits - state["block_shifts"][layer].astype(np.int64)
        pooled = _pool(planes) @ state["global_pool_weights"][block].astype(np.int64)
        inner = _convolve(inputs, layer, state, _round_shift(pooled, pool_shifts))
        outer = _convolve({cell: _to_byte(value) for cell, value in inner.items()}, layer + 1, state, 0)
        planes = {cell: np.clip(planes[cell] + outer[cell], 0, TOP) for cell in planes}
    hidden = np.maximum(state["value_hidden_bias"] + _pool(planes) / ONE @ state["value_hidden_weights"], 0)
    value_logit = float(state["value_bias"] + hidden @ state["value_weights"])
    policy = state["policy_weights"].astype(np.int64)
    logits = {cell: int(value @ policy) / (ONE * WEIGHT_ONE) for cell, value in planes.items()}
    return {cell[::-1] if side else cell: logit for cell, logit in logits.items()}, value_logit


def _as_black(board: NaiveHex, side: int) -> NaiveHex:
    """Return the board from the view of black: for white, columns and rows are exchanged, and the colours."""
    if side == 0:
        return board
    stones = {(y, x): 1 - colour for (x, y), colour in board.stones.items()}
    return NaiveHex(board.height, board.width, stones)


def _stem(board: NaiveHex, cell: Cell, state: Any) -> Any:
    """Return the channels of a cell after the first layer, from the stones and edges within two steps."""
    total = state["stem_bias"].astype(np.int64)
    for offset, (dx, dy) in enumerate(WIDE):
        x, y = cell[0] + dx, cell[1] + dy
        owner = board.stones.get((x, y))
        outside = (not 0 <= y < board.height, not 0 <= x < board.width)  # beyond black's edges, beyond white's
        if outside in ((True, False), (False, True)):
            owner = outside.index(True)
        if owner is not None:
            total += state["stem_weights"][owner + 1, offset]
    return np.clip(_round_shift(total, FIRST_SHIFT), 0, TOP)


def _convolve(inputs: Planes, layer: int, state: Any, pooled_bias: Any) -> Planes:
    """Return the channels of all cells after a layer of a block, in the unit of its outputs, before clipping."""
    weights = state["block_weights"][layer].astype(np.int64)
    # (lane groups, offsets, groups of inputs, output lanes x inputs of the group) -> (offsets, inputs, outputs)
    parts = weights.reshape(CHANNELS // LANES, len(NEAR), CHANNELS // 4, LANES, 4).transpose(1, 2, 4, 0, 3)
    taps = parts.reshape(len(NEAR), CHANNELS, CHANNELS)
    bias, nothing = state["block_bias"][layer] + pooled_bias, np.zeros(CHANNELS, dtype=np.int64)
    sums = {
        (x, y): bias
        + sum(inputs.get((x + dx, y + dy), nothing) @ tap for (dx, dy), tap in zip(NEAR, taps, strict=True))
        for x, y in inputs
    }
    return {cell: _round_shift(total, state["block_shifts"][layer].astype(np.int64)) for cell, total in sums.items()}


def _pool(planes: Planes) -> Any:
    """Return the mean, rounded half up, and the maximum of each channel."""
    cells = np.array(list(planes.values()))
    return np.concatenate([(2 * cells.sum(axis=0) + len(cells)) // (2 * len(cells)), cells.max(axis=0)])


def _round_shift(values: Any, shift: Any) -> Any:
    """Divide by 2^shift, rounded half up."""
    return np.floor(values / 2.0**shift + 0.5).astype(np.int64)


def _to_byte(values: Any) -> Any:
    return np.clip(values, 0, 127)
