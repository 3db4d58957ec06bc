"""The evaluation network, whose output is added to the linear evaluation.

    features of a side   numbers that kernels/evaluate.py lists (network_fields.py), each with a row of int16 weights
      -> channels        CHANNELS per side: the rows' sum, clipped to 0..CHANNEL_MAX
      -> hidden          HIDDEN units with ReLU, from the channels of the side to move and of the other side
      -> output          evaluation units for the side to move

A row has weights for the channels of the side that has the feature and for those of the other side, so each row is read
once. The sums are not updated incrementally: most tiles change their features when one tile moves, because pins and
distances to the queens change.

Functions marked `@intrinsic` are explained in bots/gomoku/kernels/network_vectors.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from bots.hive.kernels.board import KERNELS
from bots.hive.kernels.network_fields import CHANNELS, HIDDEN, MAX_FEATURES
from core.native.intrinsics import row_vector

WEIGHT_ONE = 256  # the integer that stands for a feature's weight of 1.0
CHANNEL_MAX = WEIGHT_ONE  # greatest value of a channel
WORD, INT32, INT16, FLOAT = ir.IntType(64), ir.IntType(32), ir.IntType(16), ir.FloatType()


@intrinsic
def sum_rows(_context: Any, out: Any, row: Any, weights: Any, rows: Any, first: Any, count: Any) -> Any:
    """Fill row `row` of `out` with the sum of the rows of `weights` that `rows` lists, `count` from index `first` on.

    The sum stays in registers.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def vector(argument: int, index: Any) -> Any:
            return row_vector(context, builder, signature.args[argument], arguments[argument], index)

        channels = ir.VectorType(INT16, 2 * CHANNELS)
        total = cgutils.alloca_once(builder, channels)
        builder.store(ir.Constant(channels, [0] * (2 * CHANNELS)), total)
        listed = context.make_array(signature.args[3])(context, builder, arguments[3]).data
        with cgutils.for_range(builder, arguments[5]) as loop:
            number = builder.load(builder.gep(listed, [builder.add(arguments[4], loop.index)]))
            weights_row = builder.load(vector(2, builder.zext(number, WORD)), align=2)
            builder.store(builder.add(builder.load(total), weights_row), total)
        builder.store(builder.load(total), vector(0, arguments[1]), align=2)
        return context.get_dummy_value()

    return types.void(out, types.int64, weights, rows, types.int64, types.int64), generate


@intrinsic
def hidden_layers(_context: Any, sums: Any, side: Any, weights: Any, bias: Any, hands: Any, output: Any) -> Any:
    """Return the output without its bias, from the channels' sums of both sides and the side to move.

    Each product is rounded before it is added (no fused multiply-add), so that all machines compute the same.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def vector(argument: int, index: Any) -> Any:
            return builder.load(
                row_vector(context, builder, signature.args[argument], arguments[argument], index),
                align=signature.args[argument].dtype.bitwidth // 8,
            )

        def lanes(values: Any, indices: list[int]) -> Any:
            undefined = ir.Constant(values.type, ir.Undefined)
            return builder.shuffle_vector(values, undefined, ir.Constant(ir.VectorType(INT32, len(indices)), indices))

        side = arguments[1]
        rows = vector(0, side), vector(0, builder.sub(WORD(1), side))
        halves = [[lanes(row, list(range(begin, begin + CHANNELS))) for begin in (0, CHANNELS)] for row in rows]
        hidden = [vector(3, arguments[4]), ir.Constant(ir.VectorType(FLOAT, HIDDEN), [0.0] * HIDDEN)]
        for us in range(2):
            channels = builder.add(halves[us][0], halves[1 - us][1])
            zero, maximum = (ir.Constant(channels.type, [value] * CHANNELS) for value in (0, CHANNEL_MAX))
            channels = builder.select(builder.icmp_signed(">", channels, zero), channels, zero)
            channels = builder.select(builder.icmp_signed("<", channels, maximum), channels, maximum)
            values = builder.sitofp(channels, ir.VectorType(FLOAT, CHANNELS))
            for channel in range(CHANNELS):  # two independent chains of additions run in parallel
                product = builder.fmul(lanes(values, [channel] * HIDDEN), vector(2, WORD(us * CHANNELS + channel)))
                hidden[channel % 2] = builder.fadd(hidden[channel % 2], product)
        total = builder.fadd(*hidden)
        positive = builder.fcmp_ordered(">", total, ir.Constant(total.type, [0.0] * HIDDEN))
        total = builder.select(positive, total, ir.Constant(total.type, [0.0] * HIDDEN))
        total = builder.fmul(total, vector(5, WORD(0)))
        width = HIDDEN
        while width > 1:  # sum of all units, halving the vector
            width //= 2
            total = builder.fadd(lanes(total, list(range(width))), lanes(total, list(range(width, 2 * width))))
        return builder.extract_element(total, INT32(0))

    return types.float32(sums, types.int64, weights, bias, types.int64, output), generate


@KERNELS.kernel("void(Hive, i64, i64)")
def add_feature(s, side, feature):
    """Add a feature to the list of a side."""
    s.features[side * MAX_FEATURES + s.feature_count[side]] = feature
    s.feature_count[side] += 1


@KERNELS.kernel("i64(Hive)")
def network_output(s):
    """Return the network's output for the side to move, from the features in `features`."""
    for side in range(2):
        sum_rows(
            s.channel_sums,
            side,
            s.feature_weights,
            s.features,
            side * MAX_FEATURES,
            s.feature_count[side],
        )
    output = s.output_bias + hidden_layers(
        s.channel_sums, s.side, s.hidden_weights, s.hidden_bias, s.in_hand[0] + s.in_hand[1], s.output_weights
    )
    return np.int64(output)
