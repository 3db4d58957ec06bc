"""Tests of the GitHub workflows: wheels for all systems of a release, the CI script, versions of Python and actions."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLATFORMS = {  # system in release.yml -> platforms whose wheels pip installs there
    "linux-x86_64": ("manylinux_2_28_x86_64", "manylinux2014_x86_64", "manylinux_2_12_x86_64"),
    "windows-x86_64": ("win_amd64",),
    "macos-arm64": ("macosx_14_0_arm64",),
}
WORKFLOWS = ROOT / ".github/workflows"


def read_workflow(pattern: str, name: str = "release") -> list[str]:
    """Return the matches of a regular expression in a workflow file."""
    return re.findall(pattern, (WORKFLOWS / f"{name}.yml").read_text(encoding="utf-8"), re.MULTILINE)


def action_name(action: str) -> str:
    """Return an action such as `actions/checkout@v4` without its version."""
    return action.partition("@")[0]


@pytest.mark.index
@pytest.mark.parametrize("system", read_workflow(r"system: ([\w-]+)"))
def test_dependencies_have_wheels(system: str, tmp_path: Path) -> None:
    """Regression: a version of the linker had no wheel for Windows, so the installation used to fail there."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = [*project["dependencies"], *project["optional-dependencies"]["build"]]
    (python,) = read_workflow(r'python-version: "([\d.]+)"')
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--ignore-installed", "--quiet"]
    command += ["--only-binary=:all:", "--implementation=cp", f"--python-version={python}", f"--target={tmp_path}"]
    command += [f"--platform={platform}" for platform in PLATFORMS[system]]
    done = subprocess.run([*command, *requirements], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_pull_requests_run_the_ci_script() -> None:
    """The script runs with the Python version of the releases."""
    assert read_workflow(r"^  pull_request:$", "check")
    assert read_workflow(r"^      - run: (.+)$", "check") == [".ci/run"]
    assert os.access(ROOT / ".ci/run", os.X_OK)
    assert read_workflow(r'python-version: "([\d.]+)"', "check") == read_workflow(r'python-version: "([\d.]+)"')


def test_oldest_supported_python_version_is_tested() -> None:
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    (versions,) = read_workflow(r"python: \[(.+)\]", "test")
    assert versions.split(", ")[0] == f'"{requires.removeprefix(">=")}"'
    assert read_workflow(r"run: (pytest)$", "test")


def test_workflows_use_one_version_of_each_action() -> None:
    used = {action for path in WORKFLOWS.glob("*.yml") for action in read_workflow(r"uses: (\S+)", path.stem)}
    versions = {name: {action for action in used if action.startswith(f"{name}@")} for name in map(action_name, used)}
    assert versions
    assert {name: actions for name, actions in versions.items() if len(actions) != 1} == {}
