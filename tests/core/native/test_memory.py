"""Allocation when memory is short.

Regression: a player used to lose its table then, and played fallback moves until it was restarted.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.native import memory
from core.native.library import new_array
from core.native.memory import allocate_largest, format_mib, memory_limit, replace_array, try_allocate


def limited_allocator(max_words: int) -> Any:
    """Return a function that makes tables; a table is the list [number of its words].

    It raises MemoryError if the tables that exist at the same time would have more than `max_words`.
    """
    sizes: list[int] = []

    class Table(list[int]):
        def __del__(self) -> None:
            sizes.remove(self[0])

    def allocate(words: int) -> list[int]:
        if sum(sizes) + words > max_words:
            raise MemoryError
        sizes.append(words)
        return Table([words])

    return allocate


def test_the_size_is_halved_until_the_table_fits() -> None:
    assert allocate_largest(64, 4, limited_allocator(100)) == [64]
    assert allocate_largest(64, 4, limited_allocator(20)) == [16]
    assert allocate_largest(64, 4, limited_allocator(3)) is None
    assert try_allocate(64, limited_allocator(63)) is None


def test_memory_for_threads_must_be_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that takes all memory would leave no stack for the threads."""
    requests = []

    def fail(scalar: str, length: int) -> Any:
        requests.append((scalar, length))
        raise MemoryError

    monkeypatch.setattr(memory, "new_array", fail)
    assert try_allocate(64, limited_allocator(100), threads=3) is None
    assert requests == [("u8", memory.RESERVE_BYTES + 2 * memory.THREAD_BYTES)]


@pytest.mark.parametrize(
    ("max_words", "fits_beside", "sizes"),
    [
        (100, True, [32, 64]),  # both tables fit
        (80, True, [32, 1, 64]),  # only one table at a time fits
        (100, False, [32, 1, 64]),  # both would fit, but are not allowed
        (40, True, [32, 1, 32]),  # only a smaller table fits
        (34, True, [32, 1, 32]),
    ],
)
def test_the_old_table_is_freed_first_only_if_needed(max_words: int, fits_beside: bool, sizes: list[int]) -> None:
    """A table of 32 words is replaced by one of 64; `sizes` are those of all tables in use, one after the other."""
    allocate = limited_allocator(max_words)
    in_use = [allocate(32)]
    used_sizes = [32]

    def use(table: list[int]) -> None:
        in_use[0] = table
        used_sizes.append(table[0])

    replace_array(64, 1, allocate, use, fits_beside=fits_beside)
    assert used_sizes == sizes


def test_nothing_changes_if_nothing_can_be_allocated() -> None:
    tables: list[Any] = []
    with pytest.raises(MemoryError):
        replace_array(64, 1, limited_allocator(0), tables.append)
    assert not tables


@pytest.mark.parametrize("length", [1 << 55, 1 << 62])
def test_an_array_beyond_the_address_space_is_a_memory_error(length: int) -> None:
    with pytest.raises(MemoryError, match=f"no memory for {length} words of type u64"):
        new_array("u64", length)


def test_the_memory_limits_of_control_groups_are_read(tmp_path: Path) -> None:
    """Nested control groups of version 2, and one of version 1."""
    group_file = tmp_path / "cgroup"
    group_file.write_text("1:name=systemd:/\n0::/outer/inner\n")
    inner = tmp_path / "groups" / "outer" / "inner"
    inner.mkdir(parents=True)
    (inner / "memory.max").write_text("max\n")
    (inner.parent / "memory.max").write_text("123456\n")
    (tmp_path / "groups" / "memory").mkdir()
    (tmp_path / "groups" / "memory" / "memory.limit_in_bytes").write_text("654321\n")
    assert sorted(memory._container_bytes(tmp_path / "groups", group_file)) == [123456, 654321]
    assert not list(memory._container_bytes(tmp_path / "none", tmp_path / "none"))
    assert 1 << 20 < memory_limit() <= sys.maxsize


@pytest.mark.skipif(sys.platform == "win32", reason="limits of the address space are set by ulimit")
def test_the_maximum_of_the_option_hash_depends_on_the_address_space() -> None:
    """The maximum is three quarters of the limit: 219 MiB of 300,000 KiB. The default table of 128 MiB fits."""
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (300000 << 10,) * 2);"
        "from core.search.alphabeta_search import DEFAULT_TABLE_BYTES;"
        "from core.search.engine_options import HASH; print(HASH.maximum, DEFAULT_TABLE_BYTES >> 20)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["219", "128"]


def test_sizes_are_formatted_in_mib() -> None:
    assert [format_mib(size) for size in (64, 1 << 20, 3 << 29)] == ["less than 1 MiB", "1 MiB", "1536 MiB"]
