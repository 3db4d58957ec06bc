"""UHP lines are parsed and formatted correctly."""

from __future__ import annotations

import pytest

from core.play.options import Option
from core.play.player import Limits, Progress
from protocols.text import CommandError
from protocols.uhp.text import (
    format_duration,
    format_error,
    format_nodes,
    format_option,
    format_perft,
    format_search_info,
    game_state,
    is_move,
    parse_duration_ms,
    parse_info,
    parse_limits,
    parse_nodes,
    parse_option,
    parse_search_info,
)


@pytest.mark.parametrize("duration_ms", [0, 1, 999, 1000, 1500, 59_999, 3_600_000, 86_399_007])
def test_formatted_duration_is_parsed_back(duration_ms: int) -> None:
    assert parse_duration_ms(format_duration(duration_ms)) == duration_ms


def test_durations() -> None:
    assert format_duration(5000) == "00:00:05"
    assert format_duration(-3) == "00:00:00"
    assert parse_duration_ms("0:0:1.5") == 1500
    assert parse_duration_ms("00:00:00.0019") == 1
    for wrong in ("", "1", "00:05", "00:00:-1", "00:00:01.", "0x:00:01", "\u0660:00:01", "00:00:01 "):
        assert parse_duration_ms(wrong) is None


def test_limits() -> None:
    assert parse_limits("bestmove", "TIME 00:00:02") == Limits(move_time_ms=2000)
    assert parse_limits("bestmove", "depth 7") == Limits(depth=7)
    assert parse_limits("bestmove", "") is None
    with pytest.raises(CommandError, match="analyze needs: time hh:mm:ss, or depth N; not 'depth'"):
        parse_limits("analyze", "depth")


def test_form_of_a_move() -> None:
    for move in ("pass", "wQ", "bA3 wS1", "wB1 bQ\\", "wM -bP", "wL /wL", "wg1 BS2/"):
        assert is_move(move), move
    for text in ("", "err no", "wZ1", "wA4 -bQ", "wQ  -bQ", "wQ bQ;3", "passes", "wQ\n"):
        assert not is_move(text), text


def test_formatted_search_info_is_parsed_back() -> None:
    for progress in (
        Progress(depth=3, score=-15, pv=("wA1", "pass")),
        Progress(depth=9, score=31993, win_in=7, pv=("wA1",)),
        Progress(depth=2, score=-31998, win_in=-2),
        Progress(depth=2, score=-31000, proven_result="loss"),
    ):
        assert parse_search_info(format_search_info("wA1", progress)) == ("wA1", progress)
    assert parse_search_info("wA1 -bQ") == ("wA1 -bQ", None)
    assert parse_search_info("wA1;4;1.25;wA1")[1] == Progress(depth=4, score=1, pv=("wA1",))
    assert parse_search_info("wA1;4")[1] == Progress(depth=4)


def test_formatted_node_count_is_parsed_back() -> None:
    assert parse_nodes(format_nodes(12345)) == 12345
    for other in ("nodes", "nodes many", "wA1;4", "nodes 1 2"):
        assert parse_nodes(other) is None


def test_options_as_engines_list_them() -> None:
    listed = (
        ("TableSizeMiB;int;90;100;1;256", Option("TableSizeMiB", 100, "int of the engine", 1, 256), "90"),
        ("Verbose;bool;False;True", Option("Verbose", True, "bool of the engine"), "False"),
        ("Strategy;enum;1;Auto;Auto;1", Option("Strategy", "Auto", "enum of the engine", choices=("Auto", "1")), "1"),
    )
    for line, option, value in listed:
        assert parse_option(line) == (option, value)
        assert format_option(option, value) == line
    for wrong in ("", "Depth: 3", "a;int;1;x;1;2", "a;bool;maybe;maybe"):
        assert parse_option(wrong) is None


def test_info_game_state_errors_and_perft() -> None:
    assert parse_info(["noise", "id Some Engine 1.0", "Mosquito"]) == {
        "name": "Some Engine", "version": "1.0", "capabilities": "Mosquito"
    }  # fmt: skip
    assert parse_info(["id Short"]) == {"name": "Short", "version": "", "capabilities": ""}
    assert parse_info([]) == {}
    assert game_state("Base;BlackWins;White[9];wS1") == "BlackWins"
    assert game_state("wS1") == ""
    assert format_error(ValueError("two\nlines")) == "err two lines"
    assert format_perft(4, 21600, 0) == [
        "perft(4) = 21600 in 0 ms. 21600 KN/s",
        "    4           21600         0ms     21600.0",
    ]
    assert format_perft(5, 448_000, 3)[1].split() == ["5", "448000", "3ms", "149333.3"]
