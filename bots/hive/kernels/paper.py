"""Evaluation and searches of the players in Urban Pettersson's bachelor's thesis "AI för Hive" (KTH, 2014).

Sections 6 and 7 of the thesis describe the evaluation and the players; the point values are ours.

The evaluation counts occupied cells around the enemy queen minus those around the own queen, plus a weight for each own
tile that can move, minus the same for enemy tiles. A tile counts as able to move if its queen is in play, it is
uncovered, the hive stays connected without it, and it has a first step. Tiles that climb or jump, and tiles on a stack,
always have one. The others need a cell to slide to; a spider may still be stuck after that step. Which tile moved last
is ignored, because it is barred for one turn only.

`minimax(s, depth, ply)` and `alphabeta(s, alpha, beta, depth, ply)` return the value of a full-width search to a fixed
depth, from the point of view of the side to move. `alphabeta` is fail-soft. Wins and losses are scored by their
distance from the root (core/search/scores.py). Repetitions are not detected. After `s.aborted` is set the returned
values are meaningless.
"""

from __future__ import annotations

import numpy as np

from bots.hive.kernels.board import KERNELS, KIND, SLIDES, is_pinned, neighbour_mask
from bots.hive.kernels.moves import movement_kinds
from bots.hive.kernels.rules import apply, count_node, generate, undo
from bots.hive.paper.state_fields import MOBILITY_POINTS, QUEEN_NEIGHBOUR_POINTS
from bots.hive.tiles import ANT, PILLBUG, QUEEN, SIDE_TILES, SPIDER, WHITE_WINS
from bots.hive.tiles import DRAW as BOTH_WIN
from core.native.intrinsics import popcount, trailing_zeros
from core.search.kernels.randomness import make_xorshift
from core.search.scores import DRAW, INFINITE, WIN

# `DRAW` is a score here; the value DRAW of the state's `result` is imported as `BOTH_WIN`.
MOBILITY_WEIGHTS = np.array(MOBILITY_POINTS)
SLIDERS = 1 << QUEEN | 1 << SPIDER | 1 << ANT | 1 << PILLBUG  # bit set of the kinds that move only by sliding

xorshift = make_xorshift(KERNELS)


@KERNELS.kernel("i64(Hive, i64)")
def has_first_step(s, tile):
    """Return 1 if an uncovered tile climbs or jumps, is on a stack, or can slide one step; else 0."""
    if s.tile_level[tile] > 0:
        return 1
    kinds = movement_kinds(s, tile)
    if kinds & ~SLIDERS != 0:
        return 1
    return 1 if kinds != 0 and SLIDES[neighbour_mask(s, np.int64(s.tile_cell[tile]))] != 0 else 0


@KERNELS.kernel("i64(Hive, i64)")
def mobility(s, side):
    """Return the sum of the weights of a side's tiles that can move."""
    total = 0
    tiles = s.uncovered[side] if s.placed[side, QUEEN] != 0 else 0
    while tiles != 0:
        tile = trailing_zeros(tiles)
        tiles &= tiles - 1
        if is_pinned(s, tile) == 0 and has_first_step(s, tile) != 0:
            total += MOBILITY_WEIGHTS[KIND[tile]]
    return total


@KERNELS.export("i64(Hive, i64)")
def count_queen_neighbours(s, side):
    """Return the number of occupied neighbours of a side's queen, 0 if it is in hand."""
    cell = np.int64(s.tile_cell[side * SIDE_TILES])
    return popcount(neighbour_mask(s, cell)) if cell >= 0 else 0


@KERNELS.export("i64(Hive)")
def thesis_evaluate(s):
    """Return the static evaluation for the side to move; the game must not be over."""
    us, them = s.side, 1 - s.side
    pressure = count_queen_neighbours(s, them) - count_queen_neighbours(s, us)
    return QUEEN_NEIGHBOUR_POINTS * pressure + mobility(s, us) - mobility(s, them)


@KERNELS.kernel("i64(Hive, i64)")
def game_over_score(s, ply):
    """Return the score of a finished game for the side to move."""
    if s.result == BOTH_WIN:
        return DRAW
    winner = 0 if s.result == WHITE_WINS else 1
    return WIN - ply if winner == s.side else ply - WIN


@KERNELS.kernel("void(Hive, i64, i64)")
def shuffle(s, ply, count):
    """Shuffle the moves of a ply (Fisher-Yates; Knuth, The Art of Computer Programming, section 3.4.2, algorithm P)."""
    for last in range(count - 1, 0, -1):
        s.thesis_random = xorshift(s.thesis_random)
        other = np.int64(s.thesis_random >> np.uint64(33)) % (last + 1)
        move = s.move_lists[ply, last]
        s.move_lists[ply, last] = s.move_lists[ply, other]
        s.move_lists[ply, other] = move


@KERNELS.kernel("i64(Hive, i64, i64)")
def minimax(s, depth, ply):
    """Return the negamax value of the position without any pruning."""
    if s.result != 0:
        return game_over_score(s, ply)
    if depth == 0:
        return thesis_evaluate(s)
    best = -INFINITE
    count = generate(s, ply, 1)
    for index in range(count):
        apply(s, np.int64(s.move_lists[ply, index]))
        count_node(s)
        value = -minimax(s, depth - 1, ply + 1)
        undo(s)
        if s.aborted != 0:
            return DRAW
        best = max(best, value)
    return best


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def alphabeta(s, alpha, beta, depth, ply):
    """Return the fail-soft alpha-beta value of the position, searching the moves in random order."""
    if s.result != 0:
        return game_over_score(s, ply)
    if depth == 0:
        return thesis_evaluate(s)
    best, win = -INFINITE, WIN - ply - 1  # no move can score better than `win`, a win with this move
    count = generate(s, ply, 1)
    shuffle(s, ply, count)
    for index in range(count):
        apply(s, np.int64(s.move_lists[ply, index]))
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
def thesis_search(s, depth, uses_alphabeta):
    """Search `root_moves` to `depth` plies, by alpha-beta or else by minimax, and return the best value.

    `root_scores` gets the value of each move, or -INFINITE if alpha-beta only found that the move is not better. Only
    the first `root_moves_searched` moves are searched if the search is aborted or alpha-beta finds a win in one move.
    """
    best = -INFINITE
    s.root_moves_searched = 0
    for index in range(s.root_move_count):
        apply(s, np.int64(s.root_moves[index]))
        count_node(s)
        value = -alphabeta(s, -INFINITE, -best, depth - 1, 1) if uses_alphabeta != 0 else -minimax(s, depth - 1, 1)
        undo(s)
        if s.aborted != 0:
            return best
        s.root_moves_searched += 1
        s.root_scores[index] = value if value > best or uses_alphabeta == 0 else -INFINITE
        best = max(best, value)
        if best == WIN - 1 and uses_alphabeta != 0:
            break
    return best


@KERNELS.export("i64(Hive)")
def thesis_list_attacks(s):
    """Fill `root_moves` with the legal moves that occupy one more cell beside the enemy queen; return their number."""
    enemy = 1 - s.side
    before = count_queen_neighbours(s, enemy)
    count = generate(s, 0, 1)
    s.root_move_count = 0
    for index in range(count):
        move = np.int64(s.move_lists[0, index])
        apply(s, move)
        if count_queen_neighbours(s, enemy) > before:
            s.root_moves[s.root_move_count] = move
            s.root_move_count += 1
        undo(s)
    return s.root_move_count
