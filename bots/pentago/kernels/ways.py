"""Both ways of turning a quadrant at once: the two line counts after an anticlockwise turn, and those after a clockwise
one, as four lanes. What is found of a way lies in its two lanes, and `pair` brings it together in the first of them.
"""

from __future__ import annotations

from bots.pentago.kernels.lanes import inline, make_lanes, read_lanes, swap_neighbours
from bots.pentago.kernels.patterns import CELL_LINES, FIELDS_LOW, RING, TURN_WORDS, line_count

PAIR_SHIFT = 1  # of the second word's fields


@inline
def lines_of(board):
    """The line counts of a colour's marbles, for either way."""
    count0, count1 = line_count(board, 0), line_count(board, 1)
    return make_lanes(count0, count1, count0, count1)


@inline
def cell_lines(cell):
    """What a marble adds to them."""
    count0, count1 = CELL_LINES[cell, 0], CELL_LINES[cell, 1]
    return make_lanes(count0, count1, count0, count1)


@inline
def after_turns(lines, board, quadrant):
    """The line counts of a board after a quadrant's turn either way."""
    return lines + read_lanes(TURN_WORDS, 4 * (256 * quadrant + ((board >> (8 * quadrant)) & RING)))


@inline
def full(lines):
    """The lowest bit of each field that holds 5."""
    return lines & (lines >> 2) & FIELDS_LOW


@inline
def open_to(other):
    """The lowest bit of each field of a line that has no marbles of one side."""
    return ~(other | (other >> 1) | (other >> 2)) & FIELDS_LOW


@inline
def fours(own, free):
    """The lowest bit of the fields of lines with four of one's own, among those that are free of the enemy."""
    return (own >> 2) & ~own & free


@inline
def pair(bits):
    """Lowest bits of fields, both words of each way in the first of them."""
    return bits | (swap_neighbours(bits) << PAIR_SHIFT)
