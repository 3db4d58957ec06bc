"""Settings and fixtures of all tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from bots.registry import GAMES
from core.native.aot import KernelError
from core.native.library import best_cpu_level
from core.native.library_cache import cached_libraries, count_workers
from core.native.link import host_target
from core.native.machine import list_processors
from core.search import engine_options
from core.system.build_progress import BuildProgress
from tests.manual_clock import ManualClock, installed_clock

settings.register_profile("busy", deadline=None)  # no time limit per example, because the machine may be busy
settings.load_profile("busy")


def pytest_configure(config: pytest.Config) -> None:
    """Compile missing kernels before a run of all tests, in parallel, and restore the default handling of signals.

    A run of only some tests compiles the kernels that it needs later. So do the worker processes of pytest-xdist, whose
    config has `workerinput`.

    nohup and background jobs of scripts ignore signals. Programs that tests start would inherit that, so the tests
    could not interrupt them.
    """
    for name in ("SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL)
    runs_all_tests = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.collectonly
    if runs_all_tests and not hasattr(config, "workerinput"):
        try:
            list(
                cached_libraries(
                    {name: [best_cpu_level(game.has_avx512_kernels)] for name, game in GAMES.items()},
                    host_target(),
                    BuildProgress(count_workers()),
                )
            )
        except KernelError as error:
            raise pytest.UsageError(str(error)) from None


def pytest_xdist_auto_num_workers() -> int:
    """Return the number of processors plus one, because many tests only wait for programs."""
    return len(list_processors()) + 1


@pytest.fixture(autouse=True, scope="session")
def user_state_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Use a temporary folder for the user's state, such as the list of runs, here and in processes that tests start."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[ManualClock]:
    """Replace the clock of players and sessions that the test creates by one that the test sets."""
    with installed_clock(monkeypatch) as clock:
        yield clock


@pytest.fixture
def many_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that the machine has 64 processors, so that players use as many threads as their option says."""
    monkeypatch.setattr(engine_options, "count_processors", lambda: 64)
