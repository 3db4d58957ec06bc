"""Nobody but our own page drives the play page's server, and nothing that is sent to it makes it fail."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from arena.web.play import server
from arena.web.play.guard import MOST_BYTES
from arena.web.play.server import COMMANDS, FILES, MOST_TEXT, PAGE, serve
from arena.web.play.table import PlayTable
from bots.registry import GAMES
from tests.arena.web.players import ORIGIN, PORT, TOKEN, Client, lay_table, state_of


def test_other_pages_are_refused(client: Client) -> None:
    """DNS rebinding: a foreign name that points here, or a foreign page that posts here, would start programs."""
    page = client()
    for host in ("evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", ""):
        assert page.get("/api/state", headers={"host": host}).status_code == 403
    assert page.get("/api/state", headers={"host": f"localhost:{PORT}"}).status_code == 200
    for origin in ("http://evil.example", f"http://127.0.0.1:{PORT + 1}", "null", ""):
        assert page.post("/api/undo", json={}, headers={"origin": origin}).status_code == 403
    form = page.post("/api/undo", content="{}", headers={"content-type": "text/plain"})
    assert form.status_code == 403
    assert page.post("/api/undo", json={"x": "x" * MOST_BYTES}).status_code == 403
    assert page.post("/api/undo", json={}, headers={"content-length": "9" * 5000}).status_code == 403
    assert page.post("/api/undo", json={}, headers={b"content-length": b"\xb2"}).status_code == 403
    assert "default-src 'self'" in page.get("/").headers["content-security-policy"]


PATHS = ("", "page.css", "api/state", "api/board", "api/choices", "api/rules", "api/view?ply=0")


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_answered_without_the_token(client: Client, path: str) -> None:
    """Other programs of this machine can name any host and any page, but not the token."""
    page = client()
    for start in ("", f"{TOKEN[:-1]}/", f"{TOKEN}x/", f"/{TOKEN}/", f"{TOKEN.upper()}/", "%C3%A4/", "api/"):
        assert page.get(f"{ORIGIN}/{start}{path}").status_code == 403, start
    assert page.get(f"{ORIGIN}/{TOKEN}/{path}").status_code == 200


def test_no_command_is_taken_without_the_token(client: Client) -> None:
    page = client()
    before = state_of(page)
    for name in ("new", "play", "resign", "analyse"):
        body = {"opponent": "random"} if name == "new" else {}
        assert page.post(f"{ORIGIN}/api/{name}", json=body).status_code == 403
    assert state_of(page) == before


def test_websocket_is_refused(client: Client) -> None:
    """Pages of other sites may open one to any host."""
    with pytest.raises(WebSocketDisconnect), client().websocket_connect("/api/state"):
        pass


def test_each_server_has_a_token_of_its_own(tables: list[PlayTable], monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is found at the address that is told, and nowhere beside it."""
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
    tables.append(lay_table(GAMES["gomoku"], []))
    told: list[str] = []
    for _ in range(2):
        serve(tables[0], 0, browse=False, tell=told.append)
    tokens = [re.fullmatch(r"http://127\.0\.0\.1:\d+/([\w-]{32,})/", address) for address in told]
    assert all(tokens)
    assert len({token[1] for token in tokens if token}) == 2


def test_address_is_told_when_it_answers(tables: list[PlayTable], monkeypatch: pytest.MonkeyPatch) -> None:
    """Who opens the page at once, as a browser that runs already does, must find the door open."""
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
    tables.append(lay_table(GAMES["gomoku"], []))
    met: list[bool] = []

    def connect(address: str) -> None:
        found = re.fullmatch(r"http://(.+):(\d+)/.*", address)
        assert found
        with socket.create_connection((found[1], int(found[2])), timeout=5):
            met.append(True)

    serve(tables[0], 0, browse=False, tell=connect)
    assert met == [True]


def test_pages_name_their_parts_below_the_token() -> None:
    """A file that is named from the root of the server would be asked for without the token."""
    for name in (PAGE, *FILES):
        text = (server.STATIC / name).read_text(encoding="utf-8")
        assert not re.findall(r"""(?:href|src|action)=["']/|(?:ask|fetch)\(["'`]/""", text), name


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
def test_parameters_that_are_none_are_refused(client: Client, path: str, status: int) -> None:
    """A version of 5,000 digits ended in a traceback, as Python turns no such text into a number."""
    answer = client().get(f"/api/{path}")
    assert answer.status_code == status
    assert 0 < len(answer.json()["error"]) < 200


TAKE_NOTHING = ("undo", "resign", "hint", "restart")  # whose body may be empty
DEEP = "[" * 30_000
HUGE = "1" * 5000  # Python makes no number of so many digits
LONG = '"' + "x" * 9000 + '"'
SURROGATE, NUL = '"\\ud800"', '"\\u0000"'
VALUES = {  # of each field that some command has
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
OTHERS = {"ply": '"move":"h8"', "move": '"ply":0', "text": "", "on": "", "opponent": ""}
BODIES: tuple[str | bytes, ...] = (
    *("", "null", "[]", "1", '"x"', "{", "{]", "\x00", '{"a":1}', HUGE, "-" * 5000, "1e999", "NaN"),
    *(DEEP, '{"x":' + DEEP, '{"move":' + DEEP, '{"text":' + DEEP, '{"a":' * 30_000, "{" * 5000),
    *(b"\xff\xfe", b'{"move":"\xff","ply":0}', b'{"text":"\xff"}'),
)


def list_bodies(command: str) -> Iterator[str | bytes]:
    """What may be sent as the body of a command, each of its fields with all that it must not be."""
    yield from BODIES
    for field in COMMANDS[command][0].__struct_fields__:
        beside = OTHERS.get(field, '"opponent":"random"')
        yield from ("{" + ",".join(filter(None, (beside, f'"{field}":{value}'))) + "}" for value in VALUES[field])


@pytest.mark.parametrize("game", ["gomoku", "hex", "hive"])
def test_no_body_makes_the_server_fail(client: Client, game: str) -> None:
    """Whatever stands in it is taken, or refused in words, and changes nothing then."""
    page = client(game, side="both", size=None if game == "hive" else 5)
    for name in COMMANDS:
        before = state_of(page)
        for body in list_bodies(name):
            answer = page.post(f"/api/{name}", content=body, headers={"content-type": "application/json"})
            case = name, body[:60]
            if answer.status_code == 200:
                assert (name in TAKE_NOTHING and body == "") or '"opponent":"random"' in str(body), case
                before = state_of(page)
                continue
            assert answer.status_code in (400, 409), case
            assert 0 < len(answer.json()["error"]) <= MOST_TEXT, case
        after = state_of(page)
        assert {**after, "version": 0} == {**before, "version": 0}, name


def test_client_that_leaves_within_a_body_is_no_failure(tables: list[PlayTable]) -> None:
    """Each of them wrote a traceback to standard error."""
    table = lay_table(GAMES["gomoku"], [])
    tables.append(table)
    headers = {"host": f"127.0.0.1:{PORT}", "origin": ORIGIN, "content-type": "application/json"}
    headers["content-length"] = "99"
    path = f"/{TOKEN}/api/play"
    scope: dict[str, Any] = {"type": "http", "method": "POST", "path": path, "query_string": b"", "root_path": ""}
    scope["headers"] = [(name.encode(), value.encode()) for name, value in headers.items()]
    came = iter([{"type": "http.request", "body": b'{"mo', "more_body": True}, {"type": "http.disconnect"}])
    sent: list[Any] = []

    async def receive() -> Any:
        return next(came)

    async def send(message: Any) -> None:
        sent.append(message)

    async def ask() -> None:
        await server.make_app(table, PORT, TOKEN)(scope, receive, send)

    before = table.version
    asyncio.run(ask())
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    assert next(came, None) is None
    assert table.version == before
