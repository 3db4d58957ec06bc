"""Tests of the log of the lines between the arena and an engine (`--io-log`).

SENT marks a line to the engine, RECEIVED a line from it. The arguments of `IoLog` are the folder of a run, the name of
the engine and the index of its slot.
"""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest

from arena.engines.io_log import MAX_LINE_CHARS, IoLog, file_names
from arena.terms.ending import Ending
from arena.terms.engine_limits import EngineLimits
from protocols.driving.process import RECEIVED, SENT
from tests.arena.mock_match import DEADLINES, PROTOCOLS, ended_games, play


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_lines_of_both_directions_are_logged_in_every_game(tmp_path: Path, protocol: str) -> None:
    play(tmp_path, protocol, "crash=2", engine_limits=EngineLimits(DEADLINES, io_log=True))
    assert [game.ending for game in ended_games(tmp_path)] == [Ending.DISCONNECT] * 2
    lines = (tmp_path / "io" / "mock-1.log").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("#")] == ["# game 1", "# game 2"]
    matches = [re.fullmatch(r" *(\d+\.\d{6}) ([<>]) (.*)", line) for line in lines if not line.startswith("#")]
    assert all(matches)
    marks = [match[2] for match in matches if match]
    assert marks[0] == SENT or protocol == "uhp"  # a UHP engine speaks first
    assert {SENT, RECEIVED} <= set(marks)
    assert not list((tmp_path / "io").glob("good*"))


def test_there_is_no_log_by_default(tmp_path: Path) -> None:
    play(tmp_path, "gtp")
    assert not (tmp_path / "io").exists()


def test_control_characters_are_replaced_and_long_lines_are_cut(tmp_path: Path) -> None:
    """No line of an engine looks like another line or like a heading; its name becomes a valid file name."""
    (name,) = file_names(["../a b"])
    log = IoLog(tmp_path, name, 1)
    log.record(RECEIVED, "x\r# game 9\x1b[2J", 0)
    log.record(RECEIVED, "y" * (MAX_LINE_CHARS + 5), 0)
    log.close()
    log.record(RECEIVED, "late", 0)
    (file,) = (tmp_path / "io").iterdir()
    assert file.name == ".._a_b-2.log"
    first, second = file.read_text(encoding="utf-8").splitlines()
    assert first.endswith("< x?# game 9?[2J")
    assert second.endswith("[... 5 characters ...]")


def test_each_engine_has_a_file_of_its_own() -> None:
    """Regression: the lines of `a b` and `a_b` were in one file."""
    assert file_names(["a b", "a_b", "c"]) == ["a_b-1", "a_b-2", "c"]


def test_received_lines_beyond_the_limit_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of dropped lines is written at the end of each game. Sent lines are never dropped."""
    monkeypatch.setattr("arena.engines.io_log.MAX_RECEIVED_BYTES", 1000)
    log = IoLog(tmp_path, "a", 0)
    for game in (1, 2):
        log.write_heading(f"game {game}")
        for _ in range(100):
            log.record(RECEIVED, "", 0)
        log.record(SENT, "word", 0)
    log.close()
    lines = (tmp_path / "io" / "a-1.log").read_text(encoding="utf-8").splitlines()
    one_game = [*[RECEIVED] * 15, SENT, "[... 85 lines ...]"]
    shown = [line if line[0] in "#[" else line.split()[1] for line in lines]
    assert shown == ["# game 1", *one_game, "# game 2", *one_game]


def test_threads_do_not_mix_their_lines(tmp_path: Path) -> None:
    log = IoLog(tmp_path, "a", 0)

    def write() -> None:
        for _ in range(200):
            log.record(SENT, "word", 0)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log.close()
    lines = (tmp_path / "io" / "a-1.log").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 800
    assert all(line.endswith(" > word") for line in lines)
