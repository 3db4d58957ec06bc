"""Tests that settings such as the limits of engines reach the log and a resumed run, or the engines."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.engines.clients import MIN_START_FROM_SOURCE_S, make_engine_player
from arena.engines.spec import EngineSpec
from arena.log.file import read_run
from arena.options.engines import with_memory_option
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
def register_test_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})


def test_deadlines_are_logged_and_restored(tmp_path: Path) -> None:
    """Options of the command line override those of the tournament file."""
    file, out = tmp_path / "tournament.toml", tmp_path / "run"
    file.write_text(TOURNAMENT, encoding="utf-8")
    options = ["--ping-timeout", "7", "--quit-timeout", "2", "--move-timeout", "9"]
    assert cli.run(["match", str(file), "--out", str(out), *options]) == 0
    header = read_run(out).header
    assert header.engine_limits == EngineLimits(Deadlines(start_s=20, new_game_s=60, ping_s=7, quit_s=2, move_s=9))
    config = restore_config(out, header)
    assert config.engine_limits == header.engine_limits
    spec = EngineSpec("A", command="./a", protocol="gtp")
    client = make_engine_player(spec, GAMES["hex"], TimeControl(depth=2), config.engine_limits.deadlines)
    assert isinstance(client, EngineClient)
    assert client.deadlines.move_s == 9


def test_event_and_site_are_logged_and_restored(tmp_path: Path) -> None:
    """A line feed in a name becomes a space."""
    command = ["match", "--game", "pile", "--engine", "player=one", "--engine", "player=perfect"]
    assert cli.run([*command, "--event", "Cup\n[1]", "--site", "Bonn", "--out", str(tmp_path)]) == 0
    header = read_run(tmp_path).header
    assert (header.event_name, header.site) == ("Cup [1]", "Bonn")
    config = restore_config(tmp_path, header)
    assert (config.event_name, config.site) == ("Cup [1]", "Bonn")
    assert "# event: Cup [1]\n# site: Bonn\n" in (tmp_path / "games.txt").read_text(encoding="utf-8")


def test_memory_limit_is_sent_to_gomocup_engines() -> None:
    """Without it the default of 350 MiB is sent, and an engine that uses this much would be killed at a lower limit."""
    gomocup, uhp = EngineSpec("a", command="a", protocol="gomocup"), EngineSpec("b", command="b", protocol="uhp")
    with_option = [replace(gomocup, options=((name, "7"),)) for name in ("memory", "max_memory")]
    engine_limits = EngineLimits(memory_bytes=200)
    with_limit = replace(gomocup, options=(("memory", "200"),))
    assert with_memory_option((gomocup, uhp, *with_option), engine_limits) == (with_limit, uhp, *with_option)
    assert with_memory_option((gomocup,), EngineLimits()) == (gomocup,)


def find_deadlines(command: str) -> Deadlines:
    """Return the deadlines that a Hive engine gets if the start timeout of the run is 5 s."""
    spec = EngineSpec("a", command=command, protocol="uhp")
    client = make_engine_player(spec, GAMES["hive"], TimeControl(move_ms=100), Deadlines(start_s=5))
    assert isinstance(client, EngineClient)
    return client.deadlines


def test_start_deadline_is_longer_for_our_sources() -> None:
    """Started from source, a bot may have to compile its kernels first."""
    assert find_deadlines("./engine --fast") == Deadlines(start_s=5)
    assert find_deadlines(f"{sys.executable} -m bots.hive") == Deadlines(start_s=MIN_START_FROM_SOURCE_S)
