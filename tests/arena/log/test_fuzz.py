"""Fuzz `pentad report` and `pentad resume` with edited and damaged logs.

Each command must succeed, report that the run stopped, or end with one line of error text. A traceback or a hang is a
failure.
"""

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

# Values that a mutation puts into the JSON of a log
HOSTILE_VALUES: list[Any] = [
    *(None, True, -1, 0, 1, 3, 2**31, 2**53, 2**63, 10**30, -(10**400), 1.5, 1e308, "", "0", "A", "C", "\0", "\u202e"),
    *("x" * 5000, "9" * 5000, "a\nb", "../x", "win by rule", "void", [], [[]], {}, {"a": 1}, [1, 2], ["h8"], [""] * 2),
]
QUICK_COUNT, SLOW_COUNT = 120, 6000  # mutated logs per test; SLOW_COUNT only with the marker `slow`


@pytest.fixture(autouse=True)
def register_test_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME, "gomoku": GAMES["gomoku"]})


@pytest.fixture(scope="module")
def pile_log(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the log of a pile tournament (tests/arena/fakes.py) of three players, with a book and several limits."""
    folder = tmp_path_factory.mktemp("pile")
    (folder / "book.txt").write_text("1\n2 1\n", encoding="utf-8")
    engines = ["--engine", "player=perfect,name=A", "--engine", "player=one,name=B", "--engine", "player=one,name=C"]
    options = ["--openings", str(folder / "book.txt"), "--adjudicate-draw", "5,3,1", "--tc", "1/60", "--nodes", "9"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})
        match = ["match", "--game", "pile", *engines, *options, "--games", "3", "--out", str(folder / "run")]
        assert cli.run(match) == 0
    return (folder / "run" / LOG_NAME).read_bytes()


@pytest.fixture(scope="module")
def round_logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return logs of pile tournaments (tests/arena/fakes.py) of three players by their format."""
    folder = tmp_path_factory.mktemp("rounds")
    players = ("player=perfect,name=A", "player=perfect,name=B", "player=one,name=C")
    engines = [part for player in players for part in ("--engine", player)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})
        for name in ("swiss", "knockout"):
            match = ["match", "--game", "pile", *engines, "--nodes", "9", "--format", name]
            assert cli.run([*match, "--out", str(folder / name)]) == 0
    return {name: (folder / name / LOG_NAME).read_bytes() for name in ("swiss", "knockout")}


@pytest.fixture(scope="module")
def gomoku_log(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the log of a Gomoku match of two programs; the HTML report can show its games."""
    games = [make_game(1, "A", "B"), make_game(2, "B", "A")]
    folder = write_run(tmp_path_factory.mktemp("gomoku"), make_header("AB"), games)
    return (folder / LOG_NAME).read_bytes()


def list_mutators(value: Any) -> Iterator[Callable[[str, Any], None]]:
    """Yield, for each key or element in a decoded JSON value, a function that changes it in place.

    Arguments of the function: `remove`, `double` (copy a list element), `add` (a new key of a dict) or `set`, and the
    new value. `double` sets a value of a dict, and `add` one of a list.
    """
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):

            def change(operation: str, new_value: Any, key: Any = key) -> None:
                if operation == "remove":
                    del value[key]
                elif operation == "double" and isinstance(value, list):
                    value.insert(key, copy.deepcopy(value[key]))
                elif operation == "add" and isinstance(value, dict):
                    value[f"{key}2"] = new_value
                else:
                    value[key] = new_value

            yield change
            yield from list_mutators(value[key])


def mutate(log: bytes, rng: random.Random) -> bytes:
    """Return the log with up to three random changes: of values in its JSON (most often), of bytes, or of lines."""
    lines = log.splitlines(keepends=True)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        index = rng.randrange(len(lines)) if rng.random() < 0.6 else 0  # the header is changed most often
        mutation = rng.choice(("byte", "drop", "twice", "swap", "cut", "long", *["value"] * 12))
        line = lines[index]
        if mutation == "value":
            try:
                event = json.loads(line)
            except ValueError:
                continue
            mutators = list(list_mutators(event))
            if mutators:
                operation = rng.choice(("set", "set", "set", "remove", "double", "add"))
                rng.choice(mutators)(operation, rng.choice(HOSTILE_VALUES))
            lines[index] = json.dumps(event).encode() + b"\n"
        elif mutation == "byte" and line:
            offset = rng.randrange(len(line))
            lines[index] = line[:offset] + bytes([rng.randrange(256)]) + line[offset + 1 :]
        elif mutation == "cut":
            lines[index] = line[: rng.randrange(len(line) + 1)] + b"\n"
        elif mutation == "long":
            lines[index] = line.rstrip() + b"[" * 100_000 + b"\n"
        elif mutation == "swap":
            other = rng.randrange(len(lines))
            lines[index], lines[other] = lines[other], lines[index]
        elif mutation == "twice":
            lines.insert(index, line)
        elif len(lines) > 1:
            del lines[index]
    return b"".join(lines)


def check_command(command: list[str], log: bytes, folder: Path, capsys: pytest.CaptureFixture[str]) -> int:
    """Run a command on a log and return its exit code.

    Check that it succeeds, prints one error line, or prints that the run stopped.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / LOG_NAME).write_bytes(log)
    code = cli.run([command[0], str(folder), *command[1:]])
    printed = capsys.readouterr()
    errors = [line for line in printed.err.splitlines() if line.startswith("pentad: ")]
    assert code in (0, 1, 2)
    assert "Traceback" not in printed.err + printed.out
    assert len(errors) <= 1
    assert errors or code == 0 or "stopped: " in printed.out, printed
    assert all(len(line) < 2000 for line in errors)
    return code


def fuzz(log: bytes, commands: list[list[str]], count: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Run each command on `count` mutated logs. If one fails, print its seed; the log stays in the folder."""
    codes = []
    for seed in range(count):
        changed = mutate(log, random.Random(seed))
        for command in commands:
            try:
                codes.append(check_command(command, changed, folder, capsys))
            except BaseException:
                print(f"seed {seed}, {command}, in {folder / LOG_NAME}")
                raise
    assert min(codes.count(0), len(codes) - codes.count(0)) > count // 50  # success and error both occur often enough


@pytest.mark.parametrize("count", [QUICK_COUNT, pytest.param(SLOW_COUNT, marks=pytest.mark.slow)])
def test_mutated_log_of_players_is_used_or_refused(
    count: int, pile_log: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fuzz(pile_log, [["report"], ["resume"], ["resume", "--force"]], count, tmp_path / "run", capsys)


@pytest.mark.parametrize("count", [QUICK_COUNT // 2, pytest.param(SLOW_COUNT, marks=pytest.mark.slow)])
@pytest.mark.parametrize("tournament_format", ["swiss", "knockout"])
def test_mutated_log_of_rounds_is_used_or_refused(
    tournament_format: str,
    count: int,
    round_logs: dict[str, bytes],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fuzz(round_logs[tournament_format], [["report"], ["resume", "--force"]], count, tmp_path / "run", capsys)


ROUND_EDITS: list[tuple[str, int, str, str, str]] = [
    # format, number of the line that is edited, old text, new text, beginning of the error message
    ("swiss", 1, '"swiss"', '"round-robin"', "line 1: rounds: is for the format swiss, not round-robin"),
    ("swiss", 1, '"rounds":2', '"rounds":1', "line 1: rounds: must be 2 or more for 3 engines, not 1"),
    ("swiss", 1, '"rounds":2', '"rounds":5000', "line 1: Expected `int` <= 1000 - at `$.rounds`"),
    ("swiss", 1, '"games":2', '"games":3', "line 1: games: must be even in the format swiss, not 3"),
    ("swiss", 1, '"planned":4', '"planned":6', "line 1: planned: must be 4 for these `games` and `engines`, not 6"),
    ("swiss", 2, '["A","B"]', '["A","D"]', "line 2: pairings: no engine 'D' plays in this run; known: A, B, C"),
    ("swiss", 2, '"byes":["C"]', '"byes":["D"]', "line 2: byes: no engine 'D' plays in this run; known: A, B, C"),
    ("swiss", 2, '"byes":["C"]', '"byes":[]', "line 2: pairings: must have each engine once, and a bye if"),
    ("swiss", 2, '"number":1', '"number":2', "line 2: number: round 1 without tie-breaks must follow, not round 2"),
    ("swiss", 3, '"second":"B"', '"second":"C"', "line 3: pair: pair 1 is of A and B, not A and C"),
    ("swiss", 3, '"number":1', '"number":2', ""),
    ("swiss", 4, '"number":1', '"number":3', "line 4: number: must be 1..2, not 3"),
    ("swiss", 4, '"pair":1', '"pair":2', "line 4: pair: must be 1..1, not 2"),
    ("swiss", 9, '"number":3', '"number":2', "line 9: number: pair 2 has the games 3 and 4, not 2"),
    ("knockout", 1, '"knockout"', '"gauntlet"', "line 1: tie_break_games: is for the format knockout, not gauntlet"),
    ("knockout", 2, '["B","C"]', '["C","B"]', "line 2: pairings: must be those of the bracket in round 1"),
    ("knockout", 2, '"byes":["A"]', '"byes":["A"],"tie_break":1', "line 2: pairings: must be those of the bracket"),
]


@pytest.mark.parametrize(("tournament_format", "line_number", "old", "new", "message"), ROUND_EDITS)
def test_error_names_the_field_of_an_edited_round(
    tournament_format: str,
    line_number: int,
    old: str,
    new: str,
    message: str,
    round_logs: dict[str, bytes],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An edited log must not lead to pairings that the format does not allow. A game may be started twice, though."""
    lines = round_logs[tournament_format].decode().splitlines(keepends=True)
    assert old in lines[line_number - 1], lines[line_number - 1]
    lines[line_number - 1] = lines[line_number - 1].replace(old, new, 1)
    (tmp_path / LOG_NAME).write_text("".join(lines), encoding="utf-8")
    assert cli.run(["report", str(tmp_path)]) == (1 if message else 0)
    error = capsys.readouterr().err
    assert error.startswith(f"pentad: {tmp_path / LOG_NAME}, {message}") if message else not error


def test_control_characters_are_replaced_in_the_names_of_a_round(
    round_logs: dict[str, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The names of a round must stay those of the header when both are made printable."""
    text = round_logs["swiss"].decode().replace('"B"', '"B\\u001b[31m"')
    (tmp_path / LOG_NAME).write_text(text, encoding="utf-8")
    assert cli.run(["report", str(tmp_path)]) == 0
    assert "B?[31m" in capsys.readouterr().out.partition("\n\n")[0]


def test_round_of_a_round_robin_is_refused(pile_log: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header, *rest = pile_log.splitlines(keepends=True)
    paired = b'{"event":"round","number":1,"pairings":[["A","B"]],"byes":["C"]}\n'
    (tmp_path / LOG_NAME).write_bytes(b"".join((header, paired, *rest)))
    assert cli.run(["report", str(tmp_path)]) == 1
    assert "line 2: event: the format round-robin has no rounds" in capsys.readouterr().err


@pytest.mark.parametrize("count", [QUICK_COUNT, pytest.param(SLOW_COUNT, marks=pytest.mark.slow)])
def test_mutated_log_of_programs_is_used_or_refused(
    count: int, gomoku_log: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fuzz(gomoku_log, [["report", "--html"], ["resume", "--force"]], count, tmp_path / "run", capsys)


EDITS: list[tuple[int, str, str, str]] = [
    # "house" is the log's key of the engine limits.
    # Line number (1: header, 2 and 3: games, 4: their pair), old text, new text, beginning of the error message
    (1, '"games":2', '"games":2,"colour":1', "line 1: Object contains unknown field `colour`"),
    (1, '"house":{', '"house":{"colour":1,', "line 1: Object contains unknown field `colour` - at `$.house`"),
    (1, '"event":"run"', '"event":"walk"', "line 1: Invalid value 'walk' - at `$.event`"),
    (
        1,
        '"format":0',
        '"format":2,"colour":1',
        "line 1: format: 2 needs a newer Pentad (known: up to 1)",
    ),
    (1, ',"game":"gomoku"', "", "line 1: Object missing required field `game`"),
    (1, '"gomoku"', '"chess"', "line 1: game: unknown game 'chess'; known: pile, gomoku"),
    (1, '"freestyle"', '"slow"', "line 1: width, height, variant, position: unknown variant 'slow'"),
    (1, '"width":15', '"width":3', "line 1: width, height, variant, position: board size must be 5..22, not 3"),
    (1, ',{"name":"B","command":"./B"}', "", "line 1: engines: must be at least two, not 1"),
    (1, '"name":"B"', '"name":"A"', "line 1: engines[1].name: names must be unique and not empty, not 'A'"),
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
    (2, '"winner":"A"', '"winner":""', "line 2: winner: must not be empty for the ending 'win by rule'"),
    (2, '"win by rule"', '"draw by rule"', "line 2: winner: must be empty for the ending 'draw by rule', not 'A'"),
    (2, '"win by rule"', '"boredom"', "line 2: Invalid enum value 'boredom' - at `$.ending`"),
    (2, '{"move":"i8"', '{"move":"h8"', "line 2: moves[0]: "),
    (2, '{"move":"i8"', '{"move":"zz"', "line 2: moves[0]: expected a square such as h8, not 'zz'"),
    (2, '"opening":["h8"', '"opening":["a99"', "line 2: opening[0]: a99 is outside the 15x15 board"),
    (2, '"time_ms":10', '"time_ms":1e99', "line 2: Expected `int`, got `float` - at `$.moves[1].time_ms`"),
    (
        2,
        '"detail":"five"',
        '"stderr":["x"],"detail":"five"',
        "line 2: stderr: must have 0 or 2 texts, not 1",
    ),
    (2, '"five"', '"\\udc80"', "line 2: "),
    (2, '"number":1', '"number":1000000000000', "line 2: number: must be 1..2, not 1000000000000"),
    (2, '"pair":1', '"pair":1000000000000', "line 2: pair: must be 1..1, not 1000000000000"),
    (3, '"number":2', '"number":1', "line 3: number: game 1 has already ended"),
    (4, '"number":1', '"number":7', "line 4: number: no game of pair 7 has ended"),
]


@pytest.mark.parametrize(("line_number", "old", "new", "message"), EDITS)
@pytest.mark.parametrize("command", ["report", "resume"])
def test_error_names_line_and_field_of_an_edit(
    command: str,
    line_number: int,
    old: str,
    new: str,
    message: str,
    gomoku_log: bytes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = gomoku_log.decode().splitlines(keepends=True)
    assert old in lines[line_number - 1]
    lines[line_number - 1] = lines[line_number - 1].replace(old, new, 1)
    (tmp_path / LOG_NAME).write_text("".join(lines), encoding="utf-8")
    assert cli.run([command, str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"pentad: {tmp_path / LOG_NAME}, {message}"), error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == [tmp_path / LOG_NAME]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda lines: [lines[0].replace(b"freestyle", b"free\xffstyle"), *lines[1:]], "line 1: variant: byte "),
        (lambda lines: [*lines[:2], *lines[1:]], "line 3: number: game 1 has already ended"),
        (lambda lines: [*lines, *lines[1:]], "line 5: number: game 1 has already ended"),
        (lambda lines: [*lines, lines[3]], "line 5: number: pair 1 has already ended"),
        (lambda lines: [*lines[:2], lines[3]], "line 3: number: pair 1 must have 2 finished games, not 1"),
        (lambda lines: [*lines, lines[0]], "line 5: event: a second run begins"),
        (lambda lines: lines[1:], "line 1: event: the first line must have the event 'run'"),
        (lambda _: [b"[" * 200_000 + b"\n"], "line 1: Expected `object`, got `array`"),
        (lambda _: [b"\0\n"], "line 1: JSON is malformed"),
        (lambda _: [b"half a line"], "the file has no complete line"),
    ],
)
def test_damage_is_refused_with_a_reason(
    damage: Callable[[list[bytes]], list[bytes]],
    message: str,
    gomoku_log: bytes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / LOG_NAME).write_bytes(b"".join(damage(gomoku_log.splitlines(keepends=True))))
    for command in ("report", "resume"):
        assert cli.run([command, str(tmp_path)]) == 1
        assert message in capsys.readouterr().err


def test_control_characters_in_names_are_replaced(
    gomoku_log: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line feed in a name would break tables and game records, and an escape sequence would reach the terminal."""
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
