"""The server of the page of a run: what it answers, to whom, and that no viewer can delay anything."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import msgspec
import pytest
from msgspec import structs
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from arena.errors import CommandFailedError
from arena.log.events import EngineEntry, PairEnded, RunEnded
from arena.log.file import LOG_NAME, LogError
from arena.log.follow import LogFollower
from arena.terms.ending import Ending
from arena.web.live import feed as feed_module
from arena.web.live.feed import KEEP_ALIVE_S, RING_SIZE, TICK_S, LiveFeed
from arena.web.live.page_data import PLAYING, SILENT, LiveUpdate
from arena.web.live.server import PAGE, EventStream, LiveServer, make_live_app, serve_live
from arena.web.served_page import load_pages
from tests.arena.web.live.run_writer import RunWriter, make_entry
from tests.waiting import wait_until

PORT, TOKEN = 8765, "a-token"
ORIGIN = f"http://127.0.0.1:{PORT}"
SECRET = "s3cret"
FILES = load_pages(PAGE)
EVIL_HOSTS = ("evil.example", f"evil.example:{PORT}", "", "127.0.0.1.evil.example", "[::1].evil.example", "1:2:3")


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[RunWriter]:
    """Yield a run that has begun."""
    writer = RunWriter(tmp_path, games=400)
    writer.begin()
    yield writer
    writer.close()


@contextmanager
def serving(directory: Path, *, is_public: bool = False) -> Iterator[str]:
    """Serve the page of a run from a thread and yield its address."""
    addresses: list[str] = []
    servers: list[LiveServer] = []
    listens = threading.Event()

    def announce(address: str) -> None:
        addresses.append(address)
        listens.set()

    thread = threading.Thread(
        target=lambda: serve_live(directory, 0, is_public=is_public, announce=announce, on_server=servers.append)
    )
    thread.start()
    assert listens.wait(30)
    yield addresses[0]
    servers[0].end()
    thread.join(30)
    assert not thread.is_alive()


def read_updates(lines: Iterator[str]) -> Iterator[LiveUpdate]:
    """Yield the updates of an event stream up to its end."""
    for line in lines:
        if line == "event: goodbye":
            return
        if line.startswith('data: {"'):  # not the empty data of a sign of life
            yield msgspec.json.decode(line.removeprefix("data: "), type=LiveUpdate)


def open_page(directory: Path, token: str = TOKEN, max_viewers: int = 10) -> TestClient:
    feed = LiveFeed(directory)
    feed.read()
    return TestClient(make_live_app(feed, PORT, token, max_viewers), base_url=f"{ORIGIN}/{token}" if token else ORIGIN)


def test_only_this_machine_with_the_token_can_read(writer: RunWriter) -> None:
    """A foreign page must not read a private run, neither by DNS rebinding nor by a guess."""
    page = open_page(writer.directory)
    paths = ("", "snapshot", "events", *FILES)
    for path in paths:
        for host in (*EVIL_HOSTS, f"127.0.0.1:{PORT + 1}", f"192.168.1.2:{PORT}"):
            assert page.get(f"/{path}", headers={"host": host}).status_code == 403
        for prefix in ("", "wrong/", f"{TOKEN}x/"):
            assert page.get(f"{ORIGIN}/{prefix}{path}").status_code == 403
        answer = page.head(f"/{path}") if path == "events" else page.get(f"/{path}")
        assert answer.status_code == 200
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert "access-control-allow-origin" not in answer.headers
    assert page.get("/play.js").status_code == 404
    assert page.get(f"/{LOG_NAME}").status_code == 404
    with pytest.raises(WebSocketDisconnect), page.websocket_connect("/events"):
        pass


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("token", [TOKEN, ""])
def test_no_request_changes_anything(writer: RunWriter, method: str, token: str) -> None:
    page = open_page(writer.directory, token)
    before = page.get("/snapshot").json()
    for path in ("/", "/snapshot", "/events", "/page.css", "/nothing", "/a/b"):
        headers = {"origin": ORIGIN, "content-type": "application/json"}
        status = page.request(method, path, content="{}", headers=headers).status_code
        assert status in (403, 404, 405) if token else status == 405, path
    assert page.get("/snapshot").json() == before


def test_public_page_needs_no_token_but_a_name_of_this_machine(writer: RunWriter) -> None:
    page = open_page(writer.directory, "")
    for host in ("127.0.0.1:8765", "192.168.1.2:8765", "localhost", "[2001:db8::1]:80", "[::1]", "10.0.0.1"):
        assert page.get("/snapshot", headers={"host": host}).status_code == 200, host
    for host in EVIL_HOSTS:
        assert page.get("/snapshot", headers={"host": host}).status_code == 403, host
        assert page.get("/", headers={"host": host}).status_code == 403, host
    with pytest.raises(WebSocketDisconnect), page.websocket_connect("/events"):
        pass


def list_texts(value: Any) -> Iterator[str]:
    """Yield all texts in a JSON value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from list_texts(part)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from list_texts(part)


def write_secret_run(directory: Path) -> RunWriter:
    """Write a run with SECRET in all that the public must not see: commands, paths, messages, reasons, variations."""
    path = f"/home/{SECRET}/engines"
    engine = EngineEntry(
        "A",
        command=f"{path}/brain --key {SECRET}",
        directory=path,
        options=((SECRET, SECRET),),
        environment=((SECRET, SECRET),),
        file_hash=SECRET,
        source=f"{path}/x.py",
    )
    writer = RunWriter(
        directory,
        games=8,
        engines=(engine, EngineEntry("B", player=f"{path}/p.py:P:{SECRET}=1"), EngineEntry(f"{path}/C")),
        openings=f"{path}/book.txt",
        openings_hash=SECRET,
        command_line=("pentad", "match", f"{path}"),
        versions={SECRET: SECRET},
        machine={"cpu": SECRET, "system": SECRET, SECRET: SECRET},
        started=SECRET,
        site=SECRET,
    )
    writer.begin()
    secret = {"messages": (SECRET,), "pv": (SECRET, f"{path}/x"), "result": SECRET}
    for number, ending in enumerate(Ending, 1):
        names = ("A", "B") if number % 2 else ("B", "A")
        writer.start(number, *names)
        winner = names[0] if ending in (Ending.WIN, Ending.RESIGNED, Ending.ADJUDICATED) else ""
        blamed = "" if winner or ending in (Ending.DRAW, Ending.MOVE_CAP) else names[1]
        winner = winner or ("" if not blamed or ending is Ending.VOID else names[0])
        moves = (make_entry(0, **secret), make_entry(1, pv=("b1", SECRET), messages=(SECRET,)))
        fields: dict[str, Any] = {
            "ending": ending,
            "winner": winner,
            "blamed": blamed,
            "detail": f"{path}: {SECRET}",
            "moves": moves,
        }
        writer.end(number, *names, messages=(SECRET,), stderr=(SECRET, SECRET), **fields)
        if number % 2 == 0:
            writer.write(PairEnded(number // 2, worker=SECRET))
    writer.start(15)
    writer.games.write_move(15, [make_entry(0, **(secret | {"pv": ("b1", SECRET)}))])
    writer.start(16, "B", "A")
    writer.games.write_move(16, [make_entry(0, **secret), make_entry(1, move=f"{path}/move")])
    return writer


def test_public_bytes_have_no_path_command_or_message(tmp_path: Path) -> None:
    """Everything that the server can send is searched, the answers to wrong requests too."""
    writer = write_secret_run(tmp_path)
    page = open_page(tmp_path, "")
    answers = [page.get(f"/{path}") for path in ("", *FILES, "snapshot", "nothing", "a/b", "..%2flog.jsonl", LOG_NAME)]
    answers += [page.get("/snapshot", headers={"host": "evil.example"}), page.post("/snapshot"), page.head("/events")]
    with serving(tmp_path, is_public=True) as address, httpx.stream("GET", f"{address}events") as stream:
        lines = stream.iter_lines()
        received = [next(lines)]
        writer.play(1, 1)
        writer.write(RunEnded(12, 24, f"A failed: /home/{SECRET}/x"))
        with (tmp_path / LOG_NAME).open("ab") as log:
            log.write(f'{{"event":"{SECRET}"}}\n'.encode())  # a wrong line
        while "cannot be read" not in received[-1]:
            received.append(next(lines))
        headers = str(stream.headers)
    texts = [*received, headers, *(f"{answer.headers} {answer.text}" for answer in answers)]
    for text in texts:
        assert SECRET not in text
        assert str(tmp_path) not in text
    updates = [line.removeprefix("data: ") for line in received if line.startswith("data: ")]
    json_texts = {text for update in updates for text in list_texts(json.loads(update))}
    assert {"A", "B", "C", "time", "void", "stopped", "b1"} <= json_texts
    assert not [text for text in json_texts if "/" in text or "\\" in text]
    writer.close()


def test_viewers_get_a_snapshot_and_then_each_change(writer: RunWriter) -> None:
    writer.play_pair(1)
    with serving(writer.directory) as address, httpx.stream("GET", f"{address}events") as stream:
        updates = read_updates(stream.iter_lines())
        first = next(updates)
        assert first.is_snapshot
        assert first.status
        assert first.status.played == 2
        assert stream.headers["content-type"].startswith("text/event-stream")
        writer.start(3)
        assert next(update for update in updates if update.boards).boards[0].number == 3
        writer.play(3, 2)
        board = next(update for update in updates if update.boards).boards[0]
        assert (board.plies, board.is_new) == (2, False)


def test_last_state_is_sent_before_the_server_ends(writer: RunWriter) -> None:
    """`pentad match --live` ends its server when the run has ended; viewers must see the final result."""
    with serving(writer.directory) as address:
        received: list[LiveUpdate] = []
        is_connected = threading.Event()

        def read() -> None:
            with httpx.stream("GET", f"{address}events") as stream:
                for update in read_updates(stream.iter_lines()):
                    received.append(update)
                    is_connected.set()

        thread = threading.Thread(target=read)
        thread.start()
        assert is_connected.wait(30)
        writer.play_pair(1)
        writer.write(RunEnded(2, 400, ""))
    thread.join(30)
    assert not thread.is_alive()
    status = next(update.status for update in reversed(received) if update.status)
    assert (status.state, status.played) == ("finished", 2)
    assert any(update.standings for update in received)


class FakeConnection:
    """An ASGI connection of a viewer; while `is_open` is not set, `send` does not return."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.is_open = asyncio.Event()
        self.is_open.set()
        self.has_left = asyncio.Event()

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.body":
            self.bodies.append(message["body"])
            await self.is_open.wait()

    async def receive(self) -> Any:
        await self.has_left.wait()
        return {"type": "http.disconnect"}

    def updates(self) -> list[LiveUpdate]:
        return list(read_updates(iter(b"".join(self.bodies).decode().splitlines())))

    async def wait_for(self, count: int) -> None:
        """Wait until at least `count` bodies were sent."""
        while len(self.bodies) < count:
            await asyncio.sleep(0.002)


def test_stalled_viewer_delays_nobody_and_gets_a_snapshot_later(
    writer: RunWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing piles up for it: the server keeps RING_SIZE messages, however many viewers stall."""
    monkeypatch.setattr(feed_module, "TICK_S", 0.002)

    async def watch() -> tuple[FakeConnection, FakeConnection]:
        feed = LiveFeed(writer.directory)
        feed.start()
        stalled, reader = FakeConnection(), FakeConnection()
        tasks = [asyncio.create_task(EventStream(feed)({}, one.receive, one.send)) for one in (stalled, reader)]
        await stalled.wait_for(1)
        await reader.wait_for(1)
        stalled.is_open.clear()
        writer.start(1)
        await stalled.wait_for(2)  # this message is being sent; the viewer does not read it
        for number in range(2, 3 * RING_SIZE):
            count = len(reader.bodies)
            writer.start(number, *(("A", "B") if number % 2 else ("B", "A")))
            await reader.wait_for(count + 1)
        assert len(feed._ring) <= RING_SIZE
        assert len(stalled.bodies) == 2
        stalled.is_open.set()
        await stalled.wait_for(3)
        feed.stop()
        await asyncio.wait_for(asyncio.gather(*tasks), 30)
        assert feed.viewers == 0
        return stalled, reader

    stalled, reader = asyncio.run(watch())
    updates = stalled.updates()
    assert [update.is_snapshot for update in updates[:3]] == [True, False, True]
    assert len(updates[2].boards) == 3 * RING_SIZE - 1
    assert not any(update.is_snapshot for update in reader.updates()[1:])
    assert [board.number for update in reader.updates() for board in update.boards if board.is_new] == [
        *range(1, 3 * RING_SIZE)
    ]
    for connection in (stalled, reader):
        assert connection.bodies[-1] == feed_module.GOODBYE


def test_viewer_that_leaves_is_forgotten(writer: RunWriter) -> None:
    async def watch() -> None:
        feed = LiveFeed(writer.directory)
        feed.start()
        connection = FakeConnection()
        task = asyncio.create_task(EventStream(feed)({}, connection.receive, connection.send))
        await connection.wait_for(1)
        assert feed.viewers == 1
        connection.has_left.set()
        await asyncio.wait_for(task, 30)
        assert feed.viewers == 0
        feed.stop()

    asyncio.run(watch())


def test_number_of_viewers_is_bounded(writer: RunWriter) -> None:
    """The page says so before the browser loads its files."""
    page = open_page(writer.directory, "", max_viewers=0)
    for path in ("/events", "/"):
        answer = page.get(path)
        assert answer.status_code == 503
        assert "as many viewers as it can serve" in answer.text


def test_messages_are_few_and_connections_stay_open() -> None:
    """A board changes at most five times per second, and proxies close connections that are silent for a minute."""
    assert TICK_S >= 0.2
    assert KEEP_ALIVE_S < 60


def test_silent_run_sends_signs_of_life(writer: RunWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_module, "KEEP_ALIVE_S", 0.01)
    monkeypatch.setattr(feed_module, "TICK_S", 0.01)
    with serving(writer.directory) as address, httpx.stream("GET", f"{address}events") as stream:
        lines = stream.iter_lines()
        wait_until(lambda: next(lines) == "event: alive")


def test_another_run_in_the_folder_is_shown(writer: RunWriter) -> None:
    """Every viewer gets a snapshot, because nothing of the old run remains."""
    writer.play_pair(1)
    with serving(writer.directory) as address, httpx.stream("GET", f"{address}events") as stream:
        updates = read_updates(stream.iter_lines())
        assert next(updates).results
        writer.log.__exit__(None, None, None)
        (writer.directory / LOG_NAME).unlink()
        other = RunWriter(writer.directory, "XYZ")
        other.begin()
        snapshot = next(update for update in updates if update.is_snapshot)
        status = snapshot.status
        while not (status and status.names == ("X", "Y", "Z")):
            status = next(updates).status
        other.close()


def test_feed_goes_on_after_a_failure_to_open_files(writer: RunWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood of connections may use up all file descriptors for a moment."""
    with serving(writer.directory) as address, httpx.stream("GET", f"{address}events") as stream:
        updates = read_updates(stream.iter_lines())
        assert next(updates).is_snapshot

        def fail(*_: object) -> None:
            raise LogError("too many open files")

        with monkeypatch.context() as patch:
            patch.setattr(LogFollower, "poll", fail)
            writer.play_pair(1)
            assert next(update.status.problem for update in updates if update.status)
        status = next(update.status for update in updates if update.status)
        assert (status.problem, status.played) == ("", 2)


def test_run_that_was_killed_is_shown_as_interrupted_when_its_page_ends(writer: RunWriter) -> None:
    """The server of `pentad match --live` ends with the match, before its signs of life are missed."""
    writer.start(1)
    received: list[LiveUpdate] = []
    with serving(writer.directory) as address:
        stream = httpx.stream("GET", f"{address}events")
        updates = read_updates(stream.__enter__().iter_lines())
        received.append(next(updates))
    received.extend(updates)
    stream.__exit__(None, None, None)
    statuses = [update.status for update in received if update.status]
    assert [statuses[0].state, statuses[-1].state] == [PLAYING, SILENT]
    assert received[-1].boards[0].elapsed_ms is None


def test_requests_for_snapshots_are_not_all_computed(writer: RunWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot of 20 boards takes milliseconds; anybody may ask for thousands."""
    feed = LiveFeed(writer.directory)
    feed.read()
    first = feed.take_snapshot()
    writer.start(1)
    feed.read()
    assert feed.take_snapshot() is first
    monkeypatch.setattr(feed_module, "TICK_S", 0)
    assert b'"number":1' in feed.take_snapshot()[1]


def test_clock_of_a_snapshot_is_right(writer: RunWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has changed since the snapshot before it, but the time of the move."""
    monkeypatch.setattr(feed_module, "TICK_S", 0)
    writer.start(1)
    feed = LiveFeed(writer.directory)
    feed.read()

    def elapsed_ms() -> int:
        update = msgspec.json.decode(feed.take_snapshot()[1].removeprefix(b"data: "), type=LiveUpdate)
        return update.boards[0].elapsed_ms or 0

    first = elapsed_ms()
    wait_until(lambda: elapsed_ms() > first)


def test_wrong_log_is_refused(writer: RunWriter) -> None:
    with (writer.directory / LOG_NAME).open("ab") as log:
        log.write(b"{}\n")
    with pytest.raises(LogError, match="line 2"):
        serve_live(writer.directory, 0, is_public=False, announce=pytest.fail)


def test_port_in_use_is_an_error(writer: RunWriter) -> None:
    with serving(writer.directory) as address:
        port = int(address.split(":")[2].partition("/")[0])
        for is_public in (False, True):
            with pytest.raises(CommandFailedError, match=f"port {port}: "):
                serve_live(writer.directory, port, is_public=is_public, announce=pytest.fail)


def test_page_uses_relative_addresses_and_its_own_files() -> None:
    """The policy of the server allows no other addresses and no script inside the page."""
    text = PAGE.render()
    for name in set(FILES) - {PAGE.name}:
        assert f'"{name}"' in text
    assert "http" not in text
    assert "<style" not in text
    assert structs.fields(LiveUpdate)
