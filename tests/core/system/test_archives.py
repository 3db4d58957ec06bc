"""ZIPs: hostile ones write nothing outside of their folder, and several processes may unpack one at the same time."""

from __future__ import annotations

import io
import stat
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from core.system import archives
from core.system.archives import ArchiveError, unpack_archive

ELF = b"\x7fELF" + bytes(60)


def make_zip(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write a ZIP with the members (name, content) and return its path."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for member, content in members:
            archive.writestr(member, content)
    return path


def make_special(name: str, kind: int) -> zipfile.ZipInfo:
    """Return a member of a kind such as `stat.S_IFLNK`, as POSIX programs store it."""
    member = zipfile.ZipInfo(name)
    member.create_system = 3
    member.external_attr = (kind | 0o777) << 16
    return member


def list_files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


def test_files_are_unpacked_once_and_programs_are_executable(tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "a.zip", ("brain", ELF), ("net/weights.bin", b"1"), ("empty/", b""))
    folder = unpack_archive(archive, tmp_path / "cache")
    assert list_files(folder) == ["brain", "net/weights.bin"]
    assert (folder / "empty").is_dir()
    assert (folder / "brain").read_bytes() == ELF
    if sys.platform != "win32":
        assert stat.S_IMODE((folder / "brain").stat().st_mode) == 0o755
        assert stat.S_IMODE((folder / "net" / "weights.bin").stat().st_mode) == 0o644
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (folder / "net" / "weights.bin").write_bytes(b"learned")
    assert unpack_archive(archive, tmp_path / "cache") == folder
    assert (folder / "net" / "weights.bin").read_bytes() == b"learned"
    make_zip(archive, ("brain", ELF), ("net/weights.bin", b"2"))
    assert unpack_archive(archive, tmp_path / "cache") != folder
    assert not [path for path in (tmp_path / "cache").iterdir() if path.name.startswith(".")]


def test_changed_or_missing_file_in_the_cache_is_reported(tmp_path: Path) -> None:
    """A program that is not the ZIP's must not be played in its name."""
    archive = make_zip(tmp_path / "a.zip", ("brain", ELF), ("weights", b"1"))
    folder = unpack_archive(archive, tmp_path / "cache")
    (folder / "brain").write_bytes(ELF[:-1] + b"x")
    with pytest.raises(ArchiveError, match=r"brain in its unpacked copy .* has changed: delete that folder"):
        unpack_archive(archive, tmp_path / "cache")
    (folder / "brain").write_bytes(ELF)
    unpack_archive(archive, tmp_path / "cache")
    (folder / "weights").unlink()
    with pytest.raises(ArchiveError, match="weights in its unpacked copy"):
        unpack_archive(archive, tmp_path / "cache")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../evil", "not safe"),
        ("a/../../evil", "not safe"),
        ("..\\evil", "not safe"),
        ("/evil", "not safe"),
        ("C:\\evil", "not safe"),
        ("a\nb", "not safe"),
        (".", "not safe"),
        (make_special("link", stat.S_IFLNK), "'link' is a link, not a file"),
        (make_special("pipe", stat.S_IFIFO), "'pipe' is a special file, not a file"),
    ],
)
def test_member_that_leads_out_of_the_folder_is_refused(
    name: str | zipfile.ZipInfo, message: str, tmp_path: Path
) -> None:
    """Nothing is written, not even the harmless member before it."""
    cache = tmp_path / "inner" / "cache"
    archive = make_zip(tmp_path / "a.zip", ("good", b"1"), (name, b"../../target"))
    with pytest.raises(ArchiveError, match=message):
        unpack_archive(archive, cache)
    assert list_files(tmp_path) == ["a.zip"]


def test_backslashes_separate_folders(tmp_path: Path) -> None:
    """Some Windows programs write them; zipfile keeps them as a part of the name on other systems."""
    folder = unpack_archive(make_zip(tmp_path / "a.zip", ("net\\weights", b"1")), tmp_path / "cache")
    assert list_files(folder) == ["net/weights"]


@pytest.mark.parametrize(
    ("limit", "value", "message"),
    [
        ("MAX_UNPACKED_BYTES", 999, "its files have more than 999 bytes"),
        ("MAX_MEMBERS", 1, "it has 2 files, more than 1"),
        ("MAX_ARCHIVE_BYTES", 50, "it has more than 50 bytes"),
    ],
)
def test_too_large_zip_is_refused(
    limit: str, value: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, limit, value)
    archive = make_zip(tmp_path / "a.zip", ("zeros", bytes(500)), ("more", bytes(500)))
    with pytest.raises(ArchiveError, match=message):
        unpack_archive(archive, tmp_path / "cache")
    assert list_files(tmp_path) == ["a.zip"]


def test_zip_that_lies_about_its_size_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bomb states small sizes, so that the sum of all sizes does not give it away."""
    archive = make_zip(tmp_path / "a.zip", ("bomb", bytes(1_000_000)))
    size = (1_000_000).to_bytes(4, "little")
    archive.write_bytes(archive.read_bytes().replace(size, (10).to_bytes(4, "little")))
    monkeypatch.setattr(archives, "MAX_UNPACKED_BYTES", 1000)
    with pytest.raises(ArchiveError, match="'bomb' is damaged"):
        unpack_archive(archive, tmp_path / "cache")
    assert list_files(tmp_path) == ["a.zip"]


def test_bzip2_is_refused(tmp_path: Path) -> None:
    """zipfile decompresses bzip2 and LZMA without a limit of memory."""
    archive = make_zip(tmp_path / "a.zip", ("zeros", bytes(500)), method=zipfile.ZIP_BZIP2)
    with pytest.raises(ArchiveError, match="'zeros' is encrypted or compressed by an unusual method"):
        unpack_archive(archive, tmp_path / "cache")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [("a", "a"), ("a", "a/b"), ("a/b", "a")])
def test_two_members_of_one_path_are_refused(names: tuple[str, str], tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="it has two files"):
        unpack_archive(make_zip(tmp_path / "a.zip", *((name, b"1") for name in names)), tmp_path / "cache")
    assert list_files(tmp_path) == ["a.zip"]


def test_file_that_is_no_zip_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"hello")
    with pytest.raises(ArchiveError, match="it cannot be read as a ZIP"):
        unpack_archive(tmp_path / "a.zip", tmp_path / "cache")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("brain", ELF)
    (tmp_path / "a.zip").write_bytes(content.getvalue().replace(ELF, ELF[:-1] + b"x"))
    with pytest.raises(ArchiveError, match="'brain' is damaged"):
        unpack_archive(tmp_path / "a.zip", tmp_path / "cache")


def test_simultaneous_unpackings_give_one_whole_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have written all files before either gives its folder the final name, so one of them comes too late."""
    archive = make_zip(tmp_path / "a.zip", *((f"file{number}", bytes(100)) for number in range(20)))
    barrier, folders = threading.Barrier(2, timeout=30), []
    rename = Path.rename

    def rename_together(self: Path, target: Path) -> Path:
        barrier.wait()
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", rename_together)
    threads = [
        threading.Thread(target=lambda: folders.append(unpack_archive(archive, tmp_path / "cache"))) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(folders) == 2
    assert folders[0] == folders[1]
    assert len(list_files(tmp_path / "cache")) == 20
