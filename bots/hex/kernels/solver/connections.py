"""Virtual connections: H-search on the solver's board (Anshelevich, "A hierarchical approach to computer Hex", 2002).

A full connection joins two cells, chains or edges even if the opponent moves first. A semi connection joins them if its
owner moves first; its key is the move that makes it a full one. The carrier of a connection is the set of empty cells
that it needs, with the key and without the two cells that it joins. Two rules build larger connections from smaller
ones, beginning with neighbours, whose carrier is empty. A bridge shows both (X stones, p and q empty):

      X       AND rule: X-p and p-X give a semi connection of the stones with key p, and X-q and q-X another with key q.
     p q      OR rule:  {p} and {q} have no cell in common, so together they are a full connection with carrier {p, q}.
      X

AND rule: full connections a-b and b-c with disjoint carriers make a connection a-c: a full one if b is a chain of
stones, a semi one with key b if b is empty. OR rule: semi connections of one pair whose carriers have no common cell
make a full connection. For each pair only connections with small carriers are kept, and none whose carrier contains
that of another.

    carriers[pair, slot]   | 0 ..... MAX_FULL - 1 | MAX_FULL ... MAX_FULL + MAX_SEMI - 1 |
                           | full connections     | semi connections (key: semi_key)     |
    queue[kind]            pairs with connections that no rule has used yet (bits of `pending[pair, kind]`)

`connect` is the entry point. Its result for the pair of a colour's two edges (pair 0) decides a position, or limits the
opponent to the must-play region: the common cells of all semi connections between the edges.

A kernel takes only numbers, so sets of cells are passed in the state: `new_carrier` is the carrier of the connection to
be added, `base_carrier` that of the connection to which others are joined.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import KERNELS, MAX_OR_RESULTS, OR_DEPTH
from bots.hex.kernels.solver.board import ALL_BITS, ONE, ZERO, bit, is_interrupted, pair_index
from bots.hex.notation import MAX_FULL, MAX_SEMI
from core.native.intrinsics import popcount, trailing_zeros

FULL, SEMI = 0, 1  # kinds of connections

# There are many pairs of empty cells, and they matter less, so fewer connections are kept for them, with smaller
# carriers. The limits were found by trial on openings of 7x7: larger ones needed as many nodes, but more time.
MAX_FULL_OF_EMPTY_PAIR, MAX_SEMI_OF_EMPTY_PAIR, MAX_CARRIER_OF_EMPTY_PAIR = 4, 8, 5
OR_STEPS_PER_WORK = 8  # steps of the OR rule that take about as long as one step of the AND rule
UNDECIDED, CONNECTED = 0, 1  # results of `connect`


@KERNELS.kernel("i64(HexSolver, i64)")
def find_chains(s, colour):
    """Set `chain_root` of every stone of a colour; return 1 if a chain joins both edges, else 0.

    The root of a chain is its first cell, or the edge (0 or 1) that it touches.
    """
    for word in range(s.all_cells.size):
        s.remaining[word] = s.stones[colour, word]
        s.chain_roots[word] = ZERO
    s.chain_roots[0] = np.uint64(3)  # the two edges
    for word in range(s.all_cells.size):
        while s.remaining[word] != ZERO:
            first = 64 * word + trailing_zeros(s.remaining[word])
            s.remaining[word] &= s.remaining[word] - ONE
            s.flood_list[0] = first
            count, done, at_start, at_end = 1, 0, 0, 0
            while done < count:  # flood fill
                cell = np.int64(s.flood_list[done])
                done += 1
                if s.edges[colour, 0, cell >> 6] & bit(cell) != ZERO:
                    at_start = 1
                if s.edges[colour, 1, cell >> 6] & bit(cell) != ZERO:
                    at_end = 1
                for direction in range(6):
                    other = np.int64(s.neighbour[cell, direction])
                    if other >= 2 and s.remaining[other >> 6] & bit(other) != ZERO:
                        s.remaining[other >> 6] ^= bit(other)
                        s.flood_list[count] = other
                        count += 1
            if at_start + at_end == 2:
                return 1
            root = 0 if at_start != 0 else (1 if at_end != 0 else first)
            s.chain_roots[root >> 6] |= bit(root)
            for index in range(count):
                s.chain_root[np.int64(s.flood_list[index])] = root
    return 0


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def are_both_empty(s, one, other):
    """Return 1 if both are empty cells, 0 if one of them is a chain or an edge."""
    return 1 if s.chain_roots[one >> 6] & bit(one) == ZERO and s.chain_roots[other >> 6] & bit(other) == ZERO else 0


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def carrier_size(s, pair, slot):
    """Return the number of cells of a stored carrier."""
    size = np.int64(0)
    for word in range(s.all_cells.size):
        size += popcount(s.carriers[pair, slot, word])
    return size


@KERNELS.kernel("i64(HexSolver)")
def new_carrier_size(s):
    """Return the number of cells of `new_carrier`."""
    size = np.int64(0)
    for word in range(s.all_cells.size):
        size += popcount(s.new_carrier[word])
    return size


@KERNELS.kernel("void(HexSolver, i64, i64, i64)")
def drop_connection(s, kind, pair, index):
    """Remove the connection number `index` of a kind; the last one of the pair takes its slot."""
    first = kind * MAX_FULL
    last = np.int64(s.connection_count[pair, kind]) - 1
    pending = np.int64(s.pending[pair, kind])
    last_is_pending = (pending >> last) & 1
    pending &= ~(1 << last)
    if index != last:
        for word in range(s.all_cells.size):
            s.carriers[pair, first + index, word] = s.carriers[pair, first + last, word]
        if kind == SEMI:
            s.semi_key[pair, index] = s.semi_key[pair, last]
        pending = (pending & ~(1 << index)) | (last_is_pending << index)
    s.pending[pair, kind] = pending
    s.connection_count[pair, kind] = last


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def has_smaller(s, kind, pair):
    """Return 1 if the carrier of a connection of this kind and pair is a subset of `new_carrier`."""
    first = kind * MAX_FULL
    for index in range(np.int64(s.connection_count[pair, kind])):
        outside = ZERO
        for word in range(s.all_cells.size):
            outside |= s.carriers[pair, first + index, word] & ~s.new_carrier[word]
        if outside == ZERO:
            return 1
    return 0


@KERNELS.kernel("void(HexSolver, i64, i64)")
def drop_larger(s, kind, pair):
    """Drop the connections of a kind and pair whose carrier is a superset of `new_carrier`."""
    first = kind * MAX_FULL
    index = 0
    while index < s.connection_count[pair, kind]:
        lacking = ZERO
        for word in range(s.all_cells.size):
            lacking |= s.new_carrier[word] & ~s.carriers[pair, first + index, word]
        if lacking == ZERO:
            drop_connection(s, kind, pair, index)
        else:
            index += 1


@KERNELS.kernel("i64(HexSolver, i64, i64, i64)")
def make_room(s, kind, pair, room):
    """Return 1 if `new_carrier` may be added, 0 if the pair has `room` connections that are all as small or smaller.

    The connection with the largest carrier is dropped if it is in the way.
    """
    count = np.int64(s.connection_count[pair, kind])
    if count < room:
        return 1
    largest, largest_size = 0, -1
    for index in range(count):
        size = carrier_size(s, pair, kind * MAX_FULL + index)
        if size > largest_size:
            largest, largest_size = index, size
    if new_carrier_size(s) >= largest_size:
        return 0
    drop_connection(s, kind, pair, largest)
    return 1


@KERNELS.kernel("void(HexSolver, i64, i64, i64, i64)")
def add_connection(s, kind, one, other, key):
    """Store the connection with `new_carrier` unless a better one is known, and drop those that it makes useless.

    `key` is the key of a semi connection; a full one has none.
    """
    s.work += 1
    pair = pair_index(one, other)
    both_empty, size = are_both_empty(s, one, other), new_carrier_size(s)
    # 1. is it worth keeping?
    if both_empty != 0 and size > MAX_CARRIER_OF_EMPTY_PAIR:
        return
    if has_smaller(s, FULL, pair) != 0 or (kind == SEMI and has_smaller(s, SEMI, pair) != 0):
        return
    drop_larger(s, kind, pair)
    if kind == FULL:
        room = MAX_FULL_OF_EMPTY_PAIR if both_empty != 0 else MAX_FULL
    else:
        room = MAX_SEMI_OF_EMPTY_PAIR if both_empty != 0 else MAX_SEMI
    if make_room(s, kind, pair, room) == 0:
        return
    # 2. store it
    if kind == FULL:
        drop_larger(s, SEMI, pair)
    index = np.int64(s.connection_count[pair, kind])
    for word in range(s.all_cells.size):
        s.carriers[pair, kind * MAX_FULL + index, word] = s.new_carrier[word]
    s.connection_count[pair, kind] = index + 1
    # 3. queue the pair, so that the rules use the connection
    if s.pending[pair, kind] == 0:
        s.queue[kind, (s.queue_head[kind] + s.queue_length[kind]) % s.queue.shape[1]] = pair
        s.queue_length[kind] += 1
    s.pending[pair, kind] = np.int64(s.pending[pair, kind]) | (1 << index)
    if kind == SEMI:
        s.semi_key[pair, index] = key
        return
    s.connected[one, other >> 6] |= bit(other)
    s.connected[other, one >> 6] |= bit(one)
    if size == 0:
        s.adjacent[one, other >> 6] |= bit(other)
        s.adjacent[other, one >> 6] |= bit(one)


@KERNELS.kernel("void(HexSolver, i64, i64)")
def apply_and_rule(s, middle, start):
    """AND rule: join the full connection from `start` to `middle` with every full connection from `middle` to a target.

    `base_carrier` is the carrier of the first one. Nothing is joined over an edge as the middle, which would find a
    fifth more connections and take six times as long.
    """
    if middle < 2:
        return
    is_stone = (s.chain_roots[middle >> 6] & bit(middle)) != ZERO
    start_word, start_bit = start >> 6, bit(start)
    used = np.int64(0) if is_stone else np.int64(1)
    for word in range(s.all_cells.size):
        used += popcount(s.base_carrier[word])
    s.base_carrier[start_word] |= start_bit  # the other connection may not pass through `start`
    for part in range(s.all_cells.size):
        targets = s.connected[middle, part] & ~s.base_carrier[part]
        while targets != ZERO:
            target = 64 * part + trailing_zeros(targets)
            targets &= targets - ONE
            max_size = MAX_CARRIER_OF_EMPTY_PAIR - used if are_both_empty(s, start, target) != 0 else s.cell_end
            if max_size < 0:
                continue
            pair = pair_index(middle, target)
            count = np.int64(s.connection_count[pair, FULL])
            s.work += count
            for index in range(count):
                shared, size = ZERO, np.int64(0)
                for word in range(s.all_cells.size):
                    shared |= s.carriers[pair, index, word] & s.base_carrier[word]
                    size += popcount(s.carriers[pair, index, word])
                if shared != ZERO or size > max_size:
                    continue
                for word in range(s.all_cells.size):
                    s.new_carrier[word] = s.base_carrier[word] | s.carriers[pair, index, word]
                s.new_carrier[start_word] ^= start_bit
                if is_stone:
                    add_connection(s, FULL, start, target, 0)
                else:
                    s.new_carrier[middle >> 6] |= bit(middle)
                    add_connection(s, SEMI, start, target, middle)
            if is_interrupted(s) != 0:
                return
    s.base_carrier[start_word] ^= start_bit


@KERNELS.kernel("void(HexSolver, i64)")
def combine_full(s, pair):
    """Apply the AND rule, over both cells of a pair, to its pending full connections."""
    one, other = np.int64(s.pair_cells[pair, 0]), np.int64(s.pair_cells[pair, 1])
    pending = np.int64(s.pending[pair, FULL])
    s.pending[pair, FULL] = 0
    index = 0
    while pending != 0:
        if pending & 1 != 0:
            for word in range(s.all_cells.size):
                s.base_carrier[word] = s.carriers[pair, index, word]
            apply_and_rule(s, one, other)
            apply_and_rule(s, other, one)
            if s.interrupted != 0:
                return
        pending >>= 1
        index += 1


@KERNELS.kernel("void(HexSolver, i64, i64, i64)")
def apply_or_rule(s, pair, level, first):
    """OR rule: extend a set of `level` + 1 semi connections by others of the pair, from number `first` on.

    `or_union[level]` and `or_common[level]` are the union and the intersection of the carriers in the set. The set
    becomes a full connection once the intersection is empty. It has at most OR_DEPTH members, and each must remove
    something from the intersection. The loop ends when all remaining connections together cannot make the intersection
    empty.
    """
    count = np.int64(s.connection_count[pair, SEMI])
    s.work += 1 + (count - first) // OR_STEPS_PER_WORK
    for index in range(first, count):
        stuck = ZERO
        for word in range(s.all_cells.size):
            stuck |= s.or_common[level, word] & s.or_suffix_common[index, word]
        if stuck != ZERO:
            return
        if (np.int64(s.pending[pair, SEMI]) >> index) & 1 != 0:
            continue
        common, removed = ZERO, ZERO
        for word in range(s.all_cells.size):
            kept = s.or_common[level, word] & s.carriers[pair, MAX_FULL + index, word]
            common |= kept
            removed |= kept ^ s.or_common[level, word]
            s.or_common[level + 1, word] = kept
            s.or_union[level + 1, word] = s.or_union[level, word] | s.carriers[pair, MAX_FULL + index, word]
        if removed == ZERO:
            continue
        if common == ZERO:
            for word in range(s.all_cells.size):
                s.or_results[s.or_result_count, word] = s.or_union[level + 1, word]
            s.or_result_count += 1
            if s.or_result_count >= MAX_OR_RESULTS:
                return
        elif level + 2 < OR_DEPTH:
            apply_or_rule(s, pair, level + 1, index + 1)
            if s.or_result_count >= MAX_OR_RESULTS:
                return


@KERNELS.kernel("i64(HexSolver, i64)")
def intersect_suffixes(s, pair):
    """Fill `or_suffix_common[i]` with the intersection of the semi carriers from number i on.

    Return 1 if the intersection of all is empty, 0 if it is not or if the pair has no semi connection.
    """
    last = np.int64(s.connection_count[pair, SEMI]) - 1
    if last < 0:
        return 0
    common = ZERO
    for word in range(s.all_cells.size):
        suffix = ALL_BITS
        for index in range(last, -1, -1):
            suffix &= s.carriers[pair, MAX_FULL + index, word]
            s.or_suffix_common[index, word] = suffix
        common |= suffix
    return 1 if common == ZERO else 0


@KERNELS.kernel("void(HexSolver, i64)")
def combine_semi(s, pair):
    """Apply the OR rule to the pending semi connections of a pair and add the full connections that it finds."""
    one, other = np.int64(s.pair_cells[pair, 0]), np.int64(s.pair_cells[pair, 1])
    if intersect_suffixes(s, pair) == 0:
        s.pending[pair, SEMI] = 0
        return
    s.or_result_count = 0
    while s.pending[pair, SEMI] != 0 and s.or_result_count < MAX_OR_RESULTS:
        index = trailing_zeros(np.uint64(s.pending[pair, SEMI]))
        for word in range(s.all_cells.size):
            s.or_common[0, word] = s.carriers[pair, MAX_FULL + index, word]
            s.or_union[0, word] = s.carriers[pair, MAX_FULL + index, word]
        apply_or_rule(s, pair, 0, 0)
        s.pending[pair, SEMI] = np.int64(s.pending[pair, SEMI]) & ~(1 << index)
        if is_interrupted(s) != 0:
            return
    s.pending[pair, SEMI] = 0
    for result in range(s.or_result_count):
        for word in range(s.all_cells.size):
            s.new_carrier[word] = s.or_results[result, word]
        add_connection(s, FULL, one, other, 0)


@KERNELS.kernel("void(HexSolver, i64)")
def add_neighbours(s, colour):
    """Remove all connections and add those between neighbours. If `interrupted` is set, some are missing."""
    for pair in range(s.cell_end * (s.cell_end - 1) >> 1):
        for kind in range(2):
            s.connection_count[pair, kind] = 0
            s.pending[pair, kind] = 0
    for kind in range(2):
        s.queue_head[kind], s.queue_length[kind] = 0, 0
    for word in range(s.all_cells.size):
        s.new_carrier[word] = ZERO
    for cell in range(s.cell_end):
        for word in range(s.all_cells.size):
            s.connected[cell, word], s.adjacent[cell, word] = ZERO, ZERO
    for cell in range(2, s.cell_end):
        word = cell >> 6
        if (s.stones[0, word] | s.stones[1, word]) & bit(cell) != ZERO:
            continue
        for edge in range(2):
            if s.edges[colour, edge, word] & bit(cell) != ZERO:
                add_connection(s, FULL, cell, edge, 0)
        for part in range(s.all_cells.size):
            around = s.neighbour_set[cell, part] & ~s.stones[1 - colour, part]
            while around != ZERO:
                other = 64 * part + trailing_zeros(around)
                around &= around - ONE
                if s.stones[colour, part] & bit(other) != ZERO:
                    other = np.int64(s.chain_root[other])
                add_connection(s, FULL, cell, other, 0)
        if is_interrupted(s) != 0:  # slow in a new solver: every connection touches a page of memory for the first time
            return


@KERNELS.kernel("i64(HexSolver)")
def intersect_semis(s):
    """Fill `mustplay` with the common cells of all semi connections between the edges; return their number.

    `carrier` becomes the union of a few of them with the same intersection, chosen greedily.
    """
    size = np.int64(0)
    for word in range(s.all_cells.size):
        s.carrier[word] = ZERO
        s.mustplay[word] = s.all_cells[word] & ~(s.stones[0, word] | s.stones[1, word])
        size += popcount(s.mustplay[word])
    while size > 0:
        best, best_size = -1, size
        for index in range(np.int64(s.connection_count[0, SEMI])):
            remaining = np.int64(0)
            for word in range(s.all_cells.size):
                remaining += popcount(s.mustplay[word] & s.carriers[0, MAX_FULL + index, word])
            if remaining < best_size:
                best, best_size = index, remaining
        if best < 0:
            return size
        size = best_size
        for word in range(s.all_cells.size):
            s.mustplay[word] &= s.carriers[0, MAX_FULL + best, word]
            s.carrier[word] |= s.carriers[0, MAX_FULL + best, word]
    return size


@KERNELS.kernel("i64(HexSolver, i64)")
def init_connections(s, colour):
    """Find the chains of a colour and connect neighbours; return 1 if a chain already joins both edges."""
    if find_chains(s, colour) != 0:
        return 1
    add_neighbours(s, colour)
    return 0


@KERNELS.kernel("void(HexSolver)")
def process_next_pair(s):
    """Take the next pair from the queues and combine its pending connections. Full connections come first."""
    kind = FULL if s.queue_length[FULL] > 0 else SEMI
    pair = np.int64(s.queue[kind, s.queue_head[kind]])
    s.queue_head[kind] = (s.queue_head[kind] + 1) % s.queue.shape[1]
    s.queue_length[kind] -= 1
    if kind == FULL:
        combine_full(s, pair)
    else:
        combine_semi(s, pair)


@KERNELS.kernel("void(HexSolver, i64)")
def clear_carrier(s, key_move):
    """Empty `carrier` and set `key_move`."""
    s.key_move = key_move
    for word in range(s.all_cells.size):
        s.carrier[word] = ZERO


@KERNELS.kernel("void(HexSolver, i64)")
def take_carrier(s, slot):
    """Copy the carrier of a connection between the edges to `carrier`."""
    for word in range(s.all_cells.size):
        s.carrier[word] = s.carriers[0, slot, word]


@KERNELS.export("i64(HexSolver, i64, i64)")
def connect(s, colour, moves_first):
    """Run H-search for a colour that moves first (1) or second (0): CONNECTED if it can join its edges, else UNDECIDED.

    After CONNECTED, `carrier` has the cells that the connection needs. If the colour moves first, `key_move` is its
    move, or -1 if any move will do. After UNDECIDED for a colour that moves second, `mustplay` is the must-play region
    of its opponent and `carrier` the union of the semi connections that prove it. If `interrupted` is set, the search
    was stopped, and UNDECIDED means nothing.
    """
    clear_carrier(s, -1)
    s.interrupted = 0
    if init_connections(s, colour) != 0:
        return CONNECTED
    while s.queue_length[FULL] + s.queue_length[SEMI] > 0 and s.interrupted == 0:
        process_next_pair(s)
        if s.interrupted != 0:
            break
        if s.connection_count[0, FULL] > 0:
            take_carrier(s, 0)
            return CONNECTED
        if moves_first != 0 and s.connection_count[0, SEMI] > 0:
            take_carrier(s, MAX_FULL)
            s.key_move = np.int64(s.semi_key[0, 0])
            return CONNECTED
    if moves_first != 0 or s.interrupted != 0:
        return UNDECIDED
    return CONNECTED if intersect_semis(s) == 0 else UNDECIDED
