"""Finds rotations that lead to a board which another move reaches too, from the quadrants alone.

Two moves lead to the same board only if their marbles go to the same quadrant, and each quadrant that they rotate
differently looks the same after either. Only the ring of a quadrant matters, because rotations do not move its centre.
A rotation can be left out for one of three reasons:

1. The rotated quadrant looks the same after it, and another such rotation is kept.
2. The rotated quadrant looks the same after half a turn, so the opposite rotation gives the same board.
3. The marble goes to the rotated quadrant: the same board comes from another square and the opposite rotation, or from
   another square and a rotation that changes nothing.

In case 3 the other square is surely empty. It holds no marble of the opponent, whose marbles look the same after the
rotation, and none of our own, because before the move we had one marble fewer.
"""

from __future__ import annotations

from bots.pentago.kernels.patterns import KERNELS, RING, rotated_ring
from bots.pentago.layout import QUADRANTS

HAS_UNCHANGED = 1 << 8  # flag: some rotation that is kept changes nothing


@KERNELS.kernel("i64(i64, i64, i64)")
def redundant_rotations_elsewhere(own, other, quadrant):
    """Return the redundant rotations of the other quadrants after a marble in `quadrant`, one bit per turn, and
    HAS_UNCHANGED.
    """
    redundant = 0
    for rotated in range(QUADRANTS):
        mine, theirs = (own >> (8 * rotated)) & RING, (other >> (8 * rotated)) & RING
        if rotated == quadrant or rotated_ring(mine, 4) != mine or rotated_ring(theirs, 4) != theirs:
            continue
        if rotated_ring(mine, 2) == mine and rotated_ring(theirs, 2) == theirs:
            redundant |= ((2 if redundant & HAS_UNCHANGED == 0 else 3) << (2 * rotated)) | HAS_UNCHANGED
        else:
            redundant |= 2 << (2 * rotated)
    return redundant


@KERNELS.kernel("i64(i64, i64, i64, i64, i64)")
def redundant_rotations_here(own, other, placed, quadrant, elsewhere):
    """Return the redundant rotations of the marble's own quadrant; `placed` is `own` with the marble."""
    shift = 8 * quadrant
    mine, theirs, ring = (own >> shift) & RING, (other >> shift) & RING, (placed >> shift) & RING
    if rotated_ring(theirs, 4) != theirs:
        return 0
    redundant = 2 if mine & ~rotated_ring(ring, 4) == 0 else 0
    if elsewhere & HAS_UNCHANGED != 0 and rotated_ring(theirs, 2) == theirs:
        redundant |= 1 if mine & ~rotated_ring(ring, 6) == 0 else 0
        redundant |= 2 if mine & ~rotated_ring(ring, 2) == 0 else 0
    return redundant << (2 * quadrant)
