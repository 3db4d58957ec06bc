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
another of the same order, entry by entry, and one on a low square to another place of one tile. Choices of as many
marbles, and as many of the first side's, are a class. In it they are numbered in the order of their sets' bits, then of
the bits of the first side's part within the set.

A choice on the high squares has a number with a ternary digit for each: 0 is an empty square, 1 the first side's, 2 the
other's. Tiles lie in a level, and are filled, in the order of these numbers: what a tile is made from, of the level
above, has its own number or a higher one, and was mostly read just before. So a level may overwrite the one above it
from the lowest numbers on; it does so block by block, as the tiles of one block are shared out among threads.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from bots.pentago.kernels.lanes import make_lanes, read_lanes, read_pair, swap_halves, swap_neighbours, write_lanes
from bots.pentago.kernels.patterns import KERNELS, RING, content_of, count_node
from bots.pentago.layout import BLOCK_SQUARES, CELLS, LINES, LOW, QUADRANTS
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


@register_jitable
def turn_three(word):
    """The ways of turning from which one quarter-turn of quadrant 1, 2 or 3 leads to a way of `word`, in each lane."""
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


@KERNELS.export("i64(Pentago, u16[], u16[])")
def begin_low(s, choices, children):
    """List the choices on the low squares by class, `class_at` says from where on, and where their children are.

    `choices` has two words of each, the squares of the first side and of the other. `children` has where in their tile
    the entries begin, by the class, choice and square that is still empty, from `children_at` on: those with a marble
    of the first side's, and from `children_at` of the other mover on those of the second side. Returns 0 if the search
    was stopped; a choice counts as a node, because all take more time than may pass without a look at the clock.
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
            place = s.class_at[size, part] + number
            choices[2 * place], choices[2 * place + 1] = subset, whole ^ subset
            at = number * (squares - size)
            rest = ((1 << squares) - 1) & ~whole
            while rest != 0:
                square = rest & -rest
                rest ^= square
                children[s.children_at[0, size, part] + at] = 4 * number_of(s, whole | square, subset | square)
                children[s.children_at[1, size, part] + at] = 4 * number_of(s, whole | square, subset)
                at += 1
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
    """Entries of a tile whose class of the low squares is this; 0 where there is no such class."""
    if size < 0 or part < 0 or part > size or size > s.low_count:
        return 0
    return s.binomials[s.low_count, size] * s.binomials[size, part]


@KERNELS.kernel("i64(i64, i64)")
def squares_of(choice, owner):
    """The high squares that are the first side's (1) or the other's (2) by the number of a choice on them."""
    squares, square = 0, 1
    while choice != 0:
        if choice % 3 == owner:
            squares |= square
        choice //= 3
        square <<= 1
    return squares


@KERNELS.export("void(Pentago, u64[], i64, i64)")
def begin_level(s, tiles, size, place):
    """Lay out a level, of `size` marbles, from entry `place` on.

    `tiles` has where each tile begins by the number of its choice: first those of levels with an even number of
    marbles, then those with an odd one, so that the level above stays known.
    """
    choices = tiles.size >> 1
    for choice in range(choices):
        first, second = squares_of(choice, 1), squares_of(choice, 2)
        tiles[(size & 1) * choices + choice] = 4 * place
        place += tile_size(s, size - popcount(first | second), ((size + 1) >> 1) - popcount(first))


@KERNELS.kernel("i64(Pentago, u64[], i64, i64)")
def find_high_children(s, tiles, size, choice):
    """Fill `high_at` with where the tiles begin that a marble on a high square leads to; return how many there are."""
    mover, choices = size & 1, tiles.size >> 1
    above = (1 - mover) * choices + choice
    found, rest, power = 0, choice, 1
    while power < choices:
        if rest % 3 == 0:
            s.high_at[found] = tiles[above + (1 + mover) * power]
            found += 1
        rest //= 3
        power *= 3
    return found


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


@KERNELS.kernel("void(Pentago, u64[], u64[], u64[], u16[], u16[], u64[], u64[], i64, i64)")
def fill_tile(s, tile, child, entries, choices, children, own_fives, other_fives, size, high_count):
    """Fill a tile: what the mover reaches by a marble on a high square, on a low one, or by a five at once.

    `child` is the tile that low squares lead to, `children` the places in it, choice by choice. The fives are those
    with the high squares of the tile, by sets of low ones.
    """
    mover, low = np.uint64(size & 1), (ONE << np.uint64(s.low_count)) - ONE
    drawn = ALL if size == s.slice_count else NONE
    begin, wins = make_lanes(NONE, NONE, drawn, drawn), make_lanes(ALL, ALL, NONE, NONE)
    row = NONE
    for entry in range(np.uint64(0), np.uint64(tile.size), FOUR):
        reached = begin
        for number in range(high_count):
            reached |= read_lanes(entries, s.high_at[number] + entry)
        pair = entry >> ONE
        mine, theirs = np.uint64(choices[pair | mover]), np.uint64(choices[pair | (ONE - mover)])
        own, other = read_pair(own_fives, TWO * mine), read_pair(other_fives, TWO * theirs)
        five = own | other | read_pair(s.high_fives, TWO * mine)
        rest = low & ~(mine | theirs)
        while rest != NONE:
            lower = rest & (rest - ONE)
            reached |= read_lanes(child, np.uint64(children[row]))
            five |= read_pair(own_fives, TWO * (mine | (rest ^ lower)))
            rest = lower
            row += ONE
        reached = swap_halves(reached)  # the other wins where the mover cannot but lose, and draws where he cannot win
        denied = turn_three(reached) | reached | swap_neighbours(reached) | five
        write_lanes(tile, entry, ~denied | (other & ~(own & wins)))


@KERNELS.kernel("void(Pentago, u64[], u16[], u16[], u64[], u64[], i64, i64)")
def solve_tile(s, fives, choices, children, tiles, entries, size, choice):
    """Fill the entries of a tile of a level, that of a choice on the high squares, from those of the level above."""
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
    note_high_fives(s, fives, own, free, low_part if mover == 0 else low_size - low_part)
    words = 2 << s.low_count
    own_fives, other_fives = fives[own : own + words], fives[other : other + words]
    at = 2 * s.class_at[low_size, low_part]
    pairs = choices[at : at + 2 * count]
    at = s.children_at[mover, low_size, low_part]
    places = children[at : at + count * (s.low_count - low_size)]
    high_count = find_high_children(s, tiles, size, choice)
    fill_tile(s, tile, child, entries, pairs, places, own_fives, other_fives, size, high_count)
    s.nodes += count


@KERNELS.export("i64(Pentago, u64[], u16[], u16[], u64[], u64[], i64, i64, i64, i64)")
def solve_block(s, fives, choices, children, tiles, entries, size, block, share, shares):
    """Fill one of some shares of a block of a level, from the level above. Returns 0 where stopped."""
    per_block = max((tiles.size >> 1) // 3**BLOCK_SQUARES, 1)
    number = 0
    for choice in range(block * per_block, (block + 1) * per_block):
        first, second = squares_of(choice, 1), squares_of(choice, 2)
        if tile_size(s, size - popcount(first | second), ((size + 1) >> 1) - popcount(first)) > 0:
            if number == share:
                solve_tile(s, fives, choices, children, tiles, entries, size, choice)
                count_node(s)
                if s.aborted != 0:
                    return 0
            number = 0 if number == shares - 1 else number + 1
    return 1
