"""The GTP check list: a correct engine passes every item, and a misbehaving one fails the items that it should."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from arena.check import gtp as check_gtp
from arena.check.check_list import CheckResult
from arena.check.gtp_conversation import GtpTimeouts
from arena.cli import main as cli
from arena.engines.gtp import find_gtp_game
from arena.errors import UsageError
from bots.registry import GAMES
from tests.mocks.tiny_hex import TINY_HEX

GOOD_ENGINE = [sys.executable, "-S", "-m", "tests.mocks.served_gtp"]
BAD_ENGINE = [sys.executable, "-S", "-m", "tests.mocks.gtp_engine"]

# Switches of BAD_ENGINE such as `noids=1` are explained in tests/mocks/gtp_engine.py. Both mocks answer at once, so the
# tests need not wait as long as controllers do.
SHORT_TIMEOUTS = GtpTimeouts(start_s=30.0, reply_s=2.0, tolerance_s=2.0, end_s=2.0, silence_s=0.1)


@pytest.fixture(autouse=True)
def project_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run tests in the folder of the project, from which `-m tests.mocks...` is found."""
    monkeypatch.chdir(Path(__file__).parents[3])


def run_items(*switches: str, numbers: Collection[int], timeouts: GtpTimeouts = SHORT_TIMEOUTS) -> dict[int, str]:
    """Run some items of the list on the mock engine; return the details of those that fail, by item number."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name in ("CHECK_ITEMS", "GAME_CHECK_ITEMS"):
            items = [item for item in getattr(check_gtp, name) if item[0] in numbers]
            monkeypatch.setattr(check_gtp, name, items)
        results = check_gtp.check_gtp([*BAD_ENGINE, *switches], lambda _: None, 1.0, TINY_HEX, timeouts)
    assert len(results) == len(numbers)
    return {result.number: result.detail for result in results if not result.passed}


def test_correct_engine_passes() -> None:
    reported: list[CheckResult] = []
    results = check_gtp.check_gtp(GOOD_ENGINE, reported.append, 1.0, TINY_HEX, SHORT_TIMEOUTS)
    assert reported == results
    assert not [result for result in results if not result.passed]
    assert [result.number for result in results] == list(range(1, 24))
    details = {result.number: result.detail for result in results}
    assert details[1].startswith("Served 1.0, first answer after ")
    assert (details[20], details[21]) == ("B+ after 7 plies", "18 positions")


def test_engine_that_ignores_ids_fails() -> None:
    details = run_items("noids=1", numbers=(1, 3, 4, 14, 17))
    assert set(details) == {3, 14, 17}
    assert details[3] == "1 name was answered by '? unknown command': the answer must have id 1"


def test_engine_with_broken_framing_fails() -> None:
    details = run_items(r"raw== a1\n\nb2\n", numbers=(1, 7, 10, 14))
    assert set(details) == {10, 14}
    assert details[14].startswith("11 genmove black was answered by '= a1': the answer must have id 11")
    assert details[10] == "showposition was answered by 'b2': an answer must begin with = or ?"
    assert "without an empty line after it" in run_items("raw=ID a1", numbers=(10,))[10]


def test_engine_that_ignores_quit_and_the_end_of_input_fails() -> None:
    timeouts = replace(SHORT_TIMEOUTS, reply_s=0.5, end_s=0.5)
    details = run_items("deaf=1", numbers=(17, 18, 19), timeouts=timeouts)
    assert set(details) == {17, 18, 19}
    assert details[17] == "5 quit was answered by nothing within 0.5 s"
    assert details[18] == "still running 0.5 s after the end of input"


def test_engine_that_does_not_play_its_moves_fails() -> None:
    details = run_items("answer=b2", numbers=(10, 12, 20, 22, 23))
    assert set(details) == {10, 12, 20}
    assert details[20] == "after b2: occupied"
    assert details[10] == "genmove answered b2 but did not play it"


def test_slow_engine_and_program_that_exits_fail() -> None:
    assert "s of 1 s" in run_items("late=1050", numbers=(13,))[13]
    (result,) = check_gtp.check_gtp([sys.executable, "-S", "-c", ""], lambda _: None)
    assert (result.number, result.passed, result.skipped) == (1, False, 18)
    assert result.detail == "exited with status 0"


def test_engine_of_another_protocol_ends_the_check_with_its_answer() -> None:
    """The check stops, because each of its 19 items would wait a minute for the end of an answer."""
    brain = [sys.executable, "-S", "-c", "while input(): print('UNKNOWN command', flush=True)"]
    (result,) = check_gtp.check_gtp(brain, lambda _: None, timeouts=replace(SHORT_TIMEOUTS, start_s=1.0, end_s=0.1))
    received = "'UNKNOWN command' without an empty line after it"
    assert result.detail == f"protocol_version was answered by {received} within 1 s"
    assert result.skipped == 18


@pytest.mark.parametrize("dialect", ["own", "pentagod"])
def test_moves_are_read_in_the_dialect_of_the_option(
    dialect: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Pentagod names rows by letters, so without `--dialect` its moves differ from those of our rules."""
    monkeypatch.setattr("arena.check.gtp.CHECK_ITEMS", ())
    monkeypatch.setattr("arena.check.gtp.GAME_CHECK_ITEMS", check_gtp.GAME_CHECK_ITEMS[1:3])
    engine = ["--", sys.executable, "-m", "bots.pentago", "--dialect", "pentagod"]
    passed = cli.run(["check", "gtp", "--game", "pentago", "--dialect", dialect, *engine]) == 0
    assert passed == (dialect == "pentagod"), capsys.readouterr().out
    assert cli.run(["check", "gtp", "--dialect", "pentagod", *engine]) == 2
    assert cli.run(["check", "gtp", "--game", "pentago", "--dialect", "french", *engine]) == 2
    assert "dialect" in capsys.readouterr().err


def test_startup_commands_are_sent_at_each_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.check.gtp.CHECK_ITEMS", check_gtp.CHECK_ITEMS[:2])
    log = tmp_path / "log"
    startup = ["--startup", "boardsize 4", "--startup", "clear_board"]
    assert cli.run(["check", "gtp", *startup, "--", *BAD_ENGINE, f"log={log}"]) == 0
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines[:3] == ["protocol_version", "boardsize 4", "clear_board"]
    assert lines.count("boardsize 4") == 2
    assert cli.run(["check", "gtp", "--startup", "frobnicate", "--", *BAD_ENGINE]) == 1
    assert "frobnicate failed: 'unknown command'" in capsys.readouterr().out


def test_check_gtp_prints_items_and_refuses_wrong_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.check.gtp.CHECK_ITEMS", check_gtp.CHECK_ITEMS[:1])
    assert cli.run(["check", "gtp", "--", *GOOD_ENGINE]) == 0
    assert cli.run(["check", "gtp", "--", *BAD_ENGINE, "bare=1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("pass  1 the required commands are listed: Served 1.0")
    assert lines[1] == "1 of 1 checks passed"
    assert lines[2].startswith("FAIL  1 the required commands are listed: list_commands lacks protocol_version")
    for arguments in (["check", "gtp"], ["check", "gtp", "--move-time", "1.5", "--", "x"]):
        assert cli.run(arguments) == 2
    assert cli.run(["check", "gtp", "--game", "gomoku", "--", "x"]) == 2
    assert "Gomoku is played over gomocup, not over GTP" in capsys.readouterr().err


def test_game_of_another_protocol_is_refused() -> None:
    with pytest.raises(UsageError, match="not over GTP"):
        find_gtp_game(GAMES["gomoku"])
