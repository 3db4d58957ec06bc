"""Tests of the options and files of `pentad tune spsa`: what they configure, and the messages for wrong ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cyclopts import App

from arena.cli.tune import spsa
from arena.engines.spec import EngineSpec
from arena.errors import UsageError
from arena.options.tune import SpsaOptions
from arena.options.tuning_file import complete_tuning, format_parameter, parse_parameters
from arena.terms.tuning import TunedParameter
from arena.tune.config import RESERVED_NAMES, TuneConfig, check_names, configure_tuning, is_same_tuning
from tests.arena.tune.skilled import PARAMETERS, configure

FILE = """
game = "pile"
engine = "player=skilled:taste=0.2"
iterations = 50
nodes = 10
seed = 3
A = 4

[parameters]
skill = {value = 50, min = 0, max = 100, step = 10, type = "int"}
taste = {value = 0.5, min = 0, max = 1, step = 0.1, type = "float"}
"""


def read_options(*arguments: str) -> SpsaOptions:
    """Return the options of a command line, as `pentad tune spsa` gets them."""
    app = App(result_action="return_value")
    app.command(spsa, name="spsa", config=complete_tuning)
    _, bound, _ = app.parse_args(["spsa", *arguments], exit_on_error=False, print_error=False)
    options = bound.arguments["options"]
    assert isinstance(options, SpsaOptions)
    return options


def read_file(folder: Path, text: str, *arguments: str) -> TuneConfig:
    """Return the tuning of a file and further arguments."""
    path = folder / "tuning.toml"
    path.write_text(text, encoding="utf-8")
    return configure_tuning(read_options(str(path), *arguments))


def test_file_configures_a_tuning(tmp_path: Path) -> None:
    config = read_file(tmp_path, FILE)
    assert config.parameters == (
        TunedParameter("skill", 50, 0, 100, 10, "int"),
        TunedParameter("taste", 0.5, 0, 1, 0.1, "float"),
    )
    assert (config.iterations, config.pairs, config.stability, config.match.seed) == (50, 1, 4, 3)
    assert [engine.name for engine in config.match.engines] == ["plus", "minus"]
    assert {engine.player for engine in config.match.engines} == {"skilled:taste=0.2"}
    assert (config.match.games, config.match.control.nodes, config.r_end) == (100, 10, 0.002)


def test_command_line_overrides_the_file(tmp_path: Path) -> None:
    """An overridden parameter must not drop the other ones of the file."""
    arguments = ["--iterations", "7", "--pairs", "2", "--r-end", "0.01", "--parameter", "taste=0.4,0,1,0.2,float"]
    config = read_file(tmp_path, FILE, *arguments, "--A", "9", "--engine", "player=skilled")
    assert (config.iterations, config.pairs, config.r_end, config.stability) == (7, 2, 0.01, 9)
    assert {parameter.name: parameter.value for parameter in config.parameters} == {"skill": 50, "taste": 0.4}
    assert config.match.engines[0].player == "skilled"


def test_engine_may_be_a_table(tmp_path: Path) -> None:
    table = '[engine]\nplayer = "skilled"\noptions = {taste = 0.1}\n'
    config = read_file(tmp_path, FILE.replace('engine = "player=skilled:taste=0.2"\n', "") + table)
    assert (config.engine, config.match.engines[0].options) == ("skilled", (("taste", "0.1"),))


ENGINE = 'engine = "player=skilled:taste=0.2"'
PARAMETER = 'skill = {value = 50, min = 0, max = 100, step = 10, type = "int"}'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (PARAMETER, "skill = 5", "FILE: parameters.skill must be a table such as {value = 5, min = 0, "),
        ("step = 10,", "", "FILE: parameters.skill: step is missing"),
        ("step = 10", 'step = "a"', "FILE: parameters.skill.step must be a number, not 'a'"),
        ("step = 10", "step = true", "FILE: parameters.skill.step must be a number, not True"),
        ('"int"', '"whole"', 'FILE: parameters.skill.type must be "int" or "float", not \'whole\''),
        (', type = "int"', "", 'FILE: parameters.skill.type must be "int" or "float", but it is missing'),
        ("step = 10", "size = 10", "FILE: parameters.skill: unknown key 'size'; known: value, min, max, step, type"),
        ("step = 10", "step = 0", "parameters: skill: step must be above 0 and at most max - min, 100, not 0"),
        ("step = 10", "step = 101", "parameters: skill: step must be above 0 and at most max - min, 100, not 101"),
        ("value = 50", "value = 101", "parameters: skill: value must be 0..100, not 101"),
        ("value = 50", "value = 50.5", "parameters: skill: value must be a whole number for the type int, not 50.5"),
        ("value = 50", "value = nan", "parameters: skill: value must be within ±1000000000000000, not nan"),
        ("max = 100", "max = inf", "parameters: skill: max must be within ±1000000000000000, not inf"),
        ("max = 100", "max = 0", "parameters: skill: min must be below max, not 0 and 0"),
        ("skill = {", "'two words' = {", "parameters: 'two words': a name must be one word of letters, "),
        ("skill = {", '"two\\nlines" = {', "parameters: 'two\\nlines': a name must be one word of letters, "),
        ("max = 100", "max = 100.5", "parameters: skill: max must be a whole number for the type int, not 100.5"),
        ("taste = {", "Skill = {", "parameters: Skill: given twice"),
        ("iterations = 50", "iterations = 0", "--iterations must be 1 or more, not 0"),
        ("iterations = 50", "iterations = 2.5", "FILE: iterations must be a whole number, not 2.5"),
        ("iterations = 50", "iterations = 500_000\npairs = 2", "--iterations times --pairs must be at most 500000"),
        ("iterations = 50", "r_end = 0", "--r-end must be above 0, not 0"),
        ("iterations = 50", "gamma = -1.0", "--gamma must be 0 or more, not -1.0"),
        ("A = 4", "A = -4.0", "--A must be 0 or more, not -4.0"),
        ("iterations = 50", "verify = 3", "--verify counts pairs of games: it must be even"),
        ("iterations = 50", "verify = 4", "--verify needs openings, without which games repeat each other"),
        ("iterations = 50", 'verify_openings = "x"', "--verify-openings is for --verify: give "),
        ("iterations = 50", "concurrency = 2", "--concurrency must be at most --pairs, 1, not 2: iterations"),
        ("iterations = 50", "rounds = 50", "FILE: unknown key 'rounds'; known: "),
        ("iterations = 50", 'parameter = ["a=1,0,2,1,float"]', "FILE: unknown key 'parameter'; parameters are in"),
        ("iterations = 50", 'given = "x"', "FILE: unknown key 'given'; parameters are in"),
        (ENGINE, "", "no engine to tune: give --engine"),
        (ENGINE, "engine = 5", "FILE: engine: an engine is a table or text such as"),
        (ENGINE, 'engine = "player=none"', "engine 'player=none': unknown player 'none'; known: skilled"),
        ('game = "pile"', 'game = "chess"', "unknown game 'chess'; known: pile"),
    ],
)
def test_wrong_file_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in FILE
    with pytest.raises(UsageError) as raised:
        read_file(tmp_path, FILE.replace(old, new))
    assert str(raised.value).replace(str(tmp_path / "tuning.toml"), "FILE").startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("skill", "--parameter must be NAME=VALUE,MIN,MAX,STEP,TYPE with the type int or float, not 'skill'"),
        ("skill=1,0,3,1", "--parameter must be NAME=VALUE,MIN,MAX,STEP,TYPE with the type int or float, not 'skill=1,"),
        ("skill=1,0,3,1,whole", "--parameter must be NAME=VALUE,MIN,MAX,STEP,TYPE with the type int or float, not"),
        ("skill=1,0,x,1,int", "--parameter skill: max must be a number, not 'x'"),
    ],
)
def test_wrong_parameter_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_parameters([text])
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize("protocol", RESERVED_NAMES)
def test_parameter_that_the_arena_sets_itself_is_refused(protocol: str) -> None:
    """The arena would replace the tuned value, or the tuned value a limit of the game."""
    engine = EngineSpec("engine", protocol=protocol)
    for name in RESERVED_NAMES[protocol]:
        with pytest.raises(UsageError, match=f"^parameters: {name.upper()} cannot be tuned: the arena itself sets "):
            check_names([TunedParameter(name.upper(), 1, 0, 2, 1, "int")], engine)
    check_names([TunedParameter("margin", 1, 0, 2, 1, "int")], engine)


@pytest.mark.parametrize(
    ("protocol", "names"),
    [
        ("gomocup", "timeout_turn timeout_match max_memory time_left game_type rule evaluate folder"),
        ("uhp", "Nodes"),
        ("gtp", "gtp.nodes gtp.depth"),
        ("", "seed"),
    ],
)
def test_settings_of_a_game_are_reserved(protocol: str, names: str) -> None:
    assert {name.lower() for name in names.split()} <= RESERVED_NAMES[protocol]


def test_reserved_parameter_is_refused_before_the_engine_starts(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="parameters: Seed cannot be tuned: the arena itself sets seed"):
        configure(tmp_path, parameter=["Seed=1,0,2,1,int"])


def test_tuning_without_parameters_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no parameter to tune"):
        configure(tmp_path, parameter=[])


@pytest.mark.parametrize("text", [*PARAMETERS, "x=0.1,-3,1e6,0.0001,float"])
def test_parameters_are_formatted_without_loss(text: str) -> None:
    parameter = parse_parameters([text])[0]
    assert parse_parameters([format_parameter(parameter)]) == (parameter,)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Return a file with eight openings; one is there twice."""
    path = tmp_path / "book.txt"
    path.write_text("1\n2\n3\n1 1\n2 2\n1 2\n2 1\n3 1\n1\n", encoding="utf-8")
    return path


def test_openings_of_the_verification_are_not_tuned_with(book: Path, tmp_path: Path) -> None:
    """Otherwise the values could be fitted to the openings, and the verification would not show it."""
    config = configure(tmp_path, openings=book, verify=6)
    assert len(config.held_out) == 3
    assert not set(config.held_out) & set(config.match.book.lines)
    assert len({*config.held_out, *config.match.book.lines}) == 8
    # at most half of them; and the choice does not depend on the seed
    assert len(configure(tmp_path, openings=book, verify=400).held_out) == 4
    assert configure(tmp_path, openings=book, verify=6, seed=77).held_out == config.held_out
    other = tmp_path / "other.txt"
    other.write_text("2\n3 3\n", encoding="utf-8")
    given = configure(tmp_path, openings=book, verify=6, verify_openings=other)
    assert (given.held_out, len(given.match.book)) == ((("3", "3"),), 9)
    with pytest.raises(UsageError, match=r"--verify-openings: the tuning plays all openings of .*book\.txt"):
        configure(tmp_path, openings=book, verify=6, verify_openings=book)


@pytest.mark.parametrize(
    ("changes", "is_same"),
    [
        ({}, True),
        ({"concurrency": 3, "force": True}, True),
        ({"iterations": 21}, False),
        ({"nodes": 11}, False),
        ({"order": "sequential"}, False),
        ({"parameter": ["skill=50,0,100,11,int"]}, False),
        ({"engine": "player=skilled:taste=0.1"}, False),
        ({"seed": 6}, True),  # not given, so that it was drawn at random
        ({"seed": 6, "given": '{"seed": true}'}, False),
    ],
)
def test_same_command_continues_a_tuning(changes: dict[str, Any], is_same: bool, tmp_path: Path) -> None:
    assert is_same_tuning(configure(tmp_path, **changes), configure(tmp_path)) == is_same
