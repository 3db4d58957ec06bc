"""Commands in code blocks of the documents: quick ones are run, the others name the test that covers them."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from arena.cli import main as cli
from tests.test_documents import COMMANDS, ROOT, TEXTS, list_blocks

BLOCKS = sorted({shlex.join(words) for _, words, fenced in COMMANDS if fenced})
# What a reader of a fresh folder can do at once, with one short run for all that looks at a run.
QUICK = (
    "pentad match .* player=nearest.py:Nearest .* --games 2 .*",
    "pentad perft .*",
    "pentad report .*",
    "pentad resume .*",
)
# The rest by its beginning: it takes minutes, a network, executables or a page that stays open.
ELSEWHERE = {
    "python -m venv": ".ci/run",
    "pip install": ".ci/run",
    "pytest": ".ci/run",
    "ruff": ".ci/run",
    "mypy": ".ci/run",
    ".ci/run": ".github/workflows/check.yml",
    "pentad check uhp": ".ci/run",
    "pentad check gomocup": ".ci/run",
    "pentad check gtp": "tests/arena/check/test_gtp.py",
    "pentad match": "tests/arena/options/test_tournament_file.py",  # each whole one takes minutes
    "pentad play": "tests/arena/web/play/test_play.py",
    "pentad demo": "tests/arena/tools/test_build.py",
    "pentad bench": "tests/arena/tools/test_bench.py",
    "pentad openings": "tests/arena/cli/test_hive.py",
    "pentad study": "tests/arena/study/test_run.py",
    "dask": "tests/arena/run/test_cluster.py",
    "python -m bots.hex.training": "tests/bots/hex/test_training.py",
}
NOWHERE = {
    "dist/": "sessions: tests/test_executable.py starts each, tests/test_documents.py follows their options",
    "python -m bots.": "hours of games; tests/test_documents.py follows their options",
    "c-gomoku-cli": "a manager of other people",
    ". .venv/bin/activate": "of the reader's own shell",
}


def is_quick(command: str) -> bool:
    return any(re.fullmatch(pattern, command) for pattern in QUICK)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as a reader's, with the manual's player and short runs under the names of the documents."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "nearest.py").write_text(list_blocks(TEXTS["arena/README.md"], "python")[0], encoding="utf-8")
    terms = ["--game", "hex", "--engine", "player=negamontescout", "--engine", "player=potentials", "--size", "4"]
    assert cli.run(["match", *terms, "--nodes", "10", "--games", "2", "--out", str(folder / "runs" / "first")]) == 0
    for name in ("three", "gomoku"):
        shutil.copytree(folder / "runs" / "first", folder / "runs" / name)
    return folder


@pytest.mark.parametrize("command", [command for command in BLOCKS if is_quick(command)])
def test_quick_commands_do_what_they_say(
    command: str, reader: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(reader)
    assert cli.run(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out


def test_every_other_command_is_run_somewhere_or_told_why_not() -> None:
    rest = [command for command in BLOCKS if not is_quick(command)]
    told = (*ELSEWHERE, *NOWHERE)
    assert [command for command in rest if not command.startswith(told)] == []
    assert [beginning for beginning in told if not any(command.startswith(beginning) for command in rest)] == []
    assert [place for place in ELSEWHERE.values() if not (ROOT / place).is_file()] == []


@pytest.mark.parametrize("beginning", [beginning for beginning, place in ELSEWHERE.items() if place == ".ci/run"])
def test_ci_runs_what_it_is_said_to(beginning: str) -> None:
    steps = (ROOT / ".ci" / "run").read_text(encoding="utf-8").replace("python -m pip", "pip")
    assert beginning.removeprefix("python ") in steps
