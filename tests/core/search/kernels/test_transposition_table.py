"""The transposition table against a dictionary: it may lose entries but never returns a wrong one."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.native.library import KernelLibrary
from core.search.kernels.transposition_table import EXACT, GENERATIONS, LOWER, UPPER
from core.search.scores import MAX_DISTANCE, MAX_EVALUATION, WIN
from core.search.table_size import BUCKET_WORDS, table_words
from tests.core.native.test_kernels import make_array

BUCKET_COUNT = 4  # of the table in most tests
keys = st.integers(0, (1 << 64) - 1)
evaluations = st.integers(-MAX_EVALUATION, MAX_EVALUATION)
wins = st.integers(WIN - MAX_DISTANCE + 130, WIN)  # still proven after a change by a ply of up to 128
scores = st.one_of(evaluations, wins, wins.map(int.__neg__))
moves, depths, bounds = st.integers(1, 65535), st.integers(0, 255), st.sampled_from((UPPER, LOWER, EXACT))
plies = st.integers(0, 128)
Entry = tuple[int, int, int, int, int]  # move, score, evaluation, depth, bound
entries = st.tuples(moves, scores, evaluations, depths, bounds)


class Table:
    """A small transposition table with the kernels and the state that access it."""

    def __init__(self, library: KernelLibrary, bucket_count: int = BUCKET_COUNT) -> None:
        self.library = library
        self.state = library.new("Sample")
        self.words: Any = make_array("u64", [0] * (bucket_count * BUCKET_WORDS))

    def store(self, key: int, entry: Entry, ply: int) -> None:
        self.library.table_store(self.state, self.words, key, *entry, ply)

    def probe(self, key: int, ply: int) -> Entry | None:
        if not self.library.table_probe(self.state, self.words, key):
            return None
        fields = make_array("i64", [0] * 5)
        self.library.table_unpack(self.state.hit_data, ply, fields)
        return (fields[0], fields[1], fields[2], fields[3], fields[4])


@given(keys, entries, plies, st.integers(0, GENERATIONS - 1))
def test_a_stored_entry_is_found(native: KernelLibrary, key: int, entry: Entry, ply: int, generation: int) -> None:
    table = Table(native)
    table.state.generation = generation
    table.store(key, entry, ply)
    assert table.probe(key, ply) == entry


@given(keys, wins, plies, plies)
def test_a_win_keeps_its_distance_at_another_ply(
    native: KernelLibrary, key: int, score: int, ply: int, other_ply: int
) -> None:
    """Scores count the distance from the root, but the table stores it from the position of the entry."""
    for sign in (1, -1):
        table = Table(native)
        table.store(key, (1, sign * score, 0, 1, EXACT), ply)
        entry = table.probe(key, other_ply)
        assert entry is not None
        assert entry[1] == sign * (score + ply - other_ply)


@given(st.lists(st.tuples(keys, entries), min_size=1, max_size=200))
def test_entries_may_be_lost_but_not_wrong(native: KernelLibrary, stored: list[tuple[int, Entry]]) -> None:
    table, latest = Table(native), dict[int, Entry]()
    for key, entry in stored:
        table.store(key, entry, 0)
        latest[key] = entry
        assert table.probe(key, 0) == entry
    for key, entry in latest.items():
        assert table.probe(key, 0) in (None, entry)


@given(st.lists(keys, min_size=1, max_size=100, unique=True), keys)
def test_a_key_that_was_not_stored_misses(native: KernelLibrary, stored: list[int], key: int) -> None:
    table = Table(native)
    assert table.probe(key, 0) is None
    for stored_key in stored:
        table.store(stored_key, (1, 0, 0, 1, EXACT), 0)
    assert (table.probe(key, 0) is None) or key in stored


@given(keys, entries, entries, st.integers(8, 63))
def test_a_torn_write_never_reads_as_a_wrong_entry(
    native: KernelLibrary, key: int, one: Entry, two: Entry, flip: int
) -> None:
    """Two threads write to the same slot at the same time, and one word of each remains."""
    tables, stored = (Table(native), Table(native)), {key: one, key ^ 1 << flip: two}
    for table, (stored_key, entry) in zip(tables, stored.items(), strict=True):
        table.store(stored_key, entry, 0)
    slot = key % BUCKET_COUNT * BUCKET_WORDS  # index of the bucket's first word
    for first, second in (tables, tables[::-1]):
        torn = Table(native)
        torn.words[slot], torn.words[slot + 1] = first.words[slot], second.words[slot + 1]
        for stored_key, entry in stored.items():
            assert torn.probe(stored_key, 0) in (None, entry)


def test_every_single_bit_error_is_a_miss(native: KernelLibrary) -> None:
    key = 0x0123456789ABCDEF
    for word in range(2):
        for bit in range(64):
            table = Table(native)
            table.store(key, (77, 123, -45, 6, LOWER), 0)
            entry_start = next(index for index, value in enumerate(table.words) if value)
            table.words[entry_start + word] ^= 1 << bit
            assert table.probe(key, 0) is None


def test_an_entry_without_a_move_keeps_the_stored_move(native: KernelLibrary) -> None:
    table = Table(native)
    table.store(5, (77, 10, 0, 4, EXACT), 0)
    table.store(5, (0, 3, 0, 5, UPPER), 0)
    assert table.probe(5, 0) == (77, 3, 0, 5, UPPER)


def test_the_least_valuable_entry_is_replaced(native: KernelLibrary) -> None:
    """In a full bucket that is the entry with the lowest depth, less 4 plies for each search since it was stored."""
    table = Table(native, 1)
    for key, depth in ((1, 9), (2, 3), (3, 8), (4, 7)):
        table.store(key, (key, 0, 0, depth, EXACT), 0)
    table.store(5, (5, 0, 0, 1, EXACT), 0)
    assert [table.probe(key, 0) is None for key in range(1, 6)] == [False, True, False, False, False]
    table.state.generation = 3
    table.store(6, (6, 0, 0, 1, EXACT), 0)  # replaces 5, which is shallow and old
    table.store(7, (7, 0, 0, 1, EXACT), 0)  # replaces 4: depth 7 less 3 * 4 for its age; 6 is new
    assert [table.probe(key, 0) is None for key in range(3, 8)] == [False, True, True, False, False]


@given(st.integers(-10, 1 << 40))
def test_a_table_is_the_largest_power_of_two_within_the_size(size_bytes: int) -> None:
    words = table_words(size_bytes)
    assert words >= BUCKET_WORDS
    assert words & (words - 1) == 0
    assert words * 8 <= max(size_bytes, BUCKET_WORDS * 8) < words * 16 or words == BUCKET_WORDS
