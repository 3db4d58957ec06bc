"""The solver's table of proofs: what is known of a position, found again however the board lies.

An array of entries, four to a bucket; 16 words each for sets of two words:
key | phi, delta | best move, number of ordered moves | nodes spent | moves | carrier | ordered moves
A position and the same turned by half a circle share an entry, which is in the orientation of the smaller hash. Entries
are of several words without a check: one thread has the table for itself.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import KERNELS, ORDERED
from bots.hex.kernels.solver.board import NONE, ONE, bit, turned_end
from core.native.intrinsics import trailing_zeros

BUCKET_ENTRIES = 4
NUMBERS, BEST, WORK, MOVES = 1, 2, 3, 4  # words of an entry after its key
LOW_HALF = np.uint64(0xFFFFFFFF)
WHITE_TO_MOVE = np.uint64(0x3A8B05F9C64D17E3)


@KERNELS.kernel("i64(HexSolver)")
def move_bits(s):
    """Bits of an ordered move: the ends of sets of up to four words fit into eight."""
    return 8 if s.board.size <= 4 else 16


@KERNELS.kernel("i64(HexSolver)")
def entry_words(s):
    """Words of an entry."""
    return MOVES + 2 * s.board.size + ORDERED * move_bits(s) // 64


@KERNELS.kernel("i64(HexSolver, i64)")
def carrier_place(s, entry):
    """Place of an entry's carrier in the table."""
    return entry + MOVES + s.board.size


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
def find_bucket(s, table, key):
    """Index of the bucket of a key."""
    words = entry_words(s) * BUCKET_ENTRIES
    return np.int64(key % np.uint64(table.size // words)) * words


@KERNELS.kernel("i64(HexSolver, u64[], u64)")
def find_entry(s, table, key):
    """Index of a key's entry, or -1."""
    bucket = find_bucket(s, table, key)
    for slot in range(BUCKET_ENTRIES):
        if table[bucket + slot * entry_words(s)] == key:
            return bucket + slot * entry_words(s)
    return -1


@KERNELS.kernel("i64(u64[], i64)")
def entry_phi(table, entry):
    """Proof number of an entry."""
    return np.int64(table[entry + NUMBERS] & LOW_HALF)


@KERNELS.kernel("i64(u64[], i64)")
def entry_delta(table, entry):
    """Disproof number of an entry."""
    return np.int64(table[entry + NUMBERS] >> np.uint64(32))


@KERNELS.kernel("i64(u64[], i64)")
def entry_work(table, entry):
    """Nodes spent below an entry's node."""
    return np.int64(table[entry + WORK])


@KERNELS.kernel("void(HexSolver, i64)")
def turn_set(s, turn):
    """Turn `set` by half a circle where asked."""
    if turn == 0:
        return
    for word in range(s.board.size):
        s.left[word], s.set[word] = s.set[word], NONE
    for word in range(s.board.size):
        bits = s.left[word]
        while bits != NONE:
            end = turned_end(s, 64 * word + trailing_zeros(bits))
            bits &= bits - ONE
            s.set[end >> 6] |= bit(end)


@KERNELS.kernel("void(HexSolver, u64[], i64, i64)")
def read_set(s, table, place, turn):
    """Read a set of cells of the table into `set`, turned by half a circle where asked."""
    for word in range(s.board.size):
        s.set[word] = table[place + word]
    turn_set(s, turn)


@KERNELS.kernel("void(HexSolver, u64[], i64, i64)")
def write_set(s, table, place, turn):
    """Write `set` into the table, turned by half a circle where asked."""
    turn_set(s, turn)
    for word in range(s.board.size):
        table[place + word] = s.set[word]


@KERNELS.kernel("void(HexSolver, u64[], i64, i64)")
def store_node(s, table, ply, side):
    """Write the node of a ply over the entry of the same key, or over the one of its bucket with least work."""
    key = node_key(s, side)
    turn = is_turned(s)
    entry = find_entry(s, table, key)
    if entry < 0:
        bucket = find_bucket(s, table, key)
        entry = bucket
        for slot in range(1, BUCKET_ENTRIES):
            other = bucket + slot * entry_words(s)
            if table[other + WORK] < table[entry + WORK]:
                entry = other
    best = s.node_best[ply]
    if turn != 0 and best != 0:
        best = turned_end(s, best)
    table[entry] = key
    table[entry + NUMBERS] = np.uint64(s.phi[ply]) | (np.uint64(s.delta[ply]) << np.uint64(32))
    table[entry + BEST] = np.uint64(best | (s.order_count[ply] << 16))
    table[entry + WORK] = np.uint64(s.node_work[ply])
    for word in range(s.board.size):
        s.set[word] = s.node_moves[ply, word]
    write_set(s, table, entry + MOVES, turn)
    for word in range(s.board.size):
        s.set[word] = s.node_carrier[ply, word]
    write_set(s, table, carrier_place(s, entry), turn)
    bits = move_bits(s)
    mask, per_word = (1 << bits) - 1, 64 // bits
    first = carrier_place(s, entry) + s.board.size
    for word in range(ORDERED // per_word):
        packed = NONE
        for place in range(per_word):
            move = np.int64(s.order[ply, per_word * word + place])
            if turn != 0:
                move = turned_end(s, move) & mask
            packed |= np.uint64(move) << np.uint64(bits * place)
        table[first + word] = packed


@KERNELS.kernel("void(HexSolver, u64[], i64, i64)")
def load_node(s, table, entry, ply):
    """Read an entry of the present position into a ply."""
    turn = is_turned(s)
    s.phi[ply], s.delta[ply] = entry_phi(table, entry), entry_delta(table, entry)
    read_set(s, table, entry + MOVES, turn)
    for word in range(s.board.size):
        s.node_moves[ply, word] = s.set[word]
    read_set(s, table, carrier_place(s, entry), turn)
    for word in range(s.board.size):
        s.node_carrier[ply, word] = s.set[word]
    best = np.int64(table[entry + BEST]) & 0xFFFF
    s.node_best[ply] = turned_end(s, best) if turn != 0 and best != 0 else best
    s.order_count[ply] = np.int64(table[entry + BEST]) >> 16
    s.node_work[ply] = entry_work(table, entry)
    bits = move_bits(s)
    mask, per_word = (1 << bits) - 1, 64 // bits
    first = carrier_place(s, entry) + s.board.size
    for word in range(ORDERED // per_word):
        packed = np.int64(table[first + word])
        for place in range(per_word):
            move = (packed >> (bits * place)) & mask
            s.order[ply, per_word * word + place] = turned_end(s, move) & mask if turn != 0 else move
