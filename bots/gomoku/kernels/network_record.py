"""Fields of Gomoku's state that hold the evaluation network: its weights, and the accumulator.

kernels/network.py explains the network. A shape is the content of the cells around an empty cell in one direction,
numbered by kernels/shapes.py; a channel is one component of a vector per cell.
"""

from __future__ import annotations

from bots.gomoku.kernels.patterns import GRADES, PATTERNS
from bots.gomoku.kernels.shapes import REACH, SHAPES
from core.native.state_type import StateField

CHANNELS = 16  # number of channels per colour
WIDTH = 2 * CHANNELS  # number of all channels: black's, then white's
STAR_OUTPUTS = 8  # number of outputs of the star layer per colour
STAR_WIDTH = 2 * STAR_OUTPUTS  # number of all its outputs: black's, then white's
SHAPE_WEIGHTS = WIDTH + 2 * STAR_WIDTH  # number of a shape's weights
HIDDEN = 32  # number of units of each hidden layer
COUNTS = 2 * PATTERNS + 2 * GRADES  # number of counts of patterns and grades of both sides
# Numbers of stones between which the lazy evaluation changes (kernels/evaluate.py), for a board of REFERENCE_CELLS
# cells; on larger boards they are proportionally greater.
FEW_STONES, MANY_STONES, REFERENCE_CELLS = 8, 60, 15 * 15
INPUTS = WIDTH + STAR_WIDTH + COUNTS  # number of inputs of the first dense layer
# Entries of the cache of evaluations, 2 MiB per thread: a power of two, and at least 1 << 16, because an entry has only
# bits 16-63 of its position's hash.
CACHED_EVALUATIONS = 1 << 18


def network_fields(cells: int, max_stones: int) -> tuple[StateField, ...]:
    """Return the network's fields, for a padded board of `cells` cells and at most `max_stones` stones."""
    return (
        StateField("network", "i64", (), "1 if the weights below are loaded and evaluate positions, else 0"),
        StateField(
            "shape_weights",
            "i8",
            (SHAPES, SHAPE_WEIGHTS),
            "weights of a shape: for the channels of its cell, for the star layer at its cell, and for the star layer "
            "at the cells around; of each, black's before white's",
        ),
        StateField("star_bias", "i16", (STAR_WIDTH,), "bias of the star layer"),
        StateField("input_weights", "f32", (INPUTS, HIDDEN), "weights of the first dense layer"),
        StateField("input_bias", "f32", (HIDDEN,), "bias of the first dense layer"),
        StateField("hidden_weights", "f32", (HIDDEN, HIDDEN), "weights of the second dense layer"),
        StateField("hidden_bias", "f32", (HIDDEN,), "bias of the second dense layer"),
        StateField("output_weights", "f32", (HIDDEN,), "weights of the output, the logit of winning"),
        StateField("output_bias", "f32", (), "bias of the output"),
        StateField(
            "lazy_weights",
            "i32",
            (2, COUNTS + 1),
            "weights of the lazy evaluation with few stones and with many: patterns of the side to move and of the "
            "opponent, grades of both, and the bonus of the side to move",
        ),
        StateField("net_cells", "u8", (cells,), "contents of the board that the accumulator belongs to, as in `cells`"),
        StateField("net_path", "i32", (max_stones + 1,), "moves that led to that board"),
        StateField(
            "net_stones", "i64", (), "number of those moves; -1 if the accumulator must be computed from scratch"
        ),
        StateField("net_shared", "i64", (), "number of leading moves that `net_path` surely shares with `path`"),
        StateField("net_shapes", "u16", (4, cells), "shape around each empty cell of that board, by direction"),
        StateField("net_sums", "i16", (cells, WIDTH), "sum of the channel weights of an empty cell's four shapes"),
        StateField(
            "net_total",
            "u16",
            (WIDTH,),
            "sum over the empty cells of `net_sums`, each value first clipped to 0..CHANNEL_MAX",
        ),
        StateField(
            "net_stars", "i16", (cells, STAR_WIDTH), "outputs of the star layer by cell, meaningless outside the board"
        ),
        StateField("net_current", "u16", (WIDTH,), "`net_total` for the present board, which has one more stone"),
        StateField("net_current_stars", "i16", (cells, STAR_WIDTH), "`net_stars` for the present board"),
        StateField("net_peaks", "i16", (STAR_WIDTH,), "maximum of each of these outputs over the board, at least 0"),
        StateField(
            "net_changes",
            "u16",
            (8 * REACH, 3),
            "cells around the last stone: (cell, shape before the stone, shape after it)",
        ),
        StateField("net_inputs", "i32", (INPUTS,), "indices of the inputs of a dense layer that are not 0"),
        StateField("net_values", "f32", (INPUTS,), "values of those inputs"),
        StateField("net_hidden", "f32", (HIDDEN,), "a hidden layer before ReLU"),
        StateField(
            "cached_evaluations",
            "u64",
            (CACHED_EVALUATIONS,),
            "the network's evaluations of positions, by the low bits of their hashes: bits 16-63 of the hash, and in "
            "bits 0-15 the evaluation + 32768; invalid while `net_stones` is -1",
        ),
    )
