"""Allocation when memory is short: a player once lost its table and played fallback moves until it was restarted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.native import memory
from core.native.library import new_array
from core.native.memory import allocate_largest, format_mib, memory_limit, replace_array, try_allocate


def scarce(most: int) -> Any:
    """A maker of lists with that much room for all that stand at a time."""
    standing: list[int] = []

    class Kept(list[int]):
        def __del__(self) -> None:
            standing.remove(self[0])

    def make(words: int) -> list[int]:
        if sum(standing) + words > most:
            raise MemoryError
        standing.append(words)
        return Kept([words])

    return make


def test_as_much_as_fits_is_made() -> None:
    assert allocate_largest(64, 4, scarce(100)) == [64]
    assert allocate_largest(64, 4, scarce(20)) == [16]
    assert allocate_largest(64, 4, scarce(3)) is None
    assert try_allocate(64, scarce(63)) is None


def test_what_threads_need_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that took all there is would leave no stack for the thread that answers."""
    asked = []

    def refuse(scalar: str, length: int) -> Any:
        asked.append((scalar, length))
        raise MemoryError

    monkeypatch.setattr(memory, "new_array", refuse)
    assert try_allocate(64, scarce(100), threads=3) is None
    assert asked == [("u8", memory.RESERVE_BYTES + 2 * memory.THREAD_BYTES)]


@pytest.mark.parametrize(
    ("room", "beside", "sizes"),
    [
        (100, True, [32, 64]),  # both fit
        (80, True, [32, 1, 64]),  # only one at a time does
        (100, False, [32, 1, 64]),  # they would, but must not
        (40, True, [32, 1, 32]),
        (34, True, [32, 1, 32]),
    ],
)
def test_a_table_stands_until_the_next_one_does(room: int, beside: bool, sizes: list[int]) -> None:
    make = scarce(room)
    held = [make(32)]
    seen = [32]

    def use(table: list[int]) -> None:
        held[0] = table
        seen.append(table[0])

    replace_array(64, 1, make, use, fits_beside=beside)
    assert seen == sizes


def test_nothing_changes_where_nothing_can_be_had() -> None:
    used: list[Any] = []
    with pytest.raises(MemoryError):
        replace_array(64, 1, scarce(0), used.append)
    assert not used


@pytest.mark.parametrize("length", [1 << 55, 1 << 62])
def test_absurd_arrays_are_refused(length: int) -> None:
    with pytest.raises(MemoryError, match=f"no memory for {length} words of type u64"):
        new_array("u64", length)


def test_the_limit_is_the_least_of_all(tmp_path: Path) -> None:
    """Control groups in containers, of version 2 nested in each other and of version 1."""
    own = tmp_path / "cgroup"
    own.write_text("1:name=systemd:/\n0::/outer/inner\n")
    inner = tmp_path / "groups" / "outer" / "inner"
    inner.mkdir(parents=True)
    (inner / "memory.max").write_text("max\n")
    (inner.parent / "memory.max").write_text("123456\n")
    (tmp_path / "groups" / "memory").mkdir()
    (tmp_path / "groups" / "memory" / "memory.limit_in_bytes").write_text("654321\n")
    assert sorted(memory._container_bytes(tmp_path / "groups", own)) == [123456, 654321]
    assert not list(memory._container_bytes(tmp_path / "none", tmp_path / "none"))
    assert 1 << 20 < memory_limit() <= sys.maxsize


@pytest.mark.skipif(sys.platform == "win32", reason="limits of the address space are set by ulimit")
def test_the_option_ends_where_the_address_space_does() -> None:
    """Three quarters of 300,000 KiB: what is asked for beyond that is refused when it is set."""
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (300000 << 10,) * 2);"
        "from core.search.alphabeta_search import DEFAULT_TABLE_BYTES as D;"
        "from core.search.engine_options import HASH; print(HASH.maximum, D >> 20)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["219", "128"]


def test_sizes_are_readable() -> None:
    assert [format_mib(size) for size in (64, 1 << 20, 3 << 29)] == ["less than 1 MiB", "1 MiB", "1536 MiB"]
