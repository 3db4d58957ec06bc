"""`pentad build` skips up-to-date executables and reports failures; `pentad demo` plays while it builds.

The games are the two tiny ones of `tests/arena/fakes.py`, with the executables `pbrain-pile` and `pbrain-row`.
"""

from __future__ import annotations

import zipfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import psutil
import pytest

from arena.errors import CommandFailedError
from arena.tools import build as module
from arena.tools.build import STAMP_NAME, Build, BuildPlan, build, digest_sources, pack_for_gomocup
from arena.tools.demo import demo_folder, describe_next, iter_built, plan_match
from tests.arena.fakes import PILE_GAME, ROW_GAME


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BuildPlan:
    """Return a plan for a source tree of three files, with PyInstaller replaced by a function that writes files."""
    (tmp_path / "core").mkdir()
    for name in ("build.spec", "pyproject.toml", "core/player.py"):
        (tmp_path / name).write_text("one", encoding="utf-8")

    def write_executables(build: Build) -> None:
        for game in build._plan.games:
            build._plan.executable(game).parent.mkdir(parents=True, exist_ok=True)
            build._plan.executable(game).write_bytes(b"program")

    monkeypatch.setattr(Build, "_run_pyinstaller", write_executables)
    return BuildPlan((PILE_GAME, ROW_GAME), root=tmp_path)


def discard(line: str) -> None:
    """Do nothing with a line that `build` would print."""


def test_second_build_has_nothing_to_do(plan: BuildPlan) -> None:
    assert build(plan, discard)
    assert not build(plan, discard)


def test_changed_source_and_missing_executable_are_built_again(plan: BuildPlan) -> None:
    build(plan, discard)
    (plan.root / "core" / "player.py").write_text("two", encoding="utf-8")
    assert build(plan, discard)
    plan.executable(ROW_GAME).unlink()
    assert build(plan, discard)


def test_onedir_build_does_not_replace_the_single_files(plan: BuildPlan) -> None:
    """The commands in the documents name the single files, so they must work after a onedir build too."""
    onedir_plan = replace(plan, onedir=True)
    assert build(plan, discard)
    assert build(onedir_plan, discard)
    assert not {plan.executable(game) for game in plan.games} & {onedir_plan.executable(game) for game in plan.games}
    for either_plan in (plan, onedir_plan):
        assert not build(either_plan, discard)
        assert all(either_plan.executable(game).is_file() for game in plan.games)


def test_bytecode_files_do_not_count_as_sources(plan: BuildPlan) -> None:
    digest_without_bytecode = digest_sources(plan.root)
    (plan.root / "core" / "__pycache__").mkdir()
    (plan.root / "core" / "__pycache__" / "player.pyc").write_bytes(b"x")
    assert digest_sources(plan.root) == digest_without_bytecode


def test_failed_build_is_reported_and_not_up_to_date(plan: BuildPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    build(plan, discard)
    plan.executable(ROW_GAME).unlink()
    monkeypatch.setattr(Build, "_run_pyinstaller", lambda _: None)
    with pytest.raises(CommandFailedError, match=r"ended without .*pbrain-row"):
        build(plan, discard)
    assert not (plan.dist / STAMP_NAME).exists()


def test_error_of_pyinstaller_is_shown(tmp_path: Path) -> None:
    for name in ("build.spec", "pyproject.toml"):
        (tmp_path / name).write_text("raise SystemExit('nothing to build here')", encoding="utf-8")
    with pytest.raises(CommandFailedError, match="nothing to build here"):
        build(BuildPlan((ROW_GAME,), root=tmp_path), discard)
    assert (tmp_path / "build" / "pyinstaller.log").stat().st_size


def test_installed_package_cannot_build(tmp_path: Path) -> None:
    with pytest.raises(CommandFailedError, match=r"no build\.spec"):
        build(BuildPlan((ROW_GAME,), root=tmp_path), discard)


def test_gomocup_archive_has_the_executable_at_its_root(plan: BuildPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """A single file is alone in the archive; a onedir build adds its other files.

    An archive above Gomocup's size limit is refused.
    """
    build(plan, discard)
    assert pack_for_gomocup(plan) == plan.root / "dist" / "pentad.zip"
    with zipfile.ZipFile(pack_for_gomocup(plan)) as archive:
        assert archive.namelist() == [plan.executable(PILE_GAME).name]
    onedir_plan = replace(plan, onedir=True)
    build(onedir_plan, discard)
    library = onedir_plan.executable(PILE_GAME).parent / "_internal" / "base_library.zip"
    library.parent.mkdir()
    library.write_bytes(b"library")
    assert pack_for_gomocup(onedir_plan) == plan.root / "dist" / "pentad.zip"
    with zipfile.ZipFile(pack_for_gomocup(onedir_plan)) as archive:
        assert archive.namelist() == ["_internal/", "_internal/base_library.zip", "pbrain-pile"]
    monkeypatch.setattr(module, "MAX_GOMOCUP_ARCHIVE_BYTES", 10)
    with pytest.raises(CommandFailedError, match="Gomocup accepts 10"):
        pack_for_gomocup(plan)


def test_gomocup_archive_for_windows_has_its_own_path(plan: BuildPlan) -> None:
    """It does not replace the other archive; the documents name both."""
    windows_plan = replace(plan, windows=True)
    windows_plan.dist.mkdir(parents=True)
    windows_plan.executable(PILE_GAME).write_bytes(b"program")
    assert pack_for_gomocup(windows_plan) == plan.root / "dist" / "windows" / "pentad.zip"


# A build.spec that makes the second game's executable first, and waits for a file `go` after each of the two.
# PyInstaller runs it with DISTPATH defined.
SPEC = """
import sys, time
from pathlib import Path
from core.system.build_progress import BuildProgress
steps = BuildProgress(1)
for name in ("pbrain-pile", "pbrain-row"):
    steps.add(name, 1.0)
steps.announce()
for name in ("pbrain-row", "pbrain-pile"):
    steps.begin(name)
    Path(DISTPATH).mkdir(exist_ok=True)
    (Path(DISTPATH) / name).write_bytes(b"program")
    steps.end(name)
    while not Path("go").exists():
        time.sleep(0.01)
"""


@pytest.fixture
def slow_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BuildPlan:
    """Return a plan for a real build with PyInstaller and SPEC, whose smoke tests are replaced by 0.5 s."""
    (tmp_path / "build.spec").write_text(f"import sys\nsys.path.insert(0, {str(module.ROOT)!r})\n{SPEC}")
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr(module, "smoke_test", lambda *_: 0.5)
    return BuildPlan((PILE_GAME, ROW_GAME), root=tmp_path)


def test_build_fails_for_an_executable_that_does_not_answer(
    slow_plan: BuildPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: a build used to succeed although all five executables crashed at their first use."""

    def fail_smoke_test(command: list[str], protocol: str) -> float:
        assert (Path(command[0]).name, protocol) == ("pbrain-row", "gomocup")
        raise CommandFailedError("nothing came")

    monkeypatch.setattr(module, "smoke_test", fail_smoke_test)
    with pytest.raises(CommandFailedError, match="nothing came"):
        build(slow_plan, discard)
    assert not (slow_plan.dist / STAMP_NAME).exists()


def test_demo_gets_each_game_as_soon_as_its_executable_is_ready(slow_plan: BuildPlan) -> None:
    messages: list[str] = []
    built_games = iter_built(slow_plan, messages.append)
    assert next(built_games) is ROW_GAME
    assert messages[0] == "2 steps, about 2 s: pbrain-pile, pbrain-row"
    assert messages[1].startswith("step 1 of 2 done after ")
    assert messages[1].endswith("left: pbrain-row")
    assert messages[2] == "pbrain-row answers, 0.50 s after its start"
    (slow_plan.root / "go").touch()
    assert list(built_games) == [PILE_GAME]
    assert list(iter_built(slow_plan, messages.append)) == [PILE_GAME, ROW_GAME]
    assert messages[-1] == "the executables are up to date"


def is_alive(process: psutil.Process) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def test_closing_the_demo_ends_the_build(slow_plan: BuildPlan) -> None:
    # Children of earlier tests, such as Python's resource tracker
    earlier_children = set(psutil.Process().children(recursive=True))
    built_games = iter_built(slow_plan, discard)
    next(built_games)
    children = [child for child in psutil.Process().children(recursive=True) if child not in earlier_children]
    assert any("PyInstaller" in child.cmdline() for child in children)
    built_games.close()
    assert not any(map(is_alive, children))
    assert not (slow_plan.dist / STAMP_NAME).exists()


def test_demo_reports_a_failed_build(slow_plan: BuildPlan) -> None:
    (slow_plan.root / "build.spec").write_text("raise SystemExit('no luck')")
    with pytest.raises(CommandFailedError, match="no luck"):
        next(iter_built(slow_plan, discard))


def test_demo_plays_each_executable_against_a_weaker_player(plan: BuildPlan) -> None:
    folder = demo_folder(datetime(2026, 11, 20, 9, 5, 7))
    config = plan_match(plan, PILE_GAME, folder)
    assert config.engines[0].command.endswith("pbrain-pile")
    assert config.engines[1].player == "dice"
    assert config.out == Path("runs/demo-20261120-090507/pile")
    assert plan_match(plan, ROW_GAME, folder).engines[1].player == "last"


def test_demo_prints_the_next_commands(plan: BuildPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(plan.root)
    monkeypatch.setattr("arena.tools.demo.find_spec", lambda _: None)
    report, play = describe_next(plan, PILE_GAME, Path("runs/demo"))[1::2]
    assert report == "  pentad report --html runs/demo/pile"
    assert play == '  pip install -e ".[web]" && pentad play pile --engine cmd=dist/pbrain-pile'
    monkeypatch.chdir(plan.root / "core")
    monkeypatch.setattr("arena.tools.demo.find_spec", lambda _: True)
    play = describe_next(plan, PILE_GAME, Path("runs"))[3]
    assert play == f"  pentad play pile --engine cmd={plan.root}/dist/pbrain-pile"
