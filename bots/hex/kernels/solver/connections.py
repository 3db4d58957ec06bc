"""Virtual connections: H-search over the solver's board (Anshelevich, "A hierarchical approach to computer Hex", 2002).

A full connection joins two ends even where the opponent moves first, a semi connection where its owner does; the key is
the move that makes it full. The carrier is the set of empty cells that it needs, the key among them, the ends not. Two
rules build them up from neighbours, whose carrier is empty:

AND: full connections a-b and b-c with carriers that share no cell make a full one a-c where b is a chain of stones, and
a semi one with key b where b is empty. OR: semi connections of one pair whose carriers have no cell in common make a
full one. Of a pair only the smallest carriers are kept, and none that contains another.

`connect` gives, for a colour that is to move, a winning semi connection between its edges, and for one that is not, a
full one or the must-play region of its opponent: the cells common to all of its semi connections between the edges.

A set of cells that a kernel is given lies in the state, as a kernel takes numbers alone: the connection that is to be
kept in `new`, the one that others are joined to in `base`.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import KERNELS, MAX_FULL, MAX_SEMI, MAX_UNITED, OR_DEPTH
from bots.hex.kernels.solver.board import ALL, NONE, ONE, bit, is_late, pair_of
from core.native.intrinsics import popcount, trailing_zeros

# Pairs of empty cells are many and matter less: connections kept for each, and the most cells of their carriers. The
# three were tried on openings of 7x7; larger ones solved them with as many nodes, but slower.
LOOSE_FULL, LOOSE_SEMI, LOOSE_CELLS = 4, 8, 5
UNITED_PER_WORK = 8  # semi connections that the OR rule tries in about the time in which the AND rule tries one
UNDECIDED, CONNECTED = 0, 1


@KERNELS.kernel("i64(HexSolver, i64)")
def find_chains(s, colour):
    """Give every stone of a colour the end of its chain; 1 where one joins both edges, else 0."""
    for word in range(s.board.size):
        s.left[word] = s.stones[colour, word]
        s.solid[word] = NONE
    s.solid[0] = np.uint64(3)
    for word in range(s.board.size):
        while s.left[word] != NONE:
            first = 64 * word + trailing_zeros(s.left[word])
            s.left[word] &= s.left[word] - ONE
            s.group[0] = first
            count, done, at_start, at_end = 1, 0, 0, 0
            while done < count:
                end = np.int64(s.group[done])
                done += 1
                if s.edges[colour, 0, end >> 6] & bit(end) != NONE:
                    at_start = 1
                if s.edges[colour, 1, end >> 6] & bit(end) != NONE:
                    at_end = 1
                for direction in range(6):
                    other = np.int64(s.ring[end, direction])
                    if other >= 2 and s.left[other >> 6] & bit(other) != NONE:
                        s.left[other >> 6] ^= bit(other)
                        s.group[count] = other
                        count += 1
            if at_start + at_end == 2:
                return 1
            name = 0 if at_start != 0 else (1 if at_end != 0 else first)
            s.solid[name >> 6] |= bit(name)
            for place in range(count):
                s.chain[np.int64(s.group[place])] = name
    return 0


@KERNELS.kernel("void(HexSolver, i64, i64)")
def drop_full(s, pair, slot):
    """Remove a full connection; the last of the pair takes its slot."""
    last = np.int64(s.full_count[pair]) - 1
    new = np.int64(s.full_new[pair])
    moved = (new >> last) & 1
    new &= ~(1 << last)
    if slot != last:
        for word in range(s.board.size):
            s.full[pair, slot, word] = s.full[pair, last, word]
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
        for word in range(s.board.size):
            s.semi[pair, slot, word] = s.semi[pair, last, word]
        s.semi_key[pair, slot] = s.semi_key[pair, last]
        new = (new & ~(1 << slot)) | (moved << slot)
    s.semi_new[pair] = new
    s.semi_count[pair] = last


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def is_loose(s, one, other):
    """1 where both ends are empty cells."""
    return 1 if (s.solid[one >> 6] & bit(one)) == NONE and (s.solid[other >> 6] & bit(other)) == NONE else 0


@KERNELS.kernel("i64(HexSolver)")
def new_size(s):
    """Cells of the carrier in `new`."""
    size = np.int64(0)
    for word in range(s.board.size):
        size += popcount(s.new[word])
    return size


@KERNELS.kernel("i64(HexSolver, i64)")
def has_full_within(s, pair):
    """1 where a full connection of a pair needs no cell outside `new`."""
    for slot in range(np.int64(s.full_count[pair])):
        outside = NONE
        for word in range(s.board.size):
            outside |= s.full[pair, slot, word] & ~s.new[word]
        if outside == NONE:
            return 1
    return 0


@KERNELS.kernel("void(HexSolver, i64)")
def drop_wider_semis(s, pair):
    """Drop the semi connections of a pair that have all cells of `new`."""
    slot = 0
    while slot < s.semi_count[pair]:
        lacking = NONE
        for word in range(s.board.size):
            lacking |= s.new[word] & ~s.semi[pair, slot, word]
        if lacking == NONE:
            drop_semi(s, pair, slot)
        else:
            slot += 1


@KERNELS.kernel("void(HexSolver, i64, i64)")
def add_full(s, one, other):
    """Keep the full connection `new` unless a better one is known; drop those that it makes useless."""
    s.work += 1
    pair = pair_of(one, other)
    loose, size = is_loose(s, one, other), new_size(s)
    if (loose != 0 and size > LOOSE_CELLS) or has_full_within(s, pair) != 0:
        return
    slot = 0
    while slot < s.full_count[pair]:
        lacking = NONE
        for word in range(s.board.size):
            lacking |= s.new[word] & ~s.full[pair, slot, word]
        if lacking == NONE:
            drop_full(s, pair, slot)
        else:
            slot += 1
    room = LOOSE_FULL if loose != 0 else MAX_FULL
    if s.full_count[pair] >= room:
        worst, most = 0, -1
        for other_slot in range(np.int64(s.full_count[pair])):
            cells = np.int64(0)
            for word in range(s.board.size):
                cells += popcount(s.full[pair, other_slot, word])
            if cells > most:
                worst, most = other_slot, cells
        if size >= most:
            return
        drop_full(s, pair, worst)
    drop_wider_semis(s, pair)
    slot = np.int64(s.full_count[pair])
    for word in range(s.board.size):
        s.full[pair, slot, word] = s.new[word]
    s.full_count[pair] = slot + 1
    if s.full_new[pair] == 0:
        s.full_queue[(s.full_head + s.full_length) % s.full_queue.size] = pair
        s.full_length += 1
    s.full_new[pair] = np.int64(s.full_new[pair]) | (1 << slot)
    s.linked[one, other >> 6] |= bit(other)
    s.linked[other, one >> 6] |= bit(one)
    if size == 0:
        s.touching[one, other >> 6] |= bit(other)
        s.touching[other, one >> 6] |= bit(one)


@KERNELS.kernel("void(HexSolver, i64, i64, i64)")
def add_semi(s, one, other, key):
    """Keep the semi connection `new` unless a better one is known; drop those that it makes useless."""
    s.work += 1
    pair = pair_of(one, other)
    loose, size = is_loose(s, one, other), new_size(s)
    if (loose != 0 and size > LOOSE_CELLS) or has_full_within(s, pair) != 0:
        return
    for slot in range(np.int64(s.semi_count[pair])):
        outside = NONE
        for word in range(s.board.size):
            outside |= s.semi[pair, slot, word] & ~s.new[word]
        if outside == NONE:
            return
    drop_wider_semis(s, pair)
    room = LOOSE_SEMI if loose != 0 else MAX_SEMI
    if s.semi_count[pair] >= room:
        worst, most = 0, -1
        for other_slot in range(np.int64(s.semi_count[pair])):
            cells = np.int64(0)
            for word in range(s.board.size):
                cells += popcount(s.semi[pair, other_slot, word])
            if cells > most:
                worst, most = other_slot, cells
        if size >= most:
            return
        drop_semi(s, pair, worst)
    slot = np.int64(s.semi_count[pair])
    for word in range(s.board.size):
        s.semi[pair, slot, word] = s.new[word]
    s.semi_key[pair, slot] = key
    s.semi_count[pair] = slot + 1
    if s.semi_new[pair] == 0:
        s.semi_queue[(s.semi_head + s.semi_length) % s.semi_queue.size] = pair
        s.semi_length += 1
    s.semi_new[pair] = np.int64(s.semi_new[pair]) | (1 << slot)


@KERNELS.kernel("void(HexSolver, i64, i64)")
def join_over(s, middle, end):
    """The AND rule: combine the full connection `base` between `end` and `middle` with those of `middle` to all others.

    Over edges nothing is joined: it finds a fifth more and takes six times as long.
    """
    if middle < 2:
        return
    is_stone = (s.solid[middle >> 6] & bit(middle)) != NONE
    end_word, end_bit = end >> 6, bit(end)
    used = np.int64(0) if is_stone else np.int64(1)
    for word in range(s.board.size):
        used += popcount(s.base[word])
    s.base[end_word] |= end_bit  # what is joined to it may not pass through its end
    for part in range(s.board.size):
        targets = s.linked[middle, part] & ~s.base[part]
        while targets != NONE:
            target = 64 * part + trailing_zeros(targets)
            targets &= targets - ONE
            room = LOOSE_CELLS - used if is_loose(s, end, target) != 0 else s.ends
            if room < 0:
                continue
            pair = pair_of(middle, target)
            count = np.int64(s.full_count[pair])
            s.work += count
            for slot in range(count):
                shared, size = NONE, np.int64(0)
                for word in range(s.board.size):
                    shared |= s.full[pair, slot, word] & s.base[word]
                    size += popcount(s.full[pair, slot, word])
                if shared != NONE or size > room:
                    continue
                for word in range(s.board.size):
                    s.new[word] = s.base[word] | s.full[pair, slot, word]
                s.new[end_word] ^= end_bit
                if is_stone:
                    add_full(s, end, target)
                else:
                    s.new[middle >> 6] |= bit(middle)
                    add_semi(s, end, target, middle)
            if is_late(s) != 0:
                return
    s.base[end_word] ^= end_bit


@KERNELS.kernel("void(HexSolver, i64)")
def combine_full(s, pair):
    """Apply the AND rule to the new full connections of a pair."""
    one, other = np.int64(s.pair_ends[pair, 0]), np.int64(s.pair_ends[pair, 1])
    new = np.int64(s.full_new[pair])
    s.full_new[pair] = 0
    slot = 0
    while new != 0:
        if new & 1 != 0:
            for word in range(s.board.size):
                s.base[word] = s.full[pair, slot, word]
            join_over(s, one, other)
            join_over(s, other, one)
            if s.late != 0:
                return
        new >>= 1
        slot += 1


@KERNELS.kernel("void(HexSolver, i64, i64, i64)")
def unite(s, pair, level, first):
    """The OR rule: add semi connections, from slot `first` on, to `level` + 1 whose union and intersection are known.

    At most OR_DEPTH are united. Each must take something from what they have in common; where all those left together
    cannot, none is tried.
    """
    count = np.int64(s.semi_count[pair])
    s.work += 1 + (count - first) // UNITED_PER_WORK
    for slot in range(first, count):
        stuck = NONE
        for word in range(s.board.size):
            stuck |= s.or_common[level, word] & s.or_rest[slot, word]
        if stuck != NONE:
            return
        if (np.int64(s.semi_new[pair]) >> slot) & 1 != 0:
            continue
        common, lost = NONE, NONE
        for word in range(s.board.size):
            kept = s.or_common[level, word] & s.semi[pair, slot, word]
            common |= kept
            lost |= kept ^ s.or_common[level, word]
            s.or_common[level + 1, word] = kept
            s.or_union[level + 1, word] = s.or_union[level, word] | s.semi[pair, slot, word]
        if lost == NONE:
            continue
        if common == NONE:
            for word in range(s.board.size):
                s.or_full[s.or_count, word] = s.or_union[level + 1, word]
            s.or_count += 1
            if s.or_count >= MAX_UNITED:
                return
        elif level + 2 < OR_DEPTH:
            unite(s, pair, level + 1, slot + 1)
            if s.or_count >= MAX_UNITED:
                return


@KERNELS.kernel("i64(HexSolver, i64)")
def gather_rests(s, pair):
    """Fill `or_rest`; 1 where the semi connections of a pair have no cell that is common to all."""
    last = np.int64(s.semi_count[pair]) - 1
    if last < 0:
        return 0
    common = NONE
    for word in range(s.board.size):
        rest = ALL
        for slot in range(last, -1, -1):
            rest &= s.semi[pair, slot, word]
            s.or_rest[slot, word] = rest
        common |= rest
    return 1 if common == NONE else 0


@KERNELS.kernel("void(HexSolver, i64)")
def combine_semi(s, pair):
    """Apply the OR rule to the new semi connections of a pair."""
    one, other = np.int64(s.pair_ends[pair, 0]), np.int64(s.pair_ends[pair, 1])
    if gather_rests(s, pair) == 0:
        s.semi_new[pair] = 0
        return
    s.or_count = 0
    while s.semi_new[pair] != 0 and s.or_count < MAX_UNITED:
        slot = trailing_zeros(np.uint64(s.semi_new[pair]))
        for word in range(s.board.size):
            s.or_common[0, word] = s.semi[pair, slot, word]
            s.or_union[0, word] = s.semi[pair, slot, word]
        unite(s, pair, 0, 0)
        s.semi_new[pair] = np.int64(s.semi_new[pair]) & ~(1 << slot)
        if is_late(s) != 0:
            return
    s.semi_new[pair] = 0
    for index in range(s.or_count):
        for word in range(s.board.size):
            s.new[word] = s.or_full[index, word]
        add_full(s, one, other)


@KERNELS.kernel("void(HexSolver, i64)")
def add_neighbours(s, colour):
    """Forget all connections and begin with those of neighbours; with `late` set, some are missing."""
    for pair in range(s.ends * (s.ends - 1) >> 1):
        s.full_count[pair] = 0
        s.full_new[pair] = 0
        s.semi_count[pair] = 0
        s.semi_new[pair] = 0
    s.full_head, s.full_length, s.semi_head, s.semi_length = 0, 0, 0, 0
    for word in range(s.board.size):
        s.new[word] = NONE
    for end in range(s.ends):
        for word in range(s.board.size):
            s.linked[end, word], s.touching[end, word] = NONE, NONE
    for end in range(2, s.ends):
        word = end >> 6
        if (s.stones[0, word] | s.stones[1, word]) & bit(end) != NONE:
            continue
        for edge in range(2):
            if s.edges[colour, edge, word] & bit(end) != NONE:
                add_full(s, end, edge)
        for part in range(s.board.size):
            around = s.near[end, part] & ~s.stones[1 - colour, part]
            while around != NONE:
                other = 64 * part + trailing_zeros(around)
                around &= around - ONE
                if s.stones[colour, part] & bit(other) != NONE:
                    other = np.int64(s.chain[other])
                add_full(s, end, other)
        if is_late(s) != 0:  # in a new solver each touches a page of memory for the first time
            return


@KERNELS.kernel("i64(HexSolver)")
def gather_semis(s):
    """Fill `must` with the cells common to all semi connections between the edges that are kept; their number.

    `carrier` becomes the union of few of them that have no other cell in common either.
    """
    most = np.int64(0)
    for word in range(s.board.size):
        s.carrier[word] = NONE
        s.must[word] = s.board[word] & ~(s.stones[0, word] | s.stones[1, word])
        most += popcount(s.must[word])
    while most > 0:
        best, least = -1, most
        for slot in range(np.int64(s.semi_count[0])):
            left = np.int64(0)
            for word in range(s.board.size):
                left += popcount(s.must[word] & s.semi[0, slot, word])
            if left < least:
                best, least = slot, left
        if best < 0:
            return most
        most = least
        for word in range(s.board.size):
            s.must[word] &= s.semi[0, best, word]
            s.carrier[word] |= s.semi[0, best, word]
    return most


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
        s.full_head = (s.full_head + 1) % s.full_queue.size
        s.full_length -= 1
        combine_full(s, pair)
    else:
        pair = np.int64(s.semi_queue[s.semi_head])
        s.semi_head = (s.semi_head + 1) % s.semi_queue.size
        s.semi_length -= 1
        combine_semi(s, pair)


@KERNELS.kernel("void(HexSolver, i64)")
def empty_carrier(s, key):
    """No cell in `carrier`, and a key move."""
    s.key_move = key
    for word in range(s.board.size):
        s.carrier[word] = NONE


@KERNELS.export("i64(HexSolver, i64, i64)")
def connect(s, colour, moves_first):
    """CONNECTED where H-search finds that a colour connects its edges, moving first or second, else UNDECIDED.

    CONNECTED leaves the cells needed in `carrier` and, where the colour moves first, its move in `key_move`, or -1
    where any will do. UNDECIDED for a colour that moves second leaves its opponent's must-play region in `must` and the
    semi connections that bound it in `carrier`. UNDECIDED with `late` set tells nothing: time or patience have ended.
    """
    empty_carrier(s, -1)
    s.late = 0
    if begin(s, colour) != 0:
        return CONNECTED
    while s.full_length + s.semi_length > 0 and s.late == 0:
        step(s)
        if s.late != 0:
            break
        if s.full_count[0] > 0:
            for word in range(s.board.size):
                s.carrier[word] = s.full[0, 0, word]
            return CONNECTED
        if moves_first != 0 and s.semi_count[0] > 0:
            for word in range(s.board.size):
                s.carrier[word] = s.semi[0, 0, word]
            s.key_move = np.int64(s.semi_key[0, 0])
            return CONNECTED
    if moves_first != 0 or s.late != 0:
        return UNDECIDED
    return CONNECTED if gather_semis(s) == 0 else UNDECIDED
