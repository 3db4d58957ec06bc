"""A cluster plays the games that one machine plays, also where a worker is lost or the run is interrupted.

Scheduler and workers are processes of their own, as `dask scheduler` and `dask worker` start them; what wants them runs
with `-m cluster`.
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
from arena.run.cluster import ClusterPairWorker
from arena.run.cluster_worker import ClusterWorker
from arena.run.file_bundle import pack
from arena.run.provenance import describe_run
from arena.run.workers import WorkersLostError
from arena.terms.ending import Ending
from arena.terms.plan import Pair
from tests.arena.events import read_log
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the mock brain is a script that starts by itself")

ROOT = Path(__file__).parents[3]
BRAIN = ROOT / "tests" / "mocks" / "gomocup_brain.py"
SCRIPT = f"""#!{sys.executable}
import runpy, sys
sys.path.insert(0, {str(ROOT)!r})
runpy.run_path({str(BRAIN)!r}, run_name="__main__")
"""
PATIENCE_S = 60
ROLL = """
import random
from bots.gomoku.board_player import BoardPlayer
from core.play.options import Option
from core.play.player import Decision, ignore_progress

class Roll(BoardPlayer):
    OPTIONS = (Option("seed", 0, "of all moves"),)

    def choose(self, limits, report=ignore_progress):
        chance = random.Random(f"{self.options['seed']}/{len(self.position.moves)}")
        return Decision(chance.choice(self.position.legal_moves()))
"""
ALONE = [sys.executable, "-c", "import sys; from arena.cli.main import main; main(sys.argv[1:])"]


class Cluster:
    """A scheduler on this machine and what joins it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "scheduler.json"
        self._workers: list[subprocess.Popen[bytes]] = []
        self._scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")
        wait_until(self._read_address)
        self.address = self._read_address()

    def provide_workers(self, count: int) -> list[psutil.Process]:
        """So many workers of one thread each, those that live and new ones; all have joined when this returns."""
        terms = ("--nthreads", "1", "--no-nanny", "--local-directory", str(self._folder))
        self._workers = [worker for worker in self._workers if worker.poll() is None]
        self._workers += [self._start("worker", *terms) for _ in range(count - len(self._workers))]
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=PATIENCE_S)
        return [psutil.Process(worker.pid) for worker in self._workers]

    def close(self) -> None:
        for process in (*self._workers, self._scheduler):
            process.kill()
            process.wait()

    def _read_address(self) -> str:
        """Empty until the scheduler has written its file: the file is there before its text."""
        text = self._file.read_text(encoding="utf-8") if self._file.exists() else ""
        found = re.search(r'"(tcp://[^"]+)"', text)
        return found[1] if found else ""

    def _start(self, kind: str, *terms: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--dashboard-address", ":0"]
        command += ["--scheduler-file", str(self._file), *terms]
        log = (self._folder / f"{kind}.log").open("ab")
        return subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    yield found
    found.close()


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A match of a program that is one executable file with a player of a file, fixed by nodes and seed."""
    brain = tmp_path / "brain"
    brain.write_text(SCRIPT, encoding="utf-8")
    brain.chmod(0o755)
    (tmp_path / "roll.py").write_text(ROLL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    engines = ["--engine", "cmd=./brain late=30,name=brain", "--engine", "player=roll.py:Roll"]
    return ["match", *engines, "--nodes", "100", "--seed", "3", "--games", "12", "--restart"]


def start_run(cluster: Cluster, command: list[str], out: Path) -> subprocess.Popen[bytes]:
    terms = ["--scheduler", cluster.address, "--out", str(out)]
    return subprocess.Popen([*ALONE, *command, *terms], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def untimed(entry: MoveEntry) -> MoveEntry:
    return structs.replace(entry, time_ms=0, overhead_us=0, over_ms=None)


def played(directory: Path) -> list[GameEnded]:
    """The games that count, without the times, which no two runs have alike."""
    return [
        structs.replace(game, moves=tuple(map(untimed, game.moves)), cpu_ms=(None, None))
        for game in read_run(directory).games
    ]


def count_pairs(directory: Path) -> int:
    log = directory / LOG_NAME
    return log.read_bytes().count(b'"event":"pair"') if log.exists() else 0


def list_places(directory: Path) -> set[bytes]:
    """The workers that have played a pair."""
    log = directory / LOG_NAME
    return set(re.findall(rb'"place":"(tcp://[0-9.:]+) on ', log.read_bytes())) if log.exists() else set()


@pytest.mark.cluster
def test_lost_worker_changes_nothing(cluster: Cluster, command: list[str], tmp_path: Path) -> None:
    """One of two workers is killed while its engine thinks: the log is that of an unbroken run on one machine."""
    doomed, other = cluster.provide_workers(2)
    out = tmp_path / "cluster"
    run = start_run(cluster, command, out)
    wait_until(lambda: len(list_places(out)) == 2 and doomed.children())
    doomed.kill()
    _, errors = run.communicate(timeout=PATIENCE_S)
    assert run.returncode == 0, errors.decode()
    assert cli.run([*command, "--out", str(tmp_path / "alone")]) == 0
    assert played(out) == played(tmp_path / "alone")
    events = read_log(out)
    assert Counter(event.number for event in events if isinstance(event, PairEnded)) == Counter(range(1, 7))
    assert Counter(event.number for event in events if isinstance(event, GameEnded)) == Counter(range(1, 13))
    assert not other.children()


@pytest.mark.cluster
@pytest.mark.parametrize("signals", [1, 2])
def test_interrupted_run_goes_on(cluster: Cluster, command: list[str], tmp_path: Path, signals: int) -> None:
    """The first Ctrl-C lets the running pairs finish, a second one ends them; then no engine is left on the workers."""
    workers = cluster.provide_workers(2)
    out = tmp_path / "cluster"
    run = start_run(cluster, command, out)
    wait_until(lambda: count_pairs(out) and all(worker.children() for worker in workers))
    run.send_signal(signal.SIGINT)
    if signals > 1:  # the second one comes after the first was told
        assert run.stderr is not None
        assert any(b"press Ctrl-C again to end them at once" in line for line in iter(run.stderr.readline, b""))
        run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=PATIENCE_S)
    assert run.returncode == 3, errors.decode()
    wait_until(lambda: not any(worker.children() for worker in workers))
    left = read_run(out)
    assert 0 < len(left.games) < 12
    assert not left.unfinished
    assert cli.run(["resume", str(out), "--scheduler", cluster.address]) == 0
    assert [game.number for game in played(out)] == list(range(1, 13))


def test_cluster_that_cannot_be_had(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is begun: the folder may be used for the run that follows."""
    monkeypatch.setattr("arena.run.cluster.CONNECT_TIMEOUT_S", 0.5)
    assert cli.run([*command, "--scheduler", "tcp://127.0.0.1:9", "--out", str(tmp_path / "run")]) == 2
    assert "--scheduler tcp://127.0.0.1:9: no scheduler answers at this address" in capsys.readouterr().err
    assert not (tmp_path / "run" / LOG_NAME).exists()


@pytest.mark.parametrize("option", ["--boards", "--io-log"])
def test_what_only_this_machine_can_do_is_refused(
    option: str, command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert cli.run([*command, option, "--scheduler", "tcp://127.0.0.1:9", "--out", str(out)]) == 2
    assert "leave it or --scheduler out" in capsys.readouterr().err
    assert not out.exists()


def test_missing_extra_is_named(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "arena.run.cluster")
    monkeypatch.delitem(sys.modules, "arena.run.cluster_worker")
    assert cli.run([*command, "--scheduler", "tcp://127.0.0.1:9", "--out", "run"]) == 2
    assert '--scheduler needs more packages, pip install -e ".[cluster]" in' in capsys.readouterr().err


def make_crew(command: list[str], folder: Path) -> ClusterWorker:
    """The crew of a run, as it leaves the runner."""
    engines = [text for text in command if "brain" in text or "roll" in text]
    config = configure_match(MatchOptions(engine=engines, nodes=100, out=folder))
    return ClusterWorker(describe_run(config, ()), pack([engine.log_entry(config.game) for engine in config.engines]))


def test_worker_with_other_code_plays_nothing(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games under two versions of the rules or of a player would be one result."""
    crew = make_crew(command, tmp_path)
    monkeypatch.setattr("arena.run.cluster_worker.source_hash", lambda _: "other")
    worker = SimpleNamespace(address="tcp://there:1")
    with pytest.raises(
        CommandFailedError, match=r"worker tcp://there:1: this worker has Pentad .*, kernels other, the runner has"
    ):
        crew.setup(worker)  # type: ignore[arg-type]
    with pytest.raises(CommandFailedError, match="kernels other"):
        crew.play(Pair(1, 1, (0, 1), None, 0, ()))


class Answers:
    """Stands for a cluster that answers so, one attempt after the other."""

    threads: Mapping[str, int] = {"tcp://there:1": 1}

    def __init__(self, *answers: list[Event] | Exception) -> None:
        self._answers = list(answers)

    def submit(self, *_: object, **__: object) -> Answers:
        return self

    def nthreads(self) -> Mapping[str, int]:
        return self.threads

    def result(self, timeout: float) -> list[bytes]:  # noqa: ARG002
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return [msgspec.json.encode(event) for event in answer]


PAIR = Pair(1, 1, (0, 1), None, 0, ())
START = GameStarted(1, 1, "A", "B", ())
VOID = GameEnded(1, 1, "A", "B", Ending.VOID, "", "A", "", (), ())


@pytest.mark.parametrize("end", [PairEnded(1), VOID])
def test_pair_without_its_end_is_played_again(end: Event) -> None:
    """A worker that is told to close gives back what it has; only one attempt may come into the log."""
    answers = Answers([START], [], [START, end])
    assert list(ClusterPairWorker(answers, "run").play(PAIR)) == [START, end]  # type: ignore[arg-type]


@pytest.mark.parametrize("failure", [CancelledError("scheduler gone"), CommandFailedError("other code")])
def test_lost_cluster_is_told(failure: Exception) -> None:
    with pytest.raises(WorkersLostError, match=f"the cluster has lost pair 1: {failure}"):
        list(ClusterPairWorker(Answers(failure), "run").play(PAIR))  # type: ignore[arg-type]
    with pytest.raises(WorkersLostError, match="returned incomplete from the cluster 5 times"):
        list(ClusterPairWorker(Answers(*[[START]] * 5), "run").play(PAIR))  # type: ignore[arg-type]


def test_cluster_without_workers_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scheduler holds what nobody can play, without a word; a worker that thinks for long is another matter."""
    monkeypatch.setattr("arena.run.cluster.NO_WORKER_TIMEOUT_S", 0)
    patient = Answers(TimeoutError(), TimeoutError(), [START, PairEnded(1)])
    assert list(ClusterPairWorker(patient, "run").play(PAIR)) == [START, PairEnded(1)]  # type: ignore[arg-type]
    deserted = Answers(TimeoutError())
    deserted.threads = {}
    with pytest.raises(WorkersLostError, match="the cluster has had no worker"):
        list(ClusterPairWorker(deserted, "run").play(PAIR))  # type: ignore[arg-type]
