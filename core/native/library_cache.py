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
COMPILE_BYTES = 640 << 20  # memory of a process that compiles a game; Hex, the largest, took 540 MiB
COMPILE_S_PER_KIB = 0.3  # seconds per KiB of kernel sources, for all CPU levels of x86-64 together
_PARSING = Lock()  # ast.parse in several threads at once raises SystemError now and then in Python 3.11


def build_libraries(game: str, folders: Mapping[str, Path], target: str) -> None:
    """Write the library of each CPU level, and its manifest, into the level's folder; raise KernelError.

    `folders` maps each CPU level to its folder. `target` is a key of TRIPLES in core/native/aot.py. The kernels are
    translated once for all levels, which is most of the work.
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
    avx512 = (AVX512_LEVEL,) if target == "x86_64-linux" and with_avx512 else ()
    return (*avx512, *LEVELS[target.split("-", maxsplit=1)[0]])


def cached_library(game: str, level: str) -> Path:
    """Return the cache folder with the library of a game for this system; compile it first if it is missing.

    If another process is compiling it, wait, with a message. A library that another user could have written is compiled
    again. Raise KernelError if it cannot be compiled, UnsafeFileError if the cache folder belongs to another user.
    """

    def announce(folder: Path) -> None:
        duration = format_duration(guess_seconds(game))
        say(f"compiling the {game} kernels for {level} into {folder}: once, about {duration}")

    return _compile_missing(game, host_target(), (level,), announce)[level]


def cached_libraries(
    levels: Mapping[str, Sequence[str]], target: str, steps: BuildProgress
) -> Iterator[tuple[str, list[Path]]]:
    """Compile the missing libraries; yield each game with the cache folders of its levels as soon as they are ready.

    `levels` maps each game to the CPU levels to compile for. Several games are compiled side by side, each in a process
    of its own. `steps` gets one step for each game to be compiled and announces all of them. Raise as `cached_library`
    does.
    """
    folders = {game: _cache_folders(game, target, game_levels) for game, game_levels in levels.items()}
    missing = sorted((game for game in levels if _unusable_folders(game, target, folders[game])), key=guess_seconds)
    for game in missing:
        steps.add(name_step(game), guess_seconds(game))
    steps.announce()
    pool = ThreadPoolExecutor(count_workers())
    # First the game that compiles fastest, because the user may be waiting for a first result. Then the slowest ones,
    # because a slow one that starts last would finish alone.
    futures = {
        pool.submit(_run_step, game, target, levels[game], steps): game
        for game in (*missing[:1], *reversed(missing[1:]))
    }

    def finish() -> Iterator[tuple[str, list[Path]]]:
        try:
            for game in levels:
                if game not in missing:
                    yield game, list(folders[game].values())
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)

    return finish()


def _run_step(game: str, target: str, levels: Sequence[str], steps: BuildProgress) -> list[Path]:
    """Compile one game's missing libraries as a step of `steps`; return the cache folders of all its levels."""
    steps.begin(name_step(game))
    folders = _compile_missing(game, target, levels)
    steps.end(name_step(game))
    return list(folders.values())


def _compile_missing(
    game: str, target: str, levels: Sequence[str], announce: Callable[[Path], None] | None = None
) -> dict[str, Path]:
    """Compile the libraries that are missing or unsafe; return the cache folder of each level.

    `announce(folder)` is called before compiling; it is for calls with one level.
    """
    folders = _cache_folders(game, target, levels)
    if _unusable_folders(game, target, folders):
        with _compile_lock(game):
            unusable = _unusable_folders(game, target, folders)  # again: another process may have compiled meanwhile
            for reason in filter(None, unusable.values()):
                say(reason)
            missing = {level: folders[level] for level in unusable}
            if missing:
                if announce:
                    announce(*missing.values())
                _build_into(game, target, missing)
    return folders


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
def _compile_lock(game: str) -> Iterator[None]:
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


def _cache_folders(game: str, target: str, levels: Sequence[str]) -> dict[str, Path]:
    """Return the cache folder of each level, existing or not. The level is in the name: machines may share a home."""
    cache = cache_folder()
    make_private_folder(cache)
    key = source_hash(game)
    target_prefix = "" if target == host_target() else f"{target}-"
    return {level: cache / f"{game}-{target_prefix}{level}-{key}" for level in levels}


def _unusable_folders(game: str, target: str, folders: Mapping[str, Path]) -> dict[str, str]:
    """Return the levels whose cache folder cannot be used, each with the result of `_refusal_reason`."""
    suffix = library_suffix(target)
    reasons = {level: _refusal_reason(folder, f"{game}-{level}{suffix}", game) for level, folder in folders.items()}
    return {level: reason for level, reason in reasons.items() if reason is not None}


def _refusal_reason(folder: Path, library: str, game: str) -> str | None:
    """Return None if a cache folder can be used, an empty text if it is missing, or why it is not safe."""
    try:
        check_trusted(folder, folder / (game + MANIFEST_SUFFIX), folder / library)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except UnsafeFileError as error:
        return str(error)
    return None


def _build_into(game: str, target: str, folders: Mapping[str, Path]) -> None:
    """Build libraries in a temporary folder and move them to their cache folders, replacing unusable ones."""
    with tempfile.TemporaryDirectory(prefix=".build-", dir=cache_folder(), ignore_cleanup_errors=True) as work:
        built = {level: Path(work) / level for level in folders}  # `work` is readable by its owner only
        build_libraries(game, built, target)
        for level, folder in folders.items():
            for path in (built[level], *built[level].iterdir()):
                deny_write_to_others(path)
            if folder.is_symlink():
                folder.unlink()
            elif folder.exists():
                folder.rename(Path(work) / f"{level}.old")
            built[level].rename(folder)


def source_hash(game: str) -> str:
    """Return a hash of what the library depends on: kernel sources, the modules they import, versions of the tools."""
    digest = hashlib.sha256()
    for file in kernel_sources(game):
        digest.update(file.name.encode() + file.read_bytes())
    digest.update(" ".join(f"{tool} {version(tool)}" for tool in _TOOLS).encode())
    return digest.hexdigest()[:16]


def kernel_sources(game: str) -> list[Path]:
    """Return the files of this project that a game's kernels depend on, and those of the compilation.

    They are found by following the imports from the game's kernel module.
    """
    compilation = ("aot", "link", "signature")
    waiting = [kernel_module_name(game), *(f"core.native.{name}" for name in compilation)]
    files: dict[str, Path] = {}  # by module name
    while waiting:
        module = waiting.pop()
        file = _ROOT / (module.replace(".", "/") + ".py")
        if module in files or not file.exists():
            continue
        files[module] = file
        with _PARSING:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                waiting += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                waiting += [alias.name for alias in node.names]
    return [files[module] for module in sorted(files)]


def cache_folder() -> Path:
    """Return the project's folder inside the system's folder for a user's caches."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "pentad" / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "pentad"
    return Path(os.environ.get("XDG_CACHE_HOME", home / ".cache")) / "pentad"
