"""The HTTP server of the play page. It answers only the page that it served (arena/web/play/guard.py).

All paths begin with the secret token of the page's address:
- `GET /` and `GET /NAME`: the files of the page.
- `GET api/state`: the `State` at once; with `?after=VERSION` as soon as its version differs from VERSION, or after
  `POLL_TIMEOUT_S`.
- `GET api/view?ply=N`: the `View` of the position after N moves.
- `GET api/board`: the `DrawnBoard` of the current game; `api/choices`: the form for a new game; `api/rules`: the rules.
- `GET review`: the page of the last review.
- `POST api/NAME`: runs one of `COMMANDS`; the answer is the new state.

The answer to a request that fails is `{"error": TEXT}`.
"""

from __future__ import annotations

import asyncio
import re
import socket
import webbrowser
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.errors import CommandFailedError
from arena.log.engine_output import make_printable
from arena.web.game_rules import make_rules_page
from arena.web.play.guard import LOOPBACK, Guard, make_token
from arena.web.play.new_game import describe_choices
from arena.web.play.server_log import logging_lines
from arena.web.play.session import PlaySession
from arena.web.play.state import CommandRefused, NewGameSettings
from arena.web.served_page import ServedPage, load_pages

_DRAWING = ("bugs.js", "board.js", "charts.js")  # scripts of both pages
PAGE = ServedPage(
    "play.html",
    "Pentad",
    ("page.css", "board.css", "play.css"),
    (*_DRAWING, "play_steps.js", "play_keys.js", "play_form.js", "play.js"),
)
RULES_PAGE = ServedPage("rules.html", "Rules", ("page.css", "board.css", "rules.css"), (*_DRAWING, "rules.js"))
CHECK_INTERVAL_S = 0.04  # between checks of the version while `api/state` waits
POLL_TIMEOUT_S = 20.0  # after this time `api/state` answers the unchanged state
BAD_REQUEST, NOT_FOUND, CONFLICT, GONE, FAILED = 400, 404, 409, 410, 500  # HTTP status codes
MAX_ERROR_LENGTH = 500  # characters; an error may quote the request
INLINE_PAGE_POLICY = (  # for the page of a review
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_NUMBER = re.compile("[0-9]{1,15}")


class MoveBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `play`."""

    move: str
    ply: int


class SwitchBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `analyse`."""

    on: bool


class TextBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `load`."""

    text: str


class PlyBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `rewind`."""

    ply: int


class EmptyBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of the commands without parameters. A request with no body at all is accepted, too."""


Command = tuple[type[Any], Callable[[PlaySession, Any], None]]  # type of the request's body; function that runs it

COMMANDS: Mapping[str, Command] = {
    "new": (NewGameSettings, lambda session, body: session.new_game(body)),
    "play": (MoveBody, lambda session, body: session.play(body.move, body.ply)),
    "load": (TextBody, lambda session, body: session.load(body.text)),
    "rewind": (PlyBody, lambda session, body: session.rewind(body.ply)),
    "undo": (EmptyBody, lambda session, _: session.undo()),
    "resign": (EmptyBody, lambda session, _: session.resign()),
    "hint": (EmptyBody, lambda session, _: session.hint()),
    "analyse": (SwitchBody, lambda session, body: session.set_analysis(body.on)),
    "review": (EmptyBody, lambda session, _: session.start_review()),
    "restart": (EmptyBody, lambda session, _: session.restart_engine()),
}


class _Handlers:
    """The request handlers of a session's server."""

    def __init__(self, session: PlaySession) -> None:
        self._session = session
        self._files = load_pages(PAGE, RULES_PAGE)

    async def get_file(self, request: Request) -> Response:
        """Return a file of the page, for the path `/` the page itself."""
        name = request.path_params.get("name", PAGE.name)
        return self._files.get(name) or _answer_error(f"no file {name!r}", NOT_FOUND)

    async def get_state(self, request: Request) -> Response:
        """Return the state; with the parameter `after` wait first, up to POLL_TIMEOUT_S, for a version that differs."""
        known_version = _parse_number(request, "after")
        if known_version is not None:
            await _wait_for_change(self._session, known_version, request)
        return _answer_json(await run_in_threadpool(self._session.state))

    async def get_view(self, request: Request) -> Response:
        """Return the position after `ply` moves."""
        ply = _parse_number(request, "ply")
        if ply is None:
            raise HTTPException(BAD_REQUEST, "the parameter ply is missing")
        try:
            return _answer_json(await run_in_threadpool(self._session.view, ply))
        except CommandRefused as error:
            return _answer_error(str(error), CONFLICT)

    async def get_board(self, _: Request) -> Response:
        """Return the board of the current game."""
        return _answer_json(await run_in_threadpool(self._session.board))

    async def get_review(self, _: Request) -> Response:
        """Return the page of the last review, whose styles and scripts are inside."""
        try:
            return HTMLResponse(self._session.review_page(), headers={"content-security-policy": INLINE_PAGE_POLICY})
        except CommandRefused as error:
            return _answer_error(str(error), CONFLICT)

    async def get_choices(self, _: Request) -> Response:
        """Return the choices of the form for a new game."""
        return _answer_json(await run_in_threadpool(describe_choices, self._session))

    async def get_rules(self, _: Request) -> Response:
        """Return the rules of the game, with pictures."""
        return _answer_json(await run_in_threadpool(make_rules_page, self._session.game))

    async def post_command(self, request: Request) -> Response:
        """Run a command; return the new state, or an error if the command was refused and changed nothing."""
        name = request.path_params["name"]
        if name not in COMMANDS:
            return _answer_error(f"unknown command {name!r}; known: {', '.join(COMMANDS)}", NOT_FOUND)
        body_type, run = COMMANDS[name]
        try:
            body = msgspec.json.decode(await request.body() or b"{}", type=body_type)
        except ClientDisconnect:
            return Response(status_code=GONE)  # the client has left and does not get it
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:  # also huge numbers, invalid UTF-8
            return _answer_error(f"{name}: {error}", BAD_REQUEST)
        try:
            await run_in_threadpool(run, self._session, body)
        except CommandRefused as error:
            return _answer_error(str(error), CONFLICT)
        return _answer_json(await run_in_threadpool(self._session.state))


def make_app(session: PlaySession, port: int, token: str) -> ASGIApp:
    """Return the guarded ASGI application that serves a session. `port` is the one that it listens on."""
    handlers = _Handlers(session)
    routes = [
        Route("/", handlers.get_file),
        Route("/review", handlers.get_review),
        Route("/{name}", handlers.get_file),
        Route("/api/state", handlers.get_state),
        Route("/api/view", handlers.get_view),
        Route("/api/board", handlers.get_board),
        Route("/api/choices", handlers.get_choices),
        Route("/api/rules", handlers.get_rules),
        Route("/api/{name}", handlers.post_command, methods=["POST"]),
    ]
    exception_handlers = {HTTPException: _answer_http_error, Exception: _answer_exception}
    return Guard(Starlette(routes=routes, exception_handlers=exception_handlers), port, token)


def serve(session: PlaySession, port: int, *, browse: bool, announce: Callable[[str], None]) -> None:
    """Serve a session until Ctrl-C; raise CommandFailedError if the port is not available.

    Port 0 takes a free one. `announce` gets the address of the page, and `browse` opens it in the browser.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((LOOPBACK, port))
        except OSError as error:
            raise CommandFailedError(f"--port {port}: {error.strerror}") from None
        port = listener.getsockname()[1]
        token = make_token()
        address = f"http://{LOOPBACK}:{port}/{token}/"
        listener.listen()  # before the address is announced, so that the first request is not refused
        announce(address)
        if browse:
            webbrowser.open(address)
        app = make_app(session, port, token)
        config = uvicorn.Config(
            app,
            log_config=None,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=1,
            lifespan="off",
            ws="none",
        )
        with logging_lines():
            uvicorn.Server(config).run(sockets=[listener])


async def _wait_for_change(session: PlaySession, known_version: int, request: Request) -> None:
    """Return when the session's version is not `known_version`, the client has left, or POLL_TIMEOUT_S has passed."""
    for _ in range(int(POLL_TIMEOUT_S / CHECK_INTERVAL_S)):
        if session.version != known_version or await request.is_disconnected():
            return
        await asyncio.sleep(CHECK_INTERVAL_S)


def _parse_number(request: Request, name: str) -> int | None:
    """Return a whole number from the query string, None if it is missing; raise HTTPException if it is no number."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not _NUMBER.fullmatch(text):
        raise HTTPException(BAD_REQUEST, f"{name} must be a whole number, not {text[:40]!r}")
    return int(text)


async def _answer_http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _answer_error(str(error.detail), error.status_code)


async def _answer_exception(_: Request, error: Exception) -> Response:
    return _answer_error(f"{type(error).__name__}: {error}", FAILED)


def _answer_json(content: object) -> Response:
    return Response(msgspec.json.encode(content), media_type="application/json")


def _answer_error(text: str, status: int) -> Response:
    return JSONResponse({"error": make_printable(text[:MAX_ERROR_LENGTH], "\n")}, status_code=status)
