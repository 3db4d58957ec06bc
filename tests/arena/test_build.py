"""Executables are built once for each state of the sources, and a failed build never looks finished."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from arena import build as module
from arena.build import STAMP_NAME, BuildPlan, build, digest_sources, pack_for_gomocup
from arena.demo import plan_demo
from arena.errors import CommandFailedError, UsageError
from tests.arena.fakes import PILE_GAME, ROW_GAME


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BuildPlan:
    """A source tree of three files whose build writes the executables."""
    (tmp_path / "core").mkdir()
    for name in ("build.spec", "pyproject.toml", "core/player.py"):
        (tmp_path / name).write_text("one", encoding="utf-8")

    def make(plan: BuildPlan, tell: object) -> None:  # noqa: ARG001
        for game in plan.games:
            plan.executable(game).parent.mkdir(parents=True, exist_ok=True)
            plan.executable(game).write_bytes(b"program")

    monkeypatch.setattr(module, "_run_pyinstaller", make)
    return BuildPlan((PILE_GAME, ROW_GAME), root=tmp_path)


def ignore(line: str) -> None:
    """Nobody listens."""


def test_second_build_has_nothing_to_do(plan: BuildPlan) -> None:
    assert build(plan, ignore)
    assert not build(plan, ignore)


def test_changed_source_lost_executable_and_other_form_are_built_again(plan: BuildPlan) -> None:
    build(plan, ignore)
    (plan.root / "core" / "player.py").write_text("two", encoding="utf-8")
    assert build(plan, ignore)
    plan.executable(ROW_GAME).unlink()
    assert build(plan, ignore)
    assert build(replace(plan, onedir=True), ignore)
    assert build(plan, ignore)


def test_compiled_leftovers_do_not_count_as_sources(plan: BuildPlan) -> None:
    before = digest_sources(plan.root)
    (plan.root / "core" / "__pycache__").mkdir()
    (plan.root / "core" / "__pycache__" / "player.pyc").write_bytes(b"x")
    assert digest_sources(plan.root) == before


def test_failed_build_is_told_and_not_up_to_date(plan: BuildPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    build(plan, ignore)
    plan.executable(ROW_GAME).unlink()
    monkeypatch.setattr(module, "_run_pyinstaller", lambda *_: None)
    with pytest.raises(CommandFailedError, match=r"ended without .*pbrain-row"):
        build(plan, ignore)
    assert not (plan.dist / STAMP_NAME).exists()


def test_pyinstaller_itself_fails_with_the_end_of_its_output(tmp_path: Path) -> None:
    for name in ("build.spec", "pyproject.toml"):
        (tmp_path / name).write_text("raise SystemExit('nothing to build here')", encoding="utf-8")
    heard: list[str] = []
    with pytest.raises(CommandFailedError, match="nothing to build here"):
        build(BuildPlan((ROW_GAME,), root=tmp_path), heard.append)
    assert any("Python" in line for line in heard)
    assert (tmp_path / "build" / "pyinstaller.log").stat().st_size


def test_installed_package_cannot_build(tmp_path: Path) -> None:
    with pytest.raises(CommandFailedError, match=r"no build\.spec"):
        build(BuildPlan((ROW_GAME,), root=tmp_path), ignore)


def test_gomocup_archive_has_the_executable_at_its_root(plan: BuildPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    build(plan, ignore)
    with zipfile.ZipFile(pack_for_gomocup(plan)) as archive:
        assert archive.namelist() == [plan.executable(PILE_GAME).name]
    with pytest.raises(UsageError, match="leave --onedir out"):
        pack_for_gomocup(replace(plan, onedir=True))
    monkeypatch.setattr(module, "ARCHIVE_LIMIT_BYTES", 10)
    with pytest.raises(CommandFailedError, match="Gomocup takes 10"):
        pack_for_gomocup(plan)


def test_demo_plays_each_executable_against_a_weaker_player(plan: BuildPlan) -> None:
    (first_game, config), (_, last) = plan_demo(plan, datetime(2026, 11, 20, 9, 5, 7))
    assert first_game is PILE_GAME
    assert config.engines[0].command.endswith("pbrain-pile")
    assert config.engines[1].player == "dice"
    assert config.out == Path("runs/demo-20261120-090507/pile")
    assert last.engines[1].player == "last"
