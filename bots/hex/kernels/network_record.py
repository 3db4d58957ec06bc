"""What the network keeps in the record of Hex's tree search: its weights, and what it makes of one position."""

from __future__ import annotations

from core.native.state_type import StateField

CHANNELS = 32
BLOCKS = 4
HIDDEN = 32  # of the value's layer
LANES = 16  # channels that a convolution makes at a time, in registers: two of 256 bits
REACH = 2  # of the first layer, in cells


def hexagon(reach: int) -> list[tuple[int, int]]:
    """Columns and rows of the cells at most so many steps away, by rows."""
    steps = range(-reach, reach + 1)
    return [(x, y) for y in steps for x in steps if abs(x + y) <= reach]


NEAR, WIDE = hexagon(1), hexagon(REACH)


def network_fields(most: int, blocks: int = BLOCKS) -> tuple[StateField, ...]:
    """The network's fields, for boards of so many columns and rows at most; of other blocks to read a file of these."""
    grid = most + 2 * REACH
    cells = (most + 3) * (most + 1) + 8
    return (
        StateField("first_weights", "i16", (4, len(WIDE), CHANNELS), "what a cell's content adds by where it lies"),
        StateField("first_bias", "i32", (CHANNELS,), ""),
        StateField("whole_weights", "i16", (blocks, 2 * CHANNELS, CHANNELS), "from the pooled board to a block's bias"),
        StateField(
            "block_weights",
            "i16",
            (blocks * 2, CHANNELS // LANES, len(NEAR), CHANNELS // 2, 2 * LANES),
            "two convolutions a block; of two inputs at a time for each output",
        ),
        StateField("block_bias", "i32", (blocks * 2, CHANNELS), ""),
        StateField("policy_weights", "i16", (CHANNELS,), "to the strength of a move"),
        StateField("hidden_weights", "f32", (2 * CHANNELS, HIDDEN), "from the pooled board"),
        StateField("hidden_bias", "f32", (HIDDEN,), ""),
        StateField("value_weights", "f32", (HIDDEN,), "to the log-odds of winning"),
        StateField("value_bias", "f32", (), ""),
        StateField("net_width", "i64", (), "columns, as the side to move sees the board"),
        StateField("net_height", "i64", (), "rows"),
        StateField("net_turned", "i64", (), "1 where the board is seen turned by half a circle"),
        StateField(
            "net_cells", "u8", (grid * grid,), "0 empty, 1 its stones and edges, 2 the other's, 3 beyond a corner"
        ),
        StateField("net_rows", "i64", (len(WIDE),), "rows of `first_weights` that a cell's surroundings add up"),
        StateField("net_planes", "i16", (cells, CHANNELS), "channels of each cell"),
        StateField("net_inner", "i16", (cells, CHANNELS), "the same within a block"),
        StateField("net_pool", "i32", (2 * CHANNELS,), "mean and greatest of each channel"),
        StateField("net_bias", "i32", (CHANNELS,), "bias of a convolution with what the whole board adds"),
        StateField("net_hidden", "f32", (HIDDEN,), ""),
        StateField("net_odds", "f32", (), "log-odds of winning for the side to move"),
        StateField(
            "net_strength", "f32", ((most + 2) * (most + 2),), "log-strength of a move on each cell of the board"
        ),
    )
