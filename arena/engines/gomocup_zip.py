"""Engines that are ZIPs as sent to Gomocup: unpack them into a cache folder and choose the program for a game.

The program is chosen as Gomocup's judge does (client/README.md of Gomocup/GomocupJudge). Its name begins with `pbrain`;
the best name for the game is taken, in this order of the suffixes before an optional `64`:

1. `_RULE-SIZE` such as `pbrain-x_freestyle-15`; rules: freestyle, standard, renju, caro; sizes: 15, 20
2. `_RULE` such as `pbrain-x_standard`
3. `_SIZE` such as `pbrain-x_20`
4. no suffix, then a suffix for another game

If this leaves several, one with `64` in its name is taken on a 64-bit system, and one without it on a 32-bit system.
The judge would take any of those that are still left; here the user has to name one, as in `x.zip/pbrain-x_avx2`.

On Linux a program is an ELF file for this machine, on Windows an `.exe` file. With wine, Linux runs `.exe` files, too.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from arena.errors import UsageError
from core.play.player import BadSetup, Setup
from core.system.archives import ArchiveError, unpack_archive
from protocols.command_line import join_command, split_command

CACHE_NAME = "archives"  # folder in the user's cache folder
ZIP_SUFFIX, EXE_SUFFIX = ".zip", ".exe"
PREFIX = (
    "pbrain"  # of a program that speaks the Gomocup protocol; without it, Gomocup assumes the file protocol of 2000
)
WINE_NAMES = ("wine", "wine64")
WINE_VARIABLE = ("WINEDEBUG", "-all")  # no debug output of wine, which would be logged as that of the engine
_SUFFIX = re.compile(r"_(?:(?P<rule>freestyle|standard|renju|caro)(?:-(?P<rule_size>15|20))?|(?P<size>15|20))$")
_DIGEST = re.compile("[0-9a-f]{64}")
_ARCHITECTURE = re.compile(r"[_-]?64$")
_MAX_SHOWN = 8  # programs named in an error message
# Value of `e_machine` in the header of an ELF file, by platform.machine(); a 64-bit system may run 32-bit programs
_ELF_MACHINES = {"x86_64": (62, 3), "i686": (3,), "aarch64": (183, 40), "armv7l": (40,), "riscv64": (243,)}
_ELF_EXECUTABLES = (2, 3)  # `e_type`: fixed addresses, or position-independent, which shared libraries are as well
_START_BYTES, _BIG_ENDIAN = 20, 2  # length of an ELF header up to `e_machine`; value of its byte 5
_LIBRARY = re.compile(r"\.so(\.\d+)*$")
_MACH_O = (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


@dataclass(frozen=True)
class ZipTarget:
    """The game that the program of a ZIP has to play, and whether wine may run it."""

    setup: Setup
    has_wine: bool = False


@dataclass(frozen=True)
class UnpackedEngine:
    """A program of a ZIP, ready to be started."""

    command: str  # starts in `directory`
    directory: str  # folder of the program in the unpacked ZIP
    archive: str  # absolute path of the ZIP
    environment: tuple[tuple[str, str], ...] = ()  # variables for wine


def make_target(setup: Setup, *, wine: bool) -> ZipTarget:
    """Return the target for a game; raise UsageError if `wine`, the option --wine, cannot be used."""
    if wine and sys.platform == "win32":
        raise UsageError("--wine is for other systems than Windows: leave it out")
    if wine:
        _find_wine()
    return ZipTarget(setup, wine)


def find_archive(command: str | Sequence[str]) -> tuple[Path, str] | None:
    """Return the ZIP that a command starts and the program named in it; None if it starts something else.

    `x.zip --level 3` names no program, `x.zip/pbrain-x` does.
    """
    try:
        program = Path(split_command(command)[0])
    except (ValueError, IndexError):  # an unclosed quote, or no program
        return None
    for path in (program, *program.parents):
        if path.suffix.lower() == ZIP_SUFFIX and path.is_file():
            return path, program.relative_to(path).as_posix() if path != program else ""
    return None


def unpack_engine(command: str | Sequence[str], target: ZipTarget) -> UnpackedEngine:
    """Unpack the ZIP that a command starts, see `find_archive`, and choose its program; raise UsageError.

    Further arguments of the command are those of the program.
    """
    found = find_archive(command)
    assert found is not None
    archive, named = found
    folder = _unpack(archive)
    program = _choose_program(archive, folder, named, target)
    start = f".{os.sep}{program.name}"
    is_for_wine = _needs_wine(program)
    arguments = [_find_wine(), start] if is_for_wine else [start]
    return UnpackedEngine(
        join_command([*arguments, *split_command(command)[1:]]),
        str(program.parent),
        str(archive.absolute()),
        (WINE_VARIABLE,) if is_for_wine and WINE_VARIABLE[0] not in os.environ else (),
    )


def unpack_again(archive: str, directory: str) -> str:
    """Return the folder of the program of an earlier run, in the ZIP as it is now; raise UsageError for a damaged ZIP.

    `directory` is the folder then. It is returned if the ZIP is gone. If it is gone as well, or the changed ZIP has no
    such folder, the check of the engines reports that.
    """
    return _locate(_unpack(Path(archive)), directory) if Path(archive).is_file() else directory


def move_to_cache(archive: Path, directory: str) -> str:
    """Return the folder of the program on this machine; `directory` is that on the machine that has chosen it.

    Raise UsageError if the ZIP is not the one that was unpacked there.
    """
    folder = _unpack(archive)
    if folder.name != archive_digest(directory):
        raise UsageError(f"{archive.name} has changed since its program was chosen")
    return _locate(folder, directory)


def _locate(folder: Path, directory: str) -> str:
    """Return the same folder as `directory`, which is in the cache, in another unpacked ZIP."""
    return str(folder.joinpath(*_split(directory)[1:]))


def _split(directory: str) -> tuple[str, ...]:
    """Return the SHA-256 in the name of a folder of the cache, and the names of the folders below it."""
    parts = Path(directory).parts
    for index, (parent, name) in enumerate(pairwise(parts), 1):
        if parent == CACHE_NAME and _DIGEST.fullmatch(name):
            return parts[index:]
    raise UsageError(f"the folder of the program of a ZIP must be in the cache of ZIPs, not {directory!r}")


def archive_digest(directory: str) -> str:
    """Return the SHA-256 of the ZIP that was unpacked into a folder of the cache, which has it in its name."""
    return _split(directory)[0]


def _unpack(archive: Path) -> Path:
    from core.native.library_cache import cache_folder

    try:
        return unpack_archive(archive, cache_folder() / CACHE_NAME)
    except ArchiveError as error:
        raise UsageError(f"{archive}: {error}") from None


def _choose_program(archive: Path, folder: Path, named: str, target: ZipTarget) -> Path:
    """Return the program for a game; raise UsageError if there is none, or more than one that fits best."""
    brains = _list_brains(folder)
    programs = [path for path in brains if _can_run(path, target.has_wine)]
    if named:
        return _find_named(archive, folder, named, target.has_wine)
    if not programs:
        windows_names = [path.name for path in brains if path.suffix.lower() == EXE_SUFFIX]
        if windows_names and sys.platform != "win32":
            raise UsageError(f"{archive} has only Windows programs ({_join(windows_names)}): give --wine")
        others = f"; it has {_join([path.name for path in brains])}" if brains else ""
        raise UsageError(f"{archive} has no program for this system whose name begins with {PREFIX}-{others}")
    ranks = {path: rank_program(path.name, target.setup, is_native=not _needs_wine(path)) for path in programs}
    best = [path for path in programs if ranks[path] == max(ranks.values())]
    if len(best) > 1:
        names = [path.relative_to(folder).as_posix() for path in best]
        raise UsageError(f"{archive} has several programs ({_join(names)}): name one, as in {archive}/{names[0]}")
    return best[0]


def _find_named(archive: Path, folder: Path, named: str, has_wine: bool) -> Path:
    path = folder / named
    if ".." in Path(named).parts or not path.is_file():
        raise UsageError(f"{archive} has no program {named}; it has {_join([p.name for p in _list_brains(folder)])}")
    if not _can_run(path, has_wine):
        hint = ": give --wine" if _is_windows_program(path) and sys.platform != "win32" else ""
        raise UsageError(f"{archive}/{named} is no program for this system{hint}")
    return path


def rank_program(name: str, setup: Setup, *, is_native: bool = True) -> tuple[int, bool, bool]:
    """Return how well the name of a program fits a game, to be compared with that of other programs of the ZIP."""
    is_64_bit = platform.machine().endswith("64")
    return _rate_suffix(name, setup), is_native, ("64" in name) == is_64_bit


def _rate_suffix(name: str, setup: Setup) -> int:
    """Return 4 for a name with rule and size of the game, 3 for its rule, 2 for its size, 1 without both, else 0."""
    stem = name.lower().removesuffix(EXE_SUFFIX)
    found = _SUFFIX.search(_ARCHITECTURE.sub("", stem))
    if found is None:
        return 1
    rule, size = found["rule"], found["rule_size"] or found["size"]
    if (rule and rule != _rule_name(setup.variant)) or (size and size != str(setup.width)):
        return 0
    return 4 if rule and size else 3 if rule else 2


def _rule_name(variant: str) -> str:
    """Return the rule of a variant as the names of programs have it, such as caro for `caro-overline`."""
    from bots.gomoku.notation import CARO, EXACT, RENJU, parse_variant

    try:
        bits = parse_variant(variant)
    except BadSetup:  # the variant of an installed game
        return variant
    return "renju" if bits & RENJU else "caro" if bits & CARO else "standard" if bits & EXACT else "freestyle"


def _list_brains(folder: Path) -> list[Path]:
    """Return the files whose names begin with PREFIX: those at the root of the ZIP, or if there are none, all others.

    Gomocup wants the program at the root; many people pack a folder instead.
    """
    paths = [path for path in sorted(folder.rglob("*")) if path.name.lower().startswith(PREFIX) and path.is_file()]
    return [path for path in paths if path.parent == folder] or paths


def _can_run(path: Path, has_wine: bool) -> bool:
    if sys.platform == "win32":
        return _is_windows_program(path)
    return _is_native(path) or (has_wine and _is_windows_program(path))


def _needs_wine(path: Path) -> bool:
    return sys.platform != "win32" and _is_windows_program(path)


def _is_windows_program(path: Path) -> bool:
    return path.suffix.lower() == EXE_SUFFIX and _read_start(path).startswith(b"MZ")


def _is_native(path: Path) -> bool:
    """Return whether a file is a program for this machine, on a system other than Windows."""
    start = _read_start(path)
    if sys.platform == "darwin":
        return start.startswith(_MACH_O) and path.suffix != ".dylib"
    if not start.startswith(b"\x7fELF") or len(start) < _START_BYTES or _LIBRARY.search(path.name):
        return False
    kind, machine = struct.unpack((">" if start[5] == _BIG_ENDIAN else "<") + "16x2H", start)
    return kind in _ELF_EXECUTABLES and machine in _ELF_MACHINES.get(platform.machine(), (machine,))


def _read_start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_START_BYTES)


def _find_wine() -> str:
    name = next(filter(shutil.which, WINE_NAMES), None)
    if name is None:
        raise UsageError("--wine: wine is not installed (Debian: apt-get install wine64 wine)")
    return name


def _join(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MAX_SHOWN} more" if len(names) > _MAX_SHOWN else ""
    return ", ".join(names[:_MAX_SHOWN]) + more
