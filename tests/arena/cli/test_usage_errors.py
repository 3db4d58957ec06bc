"""Tests that mistakes on the command line and --help compile no kernels. A compilation would take minutes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli import main as cli
from bots.registry import GAMES
from core.native import library_cache
from core.native.load_kernels import load_kernels
from core.play.game import Game
from core.play.player import PlayerKind

PENTAD = "--engine player=pentad"
TWO_ENGINES = f"{PENTAD} {PENTAD}"
MISTAKES = (  # a command line without `pentad`, and a part of its error message
    *((f"match --game {game} {TWO_ENGINES} {option}", message) for game in GAMES for option, message in (
        ("--tc fast", "--tc: "),
        ("--rule bogus", "bogus"),
        ("--engine player=nobody", "unknown player 'nobody'"),
        ("--engine player=pentad:level=11", "option level must be a whole number from 1 to 10, not '11'"),
        ("--engine player=pentad,option.level=no", "option level must be a whole number from 1 to 10, not 'no'"),
        ("--engine cmd=/no/such/program", "no program to start in '/no/such/program'"),
        ("--openings /no/such/file", "/no/such/file: No such file or directory"),
        ("--games 0", "--games must be 1 or more, not 0"),
        ("--seed -1", "--seed must be 0 or more, not -1"),
        ("--max-plies -1", "--max-plies must be 0 or more, not -1"),
        ("--adjudicate-draw 1", "--adjudicate-draw must be FROM,MOVES,SCORE"),
        ("--concurrency -1", "--concurrency must be 0 or more, not -1"),
        ("--sprt 10", "--sprt: "),
        ("--gauntlet 5", "--gauntlet must be 0..1"),
        ("--boards --scheduler tcp://a:1", "leave it or --scheduler out"),
        ("--memory -1", "--memory must be 0 or more MiB, not -1"),
        ("--h0-fails", "--h0-fails is for a sequential test: give --sprt"),
        ("--alpha 0.1", "--alpha is for a sequential test: give --sprt"),
        ("--beta 2", "--beta is for a sequential test: give --sprt"),
        ("--openings-plies 2", "--openings-plies is for openings of a file: give --openings FILE"),
        ("--engine player=random,proto=uhp", "proto= is for programs: leave it out"),
    )),
    *((f"{subcommand} {game} {arguments}", message) for game in GAMES for subcommand, arguments, message in (
        ("perft", "few", "DEPTH must be a whole number"),
        ("perft", "-1", "DEPTH must be 0 or more, not -1"),
        ("perft", "1 --rule bogus", "bogus"),
        ("bench", "--depth 0", "--depth must be 1 or more, not 0"),
        ("bench", "--player nobody", "unknown player 'nobody'"),
        ("openings", "0", "must be 1 or more"),
        ("openings", "3 --rule bogus", "bogus"),
        ("openings", "3 --seed -1", "--seed must be 0 or more, not -1"),
        ("play", "--level 11", "--level must be 1..10, not 11"),
        ("play", "--side left", "Invalid value"),
        ("play", "--engine player=nobody", "unknown player 'nobody'"),
        ("play", "--rule bogus", "bogus"),
        ("play", "--move-time 0", "--move-time must be"),
        ("play", "--port 99999", "--port must be"),
    )),
    (f"match {PENTAD}", "give --engine twice, not 1 times"),
    ("match", "give --engine twice, not 0 times"),
    (f"match --game chess {TWO_ENGINES}", "unknown game 'chess'"),
    (f"match {TWO_ENGINES} --size 99", "board size must be 5..22, not 99"),
    (f"match --game hive {TWO_ENGINES} --size 9", "Hive has one board"),
    (f"match --game hex {TWO_ENGINES} --swap2", "--swap2 is for Gomoku, not Hex"),
    (f"match {TWO_ENGINES} --swap2 --openings FILE", "leave --openings out"),
    (f"match {TWO_ENGINES} --bogus", "Unknown option"),
    ("match /no/such/file.toml", "/no/such/file.toml"),
    ("perft hex 2 --position z9", "z9"),
    ("perft gomoku 2 --position nonsense", "nonsense"),
    ("kolibrat solve --size 3", "--size must be COLUMNSxROWS"),
    ("kolibrat solve --goal 99", "the goal must be 1..50, not 99"),
    ("kolibrat tune --rounds 0", "--rounds must be 1 or more, not 0"),
    *((command, " must be a whole number, not '2.5'") for command in (
        *("perft hex 2.5", "bench hex --depth 2.5", "openings hex 2.5", "play hex --port 2.5"),
        *("kolibrat tune --games 2.5", "study levels hex --concurrency 2.5", "check uhp --games 2.5 -- engine"),
    )),
    ("kolibrat tune --seed -1", "--seed must be 0 or more, not -1"),
    ("study levels hex --seed -1", "--seed must be 0 or more, not -1"),
    ("check uhp --seed -1 -- engine", "--seed must be 0 or more, not -1"),
    ("kolibrat tune --method guess", "Invalid value"),
    ("resume /no/such/run", "there is no run in /no/such/run"),
    ("watch /no/such/run", "there is no folder /no/such/run"),
    ("watch /no/such/run --port 65536", "--port must be 0..65535, not 65536"),
    ("resume /no/such/run --public", "--public is for the page of --live"),
    ("resume /no/such/run --live 65536", "--live must be a port, 0..65535, not 65536"),
    (f"match {TWO_ENGINES} --live FILE", "--live must be a whole number, not 'FILE'"),
    (f"match {TWO_ENGINES} --public", "--public is for the page of --live: give --live, too"),
    ("report /no/such/run", "there is no run in /no/such/run"),
    ("convert", "give at least one FILE"),
    ("check gomocup", "is missing: pentad check"),
    ("check uhp --games 0 -- engine", "--games must be 1 or more, not 0"),
    ("check gtp --game chess -- engine", "unknown game 'chess'"),
    ("check gtp --game hive -- engine", "Hive is played over uhp"),
    ("mtach", 'Did you mean "match"?'),
    ("check gomcup", 'Did you mean "gomocup"?'),
)  # fmt: skip


@pytest.fixture
def no_kernels(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the test fail if kernels are loaded or compiled."""

    def refuse(game: str, *_: object) -> Path:
        raise AssertionError(f"the kernels of {game} were requested")

    for name in ("cached_library", "cached_libraries", "build_libraries"):
        monkeypatch.setattr(library_cache, name, refuse)
    load_kernels.cache_clear()
    yield
    load_kernels.cache_clear()


@pytest.mark.usefixtures("no_kernels")
@pytest.mark.parametrize(("command", "message"), MISTAKES)
def test_mistake_gets_a_message_of_one_line_without_kernels(
    command: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(command.split()) == 2
    output = capsys.readouterr()
    assert message in output.err
    assert output.err.startswith("pentad: ")
    assert (output.err.count("\n"), output.out) == (1, "")


@pytest.mark.usefixtures("no_kernels")
@pytest.mark.parametrize(
    "command",
    [
        *("", "bench", "build", "check", "check gomocup", "check gtp", "check uhp", "convert", "demo", "match"),
        *("kolibrat", "kolibrat solve", "kolibrat tune", "openings", "perft", "play", "report", "resume", "watch"),
    ],
)
def test_help_needs_no_kernels(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([*command.split(), "--help"]) == 0
    assert "Usage: pentad" in capsys.readouterr().out


@pytest.mark.usefixtures("no_kernels")
def test_wrong_opening_file_needs_no_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "book.txt"
    book.write_text("h8i9\nnonsense\n")
    assert cli.run([*f"match {TWO_ENGINES} --openings".split(), str(book)]) == 2
    assert f"{book}, line 2: " in capsys.readouterr().err


@pytest.mark.usefixtures("no_kernels")
def test_folder_that_holds_a_run_needs_no_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "log.jsonl").touch()
    assert cli.run([*f"match {TWO_ENGINES} --out".split(), str(tmp_path)]) == 2
    assert "already holds a run" in capsys.readouterr().err


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_setup_is_checked_with_and_without_kernels_alike(game: Game) -> None:
    assert game.check_setup(game.default_setup) == game.new_position(game.default_setup).setup


@pytest.mark.usefixtures("no_kernels")
def test_players_are_checked_without_being_created(monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.engines.spec import parse_engine

    def refuse(kind: PlayerKind, _: object) -> None:
        raise AssertionError(f"{kind.name} was created")

    monkeypatch.setattr(PlayerKind, "make", refuse)
    for game in GAMES.values():
        for kind in game.players():
            assert parse_engine(f"player={kind.name}", game).name == kind.name


def test_mistake_leaves_the_kernel_cache_empty(tmp_path: Path) -> None:
    """The commands run in a process of their own, with the empty cache of a first start."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    code = "from arena.cli.main import main; main()"
    for arguments in (f"match --game hive {TWO_ENGINES} --tc fast", "--version"):
        subprocess.run([sys.executable, "-c", code, *arguments.split()], env=environment, check=False, timeout=60)
    code = "from bots.hex.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "--level", "11"], env=environment, check=False, timeout=60)
    assert done.returncode == 2
    assert not list(tmp_path.rglob("*"))
