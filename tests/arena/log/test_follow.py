"""A log is followed while another process appends to it."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from arena.log import follow
from arena.log.events import GameStarted, RunEnded
from arena.log.file import LOG_NAME, LogError, encode_event
from arena.log.follow import LogFollower, LogReplacedError
from tests.arena.web.runs import make_game, make_header

HEADER = encode_event(make_header("AB"))
START = encode_event(GameStarted(1, 1, "A", "B", ()))
GAME = encode_event(make_game(1, "A", "B"))


def append(directory: Path, content: bytes) -> None:
    with (directory / LOG_NAME).open("ab") as file:
        file.write(content)


def poll_tags(follower: LogFollower) -> list[tuple[int, str]]:
    """Return line number and tag of each new event."""
    return [(number, str(type(event).__struct_config__.tag)) for number, event in follower.poll()]


def test_events_come_when_their_lines_are_complete(tmp_path: Path) -> None:
    follower = LogFollower(tmp_path)
    assert poll_tags(follower) == []  # the log does not exist yet
    append(tmp_path, HEADER + START + GAME[:50])
    assert poll_tags(follower) == [(1, "run"), (2, "start")]
    assert poll_tags(follower) == []
    append(tmp_path, GAME[50:-1])
    assert poll_tags(follower) == []  # all but the line feed
    append(tmp_path, GAME[-1:])
    assert poll_tags(follower) == [(3, "end")]


def test_half_a_line_of_a_power_cut_is_replaced(tmp_path: Path) -> None:
    """`pentad resume` removes the incomplete last line and appends others."""
    follower = LogFollower(tmp_path)
    append(tmp_path, HEADER + GAME[:50])
    assert poll_tags(follower) == [(1, "run")]
    with (tmp_path / LOG_NAME).open("ab") as file:
        file.truncate(len(HEADER))
    assert poll_tags(follower) == []
    append(tmp_path, START)
    assert poll_tags(follower) == [(2, "start")]


def test_long_log_is_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is longer than a part is read as a whole."""
    monkeypatch.setattr(follow, "CHUNK_BYTES", len(START) + 5)
    append(tmp_path, HEADER + START * 3 + GAME)
    follower = LogFollower(tmp_path)
    parts = []
    while part := poll_tags(follower):
        parts.append(part)
    assert [number for part in parts for number, _ in part] == [1, 2, 3, 4, 5]
    assert len(parts) > 2
    assert parts[-1][-1] == (5, "end")


def test_wrong_line_is_named_after_the_events_before_it(tmp_path: Path) -> None:
    append(tmp_path, HEADER + b'{"event":"what"}\n' + START)
    follower = LogFollower(tmp_path)
    assert poll_tags(follower) == [(1, "run")]
    for _ in range(2):
        with pytest.raises(LogError, match=r"log\.jsonl, line 2: "):
            follower.poll()


def test_endless_line_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "MAX_LINE_BYTES", 100)
    append(tmp_path, b"x" * 200)
    with pytest.raises(LogError, match="line 1: longer than"):
        LogFollower(tmp_path).poll()


def test_log_is_read_again_after_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process may have too many open files for a moment, and somebody may repair a wrong line."""
    append(tmp_path, HEADER + START)
    follower = LogFollower(tmp_path)

    def fail(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("builtins.open", fail)
    with pytest.raises(LogError, match="Too many open files"):
        follower.poll()
    monkeypatch.undo()
    assert poll_tags(follower) == [(1, "run"), (2, "start")]
    append(tmp_path, b"{}\n")
    with pytest.raises(LogError, match="line 3"):
        follower.poll()
    (tmp_path / LOG_NAME).write_bytes(HEADER + START + GAME)
    assert poll_tags(follower) == [(3, "end")]


@pytest.mark.parametrize("change", ["removed", "replaced", "shorter", "rewritten"])
def test_another_run_in_the_folder_is_noticed(tmp_path: Path, change: str) -> None:
    append(tmp_path, HEADER + START)
    follower = LogFollower(tmp_path)
    follower.poll()
    append(tmp_path, START)
    assert len(follower.poll()) == 1  # more of the same run
    path = tmp_path / LOG_NAME
    if change == "shorter":
        path.write_bytes(HEADER)
    elif change == "rewritten":  # as by a new file that got the inode of the old one
        path.write_bytes(encode_event(make_header("XYZ")) + START * 3)
    else:
        path.rename(tmp_path / "old.jsonl")
        if change == "replaced":
            append(tmp_path, HEADER + START + encode_event(RunEnded(0, 2, "")))
    with pytest.raises(LogReplacedError):
        follower.poll()
