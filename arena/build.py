"""`pentad build`: makes the executables of all games with PyInstaller, once for each state of the sources."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import zipfile
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from arena.errors import CommandFailedError, UsageError
from core.game import Game

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("build.spec", "pyproject.toml", "core", "bots", "protocols")  # what the executables are made of
TOOLS = ("pyinstaller", "numba", "llvmlite", "numpy", "ziglang")
STAMP_NAME = "build.json"  # stands beside the executables and says what they were made of
ARCHIVE_NAME = "pentad.zip"
ARCHIVE_LIMIT_BYTES = 8 * 2**20  # Gomocup takes no larger one without a written reason
TAIL_LINES = 30

Tell = Callable[[str], None]


@dataclass(frozen=True)
class BuildPlan:
    """Which executables to make and where. With `onedir` each is a folder that starts faster than one file."""

    games: tuple[Game, ...]
    onedir: bool = False
    root: Path = ROOT

    @property
    def dist(self) -> Path:
        """Where the executables come to lie."""
        return self.root / "dist"

    def executable(self, game: Game) -> Path:
        """Path of a game's executable."""
        name = game.executable + (".exe" if os.name == "nt" else "")
        return self.dist / game.executable / name if self.onedir else self.dist / name


def build(plan: BuildPlan, tell: Tell) -> bool:
    """Make the executables; False where they were up to date. `tell` hears what goes on; raise CommandFailedError."""
    if not (plan.root / "build.spec").is_file():
        raise CommandFailedError(f"no build.spec in {plan.root}: executables are built from a source checkout")
    stamp = {"digest": digest_sources(plan.root), "onedir": plan.onedir, "tools": describe_tools()}
    if is_up_to_date(plan, stamp):
        return False
    stamp_path = plan.dist / STAMP_NAME
    stamp_path.unlink(missing_ok=True)  # a build that breaks off must not look finished
    _clear_other_form(plan)
    _run_pyinstaller(plan, tell)
    missing = [str(plan.executable(game)) for game in plan.games if not plan.executable(game).is_file()]
    if missing:
        raise CommandFailedError(f"the build ended without {', '.join(missing)}")
    stamp_path.write_text(json.dumps(stamp, indent=2) + "\n", encoding="utf-8")
    return True


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
            raise CommandFailedError(f"{tool} is not installed; install pentad with its build extra") from None
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


def _clear_other_form(plan: BuildPlan) -> None:
    """Outside Windows the one file and the other form's folder have one name, and neither overwrites the other."""
    for game in plan.games:
        path = plan.dist / game.executable
        if plan.onedir and path.is_file():
            path.unlink()
        elif not plan.onedir and path.is_dir():
            shutil.rmtree(path)


def _run_pyinstaller(plan: BuildPlan, tell: Tell) -> None:
    """Run PyInstaller over build.spec, keep its output in build/pyinstaller.log, and show the end of it on failure."""
    work = plan.root / "build"
    work.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "PyInstaller", "build.spec", "--noconfirm"]
    command += ["--distpath", str(plan.dist), "--workpath", str(work)]
    environment = os.environ | {"PENTAD_ONEDIR": "1" if plan.onedir else "0"}
    log_path = work / "pyinstaller.log"
    tail: deque[str] = deque(maxlen=TAIL_LINES)
    with (
        log_path.open("w", encoding="utf-8") as log,
        subprocess.Popen(
            command,
            cwd=plan.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            log.write(line)
            tail.append(line)
            tell(line.partition("INFO:")[2].strip() or line.strip())
    if process.returncode:
        raise CommandFailedError(f"PyInstaller failed; {log_path} ends with\n{''.join(tail).rstrip()}")
