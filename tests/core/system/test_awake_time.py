"""Awake time of a process: running and waiting for a processor count, sleeping and being suspended do not."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from core.system import awake_time
from core.system.awake_time import BUSY_FACTOR, DISK_FACTOR, Times, make_thread_awake_clock, max_process_awake_ns
from tests.timing import check_ratio

ROOT = Path(__file__).parents[3]
MS = 1_000_000

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not count waiting for a processor")


def burn(milliseconds: int) -> None:
    began = time.thread_time_ns()
    while time.thread_time_ns() - began < milliseconds * MS:
        pass


def test_counted_time_bounds_the_age() -> None:
    assert Times(age_ns=5_000, counted_ns=100, factor=DISK_FACTOR).awake_ns == 200
    assert Times(age_ns=150, counted_ns=100, factor=DISK_FACTOR).awake_ns == 150
    assert Times(age_ns=5_000, counted_ns=100, factor=BUSY_FACTOR).awake_ns == 400


@LINUX
def test_threads_own_time_leaves_sleep_out() -> None:
    clock = make_thread_awake_clock()
    began = clock()
    burn(60)
    busy = clock() - began
    assert busy >= 50 * MS
    other = threading.Thread(target=burn, args=(60,))
    before = clock(), time.perf_counter_ns()
    other.start()
    other.join()
    time.sleep(0.1)  # and the join: the thread has slept for at least so long, on any machine
    assert clock() - before[0] < time.perf_counter_ns() - before[1] - 90 * MS


@LINUX
def test_refused_reading_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that reads the host's lines would take it for their end."""
    clock = make_thread_awake_clock()

    def refuse(*_: int) -> bytes:
        raise OSError("no memory")

    monkeypatch.setattr("os.pread", refuse)
    assert clock() == 0


@LINUX
def test_clock_closes_its_file() -> None:
    """A process that makes many of them, as tests and hosts of several sessions do, would run out of files."""
    lowest = os.dup(0)
    os.close(lowest)
    for _ in range(3):
        assert make_thread_awake_clock()() > 0
    after = os.dup(0)
    os.close(after)
    assert after == lowest


@LINUX
def test_all_threads_wait_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader waits for a processor while the main thread compiles: what it waited is the host's time, too."""
    for thread, content in {"7": "100 20 3\n", "8": "50 1000 1\n", "9": "not counted\n"}.items():
        (tmp_path / thread).mkdir()
        (tmp_path / thread / "schedstat").write_text(content)
    (tmp_path / "10").mkdir()  # a thread that ended while the folder was listed
    told = sorted(awake_time._list_threads(str(tmp_path)))
    assert told == [(50, 1000), (100, 20)]
    hour_ns = 3600 * 10**9
    monkeypatch.setattr(awake_time, "_list_threads", lambda _: iter([(0, 1), (0, hour_ns)]))
    times = awake_time._linux_times(None)
    assert times is not None
    assert (times.counted_ns > hour_ns, times.factor) == (True, DISK_FACTOR)
    monkeypatch.setattr(awake_time, "_list_threads", lambda _: iter(()))
    times = awake_time._linux_times(None)
    assert times is not None
    assert times.factor == BUSY_FACTOR


def ages(code: str) -> tuple[int, int]:
    """What a fresh process counts as awake after some code, and its true age at most, in milliseconds."""
    clock = "from core.system.awake_time import max_process_awake_ns"
    script = f"import time; {code}\n{clock}; print(max_process_awake_ns() // 10**6)"
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return int(done.stdout), int((time.perf_counter() - began) * 1000)


def test_process_has_been_awake_since_its_creation() -> None:
    """What it ran before its first line counts, too."""
    told, age = ages("t = time.process_time()\nwhile time.process_time() < t + 0.2: pass")
    assert 200 <= told <= age + 20  # the system counts creation in steps of 10 ms


@LINUX
@pytest.mark.timing
def test_sleep_of_a_process_does_not_count() -> None:
    def told_share() -> float:
        told, age = ages("time.sleep(2)")
        return told / age

    check_ratio(told_share, 0.001, 0.5)


def test_boot_loader_counts_where_it_is_the_same_program(monkeypatch: pytest.MonkeyPatch) -> None:
    times = {None: Times(300, 100, 2), 1: Times(900, 50, 2)}
    monkeypatch.setattr(awake_time, "_read_times", lambda parent=None: times[parent and 1])
    assert max_process_awake_ns() == 200  # from sources there is none
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert max_process_awake_ns() == 300
    times[1] = None  # type: ignore[assignment]
    assert max_process_awake_ns() == 200


@LINUX
def test_parent_that_runs_another_program_is_no_boot_loader() -> None:
    code = "import os; from core.system.awake_time import _read_times; print(_read_times(os.getppid()) is None)"
    shell = ["sh", "-c", f'"{sys.executable}" -c "{code}"; true']
    same = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {code!r}], check=True)"
    for command, answer in ((shell, "True"), ([sys.executable, "-c", same], "False")):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == answer, done.stderr
