"""What the network keeps in the record of Hex's tree search: its weights, and what it makes of one position."""

from __future__ import annotations

from core.native.state_type import StateField

CHANNELS = 32
BLOCKS = 4
VALUE_HIDDEN = 32  # of the value's layer
LANES = 16  # channels that a convolution makes at a time, in registers: two of 256 bits
STEM_RADIUS = 2  # of the first layer, in cells


def hexagon(reach: int) -> list[tuple[int, int]]:
    """Columns and rows of the cells at most so many steps away, by rows."""
    steps = range(-reach, reach + 1)
    return [(x, y) for y in steps for x in steps if abs(x + y) <= reach]


NEAR_OFFSETS, WIDE_OFFSETS = hexagon(1), hexagon(STEM_RADIUS)


def network_fields(most: int, blocks: int = BLOCKS) -> tuple[StateField, ...]:
    """The network's fields, for boards of so many columns and rows at most; of other blocks to read a file of these."""
    grid = most + 2 * STEM_RADIUS
    cells = (most + 3) * (most + 1) + 8
    return (
        StateField(
            "stem_weights", "i16", (4, len(WIDE_OFFSETS), CHANNELS), "what a cell's content adds by where it lies"
        ),
        StateField("stem_bias", "i32", (CHANNELS,), ""),
        StateField(
            "global_pool_weights", "i16", (blocks, 2 * CHANNELS, CHANNELS), "from the pooled board to a block's bias"
        ),
        StateField(
            "block_weights",
            "i16",
            (blocks * 2, CHANNELS // LANES, len(NEAR_OFFSETS), CHANNELS // 2, 2 * LANES),
            "two convolutions a block; of two inputs at a time for each output",
        ),
        StateField("block_bias", "i32", (blocks * 2, CHANNELS), ""),
        StateField("policy_weights", "i16", (CHANNELS,), "to the strength of a move"),
        StateField("value_hidden_weights", "f32", (2 * CHANNELS, VALUE_HIDDEN), "from the pooled board"),
        StateField("value_hidden_bias", "f32", (VALUE_HIDDEN,), ""),
        StateField("value_weights", "f32", (VALUE_HIDDEN,), "to the log-odds of winning"),
        StateField("value_bias", "f32", (), ""),
        StateField("net_width", "i64", (), "columns, as the side to move sees the board"),
        StateField("net_height", "i64", (), "rows"),
        StateField("net_rotated", "i64", (), "1 where the board is seen turned by half a circle"),
        StateField(
            "net_cells", "u8", (grid * grid,), "0 empty, 1 its stones and edges, 2 the other's, 3 beyond a corner"
        ),
        StateField(
            "input_rows", "i64", (len(WIDE_OFFSETS),), "rows of `stem_weights` that a cell's surroundings add up"
        ),
        StateField("activations", "i16", (cells, CHANNELS), "channels of each cell"),
        StateField("block_activations", "i16", (cells, CHANNELS), "the same within a block"),
        StateField("pooled", "i32", (2 * CHANNELS,), "mean and greatest of each channel"),
        StateField("channel_bias", "i32", (CHANNELS,), "bias of a convolution with what the whole board adds"),
        StateField("value_hidden", "f32", (VALUE_HIDDEN,), ""),
        StateField("value_logit", "f32", (), "log-odds of winning for the side to move"),
        StateField(
            "policy_logits", "f32", ((most + 2) * (most + 2),), "log-strength of a move on each cell of the board"
        ),
    )
