"""Access control of the page of a run that everybody may see (`--public`).

The page has no token and no control: only reading requests are answered. The `Host` header must be an IP address or a
name of this machine, so a foreign site whose host name resolves to this machine (DNS rebinding) cannot read a page that
only a local network can reach. Answers allow no other site to read them, because they have no CORS headers.
"""

from __future__ import annotations

import ipaddress
import socket

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.web.play.guard import WEBSOCKET_REFUSED, add_security_headers

READING_METHODS = ("GET", "HEAD")


class PublicGuard:
    """ASGI middleware that answers 403 or 405 to requests that fail a check, and passes the others to `app`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        name = socket.gethostname().lower()
        self._names = {"localhost", name, f"{name}.local", socket.getfqdn().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request: the interface of ASGI."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": WEBSOCKET_REFUSED})  # the page uses no web socket
        if scope["type"] != "http":
            return
        send = add_security_headers(send)
        if scope["method"] not in READING_METHODS:
            answer = JSONResponse({"error": "this page can only be read"}, 405, {"allow": ", ".join(READING_METHODS)})
            await answer(scope, receive, send)
        elif not self._is_own_name(Headers(scope=scope).get("host", "")):
            await JSONResponse({"error": "this server has another name: use its IP address"}, 403)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _is_own_name(self, host: str) -> bool:
        """Return whether a Host header has an IP address or a name of this machine, with any port."""
        name, _, port = host.rpartition(":") if host.rpartition(":")[2].isdecimal() else (host, "", "")
        del port
        if name.lower() in self._names:
            return True
        try:
            ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return False
        return True
