"""Every vice of an engine under every protocol: the right ending and loser, the other games played, no process left.

The mocks of `tests/mocks` are driven as the arena drives any program, against a player in this process, one game with
each colour; deadlines are short, so that the whole table takes seconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from arena.clock import TimeControl
from arena.config import Exit, MatchConfig, MatchResult
from arena.ending import FAULTS, Ending
from arena.engines import EngineSpec, make_client
from arena.gtp_engines import build_gtp_client
from arena.log import GameEnded, read_log
from arena.match import run_match
from core.game import Game
from core.options import OptionSet
from core.player import Decision, Limits, Player, PlayerKind, Report, Setup, ignore_progress
from protocols.engine_client import Deadlines, EngineClient
from tests.arena.fakes import ROW_GAME, LastSquare, Quiet
from tests.mocks.hive_player import HivePlayer
from tests.mocks.tiny_hex import TINY_HEX, HexPlayer, TinyHex
from tests.mocks.tiny_hive import TYPES, TinyHive

ROOT = Path(__file__).parents[2]
MARGIN_MS, GRACE_MS = 150, 600  # an answer between the two is late, one after them a stall
CONTROL = TimeControl(move_ms=100, margin_ms=MARGIN_MS)
DEADLINES = Deadlines(start_s=5, new_game_s=5, ping_s=5, quit_s=0.2)

TOY_HIVE = Game(
    name="toyhive",
    title="Toy Hive",
    protocol="uhp",
    executable="toyhive",
    variants=TYPES,
    default_setup=Setup(variant="Base+M"),
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
    new_position=TinyHex,
    players=lambda: (PlayerKind("first", "the first move", lambda _: HexPlayer()),),
    max_plies=lambda _: 10,
)


@dataclass(frozen=True)
class Side:
    """A protocol: its mock, the game that it plays, a decent opponent and a move that the rules do not allow."""

    game: Game
    module: str
    opponent: Callable[[], Player]
    illegal: str
    refuse: str  # the switch with which it refuses to begin a game


PROTOCOLS = {
    "gomocup": Side(ROW_GAME, "gomocup_brain", lambda: LastSquare(OptionSet(())), "answer=99,0", "refuse=1"),
    "uhp": Side(TOY_HIVE, "uhp_engine", HivePlayer, "answer=bQ wQ/", "refuse=1"),
    "gtp": Side(TOY_HEX, "gtp_engine", HexPlayer, "answer=i9", "refuse=boardsize"),
}


def play(out: Path, protocol: str, *switches: str, **changes: object) -> MatchResult:
    """Two games between the mock with these switches and a decent player."""
    side = PROTOCOLS[protocol]
    command = " ".join([sys.executable, "-S", "-m", f"tests.mocks.{side.module}", *(f"'{text}'" for text in switches)])
    mock = EngineSpec("mock", command=command, protocol=protocol, directory=str(ROOT))
    deadlines = changes.pop("deadlines", DEADLINES)
    assert isinstance(deadlines, Deadlines)

    def start(spec: EngineSpec) -> Player:
        if spec.player:
            return pause(side.opponent())
        return make_toy_client(spec, side.game, deadlines)

    defaults = {"games": 2, "max_faults": 0, "control": CONTROL}
    config = MatchConfig(
        game=side.game,
        setup=side.game.default_setup,
        engines=(mock, EngineSpec("good", player="good")),
        out=out,
        seed=1,
        start=start,
        **(defaults | changes),  # type: ignore[arg-type]
    )
    return run_match(config, Quiet(), ("pentad", "match"))


def pause(player: Player) -> Player:
    """Let a player think for a moment, in which what nobody waits for comes and is passed over."""
    choose = player.choose

    def choose_later(limits: Limits, report: Report = ignore_progress) -> Decision:
        time.sleep(0.03)
        return choose(limits, report)

    player.choose = choose_later  # type: ignore[method-assign]
    return player


def make_toy_client(spec: EngineSpec, game: Game, deadlines: Deadlines) -> EngineClient:
    """As the arena does; what plugs into GTP is not in the registry."""
    if spec.protocol == "gtp":
        return build_gtp_client(spec, TINY_HEX, GRACE_MS, deadlines)
    return make_client(spec, game, GRACE_MS, deadlines)


def ended_games(directory: Path) -> list[GameEnded]:
    return [event for event in read_log(directory) if isinstance(event, GameEnded)]


def running(text: str) -> list[str]:
    """Command lines of our descendants that hold a text and are not merely waiting to be collected."""
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            command = " ".join(process.cmdline())
        except psutil.Error:
            continue
        found += [command] if text in command else []
    return found


def is_running(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def wait_gone(pid: int) -> bool:
    deadline = time.monotonic() + 2
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_running(pid)


# An answer out of turn: Gomocup's is taken for the next move, UHP's for the answer to `play`; GTP's has no id.
OUT_OF_TURN = {"gomocup": Ending.ILLEGAL, "uhp": Ending.REFUSED, "gtp": None}

# Switches, then how both games end: a fault that the mock is to blame for, or None for a game played to its end.
VICES: list[tuple[str, Ending | None]] = [
    ("", None),
    ("stall=2", Ending.STALL),
    ("late", Ending.TIME),
    ("illegal", Ending.ILLEGAL),
    ("garbage=1", None),
    ("stderr=1000000", None),
    ("twice=1", None),
    ("unasked=1", None),
    ("child deaf=1", None),
    ("child crash=2", Ending.DISCONNECT),
    ("slow=400", None),
]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("vice", "ending"), VICES)
def test_vice(protocol: str, vice: str, ending: Ending | None, tmp_path: Path) -> None:
    ending = OUT_OF_TURN[protocol] if vice == "unasked=1" else ending
    child_file = tmp_path / "child"
    words = {"late": f"late={100 + MARGIN_MS + 150}", "illegal": PROTOCOLS[protocol].illegal}
    words |= {"child": f"child={child_file}"}
    result = play(tmp_path / "run", protocol, *(words.get(word, word) for word in vice.split()))
    games = ended_games(tmp_path / "run")
    mock, good = result.standing.engines
    assert (result.standing.played, result.exit_code, result.stopped) == (2, Exit.DONE, "")
    assert [game.first for game in games] == ["mock", "good"]
    if ending is None:
        assert {game.ending for game in games} <= {Ending.WIN, Ending.MOVE_CAP}, games
        assert {game.blamed for game in games} == {""}
    else:
        assert [(game.ending, game.blamed, game.winner) for game in games] == [(ending, "mock", "good")] * 2, games
        assert all(game.detail for game in games)
    assert {fault: mock.faults[fault] for fault in FAULTS} == {fault: 2 * (fault is ending) for fault in FAULTS}
    assert not any(good.faults.values())
    assert not running("tests.mocks.")
    assert not child_file.exists() or wait_gone(int(child_file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("vice", ["slow=2000", "refuse", "crash on start"])
def test_engine_that_cannot_begin_makes_the_game_void_and_stops_the_run(
    protocol: str, vice: str, tmp_path: Path
) -> None:
    switches = {"refuse": PROTOCOLS[protocol].refuse, "crash on start": "stderr=no number"}
    result = play(tmp_path, protocol, switches.get(vice, vice), deadlines=Deadlines(0.7, 5, 5, 0.2), games=4)
    assert (result.standing.played, result.exit_code) == (0, Exit.FAULT)
    assert result.stopped.startswith("mock could not start: ")
    assert [(game.ending, game.blamed, game.winner) for game in ended_games(tmp_path)] == [(Ending.VOID, "mock", "")]
    assert not running("tests.mocks.")


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("vice", "played", "stopped"),
    [
        ("crash=2", 2, "mock broke down in 2 games in a row: exited with status 3: Traceback: out of ideas"),
        ("stall=1", 2, "mock broke down in 2 games in a row: no move within"),
    ],
)
def test_engine_that_keeps_failing_stops_the_run(
    protocol: str, vice: str, played: int, stopped: str, tmp_path: Path
) -> None:
    result = play(tmp_path, protocol, vice, games=6, max_faults=2)
    assert (result.standing.played, result.exit_code) == (played, Exit.FAULT)
    assert result.stopped.startswith(stopped)
    assert not running("tests.mocks.")


def test_engine_that_is_merely_late_loses_and_plays_on(tmp_path: Path) -> None:
    """A crash and a stall show a broken program, a late answer does not."""
    result = play(tmp_path, "gomocup", f"late={100 + MARGIN_MS + 50}", games=4, max_faults=2)
    assert (result.standing.played, result.exit_code) == (4, Exit.DONE)
    assert result.standing.endings == {Ending.TIME: 4}
