"""The play page's server: files of the page, the state of the game, and the person's commands, on this machine only.

All paths stand below the token of the address (arena/web/play/guard.py). `GET api/state?after=VERSION` answers as soon
as something has changed, or after a while; `GET api/view?ply=N` is an earlier position; `POST api/NAME` runs a command
and answers the new state. What cannot be done is answered by `{"error": TEXT}`.
"""

from __future__ import annotations

import asyncio
import re
import socket
import webbrowser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.errors import CommandFailedError
from arena.log.engine_output import make_printable
from arena.web.game_rules import describe_rules
from arena.web.play.guard import LOOPBACK, Guard, make_token
from arena.web.play.server_log import logging_lines
from arena.web.play.state import NewGameTerms, Refused
from arena.web.play.table import PlayTable
from arena.web.play.terms import describe_choices

STATIC = Path(__file__).parents[1] / "static"
PAGE = "play.html"
STYLES = ("icon.svg", "page.css", "board.css", "play.css", "rules.css")
SCRIPTS = ("bugs.js", "board.js", "charts.js", "play.js", "play_steps.js", "play_keys.js", "play_form.js", "rules.js")
FILES = (*STYLES, *SCRIPTS, "rules.html")
POLL_S = 0.04  # how soon a change is seen
PATIENCE_S = 20.0  # after which a page is answered that nothing has changed
BAD_REQUEST, NOT_FOUND, CONFLICT, GONE, FAILED = 400, 404, 409, 410, 500
MOST_TEXT = 500  # characters of an error, which may repeat what came
_NUMBER = re.compile("[0-9]{1,15}")


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `play`."""

    move: str
    ply: int


class Switch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `analyse`."""

    on: bool


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `load`."""

    text: str


class Ply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `rewind`."""

    ply: int


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of the other commands."""


Command = tuple[type[Any], Callable[[PlayTable, Any], None]]  # the body's type, and what is done with it

COMMANDS: Mapping[str, Command] = {
    "new": (NewGameTerms, lambda table, terms: table.new_game(terms)),
    "play": (Move, lambda table, body: table.play(body.move, body.ply)),
    "load": (Text, lambda table, body: table.load(body.text)),
    "rewind": (Ply, lambda table, body: table.rewind(body.ply)),
    "undo": (Nothing, lambda table, _: table.undo()),
    "resign": (Nothing, lambda table, _: table.resign()),
    "hint": (Nothing, lambda table, _: table.hint()),
    "analyse": (Switch, lambda table, body: table.analyse(body.on)),
    "restart": (Nothing, lambda table, _: table.restart_engine()),
}


class _Site:
    """What the server answers, all of it about one table."""

    def __init__(self, table: PlayTable) -> None:
        self._table = table

    async def get_file(self, request: Request) -> Response:
        """The page, or a file that it is made of."""
        name = request.path_params.get("name", PAGE)
        return FileResponse(STATIC / name) if name in (PAGE, *FILES) else _refuse(f"no file {name!r}", NOT_FOUND)

    async def get_state(self, request: Request) -> Response:
        """The state, as soon as it is a later one than `after`."""
        after = _read_number(request, "after")
        if after is not None:
            await _wait_for_change(self._table, after, request)
        return _answer(await run_in_threadpool(self._table.state))

    async def get_view(self, request: Request) -> Response:
        """The position after `ply` moves."""
        ply = _read_number(request, "ply")
        if ply is None:
            raise HTTPException(BAD_REQUEST, "ply is wanted")
        try:
            return _answer(await run_in_threadpool(self._table.look_at, ply))
        except Refused as error:
            return _refuse(str(error), CONFLICT)

    async def get_board(self, _: Request) -> Response:
        """What all scenes of the game share."""
        return _answer(await run_in_threadpool(self._table.board))

    async def get_choices(self, _: Request) -> Response:
        """What a new game may be played with."""
        return _answer(await run_in_threadpool(describe_choices, self._table))

    async def get_rules(self, _: Request) -> Response:
        """The rules of the game, with pictures."""
        return _answer(await run_in_threadpool(describe_rules, self._table.game))

    async def post_command(self, request: Request) -> Response:
        """Run a command; the new state, or why it cannot be run and has changed nothing."""
        name = request.path_params["name"]
        if name not in COMMANDS:
            return _refuse(f"unknown command {name!r}; known: {', '.join(COMMANDS)}", NOT_FOUND)
        kind, run = COMMANDS[name]
        try:
            body = msgspec.json.decode(await request.body() or b"{}", type=kind)
        except ClientDisconnect:
            return Response(status_code=GONE)  # which nobody gets
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:  # also endless numbers, and what is no text
            return _refuse(f"{name}: {error}", BAD_REQUEST)
        try:
            await run_in_threadpool(run, self._table, body)
        except Refused as error:
            return _refuse(str(error), CONFLICT)
        return _answer(await run_in_threadpool(self._table.state))


def make_app(table: PlayTable, port: int, token: str) -> ASGIApp:
    """The application that serves a table on a port of this machine, to who knows the token."""
    site = _Site(table)
    routes = [
        Route("/", site.get_file),
        Route("/{name}", site.get_file),
        Route("/api/state", site.get_state),
        Route("/api/view", site.get_view),
        Route("/api/board", site.get_board),
        Route("/api/choices", site.get_choices),
        Route("/api/rules", site.get_rules),
        Route("/api/{name}", site.post_command, methods=["POST"]),
    ]
    handlers = {HTTPException: _tell_mistake, Exception: _tell_failure}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), port, token)


def serve(table: PlayTable, port: int, *, browse: bool, tell: Callable[[str], None]) -> None:
    """Serve a table until it is interrupted; raise CommandFailedError where the port cannot be had.

    Port 0 takes any free one; `tell` hears the address.
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
        listener.listen()  # before anybody is told where
        tell(address)
        if browse:
            webbrowser.open(address)
        app = make_app(table, port, token)
        settings = uvicorn.Config(
            app,
            log_config=None,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=1,
            lifespan="off",
            ws="none",
        )
        with logging_lines():
            uvicorn.Server(settings).run(sockets=[listener])


async def _wait_for_change(table: PlayTable, version: int, request: Request) -> None:
    """Return when the table's version is another one, the page has gone, or the patience is at its end."""
    for _ in range(int(PATIENCE_S / POLL_S)):
        if table.version != version or await request.is_disconnected():
            return
        await asyncio.sleep(POLL_S)


def _read_number(request: Request, name: str) -> int | None:
    """A whole number of the address, None where it has none; raise HTTPException where something else stands there."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not _NUMBER.fullmatch(text):
        raise HTTPException(BAD_REQUEST, f"{name}: a whole number is wanted, not {text[:40]!r}")
    return int(text)


async def _tell_mistake(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _refuse(str(error.detail), error.status_code)


async def _tell_failure(_: Request, error: Exception) -> Response:
    return _refuse(f"{type(error).__name__}: {error}", FAILED)


def _answer(content: object) -> Response:
    return Response(msgspec.json.encode(content), media_type="application/json")


def _refuse(text: str, status: int) -> Response:
    return JSONResponse({"error": make_printable(text[:MOST_TEXT], "\n")}, status_code=status)
