"""Security of the play page's server: foreign requests are refused, and no request makes the server fail.

`client` starts a session; the `browser` that it returns is an HTTP client that may use the session's server.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from arena.web.play import server
from arena.web.play.guard import MAX_BODY_BYTES
from arena.web.play.server import COMMANDS, MAX_ERROR_LENGTH, PAGE, RULES_PAGE, serve
from arena.web.play.session import PlaySession
from arena.web.served_page import load_pages
from bots.registry import GAMES
from tests.arena.web.players import ORIGIN, PORT, TOKEN, Client, make_fake_session, state_of


def test_requests_of_other_pages_are_refused(client: Client) -> None:
    """If they were answered, a foreign page could start programs, by DNS rebinding or by a cross-site request."""
    browser = client()
    for host in ("evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", ""):
        assert browser.get("/api/state", headers={"host": host}).status_code == 403
    assert browser.get("/api/state", headers={"host": f"localhost:{PORT}"}).status_code == 200
    for origin in ("http://evil.example", f"http://127.0.0.1:{PORT + 1}", "null", ""):
        assert browser.post("/api/undo", json={}, headers={"origin": origin}).status_code == 403
    answer = browser.post("/api/undo", content="{}", headers={"content-type": "text/plain"})
    assert answer.status_code == 403
    assert browser.post("/api/undo", json={"x": "x" * MAX_BODY_BYTES}).status_code == 403
    assert browser.post("/api/undo", json={}, headers={"content-length": "9" * 5000}).status_code == 403
    assert browser.post("/api/undo", json={}, headers={b"content-length": b"\xb2"}).status_code == 403
    assert "default-src 'self'" in browser.get("/").headers["content-security-policy"]


PATHS = (  # addresses of pages, files and data, which are requested without a body
    "",
    "page.css",
    "api/state",
    "api/board",
    "api/choices",
    "api/rules",
    "api/view?ply=0",
)


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_answered_without_the_token(client: Client, path: str) -> None:
    """Other programs on this machine can forge the host and origin headers, but do not know the token."""
    browser = client()
    for prefix in ("", f"{TOKEN[:-1]}/", f"{TOKEN}x/", f"/{TOKEN}/", f"{TOKEN.upper()}/", "%C3%A4/", "api/"):
        assert browser.get(f"{ORIGIN}/{prefix}{path}").status_code == 403, prefix
    assert browser.get(f"{ORIGIN}/{TOKEN}/{path}").status_code == 200


def test_commands_are_refused_without_the_token(client: Client) -> None:
    browser = client()
    previous_state = state_of(browser)
    for name in ("new", "play", "resign", "analyse"):
        body = {"opponent": "random"} if name == "new" else {}
        assert browser.post(f"{ORIGIN}/api/{name}", json=body).status_code == 403
    assert state_of(browser) == previous_state


def test_websocket_is_refused(client: Client) -> None:
    """Browsers let pages of other sites open a web socket to any host."""
    with pytest.raises(WebSocketDisconnect), client().websocket_connect("/api/state"):
        pass


def test_each_server_has_another_token(sessions: list[PlaySession], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
    sessions.append(make_fake_session(GAMES["gomoku"], []))
    addresses: list[str] = []
    for _ in range(2):
        serve(sessions[0], 0, browse=False, announce=addresses.append)
    tokens = [re.fullmatch(r"http://127\.0\.0\.1:\d+/([\w-]{32,})/", address) for address in addresses]
    assert all(tokens)
    assert len({token[1] for token in tokens if token}) == 2


def test_server_listens_before_the_address_is_announced(
    sessions: list[PlaySession], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A running browser opens the page at once, and its connection must not be refused."""
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
    sessions.append(make_fake_session(GAMES["gomoku"], []))
    connections: list[bool] = []

    def connect(address: str) -> None:
        match = re.fullmatch(r"http://(.+):(\d+)/.*", address)
        assert match
        with socket.create_connection((match[1], int(match[2])), timeout=5):
            connections.append(True)

    serve(sessions[0], 0, browse=False, announce=connect)
    assert connections == [True]


def test_pages_use_relative_addresses() -> None:
    """An address that begins with a slash lacks the token, so the request would be refused."""
    for name, file in load_pages(PAGE, RULES_PAGE).items():
        text = bytes(file.body).decode()
        assert not re.findall(r"""(?:href|src|action)=["']/|(?:request|fetch)\(["'`]/""", text), name


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("state?after=" + "1" * 5000, 400),
        ("state?after=x", 400),
        ("state?after=", 400),
        ("state?after=-1", 400),
        ("state?after=%C2%B2", 400),
        ("state?after=%00", 400),
        ("view", 400),
        ("view?ply=" + "1" * 5000, 400),
        ("view?ply=" + "9" * 15, 409),
        ("view?ply=1", 409),
        ("view?ply=-1", 400),
        ("view?ply=0.5", 400),
        ("nothing", 405),
        ("", 404),
    ],
)
def test_wrong_parameters_and_addresses_are_refused(client: Client, path: str, status: int) -> None:
    """Regression: an `after=` of 5,000 digits used to cause a traceback; Python converts at most 4,300 digits."""
    answer = client().get(f"/api/{path}")
    assert answer.status_code == status
    assert 0 < len(answer.json()["error"]) < 200


WITHOUT_BODY = ("undo", "resign", "hint", "restart")  # commands that may succeed in this test with an empty body
DEEP = "[" * 30_000  # JSON with more nested lists than a parser accepts
HUGE = "1" * 5000  # more digits than Python converts to a number
LONG = '"' + "x" * 9000 + '"'
SURROGATE, NUL = '"\\ud800"', '"\\u0000"'
WRONG_VALUES = {  # by field of the commands, as JSON
    "ply": (HUGE, "1e400", "0.5", "-1", "null", '"0"', "true", "[0]", "9" * 20),
    "move": (SURROGATE, NUL, LONG, "{}", "1", '""'),
    "text": (SURROGATE, NUL, LONG, "null", '""', '"(;' + "(" * 9000 + '"', '"# from ' + "/" * 9000 + '"'),
    "on": ("1", "null", '"yes"'),
    "size": (HUGE, "9" * 20, "-1", "0", '"9"'),
    "level": (HUGE, "9" * 20, "0", "1.5"),
    "move_time_ms": (HUGE, "1e30", "0", "-5", "null"),
    "variant": (SURROGATE, LONG, "7", '"rule-"', '"rule-' + HUGE + '"'),
    "opponent": (SURROGATE, LONG, "null", "[]"),
    "person": (SURROGATE, LONG, '"all"', "0"),
}
OTHER_FIELDS = {  # by field with a wrong value: the other fields that its command requires; else `opponent`
    "ply": '"move":"h8"',
    "move": '"ply":0',
    "text": "",
    "on": "",
    "opponent": "",
}
WRONG_BODIES: tuple[str | bytes, ...] = (  # for every command
    *("", "null", "[]", "1", '"x"', "{", "{]", "\x00", '{"a":1}', HUGE, "-" * 5000, "1e999", "NaN"),
    *(DEEP, '{"x":' + DEEP, '{"move":' + DEEP, '{"text":' + DEEP, '{"a":' * 30_000, "{" * 5000),
    *(b"\xff\xfe", b'{"move":"\xff","ply":0}', b'{"text":"\xff"}'),
)


def list_wrong_bodies(command: str) -> Iterator[str | bytes]:
    """Yield wrong bodies for a command: the general ones, then one for each wrong value of each field."""
    yield from WRONG_BODIES
    for field in COMMANDS[command][0].__struct_fields__:
        others = OTHER_FIELDS.get(field, '"opponent":"random"')
        yield from ("{" + ",".join(filter(None, (others, f'"{field}":{value}'))) + "}" for value in WRONG_VALUES[field])


@pytest.mark.parametrize("game", ["gomoku", "hex", "hive"])
def test_no_body_makes_the_server_fail(client: Client, game: str) -> None:
    """Each body is refused with an error and changes nothing, or it is one of the few that are valid."""
    browser = client(game, side="both", size=None if game == "hive" else 5)
    for name in COMMANDS:
        state = state_of(browser)
        for body in list_wrong_bodies(name):
            answer = browser.post(f"/api/{name}", content=body, headers={"content-type": "application/json"})
            case = name, body[:60]
            if answer.status_code == 200:
                assert (name in WITHOUT_BODY and body == "") or '"opponent":"random"' in str(body), case
                state = state_of(browser)
                continue
            assert answer.status_code in (400, 409), case
            assert 0 < len(answer.json()["error"]) <= MAX_ERROR_LENGTH, case
        final_state = state_of(browser)
        assert {**final_state, "version": 0} == {**state, "version": 0}, name


def test_client_may_disconnect_within_a_body(sessions: list[PlaySession]) -> None:
    """Regression: each such client used to cause a traceback on standard error."""
    session = make_fake_session(GAMES["gomoku"], [])
    sessions.append(session)
    headers = {"host": f"127.0.0.1:{PORT}", "origin": ORIGIN, "content-type": "application/json"}
    headers["content-length"] = "99"
    path = f"/{TOKEN}/api/play"
    scope: dict[str, Any] = {"type": "http", "method": "POST", "path": path, "query_string": b"", "root_path": ""}
    scope["headers"] = [(name.encode(), value.encode()) for name, value in headers.items()]
    received = iter([{"type": "http.request", "body": b'{"mo', "more_body": True}, {"type": "http.disconnect"}])
    sent: list[Any] = []

    async def receive() -> Any:
        return next(received)

    async def send(message: Any) -> None:
        sent.append(message)

    async def send_request() -> None:
        await server.make_app(session, PORT, TOKEN)(scope, receive, send)

    previous_version = session.version
    asyncio.run(send_request())
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    assert next(received, None) is None
    assert session.version == previous_version
