"""Awake time of a process: it runs or waits for a processor; sleep and suspension do not count."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from core.system import awake_time
from core.system.awake_time import (
    DISK_WAIT_FACTOR,
    UNMEASURED_WAIT_FACTOR,
    Times,
    make_thread_awake_clock,
    max_process_awake_ns,
)
from tests.timing import check_ratio

ROOT = Path(__file__).parents[3]
MS = 1_000_000

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not measure waiting for a processor")


def use_cpu(milliseconds: int) -> None:
    """Keep this thread busy for some CPU time."""
    start_ns = time.thread_time_ns()
    while time.thread_time_ns() - start_ns < milliseconds * MS:
        pass


def test_awake_time_is_a_multiple_of_the_measured_time_and_at_most_the_age() -> None:
    assert Times(age_ns=5_000, measured_ns=100, factor=DISK_WAIT_FACTOR).awake_ns == 200
    assert Times(age_ns=150, measured_ns=100, factor=DISK_WAIT_FACTOR).awake_ns == 150
    assert Times(age_ns=5_000, measured_ns=100, factor=UNMEASURED_WAIT_FACTOR).awake_ns == 400


@LINUX
def test_a_thread_clock_does_not_count_sleep_and_other_threads() -> None:
    clock = make_thread_awake_clock()
    start_ns = clock()
    use_cpu(60)
    assert clock() - start_ns >= 50 * MS
    other = threading.Thread(target=use_cpu, args=(60,))
    awake_start_ns, wall_start_ns = clock(), time.perf_counter_ns()
    other.start()
    other.join()
    time.sleep(0.1)  # this thread sleeps for at least 90 ms of the wall time, however busy the machine is
    assert clock() - awake_start_ns < time.perf_counter_ns() - wall_start_ns - 90 * MS


@LINUX
def test_a_thread_clock_that_cannot_read_returns_0(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that reads the host's lines would take an OSError for the end of input."""
    clock = make_thread_awake_clock()

    def fail(*_: int) -> bytes:
        raise OSError("no memory")

    monkeypatch.setattr("os.pread", fail)
    assert clock() == 0


@LINUX
def test_a_thread_clock_closes_its_file() -> None:
    """Otherwise a process that serves many sessions would run out of file descriptors."""
    lowest_free_descriptor = os.dup(0)
    os.close(lowest_free_descriptor)
    for _ in range(3):
        assert make_thread_awake_clock()() > 0
    descriptor = os.dup(0)
    os.close(descriptor)
    assert descriptor == lowest_free_descriptor


@LINUX
def test_the_wait_time_of_all_threads_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command may wait because the reader thread waits for a processor while the main thread compiles."""
    for thread, content in {"7": "100 20 3\n", "8": "50 1000 1\n", "9": "malformed\n"}.items():
        (tmp_path / thread).mkdir()
        (tmp_path / thread / "schedstat").write_text(content)
    (tmp_path / "10").mkdir()  # a thread that ended while the folder was listed
    assert sorted(awake_time._list_threads(str(tmp_path))) == [(50, 1000), (100, 20)]
    hour_ns = 3600 * 10**9
    monkeypatch.setattr(awake_time, "_list_threads", lambda _: iter([(0, 1), (0, hour_ns)]))
    times = awake_time._linux_times(None)
    assert times is not None
    assert times.measured_ns > hour_ns
    assert times.factor == DISK_WAIT_FACTOR
    monkeypatch.setattr(awake_time, "_list_threads", lambda _: iter(()))
    times = awake_time._linux_times(None)
    assert times is not None
    assert times.factor == UNMEASURED_WAIT_FACTOR


def run_and_measure(code: str) -> tuple[int, int]:
    """Run code in a new process; return its `max_process_awake_ns` and an upper bound of its age, both in ms."""
    import_line = "from core.system.awake_time import max_process_awake_ns"
    script = f"import time; {code}\n{import_line}; print(max_process_awake_ns() // 10**6)"
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return int(done.stdout), int((time.perf_counter() - start) * 1000)


def test_awake_time_is_at_least_the_cpu_time_and_at_most_the_age() -> None:
    awake_ms, age_ms = run_and_measure("t = time.process_time()\nwhile time.process_time() < t + 0.2: pass")
    assert 200 <= awake_ms <= age_ms + 20  # the system records the creation of a process in steps of 10 ms


@LINUX
@pytest.mark.timing
def test_sleep_of_a_process_does_not_count() -> None:
    def awake_fraction() -> float:
        awake_ms, age_ms = run_and_measure("time.sleep(2)")
        return awake_ms / age_ms

    check_ratio(awake_fraction, minimum=0.001, limit=0.5)


def test_the_boot_loader_of_an_executable_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    times = {None: Times(300, 100, 2), 1: Times(900, 50, 2)}
    # 1 stands for any parent process, None for this process
    monkeypatch.setattr(awake_time, "_read_times", lambda parent=None: times[parent and 1])
    assert max_process_awake_ns() == 200  # in a source tree there is no boot loader
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert max_process_awake_ns() == 300
    times[1] = None  # type: ignore[assignment]
    assert max_process_awake_ns() == 200


@LINUX
def test_a_parent_that_runs_another_program_is_no_boot_loader() -> None:
    code = "import os; from core.system.awake_time import _read_times; print(_read_times(os.getppid()) is None)"
    shell_parent = ["sh", "-c", f'"{sys.executable}" -c "{code}"; true']
    python_code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {code!r}], check=True)"
    python_parent = [sys.executable, "-c", python_code]
    for command, is_ignored in ((shell_parent, "True"), (python_parent, "False")):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == is_ignored, done.stderr
