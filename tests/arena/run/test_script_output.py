"""`--quiet` prints one line, and `--json` prints the log's events and the result, and nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.log.events import RunResumed
from arena.log.file import LOG_NAME, decode_event, read_run
from arena.results.outcome import compute_outcome
from arena.run.script_output import format_result_line
from tests.arena.fakes import PILE_GAME, ROW_GAME

MATCH = ["match", "--game", "pile", "--engine", "player=perfect", "--engine", "player=one", "--seed", "1"]
# Runs `pentad` in another process, with the pile game (tests/arena/fakes.py) as the only game
RUN_PENTAD = """
import sys
import arena.terms.arguments
from arena.cli.main import main
from tests.arena.fakes import PILE_GAME
arena.terms.arguments.list_games = lambda: {"pile": PILE_GAME}
main(sys.argv[1:])
"""


@pytest.fixture(autouse=True)
def small_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the built-in games of Pentad by two small ones."""
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME, "row": ROW_GAME})


def cut_log(out: Path, line_count: int) -> None:
    """Keep only the first lines of a log."""
    lines = (out / LOG_NAME).read_bytes().splitlines(keepends=True)
    (out / LOG_NAME).write_bytes(b"".join(lines[:line_count]))


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--games", "12"], "perfect 12 : 0 one; 12 of 12 games; Elo "),
        (["--games", "2", "--engine", "player=dice"], "; 6 of 6 games\n"),
        (["--games", "4", "--sprt", "0,200"], "; SPRT"),
    ],
)
def test_quiet_match_prints_one_line(
    options: list[str], line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Openings are too few and a summary is due after 10 games; neither must be printed."""
    assert cli.run([*MATCH, *options, "--quiet", "--out", str(tmp_path / "run")]) == 0
    captured = capsys.readouterr()
    assert line in captured.out
    assert captured.out.count("\n") == 1
    assert captured.err == ""


def test_quiet_line_of_a_tournament_has_all_engines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engines = [word for name in ("dice", "perfect,name=p") for word in ("--engine", f"player={name}")]
    assert cli.run([*MATCH, *engines, "--games", "2", "--quiet", "--out", str(tmp_path / "run")]) == 0
    parts = capsys.readouterr().out.strip().removesuffix("; 12 of 12 games").split(", ")
    assert {part.split()[0] for part in parts} == {"perfect", "one", "dice", "p"}
    assert sum(float(part.split()[1].removesuffix("/6")) for part in parts) == 12


def test_quiet_line_of_a_knockout_counts_tie_breaks(tmp_path: Path) -> None:
    """Regression: the line used to end with `8 of 4 games`."""
    shutil.copy(Path(__file__).parents[2] / "data" / "arena" / "knockout_log.txt", tmp_path / LOG_NAME)
    assert "; 8 of 8 games" in format_result_line(compute_outcome(read_run(tmp_path)))


def test_quiet_line_of_a_tournament_by_rounds_has_its_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Regression: by points per game, without byes, the line began with an engine that had not won the tournament."""
    engines = [text for name in "ABC" for text in ("--engine", f"player=dice,name={name}")]
    out = tmp_path / "run"
    options = ["--format", "swiss", "--seed", "1", "--quiet", "--out", str(out)]
    assert cli.run(["match", "--game", "pile", *engines, *options]) == 0
    rounds = compute_outcome(read_run(out)).rounds
    assert rounds
    order = ", ".join(f"{engine.rank} {engine.name} {engine.points:g}" for engine in rounds.engines)
    assert capsys.readouterr().out == f"{order}; 4 of 4 games\n"


def test_quiet_run_still_prints_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    brain = f"cmd={sys.executable} -S -m tests.mocks.gomocup_brain crash=1,name=mock"
    engines = ["--engine", brain, "--engine", "player=last"]
    arguments = [
        "match",
        "--game",
        "row",
        *engines,
        "--games",
        "4",
        "--out",
        str(tmp_path / "run"),
        "--quiet",
        "--strict",
    ]
    (tmp_path / "book.txt").write_text("h8\nh9\n", encoding="utf-8")
    assert cli.run([*arguments, "--openings", str(tmp_path / "book.txt")]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("pentad: stopped: mock lost game 1 by disconnect: exited with status 3")
    assert captured.out == "mock 0 : 0 last; 0 of 4 games; Elo n/a\n"


def test_json_is_the_log_and_the_result(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    out = tmp_path / "run"
    assert cli.run([*MATCH, "--games", "12", "--json", "--out", str(out), "--event", "Öl"]) == 0
    captured = capfdbinary.readouterr()
    *lines, last = captured.out.splitlines(keepends=True)
    assert b"".join(lines) == (out / LOG_NAME).read_bytes()
    result = json.loads(last)
    assert (result["event"], result["exit_code"], result["stopped"]) == ("result", 0, "")
    assert result["directory"] == str(out)
    assert result["summary"] == json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert b"Finished game 12" in captured.err
    assert b"played 12 of 12 games" in captured.err


def test_json_of_a_resumed_run_has_its_own_events(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert cli.run([*MATCH, "--games", "4", "--quiet", "--out", str(out)]) == 0
    cut_log(out, 6)
    capsys.readouterr()
    assert cli.run(["resume", str(out), "--json", "--quiet"]) == 0
    captured = capsys.readouterr()
    *events, last = captured.out.splitlines()
    assert isinstance(decode_event(events[0].encode()), RunResumed)
    assert [json.loads(event)["event"] for event in events] == [
        "resume",
        "start",
        "end",
        "start",
        "end",
        "pair",
        "stop",
    ]
    assert json.loads(last)["summary"]["standing"]["played"] == 4
    assert captured.err == ""
    assert cli.run(["resume", str(out), "--quiet"]) == 0
    assert capsys.readouterr().out == "perfect 4 : 0 one; 4 of 4 games; Elo at least -291\n"


def test_json_into_a_closed_pipe_does_not_end_the_run(tmp_path: Path) -> None:
    """As with `| head -1`: the games count on even if nobody reads their events."""
    command = [sys.executable, "-c", RUN_PENTAD, *MATCH, "--games", "4", "--json", "--quiet", "--out", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        process.stdout.close()
        assert process.stderr
        errors = process.stderr.read()
    assert process.returncode == 0
    assert errors == "pentad: standard output is closed; the run continues and writes its files\n"
    assert len(read_run(tmp_path).games) == 4


@pytest.mark.parametrize("option", ["--verbose", "--boards"])
def test_quiet_contradicts_options_for_more_output(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([*MATCH, "--quiet", option, "--out", str(tmp_path / "run")]) == 2
    assert cli.run(["resume", str(tmp_path / "run"), "--quiet", option]) == 2
    assert capsys.readouterr().err == 2 * f"pentad: --quiet prints only the result: leave it or {option} out\n"
    assert not (tmp_path / "run").exists()
