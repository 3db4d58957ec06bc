"""Tests of the executables for Windows, built on Linux and run under wine: start, protocols, interrupts, matches.

The tests are skipped without wine. Downloads and compiled files are kept in the user's cache folder.
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
# Wine once ended a program like this while it started; 1,400 further starts did not repeat it. A failure of the program
# itself would print its traceback, which the detail would end with, and would come again.
SILENT_START_FAILURE = "could not start: exited with status 1"


@pytest.fixture(scope="session")
def wine() -> Iterator[str]:
    """Return the command of wine, set up as for a build; its server runs until the end of the tests."""
    try:
        find_wine()
    except CommandFailedError as error:
        pytest.skip(str(error))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in wine_environment().items():
            patch.setenv(name, value)
        with contextlib.ExitStack() as stack:
            with FileLock(Path(os.environ["WINEPREFIX"] + ".lock")):  # the first start creates the prefix
                command = stack.enter_context(keep_wine_up())
            yield command


@pytest.fixture(scope="session", params=[False, True], ids=["file", "folder"])
def plan(request: pytest.FixtureRequest, wine: str) -> BuildPlan:  # noqa: ARG001
    """Build the executables of all games, as single files and as folders; a test runs once for each."""
    plan = BuildPlan(tuple(GAMES.values()), onedir=request.param, windows=True)
    plan.work.mkdir(parents=True, exist_ok=True)
    with FileLock(plan.work / "tests.lock"):  # other processes of this test run wait for the first one
        build(plan, lambda _: None)
    return plan


@pytest.mark.parametrize("game", GAMES)
def test_executable_answers_its_protocol(plan: BuildPlan, game: str, wine: str) -> None:
    smoke_test([wine, str(plan.executable(GAMES[game]))], GAMES[game].protocol, os.environ, WINE_EXIT_STATUSES)


def run_windows_host(action: str, program: Path) -> dict[str, str]:
    """Run tests/mocks/windows_host.py on a brain; return its observations by name."""
    command = provide_python(lambda _: None).command(windows_path(HOST), action, windows_path(program))
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
    reader.join(2)  # with a timeout, because the consoles that it opened may keep its output open
    assert host.wait() == 0, "".join(lines)
    return dict(line.strip().split(" ", 1) for line in lines)


def test_ctrl_c_in_the_console_stops_the_search(plan: BuildPlan) -> None:
    """Ctrl-C does nothing while the brain is idle and stops its search; twice within a second it ends the brain."""
    observed = run_windows_host("interrupt", plan.executable(GAMES["gomoku"]))
    assert (observed["ready"], observed["idle"], observed["ended"]) == ("OK", "None", str(SIGINT_EXIT_STATUS))
    assert re.fullmatch(r"\d+,\d+", observed["move"])
    assert float(observed["seconds"]) < 10  # of a limit of 20 s


@pytest.mark.parametrize("plan", [True], ids=["folder"], indirect=True)
def test_suspended_time_does_not_count(plan: BuildPlan) -> None:
    """The process is suspended for 8 s at its start and before its second move; each move has a limit of 4 s."""
    observed = run_windows_host("suspend", plan.executable(GAMES["gomoku"]))
    assert observed["ready"] == "OK"
    assert float(observed["started"]) > 1  # the time of the start-up is subtracted, with a margin
    assert float(observed["idle"]) > 3


def test_gomocup_archive_has_a_working_brain(plan: BuildPlan, wine: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(pack_for_gomocup(plan)) as archive:
        archive.extractall(tmp_path)
    assert [path.name for path in tmp_path.rglob("*.exe")] == ["pbrain-pentad.exe"]
    smoke_test([wine, str(tmp_path / "pbrain-pentad.exe")], "gomocup", os.environ, WINE_EXIT_STATUSES)


@pytest.mark.parametrize("check", [["gomocup"], ["uhp", "--games", "8"]], ids=lambda check: check[0])
def test_protocol_checks_pass(plan: BuildPlan, check: list[str], wine: str) -> None:
    """On a busy machine a program may end later than the judge waits, 0.5 s; a second run shows if it always does."""
    name = {"gomocup": "gomoku", "uhp": "hive"}[check[0]]
    command = ["check", *check, "--", wine, str(plan.executable(GAMES[name]))]
    assert any(run(command) == 0 for _ in range(2))


@pytest.mark.parametrize("game", GAMES)
def test_match_against_the_player_in_this_process_has_no_fault(
    plan: BuildPlan, game: str, wine: str, tmp_path: Path
) -> None:
    engine = f"cmd={wine} {plan.executable(GAMES[game])},name=windows"
    engines = ["--engine", engine, "--engine", "player=pentad,name=here"]
    arguments = ["--game", game, *engines, "--games", "2", "--tc", "0.3", "--max-plies", "20"]
    for attempt in range(2):
        out = tmp_path / str(attempt)
        assert run(["match", *arguments, "--out", str(out)]) == 0
        played = read_run(out).games
        if SILENT_START_FAILURE not in [ended.detail for ended in played]:
            break
    assert [ended.blamed for ended in played] == ["", ""]
