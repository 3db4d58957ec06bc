"""`BoundedText` keeps both ends of a long text and counts the bytes that it drops between them."""

from __future__ import annotations

from protocols.driving.bounded_text import BoundedText


def test_short_text_is_returned_whole_and_only_once() -> None:
    text = BoundedText(bytes_per_end=8)
    for chunk in (b"abc", b"defgh", b"ijkl\r\n"):
        text.add(chunk)
    assert text.take() == "abcdefghijkl\n"
    assert text.take() == ""


def test_dropped_middle_of_a_long_text_is_counted() -> None:
    text = BoundedText(bytes_per_end=4)
    for number in range(100):
        text.add(b"%02d" % number)
    assert text.take() == "0001\n[... 192 bytes ...]\n9899"
    text.add(b"new")
    assert text.take() == "new"


def test_one_long_chunk_with_invalid_utf8() -> None:
    text = BoundedText(bytes_per_end=3)
    text.add(b"\xff" + b"x" * 10)
    assert text.take() == "\ufffdxx\n[... 5 bytes ...]\nxxx"
