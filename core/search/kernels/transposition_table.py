"""The transposition table: one array of 64-bit words shared by the threads of a search, without locks.

An entry is two words, `key ^ data` and `data`, so that a torn write reads as a miss (Hyatt and Mann 2002). Four entries
fill a cache line; the one worth least, by depth and age, is replaced.

data, from the low bit: move 16 | score + 32768 16 | evaluation + 32768 16 | depth 8 | bound 2 | generation 6
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

UPPER, LOWER, EXACT = 1, 2, 3  # how an entry's score bounds the true value; 0 is an empty entry
GENERATIONS = 64
_AGE_WEIGHT = 4  # plies of depth that a generation of age costs an entry

TABLE_FIELDS = (
    StateField("generation", "i64", (), "number of the present search, modulo 64, ages older entries"),
    StateField("hit_data", "u64", (), "data word of the entry that `probe` found"),
)


@dataclass(frozen=True)
class TableKernels:
    """`probe(state, table, key) -> 0|1` leaves the entry in `hit_data`; the unpackers read such a word.

    `prefetch_entry(table, key)` has the entry brought near, for a probe some hundred instructions later.
    """

    probe: Any
    store: Any
    move_of: Any
    score_of: Any
    evaluation_of: Any
    depth_of: Any
    bound_of: Any
    prefetch_entry: Any


def make_table(kernels: KernelSet, record: str) -> TableKernels:
    """The table's kernels over a record with TABLE_FIELDS. A table has a power of two of words, at least 8."""

    @kernels.kernel("i64(u64)")
    def move_of(data):
        return np.int64(data & np.uint64(0xFFFF))

    @kernels.kernel("i64(u64, i64)")
    def score_of(data, ply):
        """Proven results are stored as distances from their own node."""
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

    @kernels.kernel(f"i64({record}, u64[], u64)")
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
    def worth(data, generation):
        if data == np.uint64(0):
            return -1000
        age = (generation - np.int64(data >> np.uint64(58))) & (GENERATIONS - 1)
        return depth_of(data) - _AGE_WEIGHT * age

    @kernels.kernel(f"void({record}, u64[], u64, i64, i64, i64, i64, i64, i64)")
    def store(s, table, key, move, score, evaluation, depth, bound, ply):
        """Keep what was found of a position in place of what its bucket needs least; wins as distances from it."""
        if score > MAX_EVALUATION:
            score += ply
        elif score < -MAX_EVALUATION:
            score -= ply
        bucket = bucket_of(table, key)
        victim = bucket
        least = 1_000_000
        for slot in range(bucket, bucket + BUCKET_WORDS, 2):
            data = table[slot + 1]
            if table[slot] ^ data == key:
                victim = slot
                if move == 0:  # a bound without a move keeps the move known before
                    move = move_of(data)
                break
            value = worth(data, s.generation)
            if value < least:
                least = value
                victim = slot
        packed = move | ((score + 32768) << 16) | ((evaluation + 32768) << 32)
        packed |= (min(max(depth, 0), 255) << 48) | (bound << 56) | (s.generation << 58)
        word = np.uint64(packed)
        table[victim] = key ^ word
        table[victim + 1] = word

    return TableKernels(probe, store, move_of, score_of, evaluation_of, depth_of, bound_of, prefetch_entry)
