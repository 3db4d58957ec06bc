"""What is seen of Pentago without search: wins in one move, ends of the game, and that an answer is forced."""

from __future__ import annotations

from bots.pentago import layout
from bots.pentago.kernels.patterns import (
    FIELDS_LOW,
    KERNELS,
    LINE_TABLE,
    RING,
    content_of,
    full_lines,
    line_count,
    touched_lines,
)
from bots.pentago.layout import QUADRANTS, WHITE_WINS
from core.search.scores import DRAW, UNSETTLED, WIN


@KERNELS.kernel("i64(i64, i64)")
def fours(own, other):
    """The lowest bit of the fields of lines with four of one's own and no enemy."""
    return (own >> 2) & ~own & FIELDS_LOW & ~touched_lines(other)


@KERNELS.kernel("i64(i64, i64)")
def wins_at_once(own, other):
    """1 where the side with `own` marbles, to move, wins in this move: by placing, or by placing and turning.

    A marble may as well be placed after the turn, where its square comes to lie; so a turn wins if after it there is a
    five or a four to fill up, and no five of the enemy's.
    """
    own0, own1 = line_count(own, 0), line_count(own, 1)
    other0, other1 = line_count(other, 0), line_count(other, 1)
    if (fours(own0, other0) | fours(own1, other1)) != 0:
        return 1
    for quadrant in range(QUADRANTS):
        mine, theirs = content_of(own, quadrant), content_of(other, quadrant)
        rest0, rest1 = own0 - LINE_TABLE[quadrant, mine, 0], own1 - LINE_TABLE[quadrant, mine, 1]
        away0, away1 = other0 - LINE_TABLE[quadrant, theirs, 0], other1 - LINE_TABLE[quadrant, theirs, 1]
        for way in range(2):
            left, right = (2, 6) if way == 1 else (6, 2)
            turned = (((mine << left) | ((mine & RING) >> right)) & RING) | (mine & 256)
            count0, count1 = rest0 + LINE_TABLE[quadrant, turned, 0], rest1 + LINE_TABLE[quadrant, turned, 1]
            if ((count0 | count1) & (FIELDS_LOW << 2)) == 0:  # no line holds four or five
                continue
            turned = (((theirs << left) | ((theirs & RING) >> right)) & RING) | (theirs & 256)
            enemy0, enemy1 = away0 + LINE_TABLE[quadrant, turned, 0], away1 + LINE_TABLE[quadrant, turned, 1]
            wins = full_lines(count0) | full_lines(count1) | fours(count0, enemy0) | fours(count1, enemy1)
            if wins != 0 and (full_lines(enemy0) | full_lines(enemy1)) == 0:
                return 1
    return 0


@KERNELS.export("i64(Pentago, i64)")
def settle(s, ply):
    """The end of the game, or a win in one move."""
    if s.result != 0:
        if s.result == layout.DRAW:
            return DRAW
        winner = 0 if s.result == WHITE_WINS else 1
        return WIN - ply if winner == s.side else ply - WIN
    wins = wins_at_once(s.white, s.black) if s.side == 0 else wins_at_once(s.black, s.white)
    return WIN - ply - 1 if wins != 0 else UNSETTLED


@KERNELS.export("i64(Pentago)")
def is_forced(s):
    """0: nearly every move in the middle game threatens something, so that going on at leaves would never end."""
    return 0
