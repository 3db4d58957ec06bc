"""What the alpha-beta search (core/search/kernels/alphabeta.py) needs to know of Hive.

Importing this module defines all kernels of the game, because it imports the other kernel modules.
- The result of a node: game over, repetition, or a queen that can be surrounded with the next move.
- Threats: whether the enemy would surround our queen after a pass. Such nodes are searched on below the horizon.
- Move ordering by the neighbours that either queen gains or loses, pins, and covered tiles.
- A pass as the null move.
"""

from __future__ import annotations

import numpy as np

from bots.hive.kernels import paper
from bots.hive.kernels.board import (
    CELL_MASK,
    COLOUR,
    HISTORY_SLOTS,
    HIVE,
    KERNELS,
    KIND,
    STEPS,
    board_key,
    neighbour_mask,
)
from bots.hive.kernels.evaluate import POPCOUNT, evaluate
from bots.hive.kernels.rules import (
    ALL_TILES,
    add_movements,
    apply,
    count_node,
    generate,
    is_legal,
    last_moved_key,
    undo,
)
from bots.hive.search_parameters import MOBILE_TILE_ORDER, TILE_IN_HAND_ORDER
from bots.hive.tiles import CELLS, DRAW, MOVE_SHIFT, PASS, QUEEN, SIDE_TILES, WHITE_WINS
from core.native.intrinsics import trailing_zeros
from core.search import scores
from core.search.kernels.alphabeta import make_alphabeta
from core.search.kernels.game_kernels import GameKernels
from core.search.kernels.pruning import CompiledParameters
from core.search.kernels.transposition_table import make_table
from core.search.scores import NO_SCORE, WIN

PARTS = (paper,)  # imported only because its kernels belong to the library, too

table = make_table(KERNELS, HIVE.name)

MOBILE_TILE, TILE_IN_HAND = np.array(MOBILE_TILE_ORDER), np.array(TILE_IN_HAND_ORDER)
# 1 for the differences of two cells that touch, modulo CELLS
IS_ADJACENT = np.array([int(delta in [step % CELLS for step in STEPS]) for delta in range(CELLS)])


@KERNELS.kernel("i64(Hive, i64)")
def last_liberty(s, side):
    """Return the only empty cell beside a side's queen, or -1 if it has none or several or is in hand."""
    cell = np.int64(s.tile_cell[side * SIDE_TILES])
    if cell < 0:
        return -1
    empty = 63 & ~neighbour_mask(s, cell)
    if empty == 0 or empty & (empty - 1) != 0:
        return -1
    return (cell + STEPS[trailing_zeros(empty)]) & CELL_MASK


@KERNELS.kernel("i64(Hive, i64, i64)")
def has_winning_movement(s, liberty, movers):
    """Return 1 if a tile in play can fill the only liberty of the enemy queen and win, else 0; see `has_winning_move`.

    `movers` is the bit set of the tiles to try. The tile found is stored in `winning_tile`.
    """
    us, them = s.side, 1 - s.side
    queen, own_queen = np.int64(s.tile_cell[them * SIDE_TILES]), np.int64(s.tile_cell[us * SIDE_TILES])
    fills_own_liberty = liberty == last_liberty(s, us)
    count = add_movements(s, 0, 0, movers)
    for index in range(count):
        move = np.int64(s.move_lists[0, index])
        if move & CELL_MASK != liberty:
            continue
        tile = (move >> MOVE_SHIFT) - 1
        origin = np.int64(s.tile_cell[tile])
        leaves_ground = s.tile_level[tile] == 0
        if leaves_ground and (tile == them * SIDE_TILES or IS_ADJACENT[(origin - queen) & CELL_MASK] != 0):
            continue
        if tile == us * SIDE_TILES:  # our queen: if it was thrown into a closed hole, both queens are surrounded
            if neighbour_mask(s, liberty) == 63 and IS_ADJACENT[(origin - liberty) & CELL_MASK] == 0:
                continue
        elif fills_own_liberty and not (leaves_ground and IS_ADJACENT[(origin - own_queen) & CELL_MASK] != 0):
            continue
        s.winning_tile[us] = tile
        return 1
    return 0


@KERNELS.kernel("i64(Hive)")
def has_winning_move(s):
    """Return 1 if the side to move has a move that surrounds the enemy queen and not its own, else 0.

    Only enemy queens with a single empty neighbour, their liberty, are looked at. The move must fill it from elsewhere:
    a tile that leaves another neighbour of the queen opens a cell. A tile in hand can fill it only if one of ours
    stands on the queen, and then a beetle can step down there, too. A pillbug that throws the enemy queen itself into a
    hole is too rare to look for; the search finds it one ply later. The tile that won last time is tried first, because
    it still wins after most answers to its threat. Overwrites move list 0.
    """
    liberty = last_liberty(s, 1 - s.side)
    if liberty < 0 or s.placed[s.side, QUEEN] == 0:
        return 0
    latest = 1 << s.winning_tile[s.side]
    if has_winning_movement(s, liberty, latest) != 0:
        return 1
    return has_winning_movement(s, liberty, ALL_TILES & ~latest)


@KERNELS.export("i64(Hive)")
def must_answer_threat(s):
    """Return 1 if the enemy could surround the queen of the side to move after a pass. Overwrites move list 0."""
    if last_liberty(s, s.side) < 0:
        return 0
    last_moved = s.last_moved
    s.last_moved = -1
    s.side = 1 - s.side
    threat = has_winning_move(s)
    s.side = 1 - s.side
    s.last_moved = last_moved
    return threat


@KERNELS.kernel("i64(Hive)")
def is_repeated(s):
    """Return 1 if the position has occurred before, else 0, and store its key in `path_keys`.

    Looks back to the last placement, because no position from before it can occur again.
    """
    key_now = board_key(s)
    s.path_keys[s.ply] = key_now
    ply = s.ply - 1
    while ply >= 0 and (s.path_origin[ply] >= 0 or s.path[ply] == PASS):
        if (s.ply - ply) & 1 == 0 and s.path_keys[ply] == key_now:
            return 1
        ply -= 1
    return 0


@KERNELS.kernel("i64(Hive, i64)")
def draw_score(s, ply):
    """Return the score of a draw for the side to move; sides alternate, so it is that of the root at even plies."""
    return scores.DRAW - s.contempt if ply & 1 == 0 else scores.DRAW + s.contempt


@KERNELS.export("i64(Hive, i64)")
def terminal_score(s, ply):
    """Return the score if the game is over, the position is repeated (a draw) or a winning move is seen."""
    if s.result != 0:
        if s.result == DRAW:
            return draw_score(s, ply)
        winner = 0 if s.result == WHITE_WINS else 1
        return WIN - ply if winner == s.side else ply - WIN
    if is_repeated(s) != 0:
        return draw_score(s, ply)
    return WIN - ply - 1 if has_winning_move(s) != 0 else NO_SCORE


@KERNELS.kernel("u64(Hive)")
def key(s):
    """Return the hash of the node. `terminal_score` has stored its first part in `path_keys` just before."""
    return s.path_keys[s.ply] ^ last_moved_key(s)


@KERNELS.kernel("i64(Hive, i64, i64)")
def queen_neighbours_after(s, queen, cell):
    """Return how many neighbours of `cell` are occupied once the queen stands there."""
    origin = np.int64(s.tile_cell[queen])
    leaves = IS_ADJACENT[(origin - cell) & CELL_MASK] if origin >= 0 and s.tile_level[queen] == 0 else 0
    return POPCOUNT[neighbour_mask(s, cell)] - leaves


@KERNELS.kernel("i64(Hive, i64, i64, i64)")
def queen_relief(s, side, tile, cell):
    """Return how many occupied neighbours a side's queen loses by a move (negative if it gains some)."""
    queen = side * SIDE_TILES
    queen_cell = np.int64(s.tile_cell[queen])
    if queen_cell < 0:
        return 0
    if tile == queen:
        return POPCOUNT[neighbour_mask(s, queen_cell)] - queen_neighbours_after(s, queen, cell)
    origin = np.int64(s.tile_cell[tile])
    leaves = IS_ADJACENT[(origin - queen_cell) & CELL_MASK] if origin >= 0 and s.tile_level[tile] == 0 else 0
    return leaves - (IS_ADJACENT[(cell - queen_cell) & CELL_MASK] if s.height[cell] == 0 else 0)


@KERNELS.kernel("i64(Hive, i64, i64)")
def pin_value(s, tile, cell):
    """Return the value of the tile that a move to an empty cell pins: positive for an enemy tile, negative for an own.

    A tile that is the only neighbour of the moved tile cannot leave without splitting the hive.
    """
    around = neighbour_mask(s, cell)
    if around & (around - 1) != 0:
        return 0
    other = np.int64(s.top[(cell + STEPS[trailing_zeros(around)]) & CELL_MASK])
    if s.tile_level[other] > 0 or other == tile:
        return 0
    return MOBILE_TILE[KIND[other]] + s.order_pin if COLOUR[other] != s.side else -MOBILE_TILE[KIND[other]]


@KERNELS.kernel("i64(Hive, i64)")
def score_move(s, move):
    """Return the ordering score of a move, with the weights of bots/hive/search_parameters.py."""
    if move == PASS:
        return 0
    tile, cell = (move >> MOVE_SHIFT) - 1, move & CELL_MASK
    us, them = s.side, 1 - s.side
    value = s.order_own_queen * queen_relief(s, us, tile, cell)
    value -= s.order_enemy_queen * queen_relief(s, them, tile, cell)
    if s.height[cell] == 0:
        value += pin_value(s, tile, cell)
    else:
        below = np.int64(s.top[cell])
        covered = MOBILE_TILE[KIND[below]] if COLOUR[below] != us else s.order_cover_own
        value += s.order_cover_queen if below == them * SIDE_TILES else covered
    if s.tile_cell[tile] < 0:
        placement = s.order_placement + (TILE_IN_HAND[KIND[tile]] >> 1)
        value += placement if tile != us * SIDE_TILES else s.order_queen_placement
    return value


@KERNELS.kernel("i64(Hive, i64)")
def generate_scored(s, ply):
    """Fill `moves[ply]` and `move_scores[ply]` with the legal moves and their scores; return the number of moves.

    Of black's first placements only one per kind is kept: the six cells around white's tile are symmetric.
    """
    count = generate(s, 0, 1)
    kept = 0
    for index in range(count):
        move = np.int64(s.move_lists[0, index])
        if s.ply == 1 and index > 0 and (move >> MOVE_SHIFT) == (np.int64(s.move_lists[0, index - 1]) >> MOVE_SHIFT):
            continue
        s.moves[ply, kept] = move
        s.move_scores[ply, kept] = score_move(s, move)
        kept += 1
    s.forced[ply] = must_answer_threat(s)  # 1: smaller reductions at this node, late move pruning by `lmp_threat_base`
    return kept


@KERNELS.export("i64(Hive, u64[], i64, i64, i64)")
def quiescence(s, words, alpha, beta, ply):
    """Return the static evaluation; the other arguments are not used.

    There is no quiescence search, because `terminal_score` sees wins in one move.
    """
    return evaluate(s)


@KERNELS.kernel("i64(i64)")
def history_slot(move):
    """Return the index of a move in the history table."""
    return move & (HISTORY_SLOTS - 1)


@KERNELS.kernel("i64(Hive)")
def null_move(s):
    """Return PASS as the null move; 0 (no null move) after a pass, or while a queen is in hand."""
    if s.path[s.ply - 1] == PASS or s.placed[0, QUEEN] + s.placed[1, QUEEN] < 2:
        return 0
    return PASS


@KERNELS.kernel("i64(Hive, i64)")
def can_stage_hash_move(s, move):
    """Return 1 if the hash move may be searched before the other moves are generated, else 0.

    An only move is rare in Hive and not told apart: it costs a ply then, unlike one that is generated.
    """
    return is_legal(s, move) if move != PASS else 0


search = make_alphabeta(
    KERNELS,
    HIVE.name,
    GameKernels(
        apply=apply,
        undo=undo,
        key=key,
        count_node=count_node,
        terminal_score=terminal_score,
        must_answer_threat=must_answer_threat,
        generate=generate_scored,
        quiescence=quiescence,
        evaluate=evaluate,
        history_slot=history_slot,
        table=table,
        null_move=null_move,
        can_stage_hash_move=can_stage_hash_move,
    ),
    CompiledParameters(),
)
