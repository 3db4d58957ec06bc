"""Limits of the connections to the page of a run, so that a flood of them neither ends the page nor keeps others out.

The number of connections is bounded. Those that are idle or whose viewer does not read are closed, so their places
become free again. File descriptors remain for the files of the run.
"""

from __future__ import annotations

import asyncio

from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_FILES = 2500  # file descriptors of the process that are used
# Share of them for connections; the others are for the files of the run and for connections that are being refused
CONNECTIONS_SHARE = 4 / 5
BACKLOG = 100  # connections that are accepted at once, before the first of them can be refused
SWEEP_S = 5  # between two looks at all connections
MAX_IDLE_SWEEPS = 3  # a connection on which nothing happens for longer is closed
BUSY = PlainTextResponse(
    "This page has as many viewers as it can serve. The browser tries again in 20 seconds.\n",
    503,
    {"connection": "close", "refresh": "20", "cache-control": "no-store"},
)
_BUSY_BYTES = b"HTTP/1.1 503 Service Unavailable\r\n%s\r\n\r\n%s" % (
    b"\r\n".join(b"%s: %s" % header for header in BUSY.raw_headers),
    BUSY.body,
)


def find_max_connections() -> int:
    """Return how many connections the limits of this process allow; raises its soft limit to MAX_FILES, if it can."""
    files = MAX_FILES
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return int(CONNECTIONS_SHARE * files)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        files = min(files, hard)
    if soft != resource.RLIM_INFINITY and soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return int(CONNECTIONS_SHARE * files)


class LimitedConnection(H11Protocol):
    """A connection of the page's server; `max_connections` is set before the server starts."""

    max_connections = 1
    _last_state: tuple[object, int] = (None, 0)
    _idle_sweeps = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Refuse the connection if there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self.max_connections:
            transport.write(_BUSY_BYTES)  # without waiting for a request, which may never come
            transport.close()

    def sweep(self) -> None:
        """Close the connection if it waits for a request or for its viewer, and nothing has happened for long."""
        unread_bytes = self.transport.get_write_buffer_size()
        is_waiting = self.cycle is None or self.cycle.response_complete or unread_bytes > 0
        state = (self.cycle, unread_bytes)
        self._idle_sweeps = self._idle_sweeps + 1 if is_waiting and state == self._last_state else 0
        self._last_state = state
        if self._idle_sweeps >= MAX_IDLE_SWEEPS:
            self.transport.abort()  # `close` would wait until everything is read
