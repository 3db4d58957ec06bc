"""Which form of executable `pentad build` makes, and which of them goes into the Gomocup archive."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.tools import build
from arena.tools.build import BuildPlan


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> dict[str, BuildPlan]:
    """What was built and what was packed by the command that the test runs, without the work."""
    found: dict[str, BuildPlan] = {}

    def make(plan: BuildPlan, _: object) -> bool:
        return found.setdefault("built", plan) is plan

    def pack(plan: BuildPlan) -> Path:
        return found.setdefault("packed", plan).dist

    monkeypatch.setattr(build, "build", make)
    monkeypatch.setattr(build, "pack_for_gomocup", pack)
    return found


@pytest.mark.parametrize(
    ("words", "onedir"),
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
def test_gomocup_gets_folders_unless_told_otherwise(
    words: list[str], onedir: bool, plans: dict[str, BuildPlan]
) -> None:
    """Its judge stops only the process that it made, which of a single file is the boot loader."""
    assert cli.run(["build", *words]) == 0
    assert plans["built"].onedir == onedir
    assert plans["built"].windows == ("--windows" in words)
    assert ("packed" in plans) == ("--gomocup" in words)
    assert plans.get("packed", plans["built"]) == plans["built"]
