"""The rules of Kolibrat as kernels: setup, legal moves, make and unmake moves, hash key, repetitions, perft.

Layout of the state: `rows[side, y]` is a bit set of the side's pieces in row y, bit 0 being column a. For example, with
a red piece on b1 and a black piece on c4:

    rows[0] = 010, 000, 000, 000    rows[1] = 000, 000, 000, 100    (rows 1 to 4, as binary numbers)

Red's home row is row 0 and red moves to higher rows; black's home row is the last one and black moves down. `apply`
decides who moves next: a side without a legal move is skipped, and if neither side has one, the side that has just
moved loses. Squares and moves are numbered in bots/kolibrat/squares.py.
"""

from __future__ import annotations

import numpy as np

from bots.kolibrat.parameters import WEIGHT_COUNT
from bots.kolibrat.search_parameters import PARAMETERS
from bots.kolibrat.solver.state_fields import RETRO_FIELDS
from bots.kolibrat.squares import (
    BLACK_WINS,
    HAND,
    MAX_MOVES,
    MAX_PLIES,
    MAX_SIZE,
    MOVE_CODES,
    MOVE_SHIFT,
    OFF,
    RED_WINS,
    SQUARE_MASK,
    STRIDE,
)
from core.native.intrinsics import trailing_zeros
from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType
from core.search.kernels.game_kernels import MAX_PLY, alphabeta_fields
from core.search.kernels.polling import make_count_node
from core.search.kernels.transposition_table import make_table

POSITION_FIELDS = (
    StateField("width", "i64", (), "columns"),
    StateField("height", "i64", (), "rows"),
    StateField("pieces", "i64", (), "pieces per side, on the board and in hand"),
    StateField("goal", "i64", (), "points needed to win"),
    StateField("side", "i64", (), "side to move: 0 red, 1 black"),
    StateField("result", "i64", (), "0 during the game, else RED_WINS or BLACK_WINS"),
    StateField("points", "i64", (2,), "points by side"),
    StateField("on_board", "i64", (2,), "pieces on the board by side"),
    StateField("rows", "i64", (2, MAX_SIZE), "pieces by side and row, one bit per column"),
    StateField("hash", "u64", (), "Zobrist hash of the pieces on the board"),
    StateField("ply", "i64", (), "plies played"),
    StateField("path", "i32", (MAX_PLIES,), "moves played"),
    StateField("path_side", "i8", (MAX_PLIES,), "side that played each move"),
    StateField("path_last_point", "i16", (MAX_PLIES,), "before each move: `ply` just after the last move with a point"),
    StateField("path_keys", "u64", (MAX_PLIES,), "`key` before each move"),
    StateField("weights", "i64", (WEIGHT_COUNT,), "weights of the evaluation, bots/kolibrat/parameters.py"),
)
KOLIBRAT = StateType(
    "Kolibrat",
    POSITION_FIELDS + alphabeta_fields(MAX_MOVES, history_slots=MOVE_CODES, parameters=PARAMETERS) + RETRO_FIELDS,
)
KERNELS = KernelSet("kolibrat", (KOLIBRAT,))

# `mix64` gives keys to numbers. Those below STATE_SALT are for a piece on a square (side * 81 + square), the others for
# the side to move and the points.
STATE_SALT = 200

count_node = make_count_node(KERNELS, KOLIBRAT.name)
table = make_table(KERNELS, KOLIBRAT.name)


@KERNELS.kernel("u64(i64)")
def mix64(number):
    """Return a pseudo-random key for a small number (finaliser of SplitMix64; Steele, Lea and Flood 2014)."""
    word = np.uint64(number + 1) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@KERNELS.export("u64(Kolibrat)")
def key(s):
    """Return the hash of the position: pieces, side to move and the points that each side still needs."""
    needs = (s.goal - s.points[0]) * 64 + s.goal - s.points[1]
    return s.hash ^ mix64(STATE_SALT + 2 * needs + s.side)


@KERNELS.kernel("void(Kolibrat, i64, i64)")
def toggle_piece(s, side, square):
    """Add a piece of a side on an empty square, or remove it from there."""
    row, bit = (square - 1) // STRIDE, 1 << ((square - 1) % STRIDE)
    s.rows[side, row] ^= bit
    s.on_board[side] += 1 if s.rows[side, row] & bit != 0 else -1
    s.hash ^= mix64(side * STRIDE * STRIDE + square)


@KERNELS.export("void(Kolibrat, i64, i64)")
def put(s, side, square):
    """Add a piece on an empty square while setting up a position."""
    toggle_piece(s, side, square)


@KERNELS.export("void(Kolibrat, i64, i64, i64, i64)")
def setup(s, width, height, pieces, goal):
    """Set up the start of a game."""
    s.width, s.height, s.pieces, s.goal = width, height, pieces, goal
    s.side, s.result, s.ply, s.hash = 0, 0, 0, np.uint64(0)
    s.path_last_point[0] = 0
    for side in range(2):
        s.points[side] = 0
        s.on_board[side] = 0
        for row in range(MAX_SIZE):
            s.rows[side, row] = 0


@KERNELS.export("i64(Kolibrat, i64)")
def has_move(s, side):
    """Return 1 if a side has a legal move, else 0. A piece that can jump can also attack, so jumps are not checked."""
    forward = 1 - 2 * side
    home_row = 0 if side == 0 else s.height - 1
    last_row = s.height - 1 - home_row
    full_row = (1 << s.width) - 1
    if s.rows[side, last_row] != 0:
        return 1
    if s.on_board[side] < s.pieces and (s.rows[0, home_row] | s.rows[1, home_row]) != full_row:
        return 1
    row = home_row
    while row != last_row:
        own, enemy = s.rows[side, row], s.rows[1 - side, row + forward]
        empty = full_row & ~(enemy | s.rows[side, row + forward])
        if (own & enemy) | (((own << 1) | (own >> 1)) & empty) != 0:
            return 1
        row += forward
    return 0


@KERNELS.kernel("i64(Kolibrat, i64)")
def can_score(s, side):
    """Return 1 if a side could score with one move: from the last row, or by jumping enemies up to the last row."""
    forward = 1 - 2 * side
    row = s.height - 1 if side == 0 else 0
    columns = (1 << s.width) - 1  # columns in which all rows looked at so far are enemies
    for _ in range(s.height):
        if s.rows[side, row] & columns != 0:
            return 1
        columns &= s.rows[1 - side, row]
        row -= forward
    return 0


@KERNELS.kernel("i64(Kolibrat, i64, i64, i64)")
def jump_target(s, side, row, column):
    """Return where a piece lands when it jumps the enemies in front of it: a square, OFF, or 0 if it cannot jump."""
    forward = 1 - 2 * side
    row += forward
    if row < 0 or row >= s.height or (s.rows[1 - side, row] >> column) & 1 == 0:
        return 0
    while row >= 0 and row < s.height and (s.rows[1 - side, row] >> column) & 1 != 0:
        row += forward
    if row < 0 or row >= s.height:
        return OFF
    return row * STRIDE + column + 1 if (s.rows[side, row] >> column) & 1 == 0 else 0


@KERNELS.export("i64(Kolibrat, i64, i64)")
def list_moves(s, side, ply):
    """Fill `moves[ply]` with the legal moves of a side and return their number."""
    forward = 1 - 2 * side
    home_row = 0 if side == 0 else s.height - 1
    last_row = s.height - 1 - home_row
    full_row = (1 << s.width) - 1
    count = 0
    if s.on_board[side] < s.pieces:
        bits = full_row & ~(s.rows[0, home_row] | s.rows[1, home_row])
        while bits != 0:
            s.moves[ply, count] = HAND << MOVE_SHIFT | (home_row * STRIDE + trailing_zeros(bits) + 1)
            count += 1
            bits &= bits - 1
    row = home_row
    for _ in range(s.height):
        bits = s.rows[side, row]
        while bits != 0:
            column = trailing_zeros(bits)
            bits &= bits - 1
            start = (row * STRIDE + column + 1) << MOVE_SHIFT
            if row == last_row:
                s.moves[ply, count] = start | OFF
                count += 1
                continue
            ahead = (row + forward) * STRIDE + column + 1
            enemy = s.rows[1 - side, row + forward]
            occupied = enemy | s.rows[side, row + forward]
            if column > 0 and (occupied >> (column - 1)) & 1 == 0:
                s.moves[ply, count] = start | (ahead - 1)
                count += 1
            if column + 1 < s.width and (occupied >> (column + 1)) & 1 == 0:
                s.moves[ply, count] = start | (ahead + 1)
                count += 1
            if (enemy >> column) & 1 != 0:
                s.moves[ply, count] = start | ahead
                count += 1
                target = jump_target(s, side, row, column)
                if target != 0:
                    s.moves[ply, count] = start | target
                    count += 1
        row += forward
    return count


@KERNELS.kernel("i64(i64, i64, i64)")
def is_attack(origin, target, side):
    """Return 1 if a legal move is an attack: one row straight ahead, which is possible onto enemies only."""
    return 1 if origin != HAND and target != OFF and target - origin == STRIDE * (1 - 2 * side) else 0


@KERNELS.export("void(Kolibrat, i64)")
def apply(s, move):
    """Make a legal move of the side to move."""
    side, other = s.side, 1 - s.side
    origin, target = move >> MOVE_SHIFT, move & SQUARE_MASK
    s.path[s.ply] = move
    s.path_side[s.ply] = side
    s.path_keys[s.ply] = key(s)
    s.path_last_point[s.ply + 1] = s.path_last_point[s.ply]
    s.ply += 1
    if origin != HAND:
        toggle_piece(s, side, origin)
    if is_attack(origin, target, side) != 0:
        toggle_piece(s, other, target)
    s.side = other
    if target == OFF:
        s.points[side] += 1
        s.path_last_point[s.ply] = s.ply
        if s.points[side] == s.goal:
            s.result = RED_WINS if side == 0 else BLACK_WINS
            return
    else:
        toggle_piece(s, side, target)
    if has_move(s, other) == 0:  # skip the other side
        if has_move(s, side) == 0:
            s.result = BLACK_WINS if side == 0 else RED_WINS
        else:
            s.side = side


@KERNELS.export("void(Kolibrat)")
def undo(s):
    """Unmake the last move."""
    s.ply -= 1
    s.result = 0
    side, move = np.int64(s.path_side[s.ply]), np.int64(s.path[s.ply])
    origin, target = move >> MOVE_SHIFT, move & SQUARE_MASK
    s.side = side
    if target == OFF:
        s.points[side] -= 1
    else:
        toggle_piece(s, side, target)
    if is_attack(origin, target, side) != 0:
        toggle_piece(s, 1 - side, target)
    if origin != HAND:
        toggle_piece(s, side, origin)


@KERNELS.export("i64(Kolibrat)")
def repetitions(s):
    """Return how often the current position has occurred before."""
    current_key, count = key(s), 0
    for ply in range(s.path_last_point[s.ply], s.ply):  # no position from before a point can occur again
        if s.path_keys[ply] == current_key:
            count += 1
    return count


@KERNELS.export("i64(Kolibrat, i64)")
def perft(s, depth):
    """Count the sequences of `depth` legal moves; 0 if `depth` is negative or not below MAX_PLY."""
    if depth == 0:
        return 1
    if s.result != 0 or depth < 0 or depth >= MAX_PLY:
        return 0
    count = list_moves(s, s.side, depth)
    if depth == 1:
        return count
    total = 0
    for index in range(count):
        apply(s, np.int64(s.moves[depth, index]))
        total += perft(s, depth - 1)
        undo(s)
    return total
