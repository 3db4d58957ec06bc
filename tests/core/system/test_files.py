"""Files: bounded reading, and atomic replacement by several writers at the same time and on a full disk."""

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


def test_a_file_above_the_size_limit_is_not_read(tmp_path: Path) -> None:
    """Regression: `--openings /dev/zero` used to fill all memory."""
    path = tmp_path / "book.txt"
    path.write_bytes(b"\xef\xbb\xbfabc")
    assert read_file(path) == b"\xef\xbb\xbfabc"
    assert read_text(path) == "abc"
    assert read_file(path, 6) == b"\xef\xbb\xbfabc"
    with pytest.raises(OSError, match="the file must have at most 5 bytes") as caught:
        read_file(path, 5)
    assert caught.value.filename == str(path)
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "none")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_only_regular_files_are_read(tmp_path: Path) -> None:
    """A device may have no end, and reading a pipe would wait for a writer."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, kind in ((pipe, "a pipe"), (Path("/dev/zero"), "a device")):
        with pytest.raises(OSError, match=f"a regular file is required, not {kind}") as caught:
            read_file(path)
        assert caught.value.filename == str(path)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="no file whose size is unknown")
def test_the_size_limit_does_not_rely_on_the_size_in_the_file_status() -> None:
    path = Path("/proc/self/maps")
    assert path.stat().st_size == 0
    with pytest.raises(OSError, match="at most 10 bytes"):
        read_file(path, 10)


def test_a_text_file_is_replaced_without_leftovers(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    replace_text_file(path, "old\n")
    replace_text_file(path, "new\r\n")
    assert path.read_bytes() == b"new\r\n"
    assert list(tmp_path.iterdir()) == [path]


def test_two_writers_of_one_file_do_not_disturb_each_other(tmp_path: Path) -> None:
    """If both temporary files had the same name, the writer that ends last would have no file left to rename."""
    path = tmp_path / "results.csv"
    with open_replacement(path) as first:
        first.write(b"first")
        with open_replacement(path) as second:
            second.write(b"second")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_differ_in_their_suffix_have_different_temporary_files(tmp_path: Path) -> None:
    """Regression: `00001.sgf` and `00001.psq` used to share a temporary file."""
    paths = [tmp_path / f"00001.{suffix}" for suffix in ("sgf", "psq")]

    def write(path: Path) -> None:
        for _ in range(200):
            replace_text_file(path, path.name)

    errors: list[object] = []
    threads = [threading.Thread(target=write, args=(path,)) for path in paths]
    threading.excepthook, old_hook = errors.append, threading.excepthook
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    threading.excepthook = old_hook
    assert not errors
    assert [path.read_text() for path in paths] == ["00001.sgf", "00001.psq"]


def test_a_failed_write_keeps_the_old_file_and_names_it(tmp_path: Path) -> None:
    path = tmp_path / "summary.json"
    replace_text_file(path, "old")

    def write_to_full_disk() -> None:
        with open_replacement(path) as file:
            file.write(b"half")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left") as caught:
        write_to_full_disk()
    assert caught.value.filename == str(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_name_of_an_error_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught, naming_file(tmp_path):
        (tmp_path / "missing").read_bytes()
    assert caught.value.filename == str(tmp_path / "missing")


@pytest.mark.parametrize("content", [b'{"a": ', b"[1]", b"\xff"])
def test_an_error_names_the_file_that_is_not_a_json_object(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "book.json").write_bytes(content)
    with pytest.raises(ValueError, match=r"book\.json: "):
        read_json_object(tmp_path / "book.json")


def test_a_json_object_is_written_with_one_entry_per_line(tmp_path: Path) -> None:
    path, entries = tmp_path / "table.json", {"5": {"a1": [1, "c3"], 'a"2': [0, ""]}, "6": [[0, 100], []]}
    write_json_object(path, entries)
    assert read_json_object(path) == entries
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2 + len(entries)
