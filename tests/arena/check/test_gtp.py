"""The GTP check list: a decent engine passes every point, and each vice fails the points it should."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from arena.check import gtp as check_gtp
from arena.check.check_list import CheckResult
from arena.check.gtp_talk import GtpPatience
from arena.cli import main as cli
from arena.engines.gtp import find_gtp_game
from arena.errors import UsageError
from bots.registry import GAMES
from tests.mocks.tiny_hex import TINY_HEX

GOOD_ENGINE = [sys.executable, "-S", "-m", "tests.mocks.served_gtp"]
VICIOUS_ENGINE = [sys.executable, "-S", "-m", "tests.mocks.gtp_engine"]

# The mocks are quick; waiting as long as controllers do would only make the test slow.
QUICK = GtpPatience(start_s=30.0, reply_s=2.0, tolerance_s=2.0, end_s=2.0, silence_s=0.1)


@pytest.fixture(autouse=True)
def in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[3])


def failures(*switches: str, points: Collection[int], patience: GtpPatience = QUICK) -> dict[int, str]:
    """The points among some that an engine fails, with details; to start it for all would take long."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name in ("CHECK_ITEMS", "GAME_POINTS"):
            chosen = [point for point in getattr(check_gtp, name) if point[0] in points]
            monkeypatch.setattr(check_gtp, name, chosen)
        results = check_gtp.check_gtp([*VICIOUS_ENGINE, *switches], lambda _: None, 1.0, TINY_HEX, patience)
    assert len(results) == len(points)
    return {result.number: result.detail for result in results if not result.passed}


def test_decent_engine_passes() -> None:
    reported: list[CheckResult] = []
    results = check_gtp.check_gtp(GOOD_ENGINE, reported.append, 1.0, TINY_HEX, QUICK)
    assert reported == results
    assert not [result for result in results if not result.passed]
    assert [result.number for result in results] == list(range(1, 24))
    details = {result.number: result.detail for result in results}
    assert details[1].startswith("Served 1.0, first answer after ")
    assert (details[20], details[21]) == ("B+ after 7 plies", "18 positions")


def test_engine_that_ignores_ids() -> None:
    found = failures("noids=1", points=(1, 3, 4, 14, 17))
    assert set(found) == {3, 14, 17}
    assert found[3] == "1 name was answered by '? unknown command': id 1 is wanted"


def test_engine_with_broken_framing() -> None:
    found = failures(r"raw== a1\n\nb2\n", points=(1, 7, 10, 14))
    assert set(found) == {10, 14}
    assert found[14].startswith("11 genmove black was answered by '= a1': id 11 is wanted")
    assert found[10] == "showposition was answered by 'b2': an answer begins with = or ?"
    assert "without an empty line after it" in failures("raw=ID a1", points=(10,))[10]


def test_engine_that_hears_no_end() -> None:
    patience = replace(QUICK, reply_s=0.5, end_s=0.5)
    found = failures("deaf=1", points=(17, 18, 19), patience=patience)
    assert set(found) == {17, 18, 19}
    assert found[17] == "5 quit was answered by nothing within 0.5 s"
    assert found[18] == "still running 0.5 s after the end of input"


def test_engine_that_does_not_play_its_moves() -> None:
    found = failures("answer=b2", points=(10, 12, 20, 22, 23))
    assert set(found) == {10, 12, 20}
    assert found[20] == "after b2: occupied"
    assert found[10] == "genmove answered b2 and did not play it"


def test_slow_engine_and_dead_program() -> None:
    assert "s of 1 s" in failures("late=1050", points=(13,))[13]
    (result,) = check_gtp.check_gtp([sys.executable, "-S", "-c", ""], lambda _: None)
    assert (result.number, result.passed, result.skipped) == (1, False, 18)
    assert result.detail == "exited with status 0"


def test_engine_of_another_protocol_shows_what_it_answers_and_ends_the_check() -> None:
    """Nineteen points waited a minute each for the end of an answer."""
    brain = [sys.executable, "-S", "-c", "while input(): print('UNKNOWN command', flush=True)"]
    (result,) = check_gtp.check_gtp(brain, lambda _: None, patience=replace(QUICK, start_s=1.0, end_s=0.1))
    came = "'UNKNOWN command' without an empty line after it"
    assert result.detail == f"protocol_version was answered by {came} within 1 s"
    assert result.skipped == 18


@pytest.mark.parametrize("dialect", ["own", "pentagod"])
def test_dialect_is_spoken(dialect: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Pentagod names rows by letters, so that its legal moves were none of ours."""
    monkeypatch.setattr("arena.check.gtp.CHECK_ITEMS", ())
    monkeypatch.setattr("arena.check.gtp.GAME_POINTS", check_gtp.GAME_POINTS[1:3])
    engine = ["--", sys.executable, "-m", "bots.pentago", "--dialect", "pentagod"]
    passed = cli.run(["check", "gtp", "--game", "pentago", "--dialect", dialect, *engine]) == 0
    assert passed == (dialect == "pentagod"), capsys.readouterr().out
    assert cli.run(["check", "gtp", "--dialect", "pentagod", *engine]) == 2
    assert cli.run(["check", "gtp", "--game", "pentago", "--dialect", "french", *engine]) == 2
    assert "dialect" in capsys.readouterr().err


def test_commands_are_sent_at_each_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.check.gtp.CHECK_ITEMS", check_gtp.CHECK_ITEMS[:2])
    log = tmp_path / "log"
    startup = ["--startup", "boardsize 4", "--startup", "clear_board"]
    assert cli.run(["check", "gtp", *startup, "--", *VICIOUS_ENGINE, f"log={log}"]) == 0
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines[:3] == ["protocol_version", "boardsize 4", "clear_board"]
    assert lines.count("boardsize 4") == 2
    assert cli.run(["check", "gtp", "--startup", "frobnicate", "--", *VICIOUS_ENGINE]) == 1
    assert "frobnicate failed: 'unknown command'" in capsys.readouterr().out


def test_command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("arena.check.gtp.CHECK_ITEMS", check_gtp.CHECK_ITEMS[:1])
    assert cli.run(["check", "gtp", "--", *GOOD_ENGINE]) == 0
    assert cli.run(["check", "gtp", "--", *VICIOUS_ENGINE, "bare=1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("pass  1 the required commands: Served 1.0")
    assert lines[1] == "1 of 1 points passed"
    assert lines[2].startswith("FAIL  1 the required commands: list_commands lacks protocol_version")
    for wrong in (["check", "gtp"], ["check", "gtp", "--move-time", "0.5", "--", "x"]):
        assert cli.run(wrong) == 2
    assert cli.run(["check", "gtp", "--game", "gomoku", "--", "x"]) == 2
    assert "Gomoku is played over gomocup, not over GTP" in capsys.readouterr().err


def test_games_of_other_protocols_have_no_gtp() -> None:
    with pytest.raises(UsageError, match="not over GTP"):
        find_gtp_game(GAMES["gomoku"])
