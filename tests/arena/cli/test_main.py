"""Tests of the `pentad` command: help, mistakes, perft, bench, check, and matches of a mock brain.

The games are small ones from `tests/arena/fakes.py`: `row` (five in a row) and `pile` (taking stones from a pile). The
switches of the brain, such as `crash=1`, are explained in `tests/mocks/misbehaviour.py` and `gomocup_brain.py`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from arena.check import gomocup as check_gomocup
from arena.cli import main as cli
from arena.log.events import GameEnded
from arena.log.file import read_run
from arena.run.resume import restore_config
from arena.terms.ending import Ending
from bots.game_names import GAME_NAMES
from core.native.aot import KernelError
from core.play.game import Position
from core.play.player import Setup
from core.version import VERSION
from tests.arena.events import read_log
from tests.arena.fakes import PILE_GAME, ROW_GAME
from tests.waiting import wait_until

BRAIN = f"{sys.executable} -S -m tests.mocks.gomocup_brain"


@pytest.fixture(autouse=True)
def small_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the built-in games of Pentad by two small ones."""
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME, "row": ROW_GAME})


@pytest.fixture
def run_match(tmp_path: Path) -> Callable[..., int]:
    """Return a function that plays a match of the mock brain, with some of its switches, against the player `last`."""

    def run(*switches: str, tc: str = "5", games: int = 4, options: tuple[str, ...] = ()) -> int:
        brain = f"cmd={' '.join((BRAIN, *switches))},name=mock"
        arguments = ["match", "--game", "row", "--engine", brain, "--engine", "player=last", "--seed", "1"]
        return cli.run([*arguments, "--out", str(tmp_path), "--tc", tc, "--games", str(games), *options])

    return run


def ended_games(directory: Path) -> list[GameEnded]:
    """Return the games in the log, including those of incomplete pairs."""
    return [event for event in read_log(directory) if isinstance(event, GameEnded)]


@pytest.mark.parametrize(
    "command", ["", "match", "demo", "build", "check", "check gomocup", "perft", "bench", "openings", "study"]
)
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([*command.split(), "--help"]) == 0
    assert "Usage: pentad" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["match", "perft", "openings"])
def test_help_names_the_games(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert [name for name in GAME_NAMES if name not in text] == []


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--version"]) == 0
    assert capsys.readouterr().out == f"{VERSION}\n"


def test_kernel_error_is_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: Setup) -> Position:
        raise KernelError("kernel f can raise an exception")

    game = replace(PILE_GAME, new_position=fail)
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": game})
    assert cli.run(["perft", "pile", "1"]) == 1
    assert capsys.readouterr().err == "pentad: kernel f can raise an exception\n"


def test_interruption_of_any_command_is_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By default cyclopts would exit without a message and with its own exit code."""

    def interrupt(_: Setup) -> Position:
        raise KeyboardInterrupt

    game = replace(PILE_GAME, new_position=interrupt)
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": game})
    assert cli.run(["perft", "pile", "1"]) == 3
    assert capsys.readouterr().err == "pentad: interrupted\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bogus"], "Unknown command"),
        (["mtach"], 'Did you mean "match"?'),
        (["check", "gomcup"], 'Did you mean "gomocup"?'),
        (["match", "--game", "row"], "give --engine twice, not 0 times"),
        (["match", "--game", "row", "--engine", "player=last"], "give --engine twice, not 1 times"),
        (["match", "--game", "row", "--engine", "player=last", "--engine", "two"], "must begin with one of"),
        (["match", "--tc", "fast"], "time control must be MOVE, MOVE/GAME, /GAME or GAME+INCREMENT in seconds"),
        (["match", "--tc", "9" * 5000], "--tc: time control must be at most 1000000 seconds"),
        (["match", "--games", "0"], "--games must be 1 or more, not 0"),
        (["match", "--games", "9" * 18], "--games must be 1000000 or less, not 9999"),
        (
            ["match", "--games", "9" * 5000],
            f"--games must be a whole number of at most 18 digits, not '{'9' * 40}...'\n",
        ),
        (["match", "--nodes", "9" * 18], "--nodes must be 1000000000000000 or less"),
        (["match", "--start-timeout", "1e400"], "--start-timeout must be 1000000 or less, not inf"),
        (["match", "--games", "few"], "--games must be a whole number, not 'few'"),
        (["match", "--games", "2.5"], "--games must be a whole number, not '2.5'"),
        (["match", "--openings-start", "2"], "--openings-start must be 1..1, not 2"),
        (["match", "--max-plies", "226"], "--max-plies must be 0..225, not 226"),
        (["match", "--sprt", "0,10", "--games", "3"], "--games must be even, not 3"),
        (["match", "--sprt", "10"], "--sprt: a test must be ELO0,ELO1 or ELO0,ELO1,MODEL"),
        (["match", "--transform"], "--transform plays openings under symmetries: give --openings FILE"),
        (["match", "--size", "99"], "board size must be 5..22, not 99"),
        (["match", "--openings", "/no/such/file"], "openings /no/such/file: No such file or directory"),
        (["match", "--quit-timeout", "0"], "--quit-timeout must be above 0, not 0"),
        (["match", "--concurrency", "1000"], "--concurrency must be 1.."),
        (["match", "--scheduler", "tcp://a:1", "--concurrency", "-1"], "--concurrency must be 0 or more, not -1"),
        (["match", "--game", "chess"], "unknown game 'chess'; known: pile, row"),
        (["perft", "row"], "requires an argument"),
        (["perft", "pile", "-1"], "DEPTH must be 0 or more, not -1"),
        (["perft", "pile", "1", "--position", "9"], "take 1 to 3 of 9, not '9'"),
        (["bench", "pile", "--depth", "0"], "--depth must be 1 or more"),
        (["check", "gomocup"], "the command of the brain is missing"),
        (["check", "gomocup", "--move-time", "0", "--", "brain"], "--move-time must be above 0 s"),
        (["check", "gomocup", "--move-time", "nan", "--", "brain"], "--move-time must be above 0 s"),
        (["check", "gtp", "--move-time", "0", "--", "engine"], "--move-time must be 1 s or more, and at most"),
        (["check", "gtp", "--move-time", "1.5", "--", "engine"], "--move-time must be a whole number, not '1.5'"),
        (["play", "row", "--move-time", "nan"], "--move-time must be above 0 s"),
    ],
)
def test_mistake_gets_a_message_of_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # A case of `match` that is not about its engines gets two engines and a game
    if arguments[0] == "match" and "--engine" not in arguments and "not 0 times" not in message:
        arguments = [*arguments, "--engine", "player=last", "--engine", "player=last"]
        arguments += [] if "--game" in arguments else ["--game", "row"]
    assert cli.run(arguments) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.startswith("pentad: ")
    assert captured.err.count("\n") == 1
    assert not captured.out


def test_perft_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["perft", "pile", "3", "--size", "4", "--position", "1", "--divide"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["1 1", "2 0", "3 0"]
    assert lines[3].startswith("perft 3: 1 in ")


def test_bench_prints_each_position_and_the_total(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["bench", "pile", "--depth", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    lines = [line for line in lines if not line.startswith("longest time between two clock polls: ")]
    assert [line.partition(":")[0] for line in lines] == ["start", "1 2", "4x1", "total", "1 2", "4x1", "proofs"]
    assert "depth 3, 19 nodes" in lines[3]
    assert lines[4].startswith("1 2: 1 7 nodes, ")
    assert lines[6].startswith("proofs: 12 nodes, ")


def test_match_with_a_brain(run_match: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path.with_name("book.txt")  # outside the folder of the run, which must be empty
    book.write_text("h8i9\n0,1, 2,2\n", encoding="utf-8")
    assert run_match("chatty=1", options=("--openings", str(book))) == 0
    output = capsys.readouterr().out
    assert "played 4 of 4 games, 4 distinct" in output
    assert "Finished game 1 (mock v last): 1-0, five\n" in output
    assert "time losses" not in output
    assert "time losses" in (tmp_path / "crosstable.txt").read_text(encoding="utf-8")
    games = ended_games(tmp_path)
    assert [game.ending for game in games] == [Ending.WIN] * 4
    assert [game.winner for game in games] == ["mock"] * 4
    assert games[0].moves[0].depth == 4
    assert games[0].moves[0].pv == ("h8", "i9")
    assert games[0].moves[0].messages[-2:] == ("DEBUG own words", "MESSAGE hello")
    record = (tmp_path / "games" / "00001.psq").read_text().splitlines()
    assert record[0] == "Piskvorky 15x15, 11:11, 0"
    assert record[-3:] == ["mock", "last", "0"]
    header = json.loads((tmp_path / "log.jsonl").read_text().splitlines()[0])
    assert header["engines"][0]["command"].endswith("chatty=1")
    assert header["openings_hash"]


def test_max_plies_ends_a_game_and_is_kept_in_the_log(run_match: Callable[..., int], tmp_path: Path) -> None:
    assert run_match(games=2, options=("--max-plies", "6")) == 0
    assert [(game.ending, game.detail, len(game.moves)) for game in ended_games(tmp_path)] == [
        (Ending.MOVE_CAP, "6 plies", 6)
    ] * 2
    assert restore_config(tmp_path, read_run(tmp_path).header).max_plies == 6


@pytest.mark.parametrize(("switch", "ending"), [("answer=7,7", Ending.ILLEGAL), ("answer=ERROR", Ending.REFUSED)])
def test_faulty_brain_loses_and_the_remaining_games_are_played(
    switch: str, ending: Ending, run_match: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_match(switch, tc="0.1", games=2, options=("--margin-ms", "200", "--max-faults", "0")) == 0
    games = ended_games(tmp_path)
    assert [(game.ending, game.blamed, game.winner) for game in games] == [(ending, "mock", "last")] * 2
    assert "played 2 of 2 games" in capsys.readouterr().out
    assert not [child for child in psutil.Process().children(recursive=True) if "gomocup_brain" in str(child.cmdline())]


def test_brain_that_keeps_crashing_stops_the_match(
    run_match: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_match("crash=1") == 1
    output = capsys.readouterr().out
    assert "stopped: mock failed in 2 consecutive games: exited with status 3" in output
    assert "played 2 of 4 games" in output
    assert len(ended_games(tmp_path)) == 2
    record = (tmp_path / "games" / "00001.stderr.txt").read_text()
    assert record == "== mock ==\nTraceback: out of ideas\n"
    assert cli.run(["resume", str(tmp_path), "--recover"]) == 0
    assert [game.ending for game in ended_games(tmp_path)] == [Ending.DISCONNECT] * 4


def test_brain_that_refuses_the_board_is_refused_before_the_first_game(
    run_match: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_match("refuse=1") == 1
    assert "pentad: mock could not start: " in capsys.readouterr().err
    assert not (tmp_path / "log.jsonl").exists()


def test_check_prints_each_item_and_fails_a_wrong_brain(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.check.gomocup.CHECK_ITEMS", check_gomocup.CHECK_ITEMS[:1])
    brain = ["check", "gomocup", "--", *BRAIN.split()]
    assert cli.run(brain) == 0
    assert cli.run([*brain, "refuse=1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("pass  1 START is answered by exactly OK")
    assert lines[1] == "1 of 1 checks passed"
    assert lines[2].startswith("FAIL  1 START is answered by exactly OK: ")
    assert lines[3] == "0 of 1 checks passed"


def test_suspended_check_refuses_zero_starts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.check.suspended_start.TURN_LIMITS_MS", (20_000,))
    check = ["check", "gomocup", "--suspended", "--starts"]
    assert cli.run([*check, "0", "--", *BRAIN.split()]) == 2
    assert capsys.readouterr().err == "pentad: --starts must be 1 or more and --loops 0 or more, not 0 and 0\n"
    assert cli.run([*check, "1", "--", *BRAIN.split(), "answer=3,3"]) == 0
    assert capsys.readouterr().out.endswith("1 of 1 checks passed\n")


# The `pentad` command with the game `row` as the only game, for a process of its own
RUN_PENTAD = """
import sys
import arena.terms.arguments
from arena.cli.main import main
from tests.arena.fakes import ROW_GAME
arena.terms.arguments.list_games = lambda: {"row": ROW_GAME}
main(sys.argv[1:])
"""


@pytest.mark.skipif(os.name == "nt", reason="a console signal reaches the whole console there")
@pytest.mark.parametrize("signals", [("SIGINT", "SIGINT"), ("SIGTERM",), ("SIGHUP",)])
def test_interruption_leaves_no_process_and_keeps_finished_games(signals: tuple[str, ...], tmp_path: Path) -> None:
    """The brain stalls in its third game, ignores END and has a child. It gets SIGTERM before it is killed.

    On Linux its daemon is killed too, although the daemon has another session and an empty environment.
    """
    child_file, sigterm_file, daemon_file = tmp_path / "child", tmp_path / "sigterm", tmp_path / "daemon"
    brain = f"cmd={BRAIN} stall=13 deaf=1 child={child_file} term={sigterm_file} bare_daemon={daemon_file}"
    command = [sys.executable, "-c", RUN_PENTAD, "match", "--game", "row", "--engine", brain, "--engine", "player=last"]
    command += ["--tc", "30", "--games", "4", "--out", str(tmp_path / "run")]
    error_file = tmp_path / "errors"
    with error_file.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    wait_until((tmp_path / "run" / "games" / "00002.psq").exists)
    for number, name in enumerate(signals):
        if number:
            wait_until(lambda: "press Ctrl-C again to end them at once" in error_file.read_text(encoding="utf-8"))
        process.send_signal(getattr(signal, name))
    output, _ = process.communicate(timeout=30)
    assert process.returncode == 3, error_file.read_text(encoding="utf-8")
    assert "interrupted, incomplete pairs do not count" in output
    assert "played 2 of 4 games" in output
    assert f"to resume the run: pentad resume {tmp_path / 'run'}" in output
    assert len((tmp_path / "run" / "results.csv").read_text().splitlines()) == 3
    wait_until(lambda: not is_running(int(child_file.read_text())))
    for pid in daemon_file.read_text(encoding="utf-8").split():
        assert not is_running(int(pid)) or not sys.platform.startswith("linux")
    assert sigterm_file.read_text(encoding="utf-8") == "asked\n" * 2  # at the end of the trial start, and now


@pytest.mark.skipif(os.name == "nt", reason="a suspended process looks like a running one there")
def test_killed_runner_leaves_no_suspended_program(tmp_path: Path) -> None:
    """A suspended brain cannot read the end of its input. It has a child, which is suspended with it."""
    child_file = tmp_path / "child"
    engines = [f"cmd={BRAIN} kin={child_file},name=suspended", f"cmd={BRAIN} late=1000,name=thinking"]
    command = [
        sys.executable,
        "-c",
        RUN_PENTAD,
        "match",
        "--game",
        "row",
        "--engine",
        engines[0],
        "--engine",
        engines[1],
    ]
    command += ["--tc", "30", "--suspend", "--out", str(tmp_path / "run")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def is_child_stopped() -> bool:
        """Return whether the last child that was started is suspended; that of the trial start has ended."""
        text = child_file.read_text(encoding="utf-8") if child_file.exists() else ""
        with suppress(psutil.NoSuchProcess):
            return bool(text) and psutil.Process(int(text)).status() == psutil.STATUS_STOPPED
        return False

    wait_until(is_child_stopped)
    engine_processes = psutil.Process(process.pid).children(recursive=True)
    assert len(engine_processes) == 3
    process.kill()
    process.wait()
    wait_until(lambda: not any(is_running(engine.pid) for engine in engine_processes))


def is_running(pid: int) -> bool:
    return psutil.pid_exists(pid) and bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such devices")
@pytest.mark.parametrize(
    "command",
    [
        "match --game row --engine player=last --engine player=last --openings FILE",
        "match FILE",
        "match --game row --engines FILE",
        "match --game row --engine player=FILE:Player --engine player=last",
        "openings row --book FILE --test player=last",
        "convert FILE",
    ],
)
def test_device_is_refused_as_a_file(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An endless device must not be read until memory is full."""
    file = tmp_path / f"zero{'.sgf' if 'convert' in command else '.py'}"
    file.symlink_to("/dev/zero")
    assert cli.run(command.replace("FILE", str(file)).split()) in (1, 2)
    error = capsys.readouterr().err
    assert f"{file}: a regular file is required, not a device" in error
    assert error.count("\n") == 1
