"""The main loop of a session: bytes are split into lines, the process ends at the right moments, threads share a heap.

The search of a `deaf` mock engine cannot be stopped (tests/mocks/served_brain.py).
"""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from protocols.serving.serve import (
    EXIT_GRACE_S,
    MAX_LINE_BYTES,
    OVERLONG_LINE,
    LineWriter,
    decode_line,
    serve,
    split_lines,
)
from tests.imports import foreign_modules
from tests.mocks.scripted_player import UNTIL_STOPPED_MS, wait_until_thinking
from tests.protocols.mock_processes import Engine, StartMock, read_line, read_lines, send

ROOT = Path(__file__).parents[3]

EXIT_TIMEOUT_S = 60  # shorter than the search of the mock engine


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

    def handle(self, line: str, waiting_since_ns: int | None = None) -> bool:  # noqa: ARG002 - part of the interface
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


@pytest.mark.parametrize("chunk_bytes", [1000, 1 << 20])
def test_a_session_gets_no_part_of_an_overlong_line(chunk_bytes: int) -> None:
    """Regression: `START 15`, 70,000 blanks and `99` was executed as `START 15`."""
    sent, written = io.BytesIO(b"START 15" + b" " * 70_000 + b"99\nABOUT\nEND\n"), list[bytes]()
    serve(EchoSession, lambda: sent.read(chunk_bytes), written.append)
    assert written == [f"= {line}\n".encode() for line in (OVERLONG_LINE, "ABOUT", "END")]


def test_loop_ends_at_end_and_closes_the_session() -> None:
    """After END the loop waits for EXIT_GRACE_S at most, after the end of input until all commands are answered.

    Each input ends with b"" twice, because it is read once more after its end.
    """
    for chunks, expected_output, waits in (
        ([b"a\nEND\nb\n", b"", b""], b"= a\n= END\n", [EXIT_GRACE_S]),
        ([b"a\n", b"", b""], b"= a\n", [None, EXIT_GRACE_S]),
    ):
        sessions: list[EchoSession] = []
        output: list[bytes] = []

        def make(write: Callable[[str], None], sessions: list[EchoSession] = sessions) -> EchoSession:
            sessions.append(EchoSession(write))
            return sessions[0]

        serve(make, iter(chunks).__next__, output.append)
        assert b"".join(output) == expected_output
        assert sessions[0].closed
        assert sessions[0].waits == waits
        assert sessions[0].input_ended == (None in waits)


def test_broken_output_is_reported_once() -> None:
    broken_reports: list[bool] = []

    def fail(_: bytes) -> None:
        raise BrokenPipeError

    writer = LineWriter(fail, lambda: broken_reports.append(True))
    writer("one")
    writer("two")
    assert broken_reports == [True]


def start_thinking(engine: Engine) -> None:
    send(engine, b"START 15\r\n")
    assert read_line(engine) == b"OK\n"
    send(engine, b"BEGIN\r\n")
    wait_until_thinking(engine.stderr)


def wait_exit(engine: Engine) -> int:
    """Return the exit status; fail if the engine goes on with its search."""
    return engine.wait(EXIT_TIMEOUT_S)


def test_standard_output_has_protocol_lines_only(start_mock: StartMock) -> None:
    engine = start_mock("served_brain")
    send(engine, b"ABOUT\nSTART 15\nTURN 7,7\n")
    assert read_line(engine).startswith(b"name=")
    assert read_line(engine) == b"OK\n"
    assert read_line(engine) == b"0,0\n"
    send(engine, b"END\n")
    assert wait_exit(engine) == 0
    assert engine.stdout is not None
    assert engine.stdout.read() == b""


@pytest.mark.parametrize("player_kind", ["attentive", "deaf"])
def test_end_during_a_search_ends_the_process(start_mock: StartMock, player_kind: str) -> None:
    engine = start_mock("served_brain", str(UNTIL_STOPPED_MS), player_kind)
    start_thinking(engine)
    send(engine, b"END\n")
    assert wait_exit(engine) == 0


@pytest.mark.parametrize("player_kind", ["attentive", "deaf"])
def test_search_is_finished_and_answered_after_the_end_of_input(start_mock: StartMock, player_kind: str) -> None:
    """Bridges that start an engine for each move close its input after the last command and wait for the answer."""
    engine = start_mock("served_brain", "500", player_kind)
    start_thinking(engine)
    send(engine, b"INFO timeout_turn 1\nTURN 7,7\nABOUT\n")
    assert engine.stdin is not None
    engine.stdin.close()
    assert read_lines(engine, 2) == [b"0,0\n", b"1,0\n"]
    assert read_line(engine).startswith(b"name=")
    assert read_line(engine) == b""
    engine.wait(30)
    assert engine.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows does not report that the reader of a pipe has closed it")
@pytest.mark.parametrize("player_kind", ["attentive", "deaf"])
@pytest.mark.parametrize("closes_input", [False, True])
def test_the_process_ends_if_its_host_dies_during_a_search(
    start_mock: StartMock, player_kind: str, closes_input: bool
) -> None:
    """A search must not go on for minutes after its host has died."""
    engine = start_mock("served_brain", str(UNTIL_STOPPED_MS), player_kind)
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
    ("redirections", "status", "answer", "message"),
    [
        ("<&-", 0, b"", b""),
        (">&-", 1, b"", b"standard output is closed, so nobody would get an answer\n"),
        ("2>&-", 0, b'name="Pentad"', b""),
        (">&- 2>&-", 1, b"", b""),
    ],
)
def test_closed_streams_give_no_traceback(redirections: str, status: int, answer: bytes, message: bytes) -> None:
    command = f"exec {sys.executable} -S -m tests.mocks.served_brain {redirections}"
    finished = subprocess.run(
        ["sh", "-c", command], cwd=ROOT, input=b"ABOUT\n", capture_output=True, timeout=60, check=False
    )
    assert (
        finished.returncode,
        finished.stderr.replace(b"a print that must not reach the manager\n", b""),
    ) == (
        status,
        message,
    )
    assert finished.stdout[: len(answer)] == answer


def test_stop_during_a_search_requests_the_move(start_mock: StartMock) -> None:
    engine = start_mock("served_brain", str(UNTIL_STOPPED_MS))
    start_thinking(engine)
    send(engine, b"YXSTOP\n")
    assert read_line(engine) == b"0,0\n"


def test_write_to_a_closed_output_ends_the_process(start_mock: StartMock) -> None:
    engine = start_mock("served_brain")
    start_thinking(engine)
    assert engine.stdout is not None
    engine.stdout.close()
    with suppress(BrokenPipeError):  # on POSIX the engine may have ended already
        send(engine, b"ABOUT\n")
    assert wait_exit(engine) == 0
    assert engine.stderr is not None
    assert engine.stderr.read() == b""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM")
def test_sigterm_during_a_search_ends_the_process(start_mock: StartMock) -> None:
    engine = start_mock("served_brain", str(UNTIL_STOPPED_MS), "deaf")
    start_thinking(engine)
    engine.send_signal(signal.SIGTERM)
    assert wait_exit(engine) == -signal.SIGTERM


# Prints by how many MiB four threads, each of which allocates a little, increase the reserved address space
HEAP_GROWTH = """
import threading
from protocols.serving.serve import use_one_heap
{first_call}
def size(): return int(open("/proc/self/statm").read().split()[0]) * 4096 >> 20
before, done = size(), threading.Event()
threads = [threading.Thread(target=lambda: (bytes(600) and bytearray(100_000), done.wait())) for _ in range(4)]
for thread in threads: thread.start()
grown = size() - before
done.set()
print(grown)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only glibc creates a heap per thread")
def test_threads_share_one_heap() -> None:
    """Regression: a new thread used to bring an engine over its manager's limit, which counts reserved memory."""
    grown_mib = {}
    for first_call in ("", "use_one_heap()"):
        code = HEAP_GROWTH.format(first_call=first_call)
        finished = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        grown_mib[first_call] = int(finished.stdout)
    assert grown_mib["use_one_heap()"] <= grown_mib[""] - 64  # each heap reserves 64 MiB
