"""Access control of the play page's server. The server starts programs, so only the page that it served may use it.

These checks keep others out:
- Every path begins with a secret token, so other programs on this machine cannot use the server.
- The `Host` header must name this server. A foreign site whose host name resolves to 127.0.0.1 (DNS rebinding) fails.
- A request that changes something must be JSON and come from our page (`Origin` header), so a foreign page cannot send
  it (cross-site request forgery). Its size is limited.
"""

from __future__ import annotations

import re
import secrets

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = "127.0.0.1"
MAX_BODY_BYTES = 200_000  # enough for the record of a long game with the engines' messages
WEBSOCKET_REFUSED = 1008  # close code "policy violation" of RFC 6455
_CONTENT_LENGTH = re.compile("[0-9]{1,9}")
_READING_METHODS = ("GET", "HEAD")
_HEADERS = (
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
)


def make_token() -> str:
    """Return a random token of 192 bits, safe in a URL."""
    return secrets.token_urlsafe(24)


def add_security_headers(send: Send) -> Send:
    """Return a function that sends the messages of an ASGI application with the security headers that they lack."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            names = {name.lower() for name, _ in headers}
            message["headers"] = [*headers, *((name, value) for name, value in _HEADERS if name not in names)]
        await send(message)

    return send_with_headers


class Guard:
    """ASGI middleware that answers 403 to requests that fail a check, and passes the others to `app`.

    `app` gets the token as its root path, so that its routes do not contain it. The guard adds security headers to all
    answers, and refuses web sockets.
    """

    def __init__(self, app: ASGIApp, port: int, token: str) -> None:
        self._app = app
        self._token = token
        self._hosts = {f"{LOOPBACK}:{port}", f"localhost:{port}"}
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request: the interface of ASGI."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": WEBSOCKET_REFUSED})  # the page uses no web socket
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        problem = self._find_problem(scope["method"], scope["path"], Headers(scope=scope))
        send = add_security_headers(send)
        if problem:
            await JSONResponse({"error": problem}, status_code=403)(scope, receive, send)
        else:
            await self._app({**scope, "root_path": f"/{self._token}"}, receive, send)

    def _find_problem(self, method: str, path: str, headers: Headers) -> str:
        """Return the reason why a request is refused, or an empty text if it is allowed."""
        if headers.get("host", "").lower() not in self._hosts:
            return f"this server is not {headers.get('host', '')!r}"
        if not self._has_token(path):
            return "the address must contain the token that the command printed"
        if method in _READING_METHODS:
            return ""
        if headers.get("origin", "") not in self._origins:
            return f"requests from {headers.get('origin', 'no page')!r} are not allowed"
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return "the content type must be application/json"
        length = headers.get("content-length", "")
        fits = _CONTENT_LENGTH.fullmatch(length) and int(length) <= MAX_BODY_BYTES
        return "" if fits else f"the body must have a content-length of at most {MAX_BODY_BYTES} bytes"

    def _has_token(self, path: str) -> bool:
        """Return whether a path begins with the token, in a time that does not depend on where they differ."""
        first_part = path.removeprefix("/").partition("/")[0]
        return secrets.compare_digest(first_part.encode("utf-8", "surrogatepass"), self._token.encode())
