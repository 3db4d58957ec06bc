"""The players of Pettersson's thesis (AI för Hive, KTH 2014, sections 6 and 7) as kernels: estimate and searches.

The estimate is points for each occupied cell round the enemy queen, less those round one's own, and a weight for each
tile that can move, less the enemy's. The numbers are ours. That a tile can move means here: its queen is in play, it is
uncovered, the hive holds together without it, and a first step is open to it. Tiles that climb or jump, and those above
the ground, have that step anyway; the others need a cell to slide to, though a spider may be stuck after it. Which tile
moved last does not matter, for that bars it for one turn only.

Contract of `minimax(state, depth, ply)` and `alphabeta(state, alpha, beta, depth, ply)`: the value of a full-width
search to a fixed depth for the side to move, the latter fail-soft as in core/search/kernels/alphabeta.py; proven
results are distances from the root (core/search/scores.py). Once `aborted` is set results are void. Repetitions are not
looked for.
"""

from __future__ import annotations

import numpy as np

from bots.hive.kernels.moves import skills_of
from bots.hive.kernels.rules import apply, count_node, generate, undo
from bots.hive.kernels.stacks import KERNELS, KIND, SLIDES, find_cuts, is_pinned, occupied
from bots.hive.paper.record import MOBILE, ROUND_QUEEN
from bots.hive.tiles import ANT, PILLBUG, QUEEN, SIDE_TILES, SPIDER, WHITE_WINS
from bots.hive.tiles import DRAW as BOTH_WIN
from core.native.intrinsics import popcount, trailing_zeros
from core.search.kernels.randomness import make_xorshift
from core.search.scores import DRAW, INFINITE, WIN

WEIGHTS = np.array(MOBILE)
SLIDERS = 1 << QUEEN | 1 << SPIDER | 1 << ANT | 1 << PILLBUG  # kinds that only slide

xorshift = make_xorshift(KERNELS)


@KERNELS.kernel("i64(Hive, i64)")
def has_first_step(s, tile):
    """1 where a first step is open to an uncovered tile."""
    if s.tile_level[tile] > 0:
        return 1
    skills = skills_of(s, tile)
    if skills & ~SLIDERS != 0:
        return 1
    return 1 if skills != 0 and SLIDES[occupied(s, np.int64(s.tile_cell[tile]))] != 0 else 0


@KERNELS.kernel("i64(Hive, i64)")
def mobility(s, side):
    """Sum of the weights of a side's tiles that can move. `cuts` must be known where the hive has holes."""
    total = 0
    tiles = s.tops[side] if s.placed[side, QUEEN] != 0 else 0
    while tiles != 0:
        tile = trailing_zeros(tiles)
        tiles &= tiles - 1
        if is_pinned(s, tile) == 0 and has_first_step(s, tile) != 0:
            total += WEIGHTS[KIND[tile]]
    return total


@KERNELS.export("i64(Hive, i64)")
def count_round_queen(s, side):
    """Number of occupied cells round a side's queen, 0 where it is in hand."""
    cell = np.int64(s.tile_cell[side * SIDE_TILES])
    return popcount(occupied(s, cell)) if cell >= 0 else 0


@KERNELS.export("i64(Hive)")
def thesis_evaluate(s):
    """The estimate for the side to move, of a game that is not over."""
    us, them = s.side, 1 - s.side
    if s.euler != 1 and s.ply > 0:
        find_cuts(s)
    pressure = count_round_queen(s, them) - count_round_queen(s, us)
    return ROUND_QUEEN * pressure + mobility(s, us) - mobility(s, them)


@KERNELS.kernel("i64(Hive, i64)")
def final_value(s, ply):
    """The value for the side to move of a game that is over."""
    if s.result == BOTH_WIN:
        return DRAW
    winner = 0 if s.result == WHITE_WINS else 1
    return WIN - ply if winner == s.side else ply - WIN


@KERNELS.kernel("void(Hive, i64, i64)")
def shuffle(s, ply, count):
    """Put the moves of a ply into random order (Fisher and Yates; Knuth, The Art of Computer Programming, 3.4.2 P)."""
    for last in range(count - 1, 0, -1):
        s.thesis_random = xorshift(s.thesis_random)
        other = np.int64(s.thesis_random >> np.uint64(33)) % (last + 1)
        move = s.lists[ply, last]
        s.lists[ply, last] = s.lists[ply, other]
        s.lists[ply, other] = move


@KERNELS.kernel("i64(Hive, i64, i64)")
def minimax(s, depth, ply):
    """Value of the position by a full search."""
    if s.result != 0:
        return final_value(s, ply)
    if depth == 0:
        return thesis_evaluate(s)
    best = -INFINITE
    count = generate(s, ply, 1)
    for index in range(count):
        apply(s, np.int64(s.lists[ply, index]))
        count_node(s)
        value = -minimax(s, depth - 1, ply + 1)
        undo(s)
        if s.aborted != 0:
            return DRAW
        best = max(best, value)
    return best


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def alphabeta(s, alpha, beta, depth, ply):
    """The same by alpha-beta, fail-soft."""
    if s.result != 0:
        return final_value(s, ply)
    if depth == 0:
        return thesis_evaluate(s)
    best, win = -INFINITE, WIN - ply - 1
    count = generate(s, ply, 1)
    shuffle(s, ply, count)
    for index in range(count):
        apply(s, np.int64(s.lists[ply, index]))
        count_node(s)
        value = -alphabeta(s, -beta, -max(alpha, best), depth - 1, ply + 1)
        undo(s)
        if s.aborted != 0:
            return DRAW
        best = max(best, value)
        if best >= beta or best == win:
            break
    return best


@KERNELS.export("i64(Hive, i64, i64)")
def thesis_search(s, depth, prunes):
    """The value of the best of the `root_moves` after a search of `depth` plies, by alpha-beta with `prunes`.

    `root_scores` are the moves' values, -INFINITE where alpha-beta shows no more than that a move is not better. When
    aborted, or with a win in one, only the first `root_moves_searched` of them are known.
    """
    best = -INFINITE
    s.root_moves_searched = 0
    for index in range(s.root_move_count):
        apply(s, np.int64(s.root_moves[index]))
        count_node(s)
        value = -alphabeta(s, -INFINITE, -best, depth - 1, 1) if prunes != 0 else -minimax(s, depth - 1, 1)
        undo(s)
        if s.aborted != 0:
            return best
        s.root_moves_searched += 1
        s.root_scores[index] = value if value > best or prunes == 0 else -INFINITE
        best = max(best, value)
        if best == WIN - 1 and prunes != 0:
            break
    return best


@KERNELS.export("i64(Hive)")
def thesis_attacks(s):
    """Fill `root_moves` with the legal moves that add a tile round the enemy queen, and return their number."""
    enemy = 1 - s.side
    before = count_round_queen(s, enemy)
    count = generate(s, 0, 1)
    s.root_move_count = 0
    for index in range(count):
        move = np.int64(s.lists[0, index])
        apply(s, move)
        if count_round_queen(s, enemy) > before:
            s.root_moves[s.root_move_count] = move
            s.root_move_count += 1
        undo(s)
    return s.root_move_count
