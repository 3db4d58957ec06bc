"""`pentad build`: makes the executables of the games with PyInstaller, unless they are up to date with the sources.

PyInstaller runs `build.spec` of the source checkout, which compiles the kernels and makes one executable per game. With
--windows this module compiles the kernels, and PyInstaller runs under wine on Linux (`arena/tools/windows.py`).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import threading
import zipfile
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil

from arena.errors import CommandFailedError, install_command
from arena.tools.smoke_test import smoke_test
from arena.tools.windows import (
    PYTHON_REQUIREMENT,
    WINE_EXIT_STATUSES,
    find_wine,
    keep_wine_up,
    provide_python,
    windows_path,
    wine_environment,
)
from arena.tools.windows import TARGET as WINDOWS_TARGET
from core.native.library_cache import cached_libraries, count_workers, cpu_levels
from core.play.game import Game
from core.system.build_progress import MARK, BuildProgress
from core.system.files import naming_file

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("build.spec", "pyproject.toml", "core", "bots", "protocols")  # files and folders that executables depend on
TOOLS = ("pyinstaller", "numba", "llvmlite", "numpy", "ziglang")  # packages whose versions executables depend on
STAMP_NAME = "build.json"  # beside the executables: hash of the sources and versions of the tools that made them
GOMOCUP_ARCHIVE_NAME = "pentad.zip"
MAX_GOMOCUP_ARCHIVE_BYTES = 8 * 2**20  # Gomocup accepts a larger archive only with a written reason
ONEDIR_FOLDER = "onedir"  # under dist/, for folders instead of single files; the name is also in build.spec
WINDOWS_FOLDER = "windows"  # under dist/ and build/, for Windows executables built on Linux
PYINSTALLER = ("-m", "PyInstaller", "build.spec", "--noconfirm")  # arguments of the Python interpreter
TAIL_LINE_COUNT = 30  # of PyInstaller's output, shown if it fails
END_GRACE_S = 3.0  # between the request to exit and the kill
LOW_PRIORITY = 10 if os.name == "posix" else 0x4000  # niceness; on Windows the priority class "below normal"
_EXECUTABLE_DONE = re.compile(r"step \d+ of \d+ done .*: (\S+)")  # line that build.spec prints for each executable

PrintLine = Callable[[str], None]


@dataclass(frozen=True)
class BuildPlan:
    """The executables to be made, their form and their folder."""

    games: tuple[Game, ...]  # one executable each
    onedir: bool = False  # make folders, which start faster, instead of single files
    root: Path = ROOT  # the source checkout
    low_priority: bool = False  # let other processes of the machine go first
    windows: bool = False  # make Windows executables on Linux with wine

    @property
    def dist(self) -> Path:
        """Return the folder of the executables; that of `onedir` differs, so that single files are not replaced."""
        return self.dist_root / (ONEDIR_FOLDER if self.onedir else "")

    @property
    def dist_root(self) -> Path:
        """Return the folder for PyInstaller's --distpath, to which build.spec adds `onedir`."""
        return self.root / "dist" / (WINDOWS_FOLDER if self.windows else "")

    @property
    def work(self) -> Path:
        """Return the folder of the build's log and intermediate files."""
        return self.root / "build" / (WINDOWS_FOLDER if self.windows else "")

    def executable(self, game: Game) -> Path:
        """Return the path of a game's executable."""
        name = game.executable + (".exe" if os.name == "nt" or self.windows else "")
        return self.dist / game.executable / name if self.onedir else self.dist / name


def build(plan: BuildPlan, print_line: PrintLine) -> bool:
    """Make the executables and print the steps with `print_line`; return False if they were up to date.

    Raise CommandFailedError if the build fails.
    """
    return Build(plan, print_line).run()


class Build:
    """A build that another thread can end. It calls `on_built` with each game whose executable has been made."""

    def __init__(
        self, plan: BuildPlan, print_line: PrintLine, on_built: Callable[[Game], None] = lambda _: None
    ) -> None:
        self._plan = plan
        self._print_line = print_line
        self._on_built = on_built
        self._process: subprocess.Popen[str] | None = None
        self._is_ended = False
        self._lock = threading.Lock()

    def run(self) -> bool:
        """Make the executables; return False if they were up to date. Raise CommandFailedError if the build fails."""
        plan = self._plan
        if not (plan.root / "build.spec").is_file():
            raise CommandFailedError(f"no build.spec in {plan.root}: executables are built from a source checkout")
        stamp = {"digest": digest_sources(plan.root), "onedir": plan.onedir, "tools": describe_tools(plan.windows)}
        if is_up_to_date(plan, stamp):
            return False
        stamp_path = plan.dist / STAMP_NAME
        stamp_path.unlink(missing_ok=True)  # so that an interrupted build does not look finished
        with keep_wine_up() if plan.windows else contextlib.nullcontext():
            self._run_pyinstaller()
        missing = [str(plan.executable(game)) for game in plan.games if not plan.executable(game).is_file()]
        if missing:
            raise CommandFailedError(f"the build ended without {', '.join(missing)}")
        stamp_path.write_text(json.dumps(stamp, indent=2) + "\n", encoding="utf-8")
        return True

    def end(self) -> None:
        """End a running build, and prevent one that has not started."""
        with self._lock:
            self._is_ended = True
        if self._process:
            _end_tree(self._process.pid)

    def _run_pyinstaller(self) -> None:
        """Run PyInstaller on build.spec and write its output to a log; raise CommandFailedError with the last lines."""
        work = self._plan.work
        work.mkdir(parents=True, exist_ok=True)
        command, environment = self._prepare_windows() if self._plan.windows else self._prepare()
        log_path = work / "pyinstaller.log"
        tail: deque[str] = deque(maxlen=TAIL_LINE_COUNT)
        start = partial(self._start, command, environment)
        with naming_file(log_path), log_path.open("w", encoding="utf-8") as log, start() as process:
            try:
                assert process.stdout is not None
                for line in process.stdout:
                    log.write(line)
                    tail.append(line)
                    self._handle_line(line)
            except BaseException:
                _end_tree(process.pid)
                raise
        if process.returncode:
            raise CommandFailedError(f"PyInstaller failed; {log_path} ends with\n{''.join(tail).rstrip()}")

    def _prepare(self) -> tuple[list[str], dict[str, str]]:
        """Return the command and the environment of PyInstaller for this system."""
        command = [sys.executable, *PYINSTALLER, "--distpath", str(self._plan.dist_root)]
        return [*command, "--workpath", str(self._plan.work)], dict(os.environ)

    def _prepare_windows(self) -> tuple[list[str], dict[str, str]]:
        """Compile the kernels for Windows, and return the command and the environment of PyInstaller under wine.

        build.spec takes the compiled kernels from the folder in PENTAD_NATIVE.
        """
        python = provide_python(self._print_line)
        native = self._plan.work / "native"
        shutil.rmtree(native, ignore_errors=True)
        levels = {game.name: cpu_levels(WINDOWS_TARGET, game.has_avx512_kernels) for game in self._plan.games}
        steps = BuildProgress(count_workers(), self._print_line)
        for game, folders in cached_libraries(levels, WINDOWS_TARGET, steps):
            for folder in folders:
                shutil.copytree(folder, native / game, dirs_exist_ok=True)
        dist, work = windows_path(self._plan.dist_root), windows_path(self._plan.work)
        command = python.command(*PYINSTALLER, "--distpath", dist, "--workpath", work)
        return command, wine_environment() | {"PENTAD_NATIVE": windows_path(native)}

    def _start(self, command: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
        """Start PyInstaller; raise CommandFailedError if `end` has been called."""
        with self._lock:
            if self._is_ended:
                raise CommandFailedError("the build was ended")
            self._process = subprocess.Popen(
                command,
                cwd=self._plan.root,
                env=environment | {"PENTAD_ONEDIR": "1" if self._plan.onedir else "0"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            )
        if self._plan.low_priority:
            with contextlib.suppress(psutil.Error):  # the process may have ended
                psutil.Process(self._process.pid).nice(LOW_PRIORITY)
        return self._process

    def _handle_line(self, line: str) -> None:
        """Print a line if it is a message of build.spec (begins with MARK), and test the executable that it reports."""
        if line.startswith(MARK):
            text = line.removeprefix(MARK).strip()
            self._print_line(text)
            match = _EXECUTABLE_DONE.fullmatch(text)
            for game in self._plan.games:
                if match and match[1] == game.executable:
                    self._smoke_test(game)
                    self._on_built(game)

    def _smoke_test(self, game: Game) -> None:
        """Run the smoke test of a game's executable and print the time to its first answer."""
        program = str(self._plan.executable(game))
        if self._plan.windows:
            answer_s = smoke_test([find_wine(), program], game.protocol, wine_environment(), WINE_EXIT_STATUSES)
        else:
            answer_s = smoke_test([program], game.protocol)
        self._print_line(f"{game.executable} answers, {answer_s:.2f} s after its start")


def _end_tree(pid: int) -> None:
    """End a process and its descendants, and kill those that do not exit in time.

    On POSIX they are interrupted as by Ctrl-C, so that they clean up. On Windows they are terminated at once.
    """
    with contextlib.suppress(psutil.Error):  # the process may have ended
        parent = psutil.Process(pid)
        processes = [*parent.children(recursive=True), parent]
        for process in processes:
            with contextlib.suppress(psutil.Error):  # it may have ended
                process.send_signal(signal.SIGINT) if os.name == "posix" else process.terminate()
        for process in psutil.wait_procs(processes, END_GRACE_S)[1]:
            with contextlib.suppress(psutil.Error):  # it may have ended
                process.kill()


def is_up_to_date(plan: BuildPlan, stamp: dict[str, object]) -> bool:
    """Return whether all executables exist and were made with sources, tools and form as in `stamp`."""
    try:
        stored_stamp = json.loads((plan.dist / STAMP_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # never built, or damaged: build
        return False
    return bool(stored_stamp == stamp) and all(plan.executable(game).is_file() for game in plan.games)


def digest_sources(root: Path) -> str:
    """Return a SHA-256 over the names and contents of all files in SOURCES, without bytecode."""
    total = hashlib.sha256()
    for path in _iter_sources(root):
        total.update(f"{path.relative_to(root).as_posix()}\n".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def describe_tools(windows: bool = False) -> dict[str, str]:
    """Return the platform and the versions of Python and TOOLS; raise CommandFailedError if a tool is not installed."""
    versions = {"python": platform.python_version(), "platform": f"{sys.platform} {platform.machine()}"}
    if windows:
        versions = {"python": PYTHON_REQUIREMENT, "platform": "win32 AMD64"}
    for tool in TOOLS:
        try:
            versions[tool] = version(tool)
        except PackageNotFoundError:
            raise CommandFailedError(f"{tool} is not installed: {install_command('build')}") from None
    return versions


def pack_for_gomocup(plan: BuildPlan) -> Path:
    """Write the ZIP for Gomocup, the tournament of Gomoku programs, and return its path.

    The executable is at the root of the ZIP; in a onedir build its further files are beside it. The ZIP has the same
    path in both kinds of build.

    Raise CommandFailedError if no game of the plan is Gomoku, or if the ZIP is larger than Gomocup accepts.
    """
    game = next((game for game in plan.games if game.protocol == "gomocup"), None)
    if game is None:
        raise CommandFailedError("no game of this build uses the Gomocup protocol")
    archive, executable = plan.dist_root / GOMOCUP_ARCHIVE_NAME, plan.executable(game)
    paths = sorted(executable.parent.rglob("*")) if plan.onedir else [executable]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for path in paths:
            file.write(path, path.relative_to(executable.parent))
    size = archive.stat().st_size
    if size > MAX_GOMOCUP_ARCHIVE_BYTES:
        raise CommandFailedError(f"{archive} has {size} bytes; Gomocup accepts {MAX_GOMOCUP_ARCHIVE_BYTES}")
    return archive


def _iter_sources(root: Path) -> Iterable[Path]:
    for name in SOURCES:
        top = root / name
        paths = sorted(top.rglob("*")) if top.is_dir() else [top]
        yield from (path for path in paths if path.is_file() and "__pycache__" not in path.parts)
