"""Tests of runs on a dask cluster: lost workers, interruptions, refused options, other versions, incomplete pairs.

Tests with the marker `cluster` start a real scheduler and real workers as processes; run them with `-m cluster`. The
other tests start neither.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from pathlib import Path
from types import SimpleNamespace

import msgspec
import psutil
import pytest
from distributed import Client
from msgspec import structs

from arena.cli import main as cli
from arena.errors import CommandFailedError
from arena.log.events import Event, GameEnded, GameStarted, MoveEntry, PairEnded
from arena.log.file import LOG_NAME, read_run
from arena.options.match import MatchOptions, configure_match
from arena.run.cluster import RemotePairWorker
from arena.run.cluster_worker import ClusterWorker
from arena.run.file_bundle import pack
from arena.run.provenance import describe_run
from arena.run.workers import WorkersLostError
from arena.terms.ending import Ending
from arena.terms.plan import Pair
from tests.arena.events import read_log
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the mock brain is an executable script")

ROOT = Path(__file__).parents[3]
MOCK_BRAIN = ROOT / "tests" / "mocks" / "gomocup_brain.py"
# An executable file that starts the mock Gomocup engine of the tests.
BRAIN_SCRIPT = f"""#!{sys.executable}
import runpy, sys
sys.path.insert(0, {str(ROOT)!r})
runpy.run_path({str(MOCK_BRAIN)!r}, run_name="__main__")
"""
TIMEOUT_S = 60
# A player in Python that moves at random, the same way for the same seed.
RANDOM_PLAYER = """
import random
from bots.gomoku.board_player import BoardPlayer
from core.play.options import Option
from core.play.player import Decision, ignore_progress

class RandomPlayer(BoardPlayer):
    OPTIONS = (Option("seed", 0, "of all moves"),)

    def choose(self, limits, report=ignore_progress):
        rng = random.Random(f"{self.options['seed']}/{len(self.position.moves)}")
        return Decision(rng.choice(self.position.legal_moves()))
"""
PENTAD = [sys.executable, "-c", "import sys; from arena.cli.main import main; main(sys.argv[1:])"]


class Cluster:
    """A scheduler on this machine and its workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "scheduler.json"
        self._workers: list[subprocess.Popen[bytes]] = []
        self._scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")
        wait_until(self._read_address)
        self.address = self._read_address()

    def provide_workers(self, count: int) -> list[psutil.Process]:
        """Start workers with one thread each until `count` are running, wait until all have joined, and return them."""
        options = ("--nthreads", "1", "--no-nanny", "--local-directory", str(self._folder))
        self._workers = [worker for worker in self._workers if worker.poll() is None]
        self._workers += [self._start("worker", *options) for _ in range(count - len(self._workers))]
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=TIMEOUT_S)
        return [psutil.Process(worker.pid) for worker in self._workers]

    def close(self) -> None:
        """Kill all processes of the cluster."""
        for process in (*self._workers, self._scheduler):
            process.kill()
            process.wait()

    def _read_address(self) -> str:
        """Return the address of the scheduler from its file; an empty string until the file is written."""
        text = self._file.read_text(encoding="utf-8") if self._file.exists() else ""
        address = re.search(r'"(tcp://[^"]+)"', text)
        return address[1] if address else ""

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        """Start a dask process; `kind` is `scheduler` or `worker`."""
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--dashboard-address", ":0"]
        command += ["--scheduler-file", str(self._file), *options]
        log = (self._folder / f"{kind}.log").open("ab")
        return subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Start a scheduler; tests start the workers that they need."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.close()


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the command of a reproducible match between a program and a player file, in a folder with both."""
    brain = tmp_path / "brain"
    brain.write_text(BRAIN_SCRIPT, encoding="utf-8")
    brain.chmod(0o755)
    (tmp_path / "randomplayer.py").write_text(RANDOM_PLAYER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    engines = ["--engine", "cmd=./brain late=30,name=brain", "--engine", "player=randomplayer.py:RandomPlayer"]
    return ["match", *engines, "--nodes", "100", "--seed", "3", "--games", "12", "--restart"]


def start_run(cluster: Cluster, command: list[str], out: Path) -> subprocess.Popen[bytes]:
    options = ["--scheduler", cluster.address, "--out", str(out)]
    return subprocess.Popen([*PENTAD, *command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def remove_times(entry: MoveEntry) -> MoveEntry:
    return structs.replace(entry, time_ms=0, overhead_us=0, over_ms=None)


def read_games_without_times(directory: Path) -> list[GameEnded]:
    """Return the games of complete pairs without their measured times, which differ between runs."""
    return [
        structs.replace(game, moves=tuple(map(remove_times, game.moves)), cpu_ms=(None, None))
        for game in read_run(directory).games
    ]


def count_pairs(directory: Path) -> int:
    """Return the number of complete pairs in the log."""
    log = directory / LOG_NAME
    return log.read_bytes().count(b'"event":"pair"') if log.exists() else 0


def list_workers(directory: Path) -> set[bytes]:
    """Return the addresses of the workers that have played a pair."""
    log = directory / LOG_NAME
    return set(re.findall(rb'"place":"(tcp://[0-9.:]+) on ', log.read_bytes())) if log.exists() else set()


@pytest.mark.cluster
def test_killed_worker_does_not_change_the_games(cluster: Cluster, command: list[str], tmp_path: Path) -> None:
    """One of two workers is killed during a game; the games are those of a run on one machine."""
    killed, other = cluster.provide_workers(2)
    out = tmp_path / "cluster"
    run = start_run(cluster, command, out)
    wait_until(lambda: len(list_workers(out)) == 2 and killed.children())
    killed.kill()
    _, errors = run.communicate(timeout=TIMEOUT_S)
    assert run.returncode == 0, errors.decode()
    assert cli.run([*command, "--out", str(tmp_path / "local")]) == 0
    assert read_games_without_times(out) == read_games_without_times(tmp_path / "local")
    events = read_log(out)
    assert Counter(event.number for event in events if isinstance(event, PairEnded)) == Counter(range(1, 7))
    assert Counter(event.number for event in events if isinstance(event, GameEnded)) == Counter(range(1, 13))
    assert not other.children()


@pytest.mark.cluster
@pytest.mark.parametrize("signals", [1, 2])
def test_interrupted_run_is_resumed(cluster: Cluster, command: list[str], tmp_path: Path, signals: int) -> None:
    """After a first Ctrl-C the running pairs are finished, a second one ends them. No engine stays on the workers."""
    workers = cluster.provide_workers(2)
    out = tmp_path / "cluster"
    run = start_run(cluster, command, out)
    wait_until(lambda: count_pairs(out) and all(worker.children() for worker in workers))
    run.send_signal(signal.SIGINT)
    if signals > 1:  # wait until the first one is handled
        assert run.stderr is not None
        assert any(b"press Ctrl-C again to end them at once" in line for line in iter(run.stderr.readline, b""))
        run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=TIMEOUT_S)
    assert run.returncode == 3, errors.decode()
    wait_until(lambda: not any(worker.children() for worker in workers))
    interrupted = read_run(out)
    assert 0 < len(interrupted.games) < 12
    assert not interrupted.unfinished
    assert cli.run(["resume", str(out), "--scheduler", cluster.address]) == 0
    assert [game.number for game in read_games_without_times(out)] == list(range(1, 13))


@pytest.mark.cluster
@pytest.mark.parametrize("tournament_format", ["swiss", "knockout"])
def test_rounds_are_those_of_a_run_on_one_machine(
    cluster: Cluster, command: list[str], tmp_path: Path, tournament_format: str
) -> None:
    """Two workers play the encounters of a round at the same time, and one worker is killed meanwhile."""
    killed, _ = cluster.provide_workers(2)
    others = [f"player=randomplayer.py:RandomPlayer,name={name}" for name in ("third", "fourth")]
    engines = [part for engine in others for part in ("--engine", engine)]
    command[command.index("--games") + 1] = "4"
    command += [*engines, "--format", tournament_format]
    out = tmp_path / "cluster"
    run = start_run(cluster, command, out)
    wait_until(lambda: len(list_workers(out)) == 2)
    killed.kill()
    _, errors = run.communicate(timeout=TIMEOUT_S)
    assert run.returncode == 0, errors.decode()
    assert cli.run([*command, "--out", str(tmp_path / "local")]) == 0
    assert read_run(out).rounds == read_run(tmp_path / "local").rounds
    assert read_games_without_times(out) == read_games_without_times(tmp_path / "local")
    names = ("rounds.csv", "standings.csv")
    assert [(out / name).read_bytes() for name in names] == [(tmp_path / "local" / name).read_bytes() for name in names]


@pytest.mark.cluster
def test_engine_that_does_not_start_on_a_worker(
    cluster: Cluster, command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is refused before the first game. In a forced resumption, or if it fails later, it loses its games."""
    cluster.provide_workers(2)
    brain, out = tmp_path / "brain", tmp_path / "cluster"
    limit = f"import pathlib, sys\nif pathlib.Path({str(tmp_path / 'broken')!r}).exists(): sys.exit('no license')\n"
    brain.write_text(BRAIN_SCRIPT.replace("\n", f"\n{limit}", 1), encoding="utf-8")
    (tmp_path / "broken").touch()
    scheduler = ["--scheduler", cluster.address]
    assert cli.run([*command, *scheduler, "--out", str(out)]) == 1
    error = capsys.readouterr().err
    assert "pentad: worker tcp://" in error
    assert "brain could not start: exited with status 1: no license\n  no license" in error
    assert not (out / LOG_NAME).exists()
    (tmp_path / "broken").unlink()
    run = start_run(cluster, [*command, "--recover"], out)
    wait_until(lambda: count_pairs(out))
    (tmp_path / "broken").touch()
    _, errors = run.communicate(timeout=TIMEOUT_S)
    assert run.returncode == 0, errors.decode()
    lost = [game for game in read_run(out).games if game.blamed]
    assert lost
    assert {(game.blamed, game.ending, game.detail) for game in lost} == {
        ("brain", Ending.DISCONNECT, "could not start: exited with status 1: no license")
    }


def test_no_run_starts_without_a_scheduler(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No log is written, so the same --out can be used again."""
    monkeypatch.setattr("arena.run.cluster.CONNECT_TIMEOUT_S", 0.5)
    assert cli.run([*command, "--scheduler", "tcp://127.0.0.1:9", "--out", str(tmp_path / "run")]) == 2
    assert "--scheduler tcp://127.0.0.1:9: no scheduler answers at this address" in capsys.readouterr().err
    assert not (tmp_path / "run" / LOG_NAME).exists()


@pytest.mark.parametrize("address", ["foo", "tcp://127.0.0.1:x", "://"])
def test_malformed_address_is_refused_by_name(
    address: str, command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Regression: the client of the cluster was left half made, and waited for 20 s."""
    assert cli.run([*command, "--scheduler", address, "--out", str(tmp_path / "run")]) == 2
    assert f"--scheduler must be such as tcp://host:8786, not {address!r}: " in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--boards", "--io-log"])
def test_option_that_a_cluster_does_not_support_is_refused(
    option: str, command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert cli.run([*command, option, "--scheduler", "tcp://127.0.0.1:9", "--out", str(out)]) == 2
    assert "leave it or --scheduler out" in capsys.readouterr().err
    assert not out.exists()


def test_missing_package_is_reported_with_the_install_command(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "arena.run.cluster")
    monkeypatch.delitem(sys.modules, "arena.run.cluster_worker")
    assert cli.run([*command, "--scheduler", "tcp://127.0.0.1:9", "--out", "run"]) == 2
    assert '--scheduler needs more packages, pip install -e ".[cluster]" in' in capsys.readouterr().err


def make_plugin(command: list[str], folder: Path) -> ClusterWorker:
    """Return the worker plugin of a run as the runner creates it."""
    engines = [text for text in command if "brain" in text or "randomplayer" in text]
    config = configure_match(MatchOptions(engine=engines, nodes=100, out=folder))
    return ClusterWorker(describe_run(config, ()), pack([engine.log_entry(config.game) for engine in config.engines]))


def test_worker_with_another_version_of_pentad_is_refused(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result must not mix games of two versions of the rules or of a player."""
    plugin = make_plugin(command, tmp_path / "run")
    monkeypatch.setattr("arena.run.cluster_worker.source_hash", lambda _: "other")
    worker = SimpleNamespace(address="tcp://there:1")
    with pytest.raises(
        CommandFailedError, match=r"worker tcp://there:1: this worker has Pentad .*, kernels other, the runner has"
    ):
        plugin.setup(worker)  # type: ignore[arg-type]
    with pytest.raises(CommandFailedError, match="kernels other"):
        plugin.play(PAIR)


class FakeClient:
    """Stands for both `Client` and `Future` of dask: each call of `result` returns or raises the next answer."""

    threads: Mapping[str, int] = {"tcp://there:1": 1}  # number of threads by worker

    def __init__(self, *answers: list[Event] | Exception) -> None:
        self._answers = list(answers)

    def submit(self, *_: object, **__: object) -> FakeClient:
        return self

    def nthreads(self) -> Mapping[str, int]:
        return self.threads

    def result(self, timeout: float) -> list[bytes]:  # noqa: ARG002
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return [msgspec.json.encode(event) for event in answer]


PAIR = Pair(number=1, round=1, engines=(0, 1), opening=None, symmetry=0, games=())
STARTED = GameStarted(1, 1, "A", "B", ())
VOID_GAME = GameEnded(1, 1, "A", "B", Ending.VOID, "", "A", "", (), ())


@pytest.mark.parametrize("end", [PairEnded(1), VOID_GAME], ids=["complete", "void"])
def test_incomplete_pair_is_played_again(end: Event) -> None:
    """A worker that is shut down returns an incomplete pair; only the last attempt may reach the log.

    A pair also ends with a void game, because that stops the run.
    """
    client = FakeClient([STARTED], [], [STARTED, end])
    assert list(RemotePairWorker(client, "run").play(PAIR)) == [STARTED, end]  # type: ignore[arg-type]


@pytest.mark.parametrize("failure", [CancelledError("scheduler gone"), CommandFailedError("other code")])
def test_lost_pair_stops_the_run(failure: Exception) -> None:
    with pytest.raises(WorkersLostError, match=f"the cluster has lost pair 1: {failure}"):
        list(RemotePairWorker(FakeClient(failure), "run").play(PAIR))  # type: ignore[arg-type]
    with pytest.raises(WorkersLostError, match="returned incomplete from the cluster 5 times"):
        list(RemotePairWorker(FakeClient(*[[STARTED]] * 5), "run").play(PAIR))  # type: ignore[arg-type]


def test_waiting_ends_only_if_the_cluster_has_no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without workers the scheduler keeps a task and reports nothing. With workers, a pair may take any time."""
    monkeypatch.setattr("arena.run.cluster.NO_WORKER_TIMEOUT_S", 0)
    slow = FakeClient(TimeoutError(), TimeoutError(), [STARTED, PairEnded(1)])
    assert list(RemotePairWorker(slow, "run").play(PAIR)) == [STARTED, PairEnded(1)]  # type: ignore[arg-type]
    without_workers = FakeClient(TimeoutError())
    without_workers.threads = {}
    with pytest.raises(WorkersLostError, match="the cluster has had no worker"):
        list(RemotePairWorker(without_workers, "run").play(PAIR))  # type: ignore[arg-type]
