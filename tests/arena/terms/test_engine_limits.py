"""The rules for engines come from the command line or a file, stand in the log and hold after a resumption."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from arena.cli import main as cli
from arena.engines.clients import MIN_START_FROM_SOURCE_S, make_engine_player
from arena.engines.spec import EngineSpec
from arena.log.file import read_run
from arena.options.engines import send_memory_limit
from arena.run.resume import restore_config
from arena.terms.clock import TimeControl
from arena.terms.engine_limits import EngineLimits
from bots.registry import GAMES
from protocols.driving.deadlines import Deadlines
from protocols.driving.engine_client import EngineClient
from tests.arena.fakes import PILE_GAME

TOURNAMENT = """
game = "pile"
start-timeout = 20
quit-timeout = 0.5

[[engine]]
player = "perfect"

[[engine]]
player = "one"
"""


@pytest.fixture(autouse=True)
def games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})


def test_rules_stand_in_the_log_and_are_restored(tmp_path: Path) -> None:
    file, out = tmp_path / "tournament.toml", tmp_path / "run"
    file.write_text(TOURNAMENT, encoding="utf-8")
    assert (
        cli.run(
            ["match", str(file), "--out", str(out), "--ping-timeout", "7", "--quit-timeout", "2", "--move-timeout", "9"]
        )
        == 0
    )
    header = read_run(out).header
    assert header.engine_limits == EngineLimits(Deadlines(20, 60, 7, 2, 9))
    config = restore_config(out, header)
    assert config.engine_limits == header.engine_limits
    spec = EngineSpec("A", command="./a", protocol="gtp")
    client = make_engine_player(spec, GAMES["hex"], TimeControl(depth=2), config.engine_limits.deadlines)
    assert isinstance(client, EngineClient)
    assert client.deadlines.move_s == 9


def test_event_and_site_are_kept(tmp_path: Path) -> None:
    """In one line, whatever was given; a resumed run has them again."""
    command = ["match", "--game", "pile", "--engine", "player=one", "--engine", "player=perfect"]
    assert cli.run([*command, "--event", "Cup\n[1]", "--site", "Bonn", "--out", str(tmp_path)]) == 0
    header = read_run(tmp_path).header
    assert (header.event_name, header.site) == ("Cup [1]", "Bonn")
    config = restore_config(tmp_path, header)
    assert (config.event_name, config.site) == ("Cup [1]", "Bonn")
    assert "# event: Cup [1]\n# site: Bonn\n" in (tmp_path / "games.txt").read_text(encoding="utf-8")


def test_memory_limit_is_told_to_brains() -> None:
    """A brain that is told 350 MB and killed at 200 would lose for obeying."""
    brain, other = EngineSpec("a", command="a", protocol="gomocup"), EngineSpec("b", command="b", protocol="uhp")
    own = [replace(brain, options=((name, "7"),)) for name in ("memory", "max_memory")]
    engine_limits = EngineLimits(memory_bytes=200)
    told = replace(brain, options=(("memory", "200"),))
    assert send_memory_limit((brain, other, *own), engine_limits) == (told, other, *own)
    assert send_memory_limit((brain,), EngineLimits()) == (brain,)


def deadlines_of(command: str) -> Deadlines:
    spec = EngineSpec("a", command=command, protocol="uhp")
    client = make_engine_player(spec, GAMES["hive"], TimeControl(move_ms=100), Deadlines(start_s=5))
    assert isinstance(client, EngineClient)
    return client.deadlines


def test_our_sources_may_have_to_be_compiled() -> None:
    assert deadlines_of("./engine --fast") == Deadlines(start_s=5)
    assert deadlines_of(f"{sys.executable} -m bots.hive") == structs.replace(
        Deadlines(), start_s=MIN_START_FROM_SOURCE_S
    )
