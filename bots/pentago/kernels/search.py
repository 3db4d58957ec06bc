"""What Pentago adds to the alpha-beta skeleton: distinct moves by promise, the last ply in a loop, symmetry."""

from __future__ import annotations

import numpy as np

from bots.pentago.kernels import paper, retrograde
from bots.pentago.kernels.evaluate import (
    COUNTS,
    ORDER_THREE,
    OWN_THREE,
    TEMPO,
    TURNED,
    bounded_estimate,
    evaluate,
    lines_value,
    marbles_of,
    quadrants_value,
)
from bots.pentago.kernels.patterns import (
    KERNELS,
    PENTAGO,
    RING,
    TURN_TABLE,
    content_of,
    count_node,
    full_lines,
    line_count,
    plain_table,
    turn_quadrant,
)
from bots.pentago.kernels.rules import (
    ALL_CELLS,
    apply,
    is_legal,
    key,
    mix,
    move_before,
    move_image,
    undo,
    wins_by_placing,
)
from bots.pentago.kernels.threats import WINS, fours, is_forced, look_round, settle, wins_at_once
from bots.pentago.layout import PLACEMENT, QUADRANTS, SKIP
from core.native.intrinsics import popcount, trailing_zeros
from core.search.alphabeta import GameKernels, make_search
from core.search.pruning import Pruning
from core.search.scores import DRAW, WIN
from core.search.table import TableKernels

PARTS = (paper, retrograde)  # modules whose kernels belong to the library, too

MAX_SKIP_MARBLES = 28  # beyond, a turn can be a burden, and skipping it proves nothing
plain_probe, plain_store = plain_table.probe, plain_table.store
MOVE_BITS = np.uint64(0xFFFF)
# By a quadrant's content what it is after half a turn.
HALF_TURNED = np.array([(ring & RING) << 4 & RING | (ring & RING) >> 4 | ring & 256 for ring in range(512)])
LOSING = -(1 << 26)  # ordering value of a move after which the enemy is seen to win at once


@KERNELS.kernel("i64(Pentago, i64, i64)")
def is_new(s, white, black):
    """1 where a board has not been met since `seen_stamp` changed. A board that fell out of `seen` counts as new."""
    word = mix(white, black)
    slot = np.int64(word & np.uint64(1023))
    word ^= s.seen_stamp << np.uint64(20)
    if s.seen[slot] == word:
        return 0
    s.seen[slot] = word
    return 1


@KERNELS.kernel("i64(i64, i64, i64, i64, i64, i64, i64, i64, i64)")
def order_value(own, other, own0, own1, other0, other1, quadrants, marbles, is_threatened):
    """How promising a board with these line counts looks to the side with `own` marbles, which has just moved.

    A five of one's own ends the game as well as one of the enemy's: nothing that the enemy could do next counts then.
    `is_threatened` says that the enemy would have won at once before the move, `quadrants` what turns do not change.
    """
    if (full_lines(own0) | full_lines(own1)) != 0:
        return DRAW if (full_lines(other0) | full_lines(other1)) != 0 else WIN
    if (full_lines(other0) | full_lines(other1) | fours(other0, own0) | fours(other1, own1)) != 0:
        return LOSING
    if is_threatened != 0 and look_round(other, own, other0, other1, own0, own1) == WINS:
        return LOSING
    return quadrants - lines_value(other0, other1, own0, own1, marbles, ORDER_THREE[marbles])


@KERNELS.kernel("i64(Pentago, i64, i64, i64, i64, i64, i64)")
def list_turns(s, own, other, cell, is_threatened, count, ply):
    """Add the turns after a marble on a cell to the moves of a ply, `own` with that marble; return their number.

    `count` is the number of moves so far, negative where all of them lose at once.
    """
    own0, own1 = line_count(own, 0), line_count(own, 1)
    other0, other1 = line_count(other, 0), line_count(other, 1)
    marbles = marbles_of(own, other)
    quadrants = quadrants_value(own, other, marbles)
    for turn in range(8):
        quadrant, first = turn >> 1, 2 * (turn & 1)
        held, faced = content_of(own, quadrant), content_of(other, quadrant)
        mine, theirs = turn_quadrant(own, turn), turn_quadrant(other, turn)
        # Only where half a turn leaves the enemy's marbles in place can another move lead to the same board.
        if HALF_TURNED[faced] == faced and is_new(s, mine, theirs) == 0:
            continue
        value = order_value(
            mine,
            theirs,
            own0 + TURN_TABLE[quadrant, held, first],
            own1 + TURN_TABLE[quadrant, held, first + 1],
            other0 + TURN_TABLE[quadrant, faced, first],
            other1 + TURN_TABLE[quadrant, faced, first + 1],
            quadrants,
            marbles,
            is_threatened,
        )
        if value == LOSING and count > 0:
            continue
        if value > LOSING:
            count = max(count, 0)
        s.moves[ply, abs(count)] = 1 + 8 * cell + turn
        s.order[ply, abs(count)] = value
        count += 1 if value > LOSING else -1
    return count


@KERNELS.export("i64(Pentago, i64)")
def generate(s, ply):
    """The moves that lead to distinct boards, without those that lose at once where there are others."""
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    s.seen_stamp += np.uint64(1)
    s.forced[ply] = 0
    is_threatened = wins_at_once(other, own)
    free = ALL_CELLS & ~(own | other)
    count = 0
    while free != 0:
        cell = trailing_zeros(free)
        free &= free - 1
        if wins_by_placing(s, cell) != 0:
            s.moves[ply, 0] = PLACEMENT + cell
            return 1
        count = list_turns(s, own | (1 << cell), other, cell, is_threatened, count, ply)
    return abs(count)


@KERNELS.kernel("i64(Pentago, i64)")
def may_lead(s, move):
    """1 for a legal move where the enemy threatens nothing, for else few moves are safe, and a lone one counts more."""
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    return 1 if is_legal(s, move) != 0 and wins_at_once(other, own) == 0 else 0


@KERNELS.kernel("i64(i64, i64, i64, i64, i64, i64)")
def best_turn(own, other, best, quadrants, ply, marbles):
    """The best score of the eight turns of a board, its marble placed, or `best` where none is better.

    `quadrants` is the estimate's part without lines. A board on which the enemy wins at once is lost.
    """
    own0, own1 = line_count(own, 0), line_count(own, 1)
    other0, other1 = line_count(other, 0), line_count(other, 1)
    for quadrant in range(QUADRANTS):
        mine, theirs = content_of(own, quadrant), content_of(other, quadrant)
        for way in range(2):
            first = 2 * way
            count0, count1 = own0 + TURN_TABLE[quadrant, mine, first], own1 + TURN_TABLE[quadrant, mine, first + 1]
            enemy0 = other0 + TURN_TABLE[quadrant, theirs, first]
            enemy1 = other1 + TURN_TABLE[quadrant, theirs, first + 1]
            score = ply + 1 - WIN
            if (full_lines(enemy0) | full_lines(enemy1)) != 0:
                if (full_lines(count0) | full_lines(count1)) != 0:
                    score = DRAW
            elif (fours(enemy0, count0) | fours(enemy1, count1)) != 0:
                score = ply + 2 - WIN
            else:
                score = quadrants - lines_value(enemy0, enemy1, count0, count1, marbles, OWN_THREE[marbles])
                if score > best:
                    turn = 2 * quadrant + way
                    mover, after = turn_quadrant(other, turn), turn_quadrant(own, turn)
                    found = look_round(mover, after, enemy0, enemy1, count0, count1)
                    score = ply + 2 - WIN if found == WINS else score - TURNED[marbles] * found
            if score > best:
                best = score
    return best


@KERNELS.export("i64(Pentago, u64[], i64, i64, i64)")
def leaf(s, words, alpha, beta, ply):
    """The best of all moves by the estimate, or the estimate where that reaches beta. No win in one is at hand."""
    if s.full_width == 0:
        static = bounded_estimate(s, beta)
        if static >= beta:
            return static
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    free = ALL_CELLS & ~(own | other)
    best = ply + 1 - WIN
    marbles = min(popcount(own | other) + 1, COUNTS - 1)
    if (free & (free - 1)) == 0:  # the last marble; what is not lost is a draw
        return DRAW if best_turn(own | free, other, best, 0, ply, COUNTS - 1) > best else best
    while free != 0:
        bit = free & -free
        free ^= bit
        s.nodes += 7
        count_node(s)
        best = best_turn(
            own | bit, other, best, quadrants_value(own | bit, other, marbles) - TEMPO[marbles], ply, marbles
        )
        if best >= beta:
            break
    return best


PRUNING = Pruning(
    futility_depth=2,
    futility_margin=100,
    late_moves_base=24,
    late_moves_factor=12,
    late_moves_depth=3,
    reduction_divisor=1.7,
)


@KERNELS.kernel("i64(Pentago, u64[], u64)")
def probe(s, table, word):
    """As in core/search/table.py; the move found is turned from the stored image to the board."""
    if plain_probe(s, table, word) == 0:
        return 0
    move = move_before(np.int64(s.hit_data & MOVE_BITS), s.image)
    s.hit_data = (s.hit_data & ~MOVE_BITS) | np.uint64(move)
    return 1


@KERNELS.kernel("void(Pentago, u64[], u64, i64, i64, i64, i64, i64, i64)")
def store(s, table, word, move, score, evaluation, depth, bound, ply):
    """As in core/search/table.py, with the move as the image that the key stands for sees it."""
    key(s)
    plain_store(s, table, word, move_image(move, s.image), score, evaluation, depth, bound, ply)


@KERNELS.kernel("i64(i64)")
def slot(move):
    return move


@KERNELS.kernel("i64(Pentago)")
def skip(s):
    """A skipped turn, but not twice running."""
    if s.ply > 0 and s.path[s.ply - 1] == SKIP:
        return 0
    return SKIP if popcount(s.white | s.black) < MAX_SKIP_MARBLES else 0


table = TableKernels(
    probe,
    store,
    plain_table.move_of,
    plain_table.score_of,
    plain_table.evaluation_of,
    plain_table.depth_of,
    plain_table.bound_of,
    plain_table.expect,
)
search = make_search(
    KERNELS,
    PENTAGO.name,
    GameKernels(
        apply, undo, key, count_node, settle, is_forced, generate, leaf, evaluate, slot, table, skip, may_lead=may_lead
    ),
    PRUNING,
)
