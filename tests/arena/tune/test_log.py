"""Tests of reading the log of a tuning: a line that was edited is refused, and the error names it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.log.file import LogError
from arena.tune.log import TUNE_LOG_NAME, read_tuning
from arena.tune.run import run_tuning
from tests.arena.tune.skilled import QuietTuningObserver, configure, make_simulated_worker

Line = dict[str, Any]
PAIR, SECOND_PAIR, ITERATION = 2, 3, 4  # line numbers in the log of two pairs per iteration; line 1 is the header


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a tuning of two iterations of two pairs."""
    run_tuning(configure(tmp_path, iterations=2, pairs=2), QuietTuningObserver(), (), make_simulated_worker)
    return tmp_path


def edit(folder: Path, number: int, change: Callable[[Line], object]) -> str:
    """Change a line of the log, and return the error of reading it, without the file's name."""
    path = folder / TUNE_LOG_NAME
    lines = path.read_bytes().split(b"\n")
    line = json.loads(lines[number - 1])
    change(line)
    lines[number - 1] = json.dumps(line).encode()
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(LogError) as raised:
        read_tuning(folder)
    assert str(raised.value).startswith(f"{path}, ")
    return str(raised.value).removeprefix(f"{path}, ")


@pytest.mark.parametrize(
    ("number", "key", "value", "message"),
    [
        (PAIR, "number", 3, "line 2: number: must be 1..2, not 3"),
        (SECOND_PAIR, "number", 1, "line 3: number: pair 1 has already ended"),
        (PAIR, "iteration", 2, "line 2: iteration: must be 1, not 2"),
        (PAIR, "games", [], "line 2: games: must be two, not 0"),
        (PAIR, "plus", [1.0], "line 2: plus: must have 2 values, not 1"),
        (PAIR, "extra", 1, "line 2: Object contains unknown field `extra`"),
        (ITERATION, "number", 2, "line 4: number: must be 1, not 2"),
        (ITERATION, "event", "pairs", "line 4: Invalid value 'pairs' - at `$.event`"),
        (ITERATION, "values", [50.0, 0.9], "line 4: values[0]: must be "),
        (1, "format", 2, "line 1: format: 2 needs a newer Pentad (known: up to 1)"),
        (1, "iterations", 3, "line 1: match: must have 12 games of the engines plus and minus"),
        (1, "event", "stop", "line 1: Object"),
    ],
)
def test_edited_line_is_named(number: int, key: str, value: object, message: str, folder: Path) -> None:
    assert edit(folder, number, lambda line: line.update({key: value})).startswith(message)


def test_edited_value_that_was_played_is_refused(folder: Path) -> None:
    """The values of a pair follow from the seed and the lines before, so that any other number is a damage."""

    def change(line: Line) -> None:
        line["minus"][1] += 0.001

    assert edit(folder, SECOND_PAIR, change).startswith("line 3: minus[1]: must be 0.")


def test_values_of_the_log_are_continued(folder: Path) -> None:
    """Powers may differ in the last digits on another machine; a resumed tuning must go on from what was recorded."""
    path = folder / TUNE_LOG_NAME
    lines = path.read_bytes().split(b"\n")[:4]  # without the second iteration
    line = json.loads(lines[3])
    line["values"] = [value * (1 + 1e-12) for value in line["values"]]
    path.write_bytes(b"\n".join([*lines[:3], json.dumps(line).encode(), b""]))
    assert read_tuning(folder).spsa.values == tuple(line["values"])


def test_edited_result_is_refused(folder: Path) -> None:
    def change(line: Line) -> None:
        line["result"] += 1

    assert edit(folder, ITERATION, change).startswith("line 4: result: must be ")


def test_edited_parameter_is_refused(folder: Path) -> None:
    def change(line: Line) -> None:
        line["parameters"][0]["min"] = 60

    assert edit(folder, 1, change) == "line 1: parameters: skill: value must be 60..100, not 50"


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ({"ending": "win by rule"}, "games[0].winner: must not be nobody for the ending 'win by rule'"),
        (
            {"ending": "draw by rule", "winner": "plus"},
            "games[0].winner: must not be plus for the ending 'draw by rule'",
        ),
        ({"ending": "void"}, "games[0].ending: a pair with a void game does not count"),
        (
            {"ending": "time", "winner": "plus", "blamed": "plus"},
            "games[0].blamed: must be the loser if the ending is a fault, and else empty",
        ),
    ],
)
def test_impossible_game_is_refused(game: Line, message: str, folder: Path) -> None:
    def change(line: Line) -> None:
        line["games"][0] = game

    assert edit(folder, PAIR, change) == f"line 2: {message}"


def test_missing_line_is_noticed(folder: Path) -> None:
    """A line that was removed must not shift the pairs after it."""
    path = folder / TUNE_LOG_NAME
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join(lines[:2] + lines[3:]))
    with pytest.raises(LogError, match=r"line 3: number: iteration 1 cannot end, pair [12] has not ended"):
        read_tuning(folder)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", ": the file has no complete line"),
        (b"\xff\n", ", line 1: byte 1 of the line is not UTF-8"),
        (b"nonsense\n", ", line 1: JSON is malformed"),
        (b'{"event":"iteration","number":1,"result":0,"values":[]}\n', ", line 1: event: the first line must have"),
    ],
)
def test_file_that_is_no_log(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / TUNE_LOG_NAME
    path.write_bytes(content)
    with pytest.raises(LogError) as raised:
        read_tuning(tmp_path)
    assert str(raised.value).startswith(f"{path}{message}")


def test_header_in_the_middle_is_refused(folder: Path) -> None:
    path = folder / TUNE_LOG_NAME
    header = path.read_bytes().split(b"\n")[0]
    path.write_bytes(path.read_bytes() + header + b"\n")
    with pytest.raises(LogError, match="line 9: event: a second tuning begins"):
        read_tuning(folder)
