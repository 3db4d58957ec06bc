"""Fields of Gomoku's state that hold the evaluation network: its weights, and the accumulator."""

from __future__ import annotations

from bots.gomoku.kernels.patterns import GRADES, PATTERNS
from bots.gomoku.kernels.shapes import REACH, SHAPES
from core.native.state_type import StateField

CHANNELS = 16  # per colour
WIDTH = 2 * CHANNELS  # black's channels, then white's
HIDDEN = 32  # units of each hidden layer
INPUTS = WIDTH + 2 * PATTERNS + 2 * GRADES


def network_fields(cells: int, stones: int) -> tuple[StateField, ...]:
    """Return the network's fields, for a padded board of `cells` cells and at most `stones` stones."""
    return (
        StateField("network", "i64", (), "1 if the weights below are loaded and evaluate positions, else 0"),
        StateField(
            "shape_weights", "i8", (SHAPES, WIDTH), "what a shape adds to its cell's channels: black's, then white's"
        ),
        StateField("input_weights", "f32", (INPUTS, HIDDEN), "first dense layer"),
        StateField("input_bias", "f32", (HIDDEN,), ""),
        StateField("hidden_weights", "f32", (HIDDEN, HIDDEN), "second dense layer"),
        StateField("hidden_bias", "f32", (HIDDEN,), ""),
        StateField("output_weights", "f32", (HIDDEN,), "output layer: the logit of winning"),
        StateField("output_bias", "f32", (), ""),
        StateField("net_cells", "u8", (cells,), "cells of the board that the accumulator belongs to"),
        StateField("net_path", "i32", (stones + 1,), "moves of that board"),
        StateField(
            "net_stones", "i64", (), "number of those moves; -1 if the accumulator must be computed from scratch"
        ),
        StateField("net_shared", "i64", (), "number of leading moves that `net_path` surely shares with `path`"),
        StateField("net_shapes", "u16", (4, cells), "shape around each empty cell, by direction"),
        StateField("net_sums", "i16", (cells, WIDTH), "sum of the weights of an empty cell's four shapes"),
        StateField("net_total", "u16", (WIDTH,), "sum over the empty cells of `net_sums`, clipped to 0..CHANNEL_MAX"),
        StateField("net_current", "u16", (WIDTH,), "the same total for the present board, which has one more stone"),
        StateField(
            "net_changes",
            "u16",
            (8 * REACH, 3),
            "cells that the last stone changes, with their shapes before and after it",
        ),
        StateField("net_inputs", "i32", (INPUTS,), "indices of a layer's inputs that are not 0"),
        StateField("net_values", "f32", (INPUTS,), "values of those inputs"),
        StateField("net_hidden", "f32", (HIDDEN,), "a hidden layer before ReLU"),
    )
