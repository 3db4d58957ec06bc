"""The executables for Windows, built on Linux and run under wine: they start, talk, keep the protocols, play matches.

Skipped where there is no wine. What is fetched and compiled for it is kept in the user's cache folder.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from arena.cli.main import run
from arena.errors import CommandFailedError
from arena.log.file import read_run
from arena.tools.build import BuildPlan, build, pack_for_gomocup
from arena.tools.talk import talk
from arena.tools.windows import find_wine, wine_environment
from bots.registry import GAMES

pytestmark = pytest.mark.windows


@pytest.fixture(scope="session")
def wine() -> Iterator[str]:
    """The command of wine, set up as for a build; its server runs on, as the first program would start it."""
    try:
        found = find_wine()
    except CommandFailedError as error:
        pytest.skip(str(error))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in wine_environment().items():
            patch.setenv(name, value)
        with FileLock(Path(os.environ["WINEPREFIX"] + ".lock")):
            subprocess.run([found, "wineboot", "-i"], check=True, capture_output=True)
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
    talk([wine, str(plan.executable(GAMES[game]))], GAMES[game].protocol, os.environ)


def test_gomocup_archive_holds_a_brain_that_works(plan: BuildPlan, wine: str, tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(pack_for_gomocup(plan)) as archive:
        archive.extractall(tmp_path)
    assert [path.name for path in tmp_path.rglob("*.exe")] == ["pbrain-pentad.exe"]
    talk([wine, str(tmp_path / "pbrain-pentad.exe")], "gomocup", os.environ)


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
