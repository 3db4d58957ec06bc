"""`pentad build`: makes the executables of all games with PyInstaller, once for each state of the sources."""

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
from arena.tools.talk import talk
from arena.tools.windows import (
    ARCHIVE,
    WINE_ENDS,
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
SOURCES = ("build.spec", "pyproject.toml", "core", "bots", "protocols")  # what the executables are made of
TOOLS = ("pyinstaller", "numba", "llvmlite", "numpy", "ziglang")
STAMP_NAME = "build.json"  # stands beside the executables and says what they were made of
ARCHIVE_NAME = "pentad.zip"
ARCHIVE_LIMIT_BYTES = 8 * 2**20  # Gomocup takes no larger one without a written reason
ONEDIR_FOLDER = "onedir"  # under dist/, as build.spec has it
WINDOWS_FOLDER = "windows"  # under dist/ and build/, for what is made for Windows elsewhere
PYINSTALLER = ("-m", "PyInstaller", "build.spec", "--noconfirm")
TAIL_LINES = 30
END_GRACE_S = 3.0  # from being asked to end to being killed
GIVING_WAY = 10 if os.name == "posix" else 0x4000  # niceness, and on Windows the priority class "below normal"
_MADE = re.compile(r"step \d+ of \d+ done .*: (\S+)")  # the line of build.spec's that names an executable

Tell = Callable[[str], None]


@dataclass(frozen=True)
class BuildPlan:
    """Which executables to make and where. With `onedir` each is a folder that starts faster than one file.

    With `gives_way` whatever else runs on the machine goes before the build. With `windows` they are made for Windows
    on a Linux that has wine, in a folder of their own.
    """

    games: tuple[Game, ...]
    onedir: bool = False
    root: Path = ROOT
    gives_way: bool = False
    windows: bool = False

    @property
    def dist(self) -> Path:
        """Where the executables come to lie; folders have one of their own, so that the single files stay."""
        return self.dist_root / (ONEDIR_FOLDER if self.onedir else "")

    @property
    def dist_root(self) -> Path:
        """What PyInstaller is told of that."""
        return self.root / "dist" / (WINDOWS_FOLDER if self.windows else "")

    @property
    def work(self) -> Path:
        """Where the build keeps its log and what it makes on the way."""
        return self.root / "build" / (WINDOWS_FOLDER if self.windows else "")

    def executable(self, game: Game) -> Path:
        """Path of a game's executable."""
        name = game.executable + (".exe" if os.name == "nt" or self.windows else "")
        return self.dist / game.executable / name if self.onedir else self.dist / name


def build(plan: BuildPlan, tell: Tell) -> bool:
    """Make the executables; False where they were up to date. `tell` hears the steps; raise CommandFailedError."""
    return Build(plan, tell).run()


class Build:
    """A build that another thread may end. `made` hears of each game whose executable stands."""

    def __init__(self, plan: BuildPlan, tell: Tell, made: Callable[[Game], None] = lambda _: None) -> None:
        self._plan = plan
        self._tell = tell
        self._made = made
        self._process: subprocess.Popen[str] | None = None
        self._is_ended = False
        self._lock = threading.Lock()

    def run(self) -> bool:
        """Make the executables; False where they were up to date. Raise CommandFailedError."""
        plan = self._plan
        if not (plan.root / "build.spec").is_file():
            raise CommandFailedError(f"no build.spec in {plan.root}: executables are built from a source checkout")
        stamp = {"digest": digest_sources(plan.root), "onedir": plan.onedir, "tools": describe_tools(plan.windows)}
        if is_up_to_date(plan, stamp):
            return False
        stamp_path = plan.dist / STAMP_NAME
        stamp_path.unlink(missing_ok=True)  # a build that breaks off must not look finished
        with keep_wine_up() if plan.windows else contextlib.nullcontext():
            self._run_pyinstaller()
        missing = [str(plan.executable(game)) for game in plan.games if not plan.executable(game).is_file()]
        if missing:
            raise CommandFailedError(f"the build ended without {', '.join(missing)}")
        stamp_path.write_text(json.dumps(stamp, indent=2) + "\n", encoding="utf-8")
        return True

    def end(self) -> None:
        """End a running build, and do not begin another one."""
        with self._lock:
            self._is_ended = True
        if self._process:
            _end_tree(self._process.pid)

    def _run_pyinstaller(self) -> None:
        """Run PyInstaller over build.spec, keep its output in a log beside it, and show its end on failure."""
        work = self._plan.work
        work.mkdir(parents=True, exist_ok=True)
        command, environment = self._prepare_windows() if self._plan.windows else self._prepare()
        log_path = work / "pyinstaller.log"
        tail: deque[str] = deque(maxlen=TAIL_LINES)
        start = partial(self._start, command, environment)
        with naming_file(log_path), log_path.open("w", encoding="utf-8") as log, start() as process:
            try:
                assert process.stdout is not None
                for line in process.stdout:
                    log.write(line)
                    tail.append(line)
                    self._hear(line)
            except BaseException:
                _end_tree(process.pid)
                raise
        if process.returncode:
            raise CommandFailedError(f"PyInstaller failed; {log_path} ends with\n{''.join(tail).rstrip()}")

    def _prepare(self) -> tuple[list[str], dict[str, str]]:
        """The command that builds here, and its environment."""
        command = [sys.executable, *PYINSTALLER, "--distpath", str(self._plan.dist_root)]
        return [*command, "--workpath", str(self._plan.work)], dict(os.environ)

    def _prepare_windows(self) -> tuple[list[str], dict[str, str]]:
        """The same under wine, after the kernels have been compiled here."""
        python = provide_python(self._tell)
        native = self._plan.work / "native"
        shutil.rmtree(native, ignore_errors=True)
        levels = {game.name: cpu_levels(game.name, WINDOWS_TARGET) for game in self._plan.games}
        steps = BuildProgress(count_workers(), self._tell)
        for game, folders in cached_libraries(levels, WINDOWS_TARGET, steps):
            for folder in folders:
                shutil.copytree(folder, native / game, dirs_exist_ok=True)
        places = [windows_path(self._plan.dist_root), "--workpath", windows_path(self._plan.work)]
        command = python.command(*PYINSTALLER, "--distpath", *places)
        return command, wine_environment() | {"PENTAD_NATIVE": windows_path(native)}

    def _start(self, command: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
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
        if self._plan.gives_way:
            with contextlib.suppress(psutil.Error):  # ended already
                psutil.Process(self._process.pid).nice(GIVING_WAY)
        return self._process

    def _hear(self, line: str) -> None:
        """Pass on what is meant for a person."""
        if line.startswith(MARK):
            text = line.removeprefix(MARK).strip()
            self._tell(text)
            made = _MADE.fullmatch(text)
            for game in self._plan.games:
                if made and made[1] == game.executable:
                    self._try(game)
                    self._made(game)

    def _try(self, game: Game) -> None:
        """Talk to an executable as its host will."""
        program = str(self._plan.executable(game))
        if self._plan.windows:
            first_s = talk([find_wine(), program], game.protocol, wine_environment(), WINE_ENDS)
        else:
            first_s = talk([program], game.protocol, os.environ)
        self._tell(f"{game.executable} answers, {first_s:.2f} s after its start")


def _end_tree(pid: int) -> None:
    """Ask a process and its descendants to end as Ctrl-C does, so that they tidy up, and kill what has not."""
    with contextlib.suppress(psutil.Error):
        parent = psutil.Process(pid)
        members = [*parent.children(recursive=True), parent]
        for member in members:
            with contextlib.suppress(psutil.Error):  # ended meanwhile
                member.send_signal(signal.SIGINT) if os.name == "posix" else member.terminate()
        for member in psutil.wait_procs(members, END_GRACE_S)[1]:
            with contextlib.suppress(psutil.Error):
                member.kill()


def is_up_to_date(plan: BuildPlan, stamp: dict[str, object]) -> bool:
    """Whether all executables are there and were made of what `stamp` says."""
    try:
        before = json.loads((plan.dist / STAMP_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # never built, or damaged: build
        return False
    return bool(before == stamp) and all(plan.executable(game).is_file() for game in plan.games)


def digest_sources(root: Path) -> str:
    """SHA-256 over names and contents of all sources."""
    total = hashlib.sha256()
    for path in _list_sources(root):
        total.update(f"{path.relative_to(root).as_posix()}\n".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def describe_tools(windows: bool = False) -> dict[str, str]:
    """Versions of what builds; another one makes other executables."""
    found = {"python": platform.python_version(), "platform": f"{sys.platform} {platform.machine()}"}
    if windows:
        found = {"python": ARCHIVE, "platform": "win32 AMD64"}
    for tool in TOOLS:
        try:
            found[tool] = version(tool)
        except PackageNotFoundError:
            raise CommandFailedError(f"{tool} is not installed: {install_command('build')}") from None
    return found


def pack_for_gomocup(plan: BuildPlan) -> Path:
    """Write the archive that Gomocup takes, the executable at its root, what it needs beside it; raise
    CommandFailedError.

    It lies in one place, whichever form of executable it holds.
    """
    game = next((game for game in plan.games if game.protocol == "gomocup"), None)
    if game is None:
        raise CommandFailedError("no game is played over the gomocup protocol")
    archive, executable = plan.dist_root / ARCHIVE_NAME, plan.executable(game)
    paths = sorted(executable.parent.rglob("*")) if plan.onedir else [executable]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for path in paths:
            file.write(path, path.relative_to(executable.parent))
    size = archive.stat().st_size
    if size > ARCHIVE_LIMIT_BYTES:
        raise CommandFailedError(f"{archive} has {size} bytes, Gomocup takes {ARCHIVE_LIMIT_BYTES}")
    return archive


def _list_sources(root: Path) -> Iterable[Path]:
    for name in SOURCES:
        top = root / name
        paths = sorted(top.rglob("*")) if top.is_dir() else [top]
        yield from (path for path in paths if path.is_file() and "__pycache__" not in path.parts)
