"""The executables for Windows, built on Linux and run under wine: start, protocol conversations, matches.

Skipped without wine. Downloads and compiled files are kept in the user's cache folder.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from arena.cli.main import run
from arena.errors import CommandFailedError
from arena.log.file import read_run
from arena.tools.build import BuildPlan, build, pack_for_gomocup
from arena.tools.smoke_test import smoke_test
from arena.tools.windows import (
    WINE_EXIT_STATUSES,
    find_wine,
    keep_wine_up,
    provide_python,
    windows_path,
    wine_environment,
)
from bots.registry import GAMES
from core.system.early_interrupts import SIGINT_EXIT_STATUS

pytestmark = pytest.mark.windows

HOST = Path(__file__).parent / "mocks" / "windows_host.py"


@pytest.fixture(scope="session")
def wine() -> Iterator[str]:
    """The command of wine, set up as for a build; its server stays up meanwhile."""
    try:
        find_wine()
    except CommandFailedError as error:
        pytest.skip(str(error))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in wine_environment().items():
            patch.setenv(name, value)
        with contextlib.ExitStack() as stack:
            with FileLock(Path(os.environ["WINEPREFIX"] + ".lock")):  # the first time it makes the prefix
                found = stack.enter_context(keep_wine_up())
            yield found


@pytest.fixture(scope="session", params=[False, True], ids=["file", "folder"])
def plan(request: pytest.FixtureRequest, wine: str) -> BuildPlan:  # noqa: ARG001
    made = BuildPlan(tuple(GAMES.values()), onedir=request.param, windows=True)
    made.work.mkdir(parents=True, exist_ok=True)
    with FileLock(made.work / "tests.lock"):  # the other processes of the run wait for the first
        build(made, lambda _: None)
    return made


@pytest.mark.parametrize("game", GAMES)
def test_executable_holds_a_conversation(plan: BuildPlan, game: str, wine: str) -> None:
    smoke_test([wine, str(plan.executable(GAMES[game]))], GAMES[game].protocol, os.environ, WINE_EXIT_STATUSES)


def host_sees(what: str, program: Path) -> dict[str, str]:
    """What a host on Windows saw of a brain, by name (tests/mocks/windows_host.py)."""
    command = provide_python(lambda _: None).command(windows_path(HOST), what, windows_path(program))
    host = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    lines: list[str] = []
    assert host.stdout
    reader = threading.Thread(target=lines.extend, args=(host.stdout,), daemon=True)
    reader.start()
    with contextlib.suppress(subprocess.TimeoutExpired):
        host.wait(200)
    host.kill()
    reader.join(2)  # no longer: the consoles that it opened may hold its output after its end
    assert host.wait() == 0, "".join(lines)
    return dict(line.strip().split(" ", 1) for line in lines)


def test_ctrl_c_in_the_console_asks_for_the_move(plan: BuildPlan) -> None:
    """One while it is idle does nothing, one while it thinks has it answer, two within a second end it."""
    seen = host_sees("interrupt", plan.executable(GAMES["gomoku"]))
    assert (seen["ready"], seen["idle"], seen["ended"]) == ("OK", "None", str(SIGINT_EXIT_STATUS))
    assert re.fullmatch(r"\d+,\d+", seen["move"])
    assert float(seen["seconds"]) < 10  # of the 20 that it had


@pytest.mark.parametrize("plan", [True], ids=["folder"], indirect=True)
def test_time_of_a_stopped_process_is_nobodys(plan: BuildPlan) -> None:
    """It was stopped for 8 s, before it started up and before its second move, with 4 s for each."""
    seen = host_sees("stop", plan.executable(GAMES["gomoku"]))
    assert seen["ready"] == "OK"
    assert float(seen["started"]) > 1  # what start-up took is taken off, generously
    assert float(seen["idle"]) > 3


def test_gomocup_archive_holds_a_brain_that_works(plan: BuildPlan, wine: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(pack_for_gomocup(plan)) as archive:
        archive.extractall(tmp_path)
    assert [path.name for path in tmp_path.rglob("*.exe")] == ["pbrain-pentad.exe"]
    smoke_test([wine, str(tmp_path / "pbrain-pentad.exe")], "gomocup", os.environ, WINE_EXIT_STATUSES)


@pytest.mark.parametrize("check", [["gomocup"], ["uhp", "--games", "8"]], ids=lambda check: check[0])
def test_checks_pass(plan: BuildPlan, check: list[str], wine: str) -> None:
    name = {"gomocup": "gomoku", "uhp": "hive"}[check[0]]
    assert run(["check", *check, "--", wine, str(plan.executable(GAMES[name]))]) == 0


@pytest.mark.parametrize("game", GAMES)
def test_match_against_our_own_player_has_no_fault(plan: BuildPlan, game: str, wine: str, tmp_path: Path) -> None:
    engine = f"cmd={wine} {plan.executable(GAMES[game])},name=windows"
    words = ["--game", game, "--engine", engine, "--engine", "player=pentad,name=here", "--games", "2", "--tc", "0.3"]
    assert run(["match", *words, "--max-plies", "20", "--out", str(tmp_path / "run")]) == 0
    assert [game.blamed for game in read_run(tmp_path / "run").games] == ["", ""]
