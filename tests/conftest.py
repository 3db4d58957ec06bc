"""Preparation of every test run."""

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

settings.register_profile("busy", deadline=None)  # an example may take as long as a busy machine does
settings.load_profile("busy")


def pytest_configure(config: pytest.Config) -> None:
    """Before a run of all tests compile the kernels that are missing, on every processor: no test waits for it then.

    Runs of some tests compile what these need when they need it, and so do the processes that pytest-xdist starts,
    which carry `workerinput`.

    A run begun by nohup or in the background of a script ignores some signals, and so would the programs that tests
    start and interrupt: it heeds them again.
    """
    for name in ("SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL)
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.collectonly
    if is_whole and not hasattr(config, "workerinput"):
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
    """One process more than processors: many tests wait for programs most of their time."""
    return len(list_processors()) + 1


@pytest.fixture(autouse=True, scope="session")
def user_state_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the runs of tests out of the user's own list of runs; processes that tests start share it."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[ManualClock]:
    """A clock that the test moves, for players and sessions that the test makes."""
    with installed_clock(monkeypatch) as clock:
        yield clock


@pytest.fixture
def many_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let players in this process search with as many threads as they are told, whatever the machine has."""
    monkeypatch.setattr(engine_options, "count_processors", lambda: 64)
