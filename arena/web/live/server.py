"""The HTTP server of the page that shows a run (`pentad match --live`, `pentad watch`). Requests can change nothing.

- `GET /` and `GET /NAME`: the files of the page.
- `GET events`: server-sent events, each a `LiveUpdate`; the first one is a snapshot. `goodbye` is the last event.
- `GET snapshot`: the state of the run once.

On this machine all paths begin with a secret token (arena/web/play/guard.py). A public page has no token
(public_guard.py).
"""

from __future__ import annotations

import asyncio
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.errors import CommandFailedError
from arena.web.live.connections import BACKLOG, BUSY, SWEEP_S, LimitedConnection, find_max_connections
from arena.web.live.feed import GOODBYE, LiveFeed
from arena.web.live.public_guard import PublicGuard
from arena.web.play.guard import LOOPBACK, Guard, make_token
from arena.web.play.server_log import logging_lines
from arena.web.served_page import ServedPage, load_pages

PAGE = ServedPage(
    "live.html",
    "Pentad",
    ("page.css", "board.css", "live.css"),
    ("bugs.js", "board.js", "charts.js", "rounds.js", "live_board.js", "live.js"),
)
VIEWERS_SHARE = 1 / 4  # of the connections; the others are for the files of the page, which a browser gets through six
KEEP_ALIVE_S = 2  # for the next request of a browser
NOT_FOUND = 404  # HTTP status code
TICKS_PER_S = 10  # of `uvicorn.Server.on_tick`


class EventStream(Response):
    """An answer that sends the messages of a feed until the viewer leaves, stalls or the feed ends."""

    media_type = "text/event-stream"

    def __init__(self, feed: LiveFeed) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._feed = feed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer: the interface of ASGI."""
        del scope
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        self._feed.viewers += 1
        sender = asyncio.create_task(self._send_messages(send))
        leaving = asyncio.create_task(_wait_until_left(receive))
        try:
            await asyncio.wait((sender, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._feed.viewers -= 1
            for task in (sender, leaving):
                task.cancel()
            for task in (sender, leaving):
                with suppress(asyncio.CancelledError, OSError):
                    await task

    async def _send_messages(self, send: Send) -> None:
        """Send a snapshot, then all further messages. While `send` waits for a viewer, its messages do not pile up."""

        async def send_body(content: bytes, *, is_last: bool = False) -> None:
            await send({"type": "http.response.body", "body": content, "more_body": not is_last})

        number, content = await run_in_threadpool(self._feed.take_snapshot)
        await send_body(content)
        while True:
            messages = self._feed.messages_after(number)
            if messages is None:
                messages = await run_in_threadpool(self._feed.take_snapshot)
            number, content = messages
            if content:
                await send_body(content)
            elif self._feed.is_closed:
                await send_body(GOODBYE, is_last=True)
                return
            else:
                await self._feed.wait()


async def _wait_until_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class LiveServer(uvicorn.Server):
    """A server that says goodbye to the viewers of a feed before it ends, and that closes idle connections."""

    def __init__(self, config: uvicorn.Config, feed: LiveFeed) -> None:
        super().__init__(config)
        self._feed = feed

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a signal to end."""
        self._feed.stop()
        super().handle_exit(sig, frame)

    def end(self) -> None:
        """End the server after the last messages, as the run's process has ended; may be called from any thread."""
        self._feed.stop(has_player_ended=True)
        self.should_exit = True

    async def on_tick(self, counter: int) -> bool:
        """Do what is due; called TICKS_PER_S times per second. Return whether the server shall end.

        It ends after the feed, which takes longer on a busy machine than the viewers are given to read.
        """
        if counter % round(SWEEP_S * TICKS_PER_S) == 0:
            for connection in list(self.server_state.connections):
                if isinstance(connection, LimitedConnection):
                    connection.sweep()
        return await super().on_tick(counter) and (self._feed.is_closed or self.force_exit)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the feed with the server."""
        await super().startup(sockets)
        self._feed.start()


def make_live_app(feed: LiveFeed, port: int, token: str, max_viewers: int) -> ASGIApp:
    """Return the guarded ASGI application that serves a feed on a port; without a token it is public."""
    files = load_pages(PAGE)

    async def get_page(_: Request) -> Response:
        return BUSY if feed.viewers >= max_viewers else files[PAGE.name]

    async def get_file(request: Request) -> Response:
        return files.get(request.path_params["name"]) or _answer_error("no such file", NOT_FOUND)

    async def get_events(request: Request) -> Response:
        if request.method == "HEAD":
            return Response(media_type=EventStream.media_type)
        return BUSY if feed.viewers >= max_viewers else EventStream(feed)

    async def get_snapshot(_: Request) -> Response:
        message = (await run_in_threadpool(feed.take_snapshot))[1]
        return Response(message.removeprefix(b"data: ").strip(), media_type="application/json")

    async def answer_http_error(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return _answer_error("no such page", error.status_code)

    routes = [
        Route("/", get_page),
        Route("/events", get_events),
        Route("/snapshot", get_snapshot),
        Route("/{name}", get_file),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: answer_http_error})
    return Guard(app, port, token) if token else PublicGuard(app)


def serve_live(
    directory: Path,
    port: int,
    *,
    is_public: bool,
    announce: Callable[[str], None],
    browse: bool = False,
    on_server: Callable[[LiveServer], None] = lambda _: None,
) -> None:
    """Serve the page of a run until Ctrl-C or `LiveServer.end`.

    Port 0 takes a free one. `announce` gets the address of the page, `on_server` the server before it starts; `browse`
    opens the browser. Raise LogError if the log has a wrong line, and CommandFailedError if the port is not available.
    """
    feed = LiveFeed(directory)
    feed.read()
    with _listen(port, is_public=is_public) as listener:
        port = listener.getsockname()[1]
        token = "" if is_public else make_token()
        address = f"http://{LOOPBACK}:{port}/" + (f"{token}/" if token else "")
        LimitedConnection.max_connections = find_max_connections()
        config = uvicorn.Config(
            make_live_app(feed, port, token, int(VIEWERS_SHARE * LimitedConnection.max_connections)),
            http=LimitedConnection,
            log_config=None,
            log_level="error",  # a warning for each wrong request could fill the disk
            access_log=False,
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=2,
            lifespan="off",
            ws="none",
        )
        server = LiveServer(config, feed)
        on_server(server)
        announce(address)
        if browse:
            webbrowser.open(address)
        with logging_lines():
            server.run(sockets=[listener])


def _listen(port: int, *, is_public: bool) -> socket.socket:
    """Return a socket that listens on this machine's loopback address, or on all addresses, IPv6 included."""
    try:
        if is_public and socket.has_dualstack_ipv6():
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        return socket.create_server(("" if is_public else LOOPBACK, port))
    except OSError as error:
        raise CommandFailedError(f"port {port}: {error.strerror}") from None


def _answer_error(text: str, status: int) -> Response:
    return JSONResponse({"error": text}, status_code=status)
