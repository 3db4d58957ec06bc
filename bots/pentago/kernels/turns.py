"""Which turns lead to boards that other moves lead to as well, told by the quadrants alone.

Two moves lead to the same board only if their marbles go to the same quadrant, and each quadrant that they do not turn
alike looks the same after either. So a turn can be left out for one of three reasons: the quadrant looks the same after
it, and another such turn is kept; it looks the same after half a turn, so that the other way of turning does as well;
or, where the marble goes to that quadrant, the same comes of another square and the other way, or of another square and
a turn that changes nothing. A square that would be needed for that is free: it is none of the enemy's, whose marbles
look the same, and none of one's own, which are fewer by the new one.
"""

from __future__ import annotations

from bots.pentago.kernels.patterns import KERNELS, RING, turned_ring
from bots.pentago.layout import QUADRANTS

STILL = 1 << 8  # some turn that is kept changes nothing


@KERNELS.kernel("i64(i64, i64, i64)")
def idle_turns(own, other, quadrant):
    """The turns of other quadrants, a bit each, that need not be tried with a marble in a quadrant; also STILL."""
    idle = 0
    for turned in range(QUADRANTS):
        mine, theirs = (own >> (8 * turned)) & RING, (other >> (8 * turned)) & RING
        if turned == quadrant or turned_ring(mine, 4) != mine or turned_ring(theirs, 4) != theirs:
            continue
        if turned_ring(mine, 2) == mine and turned_ring(theirs, 2) == theirs:
            idle |= ((2 if idle & STILL == 0 else 3) << (2 * turned)) | STILL
        else:
            idle |= 2 << (2 * turned)
    return idle


@KERNELS.kernel("i64(i64, i64, i64, i64, i64)")
def repeated_turns(own, other, placed, quadrant, idle):
    """The turns of the quadrant itself that need not be tried; `placed` is `own` with the marble."""
    shift = 8 * quadrant
    mine, theirs, ring = (own >> shift) & RING, (other >> shift) & RING, (placed >> shift) & RING
    if turned_ring(theirs, 4) != theirs:
        return 0
    repeated = 2 if mine & ~turned_ring(ring, 4) == 0 else 0
    if idle & STILL != 0 and turned_ring(theirs, 2) == theirs:
        repeated |= 1 if mine & ~turned_ring(ring, 6) == 0 else 0
        repeated |= 2 if mine & ~turned_ring(ring, 2) == 0 else 0
    return repeated << (2 * quadrant)
