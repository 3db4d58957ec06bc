"""Building a game's native library once into the user's cache folder, for a source tree and for the executables."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

from core.aot import LEVELS, compile_object
from core.library import MANIFEST_SUFFIX, kernel_module
from core.link import host_target, library_suffix, link_library
from core.ownership import UnsafeFileError, check_own, close_to_others, make_own_folder

_ROOT = Path(__file__).parent.parent
_TOOLS = ("numba", "llvmlite", "numpy", "ziglang")
_PARSING = Lock()  # ast.parse in several threads at once raises SystemError now and then in Python 3.11


def build_library(game: str, folder: Path, target: str, level: str) -> None:
    """Write the library for a target and CPU level, and its manifest, into `folder`; raise KernelError."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        compiled = Path(work) / f"{game}.o"
        compile_object(kernel_module(game), target, level, compiled)
        link_library(compiled, target, folder / f"{game}-{level}{library_suffix(target)}")
        declared: dict[str, Any] = json.loads(compiled.with_suffix(".json").read_text(encoding="utf-8"))
    manifest = {**declared, "suffix": library_suffix(target)}
    (folder / (game + MANIFEST_SUFFIX)).write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def collect_for_host(games: Sequence[str], folder: Path) -> None:
    """Copy the libraries of every CPU level of this machine's architecture into a folder for each game."""
    wanted = [(game, level) for level in LEVELS[host_target().split("-")[0]] for game in games]
    for (game, _), built in zip(wanted, provide_libraries(wanted), strict=True):
        shutil.copytree(built, folder / game, dirs_exist_ok=True)


def provide_libraries(wanted: Iterable[tuple[str, str]]) -> list[Path]:
    """The cache folders with the libraries of games and CPU levels; each compiles in a process of its own."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda each: provide_library(*each), wanted))


def provide_library(game: str, level: str) -> Path:
    """The cache folder with the library of a game for this system, built first where sources or tools have changed.

    A second process that wants it at the same time waits for the first. One that others could have written is built
    anew. Raise KernelError, and UnsafeFileError where the cache folder is not this user's.
    """
    from filelock import FileLock

    folder = cache_folder() / f"{game}-{level}-{source_hash(game)}"  # machines with unlike CPUs may share a home
    make_own_folder(folder.parent)
    if _find_fault(folder, game, level) is None:
        return folder
    with FileLock(f"{folder}.lock"):
        fault = _find_fault(folder, game, level)
        if fault is not None:
            if fault:
                print(f"pentad: {fault}", file=sys.stderr, flush=True)
            print(f"pentad: compiling the {game} kernels for {level} once into {folder}", file=sys.stderr, flush=True)
            _build_into(folder, game, level)
    return folder


def _find_fault(folder: Path, game: str, level: str) -> str | None:
    """None where a cache folder can be used; empty where it is not there, else why others could have written it."""
    files = (folder / (game + MANIFEST_SUFFIX), folder / f"{game}-{level}{library_suffix(host_target())}")
    try:
        check_own(folder, *files)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except UnsafeFileError as error:
        return str(error)
    return None


def _build_into(folder: Path, game: str, level: str) -> None:
    """Build a library beside its place and put it there when it is whole, in the place of one that is no good."""
    with tempfile.TemporaryDirectory(prefix=".build-", dir=folder.parent) as work:  # closed to others
        fresh = Path(work) / folder.name
        build_library(game, fresh, host_target(), level)
        for path in (fresh, *fresh.iterdir()):
            close_to_others(path)
        if folder.is_symlink():
            folder.unlink()
        elif folder.exists():
            old = folder.with_name(Path(work).name + ".old")
            folder.rename(old)
            shutil.rmtree(old, ignore_errors=True)
        fresh.rename(folder)


def source_hash(game: str) -> str:
    """Hash of all that the library is made from: the kernel module with what it imports, tools and their versions."""
    digest = hashlib.sha256()
    for file in kernel_sources(game):
        digest.update(file.name.encode() + file.read_bytes())
    digest.update(" ".join(f"{tool} {version(tool)}" for tool in _TOOLS).encode())
    return digest.hexdigest()[:16]


def kernel_sources(game: str) -> list[Path]:
    """Our own source files that a game's kernels are made from, found by following the imports, and the builder's."""
    waiting = [kernel_module(game), "core.aot", "core.link", "core.record", "core.signature"]
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
    """Where this system keeps a user's caches."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "pentad" / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "pentad"
    return Path(os.environ.get("XDG_CACHE_HOME", home / ".cache")) / "pentad"

