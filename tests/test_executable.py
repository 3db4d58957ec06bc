"""Tests of the executables: size, start-up time, answers, messages, and whether they leave files when they end.

The tests build them under dist/ if the sources have changed, which takes a minute per game. So they have the marker
`executable`.
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

SIZE_LIMIT_BYTES = 8 << 20  # the limit of Gomocup for an archive
START_S = 5.0  # limit from the start to the first answer; about 0.2 on an idle machine
END_S = 0.5  # limit from the quit command, the signal or the closing of the pipes to the exit
MAX_TRIES = 3  # other programs may delay a single try

Engine = subprocess.Popen[bytes]


@dataclass(frozen=True)
class Dialogue:
    """Lines to send to the executable of a game, and regular expressions of the lines that it answers."""

    title: str  # printed by --version before the version
    begin: str  # starts a game, or any other first command
    begin_answer: tuple[str, ...]  # with the banner
    choose: tuple[str, ...]  # asks for a quick move
    choose_answer: tuple[str, ...]
    think: tuple[str, ...]  # starts a search of a minute or more
    quit: str
    think_arguments: tuple[str, ...] = ()  # command line options of a player that searches that long
    quit_answer: tuple[str, ...] = ()


DIALOGUES = {  # by game
    "gomoku": Dialogue(
        "Pentad Gomoku, a brain for Gomocup managers",
        begin="START 15",
        begin_answer=("OK",),
        choose=("INFO timeout_turn 300", "BEGIN"),
        choose_answer=(r"\d+,\d+",),
        think=(
            *("INFO timeout_turn 60000", "INFO timeout_match 600000"),
            *("BOARD", "7,7,1", "8,8,2", "8,6,1", "9,5,2", "DONE"),
        ),
        quit="END",
    ),
    "hex": Dialogue(
        "Pentad Hex, an engine for HexGui and other GTP controllers",
        begin="name",
        begin_answer=("= Pentad", ""),
        choose=("time_settings 0 1 1", "genmove black"),
        choose_answer=("=", "", "= [a-k][0-9]+", ""),
        think=("time_settings 0 600 1", "play black e7", "genmove white"),
        quit="# interrupt\nquit",  # without the interrupt, quit would wait for the end of the search
        think_arguments=("--player", "queenbee:20"),
        quit_answer=("=", ""),
    ),
    "hive": Dialogue(
        "Pentad Hive, an engine for UHP viewers",
        begin="newgame",
        begin_answer=("id Pentad .+", "Mosquito;Ladybug;Pillbug", "ok", r"Base;NotStarted;White\[1\]", "ok"),
        choose=("bestmove time 00:00:01",),
        choose_answer=(r"w[SBGA]1", "ok"),
        think=("bestmove",),
        quit="exit",
        think_arguments=("--player", "alphabeta:20", "--verbosity", "0"),
    ),
    "pentago": Dialogue(
        "Pentad Pentago, an engine for GTP controllers",
        begin="name",
        begin_answer=("= Pentad", ""),
        choose=("time_settings 0 1 1", "reg_genmove white"),
        choose_answer=("=", "", "= [a-f][1-6][s-z]", ""),
        think=("time_settings 0 600 1", "play white c3t", "genmove black"),
        quit="# interrupt\nquit",  # without the interrupt, quit would wait for the end of the search
        quit_answer=("=", ""),
    ),
    "kolibrat": Dialogue(
        "Pentad Kolibrat, a GTP engine",
        begin="kolibrat_setup 5 6 6 4",
        begin_answer=("=", ""),
        choose=("reg_genmove red", "# interrupt"),
        choose_answer=(r"= [a-e]1", ""),
        think=("genmove red",),
        quit="# interrupt\nquit",  # without the interrupt, quit would wait for the end of the search
        think_arguments=("--move_time", "60"),
        quit_answer=("=", ""),
    ),
}


@pytest.fixture(scope="session")
def plan() -> BuildPlan:
    """Build the executables of all games as single files."""
    plan = BuildPlan(tuple(GAMES.values()))
    with FileLock(plan.root / "build" / "tests.lock"):  # other processes of this test run wait for the first one
        build(plan, lambda _: None)
    return plan


@pytest.fixture(params=list(DIALOGUES))
def game(request: pytest.FixtureRequest) -> str:
    """Return the name of a game; a test runs once for each."""
    return str(request.param)


@pytest.fixture
def bot(plan: BuildPlan, game: str, tmp_path: Path) -> Path:
    """Return a copy of the executable of `game` in a temporary folder."""
    return Path(shutil.copy2(plan.executable(GAMES[game]), tmp_path))


@pytest.fixture
def executable(plan: BuildPlan, tmp_path: Path) -> Path:
    """Return a copy of the Gomoku executable in a temporary folder, so that tests can put a config file beside it."""
    return Path(shutil.copy2(plan.executable(GAMES["gomoku"]), tmp_path))


@pytest.fixture
def unpack_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder into which the executable unpacks itself."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(folder))
    return folder


def send(process: Engine, *lines: str) -> None:
    assert process.stdin
    process.stdin.write("".join(f"{line}\n" for line in lines).encode())
    process.stdin.flush()


def expect(process: Engine, *patterns: str) -> None:
    """Read lines and compare them with patterns; skip MESSAGE lines."""
    assert process.stdout
    for pattern in patterns:
        answer = "MESSAGE"
        while answer.startswith("MESSAGE"):
            answer = process.stdout.readline().decode().strip()
        assert re.fullmatch(pattern, answer)


def run(executable: Path, *arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    command = [str(executable), *arguments]
    return subprocess.run(command, input=lines, capture_output=True, text=True, timeout=60, check=False)


def wait_for_end(process: Engine) -> float:
    """Wait until the process has exited and its output is closed; return the seconds that this took."""
    start_s = time.perf_counter()
    assert process.stdout
    if not process.stdout.closed:
        process.stdout.read()
    process.wait(30)
    return time.perf_counter() - start_s


def test_size(bot: Path) -> None:
    assert bot.stat().st_size <= SIZE_LIMIT_BYTES


def test_first_answer_comes_soon_after_the_start(bot: Path, game: str) -> None:
    dialogue = DIALOGUES[game]

    def ratio_to_limit() -> float:
        start_s = time.perf_counter()
        answers = run(bot, lines=f"{dialogue.begin}\n{dialogue.quit}\n").stdout.splitlines()
        elapsed_s = time.perf_counter() - start_s
        assert re.fullmatch("\n".join((*dialogue.begin_answer, *dialogue.quit_answer)), "\n".join(answers))
        return elapsed_s / START_S

    check_ratio(ratio_to_limit, minimum=0, limit=1)


def test_help_and_version(bot: Path, game: str) -> None:
    done = run(bot, "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{DIALOGUES[game].title} {VERSION}\n"
    done = run(bot, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    for kind in GAMES[game].players():
        assert kind.name in done.stdout
        assert all((f"--{option.name} " in done.stdout) != option.is_hidden for option in kind.options)


@pytest.mark.parametrize("game", ["hive"])
def test_error_message_has_the_name_of_the_executable(bot: Path) -> None:
    done = run(bot, "--player", "alphabeta:depth=0")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "pentad-hive: option depth must be a whole number from 1 to 20, not '0'\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--level", "11"], "pbrain-pentad: option level must be a whole number from 1 to 10, not '11'"),
        (["--lvel", "1"], "pbrain-pentad: unknown option 'lvel'; known: level"),
        (["--player", "nobody"], "pbrain-pentad: unknown player 'nobody'; known: pentad"),
        (["15"], "pbrain-pentad: unknown argument '15': options begin with -- and a name; --help lists them"),
    ],
)
def test_wrong_arguments_give_exit_code_2_and_a_reason(executable: Path, arguments: list[str], message: str) -> None:
    done = run(executable, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)
    assert len(done.stderr.splitlines()) == 1


def test_config_file_beside_the_executable_is_read(executable: Path) -> None:
    config = executable.with_name("config.toml")
    config.write_text("level = 0\n")
    done = run(executable)
    assert (done.returncode, "option level must be" in done.stderr) == (2, True)
    assert run(executable, "--level", "3", lines="START 15\nEND\n").stdout.splitlines()[-1] == "OK"
    config.write_text("level = \n")
    done = run(executable)
    assert (done.returncode, str(config) in done.stderr) == (2, True)


def test_every_player_answers(bot: Path, game: str) -> None:
    """Standard output has nothing but answers and messages."""
    dialogue = DIALOGUES[game]
    for kind in GAMES[game].players():
        with subprocess.Popen([bot, "--player", kind.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            send(process, dialogue.begin)
            expect(process, *dialogue.begin_answer)
            for _ in range(2):
                send(process, *dialogue.choose)
                expect(process, *dialogue.choose_answer)
            send(process, dialogue.quit)
            wait_for_end(process)


def close_pipes(process: Engine, _: str) -> None:
    """Close both pipes of the engine, as happens when its host exits."""
    assert process.stdin
    assert process.stdout
    process.stdin.close()
    process.stdout.close()


WAYS_TO_END: dict[str, Callable[[Engine, str], None]] = {"quit": send}
if sys.platform != "win32":  # on Windows only a write notices that a pipe is no longer read
    WAYS_TO_END["host exits"] = close_pipes
    WAYS_TO_END["SIGTERM"] = lambda process, _: process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("is_thinking", [False, True], ids=["idle", "thinking"])
@pytest.mark.parametrize("way_to_end", WAYS_TO_END)
def test_executable_ends_soon_and_leaves_no_files(
    bot: Path, game: str, unpack_folder: Path, way_to_end: str, is_thinking: bool
) -> None:
    """One of MAX_TRIES tries must end within END_S; no try may leave files."""
    dialogue, delays_s = DIALOGUES[game], []
    for _ in range(MAX_TRIES):
        with subprocess.Popen(
            [bot, *dialogue.think_arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            send(process, dialogue.begin)
            expect(process, *dialogue.begin_answer)
            assert [path.name[:4] for path in unpack_folder.iterdir()] == ["_MEI"]  # PyInstaller's folder
            if is_thinking:
                send(process, *dialogue.think)
                time.sleep(0.3)
                assert process.poll() is None
            WAYS_TO_END[way_to_end](process, dialogue.quit)
            delays_s.append(wait_for_end(process))
        assert not list(unpack_folder.iterdir())
        assert process.returncode in (0, -signal.SIGTERM)
        if delays_s[-1] < END_S:
            return
    pytest.fail(f"it ended only after {delays_s} s")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
@pytest.mark.parametrize("state", ["idle", "thinking", "suspended"])
def test_arena_kills_executable_without_leaving_files(bot: Path, game: str, unpack_folder: Path, state: str) -> None:
    """The arena sends SIGTERM first, so that the boot loader can delete the files that it has unpacked."""
    dialogue = DIALOGUES[game]
    process = EngineProcess([str(bot), *dialogue.think_arguments], keeps_blanks=True)
    process.write(dialogue.begin)
    process.wait_line(
        lambda text: bool(re.fullmatch(dialogue.begin_answer[0], text)), time.perf_counter_ns() + 30 * 10**9
    )
    assert [path.name[:4] for path in unpack_folder.iterdir()] == ["_MEI"]
    if state == "thinking":
        process.write(*dialogue.think)
        time.sleep(0.3)
    if state == "suspended":
        process.tree.suspend()
    process.kill()
    assert not list(unpack_folder.iterdir())


def test_executable_ignores_other_python_files_and_variables(bot: Path, game: str, unpack_folder: Path) -> None:
    """The executable ignores PYTHONHOME, PYTHONPATH, and a file beside it with the name of one of its modules."""
    (bot.parent / "core.py").write_text("raise RuntimeError")
    environment = {"PATH": "", "PYTHONHOME": "/nowhere", "PYTHONPATH": str(bot.parent), "TMPDIR": str(unpack_folder)}
    done = subprocess.run(
        [bot],
        input=f"{DIALOGUES[game].begin}\n{DIALOGUES[game].quit}\n",
        cwd=bot.parent,
        env=environment | {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    patterns = (*DIALOGUES[game].begin_answer, *DIALOGUES[game].quit_answer)
    assert re.fullmatch("\n".join(patterns), "\n".join(done.stdout.splitlines()))


def ask_as_bridge(command: str, game: str, limits: str) -> tuple[str, float]:
    """Ask for a move as hive-hydra does, the bridge of hivegame.com; return it and the seconds until the exit.

    For each move the bridge starts the command (split at spaces), sends two lines, closes the input and waits for the
    exit. The move is the line after the second `ok` (the first one follows the banner, the second one newgame).
    """
    began_s = time.perf_counter()
    lines_sent = f"newgame {game}\nbestmove {limits}\n"
    done = subprocess.run(command.split(" "), input=lines_sent, capture_output=True, text=True, timeout=60, check=True)
    seconds = time.perf_counter() - began_s
    lines = iter(done.stdout.splitlines())
    assert "ok" in lines  # of the banner
    assert "ok" in lines  # of newgame
    return next(line for line in lines if line != "ok"), seconds


@pytest.mark.parametrize("plies", [0, 40])
@pytest.mark.parametrize(
    ("options", "limits", "min_s"),
    [(" --ownbook no", "time 00:00:02", 1.0), (" --level 6", "time 00:00:02", 0.0), (" --level 6", "depth 3", 0.0)],
)
def test_bridge_gets_a_move_of_a_full_search(
    plan: BuildPlan, options: str, limits: str, min_s: float, plies: int
) -> None:
    """Regression: closing the input used to end the search after 0.4 s of 5 s."""
    position, rng = HivePosition.from_game("Base+MLP"), random.Random(plies)
    while len(position.moves) < plies:
        position.play(rng.choice(position.legal_moves()))
    game = position.game_string() if plies else "Base+MLP"
    move, seconds = ask_as_bridge(f"{plan.executable(GAMES['hive'])}{options}", game, limits)
    position.play(move)
    assert seconds >= min_s
