"""The solver's transposition table. Positions that differ by a rotation of 180 degrees share an entry.

The table is an array of 64-bit words. A bucket has four entries; the key selects the bucket. With sets of n words, an
entry looks like this:

    word 0        key, 0 if the entry is unused
    word 1        phi (low half), delta (high half)
    word 2        best move (low 16 bits), number of ordered moves (above)
    word 3        nodes searched below the position
    n words       open moves
    n words       carrier
    8 or 16       the ordered moves, MAX_ORDERED times 8 or 16 bits

Each entry is stored in the orientation with the smaller hash. Only one thread may use a table: entries have several
words and no checksum.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import KERNELS, MAX_ORDERED
from bots.hex.kernels.solver.board import ONE, ZERO, bit, rotated_cell
from core.native.intrinsics import trailing_zeros

BUCKET_ENTRIES = 4
PHI_AND_DELTA, BEST_AND_COUNT, SUBTREE_SIZE, OPEN_MOVES = 1, 2, 3, 4  # offsets of the words of an entry
LOW_HALF = np.uint64(0xFFFFFFFF)
WHITE_TO_MOVE = np.uint64(0x3A8B05F9C64D17E3)  # Zobrist key of the side to move; any number would do


@KERNELS.kernel("i64(HexSolver)")
def move_bits(s):
    """Return the bits per ordered move: 8 if all cell numbers fit (sets of up to four words), else 16."""
    return 8 if s.all_cells.size <= 4 else 16


@KERNELS.kernel("i64(HexSolver)")
def entry_words(s):
    """Return the number of words of an entry."""
    return OPEN_MOVES + 2 * s.all_cells.size + MAX_ORDERED * move_bits(s) // 64


@KERNELS.kernel("i64(HexSolver, i64)")
def carrier_index(s, entry):
    """Return the table index of an entry's carrier."""
    return entry + OPEN_MOVES + s.all_cells.size


@KERNELS.kernel("i64(HexSolver)")
def is_stored_rotated(s):
    """Return 1 if the table stores the present position rotated by 180 degrees."""
    return 1 if s.rotated_hash < s.hash else 0


@KERNELS.kernel("u64(HexSolver, i64)")
def node_key(s, side):
    """Return the key of the present position with `side` to move. It is never 0 and the same for the rotated
    position.
    """
    key = s.rotated_hash if is_stored_rotated(s) != 0 else s.hash
    return (key ^ WHITE_TO_MOVE if side == 1 else key) | ONE


@KERNELS.kernel("i64(HexSolver, u64[], u64)")
def find_bucket(s, table, key):
    """Return the table index of the bucket of a key."""
    words = entry_words(s) * BUCKET_ENTRIES
    return np.int64(key % np.uint64(table.size // words)) * words


@KERNELS.kernel("i64(HexSolver, u64[], u64)")
def find_entry(s, table, key):
    """Return the table index of the entry with this key, or -1."""
    bucket = find_bucket(s, table, key)
    for slot in range(BUCKET_ENTRIES):
        if table[bucket + slot * entry_words(s)] == key:
            return bucket + slot * entry_words(s)
    return -1


@KERNELS.kernel("i64(u64[], i64)")
def entry_phi(table, entry):
    """Return the proof number of an entry."""
    return np.int64(table[entry + PHI_AND_DELTA] & LOW_HALF)


@KERNELS.kernel("i64(u64[], i64)")
def entry_delta(table, entry):
    """Return the disproof number of an entry."""
    return np.int64(table[entry + PHI_AND_DELTA] >> np.uint64(32))


@KERNELS.kernel("i64(u64[], i64)")
def entry_subtree_size(table, entry):
    """Return the number of nodes searched below the position of an entry."""
    return np.int64(table[entry + SUBTREE_SIZE])


@KERNELS.kernel("void(HexSolver, i64)")
def rotate_set(s, rotated):
    """Rotate `set_buffer` by 180 degrees if `rotated` is 1."""
    if rotated == 0:
        return
    for word in range(s.all_cells.size):
        s.remaining[word], s.set_buffer[word] = s.set_buffer[word], ZERO
    for word in range(s.all_cells.size):
        bits = s.remaining[word]
        while bits != ZERO:
            cell = rotated_cell(s, 64 * word + trailing_zeros(bits))
            bits &= bits - ONE
            s.set_buffer[cell >> 6] |= bit(cell)


@KERNELS.kernel("void(HexSolver, u64[], i64, i64)")
def read_set(s, table, place, rotated):
    """Read the set of cells at the table index `place` into `set_buffer`, rotated if `rotated` is 1."""
    for word in range(s.all_cells.size):
        s.set_buffer[word] = table[place + word]
    rotate_set(s, rotated)


@KERNELS.kernel("void(HexSolver, u64[], i64, i64)")
def write_set(s, table, place, rotated):
    """Write `set_buffer` to the table index `place`, rotated if `rotated` is 1. The buffer is rotated, too."""
    rotate_set(s, rotated)
    for word in range(s.all_cells.size):
        table[place + word] = s.set_buffer[word]


@KERNELS.kernel("void(HexSolver, u64[], i64, i64)")
def store_node(s, table, ply, side):
    """Store the node of a ply. It replaces the entry with the same key, or the one in its bucket with the smallest
    subtree.
    """
    key = node_key(s, side)
    rotated = is_stored_rotated(s)
    entry = find_entry(s, table, key)
    if entry < 0:
        bucket = find_bucket(s, table, key)
        entry = bucket
        for slot in range(1, BUCKET_ENTRIES):
            other = bucket + slot * entry_words(s)
            if table[other + SUBTREE_SIZE] < table[entry + SUBTREE_SIZE]:
                entry = other
    best = s.node_best_move[ply]
    if rotated != 0 and best != 0:
        best = rotated_cell(s, best)
    table[entry] = key
    table[entry + PHI_AND_DELTA] = np.uint64(s.phi[ply]) | (np.uint64(s.delta[ply]) << np.uint64(32))
    table[entry + BEST_AND_COUNT] = np.uint64(best | (s.ordered_count[ply] << 16))
    table[entry + SUBTREE_SIZE] = np.uint64(s.node_subtree_size[ply])
    for word in range(s.all_cells.size):
        s.set_buffer[word] = s.node_open_moves[ply, word]
    write_set(s, table, entry + OPEN_MOVES, rotated)
    for word in range(s.all_cells.size):
        s.set_buffer[word] = s.node_carrier[ply, word]
    write_set(s, table, carrier_index(s, entry), rotated)
    bits = move_bits(s)
    mask, per_word = (1 << bits) - 1, 64 // bits
    first = carrier_index(s, entry) + s.all_cells.size
    for word in range(MAX_ORDERED // per_word):
        packed = ZERO
        for place in range(per_word):
            move = np.int64(s.ordered_moves[ply, per_word * word + place])
            if rotated != 0:
                move = rotated_cell(s, move) & mask
            packed |= np.uint64(move) << np.uint64(bits * place)
        table[first + word] = packed


@KERNELS.kernel("void(HexSolver, u64[], i64, i64)")
def load_node(s, table, entry, ply):
    """Load the entry of the present position into the node of a ply."""
    rotated = is_stored_rotated(s)
    s.phi[ply], s.delta[ply] = entry_phi(table, entry), entry_delta(table, entry)
    read_set(s, table, entry + OPEN_MOVES, rotated)
    for word in range(s.all_cells.size):
        s.node_open_moves[ply, word] = s.set_buffer[word]
    read_set(s, table, carrier_index(s, entry), rotated)
    for word in range(s.all_cells.size):
        s.node_carrier[ply, word] = s.set_buffer[word]
    best = np.int64(table[entry + BEST_AND_COUNT]) & 0xFFFF
    s.node_best_move[ply] = rotated_cell(s, best) if rotated != 0 and best != 0 else best
    s.ordered_count[ply] = np.int64(table[entry + BEST_AND_COUNT]) >> 16
    s.node_subtree_size[ply] = entry_subtree_size(table, entry)
    bits = move_bits(s)
    mask, per_word = (1 << bits) - 1, 64 // bits
    first = carrier_index(s, entry) + s.all_cells.size
    for word in range(MAX_ORDERED // per_word):
        packed = np.int64(table[first + word])
        for place in range(per_word):
            move = (packed >> (bits * place)) & mask
            s.ordered_moves[ply, per_word * word + place] = rotated_cell(s, move) & mask if rotated != 0 else move
