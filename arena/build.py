"""`pentad build`: makes the executables of all games with PyInstaller, once for each state of the sources."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import signal
import subprocess
import sys
import threading
import zipfile
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil

from arena.errors import CommandFailedError, UsageError, how_to_install
from core.files import naming
from core.game import Game
from core.steps import MARK

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("build.spec", "pyproject.toml", "core", "bots", "protocols")  # what the executables are made of
TOOLS = ("pyinstaller", "numba", "llvmlite", "numpy", "ziglang")
STAMP_NAME = "build.json"  # stands beside the executables and says what they were made of
ARCHIVE_NAME = "pentad.zip"
ARCHIVE_LIMIT_BYTES = 8 * 2**20  # Gomocup takes no larger one without a written reason
ONEDIR_FOLDER = "onedir"  # under dist/, as build.spec has it
TAIL_LINES = 30
END_GRACE_S = 3.0  # from being asked to end to being killed
GIVING_WAY = 10 if os.name == "posix" else 0x4000  # niceness, and on Windows the priority class "below normal"
_MADE = re.compile(r"step \d+ of \d+ done .*: (\S+)")  # the line of build.spec's that names an executable

Tell = Callable[[str], None]


@dataclass(frozen=True)
class BuildPlan:
    """Which executables to make and where. With `onedir` each is a folder that starts faster than one file.

    With `gives_way` whatever else runs on the machine goes before the build.
    """

    games: tuple[Game, ...]
    onedir: bool = False
    root: Path = ROOT
    gives_way: bool = False

    @property
    def dist(self) -> Path:
        """Where the executables come to lie; folders have one of their own, so that the single files stay."""
        return self.root / "dist" / (ONEDIR_FOLDER if self.onedir else "")

    def executable(self, game: Game) -> Path:
        """Path of a game's executable."""
        name = game.executable + (".exe" if os.name == "nt" else "")
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
        stamp = {"digest": digest_sources(plan.root), "onedir": plan.onedir, "tools": describe_tools()}
        if is_up_to_date(plan, stamp):
            return False
        stamp_path = plan.dist / STAMP_NAME
        stamp_path.unlink(missing_ok=True)  # a build that breaks off must not look finished
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
        """Run PyInstaller over build.spec, keep its output in build/pyinstaller.log, and show its end on failure."""
        work = self._plan.root / "build"
        work.mkdir(exist_ok=True)
        log_path = work / "pyinstaller.log"
        tail: deque[str] = deque(maxlen=TAIL_LINES)
        with naming(log_path), log_path.open("w", encoding="utf-8") as log, self._start(work) as process:
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

    def _start(self, work: Path) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "PyInstaller", "build.spec", "--noconfirm"]
        command += ["--distpath", str(self._plan.root / "dist"), "--workpath", str(work)]
        with self._lock:
            if self._is_ended:
                raise CommandFailedError("the build was ended")
            self._process = subprocess.Popen(
                command,
                cwd=self._plan.root,
                env=os.environ | {"PENTAD_ONEDIR": "1" if self._plan.onedir else "0"},
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
                    self._made(game)


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


def describe_tools() -> dict[str, str]:
    """Versions of what builds; another one makes other executables."""
    found = {"python": platform.python_version(), "platform": f"{sys.platform} {platform.machine()}"}
    for tool in TOOLS:
        try:
            found[tool] = version(tool)
        except PackageNotFoundError:
            raise CommandFailedError(f"{tool} is not installed: {how_to_install('build')}") from None
    return found


def pack_for_gomocup(plan: BuildPlan) -> Path:
    """Write the archive that Gomocup takes, the executable at its root; raise UsageError or CommandFailedError."""
    if plan.onedir:
        raise UsageError("--gomocup wants one file: leave --onedir out")
    game = next((game for game in plan.games if game.protocol == "gomocup"), None)
    if game is None:
        raise CommandFailedError("no game is played over the gomocup protocol")
    archive, executable = plan.dist / ARCHIVE_NAME, plan.executable(game)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        file.write(executable, executable.name)
    size = archive.stat().st_size
    if size > ARCHIVE_LIMIT_BYTES:
        raise CommandFailedError(f"{archive} has {size} bytes, Gomocup takes {ARCHIVE_LIMIT_BYTES}")
    return archive


def _list_sources(root: Path) -> Iterable[Path]:
    for name in SOURCES:
        top = root / name
        paths = sorted(top.rglob("*")) if top.is_dir() else [top]
        yield from (path for path in paths if path.is_file() and "__pycache__" not in path.parts)
