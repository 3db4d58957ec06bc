"""Tests of the engine descriptions on the command line: fields, error messages, names, hashes."""

from __future__ import annotations

import hashlib
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.engines.clients import PROTOCOL_ADAPTERS, make_client
from arena.engines.spec import EngineSpec, make_player, parse_engine, parse_engines
from arena.errors import UsageError
from bots.registry import GAMES
from protocols.gomocup.client import GomocupClient
from protocols.uhp.client import UhpClient
from tests.arena.fakes import PILE_GAME


def test_command_with_commas_and_options() -> None:
    text = (
        f"cmd={sys.executable} -c 'print(1,2)' --a=1,2,proto=gomocup,name=A,dir=/tmp,option.thread_num=2,option.x=a,b"
    )
    spec = parse_engine(text, PILE_GAME)
    assert spec == EngineSpec(
        name="A",
        command=f"{sys.executable} -c 'print(1,2)' --a=1,2",
        protocol="gomocup",
        directory="/tmp",
        options=(("thread_num", "2"), ("x", "a,b")),
    )
    assert len(spec.log_entry(PILE_GAME).file_hash) == 64
    assert not spec.needs_seed


def test_player_with_parameters() -> None:
    spec = parse_engine("player=one:depth=2,name=weak", PILE_GAME)
    assert (spec.name, spec.player, spec.protocol, spec.needs_seed) == ("weak", "one:depth=2", "", True)
    assert make_player(spec, PILE_GAME).options["depth"] == 2
    assert parse_engine("player=one", PILE_GAME).name == "one"
    assert not parse_engine("player=perfect:seed=3", PILE_GAME).needs_seed
    assert not parse_engine("player=perfect,option.seed=3", PILE_GAME).needs_seed


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("one", "must begin with one of cmd=, player="),
        ("player=one,name=a\nb", "name= must have printable characters only, not 'a\\nb'"),
        ("player=one,name=a\x1b[31mb", "name= must have printable characters only, not 'a\\x1b[31mb'"),
        ('{"player": "one", "name": "a\\u0007"}', "name= must have printable characters only, not 'a\\x07'"),
        ("name=A", "either cmd=COMMAND or player=NAME"),
        ("cmd=a,player=one", "either cmd=COMMAND or player=NAME"),
        ("player=one,name=A,name=B", "name= is given twice"),
        ("player=two", "unknown player 'two'; known: perfect, dice, one"),
        ("player=dice,depth=5", "path/to/file.py:Class; depth= is not a field of an engine, known are cmd=, player="),
        (
            "cmd=/no/such/engine,nodes=9",
            "9'; nodes= is not a field of an engine, known are cmd=",
        ),
        ("player=one,option.depth=0", "option depth must be a whole number of 1 or more"),
        ("cmd=/no/such/engine", "no program to start in '/no/such/engine'"),
        ("cmd=/bin/sh,dir=nowhere", "dir= must be a folder, and there is none at 'nowhere'"),
        ("cmd='unfinished", "no program to start in"),
        (f"cmd={sys.executable},proto=uhp", "played over proto=gomocup, not 'uhp'"),
    ],
)
def test_mistakes_are_reported(text: str, error: str) -> None:
    with pytest.raises(UsageError, match=re.escape(error)):
        parse_engine(text, PILE_GAME)


def test_a_program_gets_the_client_of_its_protocol() -> None:
    spec = parse_engine(f"cmd={sys.executable} -m x,option.Level=3", replace(PILE_GAME, protocol="uhp"))
    assert spec.protocol == "uhp"
    client = make_client(spec, GAMES["hive"], 500)
    assert isinstance(client, UhpClient)
    assert isinstance(make_client(replace(spec, protocol="gomocup"), GAMES["gomoku"], 500), GomocupClient)
    assert set(PROTOCOL_ADAPTERS) >= {game.protocol for game in GAMES.values()}


def test_engines_have_different_names() -> None:
    names = [spec.name for spec in parse_engines(["player=one", "player=one"], PILE_GAME)]
    assert names == ["one-1", "one-2"]
    with pytest.raises(UsageError, match="two engines are called 'A'"):
        parse_engines(["player=one,name=A", "player=perfect,name=A"], PILE_GAME)


def test_derived_names_differ_from_given_names() -> None:
    """`one-1` is a given name, so the first unnamed engine does not get it."""
    texts = ["player=one", "player=perfect,name=one-1", "player=one", "player=dice", "player=perfect,name=dice"]
    names = [spec.name for spec in parse_engines(texts, PILE_GAME)]
    assert names == ["one-2", "one-1", "one-3", "dice-1", "dice"]


@pytest.mark.parametrize("command", ["{python} foo.py", "{python} -u bots/foo.py --level 3"])
def test_an_engine_is_named_after_its_script_and_not_after_the_interpreter(command: str) -> None:
    """Regression: both engines of a match used to be called `python3`."""
    specs = parse_engines([f"cmd={command.format(python=sys.executable)}"] * 2, PILE_GAME)
    assert [spec.name for spec in specs] == ["foo-1", "foo-2"]


def test_hash_of_a_program_is_that_of_its_file_and_of_the_files_among_its_arguments(tmp_path: Path) -> None:
    """If only the interpreter of a script were hashed, a run could be resumed with another bot."""
    (tmp_path / "bot.py").write_text("one", encoding="utf-8")

    def find_hash(arguments: str) -> str:
        spec = parse_engine(f"cmd={sys.executable} {arguments},dir={tmp_path},name=A", PILE_GAME)
        return spec.log_entry(PILE_GAME).file_hash

    interpreter_hash, first_hash = find_hash("-S -m bot"), find_hash(f"-S bot.py {'x' * 1000}")
    assert interpreter_hash == hashlib.sha256(Path(sys.executable).read_bytes()).hexdigest()
    (tmp_path / "bot.py").write_text("two", encoding="utf-8")
    assert find_hash("-S -m bot") == interpreter_hash  # the name of a module is not the path of a file
    assert len({interpreter_hash, first_hash, find_hash("-S bot.py")}) == 3
