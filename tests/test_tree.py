"""The repository has only expected kinds of files: no logs, no editor backups, no results of runs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOUSES = "arena|bots|core|protocols"
MEANT = (  # files by their whole paths
    r"LICENSE|README\.md|CHANGELOG\.md|SECURITY\.md|build\.spec|pyproject\.toml|\.gitattributes|\.gitignore",
    r"\.ci/run|\.github/CONTRIBUTING\.md|\.github/workflows/\w+\.yml",
    rf"({HOUSES}|tests)/(\w+/)*\w+\.pyi?",
    rf"({HOUSES})/py\.typed",
    rf"({HOUSES})/(\w+/)*README\.md",
    r"\.github/pictures/\w+\.png",
    r"arena/(\w+/)*(books|positions)/[\w-]+\.txt",
    r"arena/(\w+/)*static/\w+\.(css|html|js|svg)",
    r"bots/\w+/(\w+/)*[\w-]+\.(json|network|solved)",
    r"bots/\w+/(generations|search_tests)\.md",
    r"tests/data/\w+/\w+\.(json|sgf|txt)",
)


def is_meant(path: str) -> bool:
    return any(re.fullmatch(pattern, path) for pattern in MEANT)


def test_every_file_has_its_place() -> None:
    """A new kind of file needs a line above; a file in a wrong place, or one that a program left behind, none."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("no git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = listed.stdout.split("\0")[:-1]
    assert len(paths) > 400
    assert [path for path in paths if not is_meant(path)] == []


@pytest.mark.parametrize(
    "path",
    [
        *(
            "default.log",
            "config.toml",
            "notes.txt",
            "core/native/kernel.py.orig",
            "core/.kernel.py.swp",
            "core/a kernel.py",
        ),
        *("bots/hex/__pycache__/rules.cpython-311.pyc", "dist/pentad-hex", "runs/1/log.jsonl", "arena/results.txt"),
        *("tests/data/hive/games.zip", ".github/workflows/check.yml.bak", "bots/weights.json"),
    ],
)
def test_files_that_nobody_meant_to_commit_are_told(path: str) -> None:
    assert not is_meant(path)
