"""The solver's table of proofs: what is known of a position, found again however the board lies.

An array of entries of 16 words, four to a bucket:
key | phi, delta | moves 2 | carrier 2 | best move, number of ordered moves | nodes spent | ordered moves 8
A position and the same turned by half a circle share an entry, which is in the orientation of the smaller hash. Entries
are of several words without a check: one thread has the table for itself.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import KERNELS, ORDERED
from bots.hex.kernels.solver.board import NONE, ONE, bit, first_end, turned_end

ENTRY_WORDS, BUCKET_ENTRIES = 16, 4
BUCKET_WORDS = ENTRY_WORDS * BUCKET_ENTRIES
WHITE_TO_MOVE = np.uint64(0x3A8B05F9C64D17E3)


@KERNELS.kernel("i64(HexSolver)")
def is_turned(s):
    """1 where the table has the position turned by half a circle."""
    return 1 if s.turned_hash < s.hash else 0


@KERNELS.kernel("u64(HexSolver, i64)")
def node_key(s, side):
    """Key of the position with a side to move, the same however the board lies; never 0."""
    key = s.turned_hash if is_turned(s) != 0 else s.hash
    return (key ^ WHITE_TO_MOVE if side == 1 else key) | ONE


@KERNELS.kernel("i64(HexSolver, u64[], u64)")
def find_entry(s, table, key):
    """Index of a key's entry, or -1."""
    bucket = np.int64(key % np.uint64(table.size // BUCKET_WORDS)) * BUCKET_WORDS
    for slot in range(BUCKET_ENTRIES):
        if table[bucket + slot * ENTRY_WORDS] == key:
            return bucket + slot * ENTRY_WORDS
    return -1


@KERNELS.kernel("i64(u64[], i64)")
def entry_phi(table, entry):
    return np.int64(table[entry + 1] & np.uint64(0xFFFFFFFF))


@KERNELS.kernel("i64(u64[], i64)")
def entry_delta(table, entry):
    return np.int64(table[entry + 1] >> np.uint64(32))


@KERNELS.kernel("void(HexSolver, u64, u64, i64)")
def read_set(s, lo, hi, turn):
    """Put a set of cells into `set`, turned by half a circle where asked."""
    if turn == 0:
        s.set[0], s.set[1] = lo, hi
        return
    s.set[0], s.set[1] = NONE, NONE
    while lo | hi != NONE:
        end = first_end(lo, hi)
        if end < 64:
            lo &= lo - ONE
        else:
            hi &= hi - ONE
        end = turned_end(s, end)
        s.set[end >> 6] |= bit(end)


@KERNELS.kernel("void(HexSolver, u64[], i64, i64)")
def store_node(s, table, ply, side):
    """Write the node of a ply over the entry of the same key, or over the one of its bucket with least work."""
    key = node_key(s, side)
    turn = is_turned(s)
    entry = find_entry(s, table, key)
    if entry < 0:
        bucket = np.int64(key % np.uint64(table.size // BUCKET_WORDS)) * BUCKET_WORDS
        entry = bucket
        for slot in range(1, BUCKET_ENTRIES):
            if table[bucket + slot * ENTRY_WORDS + 7] < table[entry + 7]:
                entry = bucket + slot * ENTRY_WORDS
    best = s.node_best[ply]
    if turn != 0 and best != 0:
        best = turned_end(s, best)
    table[entry] = key
    table[entry + 1] = np.uint64(s.phi[ply]) | (np.uint64(s.delta[ply]) << np.uint64(32))
    read_set(s, s.node_moves[ply, 0], s.node_moves[ply, 1], turn)
    table[entry + 2], table[entry + 3] = s.set[0], s.set[1]
    read_set(s, s.node_carrier[ply, 0], s.node_carrier[ply, 1], turn)
    table[entry + 4], table[entry + 5] = s.set[0], s.set[1]
    table[entry + 6] = np.uint64(best | (s.order_count[ply] << 8))
    table[entry + 7] = np.uint64(s.node_work[ply])
    for word in range(ORDERED // 8):
        packed = NONE
        for place in range(8):
            move = np.int64(s.order[ply, 8 * word + place])
            if turn != 0:
                move = turned_end(s, move) & 255
            packed |= np.uint64(move) << np.uint64(8 * place)
        table[entry + 8 + word] = packed


@KERNELS.kernel("void(HexSolver, u64[], i64, i64)")
def load_node(s, table, entry, ply):
    """Read an entry of the present position into a ply."""
    turn = is_turned(s)
    s.phi[ply], s.delta[ply] = entry_phi(table, entry), entry_delta(table, entry)
    read_set(s, table[entry + 2], table[entry + 3], turn)
    s.node_moves[ply, 0], s.node_moves[ply, 1] = s.set[0], s.set[1]
    read_set(s, table[entry + 4], table[entry + 5], turn)
    s.node_carrier[ply, 0], s.node_carrier[ply, 1] = s.set[0], s.set[1]
    best = np.int64(table[entry + 6]) & 255
    s.node_best[ply] = turned_end(s, best) if turn != 0 and best != 0 else best
    s.order_count[ply] = np.int64(table[entry + 6]) >> 8
    s.node_work[ply] = np.int64(table[entry + 7])
    for word in range(ORDERED // 8):
        packed = table[entry + 8 + word]
        for place in range(8):
            move = np.int64((packed >> np.uint64(8 * place)) & np.uint64(255))
            s.order[ply, 8 * word + place] = turned_end(s, move) & 255 if turn != 0 else move
