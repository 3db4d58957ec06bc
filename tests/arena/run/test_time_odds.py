"""Tests of time odds: a different time control for an engine, given by its field `tc=`.

The time control must be sent to the engine, enforced by the arena, and shown in the log, the tables and the report.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from msgspec import structs

from arena.cli import main as cli
from arena.engines.clients import make_engine_player
from arena.engines.spec import parse_engine, parse_engines
from arena.errors import UsageError
from arena.log.events import EngineEntry
from arena.log.file import LogWriter, read_run
from arena.referee.game import GameSettings, play_game
from arena.referee.participant import Participant
from arena.referee.swap2 import negotiate_swap2
from arena.run.file_bundle import pack, unpack
from arena.run.resume import restore_config
from arena.terms.clock import TimeControl, describe_controls, effective_control
from arena.terms.ending import Ending
from arena.web.report.page import make_report
from bots.registry import GAMES
from core.play.options import OptionSet
from core.play.player import Limits
from tests.arena.events import read_log
from tests.arena.fakes import PILE_GAME, ROW_GAME, LastSquare, Taker, take_one
from tests.arena.web.runs import make_game, make_header, make_outcome

# A mock Gomocup engine; its switches, such as `late=60`, are explained in tests/mocks/misbehaviour.py
MOCK_ENGINE = f"cmd={sys.executable} -S -m tests.mocks.gomocup_brain"
COMMON_CONTROL = TimeControl(move_ms=5000, margin_ms=20, nodes=9)  # time control of the run
CLOCK_ONLY = TimeControl(move_ms=5000)  # without a node limit
ENGINES = ["--engine", "player=perfect,name=A", "--engine", "player=one,tc=0.5/9,name=B"]


@pytest.fixture(autouse=True)
def register_test_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {**GAMES, "pile": PILE_GAME, "row": ROW_GAME})


def test_tc_of_an_engine_replaces_times_but_not_margin_and_nodes() -> None:
    assert effective_control("0.1", COMMON_CONTROL) == TimeControl(move_ms=100, margin_ms=20, nodes=9)
    assert effective_control("", COMMON_CONTROL) is COMMON_CONTROL


def test_node_limit_of_an_engine_replaces_the_clock_of_the_run() -> None:
    assert effective_control("N=70", COMMON_CONTROL) == TimeControl(margin_ms=20, nodes=70)
    assert (
        describe_controls(COMMON_CONTROL, [("A", ""), ("B", "N=70")])
        == "5 s per move, 9 nodes, margin 20 ms; B: 70 nodes"
    )
    assert parse_engines(["player=one,tc=N=70"], PILE_GAME)[0].tc == "N=70"


def test_time_of_an_engine_replaces_the_node_limit_of_the_run() -> None:
    run_control = TimeControl(margin_ms=20, nodes=70)
    assert effective_control("1", run_control) == TimeControl(move_ms=1000, margin_ms=20)
    assert describe_controls(run_control, [("A", ""), ("B", "1")]) == "70 nodes, margin 20 ms; B: 1 s per move"


def test_depth_and_nodes_beside_a_time_apply_to_all_engines() -> None:
    assert (
        describe_controls(COMMON_CONTROL, [("B", "1")])
        == "5 s per move, 9 nodes, margin 20 ms; B: 1 s per move, 9 nodes"
    )
    run_control = TimeControl(depth=3, nodes=9)
    assert effective_control("1", run_control) == TimeControl(move_ms=1000, depth=3, nodes=9)


def test_node_limit_is_sent_to_its_engine_only(tmp_path: Path) -> None:
    command = [
        "match",
        "--game",
        "row",
        "--engine",
        f"{MOCK_ENGINE},name=timed",
        "--engine",
        f"{MOCK_ENGINE},name=counted,tc=N=70",
    ]
    command += ["--games", "2", "--tc", "4", "--io-log", "--max-faults", "0"]
    assert cli.run([*command, "--out", str(tmp_path)]) == 0
    sent = {
        name: set(re.findall(r"INFO (max_node \d+)", (tmp_path / "io" / f"{name}-1.log").read_text("utf-8")))
        for name in ("timed", "counted")
    }
    assert sent == {"timed": set(), "counted": {"max_node 70"}}


def test_program_must_support_its_node_limit() -> None:
    """The run stops if a program does not support one of its `required_limits`."""
    spec = parse_engine("cmd=true,tc=N=70", GAMES["hex"])
    assert make_engine_player(spec, GAMES["hex"], CLOCK_ONLY).required_limits == ("nodes",)  # type: ignore[attr-defined]
    spec = parse_engine("cmd=true", GAMES["hex"])
    assert make_engine_player(spec, GAMES["hex"], CLOCK_ONLY).required_limits == ()  # type: ignore[attr-defined]


def test_each_side_gets_the_limits_of_its_time_control() -> None:
    seen: dict[str, set[int | None]] = {"a": set(), "b": set()}  # received move times in ms, by engine

    def make_observed_player(name: str) -> Taker:
        def answer(taker: Taker, limits: Limits) -> str:
            seen[name].add(limits.move_time_ms)
            return take_one(taker, limits)

        return Taker(answer)

    short_control = effective_control("0.1", COMMON_CONTROL)
    participants = (
        Participant("a", lambda: make_observed_player("a"), control=short_control),
        Participant("b", lambda: make_observed_player("b")),
    )
    played = play_game(GameSettings(PILE_GAME, PILE_GAME.default_setup, COMMON_CONTROL), participants)
    assert played is not None
    assert seen == {"a": {100}, "b": {5000}}


def test_swap2_uses_the_time_control_of_each_engine() -> None:
    seen = []  # number of stones on the board and received move time in ms

    class Swapper(LastSquare):
        def swap2(self, stones: list[str], limits: Limits) -> list[str]:
            seen.append((len(stones), limits.move_time_ms))
            return ["h8", "i9", "g7"] if not stones else ["SWAP"]

    proposer = Participant("a", lambda: Swapper(OptionSet(())))
    chooser = Participant("b", lambda: Swapper(OptionSet(())), control=COMMON_CONTROL)
    settings = GameSettings(ROW_GAME, ROW_GAME.default_setup, TimeControl(move_ms=70))
    negotiate_swap2(settings, (proposer, chooser), 1)
    assert seen == [(0, 70), (3, 5000)]


def test_time_control_is_sent_to_its_engine(tmp_path: Path) -> None:
    command = [
        "match",
        "--game",
        "row",
        "--engine",
        f"{MOCK_ENGINE},name=long",
        "--engine",
        f"{MOCK_ENGINE},name=short,tc=2/30",
    ]
    command += ["--games", "2", "--tc", "4", "--io-log", "--max-faults", "0"]
    assert cli.run([*command, "--out", str(tmp_path)]) == 0
    sent = {
        name: set(re.findall(r"INFO (timeout_\w+ \d+)", (tmp_path / "io" / f"{name}-1.log").read_text("utf-8")))
        for name in ("long", "short")
    }
    assert sent["long"] == {"timeout_turn 4000", "timeout_match 0"}
    assert {"timeout_turn 2000", "timeout_match 30000"} <= sent["short"]


def test_time_odds_are_in_log_and_output_and_survive_a_resumption(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert cli.run(["match", "--game", "pile", *ENGINES, "--games", "4", "--tc", "1", "--out", str(out)]) == 0
    captured = capsys.readouterr()
    limits = "1 s per move, margin 250 ms; B: 0.5 s per move, 9 s per game"
    assert limits in captured.err
    assert f"; {limits}\n" in captured.out
    run = read_run(out)
    assert [engine.tc for engine in run.header.engines] == ["", "0.5/9"]
    assert [engine.tc for engine in restore_config(out, run.header).engines] == ["", "0.5/9"]
    events = read_log(out)
    (out / "log.jsonl").unlink()
    with LogWriter(out) as log:
        log.write(events[0])
    assert cli.run(["resume", str(out)]) == 0
    assert limits in capsys.readouterr().out


def test_report_shows_time_odds() -> None:
    engines = (EngineEntry("A", player="x"), EngineEntry("B", "y", tc="3"))
    header = structs.replace(make_header(("A", "B")), engines=engines)
    report = make_report(make_outcome(header, make_game(1, "A", "B")))
    assert dict(report.facts)["limits"] == "1 s per move, margin 250 ms; B: 3 s per move"
    assert dict(report.engines) == {"A": "player x", "B": "y, tc=3"}


def test_engine_loses_by_its_time_control_and_not_by_that_of_the_run(tmp_path: Path) -> None:
    brain = f"{MOCK_ENGINE} late=60,name=late"
    command = ["match", "--game", "row", "--engine", f"{brain},tc=0.03", "--engine", "player=last", "--tc", "20"]
    assert cli.run([*command, "--games", "2", "--margin-ms", "0", "--out", str(tmp_path)]) == 0
    assert [(game.ending, game.blamed) for game in read_run(tmp_path).games] == [(Ending.TIME, "late")] * 2


def test_each_option_sets_defaults_that_engines_override(tmp_path: Path) -> None:
    """`--each` on the command line and `each` in a tournament file do the same."""
    each = "tc=0.5,option.depth=2"
    specs = parse_engines(["player=one", "player=one,tc=3,option.depth=4,name=B"], PILE_GAME, each)
    assert [(spec.tc, dict(spec.options)) for spec in specs] == [("0.5", {"depth": "2"}), ("3", {"depth": "4"})]
    file = tmp_path / "tournament.toml"
    text = 'game = "pile"\neach = { tc = 0.5, options = { depth = 2 } }\n'
    text += '[[engine]]\nplayer = "one"\n[[engine]]\nplayer = "one"\ntc = 0.25\nname = "B"\n'
    file.write_text(text, encoding="utf-8")
    assert cli.run(["match", str(file), "--out", str(tmp_path / "run")]) == 0
    engines = read_run(tmp_path / "run").header.engines
    assert [(engine.tc, engine.options) for engine in engines] == [
        ("0.5", (("depth", "2"),)),
        ("0.25", (("depth", "2"),)),
    ]


@pytest.mark.parametrize(
    ("text", "each", "message"),
    [
        ("player=one,tc=0", "", "engine 'player=one,tc=0': tc: time control must be 0.001 seconds or more, not '0'"),
        ("player=one,tc=fast", "", "tc: time control must be MOVE"),
        ('{"player": "one", "tc": [1]}', "", "tc must be text, a number"),
        ("player=one", "name=A", "--each 'name=A': name= belongs to one engine; known: proto=, dir=, tc=, option.X="),
        ("player=one", "tc=1,tc=2", "tc= is given twice"),
        ("player=one", "tc=x", "tc: time control must be MOVE"),
        ("player=perfect", "option.depth=2", "depth"),
    ],
)
def test_wrong_engine_options_are_refused(text: str, each: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        parse_engines([text], PILE_GAME, each)


def test_time_control_is_kept_in_bundles_and_log_entries() -> None:
    (unpacked,) = unpack(pack([EngineEntry("A", player="one", tc="0.1")]))
    assert unpacked.tc == "0.1"
    assert parse_engine("player=one,tc=0.1", PILE_GAME).log_entry(PILE_GAME).tc == "0.1"
