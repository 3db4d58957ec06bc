"""Logs that somebody has edited, damaged or made up: every command that reads one ends well, or in one line."""

from __future__ import annotations

import copy
import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main as cli
from arena.log.file import LOG_NAME
from bots.registry import GAMES
from tests.arena.fakes import PILE_GAME
from tests.arena.web.runs import make_game, make_header, write_run

HOSTILE: list[Any] = [
    *(None, True, -1, 0, 1, 3, 2**31, 2**53, 2**63, 10**30, -(10**400), 1.5, 1e308, "", "0", "A", "C", "\0", "\u202e"),
    *("x" * 5000, "9" * 5000, "a\nb", "../x", "win by rule", "void", [], [[]], {}, {"a": 1}, [1, 2], ["h8"], [""] * 2),
]
QUICK, MANY = 120, 6000


@pytest.fixture(autouse=True)
def games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME, "gomoku": GAMES["gomoku"]})


@pytest.fixture(scope="module")
def pile_log(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A tournament with all that a header can tell."""
    folder = tmp_path_factory.mktemp("pile")
    (folder / "book.txt").write_text("1\n2 1\n", encoding="utf-8")
    engines = ["--engine", "player=perfect,name=A", "--engine", "player=one,name=B", "--engine", "player=one,name=C"]
    terms = ["--openings", str(folder / "book.txt"), "--adjudicate-draw", "5,3,1", "--tc", "1/60", "--nodes", "9"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})
        match = ["match", "--game", "pile", *engines, *terms, "--games", "3", "--out", str(folder / "run")]
        assert cli.run(match) == 0
    return (folder / "run" / LOG_NAME).read_bytes()


@pytest.fixture(scope="module")
def gomoku_log(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A match whose games a page can show, its engines programs."""
    games = [make_game(1, "A", "B"), make_game(2, "B", "A")]
    folder = write_run(tmp_path_factory.mktemp("gomoku"), make_header("AB"), games)
    return (folder / LOG_NAME).read_bytes()


def list_places(value: Any) -> Iterator[Callable[[str, Any], None]]:
    """What changes each part of a decoded line: takes what to do and a value."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):

            def change(how: str, other: Any, key: Any = key) -> None:
                if how == "remove":
                    del value[key]
                elif how == "double" and isinstance(value, list):
                    value.insert(key, copy.deepcopy(value[key]))
                elif how == "add" and isinstance(value, dict):
                    value[f"{key}2"] = other
                else:
                    value[key] = other

            yield change
            yield from list_places(value[key])


def mutate(log: bytes, chance: random.Random) -> bytes:
    """One to three changes: of bytes, of lines, mostly of what the lines say."""
    lines = log.splitlines(keepends=True)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        index = chance.randrange(len(lines)) if chance.random() < 0.6 else 0
        how = chance.choice(("byte", "drop", "twice", "swap", "cut", "long", *["value"] * 12))
        line = lines[index]
        if how == "value":
            try:
                event = json.loads(line)
            except ValueError:
                continue
            places = list(list_places(event))
            if places:
                what = chance.choice(("set", "set", "set", "remove", "double", "add"))
                chance.choice(places)(what, chance.choice(HOSTILE))
            lines[index] = json.dumps(event).encode() + b"\n"
        elif how == "byte" and line:
            at = chance.randrange(len(line))
            lines[index] = line[:at] + bytes([chance.randrange(256)]) + line[at + 1 :]
        elif how == "cut":
            lines[index] = line[: chance.randrange(len(line) + 1)] + b"\n"
        elif how == "long":
            lines[index] = line.rstrip() + b"[" * 100_000 + b"\n"
        elif how == "swap":
            other = chance.randrange(len(lines))
            lines[index], lines[other] = lines[other], lines[index]
        elif how == "twice":
            lines.insert(index, line)
        elif len(lines) > 1:
            del lines[index]
    return b"".join(lines)


def check_command(command: list[str], log: bytes, folder: Path, capsys: pytest.CaptureFixture[str]) -> int:
    """Run a command over a log: whatever it holds, an exception would fail the test here."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / LOG_NAME).write_bytes(log)
    code = cli.run([command[0], str(folder), *command[1:]])
    written = capsys.readouterr()
    told = [line for line in written.err.splitlines() if line.startswith("pentad: ")]
    assert code in (0, 1, 2)
    assert "Traceback" not in written.err + written.out
    assert len(told) <= 1
    assert told or code == 0 or "stopped: " in written.out, written
    assert all(len(line) < 2000 for line in told)
    return code


def run_all(
    log: bytes, commands: list[list[str]], count: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = []
    for seed in range(count):
        changed = mutate(log, random.Random(seed))
        for command in commands:
            try:
                codes.append(check_command(command, changed, folder, capsys))
            except BaseException:
                print(f"seed {seed}, {command}, in {folder / LOG_NAME}")
                raise
    assert min(codes.count(0), len(codes) - codes.count(0)) > count // 50  # neither all well nor all refused


@pytest.mark.parametrize("count", [QUICK, pytest.param(MANY, marks=pytest.mark.slow)])
def test_any_log_of_players_is_reported_and_resumed_or_refused(
    count: int, pile_log: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_all(pile_log, [["report"], ["resume"], ["resume", "--force"]], count, tmp_path / "run", capsys)


@pytest.mark.parametrize("count", [QUICK, pytest.param(MANY, marks=pytest.mark.slow)])
def test_any_log_of_programs_becomes_a_page_or_a_line(
    count: int, gomoku_log: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_all(gomoku_log, [["report", "--html"], ["resume", "--force"]], count, tmp_path / "run", capsys)


EDITS: list[tuple[int, str, str, str]] = [
    # line, what stands there, what is put in its place, what is told
    (1, '"games":2', '"games":2,"colour":1', "line 1: Object contains unknown field `colour`"),
    (1, '"house":{', '"house":{"colour":1,', "line 1: Object contains unknown field `colour` - at `$.house`"),
    (1, '"event":"run"', '"event":"walk"', "line 1: Invalid value 'walk' - at `$.event`"),
    (1, '"format":0', '"format":2,"colour":1', "line 1: format: 2 is of a later Pentad, this one reads up to 1"),
    (1, ',"game":"gomoku"', "", "line 1: Object missing required field `game`"),
    (1, '"gomoku"', '"chess"', "line 1: game: unknown game 'chess'; known: pile, gomoku"),
    (1, '"freestyle"', '"slow"', "line 1: width, height, variant, position: unknown variant 'slow'"),
    (1, '"width":15', '"width":3', "line 1: width, height, variant, position: board size must be 5..22, not 3"),
    (1, ',{"name":"B","command":"./B"}', "", "line 1: engines: two or more are needed, not 1"),
    (1, '"name":"B"', '"name":"A"', "line 1: engines[1].name: each engine needs a name of its own, not 'A'"),
    (1, '"command":"./B"', '"command":"./B","tc":"soon"', "line 1: engines[1].tc: time control "),
    (1, '"move_ms":1000', '"moves":1000', "line 1: Object contains unknown field `moves` - at `$.control`"),
    (1, '"move_ms":1000', '"move_ms":-1', "line 1: Expected `int` >= 0 - at `$.control.move_ms`"),
    (
        1,
        '"sprt":null',
        '"sprt":{"elo0":0,"elo1":5,"model":"bayes"}',
        "line 1: sprt: the model must be logistic or normal",
    ),
    (1, '"games":2', '"games":1000000000', "line 1: Expected `int` <= 1000000 - at `$.games`"),
    (1, '"book":[]', '"book":[["h8","h8"]]', "line 1: book[0][1]: "),
    (2, '"first":"A"', '"first":"C"', "line 2: first: no engine 'C' plays in this run; known: A, B"),
    (2, '"second":"B"', '"second":"A"', "line 2: second: 'A' plays against itself"),
    (2, '"winner":"A"', '"winner":"C"', "line 2: winner: 'C' did not play this game"),
    (2, '"winner":"A"', '"winner":""', "line 2: winner: a game that ends by win by rule has one"),
    (2, '"win by rule"', '"draw by rule"', "line 2: winner: a game that ends by draw by rule has none, not 'A'"),
    (2, '"win by rule"', '"boredom"', "line 2: Invalid enum value 'boredom' - at `$.ending`"),
    (2, '{"move":"i8"', '{"move":"h8"', "line 2: moves[0]: "),
    (2, '{"move":"i8"', '{"move":"zz"', "line 2: moves[0]: expected a square such as h8, not 'zz'"),
    (2, '"opening":["h8"', '"opening":["a99"', "line 2: opening[0]: a99 is outside the 15x15 board"),
    (2, '"time_ms":10', '"time_ms":1e99', "line 2: Expected `int`, got `float` - at `$.moves[1].time_ms`"),
    (2, '"detail":"five"', '"stderr":["x"],"detail":"five"', "line 2: stderr: must have one text for each side, not 1"),
    (2, '"five"', '"\\udc80"', "line 2: "),
    (2, '"number":1', '"number":1000000000000', "line 2: number: 1..2 are planned, not 1000000000000"),
    (2, '"pair":1', '"pair":1000000000000', "line 2: pair: 1..1 are planned, not 1000000000000"),
    (3, '"number":2', '"number":1', "line 3: number: game 1 has ended before"),
    (4, '"number":1', '"number":7', "line 4: number: no game of pair 7 has ended"),
]


@pytest.mark.parametrize(("line", "old", "new", "told"), EDITS)
@pytest.mark.parametrize("command", ["report", "resume"])
def test_edited_log_is_told_by_line_and_field(
    command: str,
    line: int,
    old: str,
    new: str,
    told: str,
    gomoku_log: bytes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = gomoku_log.decode().splitlines(keepends=True)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    (tmp_path / LOG_NAME).write_text("".join(lines), encoding="utf-8")
    assert cli.run([command, str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"pentad: {tmp_path / LOG_NAME}, {told}"), error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == [tmp_path / LOG_NAME]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: [lines[0].replace(b"freestyle", b"free\xffstyle"), *lines[1:]], "line 1: variant: byte "),
        (lambda lines: [*lines[:2], *lines[1:]], "line 3: number: game 1 has ended before"),
        (lambda lines: [*lines, *lines[1:]], "line 5: number: game 1 has ended before"),
        (lambda lines: [*lines, lines[3]], "line 5: number: pair 1 has ended before"),
        (lambda lines: [*lines[:2], lines[3]], "line 3: number: 1 games of pair 1 have ended, not 2"),
        (lambda lines: [*lines, lines[0]], "line 5: event: a second run begins"),
        (lambda lines: lines[1:], "line 1: event: no run has begun here"),
        (lambda _: [b"[" * 200_000 + b"\n"], "line 1: Expected `object`, got `array`"),
        (lambda _: [b"\0\n"], "line 1: JSON is malformed"),
        (lambda _: [b"half a line"], "the file does not hold the beginning of a run"),
    ],
)
def test_damaged_log_is_told_by_line_and_field(
    change: Callable[[list[bytes]], list[bytes]],
    told: str,
    gomoku_log: bytes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / LOG_NAME).write_bytes(b"".join(change(gomoku_log.splitlines(keepends=True))))
    for command in ("report", "resume"):
        assert cli.run([command, str(tmp_path)]) == 1
        assert told in capsys.readouterr().err


def test_names_of_a_strange_log_cannot_command_the_terminal(
    gomoku_log: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line break in a name broke the tables and the records; an escape sequence reached the terminal."""
    text = gomoku_log.decode().replace('"B"', '"B\\n\\u001b[31m\\u0007"').replace('"five"', '"five\\u001b[2J"')
    (tmp_path / LOG_NAME).write_text(text, encoding="utf-8")
    assert cli.run(["report", str(tmp_path), "--html"]) == 0
    shown = capsys.readouterr().out
    assert "B??[31m?" in shown
    for file in (path for path in tmp_path.rglob("*") if path.is_file() and path.name != LOG_NAME):
        assert not {b"\x1b", b"\x07"} & {bytes([code]) for code in file.read_bytes() if file.suffix != ".zip"}, file
    rows = (tmp_path / "results.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 3
    assert "A,B??[31m?," in rows[1]
    assert (tmp_path / "games" / "00001.psq").read_text(encoding="utf-8").splitlines()[-2] == "B??[31m?"
