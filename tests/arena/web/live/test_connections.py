"""A flood of connections to the page of a run ends, and the page is there for those who come after it."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx2 as httpx
import pytest

from arena.log.events import RunEnded
from arena.log.file import LOG_NAME, encode_event
from arena.web.live import server
from arena.web.live.page_data import FINISHED
from tests.arena.web.live.run_writer import RunWriter
from tests.arena.web.live.test_server import read_updates, serving
from tests.waiting import wait_until

CONNECTIONS = 32  # that the server in these tests accepts
EVENTS_REQUEST = b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve the public page of a run with few connections and yield its address."""
    monkeypatch.setattr(server, "find_max_connections", lambda: CONNECTIONS)
    writer = RunWriter(tmp_path)
    writer.begin()
    with serving(tmp_path, is_public=True) as address:
        yield address
    writer.close()


@contextmanager
def connecting(address: str, count: int, content: bytes = b"") -> Iterator[list[socket.socket]]:
    """Open connections that send `content` and then nothing; their windows are small."""
    port = int(address.split(":")[2].strip("/"))
    with ExitStack() as stack:
        opened = []
        for _ in range(count):
            connection = stack.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            connection.connect(("127.0.0.1", port))
            connection.sendall(content)
            opened.append(connection)
        yield opened


def read_to_end(connection: socket.socket) -> bytes:
    """Return what the server sends until it closes the connection."""
    connection.settimeout(30)
    content = b""
    with suppress(ConnectionResetError):  # the server answers 503 without reading the request, which can reset it
        while part := connection.recv(1 << 16):
            content += part
    return content


@pytest.mark.parametrize("content", [b"", b"GET / HT", b"GET /page.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET"])
def test_idle_connections_make_room_for_viewers(
    tmp_path: Path, address: str, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They send nothing, half a request, or half of a second one. Those beyond the limit are told so."""
    with httpx.stream("GET", f"{address}events") as stream:
        updates = read_updates(stream.iter_lines())
        assert next(updates).is_snapshot
        with connecting(address, CONNECTIONS + 3, content) as idle:
            assert all(b" 503 " in read_to_end(connection) for connection in idle[CONNECTIONS - 1 :])
            monkeypatch.setattr(server, "SWEEP_S", 0.1)
            assert all(b" 503 " not in read_to_end(connection) for connection in idle[: CONNECTIONS - 1])
            assert httpx.get(address).status_code == 200
        with (tmp_path / LOG_NAME).open("ab") as log:
            log.write(encode_event(RunEnded(0, 8, "")))
        status = next(updates).status
        assert status  # the viewer that was there before is still connected
        assert status.state == FINISHED


def test_viewers_that_do_not_read_make_room_for_others(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even `close` would wait for them, as bytes are left to send."""
    monkeypatch.setattr("arena.web.live.feed.format_message", lambda _: b"data: " + b"x" * (8 << 20) + b"\n\n")
    with connecting(address, 8, EVENTS_REQUEST) as stalled:
        wait_until(lambda: httpx.get(address).status_code == 503)  # all places of viewers are taken
        monkeypatch.setattr(server, "SWEEP_S", 0.1)
        wait_until(lambda: httpx.get(address).status_code == 200)
        for connection in stalled:
            assert len(read_to_end(connection)) < 8 << 20


PROGRAM = """
import os, resource, sys
soft, hard = (int(text) for text in sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
from arena.web.live.connections import find_max_connections
print(find_max_connections(), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ((256, 4096), (2000, 2500, 4096)),
        ((3000, 4096), (2000, 3000, 4096)),
        ((256, 500), (400, 500, 500)),
        ((250, 250), (200, 250, 250)),
    ],
)
def test_files_of_the_run_can_be_opened_beside_all_connections(
    limits: tuple[int, int], expected: tuple[int, int, int]
) -> None:
    """On macOS a process may have 256 open files, unless it asks for more."""
    command = [sys.executable, "-c", PROGRAM, *map(str, limits)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert tuple(map(int, output.split())) == expected
