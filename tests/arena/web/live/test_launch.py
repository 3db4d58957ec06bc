"""`pentad match --live` and `pentad watch` with a real match: the page follows it, and cannot hold it up."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2 as httpx
import psutil
import pytest

from arena.cli import main as cli
from arena.errors import CommandFailedError, UsageError
from arena.log.file import LOG_NAME
from arena.options.match import MatchOptions, configure_match
from arena.run.config import MatchConfig
from arena.run.match import run_match
from arena.web.live import server
from arena.web.live.launch import SERVER_MODULE, serve_in_background, watch_run
from arena.web.live.page_data import LiveUpdate
from tests.arena.fakes import QuietObserver
from tests.arena.web.live.test_server import read_updates
from tests.waiting import wait_until


def configure(out: Path, games: int = 4, **options: Any) -> MatchConfig:
    """Return a match of random players of Gomoku, whose games take a moment."""
    engines = ["player=random,name=A", "player=random:seed=5,name=B"]
    return configure_match(MatchOptions(engine=engines, games=games, size=9, tc="1", out=out, seed=3, **options))


def list_servers(out: Path) -> list[psutil.Process]:
    """Return the processes that serve the page of a folder."""
    servers = []
    for process in psutil.Process().children(recursive=True):
        if process.status() != psutil.STATUS_ZOMBIE and {SERVER_MODULE, str(out)} <= set(process.cmdline()):
            servers.append(process)
    return servers


def test_page_follows_a_match_to_its_end(tmp_path: Path) -> None:
    """Viewers get the moves of running games, and the final result before the server ends."""
    out, addresses, updates = tmp_path / "run", list[str](), list[LiveUpdate]()
    observer = QuietObserver()

    def read() -> None:
        with httpx.stream("GET", f"{addresses[0]}events", timeout=60) as stream:
            updates.extend(read_updates(stream.iter_lines()))

    with serve_in_background(out, 0, is_public=False, announce=addresses.append, warn=pytest.fail):
        thread = threading.Thread(target=read)
        thread.start()
        result = run_match(configure(out, games=12, concurrency=2, force=True), observer)
    thread.join(60)
    assert not thread.is_alive()
    assert result.statistics.played == 12
    assert observer.messages == []
    statuses = [update.status for update in updates if update.status]
    assert (statuses[-1].state, statuses[-1].played, statuses[-1].running) == ("finished", 12, 0)
    boards = [board for update in updates for board in update.boards]
    assert any(board.plies > 0 for board in boards)
    standings = next(update.standings for update in reversed(updates) if update.standings)
    assert sum(engine.won + engine.drawn + engine.lost for engine in standings.results) == 24  # twice per game
    assert list_servers(out) == []


def test_stalled_viewers_do_not_stall_the_match(tmp_path: Path) -> None:
    """They never read: their connections fill up. The match and the end of the server wait for none of them."""
    out, addresses = tmp_path / "run", list[str]()
    with serve_in_background(out, 0, is_public=True, announce=addresses.append, warn=pytest.fail):
        port = int(addresses[0].split(":")[2].strip("/"))
        stalled = []
        for _ in range(20):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            connection.connect(("127.0.0.1", port))
            connection.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            stalled.append(connection)
        result = run_match(configure(out), QuietObserver())
        assert httpx.get(f"{addresses[0]}snapshot").json()["is_snapshot"]
    assert result.statistics.played == 4
    assert list_servers(out) == []
    for connection in stalled:
        connection.close()


def test_match_says_if_its_page_has_ended(tmp_path: Path) -> None:
    out, warnings = tmp_path / "run", list[str]()
    with serve_in_background(out, 0, is_public=False, announce=lambda _: None, warn=warnings.append):
        (process,) = list_servers(out)
        process.send_signal(signal.SIGKILL)
        wait_until(lambda: list_servers(out) == [])
        assert run_match(configure(out), QuietObserver()).statistics.played == 4
    assert len(warnings) == 1
    assert "not shown to the end" in warnings[0]


def test_port_in_use_stops_the_match_before_its_first_game(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(CommandFailedError, match=f"^--live: port {port}: "),
            serve_in_background(tmp_path, port, is_public=False, announce=pytest.fail, warn=pytest.fail),
        ):
            pytest.fail("the match would begin")


def test_match_prints_the_address_of_its_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    engines = ("--engine", "player=random,name=A", "--engine", "player=greedy,name=B")
    code = cli.run(["match", *engines, "--size", "9", "--games", "2", "--tc", "1", "--out", str(out), "--live"])
    output = capsys.readouterr()
    assert code == 0
    assert "the run is shown at http://127.0.0.1:" in output.err
    assert output.out.startswith("Finished game 1 (A v B): ")


def test_resumed_match_has_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_match(configure(tmp_path / "run"), QuietObserver())
    assert cli.run(["resume", str(tmp_path / "run"), "--live", "--public", "--yes"]) == 0
    assert "at the same port of every address of this machine" in capsys.readouterr().err


def serve_nothing(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Replace the server by a function that notes its arguments, and return the list of these."""
    calls: list[tuple[Any, ...]] = []

    def serve(directory: Path, port: int, *, is_public: bool, announce: Callable[[str], None], browse: bool) -> None:
        announce("http://somewhere/")
        calls.append((directory, port, is_public, browse))

    monkeypatch.setattr(server, "serve_live", serve)
    return calls


def test_watch_opens_the_browser_unless_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder need not have a log: the page waits for the run to begin."""
    calls = serve_nothing(monkeypatch)
    assert cli.run(["watch", str(tmp_path)]) == 0
    assert "there is no log yet" in capsys.readouterr().err
    (tmp_path / LOG_NAME).touch()
    assert cli.run(["watch", str(tmp_path), "--public", "--port", "8000", "--no-browser"]) == 0
    assert "log" not in capsys.readouterr().err
    assert calls == [(tmp_path, 0, False, True), (tmp_path, 8000, True, False)]


def test_watch_refuses_a_folder_that_does_not_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would wait for ever for a run in a folder with a wrong name."""
    calls = serve_nothing(monkeypatch)
    with pytest.raises(UsageError, match="there is no folder"):
        watch_run(tmp_path / "runn", 0, is_public=False, browse=False, announce=pytest.fail)
    with pytest.raises(UsageError, match="--port must be"):
        watch_run(tmp_path, 65536, is_public=False, browse=False, announce=pytest.fail)
    assert calls == []


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_watch(tmp_path: Path) -> None:
    program = f"from arena.cli.main import main; main(['watch', {str(tmp_path)!r}, '--no-browser'])"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        line = process.stderr.readline()
        address = next(word for word in line.split() if word.startswith("http"))
        with httpx.stream("GET", f"{address}events") as stream:
            updates = read_updates(stream.iter_lines())
            assert next(updates).is_snapshot
            process.send_signal(signal.SIGINT)
            assert list(updates) == []  # the stream ends with a goodbye
        assert process.wait(30) == 0
        assert process.stderr.read() == ""
