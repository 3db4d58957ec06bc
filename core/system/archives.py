"""Unpack a ZIP into a cache folder that is named by the SHA-256 of the ZIP, safely even if the ZIP is hostile.

Nothing is written outside of the folder: paths that lead out of it, links and special files are refused. The size is
limited, and the data of a file is never longer than the archive says.
"""

from __future__ import annotations

import hashlib
import re
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from core.system.ownership import make_private_folder

MAX_ARCHIVE_BYTES = 1 << 30  # of the ZIP itself; Gomocup accepts 8 MB, and more with its approval
MAX_UNPACKED_BYTES = 2 << 30  # of all files together
MAX_MEMBERS = 10_000  # files and folders
CHUNK_BYTES = 1 << 20
_ENCRYPTED = 1  # a bit of `flag_bits`
_MODE_SHIFT = 16  # the upper half of `external_attr` has the mode of a file that was packed on a POSIX system
_PROGRAM_STARTS = (b"\x7fELF", b"MZ", b"#!", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")  # ELF, Windows, script, Mach-O
# Other methods decompress without a limit of memory, and Gomocup's managers do not know them
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class ArchiveError(Exception):
    """The ZIP cannot be unpacked, or it is not safe to do so; the message says why, without the name of the ZIP."""


def unpack_archive(archive: Path, cache: Path) -> Path:
    """Return the folder in `cache` with the unpacked files of a ZIP; unpack them if it does not exist yet.

    Raise ArchiveError if the ZIP is damaged or not safe, OSError if a file cannot be read or written, UnsafeFileError
    if another user could write to `cache`. Several processes may unpack the same ZIP at the same time: each writes into
    a folder of its own, and the first one that has finished gives it its final name.

    If the folder exists, its programs must be those of the ZIP. Other files may differ, because engines may write to
    their working directory.
    """
    with archive.open("rb") as file:
        folder = cache / _hash_file(file)
        make_private_folder(cache)
        with _open_zip(file) as content:
            if folder.is_dir():
                _check_programs(content, folder)
            else:
                _unpack_into(content, folder)
    return folder


def _unpack_into(archive: zipfile.ZipFile, folder: Path) -> None:
    """Unpack a ZIP into a temporary folder and rename it to `folder`, unless another process has made that one."""
    with tempfile.TemporaryDirectory(prefix=".unpack-", dir=folder.parent, ignore_cleanup_errors=True) as work:
        target = Path(work) / "files"
        target.mkdir(mode=0o700)  # whatever the umask is, no other user can replace a program in it
        for member, path in _list_members(archive):
            _extract(archive, member, target / path)
        try:
            target.rename(folder)
        except OSError:
            if not folder.is_dir():  # the reason is not that another process was faster
                raise


def _check_programs(archive: zipfile.ZipFile, folder: Path) -> None:
    """Raise ArchiveError if a file is missing in the unpacked folder, or if a program there differs from the ZIP's."""
    for member, path in _list_members(archive):
        file = folder / path
        is_program = file.is_file() and file.stat().st_mode & stat.S_IXUSR
        if not file.exists() or (is_program and _compute_crc(file) != member.CRC):
            raise ArchiveError(f"{path} in its unpacked copy {folder} has changed: delete that folder")


def _compute_crc(path: Path) -> int:
    crc = 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            crc = zlib.crc32(chunk, crc)
    return crc


def _hash_file(file: BinaryIO) -> str:
    """Return the SHA-256 of an open file of at most MAX_ARCHIVE_BYTES."""
    digest, size = hashlib.sha256(), 0
    while chunk := file.read(CHUNK_BYTES):
        size += len(chunk)
        if size > MAX_ARCHIVE_BYTES:
            raise ArchiveError(f"it has more than {MAX_ARCHIVE_BYTES} bytes")
        digest.update(chunk)
    return digest.hexdigest()


def _open_zip(file: BinaryIO) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError) as error:
        raise ArchiveError(f"it cannot be read as a ZIP: {error}") from None


def _list_members(archive: zipfile.ZipFile) -> list[tuple[zipfile.ZipInfo, PurePosixPath]]:
    """Return all members with their relative paths; raise ArchiveError if they are too large or not safe to unpack."""
    members = archive.infolist()
    if len(members) > MAX_MEMBERS:
        raise ArchiveError(f"it has {len(members)} files, more than {MAX_MEMBERS}")
    if sum(member.file_size for member in members) > MAX_UNPACKED_BYTES:
        raise ArchiveError(f"its files have more than {MAX_UNPACKED_BYTES} bytes")
    return [(member, _check_member(member)) for member in members]


def _check_member(member: zipfile.ZipInfo) -> PurePosixPath:
    """Return the relative path of a member; raise ArchiveError if it leads out of the folder or is no plain file."""
    name = member.filename.replace("\\", "/")  # some Windows programs write backslashes
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or ".." in path.parts or re.search(r"[:\x00-\x1f]", name):
        raise ArchiveError(f"the path {member.filename!r} is not safe to unpack")
    kind = stat.S_IFMT(member.external_attr >> _MODE_SHIFT)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ArchiveError(f"{member.filename!r} is a {'link' if stat.S_ISLNK(kind) else 'special file'}, not a file")
    if member.flag_bits & _ENCRYPTED or member.compress_type not in _METHODS:
        raise ArchiveError(f"{member.filename!r} is encrypted or compressed by an unusual method")
    return path


def _extract(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> None:
    """Write a member to a new file. Programs become executable."""
    if member.filename.endswith(("/", "\\")):
        path.mkdir(parents=True, exist_ok=True)
        return
    start = b""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as output:
            for chunk in _read_chunks(archive, member):
                start = start or chunk[:4]
                output.write(chunk)
    except (FileExistsError, NotADirectoryError):
        raise ArchiveError(f"it has two files {member.filename!r}") from None
    is_program = start.startswith(_PROGRAM_STARTS) or (member.external_attr >> _MODE_SHIFT) & stat.S_IXUSR
    path.chmod(0o755 if is_program else 0o644)


def _read_chunks(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield the data of a member, at most as many bytes as the archive says; raise ArchiveError if it is damaged."""
    try:
        with archive.open(member) as data:
            while chunk := data.read(CHUNK_BYTES):
                yield chunk
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ArchiveError(f"{member.filename!r} is damaged: {error}") from None
