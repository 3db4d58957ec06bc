"""The network's fields in the state `HexPlayout` of the tree search: its weights, and the activations of one position.

`bots/hex/kernels/tree/network.py` describes the network and the units of its integers. Fields up to `value_bias` are
weights; the file `bots/hex/tables/hex.network` holds them in this order (bots/hex/network.py). The others belong to one
evaluation.
"""

from __future__ import annotations

from core.native.state_type import StateField

CHANNELS = 64  # of the activations of each cell
BLOCKS = 6  # residual blocks
VALUE_HIDDEN = 32  # units in the hidden layer of the value head
LANES = 16  # output channels computed at a time, those of core/native/byte_dots.py
STEM_RADIUS = 2  # radius in cells of the first convolution (the stem)


def hexagon(radius: int) -> list[tuple[int, int]]:
    """Return the (x, y) offsets of all cells within `radius` steps, row by row."""
    steps = range(-radius, radius + 1)
    return [(x, y) for y in steps for x in steps if abs(x + y) <= radius]


# The cells that a convolution reads, relative to the cell it computes: in the blocks, and in the stem.
NEAR_OFFSETS, WIDE_OFFSETS = hexagon(1), hexagon(STEM_RADIUS)


def network_fields(max_size: int, blocks: int = BLOCKS) -> tuple[StateField, ...]:
    """Return the fields for boards up to `max_size` x `max_size`.

    The kernels need `blocks` = BLOCKS. Other numbers give the layout of the files of other networks.
    """
    padded_side = max_size + 2 * STEM_RADIUS
    # One row after the other, with an empty cell between two rows and a row above and below; 8 more cells, because
    # a convolution computes several cells at a time.
    cells = (max_size + 3) * (max_size + 1) + 8
    return (
        StateField(
            "stem_weights",
            "i16",
            (4, len(WIDE_OFFSETS), CHANNELS),
            "stem: content of a cell, its offset, output channel",
        ),
        StateField("stem_bias", "i32", (CHANNELS,), "bias of the stem, in units of its sums"),
        StateField(
            "global_pool_weights",
            "i16",
            (blocks, 2 * CHANNELS, CHANNELS),
            "pooled features to channel biases of a block",
        ),
        StateField(
            "block_weights",
            "i8",
            (blocks * 2, CHANNELS // LANES, len(NEAR_OFFSETS), CHANNELS // 4, 4 * LANES),
            "convolution (two per block), lane group, offset, group of inputs, 4 * output lane + input of the group",
        ),
        StateField("block_bias", "i32", (blocks * 2, CHANNELS), "in units of the channel's sums"),
        StateField("block_shifts", "i32", (blocks * 2, CHANNELS), "right shifts from sums to outputs"),
        StateField("input_bits", "i64", (blocks * 2,), "binary digits after the point of a convolution's inputs"),
        StateField("policy_weights", "i16", (CHANNELS,), "policy head: channels of a cell to its logit"),
        StateField(
            "value_hidden_weights", "f32", (2 * CHANNELS, VALUE_HIDDEN), "value head: pooled features to hidden units"
        ),
        StateField("value_hidden_bias", "f32", (VALUE_HIDDEN,), "bias of the hidden units"),
        StateField("value_weights", "f32", (VALUE_HIDDEN,), "value head: hidden units to the logit"),
        StateField("value_bias", "f32", (), "bias of the logit"),
        StateField("net_width", "i64", (), "columns of the board as the network sees it"),
        StateField("net_height", "i64", (), "rows"),
        StateField("net_rotated", "i64", (), "1 if the network sees the board rotated by 180 degrees"),
        StateField(
            "net_cells", "u8", (padded_side * padded_side,), "0 empty, 1 side to move, 2 opponent, 3 off the board"
        ),
        StateField(
            "input_rows", "i64", (len(WIDE_OFFSETS),), "indices of the rows of `stem_weights` to be summed for a cell"
        ),
        StateField("activations", "i16", (cells, CHANNELS), "channels of each cell between blocks"),
        StateField("first_inputs", "i8", (cells, CHANNELS), "the same as inputs of a block's first convolution"),
        StateField("second_inputs", "i8", (cells, CHANNELS), "outputs of the first, inputs of the second"),
        StateField("pooled", "i32", (2 * CHANNELS,), "mean and maximum of each channel over the board"),
        StateField(
            "channel_bias", "i32", (CHANNELS,), "biases of a convolution, with the global-pooling term and for rounding"
        ),
        StateField("value_hidden", "f32", (VALUE_HIDDEN,), "hidden units of the value head, before ReLU"),
        StateField("value_logit", "f32", (), "result: log-odds that the side to move wins"),
        StateField(
            "policy_logits",
            "f32",
            ((max_size + 2) * (max_size + 2),),
            "result: policy logit of each cell of the padded board",
        ),
    )
