"""Child processes are found without reading all processes of the machine, which took half of the arena's CPU time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import psutil
import pytest

from protocols.driving import children
from protocols.driving.children import list_children, list_descendants
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="starts a POSIX shell")

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux lists the children of a process")


@pytest.fixture
def shell() -> Iterator[psutil.Process]:
    """A shell that has one child and runs until its input ends."""
    with subprocess.Popen(["sh", "-c", "sleep 1000 & read line; kill $!"], stdin=subprocess.PIPE) as process:
        shell = psutil.Process(process.pid)
        wait_until(lambda: [child.name() for child in shell.children()] == ["sleep"])
        yield shell


def forbid_scans(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `psutil.Process.children` fail, which reads all processes."""

    def scan(process: psutil.Process, *, recursive: bool = False) -> list[psutil.Process]:
        raise AssertionError(f"all processes were read for {process}, {recursive=}")

    monkeypatch.setattr(psutil.Process, "children", scan)


@linux
def test_children_and_grandchildren_are_listed_without_a_scan(
    shell: psutil.Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    forbid_scans(monkeypatch)
    (sleep,) = list_children(shell)
    assert sleep.name() == "sleep"
    assert shell in list_children(psutil.Process())
    assert sleep not in list_children(psutil.Process())
    assert {shell, sleep} <= set(list_descendants(psutil.Process()))


@linux
def test_children_that_another_thread_has_started_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Linux keeps a list per thread, and the threads that play the games start the engines."""
    forbid_scans(monkeypatch)
    started, may_end = threading.Event(), threading.Event()
    pids: list[int] = []

    def start() -> None:
        with subprocess.Popen(["sh", "-c", "read line"], stdin=subprocess.PIPE) as process:
            pids.append(process.pid)
            started.set()
            may_end.wait()

    thread = threading.Thread(target=start)
    thread.start()
    started.wait()
    listed = [child.pid for child in list_children(psutil.Process())]
    may_end.set()
    thread.join()
    assert pids[0] in listed


@pytest.mark.parametrize("error", [FileNotFoundError(), psutil.NoSuchProcess(1)])
def test_all_processes_are_read_if_the_lists_are_missing_or_may_be_incomplete(
    error: Exception, shell: psutil.Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other systems have no lists; and if a child ends during the reading, Linux may leave out another one."""

    def read(_pid: int) -> list[psutil.Process]:
        raise error

    monkeypatch.setattr(children, "_read_children", read)
    (sleep,) = list_children(shell)
    assert sleep.name() == "sleep"
    assert {shell, sleep} <= set(list_descendants(psutil.Process()))


@linux
def test_a_child_that_ends_during_the_reading_makes_the_list_invalid(
    shell: psutil.Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(pid: int) -> psutil.Process:
        raise psutil.NoSuchProcess(pid)

    monkeypatch.setattr(psutil, "Process", end)
    with pytest.raises(psutil.NoSuchProcess):
        children._read_children(shell.pid)
