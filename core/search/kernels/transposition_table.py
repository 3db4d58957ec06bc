"""The transposition table: an array of 64-bit words that all threads of a search share without locks.

A bucket is four entries, one cache line, and is chosen by the low bits of the key. An entry is two words:

    word 0    key ^ data
    word 1    data: bits  0-15 move
                         16-31 score + 32768
                         32-47 static evaluation + 32768
                         48-55 depth
                         56-57 bound
                         58-63 generation of the search that stored it

Lockless hashing (Hyatt and Mann, 2002): if two threads write an entry at once, the words do not match and the entry
reads as a miss. Replacement: the entry of the bucket with the smallest depth, less a penalty for its age. `s` is the
state of the search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.native.intrinsics import prefetch
from core.native.kernel import KernelSet
from core.native.state_type import StateField
from core.search.scores import MAX_EVALUATION
from core.search.table_size import BUCKET_WORDS

UPPER, LOWER, EXACT = 1, 2, 3  # `bound` of an entry: its score is an upper bound, a lower bound or exact
GENERATIONS = 64
AGE_PENALTY = 4  # plies of depth per generation of age; chosen by hand

TABLE_FIELDS = (
    StateField("generation", "i64", (), "number of the search, modulo GENERATIONS; tells the age of entries"),
    StateField("hit_data", "u64", (), "data word of the entry that `probe` found"),
)


@dataclass(frozen=True)
class TableKernels:
    """The kernels of a transposition table.

    probe(state, table, key) -> 0|1: look a position up; on a hit, leave the entry's data word in `hit_data`.
    store(state, table, key, move, score, evaluation, depth, bound, ply): store a position.
    move_of(data), score_of(data, ply), evaluation_of(data), depth_of(data), bound_of(data): unpack a data word.
    prefetch_entry(table, key): load a bucket into the cache, for a probe some hundred instructions later.
    """

    probe: Any
    store: Any
    move_of: Any
    score_of: Any
    evaluation_of: Any
    depth_of: Any
    bound_of: Any
    prefetch_entry: Any


def make_table(kernels: KernelSet, state_name: str) -> TableKernels:
    """Return the table's kernels for a state with TABLE_FIELDS.

    A table has a power of two of words, at least one bucket.
    """

    @kernels.kernel("i64(u64)")
    def move_of(data):
        return np.int64(data & np.uint64(0xFFFF))

    @kernels.kernel("i64(u64, i64)")
    def score_of(data, ply):
        """Return the score as seen from `ply`: the table stores distances from the node, not from the root."""
        score = np.int64((data >> np.uint64(16)) & np.uint64(0xFFFF)) - 32768
        if score > MAX_EVALUATION:
            return score - ply
        if score < -MAX_EVALUATION:
            return score + ply
        return score

    @kernels.kernel("i64(u64)")
    def evaluation_of(data):
        return np.int64((data >> np.uint64(32)) & np.uint64(0xFFFF)) - 32768

    @kernels.kernel("i64(u64)")
    def depth_of(data):
        return np.int64((data >> np.uint64(48)) & np.uint64(0xFF))

    @kernels.kernel("i64(u64)")
    def bound_of(data):
        return np.int64((data >> np.uint64(56)) & np.uint64(3))

    @kernels.kernel("i64(u64[], u64)")
    def bucket_of(table, key):
        return np.int64(key & np.uint64(table.size // BUCKET_WORDS - 1)) * BUCKET_WORDS

    @kernels.kernel(f"i64({state_name}, u64[], u64)")
    def probe(s, table, key):
        bucket = bucket_of(table, key)
        for slot in range(bucket, bucket + BUCKET_WORDS, 2):
            data = table[slot + 1]
            if table[slot] ^ data == key and data != np.uint64(0):
                s.hit_data = data
                return 1
        return 0

    @kernels.kernel("void(u64[], u64)")
    def prefetch_entry(table, key):
        prefetch(table, bucket_of(table, key))

    @kernels.kernel("i64(u64, i64)")
    def entry_value(data, generation):
        """Return how much an entry is worth keeping; the entry with the least value is replaced."""
        if data == np.uint64(0):
            return -1000
        age = (generation - np.int64(data >> np.uint64(58))) & (GENERATIONS - 1)
        return depth_of(data) - AGE_PENALTY * age

    @kernels.kernel(f"void({state_name}, u64[], u64, i64, i64, i64, i64, i64, i64)")
    def store(s, table, key, move, score, evaluation, depth, bound, ply):
        """Store a position over the least valuable entry of its bucket, or over its own older entry."""
        if score > MAX_EVALUATION:  # distances from the node
            score += ply
        elif score < -MAX_EVALUATION:
            score -= ply
        bucket = bucket_of(table, key)
        victim = bucket
        least_value = 1_000_000
        for slot in range(bucket, bucket + BUCKET_WORDS, 2):
            data = table[slot + 1]
            if table[slot] ^ data == key:
                victim = slot
                if move == 0:  # a bound without a move: keep the move stored before
                    move = move_of(data)
                break
            value = entry_value(data, s.generation)
            if value < least_value:
                least_value = value
                victim = slot
        packed = move | ((score + 32768) << 16) | ((evaluation + 32768) << 32)
        packed |= (min(max(depth, 0), 255) << 48) | (bound << 56) | (s.generation << 58)
        word = np.uint64(packed)
        table[victim] = key ^ word
        table[victim + 1] = word

    return TableKernels(probe, store, move_of, score_of, evaluation_of, depth_of, bound_of, prefetch_entry)
