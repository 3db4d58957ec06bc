"""The exact solver's kernels: all positions that can follow from one, marble by marble from the full board back.

After Irving, Pentago is a First Player Win (2014), section 3: positions are taken together with all ways in which their
quadrants may be turned, a "superposition" with one bit for each. A turn then is a handful of shifts for all of them.
As every move turns one quadrant, the sum of the four quarter-turns is even after an even number of moves, so 128 of the
256 ways can occur: two words. Bit b + 4c + 16d of word h stands for the turns (a, b, c, d) of quadrants 0 to 3, where a
is 2h or 2h + 1, whichever has the parity.

Level n holds the positions with n marbles more than the root; each is a set of n of the root's empty squares and the
part of it that the side to move at the root has taken, the first. An entry is four words about the side that has just
moved: in which ways it wins (two words), and in which it does not lose.

The empty squares are split into up to LOW low ones and the high ones. Of a choice on the high squares, all choices on
the low ones lie together, a tile that fits a processor's own memory: a marble on a high square leads from a tile to
another of the same order, word by word, and one on a low square to another place of one tile. Choices of as many
marbles, and as many of the first side's, are a class. In it they are numbered in the order of their sets' bits, then of
the bits of the first side's part within the set.
"""

from __future__ import annotations

import numpy as np

from bots.pentago.kernels.patterns import KERNELS, RING, content_of, count_node
from bots.pentago.layout import CELLS, CHUNK, LINES, LOW, QUADRANTS
from core.native.intrinsics import popcount, trailing_zeros

ALL, NONE = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0)
LOW_PAIRS, LOW_BYTES = np.uint64(0x3333333333333333), np.uint64(0x00FF00FF00FF00FF)
ONE, TWO, THREE, FOUR = (np.uint64(number) for number in range(1, 5))
EIGHT, SIXTEEN, FORTY_EIGHT = np.uint64(8), np.uint64(16), np.uint64(48)
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
    ring = (board >> (8 * quadrant)) & RING
    ring = ((ring << (2 * turns)) | (ring >> (8 - 2 * turns))) & RING
    return PARTS[quadrant, ring | (content_of(board, quadrant) & ~RING)]


@KERNELS.kernel("void(u64[], i64, i64, i64)")
def note_fives(fives, even, odd, board):
    """Fill the two words from `even` on and the two from `odd` on: in which ways of turning a board has five."""
    fives[even], fives[even + 1] = NONE, NONE
    fives[odd], fives[odd + 1] = NONE, NONE
    a0, a1 = turned_part(board, 0, 0), turned_part(board, 0, 1)
    a2, a3 = turned_part(board, 0, 2), turned_part(board, 0, 3)
    b0, b1 = turned_part(board, 1, 0), turned_part(board, 1, 1)
    b2, b3 = turned_part(board, 1, 2), turned_part(board, 1, 3)
    possible = (a0 | a1 | a2 | a3) & (b0 | b1 | b2 | b3)
    for d in range(4):
        part_d = turned_part(board, 3, d) & possible
        for c in range(4):
            part_c = part_d & turned_part(board, 2, c)
            if part_c == 0:
                continue
            for b in range(4):
                part = part_c & (b0 if b == 0 else b1 if b == 1 else b2 if b == 2 else b3)
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
def begin_slices(s, fives):
    """Number the empty squares of the position in the record, and note the fives of each set of them.

    `fives` gets two words a set with either side's marbles added: after an even number of turns for the side to move
    with each set, then for the other, then both after an odd number. Returns 0 where the search was stopped.
    """
    empty = ((1 << CELLS) - 1) & ~(s.white | s.black)
    s.slice_count = 0
    while empty != 0:
        s.slice_cells[s.slice_count] = trailing_zeros(empty)
        empty &= empty - 1
        s.slice_count += 1
    s.low_count = min(s.slice_count, LOW)
    sets = 1 << s.slice_count
    first, second = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    for subset in range(sets):
        added, rest = 0, subset
        while rest != 0:
            added |= 1 << s.slice_cells[trailing_zeros(rest)]
            rest &= rest - 1
        note_fives(fives, 2 * subset, 2 * (2 * sets + subset), first | added)
        note_fives(fives, 2 * (sets + subset), 2 * (3 * sets + subset), second | added)
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


@KERNELS.kernel("i64(Pentago, i64)")
def rank_of(s, bits):
    """The number of a set among those of its size (Knuth, TAOCP 7.2.1.3, theorem L)."""
    rank, size = 0, 0
    while bits != 0:
        size += 1
        rank += s.binomials[trailing_zeros(bits), size]
        bits &= bits - 1
    return rank


@KERNELS.kernel("i64(Pentago, i64, i64)")
def number_of(s, taken, first):
    """The number of a choice in its class: the squares taken, and those of them that are the first side's."""
    packed, place, rest = 0, 0, taken
    while rest != 0:
        lowest = rest & -rest
        rest ^= lowest
        packed |= (1 if first & lowest != 0 else 0) << place
        place += 1
    return rank_of(s, taken) * s.binomials[popcount(taken), popcount(first)] + rank_of(s, packed)


@KERNELS.export("void(Pentago, u16[], u16[], u16[])")
def begin_low(s, taken, first, children):
    """List the choices on the low squares by class, `class_at` says from where on, and the numbers of their children.

    `children` has them by the class, choice and square that is still empty, from `children_at` on: those with a
    marble of the first side's, and from `children_at` of the other mover on those of the second side.
    """
    for n in range(CELLS + 1):
        s.binomials[n, 0] = 1
        for k in range(1, CELLS + 1):
            s.binomials[n, k] = 0 if n == 0 else s.binomials[n - 1, k - 1] + s.binomials[n - 1, k]
    squares = s.low_count
    place, row = 0, 0
    for size in range(squares + 1):
        for part in range(size + 1):
            count = s.binomials[squares, size] * s.binomials[size, part]
            s.class_at[size, part] = place
            place += count
            for mover in range(2):
                s.children_at[mover, size, part] = row
                row += count * (squares - size)
    for whole in range(1 << squares):
        subset = whole
        while True:  # all its parts, Knuth's way to go through them from the whole to none
            number, size, part = number_of(s, whole, subset), popcount(whole), popcount(subset)
            taken[s.class_at[size, part] + number] = whole
            first[s.class_at[size, part] + number] = subset
            at = number * (squares - size)
            rest = ((1 << squares) - 1) & ~whole
            while rest != 0:
                square = rest & -rest
                rest ^= square
                children[s.children_at[0, size, part] + at] = number_of(s, whole | square, subset | square)
                children[s.children_at[1, size, part] + at] = number_of(s, whole | square, subset)
                at += 1
            if subset == 0:
                break
            subset = (subset - 1) & whole


@KERNELS.kernel("i64(Pentago, i64, i64)")
def tile_size(s, size, part):
    """Entries of a tile whose class of the low squares is this; 0 where there is no such class."""
    if size < 0 or part < 0 or part > size or size > s.low_count:
        return 0
    return s.binomials[s.low_count, size] * s.binomials[size, part]


@KERNELS.export("void(Pentago, i64)")
def begin_level(s, size):
    """Lay out a level, of `size` marbles: where each class of the high squares begins. The level above stays known."""
    high = s.slice_count - s.low_count
    part = (size + 1) >> 1
    place = 0
    for taken in range(high + 1):
        for first in range(taken + 1):
            s.tiles_above[taken, first] = s.tiles_at[taken, first]
            s.tiles_at[taken, first] = place
            tiles = s.binomials[high, taken] * s.binomials[taken, first]
            place += tiles * tile_size(s, size - taken, part - first)


@KERNELS.kernel("void(u64[], u64[], i64)")
def add_tile(tile, child, is_first):
    """Note in a tile what the children on one high square reach, place by place."""
    if is_first != 0:
        for place in range(tile.size):
            tile[place] = child[place]
    else:
        for place in range(tile.size):
            tile[place] |= child[place]


@KERNELS.kernel("void(Pentago, u64[], i64, i64, i64)")
def note_high_fives(s, fives, own, free, count):
    """Fill `high_fives` for each set of `count` low squares: the fives that a marble on a free high square makes.

    `own` is where the mover's fives of this parity begin, with his marbles on high squares.
    """
    subset = (1 << count) - 1
    while subset < 1 << s.low_count:
        five0, five1 = NONE, NONE
        rest = free
        while rest != 0:
            square = rest & -rest
            rest ^= square
            place = np.uint64(own + 2 * ((square << s.low_count) | subset))
            five0 |= fives[place]
            five1 |= fives[place + ONE]
        s.high_fives[2 * subset], s.high_fives[2 * subset + 1] = five0, five1
        if subset == 0:
            break
        lowest = subset & -subset
        ripple = subset + lowest
        subset = ripple | (((subset ^ ripple) >> 2) // lowest)


@KERNELS.kernel("void(Pentago, u64[], u64[], u16[], u16[], u16[], u64[], u64[], i64, i64)")
def gather_chunk(s, tile, child, numbers, taken, first, own_fives, other_fives, mover, start):
    """Fill `work` for a chunk of entries of a tile, from `start` on: what the mover reaches in all, and fives.

    `numbers` are the places in the tile `child`, entry by entry. The fives are those with the high squares of the
    tile, by sets of low ones.
    """
    count, child_count = np.uint64(tile.size >> 2), np.uint64(child.size >> 2)
    low = (ONE << np.uint64(s.low_count)) - ONE
    row = np.uint64(start * (numbers.size // taken.size))
    for place in range(min(CHUNK, taken.size - start)):
        entry = np.uint64(start + place)
        win0, win1 = tile[entry], tile[count + entry]
        draw0, draw1 = tile[TWO * count + entry], tile[THREE * count + entry]
        whole, part = np.uint64(taken[entry]), np.uint64(first[entry])
        mine = part if mover == 0 else whole ^ part
        five0, five1 = s.high_fives[TWO * mine], s.high_fives[TWO * mine + ONE]
        rest = low & ~whole
        while rest != NONE:
            lower = rest & (rest - ONE)
            made = TWO * (mine | (rest ^ lower))
            rest = lower
            number = np.uint64(numbers[row])
            row += ONE
            win0 |= child[number]
            win1 |= child[child_count + number]
            draw0 |= child[TWO * child_count + number]
            draw1 |= child[THREE * child_count + number]
            five0 |= own_fives[made]
            five1 |= own_fives[made + ONE]
        s.work[0, place], s.work[1, place], s.work[2, place], s.work[3, place] = win0, win1, draw0, draw1
        s.work[4, place], s.work[5, place] = five0, five1
        own, other = TWO * mine, TWO * (whole ^ mine)
        s.work[6, place], s.work[7, place] = own_fives[own], own_fives[own + ONE]
        s.work[8, place], s.work[9, place] = other_fives[other], other_fives[other + ONE]


@KERNELS.kernel("void(Pentago)")
def finish_chunk(s):
    """Turn what the mover reaches into entries, in the first rows of `work`: his turn, his placements, fives there."""
    for place in range(CHUNK):
        win0, win1, draw0, draw1 = s.work[0, place], s.work[1, place], s.work[2, place], s.work[3, place]
        five0, five1 = s.work[4, place], s.work[5, place]
        own0, own1, other0, other1 = s.work[6, place], s.work[7, place], s.work[8, place], s.work[9, place]
        wins, draws = win0 | win1, draw0 | draw1
        s.work[0, place] = (other0 & ~own0) | ~(other0 | own0 | turn_three(draw0) | draws | five0)
        s.work[1, place] = (other1 & ~own1) | ~(other1 | own1 | turn_three(draw1) | draws | five1)
        s.work[2, place] = other0 | ~(own0 | turn_three(win0) | wins | five0)
        s.work[3, place] = other1 | ~(own1 | turn_three(win1) | wins | five1)


@KERNELS.kernel("void(Pentago, u64[], i64)")
def keep_chunk(s, tile, start):
    """Put the entries of a chunk into their tile."""
    count = tile.size >> 2
    for row in range(4):
        kept = tile[row * count + start : row * count + min(start + CHUNK, count)]
        for place in range(kept.size):
            kept[place] = s.work[row, place]


@KERNELS.kernel("i64(Pentago, u64[], u64[], i64, i64, i64, i64)")
def add_high_children(s, tile, above, mover, whole, part, is_full):
    """Begin a tile with what a marble on a high square reaches, or a draw; return the high squares that are free."""
    count = tile.size >> 2
    step = 1 - mover
    free = rest = ((1 << (s.slice_count - s.low_count)) - 1) & ~whole
    if free == 0:
        tile[:] = NONE
        if is_full != 0:
            tile[2 * count :] = ALL
    while rest != 0:
        square = rest & -rest
        number = number_of(s, whole | square, part | (square if mover == 0 else 0))
        start = 4 * (s.tiles_above[popcount(whole) + 1, popcount(part) + step] + number * count)
        add_tile(tile, above[start : start + 4 * count], 1 if rest == free else 0)
        rest ^= square
    return free


@KERNELS.kernel("void(Pentago, u64[], u16[], u16[], u16[], u64[], u64[], i64, i64, i64)")
def solve_tile(s, fives, taken, first, children, above, entries, size, whole, part):
    """Fill the entries of a tile of a level, of high squares `whole`, `part` of them the first side's.

    `above` are the entries of the level above, `entries` those of this level.
    """
    mover = size & 1  # also the parity of the turns
    step = 1 - mover
    on_high, of_first = popcount(whole), popcount(part)
    low_size, low_part = size - on_high, ((size + 1) >> 1) - of_first
    count, tile_number = tile_size(s, low_size, low_part), number_of(s, whole, part)
    start = 4 * (s.tiles_at[on_high, of_first] + tile_number * count)
    tile = entries[start : start + 4 * count]
    free = add_high_children(s, tile, above, mover, whole, part, 1 if size == s.slice_count else 0)
    mine, theirs = (part, whole ^ part) if mover == 0 else (whole ^ part, part)
    own = 2 * (((2 * mover + mover) << s.slice_count) | (mine << s.low_count))
    other = 2 * (((2 * mover + 1 - mover) << s.slice_count) | (theirs << s.low_count))
    note_high_fives(s, fives, own, free, low_part if mover == 0 else low_size - low_part)
    child_count = tile_size(s, low_size + 1, low_part + step)
    start = 4 * (s.tiles_above[on_high, of_first] + tile_number * child_count)
    child = above[start : start + 4 * child_count]
    at, words = s.class_at[low_size, low_part], 2 << s.low_count
    row = s.children_at[mover, low_size, low_part]
    numbers = children[row : row + count * (s.low_count - low_size)]
    choices, parts = taken[at : at + count], first[at : at + count]
    own_fives, other_fives = fives[own : own + words], fives[other : other + words]
    for chunk in range(0, count, CHUNK):
        gather_chunk(s, tile, child, numbers, choices, parts, own_fives, other_fives, mover, chunk)
        finish_chunk(s)
        keep_chunk(s, tile, chunk)
    s.nodes += count


@KERNELS.export("i64(Pentago, u64[], u16[], u16[], u16[], u64[], u64[], i64, i64, i64)")
def solve_tiles(s, fives, taken, first, children, above, entries, size, share, shares):
    """Fill one of some shares of a level's entries, from those of the level above. Returns 0 where stopped."""
    number = 0
    for whole in range(1 << (s.slice_count - s.low_count)):
        part = whole
        while True:
            if tile_size(s, size - popcount(whole), ((size + 1) >> 1) - popcount(part)) > 0:
                if number == share:
                    solve_tile(s, fives, taken, first, children, above, entries, size, whole, part)
                    count_node(s)
                    if s.aborted != 0:
                        return 0
                number = 0 if number == shares - 1 else number + 1
            if part == 0:
                break
            part = (part - 1) & whole
    return 1
