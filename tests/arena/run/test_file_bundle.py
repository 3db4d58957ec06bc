"""Tests of the bundle that takes the files of engines to the workers of a cluster."""

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
    """Return a folder with a program and a Python file, and make it the working directory."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "my brain"
    program.write_bytes(b"#!/bin/sh\necho one\n")
    (tmp_path / "net.py").write_bytes(b"weights = 1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_program_and_its_files_are_packed(folder: Path, tmp_path: Path) -> None:
    engine = EngineEntry("A", command="'bin/my brain' --net net.py --depth 3", directory="", options=(("x", "1"),))
    bundle = pack([engine])
    digest = hashlib.sha256(b"#!/bin/sh\necho one\n").hexdigest()
    assert set(bundle.files) == {digest, hashlib.sha256(b"weights = 1\n").hexdigest()}
    shutil.rmtree(folder / "bin")
    target = tmp_path / "target"
    (unpacked,) = unpack(bundle, target)
    program, *arguments = split_command(unpacked.command)
    assert program == str(target / digest / "my brain")
    assert Path(program).stat().st_mode & 0o111
    assert Path(program).read_bytes() == b"#!/bin/sh\necho one\n"
    assert (arguments[0], Path(arguments[1]).read_text(), arguments[2:]) == ("--net", "weights = 1\n", ["--depth", "3"])
    assert (unpacked.name, unpacked.options) == ("A", engine.options)


@pytest.mark.usefixtures("folder")
def test_player_file_is_packed_with_its_parameters(tmp_path: Path) -> None:
    bundle = pack([EngineEntry("A", player="net.py:Net:depth=3,file=x.py:y"), EngineEntry("B", player="greedy")])
    first, second = unpack(bundle, tmp_path / "target")
    path, cls, parameters = first.player.split(":", 2)
    assert Path(path).read_bytes() == b"weights = 1\n"
    assert (cls, parameters, second.player) == ("Net", "depth=3,file=x.py:y", "greedy")


@pytest.mark.usefixtures("folder")
def test_program_found_on_the_path_is_not_packed(tmp_path: Path) -> None:
    """Each machine finds a program such as `python3` on its own path; the file among its arguments is packed."""
    name = Path(sys.executable).name
    bundle = pack([EngineEntry("A", command=f"{name} net.py")])
    assert len(bundle.files) == 1
    (unpacked,) = unpack(bundle, tmp_path / "target")
    assert split_command(unpacked.command)[0] == name


@pytest.mark.usefixtures("folder")
def test_changed_file_in_the_cache_is_replaced(tmp_path: Path) -> None:
    """A damaged or manipulated file in the cache must not be executed."""
    bundle = pack([EngineEntry("A", player="net.py:Net")])
    (unpacked,) = unpack(bundle, tmp_path / "target")
    path = Path(unpacked.player.removesuffix(":Net"))
    path.write_bytes(b"weights = 2\n")
    unpack(bundle, tmp_path / "target")
    assert path.read_bytes() == b"weights = 1\n"
    assert sorted(tmp_path.joinpath("target").rglob("*")) == [path.parent, path]


def test_content_that_does_not_match_its_hash_is_refused(tmp_path: Path) -> None:
    bundle = FileBundle((EngineEntry("A", command=f"{PACKED_PREFIX}00/brain"),), {"00": b"something else"})
    with pytest.raises(CommandFailedError, match="brain: its content does not match its hash 00"):
        unpack(bundle, tmp_path)
    assert not list(tmp_path.rglob("brain"))


def test_missing_working_directory_is_reported(tmp_path: Path) -> None:
    bundle = pack([EngineEntry("A", command="gnugo", directory="no/such/folder")])
    with pytest.raises(CommandFailedError, match=r"engine A: no folder .*no/such/folder on this machine"):
        unpack(bundle, tmp_path)
