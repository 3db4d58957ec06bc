"""Engines arrive on another machine as they left this one, and nothing else is started in their place."""

from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path

import pytest

from arena.errors import CommandFailedError
from arena.log.events import EngineEntry
from arena.run.file_bundle import PACKED_PREFIX, FileBundle, pack, unpack
from protocols.command_line import split_command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program, in which the runner runs."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "my brain"
    program.write_bytes(b"#!/bin/sh\necho one\n")
    (tmp_path / "net.py").write_bytes(b"weights = 1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_program_and_files_travel_by_content(folder: Path, tmp_path: Path) -> None:
    engine = EngineEntry("A", command="'bin/my brain' --net net.py --depth 3", directory="", options=(("x", "1"),))
    bundle = pack([engine])
    digest = hashlib.sha256(b"#!/bin/sh\necho one\n").hexdigest()
    assert set(bundle.files) == {digest, hashlib.sha256(b"weights = 1\n").hexdigest()}
    shutil.rmtree(folder / "bin")
    there = tmp_path / "there"
    (found,) = unpack(bundle, there)
    program, *arguments = split_command(found.command)
    assert program == str(there / digest / "my brain")
    assert Path(program).stat().st_mode & 0o111
    assert Path(program).read_bytes() == b"#!/bin/sh\necho one\n"
    assert (arguments[0], Path(arguments[1]).read_text(), arguments[2:]) == ("--net", "weights = 1\n", ["--depth", "3"])
    assert (found.name, found.options) == ("A", engine.options)


@pytest.mark.usefixtures("folder")
def test_player_of_a_file_travels_with_its_parameters(tmp_path: Path) -> None:
    bundle = pack([EngineEntry("A", player="net.py:Net:depth=3,file=x.py:y"), EngineEntry("B", player="greedy")])
    first, second = unpack(bundle, tmp_path / "there")
    path, cls, rest = first.player.split(":", 2)
    assert Path(path).read_bytes() == b"weights = 1\n"
    assert (cls, rest, second.player) == ("Net", "depth=3,file=x.py:y", "greedy")


@pytest.mark.usefixtures("folder")
def test_bare_name_is_the_other_machines_own_program(tmp_path: Path) -> None:
    name = Path(sys.executable).name
    bundle = pack([EngineEntry("A", command=f"{name} net.py")])
    assert len(bundle.files) == 1
    (found,) = unpack(bundle, tmp_path / "there")
    assert split_command(found.command)[0] == name


@pytest.mark.usefixtures("folder")
def test_file_with_another_content_is_written_anew(tmp_path: Path) -> None:
    """What a broken copy or another person left in the cache must not play."""
    bundle = pack([EngineEntry("A", player="net.py:Net")])
    (found,) = unpack(bundle, tmp_path / "there")
    path = Path(found.player.removesuffix(":Net"))
    path.write_bytes(b"weights = 2\n")
    unpack(bundle, tmp_path / "there")
    assert path.read_bytes() == b"weights = 1\n"
    assert sorted(tmp_path.joinpath("there").rglob("*")) == [path.parent, path]


def test_content_that_is_not_its_hash_is_refused(tmp_path: Path) -> None:
    bundle = FileBundle((EngineEntry("A", command=f"{PACKED_PREFIX}00/brain"),), {"00": b"something else"})
    with pytest.raises(CommandFailedError, match="brain: its content does not match its hash 00"):
        unpack(bundle, tmp_path)
    assert not list(tmp_path.rglob("brain"))


def test_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    bundle = pack([EngineEntry("A", command="gnugo", directory="no/such/folder")])
    with pytest.raises(CommandFailedError, match=r"engine A: no folder .*no/such/folder on this machine"):
        unpack(bundle, tmp_path)
