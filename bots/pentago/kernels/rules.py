"""Pentago's rules as kernels: set up, play, undo, list moves, perft, and a hash that is equal for symmetric positions.

Boards and moves are numbered as in bots/pentago/layout.py. Undo restores both boards from `path_white` and
`path_black`.
"""

from __future__ import annotations

import numpy as np

from bots.pentago.kernels.patterns import KERNELS, has_five, rotate_quadrant
from bots.pentago.layout import BLACK_WINS, CELLS, DRAW, FIRST_CENTRE, NULL_MOVE, PLACEMENT, WHITE_WINS
from core.native.intrinsics import popcount

ALL_CELLS = (1 << CELLS) - 1
LOW_RINGS = (1 << FIRST_CENTRE) - 1
# Odd multipliers and a shift, chosen as in common integer hashes.
KEY_WHITE, KEY_BLACK = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))
KEY_FOLD = np.uint64(29)


@KERNELS.kernel("i64(i64, i64, i64)")
def result_of(white, black, is_over):
    """Return the result after a move; `is_over` is 1 if the board is full, so that no move is left."""
    white_five, black_five = has_five(white), has_five(black)
    if white_five != 0:
        return DRAW if black_five != 0 else WHITE_WINS
    if black_five != 0:
        return BLACK_WINS
    return DRAW if is_over != 0 else 0


@KERNELS.export("void(Pentago, i64)")
def apply(s, move):
    """Play a move or a null move. The caller checks the legality."""
    s.path_white[s.ply] = s.white
    s.path_black[s.ply] = s.black
    s.path[s.ply] = move
    s.ply += 1
    side = s.side
    s.side = 1 - side
    if move == NULL_MOVE:
        return
    cell = (move - 1) >> 3 if move < PLACEMENT else move - PLACEMENT
    if side == 0:
        s.white |= 1 << cell
    else:
        s.black |= 1 << cell
    if move >= PLACEMENT:
        s.result = WHITE_WINS if side == 0 else BLACK_WINS
        return
    turn = (move - 1) & 7
    s.white = rotate_quadrant(s.white, turn)
    s.black = rotate_quadrant(s.black, turn)
    s.result = result_of(s.white, s.black, 1 if (s.white | s.black) == ALL_CELLS else 0)


@KERNELS.export("void(Pentago)")
def undo(s):
    """Take the last move back."""
    s.ply -= 1
    s.white = s.path_white[s.ply]
    s.black = s.path_black[s.ply]
    s.side = 1 - s.side
    s.result = 0


@KERNELS.export("void(Pentago, i64, i64, i64)")
def setup(s, white, black, side):
    """Start from a position. If somebody has a five already, the game is over."""
    s.white, s.black, s.side, s.ply = white, black, side, 0
    s.result = result_of(white, black, 1 if (white | black) == ALL_CELLS else 0)


@KERNELS.kernel("i64(Pentago, i64)")
def wins_by_placing(s, cell):
    """Return 1 if a marble of the side to move on an empty cell makes a five, else 0."""
    return has_five((s.white if s.side == 0 else s.black) | (1 << cell))


@KERNELS.export("i64(Pentago, i64)")
def is_legal(s, move):
    """Return 1 if the side to move may play a move, else 0; a rotation after a winning placement is illegal."""
    if s.result != 0 or move < 1 or move >= PLACEMENT + CELLS:
        return 0
    cell = (move - 1) >> 3 if move < PLACEMENT else move - PLACEMENT
    if ((s.white | s.black) >> cell) & 1 != 0:
        return 0
    return 1 if (move >= PLACEMENT) == (wins_by_placing(s, cell) != 0) else 0


@KERNELS.export("i64(Pentago)")
def list_legal(s):
    """Fill `list` with the legal moves by cells; return their number."""
    count = 0
    if s.result != 0:
        return 0
    for cell in range(CELLS):
        if ((s.white | s.black) >> cell) & 1 != 0:
            continue
        if wins_by_placing(s, cell) != 0:
            s.list[count] = PLACEMENT + cell
            count += 1
        else:
            for turn in range(8):
                s.list[count] = 1 + 8 * cell + turn
                count += 1
    return count


@KERNELS.export("i64(Pentago, i64)")
def perft(s, depth):
    """Return the number of sequences of `depth` legal moves; the last ply is counted, not played."""
    if depth <= 0:
        return 1
    if s.result != 0:
        return 0
    total = 0
    for cell in range(CELLS):
        if ((s.white | s.black) >> cell) & 1 != 0:
            continue
        if wins_by_placing(s, cell) != 0:
            total += 1 if depth == 1 else 0
        elif depth == 1:
            total += 8
        else:
            for turn in range(8):
                apply(s, 1 + 8 * cell + turn)
                total += perft(s, depth - 1)
                undo(s)
    return total


@KERNELS.kernel("i64(i64)")
def rotate_board(board):
    """Return the board rotated clockwise as a whole."""
    rings = board & LOW_RINGS
    centres = board >> FIRST_CENTRE
    rings = ((rings << 8) | (rings >> 24)) & LOW_RINGS
    centres = ((centres << 1) | (centres >> 3)) & 15
    return rings | (centres << FIRST_CENTRE)


@KERNELS.kernel("i64(i64)")
def reflect_board(board):
    """Return the board mirrored at the diagonal from the top left to the bottom right."""
    x = board & LOW_RINGS
    x = ((x >> 1) & 0x55555555) | ((x & 0x55555555) << 1)
    x = ((x >> 2) & 0x33333333) | ((x & 0x33333333) << 2)
    x = ((x >> 4) & 0x0F0F0F0F) | ((x & 0x0F0F0F0F) << 4)
    x = ((x & 0x7F7F7F7F) << 1) | ((x >> 7) & 0x01010101)
    x = (x & 0x00FF00FF) | ((x >> 16) & 0x0000FF00) | ((x & 0x0000FF00) << 16)
    centres = board >> FIRST_CENTRE
    centres = (centres & 5) | ((centres >> 2) & 2) | ((centres << 2) & 8)
    return x | (centres << FIRST_CENTRE)


@KERNELS.kernel("u64(i64, i64)")
def hash_boards(white, black):
    """Return a hash of two boards."""
    word = (np.uint64(white) ^ (np.uint64(white) >> KEY_FOLD)) * KEY_WHITE
    word ^= (np.uint64(black) + (np.uint64(black) << np.uint64(36))) * KEY_BLACK
    word = (word ^ (word >> KEY_FOLD)) * KEY_WHITE
    return word ^ (word >> np.uint64(32))


@KERNELS.export("u64(Pentago)")
def key(s):
    """Return the smallest hash of the position's eight symmetric images; `symmetry` is set to the image that has it.

    The side to move follows from the number of marbles, except after a null move.
    """
    white, black = s.white, s.black
    best = hash_boards(white, black)
    s.symmetry = 0
    for symmetry in range(1, 8):
        if symmetry == 4:
            white, black = reflect_board(s.white), reflect_board(s.black)
        else:
            white, black = rotate_board(white), rotate_board(black)
        word = hash_boards(white, black)
        if word < best:
            best = word
            s.symmetry = symmetry
    return best ^ (KEY_BLACK if (popcount(s.white | s.black) & 1) != s.side else np.uint64(0))


@KERNELS.kernel("i64(i64, i64)")
def transform_move(move, symmetry):
    """Return a move as seen on a symmetric image of the board.

    Symmetry 0 to 3 rotates the board clockwise by that number of quarters. Symmetry 4 to 7 reflects it first and then
    rotates it by 0 to 3 quarters.
    """
    if move == 0 or move == NULL_MOVE:
        return move
    cell = (move - 1) >> 3 if move < PLACEMENT else move - PLACEMENT
    turn = (move - 1) & 7
    ring, quadrant = cell & 7, cell >> 3
    is_centre = cell >= FIRST_CENTRE
    if is_centre:
        quadrant = cell - FIRST_CENTRE
    turned = turn >> 1
    direction = turn & 1
    if symmetry >= 4:
        ring = -ring & 7
        quadrant = -quadrant & 3
        turned = -turned & 3
        direction = 1 - direction
    quadrant = (quadrant + symmetry) & 3
    turned = (turned + symmetry) & 3
    cell = FIRST_CENTRE + quadrant if is_centre else 8 * quadrant + ring
    return PLACEMENT + cell if move >= PLACEMENT else 1 + 8 * cell + 2 * turned + direction


@KERNELS.kernel("i64(i64, i64)")
def inverse_transform_move(move, symmetry):
    """Return the move that `transform_move` maps to this one."""
    if symmetry < 4:
        return transform_move(move, (4 - symmetry) & 3)
    return transform_move(transform_move(move, (8 - symmetry) & 3), 4)
