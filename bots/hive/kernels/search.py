"""What Hive adds to the alpha-beta skeleton: ends seen a move ahead, answers to threats on the queen, ordering."""

from __future__ import annotations

import numpy as np

from bots.hive import weights
from bots.hive.kernels import paper
from bots.hive.kernels.evaluate import COUNT, evaluate
from bots.hive.kernels.rules import apply, count_node, generate, rest_key, undo
from bots.hive.kernels.stacks import COLOUR, HISTORY_SLOTS, HIVE, KERNELS, KIND, LAST_CELL, STEPS, board_key, occupied
from bots.hive.tiles import CELLS, DRAW, MOVE_SHIFT, PASS, QUEEN, SIDE_TILES, WHITE_WINS
from core.native.intrinsics import trailing_zeros
from core.search import scores
from core.search.kernels.alphabeta import make_alphabeta
from core.search.kernels.game_kernels import GameKernels
from core.search.kernels.pruning import SearchParameters
from core.search.kernels.transposition_table import make_table
from core.search.scores import NO_SCORE, WIN

PARTS = (paper,)  # modules whose kernels belong to the library, too

table = make_table(KERNELS, HIVE.name)

FREE, HAND = np.array(weights.FREE), np.array(weights.HAND)
ADJACENT = np.array([int(delta in [step % CELLS for step in STEPS]) for delta in range(CELLS)])
CELL_MASK = (1 << MOVE_SHIFT) - 1


@KERNELS.kernel("i64(Hive, i64)")
def last_liberty(s, side):
    """The only empty cell beside a side's queen, or -1 where there are several or none, or no queen in play."""
    cell = np.int64(s.tile_cell[side * SIDE_TILES])
    if cell < 0:
        return -1
    free = 63 & ~occupied(s, cell)
    if free == 0 or free & (free - 1) != 0:
        return -1
    return (cell + STEPS[trailing_zeros(free)]) & LAST_CELL


@KERNELS.kernel("i64(Hive)")
def wins_at_once(s):
    """1 where the side to move can surround the enemy queen in this move and not its own. Overwrites list 0.

    That a pillbug throws the queen itself into a pocket is too rare to look for; the search finds it a ply later.
    """
    us, them = s.side, 1 - s.side
    cell = last_liberty(s, them)
    if cell < 0:
        return 0
    shuts_own = cell == last_liberty(s, us)
    queen, own_queen = np.int64(s.tile_cell[them * SIDE_TILES]), np.int64(s.tile_cell[us * SIDE_TILES])
    count = generate(s, 0, 1)
    for index in range(count):
        move = np.int64(s.lists[0, index])
        if move & CELL_MASK != cell or move == PASS:
            continue
        tile = (move >> MOVE_SHIFT) - 1
        origin = np.int64(s.tile_cell[tile])
        leaves_ground = origin >= 0 and s.tile_level[tile] == 0
        if leaves_ground and (tile == them * SIDE_TILES or ADJACENT[(origin - queen) & LAST_CELL] != 0):
            continue
        if tile == us * SIDE_TILES:  # a thrown queen may come to lie in a closed hole, and both are surrounded
            if occupied(s, cell) != 63 or ADJACENT[(origin - cell) & LAST_CELL] != 0:
                return 1
            continue
        if not shuts_own or (leaves_ground and ADJACENT[(origin - own_queen) & LAST_CELL] != 0):
            return 1
    return 0


@KERNELS.export("i64(Hive)")
def must_answer_threat(s):
    """1 where the enemy would surround the queen of the side to move if it passed. Overwrites list 0."""
    if last_liberty(s, s.side) < 0:
        return 0
    rested = s.rested
    s.rested = -1
    s.side = 1 - s.side
    threat = wins_at_once(s)
    s.side = 1 - s.side
    s.rested = rested
    return threat


@KERNELS.kernel("i64(Hive)")
def is_repeated(s):
    """1 where the position has occurred before; a placement or the end of the known path ends the look back."""
    now = board_key(s)
    s.path_keys[s.ply] = now
    ply = s.ply - 1
    while ply >= 0 and (s.path_origin[ply] >= 0 or s.path[ply] == PASS):
        if (s.ply - ply) & 1 == 0 and s.path_keys[ply] == now:
            return 1
        ply -= 1
    return 0


@KERNELS.export("i64(Hive, i64)")
def terminal_score(s, ply):
    """The end of the game, a repetition, or a queen that can be surrounded in one move."""
    if s.result != 0:
        if s.result == DRAW:
            return scores.DRAW
        winner = 0 if s.result == WHITE_WINS else 1
        return WIN - ply if winner == s.side else ply - WIN
    if is_repeated(s) != 0:
        return scores.DRAW
    return WIN - ply - 1 if wins_at_once(s) != 0 else NO_SCORE


@KERNELS.kernel("u64(Hive)")
def key(s):
    """The rules' hash of the node, with the part that `terminal_score` has just noted."""
    return s.path_keys[s.ply] ^ rest_key(s)


@KERNELS.kernel("i64(Hive, i64, i64)")
def crowding(s, queen, cell):
    """Occupied cells round a queen once it stands on a cell."""
    origin = np.int64(s.tile_cell[queen])
    left = ADJACENT[(origin - cell) & LAST_CELL] if origin >= 0 and s.tile_level[queen] == 0 else 0
    return COUNT[occupied(s, cell)] - left


@KERNELS.kernel("i64(Hive, i64, i64, i64)")
def queen_gain(s, side, tile, cell):
    """By how many occupied neighbours a move makes a side's queen less crowded."""
    queen = side * SIDE_TILES
    place = np.int64(s.tile_cell[queen])
    if place < 0:
        return 0
    if tile == queen:
        return COUNT[occupied(s, place)] - crowding(s, queen, cell)
    origin = np.int64(s.tile_cell[tile])
    left = ADJACENT[(origin - place) & LAST_CELL] if origin >= 0 and s.tile_level[tile] == 0 else 0
    return left - (ADJACENT[(cell - place) & LAST_CELL] if s.height[cell] == 0 else 0)


@KERNELS.kernel("i64(Hive, i64, i64)")
def pin_gain(s, tile, cell):
    """What a move to an empty cell pins where it touches one tile alone: worth of an enemy's, less of one's own."""
    around = occupied(s, cell)
    if around & (around - 1) != 0:
        return 0
    other = np.int64(s.top[(cell + STEPS[trailing_zeros(around)]) & LAST_CELL])
    if s.tile_level[other] > 0 or other == tile:
        return 0
    return FREE[KIND[other]] + 15 if COLOUR[other] != s.side else -FREE[KIND[other]]


@KERNELS.kernel("i64(Hive, i64)")
def order_value(s, move):
    """How promising a move looks before it is tried."""
    if move == PASS:
        return 0
    tile, cell = (move >> MOVE_SHIFT) - 1, move & CELL_MASK
    us, them = s.side, 1 - s.side
    value = 60 * queen_gain(s, us, tile, cell) - 90 * queen_gain(s, them, tile, cell)
    if s.height[cell] == 0:
        value += pin_gain(s, tile, cell)
    else:
        below = np.int64(s.top[cell])
        value += 250 if below == them * SIDE_TILES else (FREE[KIND[below]] if COLOUR[below] != us else -20)
    if s.tile_cell[tile] < 0:
        value += 20 + (HAND[KIND[tile]] >> 1) if tile != us * SIDE_TILES else 60
    return value


@KERNELS.kernel("i64(Hive, i64)")
def generate_ordered(s, ply):
    """All legal moves with their ordering values; of black's first moves one of each kind, as all sides are alike."""
    count = generate(s, 0, 1)
    kept = 0
    for index in range(count):
        move = np.int64(s.lists[0, index])
        if s.ply == 1 and index > 0 and (move >> MOVE_SHIFT) == (np.int64(s.lists[0, index - 1]) >> MOVE_SHIFT):
            continue
        s.moves[ply, kept] = move
        s.move_scores[ply, kept] = order_value(s, move)
        kept += 1
    s.forced[ply] = must_answer_threat(s)
    return kept


@KERNELS.export("i64(Hive, u64[], i64, i64, i64)")
def quiescence(s, words, alpha, beta, ply):
    """The estimate; what can be won in a move `terminal_score` has seen."""
    return evaluate(s)


@KERNELS.kernel("i64(i64)")
def history_slot(move):
    return move & (HISTORY_SLOTS - 1)


@KERNELS.kernel("i64(Hive)")
def null_move(s):
    """A pass, unless the last ply was one or a queen is in hand: then every turn counts."""
    if s.path[s.ply - 1] == PASS or s.placed[0, QUEEN] + s.placed[1, QUEEN] < 2:
        return 0
    return PASS


SEARCH_PARAMETERS = SearchParameters(
    rfp_max_depth=3,
    rfp_margin=60,
    lmp_base=8,
    lmp_factor=3,
    lmp_max_depth=5,
    lmr_divisor=1.7,
)
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
        generate=generate_ordered,
        quiescence=quiescence,
        evaluate=evaluate,
        history_slot=history_slot,
        table=table,
        null_move=null_move,
    ),
    SEARCH_PARAMETERS,
)
