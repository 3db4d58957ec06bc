"""The moves of running games beside the log: written by the run, read by another process."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from arena.log.events import MoveEntry
from arena.log.running_games import RUNNING_FOLDER, BeatReader, RunningGameReader, RunningGamesWriter
from tests.manual_clock import ManualClock

FIRST, SECOND = MoveEntry("h8", time_ms=5, score=30, depth=4, pv=("h8", "i9")), MoveEntry("i9", side=1)


def fail_on_report(message: str) -> None:
    pytest.fail(message)


def read_moves(reader: RunningGameReader) -> list[str] | None:
    changes = reader.poll()
    return None if changes is None else [entry.move for entry in changes[0]]


def test_reader_gets_each_move_once(tmp_path: Path) -> None:
    with RunningGamesWriter(tmp_path, fail_on_report) as writer:
        reader = RunningGameReader(tmp_path, 3)
        assert read_moves(reader) is None
        writer.write_move(3, ())  # the first engine begins to think
        assert read_moves(reader) == []
        assert read_moves(reader) is None
        writer.write_move(3, [FIRST])
        writer.write_move(4, [SECOND])
        assert reader.poll() is not None
        writer.write_move(3, [FIRST, SECOND])
        assert read_moves(reader) == ["i9"]
        assert read_moves(RunningGameReader(tmp_path, 3)) == ["h8", "i9"]


def test_messages_of_programs_are_not_written(tmp_path: Path) -> None:
    """They are in the log; other processes show the moves to the public."""
    with RunningGamesWriter(tmp_path, fail_on_report) as writer:
        writer.write_move(1, [MoveEntry("h8", score=1, pv=("h8",), messages=("SECRET",))])
        assert b"SECRET" not in (tmp_path / RUNNING_FOLDER / "1.jsonl").read_bytes()
        changes = RunningGameReader(tmp_path, 1).poll()
        assert changes
        assert changes[0] == [MoveEntry("h8", score=1, pv=("h8",))]


def test_half_a_line_is_read_when_it_is_complete(tmp_path: Path) -> None:
    with RunningGamesWriter(tmp_path, fail_on_report) as writer:
        writer.write_move(1, [FIRST])
        path = tmp_path / RUNNING_FOLDER / "1.jsonl"
        reader = RunningGameReader(tmp_path, 1)
        assert read_moves(reader) == ["h8"]
        with path.open("ab") as file:
            file.write(b'{"move":')
        assert read_moves(reader) is None
        with path.open("ab") as file:
            file.write(b'"i9"}\n')
        assert read_moves(reader) == ["i9"]


@pytest.mark.parametrize("line", [b"{", b'{"move":1}', b'{"move":"h8","x":1}', b"[" * 100_000, b"\xff"])
def test_foreign_line_ends_the_reading(tmp_path: Path, line: bytes) -> None:
    (tmp_path / RUNNING_FOLDER).mkdir()
    (tmp_path / RUNNING_FOLDER / "1.jsonl").write_bytes(line + b"\n" + b'{"move":"h8"}\n')
    reader = RunningGameReader(tmp_path, 1)
    assert reader.poll() is None
    assert reader.poll() is None


def test_files_are_removed_with_their_games_and_the_folder_with_the_session(tmp_path: Path) -> None:
    folder = tmp_path / RUNNING_FOLDER
    folder.mkdir()
    (folder / "9.jsonl").write_text("left behind by a killed session")
    with RunningGamesWriter(tmp_path, fail_on_report) as writer:
        writer.write_move(1, [FIRST])
        writer.write_move(2, [FIRST])
        writer.remove(1)
        writer.remove(7)  # a game that ended before its first move
        assert [path.name for path in folder.iterdir()] == ["2.jsonl"]
    assert not folder.exists()


def test_an_error_is_reported_once_and_does_not_end_the_run(tmp_path: Path) -> None:
    messages: list[str] = []
    with RunningGamesWriter(tmp_path, messages.append) as writer:
        os.rmdir(tmp_path / RUNNING_FOLDER)
        writer.write_move(1, [FIRST])
        writer.write_move(1, [FIRST, SECOND])
        writer.remove(1)
    assert len(messages) == 1
    assert "cannot be watched" in messages[0]


def test_no_folder_can_be_made(tmp_path: Path) -> None:
    (tmp_path / RUNNING_FOLDER).touch()
    messages: list[str] = []
    with RunningGamesWriter(tmp_path, messages.append) as writer:
        writer.write_move(1, [FIRST])
    assert len(messages) == 1


def test_silence_of_a_killed_run_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log of a killed run looks like that of a running one. Clocks of two machines may differ."""
    clock = ManualClock()
    monkeypatch.setattr(time, "perf_counter", clock.read_s)
    beats = BeatReader(tmp_path)
    assert not beats.is_played()
    with RunningGamesWriter(tmp_path, fail_on_report) as writer:
        assert beats.is_played()
        clock.advance(9000)
        assert beats.is_played()
        clock.advance(2000)
        assert not beats.is_played()
        folder = tmp_path / RUNNING_FOLDER
        os.utime(folder, (1, 1))
        writer.beat()
        assert folder.stat().st_mtime > 1
        assert beats.is_played()
        os.utime(folder, (1, 1))
        assert not BeatReader(tmp_path).is_played()
        writer.beat()
        assert folder.stat().st_mtime == 1  # not twice within BEAT_S
    assert not beats.is_played()
