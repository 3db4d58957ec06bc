"""The GitHub workflows: releases have wheels for every system, and changes run `.ci/run`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLATFORMS = {  # of the systems in release.yml, as pip names them
    "linux-x86_64": ("manylinux_2_28_x86_64", "manylinux2014_x86_64", "manylinux_2_12_x86_64"),
    "windows-x86_64": ("win_amd64",),
    "macos-arm64": ("macosx_14_0_arm64",),
}


WORKFLOWS = ROOT / ".github/workflows"


def read_workflow(pattern: str, name: str = "release") -> list[str]:
    return re.findall(pattern, (WORKFLOWS / f"{name}.yml").read_text(encoding="utf-8"), re.MULTILINE)


def name_of(action: str) -> str:
    return action.partition("@")[0]


@pytest.mark.index
@pytest.mark.parametrize("system", read_workflow(r"system: ([\w-]+)"))
def test_all_that_builds_has_wheels(system: str, tmp_path: Path) -> None:
    """A version of the linker once had none for Windows, and nothing could be installed there."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["build"]]
    (python,) = read_workflow(r'python-version: "([\d.]+)"')
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--ignore-installed", "--quiet"]
    command += ["--only-binary=:all:", "--implementation=cp", f"--python-version={python}", f"--target={tmp_path}"]
    command += [f"--platform={platform}" for platform in PLATFORMS[system]]
    done = subprocess.run([*command, *wanted], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_pull_request_is_checked_from_nothing() -> None:
    """By the script that everybody runs, on the Python that releases are made with."""
    assert read_workflow(r"^  pull_request:$", "check")
    assert read_workflow(r"^      - run: (.+)$", "check") == [".ci/run"]
    assert os.access(ROOT / ".ci/run", os.X_OK)
    assert read_workflow(r'python-version: "([\d.]+)"', "check") == read_workflow(r'python-version: "([\d.]+)"')


def test_every_python_version_that_may_install_the_package_is_tested() -> None:
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    (versions,) = read_workflow(r"python: \[(.+)\]", "test")
    assert versions.split(", ")[0] == f'"{requires.removeprefix(">=")}"'
    assert read_workflow(r"run: (pytest)$", "test")


def test_workflows_take_one_version_of_each_action() -> None:
    used = {action for path in WORKFLOWS.glob("*.yml") for action in read_workflow(r"uses: (\S+)", path.stem)}
    versions = {name: {action for action in used if action.startswith(f"{name}@")} for name in map(name_of, used)}
    assert versions
    assert {name: found for name, found in versions.items() if len(found) != 1} == {}
