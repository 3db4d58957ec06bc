"""Tests of the options of `pentad build`, which choose folders or single files, the system, and the Gomocup archive."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.tools import build
from arena.tools.build import BuildPlan


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> dict[str, BuildPlan]:
    """Replace the build and the packing; return the plans they get, under the keys `built` and `packed`."""
    plans: dict[str, BuildPlan] = {}

    def fake_build(plan: BuildPlan, _: object) -> bool:
        return plans.setdefault("built", plan) is plan

    def fake_pack(plan: BuildPlan) -> Path:
        return plans.setdefault("packed", plan).dist

    monkeypatch.setattr(build, "build", fake_build)
    monkeypatch.setattr(build, "pack_for_gomocup", fake_pack)
    return plans


@pytest.mark.parametrize(
    ("options", "onedir"),
    [
        ([], False),
        (["--onedir"], True),
        (["--onefile"], False),
        (["--gomocup"], True),
        (["--gomocup", "--onedir"], True),
        (["--gomocup", "--onefile"], False),
        (["--gomocup", "--windows"], True),
        (["--gomocup", "--windows", "--onefile"], False),
    ],
    ids=str,
)
def test_gomocup_archive_alone_has_a_folder_by_default(
    options: list[str], onedir: bool, plans: dict[str, BuildPlan]
) -> None:
    """Gomocup suspends only the process that it started. For a single file that is the boot loader, not the engine."""
    assert cli.run(["build", *options]) == 0
    assert plans["built"].onedir == onedir
    assert plans["built"].windows == ("--windows" in options)
    assert ("packed" in plans) == ("--gomocup" in options)
    assert plans.get("packed", plans["built"]) == plans["built"]
