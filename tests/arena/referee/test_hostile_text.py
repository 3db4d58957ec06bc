"""Tests of malformed numbers and files: thousands of digits, digits of other scripts, bytes that are not UTF-8.

`int()` raises a different error for 5,000 digits, and accepts `1_000` and the digits of every script.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.errors import UsageError
from arena.tools.kolibrat import parse_board
from bots.gomoku.notation import parse_opening as parse_gomoku
from bots.gomoku.notation import parse_variant as parse_rule
from bots.hex.sgf import read_game as read_hex
from bots.hive.boardspace import read_game as read_boardspace
from bots.kolibrat.notation import parse_variant
from bots.registry import GAMES
from core.play.bot_cli import read_config
from core.play.options import Option, OptionError
from core.play.player import BadSetup
from protocols.uhp.text import parse_option

LONG = "9" * 5000
NUMBERS = [LONG, "\u0661\u0661", "\u00b2", "1_1", "nan", "inf", "", "-", "1e9", "0x11"]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "parse",
    [
        lambda number: read_hex(f"(;GM[11]SZ[{number}])"),
        lambda number: read_hex(f"(;GM[11]SZ[11:{number or 'x'}])"),
        lambda number: parse_rule(f"rule-{number}"),
        lambda number: parse_gomoku(f"0,{number}", GAMES["gomoku"].default_setup),
        lambda number: parse_variant(f"3x{number}-4-5"),
        lambda number: parse_variant(f"3x4-4-{number}"),
        lambda number: read_boardspace(f"SU[hive]\n; P0[1 Dropb wB1 N {number}]\n; P0[2 Done]\n"),
        lambda number: parse_board(f"3x{number}", 4, 5),
        lambda number: Option("depth", 3, "plies").parse(number),
    ],
)
def test_malformed_numbers_are_refused(parse: Callable[[str], object], number: str) -> None:
    """Each function raises its own type of error with a short message."""
    with pytest.raises((BadSetup, OptionError, UsageError)) as caught:
        parse(number)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("number", [LONG, "\u0661", "1_1", "nan", "inf", "-inf", "1e999", ""])
def test_malformed_floats_are_refused(number: str) -> None:
    with pytest.raises(OptionError):
        Option("time", 1.0, "seconds", minimum=0).parse(number)


@pytest.mark.parametrize("number", ["5", "-5", " 7 "])
def test_integers_are_accepted(number: str) -> None:
    assert Option("x", 0, "number").parse(number) == int(number)


@pytest.mark.parametrize("number", ["0.5", "2", ".5", "1e-3", "3.", "1E3"])
def test_floats_are_accepted(number: str) -> None:
    assert Option("x", 0.0, "number").parse(number) == float(number)


@pytest.mark.parametrize(
    "line",
    [
        f"Depth;int;1;{LONG};0;9",
        "Depth;int;1;1;nan;9",
        f"Depth;int;1;1;0;{LONG}",
        "Depth;double;1;inf;0;9",
        "Depth;double;1;1;0;1e999",
        "Depth;int;1;\u0661;0;9",
    ],
)
def test_engine_options_with_malformed_numbers_are_ignored(line: str) -> None:
    assert parse_option(line) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'tc = "\xff"', "decode"),
        (f"games = {LONG}".encode(), "digits"),
        (b"x = " + b"[" * 100_000, "nested too deeply"),
        (b'openings = "a\\u0000b"', "a text contains the character NUL (0)"),
        (b'[[engine]]\ncmd = "a\\u0000b"', "a text contains the character NUL (0)"),
        (b"games = nan", "games must be a whole number, not nan"),
        (b"\0", "Invalid"),
        (b'"' + b"x" * 10**6, ""),
    ],
)
def test_malformed_tournament_or_engines_file_is_named(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cup.toml"
    path.write_bytes(content)
    engines = ["--engine", "player=random", "--engine", "player=greedy"]
    for command in (["match", str(path), *engines], ["match", *engines, "--engines", str(path)]):
        code = cli.run([*command, "--out", str(tmp_path / "run")])
        error = capsys.readouterr().err.splitlines(keepends=True)[-1]  # kernels may be compiled first
        assert code == 2
        assert error.startswith(f"pentad: {path}: ")
        assert message in error
        assert error.count("\n") == 1
        assert len(error) < 600
        if "whole number" in message:  # a file of --engines has no key `games`
            break


@pytest.mark.parametrize("line", [b"\xff\xfe\n", b"h8\0i9\n", b"h8" * 500_000, b"0," + LONG.encode(), b"\xc2\xb2,1\n"])
def test_malformed_book_is_named_with_its_line(line: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "book.txt"
    path.write_bytes(b"# a book\n" + line)
    engines = ["--engine", "player=random", "--engine", "player=greedy"]
    assert cli.run(["match", *engines, "--openings", str(path), "--out", str(tmp_path / "run")]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith(f"pentad: {path}, line 2: ")
    assert len(error) < 600


@pytest.mark.parametrize("content", [b"\xff", f"level = {LONG}".encode(), b"x = " + b"[" * 100_000])
def test_malformed_config_file_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(content)
    with pytest.raises(OptionError, match=r"config\.toml: "):
        read_config(path, "hex")
