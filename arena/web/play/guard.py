"""Keeps others out: the server starts programs, so only the page that it served itself may talk to it.

Its address has a token, without which nothing at all is answered: other programs of this machine do not know it. A page
of another site can reach a loopback port, also under a name of its own that it lets point to this machine. Such a
request names another host; and a request that changes something names the page it comes from.
"""

from __future__ import annotations

import re
import secrets

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = "127.0.0.1"
MOST_BYTES = 200_000  # of a request's body: a game's record with what the engines told
_LENGTH = re.compile("[0-9]{1,9}")
_SAFE = ("GET", "HEAD")
_HEADERS = (
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
)


def make_token() -> str:
    """A word that nobody guesses."""
    return secrets.token_urlsafe(24)


class Guard:
    """Passes on what comes to our own address and, where it changes something, from our own page; refuses the rest.

    The first part of every path is the token; the application behind sees it as its root.
    """

    def __init__(self, app: ASGIApp, port: int, token: str) -> None:
        self._app = app
        self._token = token
        self._hosts = {f"{LOOPBACK}:{port}", f"localhost:{port}"}
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection of the server."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # there is none here
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        problem = self._find_problem(scope["method"], scope["path"], Headers(scope=scope))

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_HEADERS]
            await send(message)

        if problem:
            await JSONResponse({"error": problem}, status_code=403)(scope, receive, send_guarded)
        else:
            await self._app({**scope, "root_path": f"/{self._token}"}, receive, send_guarded)

    def _find_problem(self, method: str, path: str, headers: Headers) -> str:
        """Why a request is refused; empty where it is not."""
        if headers.get("host", "").lower() not in self._hosts:
            return f"this server is not {headers.get('host', '')!r}"
        if not self._has_token(path):
            return "the whole address is wanted, with the token that `pentad play` has told"
        if method in _SAFE:
            return ""
        if headers.get("origin", "") not in self._origins:
            return f"requests from {headers.get('origin', 'no page')!r} are not taken"
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return "JSON is wanted"
        length = headers.get("content-length", "")
        fits = _LENGTH.fullmatch(length) and int(length) <= MOST_BYTES
        return "" if fits else f"at most {MOST_BYTES} bytes are taken"

    def _has_token(self, path: str) -> bool:
        """Whether a path begins with the token; how long that takes tells nothing about the token."""
        given = path.removeprefix("/").partition("/")[0]
        return secrets.compare_digest(given.encode("utf-8", "surrogatepass"), self._token.encode())
