"""Virtual connections: H-search over the solver's board (Anshelevich, "A hierarchical approach to computer Hex", 2002).

A full connection joins two ends even where the opponent moves first, a semi connection where its owner does; the key is
the move that makes it full. The carrier is the set of empty cells that it needs, the key among them, the ends not. Two
rules build them up from neighbours, whose carrier is empty:

AND: full connections a-b and b-c with carriers that share no cell make a full one a-c where b is a chain of stones, and
a semi one with key b where b is empty. OR: semi connections of one pair whose carriers have no cell in common make a
full one. Of a pair only the smallest carriers are kept, and none that contains another.

`connect` gives, for a colour that is to move, a winning semi connection between its edges, and for one that is not, a
full one or the must-play region of its opponent: the cells common to all of its semi connections between the edges.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import KERNELS, MAX_FULL, MAX_SEMI, PAIRS
from bots.hex.kernels.solver.board import ALL, NONE, ONE, bit, pair_of
from core.native.intrinsics import popcount, trailing_zeros

# Pairs of empty cells are many and matter less: connections kept for each, and the most cells of their carriers. The
# three were tried on openings of 7x7; larger ones solved them with as many nodes, but slower.
LOOSE_FULL, LOOSE_SEMI, LOOSE_CELLS = 4, 8, 5
OR_DEPTH = 4  # semi connections that the OR rule unites at most
UNDECIDED, CONNECTED = 0, 1


@KERNELS.kernel("i64(HexSolver, i64)")
def find_chains(s, colour):
    """Give every stone of a colour the end of its chain; 1 where one joins both edges, else 0."""
    left_lo, left_hi = s.stones[colour, 0], s.stones[colour, 1]
    s.solid[0], s.solid[1] = np.uint64(3), NONE
    while left_lo | left_hi != NONE:
        first = trailing_zeros(left_lo) if left_lo != NONE else 64 + trailing_zeros(left_hi)
        lo, hi = NONE, NONE
        if first < 64:
            lo = bit(first)
        else:
            hi = bit(first)
        todo_lo, todo_hi = lo, hi
        while todo_lo | todo_hi != NONE:
            if todo_lo != NONE:
                end = trailing_zeros(todo_lo)
                todo_lo &= todo_lo - ONE
            else:
                end = 64 + trailing_zeros(todo_hi)
                todo_hi &= todo_hi - ONE
            new_lo = s.near[end, 0] & left_lo & ~lo
            new_hi = s.near[end, 1] & left_hi & ~hi
            lo |= new_lo
            hi |= new_hi
            todo_lo |= new_lo
            todo_hi |= new_hi
        left_lo &= ~lo
        left_hi &= ~hi
        at_start = (lo & s.edges[colour, 0, 0]) | (hi & s.edges[colour, 0, 1]) != NONE
        at_end = (lo & s.edges[colour, 1, 0]) | (hi & s.edges[colour, 1, 1]) != NONE
        if at_start and at_end:
            return 1
        name = 0 if at_start else (1 if at_end else first)
        s.solid[name >> 6] |= bit(name)
        while lo | hi != NONE:
            if lo != NONE:
                end = trailing_zeros(lo)
                lo &= lo - ONE
            else:
                end = 64 + trailing_zeros(hi)
                hi &= hi - ONE
            s.chain[end] = name
    return 0


@KERNELS.kernel("void(HexSolver, i64, i64)")
def drop_full(s, pair, slot):
    """Remove a full connection; the last of the pair takes its slot."""
    last = np.int64(s.full_count[pair]) - 1
    new = np.int64(s.full_new[pair])
    moved = (new >> last) & 1
    new &= ~(1 << last)
    if slot != last:
        s.full[pair, slot, 0], s.full[pair, slot, 1] = s.full[pair, last, 0], s.full[pair, last, 1]
        new = (new & ~(1 << slot)) | (moved << slot)
    s.full_new[pair] = new
    s.full_count[pair] = last


@KERNELS.kernel("void(HexSolver, i64, i64)")
def drop_semi(s, pair, slot):
    """Remove a semi connection; the last of the pair takes its slot."""
    last = np.int64(s.semi_count[pair]) - 1
    new = np.int64(s.semi_new[pair])
    moved = (new >> last) & 1
    new &= ~(1 << last)
    if slot != last:
        s.semi[pair, slot, 0], s.semi[pair, slot, 1] = s.semi[pair, last, 0], s.semi[pair, last, 1]
        s.semi_key[pair, slot] = s.semi_key[pair, last]
        new = (new & ~(1 << slot)) | (moved << slot)
    s.semi_new[pair] = new
    s.semi_count[pair] = last


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def is_loose(s, one, other):
    """1 where both ends are empty cells."""
    return 1 if (s.solid[one >> 6] & bit(one)) == NONE and (s.solid[other >> 6] & bit(other)) == NONE else 0


@KERNELS.kernel("i64(HexSolver, i64, u64, u64)")
def has_full_within(s, pair, lo, hi):
    """1 where a full connection of a pair needs no cell outside a set."""
    for slot in range(np.int64(s.full_count[pair])):
        if (s.full[pair, slot, 0] & ~lo) | (s.full[pair, slot, 1] & ~hi) == NONE:
            return 1
    return 0


@KERNELS.kernel("void(HexSolver, i64, i64, u64, u64)")
def add_full(s, one, other, lo, hi):
    """Keep a full connection unless a better one is known; drop those that it makes useless."""
    pair = pair_of(one, other)
    loose = is_loose(s, one, other)
    if (loose != 0 and popcount(lo) + popcount(hi) > LOOSE_CELLS) or has_full_within(s, pair, lo, hi) != 0:
        return
    slot = 0
    while slot < s.full_count[pair]:
        if (lo & ~s.full[pair, slot, 0]) | (hi & ~s.full[pair, slot, 1]) == NONE:
            drop_full(s, pair, slot)
        else:
            slot += 1
    room = LOOSE_FULL if loose != 0 else MAX_FULL
    if s.full_count[pair] >= room:
        worst, most = 0, -1
        for other_slot in range(np.int64(s.full_count[pair])):
            size = popcount(s.full[pair, other_slot, 0]) + popcount(s.full[pair, other_slot, 1])
            if size > most:
                worst, most = other_slot, size
        if popcount(lo) + popcount(hi) >= most:
            return
        drop_full(s, pair, worst)
    slot = 0
    while slot < s.semi_count[pair]:
        if (lo & ~s.semi[pair, slot, 0]) | (hi & ~s.semi[pair, slot, 1]) == NONE:
            drop_semi(s, pair, slot)
        else:
            slot += 1
    slot = np.int64(s.full_count[pair])
    s.full[pair, slot, 0], s.full[pair, slot, 1] = lo, hi
    s.full_count[pair] = slot + 1
    if s.full_new[pair] == 0:
        s.full_queue[(s.full_head + s.full_length) % PAIRS] = pair
        s.full_length += 1
    s.full_new[pair] = np.int64(s.full_new[pair]) | (1 << slot)
    s.linked[one, other >> 6] |= bit(other)
    s.linked[other, one >> 6] |= bit(one)
    if lo | hi == NONE:
        s.touching[one, other >> 6] |= bit(other)
        s.touching[other, one >> 6] |= bit(one)


@KERNELS.kernel("void(HexSolver, i64, i64, u64, u64, i64)")
def add_semi(s, one, other, lo, hi, key):
    """Keep a semi connection unless a better one is known; drop those that it makes useless."""
    pair = pair_of(one, other)
    loose = is_loose(s, one, other)
    if (loose != 0 and popcount(lo) + popcount(hi) > LOOSE_CELLS) or has_full_within(s, pair, lo, hi) != 0:
        return
    for slot in range(np.int64(s.semi_count[pair])):
        if (s.semi[pair, slot, 0] & ~lo) | (s.semi[pair, slot, 1] & ~hi) == NONE:
            return
    slot = 0
    while slot < s.semi_count[pair]:
        if (lo & ~s.semi[pair, slot, 0]) | (hi & ~s.semi[pair, slot, 1]) == NONE:
            drop_semi(s, pair, slot)
        else:
            slot += 1
    room = LOOSE_SEMI if loose != 0 else MAX_SEMI
    if s.semi_count[pair] >= room:
        worst, most = 0, -1
        for other_slot in range(np.int64(s.semi_count[pair])):
            size = popcount(s.semi[pair, other_slot, 0]) + popcount(s.semi[pair, other_slot, 1])
            if size > most:
                worst, most = other_slot, size
        if popcount(lo) + popcount(hi) >= most:
            return
        drop_semi(s, pair, worst)
    slot = np.int64(s.semi_count[pair])
    s.semi[pair, slot, 0], s.semi[pair, slot, 1] = lo, hi
    s.semi_key[pair, slot] = key
    s.semi_count[pair] = slot + 1
    if s.semi_new[pair] == 0:
        s.semi_queue[(s.semi_head + s.semi_length) % PAIRS] = pair
        s.semi_length += 1
    s.semi_new[pair] = np.int64(s.semi_new[pair]) | (1 << slot)


@KERNELS.kernel("void(HexSolver, i64, i64, u64, u64)")
def join_over(s, middle, end, lo, hi):
    """The AND rule: combine a full connection `end`-`middle` with those of `middle` to all others.

    Over edges nothing is joined: it finds a fifth more and takes six times as long.
    """
    if middle < 2:
        return
    is_stone = (s.solid[middle >> 6] & bit(middle)) != NONE
    end_lo, end_hi = (bit(end), NONE) if end < 64 else (NONE, bit(end))
    middle_lo, middle_hi = (bit(middle), NONE) if middle < 64 else (NONE, bit(middle))
    to_lo = s.linked[middle, 0] & ~lo & ~end_lo
    to_hi = s.linked[middle, 1] & ~hi & ~end_hi
    while to_lo | to_hi != NONE:
        if to_lo != NONE:
            target = trailing_zeros(to_lo)
            to_lo &= to_lo - ONE
        else:
            target = 64 + trailing_zeros(to_hi)
            to_hi &= to_hi - ONE
        pair = pair_of(middle, target)
        for slot in range(np.int64(s.full_count[pair])):
            more_lo, more_hi = s.full[pair, slot, 0], s.full[pair, slot, 1]
            if (more_lo & (lo | end_lo)) | (more_hi & (hi | end_hi)) == NONE:
                if is_stone:
                    add_full(s, end, target, lo | more_lo, hi | more_hi)
                else:
                    add_semi(s, end, target, lo | more_lo | middle_lo, hi | more_hi | middle_hi, middle)


@KERNELS.kernel("void(HexSolver, i64)")
def combine_full(s, pair):
    """Apply the AND rule to the new full connections of a pair."""
    one, other = np.int64(s.pair_ends[pair, 0]), np.int64(s.pair_ends[pair, 1])
    new = np.int64(s.full_new[pair])
    s.full_new[pair] = 0
    slot = 0
    while new != 0:
        if new & 1 != 0:
            lo, hi = s.full[pair, slot, 0], s.full[pair, slot, 1]
            join_over(s, one, other, lo, hi)
            join_over(s, other, one, lo, hi)
        new >>= 1
        slot += 1


@KERNELS.kernel("void(HexSolver, i64, i64, i64, u64, u64, u64, u64)")
def unite(s, pair, depth, first, common_lo, common_hi, lo, hi):
    """The OR rule: add up to `depth` semi connections, from slot `first` on, to some with this union and intersection.

    Each must take something from what they have in common; where all those left together cannot, none is tried.
    """
    for slot in range(first, np.int64(s.semi_count[pair])):
        if (common_lo & s.or_rest[slot, 0]) | (common_hi & s.or_rest[slot, 1]) != NONE:
            return
        if (np.int64(s.semi_new[pair]) >> slot) & 1 != 0:
            continue
        semi_lo, semi_hi = s.semi[pair, slot, 0], s.semi[pair, slot, 1]
        less_lo, less_hi = common_lo & semi_lo, common_hi & semi_hi
        if less_lo == common_lo and less_hi == common_hi:
            continue
        if less_lo | less_hi == NONE:
            s.or_full[s.or_count, 0], s.or_full[s.or_count, 1] = lo | semi_lo, hi | semi_hi
            s.or_count += 1
            if s.or_count >= 64:
                return
        elif depth > 1:
            unite(s, pair, depth - 1, slot + 1, less_lo, less_hi, lo | semi_lo, hi | semi_hi)
            if s.or_count >= 64:
                return


@KERNELS.kernel("void(HexSolver, i64)")
def combine_semi(s, pair):
    """Apply the OR rule to the new semi connections of a pair."""
    one, other = np.int64(s.pair_ends[pair, 0]), np.int64(s.pair_ends[pair, 1])
    common_lo, common_hi = ALL, ALL
    for slot in range(np.int64(s.semi_count[pair]) - 1, -1, -1):
        common_lo &= s.semi[pair, slot, 0]
        common_hi &= s.semi[pair, slot, 1]
        s.or_rest[slot, 0], s.or_rest[slot, 1] = common_lo, common_hi
    if common_lo | common_hi != NONE:
        s.semi_new[pair] = 0
        return
    s.or_count = 0
    while s.semi_new[pair] != 0 and s.or_count < 64:
        slot = trailing_zeros(np.uint64(s.semi_new[pair]))
        lo, hi = s.semi[pair, slot, 0], s.semi[pair, slot, 1]
        unite(s, pair, OR_DEPTH - 1, 0, lo, hi, lo, hi)
        s.semi_new[pair] = np.int64(s.semi_new[pair]) & ~(1 << slot)
    s.semi_new[pair] = 0
    for index in range(s.or_count):
        add_full(s, one, other, s.or_full[index, 0], s.or_full[index, 1])


@KERNELS.kernel("void(HexSolver, i64)")
def add_neighbours(s, colour):
    """Forget all connections and begin with those of neighbours."""
    for pair in range(s.ends * (s.ends - 1) >> 1):
        s.full_count[pair] = 0
        s.full_new[pair] = 0
        s.semi_count[pair] = 0
        s.semi_new[pair] = 0
    s.full_head, s.full_length, s.semi_head, s.semi_length = 0, 0, 0, 0
    for end in range(s.ends):
        s.linked[end, 0], s.linked[end, 1] = NONE, NONE
        s.touching[end, 0], s.touching[end, 1] = NONE, NONE
    for end in range(2, s.ends):
        word = end >> 6
        if (s.stones[0, word] | s.stones[1, word]) & bit(end) != NONE:
            continue
        for edge in range(2):
            if s.edges[colour, edge, word] & bit(end) != NONE:
                add_full(s, end, edge, NONE, NONE)
        for part in range(2):
            around = s.near[end, part] & ~s.stones[1 - colour, part]
            while around != NONE:
                other = 64 * part + trailing_zeros(around)
                around &= around - ONE
                if s.stones[colour, part] & bit(other) != NONE:
                    other = np.int64(s.chain[other])
                add_full(s, end, other, NONE, NONE)


@KERNELS.kernel("void(HexSolver)")
def gather_semis(s):
    """Fill `must` with the cells common to all semi connections between the edges that are kept.

    `carrier` becomes the union of few of them that have no other cell in common either.
    """
    s.carrier[0], s.carrier[1] = NONE, NONE
    s.must[0] = s.board[0] & ~(s.stones[0, 0] | s.stones[1, 0])
    s.must[1] = s.board[1] & ~(s.stones[0, 1] | s.stones[1, 1])
    most = popcount(s.must[0]) + popcount(s.must[1])
    while most > 0:
        best, least = -1, most
        for slot in range(np.int64(s.semi_count[0])):
            left = popcount(s.must[0] & s.semi[0, slot, 0]) + popcount(s.must[1] & s.semi[0, slot, 1])
            if left < least:
                best, least = slot, left
        if best < 0:
            return
        most = least
        for word in range(2):
            s.must[word] &= s.semi[0, best, word]
            s.carrier[word] |= s.semi[0, best, word]


@KERNELS.kernel("i64(HexSolver, i64)")
def begin(s, colour):
    """Name the chains of a colour and connect neighbours; 1 where a chain joins both edges."""
    if find_chains(s, colour) != 0:
        return 1
    add_neighbours(s, colour)
    return 0


@KERNELS.kernel("void(HexSolver)")
def step(s):
    """Combine the new connections of one pair, full ones first."""
    if s.full_length > 0:
        pair = np.int64(s.full_queue[s.full_head])
        s.full_head = (s.full_head + 1) % PAIRS
        s.full_length -= 1
        combine_full(s, pair)
    else:
        pair = np.int64(s.semi_queue[s.semi_head])
        s.semi_head = (s.semi_head + 1) % PAIRS
        s.semi_length -= 1
        combine_semi(s, pair)


@KERNELS.export("i64(HexSolver, i64, i64)")
def connect(s, colour, moves_first):
    """CONNECTED where H-search finds that a colour connects its edges, moving first or second, else UNDECIDED.

    CONNECTED leaves the cells needed in `carrier` and, where the colour moves first, its move in `key_move`, or -1
    where any will do. UNDECIDED for a colour that moves second leaves its opponent's must-play region in `must` and the
    semi connections that bound it in `carrier`.
    """
    s.key_move = -1
    s.carrier[0], s.carrier[1] = NONE, NONE
    if find_chains(s, colour) != 0:
        return CONNECTED
    add_neighbours(s, colour)
    while s.full_length + s.semi_length > 0:
        step(s)
        if s.full_count[0] > 0:
            s.carrier[0], s.carrier[1] = s.full[0, 0, 0], s.full[0, 0, 1]
            return CONNECTED
        if moves_first != 0 and s.semi_count[0] > 0:
            s.carrier[0], s.carrier[1] = s.semi[0, 0, 0], s.semi[0, 0, 1]
            s.key_move = np.int64(s.semi_key[0, 0])
            return CONNECTED
    if moves_first != 0:
        return UNDECIDED
    gather_semis(s)
    return CONNECTED if s.must[0] | s.must[1] == NONE else UNDECIDED
