"""Kernels that solve Kolibrat from its ends backwards (retrograde analysis; Thompson 1986), a layer at a time.

A state is a board seen by the side to move, "the mover", who is made red: turning the board and swapping the colours
changes nothing. A layer (i, j) holds the states in which the mover needs i points and the other side j; the layers
(i, j) and (j, i) lead into each other and are solved together, the others that a point leads to are known by then.
Boards are numbered by pieces of both sides and then as combinations; of a board and its mirror image only the one with
the smaller number of masks is used.

A word tells distance and outcome of a state: `2 * plies` for a win of the mover, `2 * plies + 1` for a loss, 0 for a
game without end or an unused number. While a layer is solved a word is a date: a win is settled at pass `plies`, a loss
too, once no move is `left` that is not known to lose.
"""

from __future__ import annotations

import numpy as np

from bots.kolibrat.kernels.rules import KERNELS, apply, has_move, list_moves, undo
from bots.kolibrat.solver.record import MAX_PIECES, MAX_SQUARES
from bots.kolibrat.squares import OFF, SQUARE_MASK
from core.native.intrinsics import popcount, trailing_zeros

BLOCKED = 255  # of moves that are left: more than there can be


@KERNELS.export("i64(Kolibrat)")
def number_placements(s):
    """Number the boards of this size and number of pieces, and return how many there are."""
    squares = s.width * s.height
    for n in range(MAX_SQUARES + 1):
        s.binomials[n, 0] = 1
        for k in range(1, MAX_PIECES + 2):
            s.binomials[n, k] = 0 if n == 0 else s.binomials[n - 1, k - 1] + s.binomials[n - 1, k]
    s.boards = 0
    for mine in range(min(s.pieces, squares) + 1):
        for other in range(min(s.pieces, squares - mine) + 1):
            s.class_start[mine, other] = s.boards
            s.boards += s.binomials[squares, mine] * s.binomials[squares - mine, other]
    return s.boards


@KERNELS.kernel("i64(Kolibrat, i64)")
def mirror_row(s, bits):
    """A row with its columns in reverse."""
    turned = 0
    for _ in range(s.width):
        turned = turned << 1 | (bits & 1)
        bits >>= 1
    return turned


@KERNELS.kernel("i64(Kolibrat, i64)")
def flatten(s, mover):
    """Fill `flat` and `turned` as the mover sees the board: -1, 0, 1 as `flat` is less, equal or more."""
    for which in range(2):
        side = mover if which == 0 else 1 - mover
        s.flat[which] = 0
        s.turned[which] = 0
        for row in range(s.height):
            bits = s.rows[side, row if mover == 0 else s.height - 1 - row]
            if bits != 0:
                s.flat[which] |= bits << (row * s.width)
                s.turned[which] |= mirror_row(s, bits) << (row * s.width)
    for which in range(2):
        if s.flat[which] != s.turned[which]:
            return -1 if s.flat[which] < s.turned[which] else 1
    return 0


@KERNELS.kernel("i64(Kolibrat, i64, i64)")
def number_of(s, mine, other):
    """Number of a board by its masks, in colexicographic order of each side's pieces."""
    squares = s.width * s.height
    few, many = popcount(mine), popcount(other)
    first, second = 0, 0
    bits, k = mine, 1
    while bits != 0:
        first += s.binomials[trailing_zeros(bits), k]
        bits &= bits - 1
        k += 1
    bits, k = other, 1
    while bits != 0:
        place = trailing_zeros(bits)
        second += s.binomials[place - popcount(mine & ((1 << place) - 1)), k]
        bits &= bits - 1
        k += 1
    return s.class_start[few, many] + first * s.binomials[squares - few, many] + second


@KERNELS.export("i64(Kolibrat, i64)")
def board_number(s, mover):
    """Number of the board as a side sees it, or that of its mirror image where that one is used."""
    if flatten(s, mover) <= 0:
        return number_of(s, s.flat[0], s.flat[1])
    return number_of(s, s.turned[0], s.turned[1])


@KERNELS.kernel("i64(Kolibrat, i64, i64, i64)")
def combination(s, squares, k, rest):
    """The mask of `k` of some squares with a number in colexicographic order."""
    mask, place = 0, squares - 1
    while k > 0:
        while s.binomials[place, k] > rest:
            place -= 1
        rest -= s.binomials[place, k]
        mask |= 1 << place
        k -= 1
        place -= 1
    return mask


@KERNELS.export("i64(Kolibrat, i64)")
def set_board(s, number):
    """Set up a board, red to move: -1, 0, 1 as in `flatten`. Hash, points and ply stay as they were."""
    squares = s.width * s.height
    mine, other = 0, 0
    for few in range(min(s.pieces, squares) + 1):
        for many in range(min(s.pieces, squares - few) + 1):
            if s.class_start[few, many] <= number:
                mine, other = few, many
    rest = number - s.class_start[mine, other]
    share = s.binomials[squares - mine, other]
    red = combination(s, squares, mine, rest // share)
    packed = combination(s, squares - mine, other, rest % share)
    black = 0
    for place in range(squares):
        if (red >> place) & 1 == 0:
            black |= (packed & 1) << place
            packed >>= 1
    full = (1 << s.width) - 1
    for row in range(s.height):
        s.rows[0, row] = (red >> (row * s.width)) & full
        s.rows[1, row] = (black >> (row * s.width)) & full
    s.on_board[0], s.on_board[1] = mine, other
    s.side, s.result, s.ply = 0, 0, 0
    return flatten(s, 0)


@KERNELS.kernel("i64(Kolibrat, i64, i64, i64)")
def layer_start(s, goal, mine, other):
    """Where the layer begins in the array of all words."""
    return ((mine - 1) * goal + other - 1) * s.boards


@KERNELS.kernel("void(Kolibrat, i64, i64, i64)")
def set_needs(s, goal, mine, other):
    """Points as the layer has them."""
    s.goal = goal
    s.points[0], s.points[1] = goal - mine, goal - other


@KERNELS.export("i64(Kolibrat, u16[], i64)")
def lookup(s, words, side):
    """The word of the present position for its side to move; `words` are all layers up to `goal`."""
    start = layer_start(s, s.goal, s.goal - s.points[side], s.goal - s.points[1 - side])
    return np.int64(words[start + board_number(s, side)])


@KERNELS.kernel("i64(Kolibrat, u16[], i64)")
def leave_layer(s, words, mover):
    """The word for the mover, at its state, of the move just played: of a finished game or of a layer that is known."""
    if s.result != 0:
        return 2 if s.result == mover + 1 else 3
    word = lookup(s, words, s.side)
    if word == 0:
        return 0
    return word + 2 if s.side == mover else (word ^ 1) + 2


@KERNELS.kernel("void(Kolibrat, u16[], u8[], i64, i64, i64, i64, i64)")
def tell_predecessor(s, words, left, start, place, mover, wins, plies):
    """The board in the record has a move that wins or loses in `plies` for `mover`, who sees it.

    Bit 0 of `wins` says which, bit 1 that the later board is its own mirror image. Points and side do not matter.
    """
    order = flatten(s, mover)
    if wins >> 1 != 0 and order > 0:
        return  # its mirror image leads to the same board and is told
    number = number_of(s, s.flat[0], s.flat[1]) if order <= 0 else number_of(s, s.turned[0], s.turned[1])
    word = np.int64(words[start + number])
    if word & 1 == 0 and word != 0 and word >> 1 <= plies:
        return
    if wins & 1 != 0:
        words[start + number] = 2 * plies
        s.last_due = max(s.last_due, plies)
        return
    if word & 1 == 0 and word != 0:
        return
    moves = 2 if order == 0 and wins >> 1 == 0 else 1
    left[place + number] -= moves
    word = max(word, 2 * plies + 1)
    words[start + number] = word
    if left[place + number] == 0:
        s.last_due = max(s.last_due, word >> 1)


@KERNELS.kernel("void(Kolibrat, u16[], u8[], i64, i64, i64, i64, i64)")
def tell_predecessors(s, words, left, start, place, mover, wins, plies):
    """`tell_predecessor` for each board from which a move of `mover` without a point leads to the present one."""
    forward = 1 - 2 * mover
    home = 0 if mover == 0 else s.height - 1
    for row in range(s.height):
        bits = s.rows[mover, row]
        behind = row - forward
        while bits != 0:
            bit = bits & -bits
            bits ^= bit
            s.rows[mover, row] ^= bit
            if row == home:
                tell_predecessor(s, words, left, start, place, mover, wins, plies)
                s.rows[mover, row] ^= bit
                continue
            taken = s.rows[0, behind] | s.rows[1, behind]
            for step in range(2):
                origin = (bit << 1) & ((1 << s.width) - 1) if step == 0 else bit >> 1
                if origin & ~taken != 0:
                    s.rows[mover, behind] ^= origin
                    tell_predecessor(s, words, left, start, place, mover, wins, plies)
                    s.rows[mover, behind] ^= origin
            source = behind
            while source >= 0 and source < s.height and s.rows[1 - mover, source] & bit != 0:
                source -= forward
            if source >= 0 and source < s.height and s.rows[mover, source] & bit == 0:
                restored = bit if source == behind else 0  # an attack took the enemy that stood here
                if restored == 0 or s.on_board[1 - mover] < s.pieces:
                    s.rows[mover, source] ^= bit
                    s.rows[1 - mover, row] ^= restored
                    tell_predecessor(s, words, left, start, place, mover, wins, plies)
                    s.rows[mover, source] ^= bit
                    s.rows[1 - mover, row] ^= restored
            s.rows[mover, row] ^= bit


@KERNELS.kernel("i64(Kolibrat, u16[], i64)")
def date_points(s, words, count):
    """The date of the state in the record by those of its `count` moves that score; sets `open_moves` to the others."""
    win, loss = 1 << 16, 0
    s.open_moves = 0
    for index in range(count):
        move = np.int64(s.moves[0, index])
        if move & SQUARE_MASK != OFF:
            s.open_moves += 1
            continue
        apply(s, move)
        word = leave_layer(s, words, 0)
        undo(s)
        if word == 0:
            s.open_moves += 1
        elif word & 1 == 0:
            win = min(win, word)
        else:
            loss = max(loss, word)
    return win if win < 1 << 16 else loss


@KERNELS.export("void(Kolibrat, u16[], u8[], i64, i64, i64, i64)")
def begin_layer(s, words, left, place, goal, mine, other):
    """Date the states of a layer by the moves that end the game or score; the others and endless ones count as `left`.

    `left` holds a byte a board from `place` on. `last_due` grows to the greatest date.
    """
    set_needs(s, goal, mine, other)
    start = layer_start(s, goal, mine, other)
    for number in range(s.boards):
        words[start + number] = 0
        left[place + number] = 0
        if set_board(s, number) > 0:
            continue
        count = list_moves(s, 0, 0)
        if count == 0:
            left[place + number] = BLOCKED if has_move(s, 1) == 0 else 0
            continue
        word = date_points(s, words, count)
        words[start + number] = word
        left[place + number] = s.open_moves
        if word & 1 == 0 or s.open_moves == 0:
            s.last_due = max(s.last_due, word >> 1)
    for number in range(s.boards):
        if left[place + number] == BLOCKED:  # who leaves nobody a move has lost
            left[place + number] = 0
            own_image = 2 if set_board(s, number) == 0 else 0
            tell_predecessors(s, words, left, start, place, 0, own_image, 1)


@KERNELS.export("i64(Kolibrat, u16[], u8[], i64, i64, i64, i64, i64)")
def settle_layer(s, words, left, place, goal, mine, other, plies):
    """Settle the states of a layer whose date is `plies`, date their predecessors, and return how many they were.

    `left` as in `begin_layer`; that of the partner layer (other, mine) begins at `s.boards - place` where it differs.
    """
    set_needs(s, goal, mine, other)
    start = layer_start(s, goal, mine, other)
    partner = layer_start(s, goal, other, mine)
    partner_place = 0 if mine == other else s.boards - place
    settled = 0
    for number in range(s.boards):
        word = np.int64(words[start + number])
        if word >> 1 != plies or (word & 1 != 0 and left[place + number] != 0):
            continue
        settled += 1
        own_image = 2 if set_board(s, number) == 0 else 0
        lost = word & 1
        tell_predecessors(s, words, left, partner, partner_place, 1, own_image | lost, plies + 1)
        if has_move(s, 1) == 0:
            tell_predecessors(s, words, left, start, place, 0, own_image | (1 - lost), plies + 1)
    return settled


@KERNELS.export("i64(Kolibrat, u16[], u8[], i64, i64, i64, i64)")
def end_layer(s, words, left, place, goal, mine, other):
    """Wipe the dates of states that never came due: there nobody can force an end. Returns their number."""
    start = layer_start(s, goal, mine, other)
    endless = 0
    for number in range(s.boards):
        if left[place + number] != 0 and np.int64(words[start + number]) & 1 != 0:
            words[start + number] = 0
        if words[start + number] == 0 and set_board(s, number) <= 0 and has_move(s, 0) != 0:
            endless += 1
    return endless


@KERNELS.export("void(Kolibrat, u16[], i64, i64, i64)")
def set_first_endless(s, words, goal, mine, other):
    """Set up the first state of a solved layer from which nobody can force an end; there must be one."""
    set_needs(s, goal, mine, other)
    start, number = layer_start(s, goal, mine, other), 0
    while words[start + number] != 0 or set_board(s, number) > 0 or has_move(s, 0) == 0:
        number += 1


@KERNELS.export("void(Kolibrat)")
def survey(s):
    """Count the boards on which red has a move, mirror images too, and their moves."""
    s.states, s.branching, s.most_moves = 0, 0, 0
    for number in range(s.boards):
        set_board(s, number)
        count = list_moves(s, 0, 0)
        s.states += 1 if count > 0 else 0
        s.branching += count
        s.most_moves = max(s.most_moves, count)


@KERNELS.export("i64(Kolibrat, u8[])")
def mark_kept(s, kept):
    """Set a bit for each board that a table keeps, the one used of its mirror image, red having a move; count them."""
    count = 0
    for number in range(s.boards):
        if set_board(s, number) <= 0 and has_move(s, 0) != 0:
            kept[number >> 3] |= 1 << (number & 7)
            count += 1
    return count


@KERNELS.export("i64(Kolibrat, u16[], u8[], u8[], i64, i64)")
def pack_words(s, words, kept, packed, goal, size):
    """Fill `packed` with the words of the kept boards, `size` bytes each, low byte first; return the greatest word.

    Each board's words stand together, by what the other side needs and then by what the mover needs, up to as much.
    """
    place, most = 0, 0
    for number in range(s.boards):
        if (np.int64(kept[number >> 3]) >> (number & 7)) & 1 == 0:
            continue
        for other in range(1, goal + 1):
            for mine in range(1, other + 1):
                word = np.int64(words[layer_start(s, goal, mine, other) + number])
                most = max(most, word)
                packed[place] = word & 255
                if size == 2:
                    packed[place + 1] = word >> 8
                place += size
    return most
