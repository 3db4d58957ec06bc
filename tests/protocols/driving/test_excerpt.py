"""Standard error of any length is kept in a bounded way that says what is missing."""

from __future__ import annotations

from protocols.driving.excerpt import Excerpt


def test_short_text_is_whole_and_taken_once() -> None:
    excerpt = Excerpt(8)
    for chunk in (b"abc", b"defgh", b"ijkl\r\n"):
        excerpt.add(chunk)
    assert excerpt.take() == "abcdefghijkl\n"
    assert excerpt.take() == ""


def test_middle_of_a_long_text_is_counted() -> None:
    excerpt = Excerpt(4)
    for number in range(100):
        excerpt.add(b"%02d" % number)
    assert excerpt.take() == "0001\n[... 192 bytes ...]\n9899"
    excerpt.add(b"new")
    assert excerpt.take() == "new"


def test_one_great_chunk_and_bytes_that_are_no_text() -> None:
    excerpt = Excerpt(3)
    excerpt.add(b"\xff" + b"x" * 10)
    assert excerpt.take() == "\ufffdxx\n[... 5 bytes ...]\nxxx"
