"""Programs are asked to end before they are killed, so that they can tidy up, and none gets away with not listening."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from protocols.process import EngineProcess
from protocols.process_tree import END_GRACE_S

pytestmark = pytest.mark.skipif(os.name == "nt", reason="SIGTERM is a POSIX affair")

ROOT = Path(__file__).parents[2]
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
        process.wait_line(lambda text: text == "OK", time.monotonic_ns() + 30 * 10**9)
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
    began = time.monotonic()
    process.kill()
    assert time.monotonic() - began < END_GRACE_S
    assert asked.read_text(encoding="utf-8") == "asked\n"
    assert process.exit_status == 0


def test_program_is_not_asked_while_it_unpacks_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A one-file executable can tidy up only from then on."""
    monkeypatch.setattr("protocols.process_tree.SETTLE_S", SLACK_S)
    asked = tmp_path / "asked"
    code = f"import sys; sys.argv.append('term={asked}'); from tests.mocks.vices import prepare; prepare(); input()"
    process = EngineProcess([sys.executable, "-S", "-c", code], cwd=ROOT)
    process.kill()
    assert asked.read_text(encoding="utf-8") == "asked\n"


def test_program_that_ignores_sigterm_is_killed_after_the_grace(start: Start) -> None:
    process = start("undying=1", "stall=1")
    process.write("BEGIN")
    began = time.monotonic()
    process.kill()
    assert END_GRACE_S <= time.monotonic() - began < END_GRACE_S + SLACK_S
    assert process.exit_status == -9


def test_programs_have_their_grace_at_the_same_time(start: Start) -> None:
    processes = [start("undying=1") for _ in range(4)]
    began = time.monotonic()
    for process in processes:
        process.kill_soon()
    assert time.monotonic() - began < END_GRACE_S
    for process in processes:
        process.kill()  # waits for the other one
    assert time.monotonic() - began < END_GRACE_S + SLACK_S


def test_nobody_stops_what_is_being_ended(start: Start, tmp_path: Path) -> None:
    """The referee may hand over the turn at this very moment, and a stopped program cannot tidy up."""
    asked = tmp_path / "asked"
    process = start(f"term={asked}")
    process.tree.terminate()
    process.tree.suspend()
    process.kill()
    assert asked.read_text(encoding="utf-8") == "asked\n"
