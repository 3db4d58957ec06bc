"""Exact solver by retrograde analysis: all positions that can follow from one, from the full board backwards.

The method is that of G. Irving, "Pentago is a First Player Win" (2014), section 3. Positions are computed together for
all rotations of their quadrants, as one bit each. A rotation move is then a few shifts for all of them. Every move
rotates one quadrant by a quarter, so the sum of the four quarter-turns is even after an even number of moves, and only
128 of the 256 combinations can occur: two words.

    bit b + 4c + 16d of word h    quadrants 0 to 3 turned by (a, b, c, d) quarters, where a is 2h or 2h + 1,
                                  whichever has the right parity

Terms:

    first side   the side to move at the root; the other is the second side
    level n      the positions with n marbles more than the root
    choice       which of the root's empty squares are taken, and by which side
    entry        four words for a choice, about the side that has just moved: for which rotations it wins (two words),
                 and for which it does not lose (two words)
    mover        the side to move at level n: 0, the first side, if n is even; else 1, the second side
    low, high    the first up to MAX_LOW_SQUARES empty squares, and the others
    tile         the entries of one choice on the high squares, for all choices on the low ones; it fits the CPU's cache
    class        the choices with equal numbers of marbles and of marbles of the first side
    block        the tiles with the same contents of the highest BLOCK_SQUARES squares

A marble on a high square leads from a tile to the same entries of another tile, one on a low square to another entry of
one other tile. Within a class, choices are sorted by the bits of their set of squares, then by the bits of the first
side's part of it.

A choice on the high squares has a number with a ternary digit per square: 0 empty, 1 first side, 2 second side. Tiles
are stored and computed in the order of these numbers. The tiles of the level above from which a tile is computed have
its number or a higher one. So a level may overwrite the one above from the lowest numbers on; it does so block by
block, because the tiles of a block are shared among threads.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from bots.pentago.kernels.lanes import make_lanes, read_lanes, read_pair, swap_halves, swap_neighbours, write_lanes
from bots.pentago.kernels.patterns import KERNELS, RING, count_node, quadrant_content
from bots.pentago.layout import BLOCK_SQUARES, CELLS, LINES, MAX_LOW_SQUARES, QUADRANTS
from core.native.intrinsics import popcount, trailing_zeros

ALL, NONE = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0)  # bits of all rotations, of none
# Masks and shift counts as uint64, because numba makes floats of mixed signed and unsigned integers.
LOW_PAIRS, LOW_BYTES = np.uint64(0x3333333333333333), np.uint64(0x00FF00FF00FF00FF)
ONE, TWO, THREE, FOUR = (np.uint64(number) for number in range(1, 5))
EIGHT, SIXTEEN, FORTY_EIGHT = np.uint64(8), np.uint64(16), np.uint64(48)
ODD_PAIR, ODD_BYTE = np.uint64(0x5555555555555555), np.uint64(0x0F0F0F0F0F0F0F0F)


def _line_part_table() -> np.ndarray:
    """Return, for each quadrant and content, one bit per line whose squares in that quadrant are all taken."""
    table = np.zeros((QUADRANTS, 512), dtype=np.int64)
    for quadrant in range(QUADRANTS):
        for number, line in enumerate(LINES):
            here = [cell for cell in line if (cell >> 3 if cell < 32 else cell - 32) == quadrant]
            wanted = sum(1 << (cell & 7 if cell < 32 else 8) for cell in here)
            for content in range(512):
                if content & wanted == wanted:
                    table[quadrant, content] |= 1 << number
    return table


LINE_PARTS = _line_part_table()


@KERNELS.kernel("i64(i64, i64, i64)")
def line_parts_after(board, quadrant, turns):
    """Return the lines that a quadrant, rotated clockwise by `turns` quarters, leaves possible."""
    ring = (board >> (8 * quadrant)) & RING
    ring = ((ring << (2 * turns)) | (ring >> (8 - 2 * turns))) & RING
    return LINE_PARTS[quadrant, ring | (quadrant_content(board, quadrant) & ~RING)]


@KERNELS.kernel("void(u64[], i64, i64, i64)")
def record_fives(fives, even, odd, board):
    """Compute for which rotations a board has a five: two words at index `even` (even parity), two at `odd`."""
    fives[even], fives[even + 1] = NONE, NONE
    fives[odd], fives[odd + 1] = NONE, NONE
    a0, a1 = line_parts_after(board, 0, 0), line_parts_after(board, 0, 1)
    a2, a3 = line_parts_after(board, 0, 2), line_parts_after(board, 0, 3)
    b0, b1 = line_parts_after(board, 1, 0), line_parts_after(board, 1, 1)
    b2, b3 = line_parts_after(board, 1, 2), line_parts_after(board, 1, 3)
    possible = (a0 | a1 | a2 | a3) & (b0 | b1 | b2 | b3)
    for d in range(4):
        part_d = line_parts_after(board, 3, d) & possible
        for c in range(4):
            part_c = part_d & line_parts_after(board, 2, c)
            if part_c == 0:
                continue
            for b in range(4):
                part = part_c & (b0 if b == 0 else b1 if b == 1 else b2 if b == 2 else b3)
                # With an even number a of quarters of quadrant 0, the parity is that of b + c + d.
                same, other = (even, odd) if (b + c + d) & 1 == 0 else (odd, even)
                bit = ONE << np.uint64(b + 4 * c + 16 * d)
                if part & a0 != 0:
                    fives[same] |= bit
                if part & a1 != 0:
                    fives[other] |= bit
                if part & a2 != 0:
                    fives[same + 1] |= bit
                if part & a3 != 0:
                    fives[other + 1] |= bit


@KERNELS.export("i64(Pentago, u64[])")
def init_slices(s, fives):
    """List the empty squares of the state's position, and compute the fives of each subset of them.

    `fives` gets two words per subset whose marbles are added: first for the first side with even parity, then for the
    second side, then both with odd parity. Returns 0 if the search was stopped.
    """
    empty = ((1 << CELLS) - 1) & ~(s.white | s.black)
    s.slice_count = 0
    while empty != 0:
        s.slice_cells[s.slice_count] = trailing_zeros(empty)
        empty &= empty - 1
        s.slice_count += 1
    s.low_count = min(s.slice_count, MAX_LOW_SQUARES)
    sets = 1 << s.slice_count
    first, second = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    for subset in range(sets):
        added, remaining = 0, subset
        while remaining != 0:
            added |= 1 << s.slice_cells[trailing_zeros(remaining)]
            remaining &= remaining - 1
        record_fives(fives, 2 * subset, 2 * (2 * sets + subset), first | added)
        record_fives(fives, 2 * (sets + subset), 2 * (3 * sets + subset), second | added)
        count_node(s)
        if s.aborted != 0:
            return 0
    return 1


@register_jitable
def rotate_one_of_three(word):
    """Return, in each lane, the rotations from which a quarter turn of quadrant 1, 2 or 3 leads into `word`."""
    # Quadrant 1 (bits b): b - 1 and b + 1 are both reached from the union of b and b + 2.
    b = word | ((word >> TWO) & LOW_PAIRS)
    b &= LOW_PAIRS
    b = ((b >> ONE) & ODD_PAIR) | ((b & ODD_PAIR) << ONE)
    b |= b << TWO
    # Quadrant 2 (bits 4c), likewise.
    c = (word | (word >> EIGHT)) & LOW_BYTES
    c = ((c >> FOUR) & ODD_BYTE) | ((c & ODD_BYTE) << FOUR)
    c |= c << EIGHT
    # Quadrant 3 (bits 16d): rotate the word by one step either way.
    d = (word << SIXTEEN) | (word >> FORTY_EIGHT) | (word >> SIXTEEN) | (word << FORTY_EIGHT)
    return b | c | d


@KERNELS.kernel("i64(Pentago, i64)")
def subset_rank(s, bits):
    """Return the rank of a subset among those of its size (Knuth, TAOCP 7.2.1.3, theorem L)."""
    rank, size = 0, 0
    while bits != 0:
        size += 1
        rank += s.binomials[trailing_zeros(bits), size]
        bits &= bits - 1
    return rank


@KERNELS.kernel("i64(Pentago, i64, i64)")
def choice_rank(s, taken, first):
    """Return the rank of a choice in its class: the squares `taken`, and those of them that are the first side's."""
    packed, index, remaining = 0, 0, taken
    while remaining != 0:
        lowest = remaining & -remaining
        remaining ^= lowest
        packed |= (1 if first & lowest != 0 else 0) << index
        index += 1
    return subset_rank(s, taken) * s.binomials[popcount(taken), popcount(first)] + subset_rank(s, packed)


@KERNELS.export("i64(Pentago, u16[], u16[])")
def init_low_choices(s, choices, children):
    """List the choices on the low squares by class, and their children. Returns 0 if the search was stopped.

    `choices` gets two numbers per choice: the squares of the first and of the second side. A class starts at index
    `class_start`. `children` gets, for each choice and each square that is still empty, the index of the child's entry
    in its tile; those of a class and mover start at index `children_start`. Choices count as nodes, so that the clock
    is checked often enough.
    """
    for n in range(CELLS + 1):
        s.binomials[n, 0] = 1
        for k in range(1, CELLS + 1):
            s.binomials[n, k] = 0 if n == 0 else s.binomials[n - 1, k - 1] + s.binomials[n - 1, k]
    squares = s.low_count
    index, row = 0, 0
    for size in range(squares + 1):
        for part in range(size + 1):
            count = s.binomials[squares, size] * s.binomials[size, part]
            s.class_start[size, part] = index
            index += count
            for mover in range(2):
                s.children_start[mover, size, part] = row
                row += count * (squares - size)
    for whole in range(1 << squares):
        subset = whole
        while True:  # all subsets of `whole`, in descending order
            number, size, part = choice_rank(s, whole, subset), popcount(whole), popcount(subset)
            index = s.class_start[size, part] + number
            choices[2 * index], choices[2 * index + 1] = subset, whole ^ subset
            child_index = number * (squares - size)
            remaining = ((1 << squares) - 1) & ~whole
            while remaining != 0:
                square = remaining & -remaining
                remaining ^= square
                children[s.children_start[0, size, part] + child_index] = 4 * choice_rank(
                    s, whole | square, subset | square
                )
                children[s.children_start[1, size, part] + child_index] = 4 * choice_rank(s, whole | square, subset)
                child_index += 1
            if subset == 0:
                break
            subset = (subset - 1) & whole
        s.nodes += (1 << popcount(whole)) - 1
        count_node(s)
        if s.aborted != 0:
            return 0
    return 1


@KERNELS.kernel("i64(Pentago, i64, i64)")
def tile_size(s, size, part):
    """Return the number of entries of a tile whose low squares have `size` marbles, `part` of them the first side's.

    It is 0 if these numbers are impossible.
    """
    if size < 0 or part < 0 or part > size or size > s.low_count:
        return 0
    return s.binomials[s.low_count, size] * s.binomials[size, part]


@KERNELS.kernel("i64(i64, i64)")
def squares_of(choice, owner):
    """Return the high squares that belong to the first side (`owner` 1) or the second (2) in a choice's number."""
    squares, square = 0, 1
    while choice != 0:
        if choice % 3 == owner:
            squares |= square
        choice //= 3
        square <<= 1
    return squares


@KERNELS.export("void(Pentago, u64[], i64, i64)")
def init_level(s, tiles, size, index):
    """Compute where each tile of a level of `size` marbles begins; the level begins at entry `index`.

    `tiles` has the start of each tile by the number of its choice: first for levels with an even number of marbles,
    then for levels with an odd number, so that the level above stays known.
    """
    choices = tiles.size >> 1
    for choice in range(choices):
        first, second = squares_of(choice, 1), squares_of(choice, 2)
        tiles[(size & 1) * choices + choice] = 4 * index
        index += tile_size(s, size - popcount(first | second), ((size + 1) >> 1) - popcount(first))


@KERNELS.kernel("i64(Pentago, u64[], i64, i64)")
def find_high_children(s, tiles, size, choice):
    """Fill `high_child_start` with the tiles that a marble on a high square leads to; return their number."""
    mover, choices = size & 1, tiles.size >> 1
    above = (1 - mover) * choices + choice
    count, remaining, power = 0, choice, 1
    while power < choices:
        if remaining % 3 == 0:
            s.high_child_start[count] = tiles[above + (1 + mover) * power]
            count += 1
        remaining //= 3
        power *= 3
    return count


@KERNELS.kernel("void(Pentago, u64[], i64, i64, i64)")
def record_high_fives(s, fives, own, free, count):
    """Fill `high_fives` for each set of `count` low squares: the fives that a marble on a free high square makes.

    `own` is the index of the mover's fives of this parity, with the mover's marbles on high squares.
    """
    subset = (1 << count) - 1
    # Gosper's hack: all subsets of `count` squares in ascending order.
    while subset < 1 << s.low_count:
        five0, five1 = NONE, NONE
        remaining = free
        while remaining != 0:
            square = remaining & -remaining
            remaining ^= square
            index = np.uint64(own + 2 * ((square << s.low_count) | subset))
            five0 |= fives[index]
            five1 |= fives[index + ONE]
        s.high_fives[2 * subset], s.high_fives[2 * subset + 1] = five0, five1
        if subset == 0:
            break
        lowest = subset & -subset
        carried = subset + lowest
        subset = carried | (((subset ^ carried) >> 2) // lowest)


@KERNELS.kernel("void(Pentago, u64[], u64[], u64[], u16[], u16[], u64[], u64[], i64, i64)")
def fill_tile(s, tile, child, entries, choices, children, own_fives, other_fives, size, high_count):
    """Compute a tile: what the mover reaches by a marble on a high square, on a low square, or by a five at once.

    `child` is the tile that a marble on a low square leads to, `children` the indices into it, choice by choice. The
    fives are those with the tile's high squares, by sets of low squares.
    """
    mover, low = np.uint64(size & 1), (ONE << np.uint64(s.low_count)) - ONE
    drawn = ALL if size == s.slice_count else NONE
    begin, wins = make_lanes(NONE, NONE, drawn, drawn), make_lanes(ALL, ALL, NONE, NONE)
    row = NONE
    for entry in range(np.uint64(0), np.uint64(tile.size), FOUR):
        reached = begin
        for number in range(high_count):
            reached |= read_lanes(entries, s.high_child_start[number] + entry)
        pair = entry >> ONE
        mine, theirs = np.uint64(choices[pair | mover]), np.uint64(choices[pair | (ONE - mover)])
        own, other = read_pair(own_fives, TWO * mine), read_pair(other_fives, TWO * theirs)
        five = own | other | read_pair(s.high_fives, TWO * mine)
        remaining = low & ~(mine | theirs)
        while remaining != NONE:
            lower = remaining & (remaining - ONE)
            reached |= read_lanes(child, np.uint64(children[row]))
            five |= read_pair(own_fives, TWO * (mine | (remaining ^ lower)))
            remaining = lower
            row += ONE
        # Seen by the other side: it wins where the mover only loses, and does not lose where the mover does not win.
        reached = swap_halves(reached)
        denied = rotate_one_of_three(reached) | reached | swap_neighbours(reached) | five
        write_lanes(tile, entry, ~denied | (other & ~(own & wins)))


@KERNELS.kernel("void(Pentago, u64[], u16[], u16[], u64[], u64[], i64, i64)")
def solve_tile(s, fives, choices, children, tiles, entries, size, choice):
    """Compute the tile of a choice on the high squares, from the level above."""
    mover = size & 1  # also the parity of the turns
    first, second = squares_of(choice, 1), squares_of(choice, 2)
    low_size, low_part = size - popcount(first | second), ((size + 1) >> 1) - popcount(first)
    count = tile_size(s, low_size, low_part)
    level, above = mover * (tiles.size >> 1), (1 - mover) * (tiles.size >> 1)
    start = np.int64(tiles[level + choice])
    tile = entries[start : start + 4 * count]
    start = np.int64(tiles[above + choice])
    child = entries[start : start + 4 * tile_size(s, low_size + 1, low_part + 1 - mover)]
    mine, theirs = (first, second) if mover == 0 else (second, first)
    own = 2 * (((2 * mover + mover) << s.slice_count) | (mine << s.low_count))
    other = 2 * (((2 * mover + 1 - mover) << s.slice_count) | (theirs << s.low_count))
    free = ((1 << (s.slice_count - s.low_count)) - 1) & ~(first | second)
    record_high_fives(s, fives, own, free, low_part if mover == 0 else low_size - low_part)
    words = 2 << s.low_count
    own_fives, other_fives = fives[own : own + words], fives[other : other + words]
    start = 2 * s.class_start[low_size, low_part]
    pairs = choices[start : start + 2 * count]
    start = s.children_start[mover, low_size, low_part]
    places = children[start : start + count * (s.low_count - low_size)]
    high_count = find_high_children(s, tiles, size, choice)
    fill_tile(s, tile, child, entries, pairs, places, own_fives, other_fives, size, high_count)
    s.nodes += count


@KERNELS.export("i64(Pentago, u64[], u16[], u16[], u64[], u64[], i64, i64, i64, i64)")
def solve_block(s, fives, choices, children, tiles, entries, size, block, worker, workers):
    """Compute one worker's tiles of a block of a level, from the level above. Returns 0 if stopped."""
    per_block = max((tiles.size >> 1) // 3**BLOCK_SQUARES, 1)
    number = 0
    for choice in range(block * per_block, (block + 1) * per_block):
        first, second = squares_of(choice, 1), squares_of(choice, 2)
        if tile_size(s, size - popcount(first | second), ((size + 1) >> 1) - popcount(first)) > 0:
            if number == worker:
                solve_tile(s, fives, choices, children, tiles, entries, size, choice)
                count_node(s)
                if s.aborted != 0:
                    return 0
            number = 0 if number == workers - 1 else number + 1
    return 1
