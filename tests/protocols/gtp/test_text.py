"""GTP lines are parsed and formatted correctly, and the session's clocks count as the protocol says."""

from __future__ import annotations

import pytest

from core.play.options import Option
from core.play.player import IllegalMove, Limits, Progress
from core.play.squares import format_square
from protocols.gtp.clock import GtpClock
from protocols.gtp.text import (
    Request,
    Response,
    format_parameter,
    format_response,
    format_search_info,
    format_seconds,
    from_go_square,
    is_interrupt,
    parse_line,
    parse_parameter,
    parse_response,
    parse_search_info,
    parse_seconds,
    parse_size,
    to_go_square,
)
from protocols.text import CommandError


def test_command_lines_are_parsed() -> None:
    assert parse_line("play\tblack  c7 # why not") == Request("play", ("black", "c7"))
    assert parse_line("007 name") == Request("name", (), "007")
    assert parse_line("7") == Request("", (), "7")
    assert parse_line("-7 name") == Request("-7", ("name",))
    for blank in ("", "  \t", "# a comment", " #"):
        assert parse_line(blank) is None


def test_interrupt_comments_are_recognised() -> None:
    for line in ("# interrupt", "#interrupt", "  #  Interrupt "):
        assert is_interrupt(line)
    for line in ("interrupt", "name # interrupt", "# interrupt please", "#"):
        assert not is_interrupt(line)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", "=3\n"),
        ("a1", "=3 a1\n"),
        ("\nrow\n\n row", "=3\nrow\n \n row\n"),
        ("caf\u00e9\x07\tbar\n", "=3 caf?? bar\n \n"),
        ("\r\n\r", "=3 ?\n?\n"),
    ],
)
def test_text_of_a_response_cannot_break_its_framing(text: str, answer: str) -> None:
    assert format_response(Response(True, text, "3")) == answer


def test_formatted_response_is_parsed_back() -> None:
    for response in (Response(True, "a1", "12"), Response(False, "unknown command"), Response(True, "a\n \nb", "0")):
        assert parse_response(format_response(response).split("\n")[:-1]) == response
    assert parse_response(["=", "row", " row"]) == Response(True, "row\n row")
    for wrong in ([], [""], ["a1"], ["gogui-gfx:"], ["=a1"], [" = a1"]):
        assert parse_response(wrong) is None


def test_sizes_and_seconds() -> None:
    assert parse_size(["11"]) == (11, 11)
    assert parse_size(["11", "9"]) == parse_size(["11:9"]) == (11, 9)
    assert parse_size(["0"]) == (0, 0)  # out of range, which `boardsize` reports
    for wrong in ([], ["1", "2", "3"], ["1:2:3"], ["11x9"], ["1:2", "3"], ["\u0663"]):
        assert parse_size(wrong) is None
    assert parse_seconds("x", "12.5") == 12_500
    assert parse_seconds("x", "999999999999") == 10_000_000_000
    for text in ("", "-1", "1e9", "1.", "nan"):
        with pytest.raises(CommandError):
            parse_seconds("x", text)
    assert [format_seconds(time_ms) for time_ms in (0, 1, 500, 60_000, -4)] == ["0", "0.001", "0.5", "60", "0"]


def test_formatted_search_info_is_parsed_back() -> None:
    for progress in (
        Progress(depth=3, score=-15, nodes=9, time_ms=1500, pv=("a1", "b2")),
        Progress(depth=9, score=31993, win_in=7, pv=("a1",)),
        Progress(depth=9, score=31000, proven_result="win", pv=("a1",)),
        Progress(depth=9, score=-31000, proven_result="loss"),
        Progress(depth=9, proven_result="draw"),
        Progress(),
    ):
        assert parse_search_info(format_search_info(progress, progress.pv)) == progress
    assert parse_search_info("depth many score what") == Progress()


def test_parameters_as_engines_list_them() -> None:
    listed = (
        ("[bool] use_rave 1", Option("use_rave", True, "bool of the engine")),
        ("[string] max_time 10", Option("max_time", "10", "string of the engine")),
        ("[list/a/b] mode b", Option("mode", "b", "list of the engine", choices=("a", "b"))),
        ("[string] book", Option("book", "", "string of the engine")),
    )
    for line, option in listed:
        assert parse_parameter(line) == option
        assert format_parameter(option, option.default) == line
    for wrong in ("", "max_time 10", "[int] x 1", "[string]"):
        assert parse_parameter(wrong) is None


def test_go_coordinates() -> None:
    """No column i, and rows from the bottom."""
    for square, go_square in (
        ("a1", "A11"),
        ("h11", "H1"),
        ("i1", "J11"),
        ("k5", "L7"),
        ("swap-pieces", "swap-pieces"),
    ):
        assert to_go_square(square, 11) == go_square
        assert from_go_square(go_square, 11) == square
    for wrong, reason in (("i3", "skip the letter i"), ("a12", "off the board")):
        with pytest.raises(IllegalMove, match=reason):
            from_go_square(wrong, 11)
    cells = {format_square(x, y) for x in range(25) for y in range(19)}
    names = {to_go_square(cell, 19) for cell in cells}
    assert len(names) == len(cells)
    assert {from_go_square(name, 19) for name in names} == cells


def test_clock_counts_down_and_begins_periods() -> None:
    clock = GtpClock()
    assert clock.limits(0) is None
    clock.subtract(0, 100)
    clock.set_time(10_000, 6_000, 3)
    clock.subtract(0, 4_000)
    assert clock.limits(0) == Limits(time_left_ms=8_000, increment_ms=2_000)
    assert clock.limits(1) == Limits(time_left_ms=12_000, increment_ms=2_000)
    clock.subtract(0, 7_000)
    assert clock.limits(0) == Limits(move_time_ms=2_000)
    clock.subtract(0, 3_000)
    assert clock.limits(0) == Limits(move_time_ms=1_500)
    clock.subtract(0, 1_000)
    clock.subtract(0, 1_000)
    assert clock.limits(0) == Limits(move_time_ms=2_000)
    clock.set_time_left(0, 500, 0)
    assert clock.limits(0) == Limits(time_left_ms=2_500, increment_ms=2_000)
    clock.reset()
    assert clock.limits(0) == Limits(time_left_ms=12_000, increment_ms=2_000)


def test_clock_without_periods_becomes_negative() -> None:
    clock = GtpClock()
    clock.set_time(1_000, 0, 5)
    clock.subtract(1, 1_500)
    assert clock.limits(1) == Limits(time_left_ms=-500)
