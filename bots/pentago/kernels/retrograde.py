"""The exact solver's kernels: all positions that can follow from one, marble by marble from the full board back.

After Irving, Pentago is a First Player Win (2014), section 3: positions are taken together with all ways in which their
quadrants may be turned, a "superposition" with one bit for each. A turn then is a handful of shifts for all of them.
As every move turns one quadrant, the sum of the four quarter-turns is even after an even number of moves, so 128 of the
256 ways can occur: two words. Bit b + 4c + 16d of word h stands for the turns (a, b, c, d) of quadrants 0 to 3, where a
is 2h or 2h + 1, whichever has the parity.

What is solved is a question of yes or no: does the side to move at the root reach its goal, a win or at least a draw.
Level n holds the positions with n marbles more than the root; each is a set S of n of the root's empty squares and the
part of it that the side to move at the root has taken. Sets of a size are numbered in the order of their bits, so that
one set's parts lie together and a child's are found by one table of insertions. An entry tells whether the side that
has just moved reaches its goal, for each way of turning.
"""

from __future__ import annotations

import numpy as np

from bots.pentago.kernels.patterns import KERNELS, content_of, count_node, turn_quadrant
from bots.pentago.layout import CELLS, LINES, QUADRANTS
from core.native.intrinsics import popcount, trailing_zeros

ALL, NONE = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0)
LOW_PAIRS, LOW_BYTES = np.uint64(0x3333333333333333), np.uint64(0x00FF00FF00FF00FF)
ONE, TWO, EIGHT, SIXTEEN = np.uint64(1), np.uint64(2), np.uint64(8), np.uint64(16)
FOUR, FORTY_EIGHT = np.uint64(4), np.uint64(48)
ODD_PAIR, ODD_BYTE = np.uint64(0x5555555555555555), np.uint64(0x0F0F0F0F0F0F0F0F)


def _part_table() -> np.ndarray:
    """For each content of a quadrant a bit for each line whose squares in that quadrant are all taken."""
    table = np.zeros((QUADRANTS, 512), dtype=np.int64)
    for quadrant in range(QUADRANTS):
        for number, line in enumerate(LINES):
            here = [cell for cell in line if (cell >> 3 if cell < 32 else cell - 32) == quadrant]
            wanted = sum(1 << (cell & 7 if cell < 32 else 8) for cell in here)
            for content in range(512):
                if content & wanted == wanted:
                    table[quadrant, content] |= 1 << number
    return table


PARTS = _part_table()


@KERNELS.kernel("i64(i64, i64, i64)")
def turned_part(board, quadrant, turns):
    """The lines that a quadrant turned clockwise so often does not interrupt."""
    for _ in range(turns):
        board = turn_quadrant(board, 2 * quadrant + 1)
    return PARTS[quadrant, content_of(board, quadrant)]


@KERNELS.kernel("void(u64[], i64, i64, i64)")
def note_fives(wins, even, odd, board):
    """Fill the two words from `even` on and the two from `odd` on: in which ways of turning a board has five."""
    wins[even], wins[even + 1] = NONE, NONE
    wins[odd], wins[odd + 1] = NONE, NONE
    a0, a1 = turned_part(board, 0, 0), turned_part(board, 0, 1)
    a2, a3 = turned_part(board, 0, 2), turned_part(board, 0, 3)
    for d in range(4):
        part_d = turned_part(board, 3, d)
        for c in range(4):
            part_c = part_d & turned_part(board, 2, c)
            for b in range(4):
                part = part_c & turned_part(board, 1, b)
                if part == 0:
                    continue
                same, other = (even, odd) if (b + c + d) & 1 == 0 else (odd, even)
                bit = ONE << np.uint64(b + 4 * c + 16 * d)
                if part & a0 != 0:
                    wins[same] |= bit
                if part & a1 != 0:
                    wins[other] |= bit
                if part & a2 != 0:
                    wins[same + 1] |= bit
                if part & a3 != 0:
                    wins[other + 1] |= bit


@KERNELS.export("i64(Pentago, u64[], u64[])")
def begin_slices(s, ranks, wins):
    """Number the empty squares of the position in the record, all sets of them, and note each set's fives.

    `ranks` gets a set's number among those of its size, `wins` the fives of either side with a set's marbles added:
    two words a set, for the side to move with an even and an odd number of turns, then for the other side. Returns 0
    where the search was stopped.
    """
    empty = ((1 << CELLS) - 1) & ~(s.white | s.black)
    s.slice_count = 0
    while empty != 0:
        s.slice_cells[s.slice_count] = trailing_zeros(empty)
        empty &= empty - 1
        s.slice_count += 1
    for n in range(CELLS + 1):
        s.binomials[n, 0] = 1
        for k in range(1, CELLS + 1):
            s.binomials[n, k] = 0 if n == 0 else s.binomials[n - 1, k - 1] + s.binomials[n - 1, k]
    sets = 1 << s.slice_count
    for subset in range(sets):
        rank, size, rest = 0, 0, subset
        while rest != 0:
            size += 1
            rank += s.binomials[trailing_zeros(rest), size]
            rest &= rest - 1
        ranks[subset] = np.uint64(rank)
        added, rest = 0, subset
        while rest != 0:
            added |= 1 << s.slice_cells[trailing_zeros(rest)]
            rest &= rest - 1
        first, second = (s.white, s.black) if s.side == 0 else (s.black, s.white)
        note_fives(wins, 2 * subset, 2 * (sets + subset), first | added)
        note_fives(wins, 2 * (2 * sets + subset), 2 * (3 * sets + subset), second | added)
        count_node(s)
        if s.aborted != 0:
            return 0
    return 1


@KERNELS.kernel("u64(u64)")
def turn_three(word):
    """The ways of turning from which one quarter-turn of quadrant 1, 2 or 3 leads to a way of `word`."""
    b = word | ((word >> TWO) & LOW_PAIRS)
    b &= LOW_PAIRS
    b = ((b >> ONE) & ODD_PAIR) | ((b & ODD_PAIR) << ONE)
    b |= b << TWO
    c = (word | (word >> EIGHT)) & LOW_BYTES
    c = ((c >> FOUR) & ODD_BYTE) | ((c & ODD_BYTE) << FOUR)
    c |= c << EIGHT
    d = (word << SIXTEEN) | (word >> FORTY_EIGHT) | (word >> SIXTEEN) | (word << FORTY_EIGHT)
    return b | c | d


@KERNELS.export("void(Pentago, u64[], u64[], i64)")
def begin_level(s, ranks, inserted, size):
    """For parts of a set of `size` squares: their numbers, and those of the parts after one more square is put in.

    `inserted` holds the parts, then for each place of the new square the new numbers. The side to move at the root
    takes the square where `size` is even.
    """
    part = (size + 1) >> 1
    count = s.binomials[size, part]
    taken = 1 if size & 1 == 0 else 0
    subset = (1 << part) - 1
    for number in range(count):
        inserted[number] = np.uint64(subset)
        for place in range(size + 1 if size < s.slice_count else 0):
            low = subset & ((1 << place) - 1)
            grown = low | (taken << place) | ((subset ^ low) << 1)
            inserted[count * (place + 1) + number] = ranks[grown]
        if subset != 0:
            lowest = subset & -subset
            ripple = subset + lowest
            subset = ripple | (((subset ^ ripple) >> 2) // lowest)


@KERNELS.kernel("void(Pentago, i64)")
def fill_spread(s, whole):
    """Tables that turn a part, numbered within a set, into squares: `spread[n, bits]` for its six bits from 6n on."""
    for group in range(4):
        s.spread[group, 0] = 0
    for number in range(popcount(whole)):
        lowest = whole & -whole
        whole ^= lowest
        group, bit = number // 6, 1 << (number % 6)
        for low in range(bit):
            s.spread[group, bit + low] = s.spread[group, low] | lowest


@KERNELS.kernel("i64(Pentago, u64[], u64[], u64[], i64)")
def list_parts(s, inserted, parts, entries, whole):
    """Fill `parts` with three words a part of a set: the mover's squares, then two of no way of turning, as `entries`.

    Returns how many parts there are.
    """
    size = popcount(whole)
    count = s.binomials[size, (size + 1) >> 1]
    fill_spread(s, whole)
    for number in range(count):
        part = np.int64(inserted[number])
        first = s.spread[0, part & 63] | s.spread[1, (part >> 6) & 63]
        first |= s.spread[2, (part >> 12) & 63] | s.spread[3, part >> 18]
        parts[3 * number] = np.uint64(first if size & 1 == 0 else whole ^ first)
        parts[3 * number + 1], parts[3 * number + 2] = NONE, NONE
        entries[2 * number], entries[2 * number + 1] = NONE, NONE
    return count


@KERNELS.kernel("void(u64[], u64[], u64[], u64[], u64[], u64)")
def gather_square(numbers, children, wins, parts, entries, square):
    """For each part of a set: in which ways the child with one more square is good for the mover, or he has five."""
    for number in range(numbers.size):
        child = TWO * numbers[number]
        place = TWO * (parts[3 * number] | square)
        entries[2 * number] |= children[child]
        entries[2 * number + 1] |= children[child + ONE]
        parts[3 * number + 1] |= wins[place]
        parts[3 * number + 2] |= wins[place + ONE]


@KERNELS.kernel("void(Pentago, u64[], u64[], u64[], u64[], u64[], u64[], i64, i64)")
def gather_children(s, ranks, inserted, wins, children, parts, entries, whole, count):
    """`gather_square` over all squares that are still empty; `wins` are the mover's fives."""
    next_size = popcount(whole) + 1
    next_count = s.binomials[next_size, (next_size + 1) >> 1]
    rest = ((1 << s.slice_count) - 1) & ~whole
    while rest != 0:
        square = rest & -rest
        rest ^= square
        place = popcount(whole & (square - 1)) + 1
        first = 2 * np.int64(ranks[whole | square]) * next_count
        numbers = inserted[count * place : count * (place + 1)]
        gather_square(numbers, children[first : first + 2 * next_count], wins, parts, entries, np.uint64(square))


@KERNELS.kernel("void(Pentago, u64[], u64[], u64[], u64[], i64, i64)")
def finish_set(s, own_fives, other_fives, parts, entries, whole, count):
    """Turn what `gather_children` left into entries: the mover's turn, his placements, then fives on the board."""
    mover = popcount(whole) & 1
    at_end = ALL if s.slice_draws[mover] != 0 else NONE
    both = ALL if s.slice_draws[1 - mover] != 0 else NONE
    is_full = whole == (1 << s.slice_count) - 1
    for number in range(count):
        low, high = entries[2 * number], entries[2 * number + 1]
        either = low | high
        low, high = turn_three(low) | either | parts[3 * number + 1], turn_three(high) | either | parts[3 * number + 2]
        if is_full:
            low, high = at_end, at_end
        mine = parts[3 * number]
        theirs = np.uint64(whole) ^ mine
        for word in range(2):
            reached = high if word == 1 else low
            own, other = own_fives[TWO * mine + np.uint64(word)], other_fives[TWO * theirs + np.uint64(word)]
            entries[2 * number + word] = (other & ~own) | (both & other & own) | ~(other | own | reached)


@KERNELS.export("i64(Pentago, u64[], u64[], u64[], u64[], u64[], u64[], i64, i64, i64)")
def solve_sets(s, ranks, wins, inserted, parts, children, entries, whole, first, sets):
    """Fill the entries of so many sets of a level, from the set `whole` with the number `first` on.

    `children` are the entries of the level above. Returns 0 where the search was stopped.
    """
    size = popcount(whole)
    words = 2 << s.slice_count
    mover = size & 1
    own_at, other_at = (2 * mover + mover) * words, (2 * (1 - mover) + mover) * words
    own_fives, other_fives = wins[own_at : own_at + words], wins[other_at : other_at + words]
    base = 2 * first * s.binomials[size, (size + 1) >> 1]
    for _ in range(sets):
        row = entries[base:]
        count = list_parts(s, inserted, parts, row, whole)
        gather_children(s, ranks, inserted, own_fives, children, parts, row, whole, count)
        finish_set(s, own_fives, other_fives, parts, row, whole, count)
        base += 2 * count
        s.nodes += count
        count_node(s)
        if s.aborted != 0:
            return 0
        if whole != 0:
            lowest = whole & -whole
            ripple = whole + lowest
            whole = ripple | (((whole ^ ripple) >> 2) // lowest)
    return 1
