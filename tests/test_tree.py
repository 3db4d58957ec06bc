"""The repository has no files that programs leave behind: logs, editor backups, build products, results of runs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LEFT_BEHIND = (  # regular expressions of whole paths; the last one is for paths with blanks
    r".*\.(log|jsonl|orig|rej|bak|swp|tmp|pyc|pyd|so|dll|dylib|exe|o|nbi|nbc|zip|tar|gz|whl|onnx|pt)",
    r"(.*/)?(__pycache__|build|dist|runs|\w*_cache|\.\w+_cache|[\w.-]+\.egg-info)/.*",
    r"(.*/)?(results\.(txt|csv)|summary\.json|core\.\d+|nohup\.out|#.*|.*~)",
    r".*\s.*",
)


def is_left_behind(path: str) -> bool:
    """Return whether a path of the repository looks like a file that a program leaves behind."""
    return any(re.fullmatch(pattern, path) for pattern in LEFT_BEHIND)


def list_files(*options: str) -> list[str]:
    """Return the committed files that `git ls-files` lists with some options."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("no git checkout")
    listed = subprocess.run(["git", "ls-files", "-z", *options], cwd=ROOT, capture_output=True, text=True, check=True)
    return listed.stdout.split("\0")[:-1]


def test_no_left_behind_file_is_committed() -> None:
    paths = list_files()
    assert "tests/test_tree.py" in paths
    assert list(filter(is_left_behind, paths)) == []


def test_no_committed_file_is_ignored() -> None:
    assert list_files("--cached", "--ignored", "--exclude-standard") == []


@pytest.mark.parametrize(
    "path",
    [
        *("default.log", "core/native/kernel.py.orig", "core/.kernel.py.swp", "core/a kernel.py", "core/kernel.py~"),
        *("bots/hex/__pycache__/rules.cpython-311.pyc", "dist/pentad-hex", "runs/1/summary.json", "arena/results.txt"),
        *("tests/data/hive/games.zip", ".github/workflows/check.yml.bak", ".ruff_cache/1/2"),
    ],
)
def test_left_behind(path: str) -> None:
    assert is_left_behind(path)


@pytest.mark.parametrize(
    "path", ["core/search/clock.py", "tests/data/arena/match_log.txt", "bots/hex/tables/7.solved", "tools/check.toml"]
)
def test_not_left_behind(path: str) -> None:
    assert not is_left_behind(path)
