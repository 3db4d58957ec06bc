"""What engines say comes into the log, and none of them can fill it."""

from __future__ import annotations

import msgspec

from arena.log.engine_output import LINE_LENGTH, MOST_LINES, MOST_PV, cut_words, make_entry, truncate_text
from arena.log.events import MoveEntry
from core.play.player import Decision, Progress
from protocols.driving.line_buffers import LastLines


def test_numbers_line_and_words() -> None:
    progress = Progress(depth=4, score=7, nodes=50, pv=("h8", "i9"))
    entry = make_entry(0, "h8", Decision("H8", progress, note="forced"), 12, ["MESSAGE hello", ""])
    assert entry == MoveEntry("h8", 12, 7, None, 4, 50, 0, ("h8", "i9"), ("MESSAGE hello", "forced"))
    assert msgspec.json.decode(msgspec.json.encode(entry), type=MoveEntry) == entry


def test_engine_that_says_nothing_has_no_score() -> None:
    assert msgspec.json.encode(make_entry(0, "a1", Decision("a1"), 3, [])) == b'{"move":"a1","time_ms":3}'


def test_babbler_is_cut_short() -> None:
    entry = make_entry(0, "a1", Decision("a1", Progress(pv=("x" * 999,) * 999)), 1, [str(n) for n in range(1000)])
    assert entry.messages == ("[... 989 lines ...]", *(str(n) for n in range(989, 1000)))
    assert len(entry.messages) == MOST_LINES
    assert len(entry.pv) == MOST_PV
    assert {len(move) for move in entry.pv} == {LINE_LENGTH}


def test_what_was_dropped_before_is_counted_too() -> None:
    said = LastLines(max_bytes=100 * 70)
    said.add(*(f"{n:06}" for n in range(10_000)))
    more = LastLines()
    more.add_all(said)
    more.add("end")
    words = cut_words(more)
    assert (len(said), words[0], words[-2:]) == (100, "[... 9990 lines ...]", ("009999", "end"))
    more.clear()
    assert cut_words(more, "note") == ("note",)


def test_words_that_no_file_could_hold_are_made_harmless() -> None:
    """Half a surrogate cannot be written as UTF-8, and a player in this process may say it."""
    words = cut_words(["one\ntwo\x00\ud800", "   ", "\x1b[31mred"])
    assert words == ("one two??", "?[31mred")
    msgspec.json.encode(words)


def test_lines_of_windows_programs_end_like_others() -> None:
    assert truncate_text("one\r\ntwo\rthree\r\n", 100) == "one\ntwo?three\n"
