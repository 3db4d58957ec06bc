"""Line counts after both rotations of a quadrant at once, as four lanes (kernels/lanes.py).

    lane 0, 1    line counts (two words, kernels/patterns.py) after the anticlockwise rotation
    lane 2, 3    line counts after the clockwise rotation

`merge_words` combines the bits found in the two words of each rotation into lane 0 and lane 2. The
arguments `own` and `other` are lanes of one side and of its opponent, not bitboards.
"""

from __future__ import annotations

from bots.pentago.kernels.lanes import inline, make_lanes, read_lanes, swap_neighbours
from bots.pentago.kernels.patterns import CELL_LINES, FIELDS_LOW, RING, ROTATION_WORDS, line_count

MERGE_SHIFT = 1  # lanes 1 and 3 use the second-lowest bit of each field


@inline
def line_lanes(board):
    """Return the line counts of a board before any rotation, in both halves."""
    count0, count1 = line_count(board, 0), line_count(board, 1)
    return make_lanes(count0, count1, count0, count1)


@inline
def cell_lanes(cell):
    """Return what a marble on a cell adds to them."""
    count0, count1 = CELL_LINES[cell, 0], CELL_LINES[cell, 1]
    return make_lanes(count0, count1, count0, count1)


@inline
def after_rotations(lines, board, quadrant):
    """Return the line counts of a board after each rotation of a quadrant."""
    return lines + read_lanes(ROTATION_WORDS, 4 * (256 * quadrant + ((board >> (8 * quadrant)) & RING)))


@inline
def five_lines(lines):
    """Return the lowest bit of each field that holds 5."""
    return lines & (lines >> 2) & FIELDS_LOW


@inline
def open_lines(other):
    """Return the lowest bit of each field of a line without marbles of the given side."""
    return ~(other | (other >> 1) | (other >> 2)) & FIELDS_LOW


@inline
def open_fours(own, free):
    """Return the lowest bit of each field of a line with four own marbles and none of the opponent."""
    return (own >> 2) & ~own & free


@inline
def merge_words(bits):
    """Combine the lowest bits of fields of both words of each rotation in lanes 0 and 2."""
    return bits | (swap_neighbours(bits) << MERGE_SHIFT)
