"""Engines get SIGTERM before they are killed, so that they can clean up. Their child processes and daemons end, too.

Arguments such as `daemon=FILE` are faults of the mock engine: tests/mocks/misbehaviour.py explains them. With
`term=FILE` it writes the line `asked` into the file when it receives SIGTERM.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from protocols.driving.orphans import adopt_orphans
from protocols.driving.process import EngineProcess
from protocols.driving.process_tree import MIN_LIFETIME_S, TERMINATE_GRACE_S, ProcessTree
from tests.waiting import PATIENCE_S, wait_until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM")

ROOT = Path(__file__).parents[3]

Start = Callable[..., EngineProcess]  # the fixture `start`: takes switches of the mock engine


@pytest.fixture
def start() -> Iterator[Start]:
    """Return a function that starts a mock engine and waits until it is ready; kill all engines at the end."""
    started: list[EngineProcess] = []

    def start_one(*switches: str) -> EngineProcess:
        process = EngineProcess([sys.executable, "-S", "-m", "tests.mocks.gomocup_brain", *switches], cwd=ROOT)
        started.append(process)
        process.write("START 15")
        process.wait_line(lambda text: text == "OK", time.perf_counter_ns() + 30 * 10**9)
        return process

    yield start_one
    for process in started:
        process.kill()
        assert not is_running(process.pid)


def is_running(pid: int) -> bool:
    """Return whether a process runs and is not a zombie."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("state", ["idle", "stalled", "suspended"])
def test_engine_gets_sigterm_before_it_is_killed(state: str, start: Start, tmp_path: Path) -> None:
    """One-file executables unpack into the temporary folder, and leave their files there if they are killed."""
    asked = tmp_path / "asked"
    process = start(f"term={asked}", "stall=1")
    if state == "stalled":
        process.write("BEGIN")
    if state == "suspended":
        process.tree.suspend()
    process.kill()
    assert asked.read_text(encoding="utf-8") == "asked\n"
    assert process.exit_status == 0


def test_sigterm_waits_until_an_executable_has_unpacked_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A one-file executable can clean up only after it has unpacked itself, so a new process gets SIGTERM later."""
    asked, unpacked, deadlines_s = tmp_path / "asked", tmp_path / "unpacked", list[float]()
    wait_until_ended = ProcessTree._wait_until_ended

    def wait(tree: ProcessTree, deadline_s: float) -> None:
        deadlines_s.append(deadline_s)
        if len(deadlines_s) == 1:
            wait_until(unpacked.exists)
        else:
            wait_until_ended(tree, deadline_s)

    monkeypatch.setattr(ProcessTree, "_wait_until_ended", wait)
    code = f"import sys; sys.argv.append('term={asked}'); from tests.mocks import misbehaviour; "
    code += f"misbehaviour.misbehave_at_start(); open({str(unpacked)!r}, 'x'); input()"
    process = EngineProcess([sys.executable, "-S", "-c", code], cwd=ROOT)
    process.kill()
    assert asked.read_text(encoding="utf-8") == "asked\n"
    assert deadlines_s[0] == process.tree._started_at_s + MIN_LIFETIME_S


def test_engine_that_ignores_sigterm_is_killed_after_the_grace(start: Start) -> None:
    process = start("undying=1", "stall=1")
    process.write("BEGIN")
    began = time.perf_counter()
    process.kill()
    assert time.perf_counter() - began >= TERMINATE_GRACE_S
    assert process.exit_status == -signal.SIGKILL


def test_grace_times_of_several_engines_overlap(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocols.driving.process_tree.TERMINATE_GRACE_S", 10 * PATIENCE_S)
    processes = [start("undying=1") for _ in range(4)]
    for process in processes:
        process.kill_in_background()
    wait_until(lambda: all(process.tree._terminated_at_s for process in processes))
    for process in processes:
        os.kill(process.pid, signal.SIGKILL)
        process.kill()  # waits for the kill in the background


def test_engine_that_is_being_ended_is_not_suspended(start: Start, tmp_path: Path) -> None:
    """The referee may try to suspend an engine that is being ended, but a suspended process cannot clean up."""
    asked = tmp_path / "asked"
    process = start(f"term={asked}")
    process.tree.terminate()
    process.tree.suspend()
    process.kill()
    assert asked.read_text(encoding="utf-8") == "asked\n"


def list_zombies() -> list[int]:
    """Return the pids of our children that are zombies."""
    children = psutil.Process().children()
    return [child.pid for child in children if child.status() == psutil.STATUS_ZOMBIE]


@pytest.fixture
def adopted() -> Iterator[None]:
    """Adopt orphans during the test, and check that no zombie is left."""
    with adopt_orphans():
        yield
    assert not list_zombies()


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux hands orphans to a subreaper")


@linux
@pytest.mark.usefixtures("adopted")
def test_daemon_belongs_to_its_engine_and_ends_with_it(start: Start, tmp_path: Path) -> None:
    """Regression: a daemon (forked twice, in another session) used not to be found, and outlived the run."""
    file = tmp_path / "daemon"
    other = start()
    process = start(f"daemon={file}")
    daemon = psutil.Process(int(file.read_text(encoding="utf-8")))
    assert daemon.ppid() == os.getpid()
    assert daemon.pid in {member.pid for member in process.tree.members()}
    assert process.tree.memory().unique > other.tree.memory().unique
    process.tree.suspend()
    wait_until(lambda: daemon.status() == psutil.STATUS_STOPPED)
    process.tree.wake()
    wait_until(lambda: daemon.status() != psutil.STATUS_STOPPED)
    process.kill()
    assert not is_running(daemon.pid)
    assert not list_zombies()
    assert is_running(other.pid)


@linux
def test_shared_services_of_wine_are_neither_suspended_nor_killed(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first Windows engine starts wine's server; if it were suspended with its engine, all others would hang."""
    file = tmp_path / "daemon"
    with adopt_orphans():
        process = start(f"daemon={file}")
        daemon = psutil.Process(int(file.read_text(encoding="utf-8")))
        monkeypatch.setattr("protocols.driving.orphans.WINE_SERVICES", {daemon.name()})
        process.tree.suspend()
        wait_until(lambda: psutil.Process(process.pid).status() == psutil.STATUS_STOPPED)
        assert daemon.status() != psutil.STATUS_STOPPED
        process.kill()
    assert is_running(daemon.pid)
    daemon.kill()
    os.waitpid(daemon.pid, 0)


@linux
@pytest.mark.parametrize("switch", ["bare_daemon", "bare_leader"])
def test_daemon_without_a_mark_ends_with_the_command(switch: str, start: Start, tmp_path: Path) -> None:
    """A daemon without our mark in its environment may belong to any engine, so it ends only with the whole run.

    Both programs clear the daemon's environment; `bare_leader` also makes it the leader of a session.
    Processes that we have started ourselves are not killed.
    """
    file = tmp_path / "daemon"
    earlier_child = subprocess.Popen(["sleep", "60"], start_new_session=True)  # started before `adopt_orphans`
    with adopt_orphans():
        our_child = subprocess.Popen([sys.executable, "-c", "raise SystemExit(7)"])
        process = start(f"{switch}={file}")
        daemon = int(file.read_text(encoding="utf-8"))
        assert not psutil.Process(daemon).environ()
        wait_until(lambda: psutil.Process(our_child.pid).status() == psutil.STATUS_ZOMBIE)
        process.kill()
        assert is_running(daemon)
    assert not is_running(daemon)
    assert not psutil.pid_exists(daemon)  # its exit status was collected, too
    assert our_child.wait(30) == 7  # its exit status was not collected
    assert is_running(earlier_child.pid)
    earlier_child.kill()
    earlier_child.wait()


@linux
@pytest.mark.usefixtures("adopted")
def test_daemon_that_has_ended_is_collected(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "daemon"
    process = start(f"daemon={file}")
    process.tree.members()
    daemon = psutil.Process(int(file.read_text(encoding="utf-8")))
    daemon.kill()
    wait_until(lambda: daemon.status() == psutil.STATUS_ZOMBIE)
    process.kill()
    assert daemon.pid not in list_zombies()  # children of earlier tests may have ended, too


@linux
def test_adoption_ends_with_its_scope(start: Start, tmp_path: Path) -> None:
    """Outside the context this process must not become the parent of other programs' orphans."""
    with adopt_orphans(), adopt_orphans():
        pass
    file = tmp_path / "daemon"
    start(f"daemon={file}")
    daemon = psutil.Process(int(file.read_text(encoding="utf-8")))
    assert daemon.ppid() != os.getpid()
    daemon.kill()
