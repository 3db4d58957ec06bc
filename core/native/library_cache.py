"""Compile the native library of a game and keep it in the user's cache folder until its sources or tools change."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

from core.native.aot import LEVELS, compile_objects
from core.native.library import AVX512_LEVEL, MANIFEST_SUFFIX, kernel_module_name
from core.native.link import host_target, library_suffix, link_library
from core.native.machine import free_memory, list_processors
from core.system.build_progress import BuildProgress, format_duration, say
from core.system.ownership import UnsafeFileError, check_trusted, deny_write_to_others, make_private_folder

_ROOT = Path(__file__).parents[2]
_TOOLS = ("numba", "llvmlite", "numpy", "ziglang")
COMPILE_BYTES = 640 << 20  # memory of a process that compiles a game; Hex took 540 MiB
COMPILE_S_PER_KIB = 0.3  # of sources, for all levels of x86-64
_PARSING = Lock()  # ast.parse in several threads at once raises SystemError now and then in Python 3.11


def build_libraries(game: str, folders: Mapping[str, Path], target: str) -> None:
    """Write the library of each CPU level, and its manifest, into the level's folder; raise KernelError.

    The kernels are translated once for all of them, which is most of the work.
    """
    with tempfile.TemporaryDirectory() as work:
        objects = {level: Path(work) / f"{level}.o" for level in folders}
        compile_objects(kernel_module_name(game), target, objects)
        for level, folder in folders.items():
            folder.mkdir(parents=True, exist_ok=True)
            link_library(objects[level], target, folder / f"{game}-{level}{library_suffix(target)}")
            declared: dict[str, Any] = json.loads(objects[level].with_suffix(".json").read_text(encoding="utf-8"))
            manifest = {**declared, "suffix": library_suffix(target)}
            (folder / (game + MANIFEST_SUFFIX)).write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def cpu_levels(target: str, with_avx512: bool = False) -> tuple[str, ...]:
    """Return the CPU levels that kernels are compiled for on a target, best first."""
    wide = (AVX512_LEVEL,) if target == "x86_64-linux" and with_avx512 else ()
    return (*wide, *LEVELS[target.split("-", maxsplit=1)[0]])


def cached_library(game: str, level: str) -> Path:
    """Return the cache folder with the library of a game for this system; compile it first if it is missing.

    If another process is compiling it, wait, with a message. A library that another user could have written is compiled
    again. Raise KernelError if it cannot be compiled, UnsafeFileError if the cache folder belongs to another user.
    """

    def announce(folder: Path) -> None:
        about = format_duration(guess_seconds(game))
        say(f"compiling the {game} kernels for {level} into {folder}: once, about {about}")

    return _provide(game, host_target(), (level,), announce)[level]


def cached_libraries(
    levels: Mapping[str, Sequence[str]], target: str, steps: BuildProgress
) -> Iterator[tuple[str, list[Path]]]:
    """Compile what is missing; yield each game with the cache folders of its levels as soon as they are ready.

    Several are compiled side by side, each in a process of its own. `steps` gets one for each game that is to be
    compiled, and tells all of them. Raise as `cached_library` does.
    """
    places = {game: _find_places(game, target, wanted) for game, wanted in levels.items()}
    missing = sorted((game for game in levels if _list_faults(game, target, places[game])), key=guess_seconds)
    for game in missing:
        steps.add(name_step(game), guess_seconds(game))
    steps.announce()
    pool = ThreadPoolExecutor(count_workers())
    # the shortest first, for somebody may be waiting for any, then the longest, which would be waited for at the end
    futures = {
        pool.submit(_provide_step, game, target, levels[game], steps): game
        for game in (*missing[:1], *reversed(missing[1:]))
    }

    def finish() -> Iterator[tuple[str, list[Path]]]:
        try:
            for game in levels:
                if game not in missing:
                    yield game, list(places[game].values())
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)

    return finish()


def _provide_step(game: str, target: str, levels: Sequence[str], steps: BuildProgress) -> list[Path]:
    steps.begin(name_step(game))
    found = _provide(game, target, levels)
    steps.end(name_step(game))
    return list(found.values())


def _provide(
    game: str, target: str, levels: Sequence[str], announce: Callable[[Path], None] | None = None
) -> dict[str, Path]:
    """Compile what is missing and return the cache folder of each level. `announce` is called before compiling."""
    places = _find_places(game, target, levels)
    if _list_faults(game, target, places):
        with _hold(game):
            faults = _list_faults(game, target, places)
            for fault in filter(None, faults.values()):
                say(fault)
            missing = {level: places[level] for level in faults}
            if missing:
                if announce:
                    announce(*missing.values())
                _build_into(game, target, missing)
    return places


def name_step(game: str) -> str:
    """Return the name of the build step that compiles a game's kernels."""
    return f"{game} kernels"


def count_workers() -> int:
    """Return how many kernel sets can be compiled in parallel with the processors and the memory available."""
    return max(1, min(len(list_processors()), free_memory() // COMPILE_BYTES))


def guess_seconds(game: str) -> float:
    """Estimate the compile time of a game's kernels from the size of their sources."""
    return COMPILE_S_PER_KIB * sum(file.stat().st_size for file in kernel_sources(game)) / 1024


@contextmanager
def _hold(game: str) -> Iterator[None]:
    """Hold a file lock, so that only one process compiles a game's libraries."""
    from filelock import FileLock, Timeout

    lock = FileLock(cache_folder() / f"{game}-{source_hash(game)}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        say(f"another process is compiling the {game} kernels; waiting for it")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _find_places(game: str, target: str, levels: Sequence[str]) -> dict[str, Path]:
    """Return the cache folder of each level, existing or not. The level is in the name: machines may share a home."""
    cache = cache_folder()
    make_private_folder(cache)
    key = source_hash(game)
    other = "" if target == host_target() else f"{target}-"
    return {level: cache / f"{game}-{other}{level}-{key}" for level in levels}


def _list_faults(game: str, target: str, places: Mapping[str, Path]) -> dict[str, str]:
    """Return what is wrong with the cache folders that cannot be used, by level."""
    suffix = library_suffix(target)
    found = {level: _find_fault(folder, f"{game}-{level}{suffix}", game) for level, folder in places.items()}
    return {level: fault for level, fault in found.items() if fault is not None}


def _find_fault(folder: Path, library: str, game: str) -> str | None:
    """Return None if a cache folder can be used, an empty text if it is missing, or why it is not safe."""
    try:
        check_trusted(folder, folder / (game + MANIFEST_SUFFIX), folder / library)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except UnsafeFileError as error:
        return str(error)
    return None


def _build_into(game: str, target: str, places: Mapping[str, Path]) -> None:
    """Build libraries in a temporary folder and move them to their cache folders, replacing unusable ones."""
    with tempfile.TemporaryDirectory(prefix=".build-", dir=cache_folder(), ignore_cleanup_errors=True) as work:
        fresh = {level: Path(work) / level for level in places}  # all of it closed to others
        build_libraries(game, fresh, target)
        for level, folder in places.items():
            for path in (fresh[level], *fresh[level].iterdir()):
                deny_write_to_others(path)
            if folder.is_symlink():
                folder.unlink()
            elif folder.exists():
                folder.rename(Path(work) / f"{level}.old")
            fresh[level].rename(folder)


def source_hash(game: str) -> str:
    """Return a hash of everything that the library depends on: kernel sources, their imports, versions of the tools."""
    digest = hashlib.sha256()
    for file in kernel_sources(game):
        digest.update(file.name.encode() + file.read_bytes())
    digest.update(" ".join(f"{tool} {version(tool)}" for tool in _TOOLS).encode())
    return digest.hexdigest()[:16]


def kernel_sources(game: str) -> list[Path]:
    """Return our source files that a game's kernels depend on, found by following imports, and those of the builder."""
    builder = ("aot", "link", "record", "signature")
    waiting = [kernel_module_name(game), *(f"core.native.{name}" for name in builder)]
    found: dict[str, Path] = {}
    while waiting:
        module = waiting.pop()
        file = _ROOT / (module.replace(".", "/") + ".py")
        if module in found or not file.exists():
            continue
        found[module] = file
        with _PARSING:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                waiting += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                waiting += [alias.name for alias in node.names]
    return [found[module] for module in sorted(found)]


def cache_folder() -> Path:
    """Return the folder for our caches in the place where this system keeps a user's caches."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "pentad" / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "pentad"
    return Path(os.environ.get("XDG_CACHE_HOME", home / ".cache")) / "pentad"
