"""The executables: size, start-up time, conversations, and that nothing is left behind when they end.

They are built under dist/ once per state of the sources, a minute per game; hence the marker `executable`.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock

from arena.tools.build import BuildPlan, build
from bots.hive.position import HivePosition
from bots.registry import GAMES
from core.version import VERSION
from protocols.driving.process import EngineProcess
from tests.timing import check_ratio

pytestmark = pytest.mark.executable

SIZE_LIMIT_BYTES = 8 << 20  # of Gomocup's archives
START_S = 5.0  # about 0.2 where nothing else runs
END_S = 0.5
TRIES = 3  # another program may hold the processor for a while

Brain = subprocess.Popen[bytes]


@dataclass(frozen=True)
class Manners:
    """How one talks to a game's executable: lines to say, and patterns of all lines that come back."""

    title: str
    begin: str
    begun: tuple[str, ...]  # a banner too
    choose: tuple[str, ...]
    chosen: tuple[str, ...]
    think: tuple[str, ...]  # for a minute at least
    bye: str
    arguments: tuple[str, ...] = ()  # of a player that can think so long
    parted: tuple[str, ...] = ()  # what comes back to the goodbye


MANNERS = {
    "gomoku": Manners(
        "Pentad Gomoku, a brain for Gomocup managers",
        begin="START 15",
        begun=("OK",),
        choose=("INFO timeout_turn 300", "BEGIN"),
        chosen=(r"\d+,\d+",),
        think=(
            *("INFO timeout_turn 60000", "INFO timeout_match 600000"),
            *("BOARD", "7,7,1", "8,8,2", "8,6,1", "9,5,2", "DONE"),
        ),
        bye="END",
    ),
    "hex": Manners(
        "Pentad Hex, an engine for HexGui and other GTP controllers",
        begin="name",
        begun=("= Pentad", ""),
        choose=("time_settings 0 1 1", "genmove black"),
        chosen=("=", "", "= [a-k][0-9]+", ""),
        think=("time_settings 0 600 1", "play black e7", "genmove white"),
        bye="# interrupt\nquit",  # which would wait for its turn while a search goes on
        arguments=("--player", "queenbee:20"),
        parted=("=", ""),
    ),
    "hive": Manners(
        "Pentad Hive, an engine for UHP viewers",
        begin="newgame",
        begun=("id Pentad .+", "Mosquito;Ladybug;Pillbug", "ok", r"Base;NotStarted;White\[1\]", "ok"),
        choose=("bestmove time 00:00:01",),
        chosen=(r"w[SBGA]1", "ok"),
        think=("bestmove",),
        bye="exit",
        arguments=("--player", "alphabeta:20", "--verbosity", "0"),
    ),
    "pentago": Manners(
        "Pentad Pentago, an engine for GTP controllers",
        begin="name",
        begun=("= Pentad", ""),
        choose=("time_settings 0 1 1", "reg_genmove white"),
        chosen=("=", "", "= [a-f][1-6][s-z]", ""),
        think=("time_settings 0 600 1", "play white c3t", "genmove black"),
        bye="# interrupt\nquit",  # which would wait for its turn while a search goes on
        parted=("=", ""),
    ),
    "kolibrat": Manners(
        "Pentad Kolibrat, a GTP engine",
        begin="kolibrat_setup 5 6 6 4",
        begun=("=", ""),
        choose=("reg_genmove red", "# interrupt"),
        chosen=(r"= [a-e]1", ""),
        think=("genmove red",),
        bye="# interrupt\nquit",  # a GTP engine finishes its move before it quits
        arguments=("--move_time", "60"),
        parted=("=", ""),
    ),
}


@pytest.fixture(scope="session")
def plan() -> BuildPlan:
    plan = BuildPlan(tuple(GAMES.values()))
    with FileLock(plan.root / "build" / "tests.lock"):  # the other processes of the run wait for the first
        build(plan, lambda _: None)
    return plan


@pytest.fixture(params=list(MANNERS))
def game(request: pytest.FixtureRequest) -> str:
    """Each game in turn."""
    return str(request.param)


@pytest.fixture
def bot(plan: BuildPlan, game: str, tmp_path: Path) -> Path:
    """A copy of a game's executable in a folder of its own."""
    return Path(shutil.copy2(plan.executable(GAMES[game]), tmp_path))


@pytest.fixture
def executable(plan: BuildPlan, tmp_path: Path) -> Path:
    """A copy of Gomoku's in a folder of its own, so that a config file can stand beside it."""
    return Path(shutil.copy2(plan.executable(GAMES["gomoku"]), tmp_path))


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder into which the executable unpacks itself."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(folder))
    return folder


def say(process: Brain, *lines: str) -> None:
    assert process.stdin
    process.stdin.write("".join(f"{line}\n" for line in lines).encode())
    process.stdin.flush()


def hear(process: Brain, *wanted: str) -> None:
    """Read lines, passing over messages."""
    assert process.stdout
    for pattern in wanted:
        answer = "MESSAGE"
        while answer.startswith("MESSAGE"):
            answer = process.stdout.readline().decode().strip()
        assert re.fullmatch(pattern, answer)


def run(executable: Path, *arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    command = [str(executable), *arguments]
    return subprocess.run(command, input=lines, capture_output=True, text=True, timeout=60, check=False)


def wait(process: Brain) -> float:
    """Seconds until the process and its output have ended."""
    start = time.perf_counter()
    assert process.stdout
    if not process.stdout.closed:
        process.stdout.read()
    process.wait(30)
    return time.perf_counter() - start


def test_it_fits_the_archive(bot: Path) -> None:
    assert bot.stat().st_size <= SIZE_LIMIT_BYTES


def test_it_answers_soon_after_its_start(bot: Path, game: str) -> None:
    manners = MANNERS[game]

    def share_of_limit() -> float:
        start = time.perf_counter()
        answers = run(bot, lines=f"{manners.begin}\n{manners.bye}\n").stdout.splitlines()
        elapsed_s = time.perf_counter() - start
        assert re.fullmatch("\n".join((*manners.begun, *manners.parted)), "\n".join(answers))
        return elapsed_s / START_S

    check_ratio(share_of_limit, 0, 1)


def test_help_and_version(bot: Path, game: str) -> None:
    done = run(bot, "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{MANNERS[game].title} {VERSION}\n"
    done = run(bot, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    for kind in GAMES[game].players():
        assert kind.name in done.stdout
        assert all(f"--{option.name}" in done.stdout for option in kind.options)


@pytest.mark.parametrize("game", ["hive"])
def test_a_mistake_names_hive(bot: Path) -> None:
    done = run(bot, "--player", "alphabeta:depth=0")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "pentad-hive: option depth must be a whole number from 1 to 20, not '0'\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--level", "11"], "pbrain-pentad: option level must be a whole number from 1 to 10, not '11'"),
        (["--lvel", "1"], "pbrain-pentad: unknown option 'lvel'; known: level"),
        (["--player", "nobody"], "pbrain-pentad: unknown player 'nobody'; known: pentad"),
        (["15"], "pbrain-pentad: unknown argument '15': options begin with --; --help lists them"),
    ],
)
def test_a_mistake_ends_it_with_2_and_a_reason(executable: Path, arguments: list[str], message: str) -> None:
    done = run(executable, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)
    assert len(done.stderr.splitlines()) == 1


def test_a_config_file_beside_it_is_read(executable: Path) -> None:
    config = executable.with_name("config.toml")
    config.write_text("level = 0\n")
    done = run(executable)
    assert (done.returncode, "option level must be" in done.stderr) == (2, True)
    assert run(executable, "--level", "3", lines="START 15\nEND\n").stdout.splitlines()[-1] == "OK"
    config.write_text("level = \n")
    done = run(executable)
    assert (done.returncode, str(config) in done.stderr) == (2, True)


def test_every_player_answers(bot: Path, game: str) -> None:
    """And says nothing on standard output that is no answer."""
    manners = MANNERS[game]
    for kind in GAMES[game].players():
        with subprocess.Popen([bot, "--player", kind.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            say(process, manners.begin)
            hear(process, *manners.begun)
            for _ in range(2):
                say(process, *manners.choose)
                hear(process, *manners.chosen)
            say(process, manners.bye)
            wait(process)


def die(process: Brain, _: str) -> None:
    """What a host that dies does to its engine: both pipes are closed."""
    assert process.stdin
    assert process.stdout
    process.stdin.close()
    process.stdout.close()


ENDINGS: dict[str, Callable[[Brain, str], None]] = {"goodbye": say}
if sys.platform != "win32":  # where only a write finds out that a pipe is read no more
    ENDINGS["host that dies"] = die
    ENDINGS["SIGTERM"] = lambda process, _: process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("thinking", [False, True], ids=["idle", "thinking"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_it_ends_soon_and_leaves_nothing(bot: Path, game: str, temporary: Path, ending: str, thinking: bool) -> None:
    manners, delays = MANNERS[game], []
    for _ in range(TRIES):
        with subprocess.Popen([bot, *manners.arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            say(process, manners.begin)
            hear(process, *manners.begun)
            assert [path.name[:4] for path in temporary.iterdir()] == ["_MEI"]
            if thinking:
                say(process, *manners.think)
                time.sleep(0.3)
                assert process.poll() is None
            ENDINGS[ending](process, manners.bye)
            delays.append(wait(process))
        assert not list(temporary.iterdir())
        assert process.returncode in (0, -signal.SIGTERM)
        if delays[-1] < END_S:
            return
    pytest.fail(f"it ended only after {delays} s")


@pytest.mark.skipif(sys.platform == "win32", reason="nobody can be asked to end there")
@pytest.mark.parametrize("state", ["idle", "thinking", "suspended"])
def test_arena_that_ends_it_leaves_nothing(bot: Path, game: str, temporary: Path, state: str) -> None:
    """The boot loader takes away what it has unpacked unless it is killed at once."""
    manners = MANNERS[game]
    process = EngineProcess([str(bot), *manners.arguments], keeps_blanks=True)
    process.write(manners.begin)
    process.wait_line(lambda text: bool(re.fullmatch(manners.begun[0], text)), time.perf_counter_ns() + 30 * 10**9)
    assert [path.name[:4] for path in temporary.iterdir()] == ["_MEI"]
    if state == "thinking":
        process.write(*manners.think)
        time.sleep(0.3)
    if state == "suspended":
        process.tree.suspend()
    process.kill()
    assert not list(temporary.iterdir())


def test_it_needs_no_python_beside_it(bot: Path, game: str, temporary: Path) -> None:
    """Neither variables for Python nor a folder full of modules of the same names change anything."""
    (bot.parent / "core.py").write_text("raise RuntimeError")
    environment = {"PATH": "", "PYTHONHOME": "/nowhere", "PYTHONPATH": str(bot.parent), "TMPDIR": str(temporary)}
    done = subprocess.run(
        [bot],
        input=f"{MANNERS[game].begin}\n{MANNERS[game].bye}\n",
        cwd=bot.parent,
        env=environment | {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    wanted = (*MANNERS[game].begun, *MANNERS[game].parted)
    assert re.fullmatch("\n".join(wanted), "\n".join(done.stdout.splitlines()))


def ask_as_bridge(command: str, game: str, limits: str) -> tuple[str, float]:
    """The move as hivegame.com's bridge hive-hydra gets it, and the seconds until the program has ended.

    It starts the command, split at spaces, for each move, closes the input behind its two lines and waits for the end.
    The move is the first line after the second ok that is no ok.
    """
    began = time.perf_counter()
    said = f"newgame {game}\nbestmove {limits}\n"
    done = subprocess.run(command.split(" "), input=said, capture_output=True, text=True, timeout=60, check=True)
    seconds = time.perf_counter() - began
    lines = iter(done.stdout.splitlines())
    assert "ok" in lines  # of the banner
    assert "ok" in lines  # of newgame
    return next(line for line in lines if line != "ok"), seconds


@pytest.mark.parametrize("plies", [0, 40])
@pytest.mark.parametrize(
    ("options", "limits", "least_s"),
    [("", "time 00:00:02", 1.0), (" --level 6", "time 00:00:02", 0.0), (" --level 6", "depth 3", 0.0)],
)
def test_bridge_of_hivegame_gets_a_move_that_was_thought_about(
    plan: BuildPlan, options: str, limits: str, least_s: float, plies: int
) -> None:
    """It once got a move after 0.4 s of the 5 that it had given, as its input was closed by then."""
    position, chance = HivePosition.from_game("Base+MLP"), random.Random(plies)
    while len(position.moves) < plies:
        position.play(chance.choice(position.legal_moves()))
    game = position.game_string() if plies else "Base+MLP"
    move, seconds = ask_as_bridge(f"{plan.executable(GAMES['hive'])}{options}", game, limits)
    position.play(move)
    assert seconds >= least_s
