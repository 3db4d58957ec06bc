"""What the network keeps in Gomoku's record: its weights, and the sums that follow the moves."""

from __future__ import annotations

from bots.gomoku.kernels.patterns import CODES, GRADES
from bots.gomoku.kernels.shapes import REACH, SHAPES
from core.native.state_type import StateField

CHANNELS = 16  # for each colour
WIDTH = 2 * CHANNELS
HIDDEN = 32
INPUTS = WIDTH + 2 * CODES + 2 * GRADES


def network_fields(cells: int, stones: int) -> tuple[StateField, ...]:
    """The network's fields, for a padded board of so many cells and so many stones at most."""
    return (
        StateField("network", "i64", (), "1 where the weights below are loaded and judge positions"),
        StateField(
            "shape_weights", "i8", (SHAPES, WIDTH), "what a shape adds to its cell: channels of black, of white"
        ),
        StateField("input_weights", "f32", (INPUTS, HIDDEN), "first dense layer"),
        StateField("input_bias", "f32", (HIDDEN,), ""),
        StateField("hidden_weights", "f32", (HIDDEN, HIDDEN), "second dense layer"),
        StateField("hidden_bias", "f32", (HIDDEN,), ""),
        StateField("output_weights", "f32", (HIDDEN,), "last layer, to the log-odds of winning"),
        StateField("output_bias", "f32", (), ""),
        StateField("net_cells", "u8", (cells,), "the cells as the sums have them"),
        StateField("net_path", "i32", (stones + 1,), "the moves that the sums have"),
        StateField("net_stones", "i64", (), "their number; -1 where the sums are of another board"),
        StateField("net_common", "i64", (), "how many of them are surely the record's, too"),
        StateField("net_shapes", "u16", (4, cells), "shape around each empty cell by direction"),
        StateField("net_sums", "i16", (cells, WIDTH), "sum of the weights of the four shapes of an empty cell"),
        StateField("net_total", "u16", (WIDTH,), "sum of the empty cells' sums, each cut to 0..TOP"),
        StateField("net_ahead", "u16", (WIDTH,), "the same with one more stone"),
        StateField(
            "net_changes", "u16", (8 * REACH, 3), "cells that see that stone, and their shapes before and after it"
        ),
        StateField("net_inputs", "i32", (INPUTS,), "inputs of a layer that are not 0"),
        StateField("net_values", "f32", (INPUTS,), "their values"),
        StateField("net_hidden", "f32", (HIDDEN,), "a hidden layer, before it is cut at 0"),
    )
