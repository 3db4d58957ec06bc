"""What a release is made with must be had on every system that one is made for: no wheel, no executables."""

from __future__ import annotations

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


def read_workflow(pattern: str) -> list[str]:
    return re.findall(pattern, (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))


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
