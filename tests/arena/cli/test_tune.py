"""Tests of `pentad tune`, and of `pentad resume` and `pentad report` for the folder of a tuning."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.console import ExitCode
from arena.log.file import LOG_NAME, read_run
from arena.tune.log import TUNE_LOG_NAME, read_tuning
from tests.arena.tune.skilled import SKILLED_GAME
from tests.waiting import wait_until

# Runs `pentad` in another process, with the pile game (tests/arena/tune/skilled.py) as the only game.
RUN_PENTAD = """
import sys
import arena.terms.arguments
from arena.cli.main import main
from tests.arena.tune.skilled import SKILLED_GAME
arena.terms.arguments.list_games = lambda: {"pile": SKILLED_GAME}
main(sys.argv[1:])
"""
FILE = """
game = "pile"
engine = "player=skilled"
nodes = 10
iterations = 40
pairs = 4
r_end = 0.05
openings = "book.txt"

[parameters]
skill = {value = 50, min = 0, max = 100, step = 10, type = "int"}
"""
TUNED = ("tuned.txt", "tuned.toml", "tuned.json", "history.csv", "tuned.png")


@pytest.fixture(autouse=True)
def work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a tuning file and its openings; the pile game is the only game."""
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": SKILLED_GAME})
    monkeypatch.chdir(tmp_path)
    Path("tuning.toml").write_text(FILE, encoding="utf-8")
    Path("book.txt").write_text("1\n2\n3\n1 1\n2 2\n1 2\n2 1\n3 1\n", encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> int:
    return cli.run(["tune", "spsa", "tuning.toml", *arguments])


def without_times(text: str) -> list[str]:
    """Return the lines of a log that have values, without the times of the pairs."""
    return [line.partition(',"time_ms"')[0] for line in sorted(text.splitlines()) if '"event":"stop"' not in line][:-1]


def test_tuning_ends_with_its_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--out", "runs/a", "--seed", "1") == ExitCode.SUCCESS
    out, err = capsys.readouterr()
    assert "SPSA of skilled: 1 parameter, 40 iterations of 4 pairs" in err
    assert "Pile 9x1 normal, 320 games, 10 nodes" in err
    assert "iteration 40 of 40, 320 games" in err
    assert "iteration 40 of 40, 320 games, " in out
    assert "player: player=skilled:skill=" in out
    assert all(Path("runs/a", name).is_file() for name in TUNED)
    assert read_tuning(Path("runs/a")).spsa.values[0] > 60  # a skilled player wins more


@pytest.mark.parametrize("resume", ["resume", "same command"])
def test_killed_process_continues_with_the_same_values(
    resume: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SIGKILL allows no cleanup: all that the tuning knows must be in the log after each pair."""
    arguments = ["--seed", "4", "--concurrency", "2", "--force", "--iterations", "60"]
    command = ["tune", "spsa", "tuning.toml", *arguments, "--out", "killed"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", RUN_PENTAD, *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    log = tmp_path / "killed" / TUNE_LOG_NAME
    wait_until(lambda: log.exists() and log.read_bytes().count(b'"event":"pair"') >= 30)
    process.kill()
    process.wait()
    assert 30 <= read_tuning(tmp_path / "killed").games / 2 < 240
    assert cli.run(["resume", "killed"] if resume == "resume" else command) == ExitCode.SUCCESS
    assert run(*arguments, "--out", "whole") == ExitCode.SUCCESS
    killed, whole = read_tuning(tmp_path / "killed"), read_tuning(tmp_path / "whole")
    assert killed.spsa.values == whole.spsa.values
    assert killed.history == whole.history
    assert "of 60 iterations are already finished" in capsys.readouterr().err
    names = ("tuned.txt", "tuned.toml", "tuned.json", "history.csv")
    assert [Path("killed", name).read_bytes() for name in names] == [Path("whole", name).read_bytes() for name in names]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_interruption_ends_cleanly(signum: int, tmp_path: Path) -> None:
    """The log must have its end, and the message must say how to continue."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = ["tune", "spsa", "tuning.toml", "--iterations", "50000", "--out", "stopped"]
    process = subprocess.Popen(
        [sys.executable, "-c", RUN_PENTAD, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        text=True,
    )
    log = tmp_path / "stopped" / TUNE_LOG_NAME
    wait_until(lambda: log.exists() and log.read_bytes().count(b'"event":"pair"') >= 10)
    process.send_signal(signum)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
    assert "stopped: interrupted, unfinished pairs do not count" in output
    assert output.splitlines()[-1] == "to continue: pentad resume stopped"
    tuning = read_tuning(tmp_path / "stopped")
    assert tuning.ended is not None
    assert (tuning.ended.reason, tuning.ended.iterations) == ("interrupted", tuning.spsa.iteration)


def test_other_command_does_not_continue_a_tuning(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--out", "runs/a", "--seed", "1", "--iterations", "5") == ExitCode.SUCCESS
    assert run("--out", "runs/a", "--seed", "1", "--iterations", "6") == ExitCode.USAGE_ERROR
    assert "runs/a holds a different tuning: choose another --out" in capsys.readouterr().err


def test_report_writes_the_files_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--out", "runs/a", "--seed", "1", "--iterations", "5") == ExitCode.SUCCESS
    contents = [Path("runs/a", name).read_bytes() for name in TUNED]
    for name in TUNED:
        Path("runs/a", name).unlink()
    capsys.readouterr()
    assert cli.run(["report", "runs/a"]) == ExitCode.SUCCESS
    assert "iteration 5 of 5, 40 games" in capsys.readouterr().out
    assert [Path("runs/a", name).read_bytes() for name in TUNED] == contents
    assert cli.run(["report", "runs/a", "--html"]) == ExitCode.USAGE_ERROR
    assert "runs/a holds a tuning, which has no page: leave --html out" in capsys.readouterr().err


def test_damaged_log_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--out", "runs/a", "--seed", "1", "--iterations", "5") == ExitCode.SUCCESS
    log = Path("runs/a", TUNE_LOG_NAME)
    lines = log.read_text(encoding="utf-8").splitlines()
    lines[5] = lines[5].replace('"result":', '"result":1')
    log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for command in ("resume", "report"):
        assert cli.run([command, "runs/a"]) == ExitCode.FAILURE
        assert f"{TUNE_LOG_NAME}, line 6: result: must be" in capsys.readouterr().err


def test_foreign_tuning_is_not_resumed_without_consent(capsys: pytest.CaptureFixture[str]) -> None:
    """The log has the command of the engine, so that a log from somebody else could run anything."""
    assert run("--out", "runs/a", "--seed", "1", "--iterations", "5") == ExitCode.SUCCESS
    log = Path("runs/a", TUNE_LOG_NAME)
    lines = log.read_text(encoding="utf-8").splitlines()[:4]
    header = json.loads(lines[0])
    for engine in header["match"]["engines"]:
        del engine["player"]
        engine.update({"command": "touch owned", "protocol": "gomocup"})
    log.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n", encoding="utf-8")
    assert cli.run(["resume", "runs/a"]) == ExitCode.USAGE_ERROR
    assert "touch owned: give --yes if you trust it" in " ".join(capsys.readouterr().err.split())
    assert not Path("owned").exists()


@pytest.mark.parametrize("option", ["--boards", "--verbose", "--recover", "--scheduler=tcp://host:1"])
def test_resume_refuses_options_of_matches(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--out", "runs/a", "--seed", "1", "--iterations", "2") == ExitCode.SUCCESS
    capsys.readouterr()
    assert cli.run(["resume", "runs/a", option]) == ExitCode.USAGE_ERROR
    assert f"runs/a holds a tuning: leave {option.partition('=')[0]} out" in capsys.readouterr().err


def test_refused_parameter_stops_before_the_first_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--out", "runs/a", "--parameter", "tact=1,0,2,1,float") == ExitCode.USAGE_ERROR
    assert "skilled refuses parameter tact=0: unknown option 'tact'" in capsys.readouterr().err
    assert not Path("runs/a", TUNE_LOG_NAME).exists()


def test_verification_plays_other_openings(capsys: pytest.CaptureFixture[str]) -> None:
    """Values that fit only the openings of the tuning must not pass."""
    assert run("--out", "runs/a", "--seed", "1", "--verify", "8", "--verify-sprt", "none") == ExitCode.SUCCESS
    output = capsys.readouterr()
    assert "4 more for the verification" in output.err
    assert "tuned" in output.out
    tuning, match = read_tuning(Path("runs/a")), read_run(Path("runs/a/verify"))
    assert (len(match.games), match.names) == (8, ("tuned", "start"))
    assert {game.opening for game in match.games} == set(tuning.header.held_out)
    assert not {game.opening for game in match.games} & set(tuning.header.match.book)
    options = [dict(engine.options) for engine in match.header.engines]
    assert options == [{"skill": str(round(tuning.spsa.values[0]))}, {"skill": "50"}]
    # the same command reports the finished match again
    before = Path("runs/a/verify", LOG_NAME).read_bytes()
    assert cli.run(["resume", "runs/a"]) == ExitCode.SUCCESS
    assert Path("runs/a/verify", LOG_NAME).read_bytes() == before


def test_values_that_did_not_move_need_no_verification(capsys: pytest.CaptureFixture[str]) -> None:
    """A short tuning may leave all values as they were; that is a result, not an error."""
    assert run("--out", "runs/a", "--iterations", "1", "--r-end", "0.0001", "--verify", "8") == ExitCode.SUCCESS
    assert "no verification: the tuned values are those of the start" in capsys.readouterr().out
    assert cli.run(["tune", "verify", "runs/a"]) == ExitCode.USAGE_ERROR
    assert "all tuned values equal the start values: there is nothing to verify" in capsys.readouterr().err


def test_changed_player_is_not_resumed_or_verified(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tuning must not mix two versions of the engine."""
    assert run("--out", "runs/a", "--seed", "1", "--iterations", "9", "--r-end", "0.5") == ExitCode.SUCCESS
    log = Path("runs/a", TUNE_LOG_NAME)
    lines = log.read_text(encoding="utf-8").splitlines()
    whole = "\n".join(lines) + "\n"
    log.write_text("\n".join(lines[:8]) + "\n", encoding="utf-8")
    monkeypatch.setattr("arena.run.resume.read_versions", lambda: {"pentad": "99.0"})
    for command in (["resume", "runs/a"], ["tune", "spsa", "tuning.toml", "--iterations", "9", "--r-end", "0.5"]):
        out = ["--out", "runs/a", "--seed", "1"] if command[0] == "tune" else []
        assert cli.run([*command, *out]) == ExitCode.USAGE_ERROR
        assert "of Pentad when the run started; --force continues anyway" in capsys.readouterr().err
    assert cli.run(["resume", "runs/a", "--force"]) == ExitCode.SUCCESS
    assert len(log.read_text(encoding="utf-8").splitlines()) > len(lines)  # with the resumption
    log.write_text(whole, encoding="utf-8")
    verify = ["tune", "verify", "runs/a", "--games", "2", "--openings", "other.txt"]
    Path("other.txt").write_text("3 3\n", encoding="utf-8")
    assert cli.run(verify) == ExitCode.USAGE_ERROR
    assert cli.run([*verify, "--force", "--concurrency", "2"]) in (ExitCode.SUCCESS, ExitCode.FAILURE)
    assert read_run(Path("runs/a/verify")).header.concurrency == 2


def test_verification_can_be_played_later(capsys: pytest.CaptureFixture[str]) -> None:
    """A tuning that used only some of its openings leaves the others."""
    assert run("--out", "runs/a", "--seed", "1", "--iterations", "3", "--pairs", "2", "--r-end", "0.5") == 0
    book = read_tuning(Path("runs/a")).header.match.book
    assert cli.run(["tune", "verify", "runs/a", "--games", "4", "--sprt", "none"]) == ExitCode.SUCCESS
    openings = {game.opening for game in read_run(Path("runs/a/verify")).games}
    assert len(openings) == 2
    assert openings <= set(book)
    assert run("--out", "runs/b", "--seed", "1", "--iterations", "8", "--r-end", "0.5") == ExitCode.SUCCESS
    capsys.readouterr()
    assert cli.run(["tune", "verify", "runs/b"]) == ExitCode.USAGE_ERROR
    assert "--openings is missing: the tuning has played all openings of book.txt" in capsys.readouterr().err
    Path("other.txt").write_text("3 3\n1\n", encoding="utf-8")
    verify = ["tune", "verify", "runs/b", "--games", "2", "--sprt", "none", "--openings", "other.txt"]
    assert cli.run(verify) == ExitCode.SUCCESS
    assert {game.opening for game in read_run(Path("runs/b/verify")).games} == {("3", "3")}


def test_verification_is_continued_and_other_ones_get_their_own_folder(capsys: pytest.CaptureFixture[str]) -> None:
    """The same command must not play a game twice, and a different one must say how it can be played."""
    assert run("--out", "runs/a", "--seed", "1", "--iterations", "3", "--pairs", "2", "--r-end", "0.5") == 0
    verify = ["tune", "verify", "runs/a", "--games", "6", "--sprt", "none"]
    assert cli.run(verify) == ExitCode.SUCCESS
    log = Path("runs/a/verify", LOG_NAME)
    whole, games = log.read_bytes(), [game.moves for game in read_run(Path("runs/a/verify")).games]
    assert cli.run(verify) == ExitCode.SUCCESS
    assert log.read_bytes() == whole
    lines = whole.splitlines(keepends=True)
    for kept in (1, 4, len(lines) - 2):  # killed after the header, in the second game, and before the last event
        log.write_bytes(b"".join(lines[:kept]) + lines[kept][:9])
        assert cli.run(verify) == ExitCode.SUCCESS
        assert [[move.move for move in game.moves] for game in read_run(Path("runs/a/verify")).games] == [
            [move.move for move in moves] for moves in games
        ]
    capsys.readouterr()
    start = ["tune", "verify", "runs/a"]
    changes = {
        "number of games": ["--games", "8", "--sprt", "none"],
        "SPRT": ["--games", "6"],
        "seed": ["--games", "6", "--sprt", "none", "--seed", "3"],
    }
    for name, options in changes.items():
        assert cli.run([*start, *options]) == ExitCode.USAGE_ERROR
        assert capsys.readouterr().err.splitlines()[-1] == (
            f"pentad: runs/a/verify holds a different run, with other {name}: choose another one by"
            " `pentad tune verify runs/a --out FOLDER`"
        )
    assert cli.run([*start, *changes["seed"], "--out", "runs/b"]) == ExitCode.SUCCESS
    assert read_run(Path("runs/b")).header.seed == 3
    assert cli.run([*verify, "--seed=-3"]) == ExitCode.USAGE_ERROR


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "."], "there is no tuning in .: no tune.jsonl"),
        (["verify", "runs/a", "--games", "3"], "--games must be even and 2 or more, not 3"),
        (["verify", "runs/a", "--sprt", "10,0"], "--sprt: elo0 must be below elo1"),
        (["spsa", "tuning.toml", "--verify-sprt", "x"], "--verify-sprt: a test must be ELO0,ELO1"),
        (["spsa", "missing.toml"], "missing.toml: No such file or directory"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "runs/a" in arguments:
        assert run("--out", "runs/a", "--seed", "1", "--iterations", "5") == ExitCode.SUCCESS
    assert cli.run(["tune", *arguments]) == ExitCode.USAGE_ERROR
    assert message in " ".join(capsys.readouterr().err.split())
