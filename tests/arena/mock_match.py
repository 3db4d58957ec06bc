"""Matches of the mock engines of `tests/mocks` against a player in this process, over each protocol.

The arena starts a mock as it starts any program. Its faults are switches such as `crash=2` on its command line, which
`tests/mocks/misbehaviour.py` lists. Time limits are short, so that a game takes a moment.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from arena.engines.clients import make_client
from arena.engines.spec import EngineSpec
from arena.log.events import GameEnded
from arena.run.config import MatchConfig, MatchResult
from arena.run.match import run_match
from arena.terms.clock import TimeControl
from core.play.game import Game
from core.play.options import OptionSet
from core.play.player import Decision, Limits, Player, PlayerKind, ProgressCallback, Setup, ignore_progress
from protocols.driving.deadlines import Deadlines
from tests.arena.events import read_log
from tests.arena.fakes import ROW_GAME, LastSquare, QuietObserver
from tests.mocks.hive_player import HivePlayer
from tests.mocks.tiny_hex import TINY_HEX, HexPlayer, TinyHex
from tests.mocks.tiny_hive import TYPES, TinyHive
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
MARGIN_MS, GRACE_MS = 1000, 1800  # after the time limit: a later answer loses on time, a still later one is a stall
MOVE_MS = 100
CONTROL = TimeControl(move_ms=MOVE_MS, margin_ms=MARGIN_MS)
LATE = f"late={MOVE_MS + MARGIN_MS + 400}"  # the switch for answers between the margin and the grace time
DEADLINES = Deadlines(start_s=30, new_game_s=30, ping_s=30, quit_s=0.2)

TOY_HIVE = Game(
    name="toyhive",
    title="Toy Hive",
    protocol="uhp",
    executable="toyhive",
    variants=TYPES,
    default_setup=Setup(variant="Base+M"),
    check_setup=lambda setup: setup,
    new_position=lambda setup: TinyHive(setup.variant),
    players=lambda: (PlayerKind("first", "the first move", lambda _: HivePlayer()),),
    max_plies=lambda _: 100,
)
TOY_HEX = Game(
    name="toyhex",
    title="Toy Hex",
    protocol="gtp",
    executable="toyhex",
    variants=("plain", "swap"),
    default_setup=Setup(3, 3, "plain"),
    check_setup=lambda setup: setup,
    new_position=TinyHex,
    players=lambda: (PlayerKind("first", "the first move", lambda _: HexPlayer()),),
    max_plies=lambda _: 10,
    gtp=lambda: TINY_HEX,
)


@dataclass(frozen=True)
class MockProtocol:
    """A protocol: the mock that speaks it, the game that the mock plays, its opponent and some of its switches."""

    game: Game
    module: str  # of the mock, in tests/mocks
    opponent: Callable[[], Player]  # makes a player without faults
    illegal: str  # the switch with which it answers with an illegal move
    refuse: str  # the switch with which it refuses to begin a game
    error: str  # the switch with which it has an error for every request for a move


PROTOCOLS = {
    "gomocup": MockProtocol(
        ROW_GAME,
        "gomocup_brain",
        lambda: LastSquare(OptionSet(())),
        illegal="answer=99,0",
        refuse="refuse=1",
        error="answer=ERROR no",
    ),
    "uhp": MockProtocol(
        TOY_HIVE, "uhp_engine", HivePlayer, illegal="answer=bQ wQ/", refuse="refuse=1", error="answer=err no"
    ),
    "gtp": MockProtocol(
        TOY_HEX, "gtp_engine", HexPlayer, illegal="answer=i9", refuse="refuse=boardsize", error="refuse=genmove"
    ),
}


def play(
    out: Path, protocol: str, *switches: str, watch: Callable[[], object] = lambda: None, **changes: object
) -> MatchResult:
    """Play two games between the mock with these switches and a player without faults.

    `watch` is called in the turns of that player, named `good`. `changes` are `deadlines` or fields of MatchConfig.
    """
    mock_protocol = PROTOCOLS[protocol]
    # The mock ignores `run=`, by which `list_mocks` finds its processes
    words = [sys.executable, "-S", "-m", f"tests.mocks.{mock_protocol.module}", *(f"'{text}'" for text in switches)]
    command = " ".join([*words, f"'run={out}'"])
    mock = EngineSpec("mock", command=command, protocol=protocol, directory=str(ROOT))
    deadlines = changes.pop("deadlines", DEADLINES)
    assert isinstance(deadlines, Deadlines)

    def start(spec: EngineSpec) -> Player:
        if spec.player:
            return slow_down(mock_protocol.opponent(), watch)
        return make_client(spec, mock_protocol.game, GRACE_MS, deadlines)

    defaults = {"games": 2, "max_faults": 0, "control": CONTROL}
    config = MatchConfig(
        game=mock_protocol.game,
        setup=mock_protocol.game.default_setup,
        engines=(mock, EngineSpec("good", player="good")),
        out=out,
        seed=1,
        make_player=start,
        **(defaults | changes),  # type: ignore[arg-type]
    )
    return run_match(config, QuietObserver(), ("pentad", "match"))


def slow_down(player: Player, watch: Callable[[], object]) -> Player:
    """Let a player wait for a moment before each move, so that unrequested lines of the mock arrive meanwhile."""
    choose = player.choose

    def choose_later(limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        time.sleep(0.03)
        watch()
        return choose(limits, report)

    player.choose = choose_later  # type: ignore[method-assign]
    return player


def ended_games(directory: Path) -> list[GameEnded]:
    """Return the games of the log in a folder, including those of incomplete pairs."""
    return [event for event in read_log(directory) if isinstance(event, GameEnded)]


def list_mocks(out: Path) -> list[psutil.Process]:
    """Return the processes of the mock in the match of folder `out`, without zombies, which have no command line."""
    mocks = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # ended meanwhile
            mocks += [process] if f"run={out}" in process.cmdline() else []
    return mocks


def is_running(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def wait_until_gone(pid: int) -> bool:
    """Wait until a process has ended, and return True; the test fails if it does not end."""
    wait_until(lambda: not is_running(pid))
    return True
