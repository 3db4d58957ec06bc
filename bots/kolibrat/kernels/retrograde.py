"""Kernels that solve Kolibrat by retrograde analysis (Thompson, "Retrograde analysis of certain endgames", 1986).

A *placement* is an arrangement of both sides' pieces on the board. It is always seen by the side to move ("the mover")
as red: turning the board upside down and swapping the colours changes nothing. Placements are numbered first by the
number of pieces of each side and then as combinations of squares (combinatorial number system). Of a placement and its
mirror image, only the one with the smaller bit masks is used; the other number stays unused.

A *layer* (i, j) holds the states in which the mover needs i more points and the opponent j. Moves without a point lead
from layer (i, j) to (j, i), or back to (i, j) if the opponent is skipped, so these two are solved together. A point
leads to a layer that is already solved.

The result of a state is stored as a 16-bit code; distances are in plies:

    2 * plies        the mover wins in `plies`
    2 * plies + 1    the mover loses in `plies`
    0                nobody can force an end, or the number is unused

Solving a pair of layers:
1. `init_layer` gives each state a code from its moves that score or end the game. `unresolved` counts the other moves.
2. Pass n = 1, 2, ...: `resolve_pass` takes the states whose code is final with n plies: every win in n, and every loss
   in n without an unresolved move. It updates their predecessors, which may become wins or losses in n + 1.
3. `finish_layer` sets the codes of states that never became final to 0.
"""

from __future__ import annotations

import numpy as np

from bots.kolibrat.kernels.rules import KERNELS, apply, has_move, list_moves, undo
from bots.kolibrat.solver.state_fields import MAX_PIECES, MAX_SQUARES
from bots.kolibrat.squares import OFF, SQUARE_MASK
from core.native.intrinsics import popcount, trailing_zeros

MOVE_WINS, SYMMETRIC = 1, 2  # flags: the move wins; the placement after the move is its own mirror image
BLOCKED = 255  # in `unresolved`: neither side can move; no state has that many moves


@KERNELS.export("i64(Kolibrat)")
def number_placements(s):
    """Number the placements of the board's size and number of pieces, and return how many there are."""
    squares = s.width * s.height
    # binomials[n, k] = n over k, by Pascal's triangle
    for n in range(MAX_SQUARES + 1):
        s.binomials[n, 0] = 1
        for k in range(1, MAX_PIECES + 2):
            s.binomials[n, k] = 0 if n == 0 else s.binomials[n - 1, k - 1] + s.binomials[n - 1, k]
    s.placement_count = 0
    for mover_pieces in range(min(s.pieces, squares) + 1):
        for opponent_pieces in range(min(s.pieces, squares - mover_pieces) + 1):
            s.first_placement[mover_pieces, opponent_pieces] = s.placement_count
            s.placement_count += (
                s.binomials[squares, mover_pieces] * s.binomials[squares - mover_pieces, opponent_pieces]
            )
    return s.placement_count


@KERNELS.kernel("i64(Kolibrat, i64)")
def mirror_row(s, bits):
    """Return the bits of a row with the columns in reverse order."""
    mirrored_bits = 0
    for _ in range(s.width):
        mirrored_bits = mirrored_bits << 1 | (bits & 1)
        bits >>= 1
    return mirrored_bits


@KERNELS.kernel("i64(Kolibrat, i64)")
def read_masks(s, mover):
    """Fill `masks` and `mirrored` with the board as the mover sees it; return how they compare.

    -1 if `masks` is the smaller one, 0 if they are equal, 1 if the mirror image is smaller and so the one to use.
    """
    for index in range(2):
        side = mover if index == 0 else 1 - mover
        s.masks[index] = 0
        s.mirrored[index] = 0
        for row in range(s.height):
            bits = s.rows[side, row if mover == 0 else s.height - 1 - row]
            if bits != 0:
                s.masks[index] |= bits << (row * s.width)
                s.mirrored[index] |= mirror_row(s, bits) << (row * s.width)
    for index in range(2):
        if s.masks[index] != s.mirrored[index]:
            return -1 if s.masks[index] < s.mirrored[index] else 1
    return 0


@KERNELS.kernel("i64(Kolibrat, i64, i64)")
def number_masks(s, mover_mask, opponent_mask):
    """Return the number of a placement given as bit masks of the mover's and the opponent's pieces.

    Each side's pieces count as a combination in colexicographic order; the opponent's are taken from the squares that
    the mover's leave free.
    """
    squares = s.width * s.height
    mover_pieces, opponent_pieces = popcount(mover_mask), popcount(opponent_mask)
    mover_rank, opponent_rank = 0, 0
    bits, k = mover_mask, 1
    while bits != 0:
        mover_rank += s.binomials[trailing_zeros(bits), k]
        bits &= bits - 1
        k += 1
    bits, k = opponent_mask, 1
    while bits != 0:
        square = trailing_zeros(bits)
        opponent_rank += s.binomials[square - popcount(mover_mask & ((1 << square) - 1)), k]
        bits &= bits - 1
        k += 1
    return (
        s.first_placement[mover_pieces, opponent_pieces]
        + mover_rank * s.binomials[squares - mover_pieces, opponent_pieces]
        + opponent_rank
    )


@KERNELS.export("i64(Kolibrat, i64)")
def placement_number(s, mover):
    """Return the number of the current placement as a side sees it, or of its mirror image if that is the one used."""
    if read_masks(s, mover) <= 0:
        return number_masks(s, s.masks[0], s.masks[1])
    return number_masks(s, s.mirrored[0], s.mirrored[1])


@KERNELS.kernel("i64(Kolibrat, i64, i64, i64)")
def unrank_combination(s, squares, k, rank):
    """Return the bit mask of the combination of `k` squares with rank `rank` in colexicographic order."""
    mask, square = 0, squares - 1
    while k > 0:
        while s.binomials[square, k] > rank:
            square -= 1
        rank -= s.binomials[square, k]
        mask |= 1 << square
        k -= 1
        square -= 1
    return mask


@KERNELS.export("i64(Kolibrat, i64)")
def set_placement(s, number):
    """Set up a placement by its number, red to move; return the result of `read_masks`.

    The hash and the points are not changed.
    """
    squares = s.width * s.height
    mover_count, opponent_count = 0, 0
    for mover_pieces in range(min(s.pieces, squares) + 1):
        for opponent_pieces in range(min(s.pieces, squares - mover_pieces) + 1):
            if s.first_placement[mover_pieces, opponent_pieces] <= number:
                mover_count, opponent_count = mover_pieces, opponent_pieces
    rank = number - s.first_placement[mover_count, opponent_count]
    opponent_combinations = s.binomials[squares - mover_count, opponent_count]
    red = unrank_combination(s, squares, mover_count, rank // opponent_combinations)
    black_of_free = unrank_combination(s, squares - mover_count, opponent_count, rank % opponent_combinations)
    # spread black's pieces, which count over the squares without red pieces, over the whole board
    black = 0
    for square in range(squares):
        if (red >> square) & 1 == 0:
            black |= (black_of_free & 1) << square
            black_of_free >>= 1
    full_row = (1 << s.width) - 1
    for row in range(s.height):
        s.rows[0, row] = (red >> (row * s.width)) & full_row
        s.rows[1, row] = (black >> (row * s.width)) & full_row
    s.on_board[0], s.on_board[1] = mover_count, opponent_count
    s.side, s.result, s.ply = 0, 0, 0
    return read_masks(s, 0)


@KERNELS.kernel("i64(Kolibrat, i64, i64, i64)")
def layer_start(s, goal, mover_needs, opponent_needs):
    """Return the index of a layer's first code in the array of all layers."""
    return ((mover_needs - 1) * goal + opponent_needs - 1) * s.placement_count


@KERNELS.kernel("void(Kolibrat, i64, i64, i64)")
def set_points_for_layer(s, goal, mover_needs, opponent_needs):
    """Set goal and points to those of a layer, red being the mover."""
    s.goal = goal
    s.points[0], s.points[1] = goal - mover_needs, goal - opponent_needs


@KERNELS.export("i64(Kolibrat, u16[], i64)")
def lookup_code(s, codes, side):
    """Return the code of the current state for a side to move; `codes` has all layers up to `goal`."""
    start = layer_start(s, s.goal, s.goal - s.points[side], s.goal - s.points[1 - side])
    return np.int64(codes[start + placement_number(s, side)])


@KERNELS.kernel("i64(Kolibrat, u16[], i64)")
def code_after_move(s, codes, mover):
    """Return the code that the move just made gives its mover: the game is over, or a solved layer was reached."""
    if s.result != 0:
        return 2 if s.result == mover + 1 else 3
    code = lookup_code(s, codes, s.side)
    if code == 0:
        return 0
    return code + 2 if s.side == mover else (code ^ 1) + 2  # one ply more; a loss of the opponent is a win


@KERNELS.kernel("void(Kolibrat, u16[], u8[], i64, i64, i64, i64, i64)")
def update_predecessor(s, codes, unresolved, start, counter_start, mover, flags, plies):
    """Update the state of the current placement, `mover` to move: one of its moves wins or loses in `plies`.

    `flags` is a combination of MOVE_WINS and SYMMETRIC. `start` is the index of the layer's codes, `counter_start` that
    of its counters in `unresolved`.
    """
    order = read_masks(s, mover)
    if flags & SYMMETRIC != 0 and order > 0:
        return  # the mirror image has the same successor and is updated by itself
    number = number_masks(s, s.masks[0], s.masks[1]) if order <= 0 else number_masks(s, s.mirrored[0], s.mirrored[1])
    code = np.int64(codes[start + number])
    if code & 1 == 0 and code != 0 and code >> 1 <= plies:  # wins already, no later
        return
    if flags & MOVE_WINS != 0:
        codes[start + number] = 2 * plies
        s.max_pending_plies = max(s.max_pending_plies, plies)
        return
    if code & 1 == 0 and code != 0:  # a win, later than this loss
        return
    # A symmetric placement has two moves, mirror images of each other, to a successor that is not symmetric.
    moves = 2 if order == 0 and flags & SYMMETRIC == 0 else 1
    unresolved[counter_start + number] -= moves
    code = max(code, 2 * plies + 1)
    codes[start + number] = code
    if unresolved[counter_start + number] == 0:
        s.max_pending_plies = max(s.max_pending_plies, code >> 1)


@KERNELS.kernel("void(Kolibrat, u16[], u8[], i64, i64, i64, i64, i64)")
def update_predecessors(s, codes, unresolved, start, counter_start, mover, flags, plies):
    """Call `update_predecessor` for each placement from which a move of `mover` without a point leads to this one.

    Every piece of the mover is moved back in all ways: into the hand from the home row, one row back diagonally, and
    straight back after an attack (the captured piece returns to the board) or a jump over a line of enemy pieces.
    """
    forward = 1 - 2 * mover
    home_row = 0 if mover == 0 else s.height - 1
    for row in range(s.height):
        bits = s.rows[mover, row]
        previous_row = row - forward
        while bits != 0:
            bit = bits & -bits
            bits ^= bit
            s.rows[mover, row] ^= bit
            if row == home_row:
                update_predecessor(s, codes, unresolved, start, counter_start, mover, flags, plies)
                s.rows[mover, row] ^= bit
                continue
            occupied = s.rows[0, previous_row] | s.rows[1, previous_row]
            for sideways in range(2):  # the two diagonal steps that end here
                origin = (bit << 1) & ((1 << s.width) - 1) if sideways == 0 else bit >> 1
                if origin & ~occupied != 0:
                    s.rows[mover, previous_row] ^= origin
                    update_predecessor(s, codes, unresolved, start, counter_start, mover, flags, plies)
                    s.rows[mover, previous_row] ^= origin
            # straight back: over a line of enemies that was jumped, or one row if the move was an attack
            source = previous_row
            while source >= 0 and source < s.height and s.rows[1 - mover, source] & bit != 0:
                source -= forward
            if source >= 0 and source < s.height and s.rows[mover, source] & bit == 0:
                restored = bit if source == previous_row else 0  # an attacked enemy piece
                if restored == 0 or s.on_board[1 - mover] < s.pieces:
                    s.rows[mover, source] ^= bit
                    s.rows[1 - mover, row] ^= restored
                    update_predecessor(s, codes, unresolved, start, counter_start, mover, flags, plies)
                    s.rows[mover, source] ^= bit
                    s.rows[1 - mover, row] ^= restored
            s.rows[mover, row] ^= bit


@KERNELS.kernel("i64(Kolibrat, u16[], i64)")
def code_from_scoring_moves(s, codes, count):
    """Return the code of the current state judged by its scoring moves only.

    `moves[0]` holds its `count` moves. `open_moves` becomes the number of moves that do not score, or that lead to a
    state from which nobody can force an end.
    """
    win, loss = 1 << 16, 0
    s.open_moves = 0
    for index in range(count):
        move = np.int64(s.moves[0, index])
        if move & SQUARE_MASK != OFF:
            s.open_moves += 1
            continue
        apply(s, move)
        code = code_after_move(s, codes, 0)
        undo(s)
        if code == 0:
            s.open_moves += 1
        elif code & 1 == 0:
            win = min(win, code)
        else:
            loss = max(loss, code)
    return win if win < 1 << 16 else loss


@KERNELS.export("void(Kolibrat, u16[], u8[], i64, i64, i64, i64)")
def init_layer(s, codes, unresolved, counter_start, goal, mover_needs, opponent_needs):
    """Set the codes of a layer from the moves that score or end the game, and count each state's other moves.

    `unresolved` holds one byte per placement from `counter_start` on. Raises `max_pending_plies` if needed.
    """
    set_points_for_layer(s, goal, mover_needs, opponent_needs)
    start = layer_start(s, goal, mover_needs, opponent_needs)
    for number in range(s.placement_count):
        codes[start + number] = 0
        unresolved[counter_start + number] = 0
        if set_placement(s, number) > 0:
            continue
        count = list_moves(s, 0, 0)
        if count == 0:
            unresolved[counter_start + number] = BLOCKED if has_move(s, 1) == 0 else 0
            continue
        code = code_from_scoring_moves(s, codes, count)
        codes[start + number] = code
        unresolved[counter_start + number] = s.open_moves
        if code & 1 == 0 or s.open_moves == 0:
            s.max_pending_plies = max(s.max_pending_plies, code >> 1)
    for number in range(s.placement_count):
        if unresolved[counter_start + number] == BLOCKED:  # the side that moved there has lost
            unresolved[counter_start + number] = 0
            symmetry_flag = SYMMETRIC if set_placement(s, number) == 0 else 0
            update_predecessors(s, codes, unresolved, start, counter_start, 0, symmetry_flag, 1)


@KERNELS.export("i64(Kolibrat, u16[], u8[], i64, i64, i64, i64, i64)")
def resolve_pass(s, codes, unresolved, counter_start, goal, mover_needs, opponent_needs, plies):
    """Update the predecessors of all states of a layer that are final with `plies`; return the number of such states.

    `unresolved` is as in `init_layer`; the counters of the partner layer (j, i) begin at `placement_count` minus
    `counter_start`, unless it is the same layer.
    """
    set_points_for_layer(s, goal, mover_needs, opponent_needs)
    start = layer_start(s, goal, mover_needs, opponent_needs)
    partner = layer_start(s, goal, opponent_needs, mover_needs)
    partner_counter_start = 0 if mover_needs == opponent_needs else s.placement_count - counter_start
    resolved = 0
    for number in range(s.placement_count):
        code = np.int64(codes[start + number])
        if code >> 1 != plies or (code & 1 != 0 and unresolved[counter_start + number] != 0):
            continue
        resolved += 1
        symmetry_flag = SYMMETRIC if set_placement(s, number) == 0 else 0
        lost = code & 1
        # The opponent moved last: what the mover loses, it wins (lost is MOVE_WINS or 0).
        update_predecessors(s, codes, unresolved, partner, partner_counter_start, 1, symmetry_flag | lost, plies + 1)
        # Or the mover itself moved last and the opponent was skipped.
        if has_move(s, 1) == 0:
            update_predecessors(s, codes, unresolved, start, counter_start, 0, symmetry_flag | (1 - lost), plies + 1)
    return resolved


@KERNELS.export("i64(Kolibrat, u16[], u8[], i64, i64, i64, i64)")
def finish_layer(s, codes, unresolved, counter_start, goal, mover_needs, opponent_needs):
    """Set the codes that never became final to 0; return the number of states from which nobody can force an end."""
    start = layer_start(s, goal, mover_needs, opponent_needs)
    endless = 0
    for number in range(s.placement_count):
        if unresolved[counter_start + number] != 0 and np.int64(codes[start + number]) & 1 != 0:
            codes[start + number] = 0
        if codes[start + number] == 0 and set_placement(s, number) <= 0 and has_move(s, 0) != 0:
            endless += 1
    return endless


@KERNELS.export("void(Kolibrat, u16[], i64, i64, i64)")
def set_first_endless_state(s, codes, goal, mover_needs, opponent_needs):
    """Set up the first state of a solved layer from which nobody can force an end. There must be one."""
    set_points_for_layer(s, goal, mover_needs, opponent_needs)
    start, number = layer_start(s, goal, mover_needs, opponent_needs), 0
    while codes[start + number] != 0 or set_placement(s, number) > 0 or has_move(s, 0) == 0:
        number += 1


@KERNELS.export("void(Kolibrat)")
def count_moves(s):
    """Count the placements in which red has a move, including mirror images, and their moves."""
    s.state_count, s.move_count, s.max_moves = 0, 0, 0
    for number in range(s.placement_count):
        set_placement(s, number)
        count = list_moves(s, 0, 0)
        s.state_count += 1 if count > 0 else 0
        s.move_count += count
        s.max_moves = max(s.max_moves, count)


@KERNELS.export("i64(Kolibrat, u8[])")
def mark_stored(s, stored):
    """Set a bit for each placement that a solved table stores, and return how many there are.

    Those are the used ones (see the top of this file) in which red has a move.
    """
    count = 0
    for number in range(s.placement_count):
        if set_placement(s, number) <= 0 and has_move(s, 0) != 0:
            stored[number >> 3] |= 1 << (number & 7)
            count += 1
    return count


@KERNELS.export("i64(Kolibrat, u16[], u8[], u8[], i64, i64)")
def pack_codes(s, codes, stored, packed, goal, code_bytes):
    """Fill `packed` with the codes of the stored placements, low byte first; return the largest code.

    For each placement: the layers in which the mover needs no more points than the opponent, in the order (1, 1),
    (1, 2), (2, 2), (1, 3), ... (mover, opponent).
    """
    index, max_code = 0, 0
    for number in range(s.placement_count):
        if (np.int64(stored[number >> 3]) >> (number & 7)) & 1 == 0:
            continue
        for opponent_needs in range(1, goal + 1):
            for mover_needs in range(1, opponent_needs + 1):
                code = np.int64(codes[layer_start(s, goal, mover_needs, opponent_needs) + number])
                max_code = max(max_code, code)
                packed[index] = code & 255
                if code_bytes == 2:
                    packed[index + 1] = code >> 8
                index += code_bytes
    return max_code
