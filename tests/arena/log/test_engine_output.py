"""Tests that engine output in the log is bounded and printable, whatever an engine prints."""

from __future__ import annotations

import msgspec

from arena.log.engine_output import (
    MAX_LINE_LENGTH,
    MAX_MESSAGE_LINES,
    MAX_PV_MOVES,
    limit_messages,
    make_entry,
    truncate_text,
)
from arena.log.events import MoveEntry
from core.play.player import Decision, Progress
from protocols.driving.line_buffers import LastLines


def test_entry_has_search_info_and_messages() -> None:
    progress = Progress(depth=4, score=7, nodes=50, pv=("h8", "i9"))
    entry = make_entry(0, "h8", Decision("H8", progress, note="forced"), 12, ["MESSAGE hello", ""])
    assert entry == MoveEntry(
        "h8", time_ms=12, score=7, depth=4, nodes=50, pv=("h8", "i9"), messages=("MESSAGE hello", "forced")
    )
    assert msgspec.json.decode(msgspec.json.encode(entry), type=MoveEntry) == entry


def test_no_score_is_logged_if_the_engine_reports_no_search() -> None:
    assert msgspec.json.encode(make_entry(0, "a1", Decision("a1"), 3, [])) == b'{"move":"a1","time_ms":3}'


def test_long_output_is_truncated() -> None:
    entry = make_entry(0, "a1", Decision("a1", Progress(pv=("x" * 999,) * 999)), 1, [str(n) for n in range(1000)])
    assert entry.messages == ("[... 989 lines ...]", *(str(n) for n in range(989, 1000)))
    assert len(entry.messages) == MAX_MESSAGE_LINES
    assert len(entry.pv) == MAX_PV_MOVES
    assert {len(move) for move in entry.pv} == {MAX_LINE_LENGTH}


def test_lines_that_the_buffer_has_dropped_are_counted() -> None:
    buffer = LastLines(max_bytes=100 * 70)  # a line of 6 characters counts as 70 bytes
    buffer.add(*(f"{n:06}" for n in range(10_000)))
    collected = LastLines()
    collected.add_all(buffer)
    collected.add("end")
    messages = limit_messages(collected)
    assert (len(buffer), messages[0], messages[-2:]) == (100, "[... 9990 lines ...]", ("009999", "end"))
    collected.clear()
    assert limit_messages(collected, "note") == ("note",)


def test_unprintable_characters_are_replaced() -> None:
    """A lone surrogate, which a player in Python can return, cannot be encoded as UTF-8."""
    messages = limit_messages(["one\ntwo\x00\ud800", "   ", "\x1b[31mred"])
    assert messages == ("one two??", "?[31mred")
    msgspec.json.encode(messages)


def test_windows_line_ends_become_line_feeds() -> None:
    assert truncate_text("one\r\ntwo\rthree\r\n", 100) == "one\ntwo?three\n"
