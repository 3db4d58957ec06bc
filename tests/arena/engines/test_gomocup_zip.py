"""Engines that are ZIPs as sent to Gomocup: choice of the program, error messages, and a match on Linux.

The programs of most ZIPs are headers of ELF files for this machine, which are enough for the choice.
"""

from __future__ import annotations

import hashlib
import platform
import re
import shutil
import struct
import sys
import zipfile
from pathlib import Path

import pytest
from msgspec import structs

from arena.check import gomocup as check_gomocup
from arena.cli import main as cli
from arena.engines import gomocup_zip
from arena.engines.gomocup_zip import ZipTarget, rank_program
from arena.engines.spec import EngineSpec, parse_engine, parse_engines
from arena.errors import CommandFailedError, UsageError
from arena.log.events import RunResumed, RunStarted
from arena.log.file import read_run
from arena.run.file_bundle import pack, unpack
from arena.run.resume import restore_config
from arena.run.trusted_runs import list_commands
from bots.registry import GAMES
from core.play.player import Setup
from tests.arena.events import read_log
from tests.arena.fakes import ROW_GAME
from tests.arena.web.runs import make_header

GOMOKU = GAMES["gomoku"]
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the programs are ELF files")


def make_elf(machine: int | None = None) -> bytes:
    """Return the header of a program for this machine, or for the machine with a number of the ELF format."""
    own = gomocup_zip._ELF_MACHINES[platform.machine()][0]
    return b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<2H", 3, machine or own) + bytes(44)


ELF, EXE = make_elf(), b"MZ" + bytes(60)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a temporary folder for the caches of the user."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "pentad" / "archives"


@pytest.fixture
def small_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the built-in games of Pentad by a small one that is played over the Gomocup protocol."""
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"row": ROW_GAME})


def make_zip(path: Path, files: dict[str, bytes]) -> Path:
    """Write a ZIP with contents by name and return its path."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def choose(archive: Path, variant: str = "freestyle", size: int = 15, *, wine: bool = False, rest: str = "") -> str:
    """Return the command of the engine that is a ZIP."""
    target = ZipTarget(Setup(size, size, variant), wine)
    return parse_engine(f"cmd={archive}{rest}", GOMOKU, target=target).command


@pytest.mark.parametrize(
    ("variant", "size", "program"),
    [
        ("freestyle", 15, "pbrain-x_freestyle-15"),
        ("freestyle", 20, "pbrain-x_20"),
        ("freestyle", 19, "pbrain-x"),
        ("standard", 15, "pbrain-x_Standard"),
        ("renju", 15, "pbrain-x"),
        ("renju", 20, "pbrain-x_20"),
        ("caro", 15, "pbrain-x_caro64"),
        ("caro-overline", 15, "pbrain-x_caro64"),
        ("rule-8", 15, "pbrain-x_caro64"),
    ],
)
def test_program_is_chosen_by_the_suffix_of_its_name(variant: str, size: int, program: str, tmp_path: Path) -> None:
    """The expected programs are those that the rules in GomocupJudge's client/README.md give."""
    names = (
        "pbrain-x",
        "pbrain-x_freestyle-15",
        "pbrain-x_Standard",
        "pbrain-x_caro64",
        "pbrain-x_caro",
        "pbrain-x_20",
    )
    files = dict.fromkeys((*names, "other", "pbrain-x.so.1"), ELF) | {"pbrain-x.txt": b"text"}
    archive = make_zip(tmp_path / "X25.zip", files)
    assert choose(archive, variant, size) == f"./{program}"


@pytest.mark.parametrize(
    ("name", "rank"),
    [
        ("pbrain-x_freestyle-15.exe", 4),
        ("pbrain-x_freestyle-15_64.exe", 4),
        ("pbrain-x_FREESTYLE-64.EXE", 3),
        ("pbrain-x_15", 2),
        ("pbrain-x15", 1),
        ("pbrain-x_1.2", 1),
        ("pbrain-x_freestyle-19", 1),
        ("pbrain-x_freestyle-20", 0),
        ("pbrain-x_renju", 0),
        ("pbrain-x_20", 0),
    ],
)
def test_rank_of_a_name(name: str, rank: int) -> None:
    assert rank_program(name, Setup(15, 15, "freestyle"))[0] == rank


def test_program_for_another_game_is_better_than_none(tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "x.zip", {"pbrain-x_renju": ELF, "pbrain-x_standard64": ELF})
    assert choose(archive) == "./pbrain-x_standard64"


def test_64_in_the_name_decides_on_a_64_bit_system_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = make_zip(tmp_path / "x.zip", {"pbrain-x64": make_elf(3), "pbrain-x": make_elf(3)})
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    assert choose(archive) == "./pbrain-x64"
    monkeypatch.setattr(platform, "machine", lambda: "i686")
    assert choose(archive) == "./pbrain-x"


def test_program_for_another_processor_is_left_out(tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "x.zip", {"pbrain-x-arm64": make_elf(0x1234), "pbrain-x": ELF})
    assert choose(archive) == "./pbrain-x"


def test_program_at_the_root_is_better_than_one_in_a_folder(tmp_path: Path, cache: Path) -> None:
    """Gomocup wants it at the root. Without one there, the folder of the program is the working directory."""
    archive = make_zip(tmp_path / "x.zip", {"pbrain-x": ELF, "old/pbrain-y_freestyle": ELF})
    assert choose(archive) == "./pbrain-x"
    spec = parse_engine(f"cmd={make_zip(tmp_path / 'y.zip', {'Y/pbrain-y': ELF})}", GOMOKU)
    assert spec.command == "./pbrain-y"
    assert Path(spec.directory).parent.parent == cache


def test_engine_is_named_after_its_zip_and_keeps_its_arguments(tmp_path: Path, cache: Path) -> None:
    archive = make_zip(tmp_path / "My X.zip", {"pbrain-x": ELF, "weights": b"1"})
    first, second = parse_engines([f"cmd='{archive}' --level 3", f"cmd='{archive}',option.a=1,tc=2"], GOMOKU, "dir=/")
    assert first == EngineSpec(
        "My X-1", "./pbrain-x --level 3", protocol="gomocup", directory=first.directory, archive=str(archive)
    )
    assert Path(first.directory).parent == cache
    assert (Path(first.directory) / "weights").is_file()
    assert (second.name, second.options, second.tc) == ("My X-2", (("a", "1"),), "2")
    texts = (hashlib.sha256(ELF).hexdigest(), Path(first.directory).name)
    assert first.log_entry(GOMOKU).file_hash == hashlib.sha256(" ".join(texts).encode()).hexdigest()
    assert first.log_entry(GOMOKU).archive == str(archive)


@pytest.mark.parametrize(
    ("files", "rest", "message"),
    [
        ({"readme.txt": b""}, "", "x.zip has no program for this system whose name begins with pbrain-"),
        ({"x": ELF}, "", "x.zip has no program for this system whose name begins with pbrain-"),
        ({"pbrain-x": b"#!/bin/sh"}, "", "whose name begins with pbrain-; it has pbrain-x"),
        ({"pbrain-x.exe": EXE}, "", "x.zip has only Windows programs (pbrain-x.exe): give --wine"),
        ({"pbrain-x.exe": EXE}, "/pbrain-x.exe", "x.zip/pbrain-x.exe is no program for this system: give --wine"),
        (
            {"pbrain-x_avx2": ELF, "pbrain-x_avx512": ELF},
            "",
            "x.zip has several programs (pbrain-x_avx2, pbrain-x_avx512): name one, as in ",
        ),
        ({"pbrain-x": ELF}, "/pbrain-y", "x.zip has no program pbrain-y; it has pbrain-x"),
        ({"pbrain-x": ELF}, "/../../pbrain-x", "has no program ../../pbrain-x"),
        ({"pbrain-x": ELF}, ",dir=/tmp", "leave dir= out"),
        ({"../pbrain-x": ELF}, "", "x.zip: the path '../pbrain-x' is not safe to unpack"),
    ],
)
def test_mistake_gets_a_message_of_one_line(files: dict[str, bytes], rest: str, message: str, tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "x.zip", files)
    with pytest.raises(UsageError, match=re.escape(message)) as caught:
        parse_engine(f"cmd={archive}{rest}", GOMOKU)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("engine 'cmd=")


def test_named_program_is_taken(tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "x.zip", {"pbrain-x_avx2": ELF, "bin/tool": ELF})
    assert choose(archive, rest="/bin/tool --a") == "./tool --a"


def test_named_program_must_be_in_the_zip(tmp_path: Path, cache: Path) -> None:
    archive = make_zip(tmp_path / "x.zip", {"pbrain-x": ELF})
    cache.mkdir(parents=True)
    (cache / "pbrain-y").write_bytes(ELF)
    with pytest.raises(UsageError, match=r"x.zip has no program ../pbrain-y"):
        choose(archive, rest="/../pbrain-y")


def test_zip_for_another_protocol_is_refused(tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "x.zip", {"pbrain-x": ELF})
    with pytest.raises(UsageError, match="a ZIP must be an engine of proto=gomocup, not 'uhp'"):
        parse_engine(f"cmd={archive}", GAMES["hive"])


@pytest.fixture
def wine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put an executable called wine on the PATH, and nothing else."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "wine").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("WINEDEBUG", raising=False)


@pytest.mark.usefixtures("wine")
def test_wine_runs_windows_programs_if_there_is_no_other_as_good(tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "x.zip", {"pbrain-x.exe": EXE, "pbrain-x_renju.exe": EXE, "pbrain-x": ELF})
    assert choose(archive, wine=True) == "./pbrain-x"
    assert choose(archive, "renju", wine=True) == "wine ./pbrain-x_renju.exe"
    assert choose(archive, "renju") == "./pbrain-x"
    spec = parse_engine(f"cmd={archive}/pbrain-x.exe", GOMOKU, target=ZipTarget(GOMOKU.default_setup, True))
    assert spec.environment == (("WINEDEBUG", "-all"),)
    spec = parse_engine(
        f"cmd={archive}/pbrain-x.exe,env.WINEDEBUG=+all", GOMOKU, target=ZipTarget(GOMOKU.default_setup, True)
    )
    assert spec.environment == (("WINEDEBUG", "+all"),)


def test_wine_option_needs_wine_and_a_zip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    two_players = ["match", "--wine", "--engine", "player=greedy", "--engine", "player=greedy"]
    monkeypatch.setattr(gomocup_zip, "_find_wine", lambda: "wine")
    assert cli.run(two_players) == 2
    assert "--wine is for engines that are ZIPs: leave it out" in capsys.readouterr().err
    assert cli.run(["check", "gomocup", "--wine", "--", "brain"]) == 2
    assert "--wine is for ZIPs: leave it out" in capsys.readouterr().err
    monkeypatch.undo()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert cli.run(two_players) == 2
    assert "--wine: wine is not installed" in capsys.readouterr().err


# A brain for the game `row`, a shell script. It reads the row in which it plays from a file in its working directory.
SCRIPT = b"""
while read -r word rest; do
  case "$word" in
    START*) column=0; echo OK;;
    RESTART*) column=0; echo OK;;
    BEGIN*|TURN*|DONE*) read -r row < weights.txt; echo "$column,$row"; column=$((column + 1));;
    ABOUT*) echo 'name="row"';;
    END*) exit 0;;
  esac
done
"""


@pytest.fixture
def brain(tmp_path: Path) -> Path:
    """Return a ZIP whose program is the shell, an ELF file; with the argument brain.sh it wins the game `row`."""
    shell = Path(shutil.which("sh") or "").resolve().read_bytes()
    return make_zip(tmp_path / "ROW.zip", {"pbrain-row": shell, "brain.sh": SCRIPT, "weights.txt": b"3\n"})


@pytest.mark.usefixtures("small_games")
def test_match_of_a_zip_is_resumed_after_its_cache_was_deleted(brain: Path, tmp_path: Path, cache: Path) -> None:
    """The log must be enough to continue: the ZIP is unpacked again, and its program has the same hash."""
    out = tmp_path / "run"
    engines = ["--engine", f"cmd={brain} brain.sh", "--engine", "player=last"]
    assert cli.run(["match", "--game", "row", *engines, "--games", "4", "--tc", "5", "--out", str(out)]) == 0
    run = read_run(out)
    assert [game.winner for game in run.games] == ["ROW"] * 4
    assert run.games[0].moves[0].move == "a4"
    assert run.header.engines[0].archive == str(brain)
    lines = (out / "log.jsonl").read_bytes().splitlines(keepends=True)
    (out / "log.jsonl").write_bytes(b"".join(lines[:6]))  # the header and the first pair
    shutil.rmtree(cache)
    assert cli.run(["resume", str(out)]) == 0
    assert [game.winner for game in read_run(out).games] == ["ROW"] * 4
    (resumed,) = [event for event in read_log(out) if isinstance(event, RunResumed)]
    assert resumed.engines == run.header.engines
    assert list_commands(restore_config(out, run.header)) == [
        f"ROW: ./pbrain-row brain.sh (in {resumed.engines[0].directory})"
    ]


@pytest.mark.usefixtures("small_games")
@pytest.mark.parametrize("change", ["changed", "changed, cache deleted", "deleted with the cache"])
def test_changed_zip_is_not_played_in_a_resumed_run(
    change: str, brain: Path, tmp_path: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Regression: the copy in the cache was played on, although the ZIP had changed. Its weights belong to it."""
    out = tmp_path / "run"
    engines = ["--engine", f"cmd={brain} brain.sh,name=brain", "--engine", "player=last"]
    assert cli.run(["match", "--game", "row", *engines, "--games", "4", "--tc", "5", "--out", str(out)]) == 0
    lines = (out / "log.jsonl").read_bytes().splitlines(keepends=True)
    (out / "log.jsonl").write_bytes(b"".join(lines[:6]))
    if "cache" in change:
        shutil.rmtree(cache)
    if change.startswith("changed"):
        with zipfile.ZipFile(brain, "a") as archive:
            archive.writestr("weights", b"2")
        message = "the ZIP of brain has changed since the run started; --force continues anyway"
    else:
        brain.unlink()
        message = f"{brain} has changed or is gone"
    assert cli.run(["resume", str(out)]) == 2
    assert message in capsys.readouterr().err
    assert len(read_run(out).games) == 2


@pytest.mark.usefixtures("small_games")
def test_forced_resumption_plays_the_changed_zip_and_ratings_tell_the_two_apart(
    brain: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As for any other program: its games after the change are those of another entry."""
    out = tmp_path / "run"
    engines = ["--engine", f"cmd={brain} brain.sh,name=brain", "--engine", "player=last"]
    assert cli.run(["match", "--game", "row", *engines, "--games", "4", "--tc", "5", "--out", str(out)]) == 0
    lines = (out / "log.jsonl").read_bytes().splitlines(keepends=True)
    (out / "log.jsonl").write_bytes(b"".join(lines[:6]))
    with zipfile.ZipFile(brain, "a") as archive:
        archive.writestr("weights", b"2")
    assert cli.run(["resume", str(out), "--force"]) == 0
    hashes = [event.engines[0].file_hash[:8] for event in read_log(out) if isinstance(event, RunStarted | RunResumed)]
    assert len(set(hashes)) == 2
    capsys.readouterr()
    assert cli.run(["ratings", str(out)]) == 0
    output = capsys.readouterr()
    assert all(f"brain [{digest}]" in output.out for digest in hashes)
    assert "brain stands for 2 programs that differ in hash (rated apart" in output.err


def test_log_with_a_zip_outside_the_cache_is_refused(tmp_path: Path) -> None:
    """A log may come from anybody; regression: a traceback."""
    archive = make_zip(tmp_path / "x.zip", {"pbrain-x": ELF})
    engine = parse_engine(f"cmd={archive}", GOMOKU).log_entry(GOMOKU)
    for directory in ("", "/", str(tmp_path), str(tmp_path / "archives"), str(tmp_path / "archives" / "x")):
        header = make_header("AB", engines=(structs.replace(engine, directory=directory),) * 2, game="gomoku")
        with pytest.raises(UsageError, match="the folder of the program of a ZIP must be in the cache"):
            restore_config(tmp_path, header)


def test_zip_is_sent_to_the_workers_of_a_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights beside the program must arrive as well, although only the ZIP is known to the worker."""
    archive = make_zip(tmp_path / "x.zip", {"X/pbrain-x": ELF, "X/weights": b"1"})
    engine = parse_engine(f"cmd={archive} --a", GOMOKU).log_entry(GOMOKU)
    bundle = pack([engine])
    assert list(bundle.files.values()) == [archive.read_bytes()]
    shutil.rmtree(tmp_path / "cache")  # another machine does not have it
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "worker"))
    (unpacked,) = unpack(bundle, tmp_path / "bundle")
    directory = Path(unpacked.directory)
    assert directory.is_relative_to(tmp_path / "worker")
    assert sorted(path.name for path in directory.iterdir()) == ["pbrain-x", "weights"]
    assert unpacked.command == "./pbrain-x --a"
    assert Path(unpacked.archive).read_bytes() == archive.read_bytes()
    make_zip(archive, {"X/pbrain-x": ELF})
    with pytest.raises(CommandFailedError, match=r"engine x: x.zip has changed since its program was chosen"):
        unpack(pack([engine]), tmp_path / "bundle")
    make_zip(archive, {"../x": ELF})
    with pytest.raises(CommandFailedError, match=r"engine x: .*is not safe to unpack"):
        unpack(pack([engine]), tmp_path / "bundle")


def test_check_starts_the_program_for_the_rule(
    brain: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Otherwise a ZIP with a program per rule would fail the positions of Gomocup's own archive test."""
    items = [item for item in check_gomocup.CHECK_ITEMS if "archive" in item[1] or item[0] == 1]
    monkeypatch.setattr("arena.check.gomocup.CHECK_ITEMS", items)
    assert cli.run(["check", "gomocup", "--", str(brain), "brain.sh"]) == 1
    first_line = capsys.readouterr().out.splitlines()[0]
    assert first_line.startswith("pass  1 START is answered by exactly OK")
    shell = zipfile.ZipFile(brain).read("pbrain-row")
    make_zip(brain, {"pbrain-row_renju": ELF, "pbrain-row": shell, "brain.sh": SCRIPT, "weights.txt": b"3"})
    assert cli.run(["check", "gomocup", "--", str(brain), "brain.sh"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("pass  1 START is answered by exactly OK")
    assert [line for line in lines if "pbrain-row_renju" in line]


def test_check_reports_a_zip_without_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = make_zip(tmp_path / "x.zip", {"readme": b""})
    assert cli.run(["check", "gomocup", "--", str(archive)]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"pentad: {archive} has no program for this system")
    assert not captured.out
