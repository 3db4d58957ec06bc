"""Run the quick commands in code blocks of the documents; check the lists of files that test the other commands."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from arena.cli import main as cli
from tests.test_documents import COMMANDS, ROOT, TEXTS, list_blocks

BLOCK_COMMANDS = sorted({shlex.join(words) for _, words, fenced in COMMANDS if fenced})
# Regular expressions of commands that take little time and need no files but those of the fixture `reader_folder`
QUICK_PATTERNS = (
    "pentad match .* player=nearest.py:Nearest .* --games 2 .*",
    "pentad perft .*",
    "pentad report .*",
    "pentad resume .*",
)
# Beginning of a command that takes minutes, or needs a network, executables or a browser -> file that runs it
TESTED_ELSEWHERE = {
    "python -m venv": ".ci/run",
    "pip install": ".ci/run",
    "pytest": ".ci/run",
    "ruff": ".ci/run",
    "mypy": ".ci/run",
    ".ci/run": ".github/workflows/check.yml",
    "pentad check uhp": ".ci/run",
    "pentad check gomocup": ".ci/run",
    "pentad check gtp": "tests/arena/check/test_gtp.py",
    "pentad match": "tests/arena/options/test_tournament_file.py",  # only its options: a whole match takes minutes
    "pentad play": "tests/arena/web/play/test_play.py",
    "pentad demo": "tests/arena/tools/test_build.py",
    "pentad bench": "tests/arena/tools/test_bench.py",
    "pentad openings": "tests/arena/cli/test_hive.py",
    "pentad ratings": "tests/arena/cli/test_ratings.py",
    "pentad review": "tests/arena/review/test_run.py",
    "pentad tune": "tests/arena/cli/test_tune.py",
    "pentad watch": "tests/arena/web/live/test_launch.py",
    "pentad study": "tests/arena/study/test_run.py",
    "dist/pbrain-pentad --tunable": "tests/bots/test_tunable.py",
    "dask": "tests/arena/run/test_cluster.py",
    "python -m bots.hex.training": "tests/bots/hex/test_training.py",
}
# Beginning of a command that no test runs -> the reason
UNTESTED = {
    "dist/": "starts a session; tests/test_executable.py starts each, tests/test_documents.py checks their options",
    "python -m bots.": "takes hours of games; tests/test_documents.py checks its options",
    "c-gomoku-cli": "a manager that is not part of Pentad",
    ". .venv/bin/activate": "changes the shell of the reader",
}


def is_quick(command: str) -> bool:
    return any(re.fullmatch(pattern, command) for pattern in QUICK_PATTERNS)


@pytest.fixture(scope="module")
def reader_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what the commands need: the player of the manual, and short runs in folders they name."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "nearest.py").write_text(list_blocks(TEXTS["arena/README.md"], "python")[0], encoding="utf-8")
    options = ["--game", "hex", "--engine", "player=negamontescout", "--engine", "player=potentials", "--size", "4"]
    assert cli.run(["match", *options, "--nodes", "10", "--games", "2", "--out", str(folder / "runs" / "first")]) == 0
    tuning = ["--iterations", "1", "--parameter", "root=0.7,0.1,5,0.2,float", "--out", str(folder / "runs" / "paper")]
    assert cli.run(["tune", "spsa", *options[:4], "--size", "4", "--nodes", "10", *tuning]) == 0
    for name in ("three", "gomoku", "cup", "new-and-old"):
        shutil.copytree(folder / "runs" / "first", folder / "runs" / name)
    shutil.copytree(folder / "runs" / "paper", folder / "runs" / "constants")
    return folder


@pytest.mark.parametrize("command", [command for command in BLOCK_COMMANDS if is_quick(command)])
def test_quick_commands_succeed(
    command: str, reader_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(reader_folder)
    assert cli.run(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out


def test_every_other_command_is_listed() -> None:
    """Every command that is not quick is in one of the lists, and the lists have no other entries or missing files."""
    commands = [command for command in BLOCK_COMMANDS if not is_quick(command)]
    beginnings = (*TESTED_ELSEWHERE, *UNTESTED)
    assert [command for command in commands if not command.startswith(beginnings)] == []
    assert [
        beginning for beginning in beginnings if not any(command.startswith(beginning) for command in commands)
    ] == []
    assert [file for file in TESTED_ELSEWHERE.values() if not (ROOT / file).is_file()] == []


@pytest.mark.parametrize("beginning", [beginning for beginning, file in TESTED_ELSEWHERE.items() if file == ".ci/run"])
def test_ci_runs_the_commands_listed_for_it(beginning: str) -> None:
    steps = (ROOT / ".ci" / "run").read_text(encoding="utf-8").replace("python -m pip", "pip")
    assert beginning.removeprefix("python ") in steps
