"""Files are replaced atomically, also by several processes at the same time and when the disk is full."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest

from core.system.files import (
    naming_file,
    open_replacement,
    read_file,
    read_json_object,
    read_text,
    replace_text_file,
    write_json_object,
)


def test_files_of_people_are_read_within_bounds(tmp_path: Path) -> None:
    """`--openings /dev/zero` filled 22 GB of memory before it was killed."""
    path = tmp_path / "book.txt"
    path.write_bytes(b"\xef\xbb\xbfabc")
    assert read_file(path) == b"\xef\xbb\xbfabc"
    assert read_text(path) == "abc"
    assert read_file(path, 6) == b"\xef\xbb\xbfabc"
    with pytest.raises(OSError, match="a file of at most 5 bytes is wanted, not a longer one") as caught:
        read_file(path, 5)
    assert caught.value.filename == str(path)
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "none")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_only_regular_files_are_read(tmp_path: Path) -> None:
    """A device never ends, and a pipe that nobody writes to is waited for without end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, kind in ((pipe, "a pipe"), (Path("/dev/zero"), "a device")):
        with pytest.raises(OSError, match=f"a regular file is required, not {kind}") as caught:
            read_file(path)
        assert caught.value.filename == str(path)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="no file whose size is unknown")
def test_size_that_the_system_tells_is_not_relied_on() -> None:
    path = Path("/proc/self/maps")
    assert path.stat().st_size == 0
    with pytest.raises(OSError, match="at most 10 bytes"):
        read_file(path, 10)


def test_a_whole_text_takes_the_old_ones_place(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    replace_text_file(path, "old\n")
    replace_text_file(path, "new\r\n")
    assert path.read_bytes() == b"new\r\n"
    assert list(tmp_path.iterdir()) == [path]


def test_writers_at_the_same_time_do_not_meet(tmp_path: Path) -> None:
    """Each has begun before the other ends; with one name for both parts the second had nothing left to rename."""
    path = tmp_path / "results.csv"
    with open_replacement(path) as first:
        first.write(b"first")
        with open_replacement(path) as second:
            second.write(b"second")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_differ_in_their_ending_do_not_meet(tmp_path: Path) -> None:
    """`00001.sgf` and `00001.psq` had one name while they were written."""
    paths = [tmp_path / f"00001.{suffix}" for suffix in ("sgf", "psq")]

    def write(path: Path) -> None:
        for _ in range(200):
            replace_text_file(path, path.name)

    failed: list[object] = []
    threads = [threading.Thread(target=write, args=(path,)) for path in paths]
    threading.excepthook, before = failed.append, threading.excepthook
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    threading.excepthook = before
    assert not failed
    assert [path.read_text() for path in paths] == ["00001.sgf", "00001.psq"]


def test_a_write_that_fails_leaves_the_old_file_and_names_it(tmp_path: Path) -> None:
    path = tmp_path / "summary.json"
    replace_text_file(path, "old")

    def fill() -> None:
        with open_replacement(path) as file:
            file.write(b"half")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left") as caught:
        fill()
    assert caught.value.filename == str(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_that_is_there_is_kept(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught, naming_file(tmp_path):
        (tmp_path / "missing").read_bytes()
    assert caught.value.filename == str(tmp_path / "missing")


def test_a_table_is_read_as_it_was_written_an_entry_a_line(tmp_path: Path) -> None:
    table = {"5": {"a1": [1, "c3"], 'a"2': [0, ""]}, "6": [[0, 100], []]}
    write_json_object(tmp_path / "table.json", table)
    assert read_json_object(tmp_path / "table.json") == table
    assert len((tmp_path / "table.json").read_text(encoding="utf-8").splitlines()) == 2 + len(table)
