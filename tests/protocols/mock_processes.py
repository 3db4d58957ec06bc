"""Mock engines as processes that a test drives by pipes, byte by byte as a host does."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from tests.protocols.mock_clients import ROOT, mock_command

Engine = subprocess.Popen[bytes]
StartMock = Callable[..., Engine]  # the fixture `start_mock`: takes the mock's name and its arguments


def start_mock_process(mock: str, *arguments: str) -> Engine:
    """Start a module of tests.mocks as a process with unbuffered pipes."""
    pipe = subprocess.PIPE
    return subprocess.Popen(mock_command(mock, *arguments), cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)


def kill_mock_process(engine: Engine) -> None:
    """Kill the process and close its pipes."""
    engine.kill()
    engine.wait()
    for stream in (engine.stdin, engine.stdout, engine.stderr):
        if stream:
            stream.close()


def send(engine: Engine, data: bytes) -> None:
    """Write bytes to the engine's standard input."""
    assert engine.stdin is not None
    engine.stdin.write(data)


def read_line(engine: Engine) -> bytes:
    """Return the next line of the engine's standard output with its line end; b"" after the last one."""
    assert engine.stdout is not None
    return engine.stdout.readline()


def read_lines(engine: Engine, count: int) -> list[bytes]:
    """Return the next lines of the engine's standard output."""
    return [read_line(engine) for _ in range(count)]
