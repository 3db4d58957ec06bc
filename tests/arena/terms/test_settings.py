"""Tests that a setting of a run is declared once, as a field of RunSettings.

It is then an option of `pentad match` and a key of tournament files, is stored in the log, and is restored when the run
is resumed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
# Source text of an existing field, and of a new one that is inserted before it
SITE_FIELD = '    site: Annotated[str, Parameter(group=RECORDS)] = ""\n'
PRIZE_FIELD = (
    '    prize: Annotated[int, Meta(ge=0, le=1000), Parameter(group=RECORDS)] = 5\n    """Prize of the winner."""\n\n'
)
HEADING = 'line += f"seed '  # code that adds the seed to the heading of a run


@pytest.fixture
def source_tree(tmp_path: Path) -> Path:
    """Return a copy of the sources with a new setting `prize` and a changed line of code that prints its value."""
    for name in ("arena", "bots", "core", "protocols"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path, old, new in (
        ("arena/terms/settings.py", SITE_FIELD, PRIZE_FIELD + SITE_FIELD),
        ("arena/options/match.py", HEADING, HEADING.replace("seed", "prize {config.prize}, seed")),
    ):
        text = (tmp_path / path).read_text(encoding="utf-8")
        assert old in text
        (tmp_path / path).write_text(text.replace(old, new), encoding="utf-8")
    return tmp_path


def run_pentad(source_tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `pentad` from a source tree, in the folder of this tree."""
    command = [sys.executable, "-c", "from arena.cli.main import main; main()", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(source_tree), "COLUMNS": "100"}
    return subprocess.run(command, cwd=source_tree, env=environment, capture_output=True, text=True, check=False)


def test_new_setting_needs_only_a_field_and_the_code_that_uses_it(source_tree: Path) -> None:
    assert "Prize of the winner. [default: 5]" in run_pentad(source_tree, "match", "--help").stdout
    (source_tree / "cup.toml").write_text(
        'game = "kolibrat"\nrule = "3x4-4-5"\nnodes = 1\ngames = 2\nprize = 7\n'
        '[[engine]]\nplayer = "random"\n[[engine]]\nplayer = "random"\nname = "other"\n',
        encoding="utf-8",
    )
    played = run_pentad(source_tree, "match", "cup.toml", "--out", "run")
    assert (played.returncode, "prize 7, seed" in played.stderr) == (0, True), played.stderr
    log = source_tree / "run" / "log.jsonl"
    header, *events = log.read_text(encoding="utf-8").splitlines()
    assert json.loads(header)["prize"] == 7
    log.write_text(f"{header}\n", encoding="utf-8")
    resumed = run_pentad(source_tree, "resume", "run")
    assert resumed.returncode == 0, resumed.stderr
    assert len(log.read_text(encoding="utf-8").splitlines()) == len(events) + 2
    refused = run_pentad(source_tree, "match", "cup.toml", "--prize", "1001", "--out", "other")
    assert (refused.returncode, refused.stderr) == (2, "pentad: --prize must be 1000 or less, not 1001\n")
