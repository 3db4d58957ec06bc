"""Kolibrat's rules as kernels over one record: set up, legal moves, play, undo, hash, perft.

Each side's pieces are one word a row, a bit a column. Red moves to higher rows, black to lower ones. `apply` settles
who moves next: a side without a move is skipped, and where neither has one the side that has just moved loses.
"""

from __future__ import annotations

import numpy as np

from bots.kolibrat.parameters import WEIGHT_COUNT
from bots.kolibrat.solver.record import RETRO_FIELDS
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
    StateField("pieces", "i64", (), "pieces of each side, on the board and in hand"),
    StateField("goal", "i64", (), "points that win"),
    StateField("side", "i64", (), "side to move: 0 red, 1 black"),
    StateField("result", "i64", (), "0 while the game goes on, else RED_WINS or BLACK_WINS"),
    StateField("points", "i64", (2,), "a side's points"),
    StateField("on_board", "i64", (2,), "a side's pieces on the board"),
    StateField("rows", "i64", (2, MAX_SIZE), "a side's pieces, a bit a column"),
    StateField("hash", "u64", (), "hash of the pieces on the board"),
    StateField("ply", "i64", (), "plies played"),
    StateField("path", "i32", (MAX_PLIES,), "moves played"),
    StateField("path_side", "i8", (MAX_PLIES,), "who played them"),
    StateField(
        "path_score", "i16", (MAX_PLIES,), "the ply after the last score before a move: nothing earlier comes again"
    ),
    StateField("path_keys", "u64", (MAX_PLIES,), "keys of the positions before the moves"),
    StateField("weights", "i64", (WEIGHT_COUNT,), "weights of the evaluation, bots/kolibrat/parameters.py"),
)
KOLIBRAT = StateType(
    "Kolibrat",
    POSITION_FIELDS + alphabeta_fields(max_moves=MAX_MOVES, history_slots=MOVE_CODES) + RETRO_FIELDS,
)
KERNELS = KernelSet("kolibrat", (KOLIBRAT,))

STATE_SALT = 200  # above all numbers of pieces on squares

count_node = make_count_node(KERNELS, KOLIBRAT.name)
table = make_table(KERNELS, KOLIBRAT.name)


@KERNELS.kernel("u64(i64)")
def mix(number):
    """A well-mixed word for a small number (the finaliser of splitmix64, Steele, Lea and Flood 2014)."""
    word = np.uint64(number + 1) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@KERNELS.export("u64(Kolibrat)")
def key(s):
    """Hash of the whole state: pieces, side to move and the points that each side still needs."""
    needs = (s.goal - s.points[0]) * 64 + s.goal - s.points[1]
    return s.hash ^ mix(STATE_SALT + 2 * needs + s.side)


@KERNELS.kernel("void(Kolibrat, i64, i64)")
def toggle(s, side, square):
    """Put a piece of a side on an empty square, or lift it from there."""
    row, bit = (square - 1) // STRIDE, 1 << ((square - 1) % STRIDE)
    s.rows[side, row] ^= bit
    s.on_board[side] += 1 if s.rows[side, row] & bit != 0 else -1
    s.hash ^= mix(side * STRIDE * STRIDE + square)


@KERNELS.export("void(Kolibrat, i64, i64)")
def put(s, side, square):
    """Put a piece on an empty square while a position is set up."""
    toggle(s, side, square)


@KERNELS.export("void(Kolibrat, i64, i64, i64, i64)")
def setup(s, width, height, pieces, goal):
    """The start of a game."""
    s.width, s.height, s.pieces, s.goal = width, height, pieces, goal
    s.side, s.result, s.ply, s.hash = 0, 0, 0, np.uint64(0)
    s.path_score[0] = 0
    for side in range(2):
        s.points[side] = 0
        s.on_board[side] = 0
        for row in range(MAX_SIZE):
            s.rows[side, row] = 0


@KERNELS.export("i64(Kolibrat, i64)")
def has_move(s, side):
    """1 where a side has a legal move. Whoever can jump can also attack, so jumps need no look."""
    forward = 1 - 2 * side
    home = 0 if side == 0 else s.height - 1
    last = s.height - 1 - home
    full = (1 << s.width) - 1
    if s.rows[side, last] != 0:
        return 1
    if s.on_board[side] < s.pieces and (s.rows[0, home] | s.rows[1, home]) != full:
        return 1
    row = home
    while row != last:
        mine, enemy = s.rows[side, row], s.rows[1 - side, row + forward]
        empty = full & ~(enemy | s.rows[side, row + forward])
        if (mine & enemy) | (((mine << 1) | (mine >> 1)) & empty) != 0:
            return 1
        row += forward
    return 0


@KERNELS.kernel("i64(Kolibrat, i64)")
def can_score(s, side):
    """1 where a side's move could score: from the last row, or over a line of enemies that reaches it."""
    forward = 1 - 2 * side
    row = s.height - 1 if side == 0 else 0
    line = (1 << s.width) - 1
    for _ in range(s.height):
        if s.rows[side, row] & line != 0:
            return 1
        line &= s.rows[1 - side, row]
        row -= forward
    return 0


@KERNELS.kernel("i64(Kolibrat, i64, i64, i64)")
def jump_target(s, side, row, column):
    """Where a piece lands that jumps the enemies in front of it: a square, OFF, or 0 where it cannot jump."""
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
    home = 0 if side == 0 else s.height - 1
    last = s.height - 1 - home
    full = (1 << s.width) - 1
    count = 0
    if s.on_board[side] < s.pieces:
        bits = full & ~(s.rows[0, home] | s.rows[1, home])
        while bits != 0:
            s.moves[ply, count] = HAND << MOVE_SHIFT | (home * STRIDE + trailing_zeros(bits) + 1)
            count += 1
            bits &= bits - 1
    row = home
    for _ in range(s.height):
        bits = s.rows[side, row]
        while bits != 0:
            column = trailing_zeros(bits)
            bits &= bits - 1
            start = (row * STRIDE + column + 1) << MOVE_SHIFT
            if row == last:
                s.moves[ply, count] = start | OFF
                count += 1
                continue
            ahead = (row + forward) * STRIDE + column + 1
            enemy = s.rows[1 - side, row + forward]
            taken = enemy | s.rows[side, row + forward]
            if column > 0 and (taken >> (column - 1)) & 1 == 0:
                s.moves[ply, count] = start | (ahead - 1)
                count += 1
            if column + 1 < s.width and (taken >> (column + 1)) & 1 == 0:
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
    """1 for the moves straight to the next row: only an enemy makes them possible."""
    return 1 if origin != HAND and target != OFF and target - origin == STRIDE * (1 - 2 * side) else 0


@KERNELS.export("void(Kolibrat, i64)")
def apply(s, move):
    """Play a legal move of the side to move."""
    side, other = s.side, 1 - s.side
    origin, target = move >> MOVE_SHIFT, move & SQUARE_MASK
    s.path[s.ply] = move
    s.path_side[s.ply] = side
    s.path_keys[s.ply] = key(s)
    s.path_score[s.ply + 1] = s.path_score[s.ply]
    s.ply += 1
    if origin != HAND:
        toggle(s, side, origin)
    if is_attack(origin, target, side) != 0:
        toggle(s, other, target)
    s.side = other
    if target == OFF:
        s.points[side] += 1
        s.path_score[s.ply] = s.ply
        if s.points[side] == s.goal:
            s.result = RED_WINS if side == 0 else BLACK_WINS
            return
    else:
        toggle(s, side, target)
    if has_move(s, other) == 0:
        if has_move(s, side) == 0:
            s.result = BLACK_WINS if side == 0 else RED_WINS
        else:
            s.side = side


@KERNELS.export("void(Kolibrat)")
def undo(s):
    """Take the last move back."""
    s.ply -= 1
    s.result = 0
    side, move = np.int64(s.path_side[s.ply]), np.int64(s.path[s.ply])
    origin, target = move >> MOVE_SHIFT, move & SQUARE_MASK
    s.side = side
    if target == OFF:
        s.points[side] -= 1
    else:
        toggle(s, side, target)
    if is_attack(origin, target, side) != 0:
        toggle(s, 1 - side, target)
    if origin != HAND:
        toggle(s, side, origin)


@KERNELS.export("i64(Kolibrat)")
def repetitions(s):
    """How often the present position has occurred before."""
    now, count = key(s), 0
    for ply in range(s.path_score[s.ply], s.ply):
        if s.path_keys[ply] == now:
            count += 1
    return count


@KERNELS.export("i64(Kolibrat, i64)")
def perft(s, depth):
    """Number of legal move sequences of `depth` plies; below 0 and above MAX_PLY - 1 none is counted."""
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
