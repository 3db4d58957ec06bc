"""Tests of tuning real engine processes over each protocol: parameters arrive, and refused ones stop the tuning."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from msgspec import structs

from arena.console import ExitCode
from arena.errors import CommandFailedError, UsageError
from arena.options.tune import SpsaOptions
from arena.run.provenance import describe_resumption
from arena.tune.config import TuneConfig, configure_tuning
from arena.tune.engine_check import check_tuned_engine
from arena.tune.events import TuneResumed
from arena.tune.log import read_tuning
from arena.tune.run import resume_tuning, run_tuning
from tests.arena.fakes import ROW_GAME
from tests.arena.mock_match import ROOT, TOY_HEX, TOY_HIVE
from tests.arena.tune.skilled import SKILLED_GAME, QuietTuningObserver, configure

ITERATIONS = 3


@dataclass(frozen=True)
class EngineCase:
    """A mock engine of a protocol, one of its parameters, and how the parameter is set."""

    game: str
    module: str
    parameter: str
    command: str  # the beginning of the line that sets the parameter


CASES = {
    "gomocup": EngineCase("row", "gomocup_brain", "level=5,0,10,2,int", "INFO level "),
    "uhp": EngineCase("toyhive", "uhp_engine", "contempt=0.5,-1,1,0.2,float", "options set contempt "),
    "gtp": EngineCase("toyhex", "gtp_engine", "player.level=5,1,10,2,int", "param_player level "),
}


@pytest.fixture(autouse=True)
def register_small_games(register_skilled_game: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    games = {game.name: game for game in (SKILLED_GAME, ROW_GAME, TOY_HIVE, TOY_HEX)}
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: games)


def configure_mock(case: EngineCase, out: Path, parameter: str, *switches: str, module: str = "") -> TuneConfig:
    """Return the tuning of a mock with some of its switches."""
    command = " ".join([sys.executable, "-S", "-m", f"tests.mocks.{module or case.module}", *switches])
    options = {
        "game": case.game,
        "engine": f"cmd={command},dir={ROOT},name=mock",
        "iterations": ITERATIONS,
        "max_plies": 6,
    }
    return configure_tuning(SpsaOptions(**options, tc="5", seed=1, parameter=[parameter], out=out))  # type: ignore[arg-type]


@pytest.mark.parametrize("protocol", CASES)
def test_running_engine_gets_the_values_by_its_protocol(protocol: str, tmp_path: Path) -> None:
    """Each engine process must get the values of its pairs and no others, and must live as long as the tuning."""
    case, received, processes = CASES[protocol], tmp_path / "received", tmp_path / "processes"
    switches = (f"log={received}", f"env={processes}")
    config = configure_mock(case, tmp_path / "out", case.parameter, *switches)
    check_tuned_engine(config)
    received.unlink()
    result = run_tuning(config, QuietTuningObserver())
    assert (result.stopped, result.tuning.faults, result.tuning.games) == ("", 0, 2 * ITERATIONS)
    assert len(processes.read_text(encoding="utf-8").splitlines()) == 3  # one for the check, and two that play
    lines = received.read_text(encoding="utf-8").splitlines()
    sent = [line.split(case.command)[1] for line in lines if case.command in line]
    pairs = (tmp_path / "out" / "tune.jsonl").read_text(encoding="utf-8").count('"event":"pair"')
    assert pairs == ITERATIONS
    expected = {config.parameters[0].format(value) for value in _played_values(config)}
    assert set(sent) == expected
    assert len(expected) > 2


def _played_values(config: TuneConfig) -> list[float]:
    """Return all values of the only parameter, by the random numbers of a second state."""
    from arena.tune.spsa import Spsa

    history = read_tuning(config.match.out).history
    spsa = Spsa(config.parameters, config, config.match.seed)
    values: list[float] = []
    for iteration in history:
        values += [engine_values[0] for engine_values in spsa.perturbed_values(spsa.iteration + 1)]
        spsa.advance(iteration.values)
    return values


@pytest.mark.parametrize(
    ("protocol", "module", "parameter", "message"),
    [
        (
            "uhp",
            "uhp_engine",
            "nosuch=1,0,2,1,float",
            "refuses parameter nosuch=0: option nosuch: '0' was answered by ",
        ),
        (
            "uhp",
            "uhp_engine",
            "contempt=0,-2,1,1,float",
            "refuses parameter contempt=-2: option contempt: '-2' was answered",
        ),
        ("uhp", "uhp_engine", "level=2,1,11,1,int", "refuses parameter level=11: option level: '11' was answered by"),
        (
            "gtp",
            "gtp_engine",
            "player.nosuch=1,0,2,1,float",
            "refuses parameter player.nosuch=0: parameter player.nosuch",
        ),
        ("gtp", "gtp_engine", "nosuch=1,0,2,1,float", "refuses parameter nosuch=0: parameter must be a name such as"),
        ("gtp", "gtp_engine", "player.level=5,0,9,1,int", "refuses parameter player.level=0: parameter player.level"),
        ("gomocup", "served_brain", "nosuch=1,0,2,1,float", "refuses parameter nosuch: it has no option of this name"),
        (
            "gomocup",
            "served_brain",
            "level=5,0,11,1,int",
            "refuses parameter level=11: MESSAGE level 11 is out",
        ),
        ("gomocup", "served_brain", "threads=0,-1,2,1,int", "refuses parameter threads=-1: option threads must be"),
    ],
)
def test_refused_parameter_is_named_before_the_first_game(
    protocol: str, module: str, parameter: str, message: str, tmp_path: Path
) -> None:
    """Otherwise an engine would play thousands of games with values that change nothing."""
    case = CASES[protocol]
    config = configure_mock(case, tmp_path, parameter, module=module)
    with pytest.raises(UsageError) as raised:
        check_tuned_engine(config)
    assert str(raised.value).startswith(f"{config.engine} {message}")


def test_our_own_gomocup_engine_knows_its_options(tmp_path: Path) -> None:
    assert (
        check_tuned_engine(configure_mock(CASES["gomocup"], tmp_path, "level=5,0,10,1,int", module="served_brain"))
        == []
    )


def test_silent_gomocup_engine_is_reported(tmp_path: Path) -> None:
    """INFO has no answer, so all that can be done is to say so, with lines of standard error that name a parameter."""
    silent = (
        "mock does not say whether it takes nosuch: in the Gomocup protocol an engine may ignore an INFO key, or a"
        " value, in silence"
    )
    known = configure_mock(CASES["gomocup"], tmp_path, "nosuch=1,0,2,1,float", "strict=1", "reject=nosuch:8:9:no")
    assert check_tuned_engine(known) == [silent]
    unknown = configure_mock(CASES["gomocup"], tmp_path, "nosuch=1,0,2,1,float", "strict=1")
    with pytest.raises(UsageError, match=r"^mock refuses parameter nosuch=0: UNKNOWN INFO nosuch"):
        check_tuned_engine(unknown)
    config = configure_mock(CASES["gomocup"], tmp_path, "words=1,0,2,1,float", "stderr=0")
    assert check_tuned_engine(config)[1:] == ["mock wrote to standard error: the last words"]


@pytest.mark.parametrize(
    ("line", "switches"),
    [
        ("ERROR level is too fine", ""),
        ("ERROR level is too fine", "nameless=1"),
        ("ERROR bad value", ""),
        ("ERROR bad value", "strict=1"),
        ("UNKNOWN", "strict=1"),
        ("UNKNOWN INFO level", "nameless=1"),
        ("MESSAGE level VALUE is out of range", ""),
    ],
)
def test_value_that_a_gomocup_engine_refuses_stops_the_tuning(line: str, switches: str, tmp_path: Path) -> None:
    """A game with another value than the logged one would move the parameters at random.

    The engine refuses values near 2.9. The first ones are 2.77 and 7.23, and the second ones 2.92 and 7.08.
    """
    case = CASES["gomocup"]
    reject = shlex.quote(f"reject=level:2.85:2.95:{line}")
    config = configure_mock(case, tmp_path / "out", "level=5,0,10,2,float", *switches.split(), reject)
    check_tuned_engine(config)
    first = run_tuning(config, QuietTuningObserver())
    assert first.stopped == f"mock refuses parameter level=2.916: {line.replace('VALUE', '2.916')}"
    assert (first.exit_code, first.tuning.spsa.iteration, first.tuning.games) == (ExitCode.FAILURE, 1, 2)
    # The log is intact: with an engine that takes the value, the tuning ends as if nothing had happened.
    whole = configure_mock(case, tmp_path / "whole", "level=5,0,10,2,float")
    expected = run_tuning(whole, QuietTuningObserver())
    engines = tuple(replace(engine, command=whole.match.engines[0].command) for engine in config.match.engines)
    mended = structs.replace(config, match=structs.replace(config.match, engines=engines))
    resumption = describe_resumption(mended.match, forced=True)
    resumed = TuneResumed(resumption.started, resumption.engines, True)
    assert resume_tuning(mended, QuietTuningObserver(), resumed).tuning.history == expected.tuning.history


def test_refused_parameter_of_a_player_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^skilled refuses parameter tact=0: unknown option 'tact'; known: skill"):
        check_tuned_engine(configure(tmp_path, parameter=["tact=0,0,1,1,float"]))
    with pytest.raises(UsageError, match=r"^skilled refuses parameter skill=101: option skill must be a whole number"):
        check_tuned_engine(configure(tmp_path, parameter=["skill=1,0,101,1,int"]))
    assert check_tuned_engine(configure(tmp_path)) == []


def test_engine_that_cannot_start_is_reported(tmp_path: Path) -> None:
    config = configure_mock(CASES["uhp"], tmp_path, CASES["uhp"].parameter, "refuse=1")
    with pytest.raises(CommandFailedError, match=r"^mock could not start: newgame"):
        check_tuned_engine(config)
