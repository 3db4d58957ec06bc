"""Programs are asked to end before they are killed, so that they can tidy up, and none gets away with not listening."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from protocols.driving.orphans import adopt_orphans
from protocols.driving.process import EngineProcess
from protocols.driving.process_tree import TERMINATE_GRACE_S
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="SIGTERM is a POSIX affair")

ROOT = Path(__file__).parents[3]
SLACK_S = 3  # on a busy machine

Start = Callable[..., EngineProcess]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start the mock brain, which is ready when this returns; whatever happens, it is gone in the end."""
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
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("state", ["idle", "stalled", "suspended"])
def test_program_is_asked_before_it_is_killed(state: str, start: Start, tmp_path: Path) -> None:
    """One-file executables unpack themselves into the temporary folder and leave that behind where they are killed."""
    asked = tmp_path / "asked"
    process = start(f"term={asked}", "stall=1")
    if state == "stalled":
        process.write("BEGIN")
    if state == "suspended":
        process.tree.suspend()
    began = time.perf_counter()
    process.kill()
    assert time.perf_counter() - began < TERMINATE_GRACE_S
    assert asked.read_text(encoding="utf-8") == "asked\n"
    assert process.exit_status == 0


def test_program_is_not_asked_while_it_unpacks_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A one-file executable can tidy up only from then on."""
    monkeypatch.setattr("protocols.driving.process_tree.MIN_LIFETIME_S", SLACK_S)
    asked = tmp_path / "asked"
    code = f"import sys; sys.argv.append('term={asked}'); from tests.mocks.vices import prepare; prepare(); input()"
    process = EngineProcess([sys.executable, "-S", "-c", code], cwd=ROOT)
    process.kill()
    assert asked.read_text(encoding="utf-8") == "asked\n"


def test_program_that_ignores_sigterm_is_killed_after_the_grace(start: Start) -> None:
    process = start("undying=1", "stall=1")
    process.write("BEGIN")
    began = time.perf_counter()
    process.kill()
    assert TERMINATE_GRACE_S <= time.perf_counter() - began < TERMINATE_GRACE_S + SLACK_S
    assert process.exit_status == -9


def test_programs_have_their_grace_at_the_same_time(start: Start) -> None:
    processes = [start("undying=1") for _ in range(4)]
    began = time.perf_counter()
    for process in processes:
        process.kill_in_background()
    assert time.perf_counter() - began < TERMINATE_GRACE_S
    for process in processes:
        process.kill()  # waits for the other one
    assert time.perf_counter() - began < TERMINATE_GRACE_S + SLACK_S


def test_nobody_stops_what_is_being_ended(start: Start, tmp_path: Path) -> None:
    """The referee may hand over the turn at this very moment, and a stopped program cannot tidy up."""
    asked = tmp_path / "asked"
    process = start(f"term={asked}")
    process.tree.terminate()
    process.tree.suspend()
    process.kill()
    assert asked.read_text(encoding="utf-8") == "asked\n"


def list_zombies() -> list[int]:
    children = psutil.Process().children()
    return [child.pid for child in children if child.status() == psutil.STATUS_ZOMBIE]


@pytest.fixture
def adopted() -> Iterator[None]:
    with adopt_orphans():
        yield
    assert not list_zombies()


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux hands orphans to a subreaper")


@linux
@pytest.mark.usefixtures("adopted")
def test_daemon_belongs_to_its_program_and_ends_with_it(start: Start, tmp_path: Path) -> None:
    """It forked twice and made a session of its own: it was no descendant any more, and outlived the run."""
    file = tmp_path / "daemon"
    other = start()
    process = start(f"daemon={file}")
    daemon = psutil.Process(int(file.read_text(encoding="utf-8")))
    assert daemon.ppid() == os.getpid()
    # while it turns into another program its environment cannot be read
    wait_until(lambda: daemon.pid in {member.pid for member in process.tree.members()})
    # until it has, it shares its pages with the program, and neither would free them
    wait_until(lambda: process.tree.memory().unique > other.tree.memory().unique)
    process.tree.suspend()
    wait_until(lambda: daemon.status() == psutil.STATUS_STOPPED)
    process.tree.wake()
    wait_until(lambda: daemon.status() != psutil.STATUS_STOPPED)
    process.kill()
    assert not is_running(daemon.pid)
    assert not list_zombies()
    assert is_running(other.pid)


@linux
def test_what_wine_runs_for_all_programs_is_let_be(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first Windows engine starts wine's server: held back in the other's turn, it holds back the other, too."""
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
    """Nobody knows whose it is, so that it may work for a program that still runs; what we have started is let be."""
    file = tmp_path / "daemon"
    before = subprocess.Popen(["sleep", "60"], start_new_session=True)
    with adopt_orphans():
        own = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(0.3); raise SystemExit(7)"])
        process = start(f"{switch}={file}")
        daemon = int(file.read_text(encoding="utf-8"))
        wait_until(lambda: not psutil.Process(daemon).environ())
        process.kill()
        assert is_running(daemon)
    assert not is_running(daemon)
    assert not psutil.pid_exists(daemon)  # collected, too
    assert own.wait(30) == 7  # nobody has taken its status away
    assert is_running(before.pid)
    before.kill()
    before.wait()


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
    assert not list_zombies()


@linux
def test_adoption_ends_with_its_scope(start: Start, tmp_path: Path) -> None:
    """A library that was merely imported or used before must not become the parent of strangers."""
    with adopt_orphans(), adopt_orphans():
        pass
    file = tmp_path / "daemon"
    start(f"daemon={file}")
    daemon = psutil.Process(int(file.read_text(encoding="utf-8")))
    assert daemon.ppid() != os.getpid()
    daemon.kill()
