"""The main loop of a protocol server: it splits bytes into lines, and a real process ends when it must."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from protocols.serving.serve import EXIT_GRACE_S, MAX_LINE_BYTES, LineWriter, decode_line, serve, split_lines
from tests.imports import foreign_modules
from tests.mocks.scripted_player import UNTIL_STOPPED_MS, wait_until_thinking

ROOT = Path(__file__).parents[3]

Engine = subprocess.Popen[bytes]
MakeEngine = Callable[..., Engine]

EXIT_TIMEOUT_S = 60  # the search would take longer


def lines_of(*chunks: bytes) -> list[str]:
    return list(split_lines(iter([*chunks, b""]).__next__))


def test_lines_are_split_and_cleaned() -> None:
    assert lines_of(b"START 15\r\nBEG", b"IN\n\n", b"EN", b"D") == ["START 15", "BEGIN", "", "END"]
    assert lines_of(b"\xef\xbb\xbfABOUT\n", b"T\0U\0RN\t7,7\n", b"\xff\xfe\n") == ["ABOUT", "TURN 7,7", "\ufffd\ufffd"]
    assert lines_of() == []


def test_overlong_lines_are_cut() -> None:
    flood = [b"x" * 50_000] * 40
    assert lines_of(*flood, b"tail\nEND\n") == ["x" * MAX_LINE_BYTES, "END"]
    assert lines_of(*flood) == ["x" * MAX_LINE_BYTES]
    assert decode_line(b"y" * 100_000) == "y" * MAX_LINE_BYTES


def test_serving_side_needs_the_standard_library_only() -> None:
    """Executables contain no other packages."""
    assert not foreign_modules("protocols.serving.serve", "protocols.gomocup.session")


class EchoSession:
    """Echoes every line; END ends the session."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self.write = write
        self.closed = self.input_ended = False
        self.waits: list[float | None] = []

    def handle(self, line: str, waiting_since_ns: int | None = None) -> bool:  # noqa: ARG002 - an echo takes no time
        self.write(f"= {line}")
        return line != "END"

    def interrupt(self) -> None:
        self.write("interrupted")

    def end_input(self) -> None:
        assert not self.closed
        self.input_ended = True

    def close(self) -> None:
        self.closed = True

    def wait_idle(self, timeout_s: float | None) -> bool:
        self.waits.append(timeout_s)
        return True


def test_loop_ends_at_end_and_closes_the_session() -> None:
    """After END only a short grace is waited; after the end of input all answers are waited for, without a limit."""
    for chunks, wanted, waits in (
        ([b"a\nEND\nb\n", b"", b""], b"= a\n= END\n", [EXIT_GRACE_S]),
        ([b"a\n", b"", b""], b"= a\n", [None, EXIT_GRACE_S]),
    ):
        sessions: list[EchoSession] = []
        output: list[bytes] = []

        def make(write: Callable[[str], None], sessions: list[EchoSession] = sessions) -> EchoSession:
            sessions.append(EchoSession(write))
            return sessions[0]

        serve(make, iter(chunks).__next__, output.append)
        assert b"".join(output) == wanted
        assert sessions[0].closed
        assert sessions[0].waits == waits
        assert sessions[0].input_ended == (None in waits)


def test_broken_output_is_reported_once() -> None:
    told: list[bool] = []

    def fail(_: bytes) -> None:
        raise BrokenPipeError

    writer = LineWriter(fail, lambda: told.append(True))
    writer("one")
    writer("two")
    assert told == [True]


@pytest.fixture
def make_engine() -> Iterator[MakeEngine]:
    """Return a function that starts a mock Gomocup engine; kill all engines at the end."""
    engines: list[Engine] = []

    def make(*arguments: str) -> Engine:
        engine = subprocess.Popen(
            [sys.executable, "-S", "-m", "tests.mocks.served_brain", *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        engines.append(engine)
        return engine

    yield make
    for engine in engines:
        engine.kill()
        engine.wait()
        for stream in (engine.stdin, engine.stdout, engine.stderr):
            assert stream is not None
            stream.close()


def send(engine: Engine, text: str) -> None:
    assert engine.stdin is not None
    engine.stdin.write(text.encode())


def read_line(engine: Engine) -> bytes:
    assert engine.stdout is not None
    return engine.stdout.readline()


def start_thinking(engine: Engine) -> None:
    send(engine, "START 15\r\n")
    assert read_line(engine) == b"OK\n"
    send(engine, "BEGIN\r\n")
    wait_until_thinking(engine.stderr)


def wait_exit(engine: Engine) -> int:
    """Return the exit status; fail if the engine goes on with its search."""
    return engine.wait(EXIT_TIMEOUT_S)


def test_plays_through_pipes_and_keeps_stray_prints_off(make_engine: MakeEngine) -> None:
    engine = make_engine()
    send(engine, "ABOUT\nSTART 15\nTURN 7,7\n")
    assert read_line(engine).startswith(b"name=")
    assert read_line(engine) == b"OK\n"
    assert read_line(engine) == b"0,0\n"
    send(engine, "END\n")
    assert wait_exit(engine) == 0
    assert engine.stdout is not None
    assert engine.stdout.read() == b""


@pytest.mark.parametrize("hearing", ["attentive", "deaf"])
def test_end_while_thinking(make_engine: MakeEngine, hearing: str) -> None:
    engine = make_engine(str(UNTIL_STOPPED_MS), hearing)
    start_thinking(engine)
    send(engine, "END\n")
    assert wait_exit(engine) == 0


@pytest.mark.parametrize("hearing", ["attentive", "deaf"])
def test_search_is_finished_and_answered_after_the_end_of_input(make_engine: MakeEngine, hearing: str) -> None:
    """Bridges that start an engine for each move close its input after the last command and wait for the answer."""
    engine = make_engine("500", hearing)
    start_thinking(engine)
    send(engine, "INFO timeout_turn 1\nTURN 7,7\nABOUT\n")
    assert engine.stdin is not None
    engine.stdin.close()
    assert [read_line(engine) for _ in range(2)] == [b"0,0\n", b"1,0\n"]
    assert read_line(engine).startswith(b"name=")
    assert read_line(engine) == b""
    engine.wait(30)
    assert engine.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows does not report that the reader of a pipe has closed it")
@pytest.mark.parametrize("hearing", ["attentive", "deaf"])
@pytest.mark.parametrize("closes_input", [False, True])
def test_host_that_dies_while_we_think(make_engine: MakeEngine, hearing: str, closes_input: bool) -> None:
    """A search for a host that has died must not go on for minutes."""
    engine = make_engine(str(UNTIL_STOPPED_MS), hearing)
    start_thinking(engine)
    assert engine.stdin is not None
    assert engine.stdout is not None
    if closes_input:
        engine.stdin.close()
    engine.stdout.close()
    assert wait_exit(engine) == 0
    assert engine.stderr is not None
    assert engine.stderr.read() == b""


@pytest.mark.skipif(os.name == "nt", reason="the test closes the streams by a POSIX shell")
@pytest.mark.parametrize(
    ("closed", "status", "answer", "complaint"),
    [
        ("<&-", 0, b"", b""),
        (">&-", 1, b"", b"standard output is closed, so nobody would get an answer\n"),
        ("2>&-", 0, b'name="Pentad"', b""),
        (">&- 2>&-", 1, b"", b""),
    ],
)
def test_closed_streams_give_no_traceback(closed: str, status: int, answer: bytes, complaint: bytes) -> None:
    command = f"exec {sys.executable} -S -m tests.mocks.served_brain {closed}"
    done = subprocess.run(
        ["sh", "-c", command], cwd=ROOT, input=b"ABOUT\n", capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr.replace(b"a stray print, which must not reach the manager\n", b"")) == (
        status,
        complaint,
    )
    assert done.stdout[: len(answer)] == answer


def test_stop_while_thinking(make_engine: MakeEngine) -> None:
    engine = make_engine(str(UNTIL_STOPPED_MS))
    start_thinking(engine)
    send(engine, "YXSTOP\n")
    assert read_line(engine) == b"0,0\n"


def test_write_to_a_closed_output_ends_the_process(make_engine: MakeEngine) -> None:
    engine = make_engine()
    start_thinking(engine)
    assert engine.stdout is not None
    engine.stdout.close()
    with suppress(BrokenPipeError):  # on POSIX the engine may have ended already
        send(engine, "ABOUT\n")
    assert wait_exit(engine) == 0
    assert engine.stderr is not None
    assert engine.stderr.read() == b""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM")
def test_sigterm_while_thinking(make_engine: MakeEngine) -> None:
    engine = make_engine(str(UNTIL_STOPPED_MS), "deaf")
    start_thinking(engine)
    engine.send_signal(signal.SIGTERM)
    assert wait_exit(engine) == -signal.SIGTERM


THREADS = """
import threading
from protocols.serving.serve import use_one_heap
{keep}
def size(): return int(open("/proc/self/statm").read().split()[0]) * 4096 >> 20
before, done = size(), threading.Event()
threads = [threading.Thread(target=lambda: (bytes(600) and bytearray(100_000), done.wait())) for _ in range(4)]
for thread in threads: thread.start()
grown = size() - before
done.set()
print(grown)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only glibc creates a heap per thread")
def test_threads_reserve_no_heaps_of_their_own() -> None:
    """A new thread once brought an engine over its manager's limit, which counts address space: 366 of 350 MiB."""
    grown = {}
    for keep in ("", "use_one_heap()"):
        code = THREADS.format(keep=keep)
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        grown[keep] = int(done.stdout)
    assert grown["use_one_heap()"] <= grown[""] - 64
