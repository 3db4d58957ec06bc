"""The page of a run in headless Chromium while the run is played. Run with `-m browser`."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.log.events import PairEnded, RunEnded, RunResumed
from arena.statistics.sprt import Sprt
from arena.terms.clock import TimeControl
from arena.terms.ending import Ending
from arena.web.live import connections
from arena.web.live.server import LiveServer, serve_live
from bots.registry import GAMES
from tests.arena.web.browser import TIMEOUT_MS, save_screenshot
from tests.arena.web.live.run_writer import RunWriter
from tests.arena.web.runs import HOSTILE, make_games
from tests.waiting import wait_until

pytestmark = pytest.mark.browser


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Serve the page of the run in `tmp_path` and yield its address."""
    servers: list[LiveServer] = []
    addresses: list[str] = []
    listens = threading.Event()

    def announce(address: str) -> None:
        addresses.append(address)
        listens.set()

    thread = threading.Thread(
        target=lambda: serve_live(tmp_path, 0, is_public=False, announce=announce, on_server=servers.append)
    )
    thread.start()
    assert listens.wait(30)
    yield addresses[0]
    servers[0].end()
    thread.join(30)


def wait_for_text(page: Any, selector: str, text: str) -> None:
    page.wait_for_function(
        "([selector, text]) => document.querySelector(selector)?.textContent.includes(text)", arg=[selector, text]
    )


def wait_for_stones(page: Any, count: int, board: int = 0) -> None:
    page.wait_for_function(
        "([count, board]) => document.querySelectorAll('#boards article')[board]"
        "?.querySelectorAll('svg.board .pieces .piece').length === count",
        arg=[count, board],
    )


def fits_width(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)])
def test_a_run_from_its_beginning_to_its_end(page: Any, tmp_path: Path, address: str, size: tuple[int, int]) -> None:
    """Names are hostile text; an error in the console or a request to another address fails the test."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(address)
    wait_for_text(page, "#state", "has not begun")
    control = TimeControl(game_ms=754_000)
    writer = RunWriter(tmp_path, (HOSTILE, "B"), sprt=Sprt(0, 50), control=control, concurrency=2)
    writer.begin()
    wait_for_text(page, "#state", "playing: 0 of 8 games")
    assert page.locator("#no-boards").is_visible()
    writer.start(1, HOSTILE, "B")
    wait_for_stones(page, 0)
    assert not page.locator("#no-boards").is_visible()
    for plies in (2, 5):
        writer.play(1, plies)
        wait_for_stones(page, plies)
    board = page.locator("#boards article").first
    assert board.get_attribute("aria-label") == f"game 1, {HOSTILE} against B"
    assert board.locator("svg.board").get_attribute("aria-label") == "gomoku board after 5 moves, last move j8"
    assert board.locator(".mark-last").count() == 1
    assert "+40 · depth 5 · 1,000 nodes" in board.locator(".player.one .numbers").text_content()
    assert board.locator(".player.one .clock").text_content() == "12:33"
    # The clock of the side to move runs from 12:34; on a busy machine a second may pass unseen.
    page.wait_for_function(
        "() => /^12:[0-2][0-9]$|^12:3[0-3]$/.test(document.querySelector('.player.two.to-move .clock')?.textContent)"
    )
    assert board.locator(".curve-host polyline").count() == 2
    save_screenshot(page, f"live-{size[0]}")
    writer.end(1, HOSTILE, "B")
    wait_for_text(page, "#boards article h3", "1-0, five")
    writer.start(2, "B", HOSTILE)
    wait_for_text(page, "#boards article h3", "Game 2")
    writer.end(2, "B", HOSTILE, ending=Ending.TIME, winner=HOSTILE, blamed="B", plies=4)
    writer.write(PairEnded(1))
    wait_for_text(page, "#standings", "100.0 %")
    wait_for_text(page, "#sprt-title", "after 1 pairs: undecided")
    assert page.locator("#sprt .bound").count() == 2
    assert page.locator("#results tbody tr").count() == 2
    wait_for_text(page, "#faults", "B: 1 time")
    writer.start(3, HOSTILE, "B")
    writer.start(5, "B", HOSTILE)
    wait_for_text(page, "#state", "2 of 8 games, 2 running")
    page.wait_for_function("() => document.querySelectorAll('#boards article').length === 2")
    assert fits_width(page)
    writer.write(RunEnded(2, 8, "interrupted"))
    writer.close()
    wait_for_text(page, "#state", "interrupted: 2 of 8 games")
    resumed = RunWriter(tmp_path, (HOSTILE, "B"))
    resumed.write(RunResumed("2026-01-01T00:00:00+00:00", resumed.header.engines, forced=False))
    wait_for_text(page, "#state", "playing: 2 of 8 games")
    resumed.write(RunEnded(8, 8, ""))
    resumed.close()
    wait_for_text(page, "#state", "finished")


def test_paused_page_stands_still_and_then_shows_the_present(light_page: Any, tmp_path: Path, address: str) -> None:
    """A keyboard is enough: the button is reached by Tab and pressed by Enter."""
    writer = RunWriter(tmp_path)
    writer.begin()
    writer.start(1)
    light_page.goto(address)
    wait_for_stones(light_page, 0)
    light_page.keyboard.press("Tab")
    light_page.keyboard.press("Enter")
    assert light_page.locator("#pause").get_attribute("aria-pressed") == "true"
    writer.play(1, 6)
    light_page.wait_for_timeout(700)  # longer than two messages take
    wait_for_stones(light_page, 0)
    light_page.keyboard.press("Enter")
    wait_for_stones(light_page, 6)
    writer.close()


def test_end_of_the_server_is_said(light_page: Any, tmp_path: Path) -> None:
    """The page keeps its last state. It does not ask a server that does not exist, which would be an error."""
    servers: list[LiveServer] = []
    addresses: list[str] = []
    writer = RunWriter(tmp_path)
    writer.begin()
    writer.start(1)
    thread = threading.Thread(
        target=lambda: serve_live(tmp_path, 0, is_public=True, announce=addresses.append, on_server=servers.append)
    )
    thread.start()
    wait_until(lambda: addresses)
    light_page.goto(addresses[0])
    wait_for_stones(light_page, 0)
    writer.play(1, 3)
    servers[0].end()
    thread.join(30)
    wait_for_text(light_page, "#state", "has ended")
    wait_for_stones(light_page, 3)
    writer.close()


@pytest.mark.parametrize("game", GAMES)
def test_twenty_boards_of_every_game(light_page: Any, tmp_path: Path, address: str, game: str) -> None:
    """All are drawn, though not in the same frame, on a page that is not wider than the window."""
    header, (ended, *_) = make_games(GAMES[game], 6)
    fields = {name: getattr(header, name) for name in ("game", "width", "height", "variant")}
    writer = RunWriter(tmp_path, "ABC", games=40, concurrency=20, **fields)
    writer.begin()
    for number in range(1, 40, 2):
        writer.start(number, "A", "B")
        writer.games.write_move(number, ended.moves)
    light_page.goto(address)
    light_page.wait_for_function(
        "() => [...document.querySelectorAll('#boards article')]"
        ".filter((board) => board.querySelector('.mark-last')).length === 20"
    )
    assert fits_width(light_page)
    save_screenshot(light_page, f"live-20-{game}")
    writer.close()


class PublicServer:
    """Serves the public page of a run at a port that stays the same, from the start until `end`."""

    def __init__(self, directory: Path, port: int = 0) -> None:
        servers: list[LiveServer] = []
        addresses: list[str] = []
        is_listening = threading.Event()

        def announce(address: str) -> None:
            addresses.append(address)
            is_listening.set()

        self._thread = threading.Thread(
            target=lambda: serve_live(directory, port, is_public=True, announce=announce, on_server=servers.append),
            daemon=True,  # so that a test that fails ends
        )
        self._thread.start()
        assert is_listening.wait(30)
        self.address = addresses[0]
        self.port = int(self.address.split(":")[2].strip("/"))
        self._server = servers[0]

    def end(self) -> None:
        self._server.end()
        self._thread.join(30)


def test_another_run_in_the_folder_replaces_everything(light_page: Any, tmp_path: Path, address: str) -> None:
    """Standings, test, faults, boards and their size are those of the new run, also those that it does not have yet."""
    writer = RunWriter(tmp_path, sprt=Sprt(0, 50))
    writer.begin()
    light_page.goto(address)
    writer.play_pair(1)
    writer.start(3)
    writer.end(3, ending=Ending.TIME, winner="B", blamed="A", plies=4)
    writer.start(4, "B", "A")
    wait_for_text(light_page, "#standings", "50.0 %")
    wait_for_text(light_page, "#faults", "A: 1 time")
    assert light_page.locator("#sprt-card").is_visible()
    writer.close()
    shutil.rmtree(tmp_path)
    wait_for_text(light_page, "#state", "has no log")
    assert light_page.locator("#boards article").count() == 0
    assert light_page.locator("#no-boards").is_visible()
    tmp_path.mkdir()
    other = RunWriter(tmp_path, "XYZ", width=19, height=19)
    other.begin()
    wait_for_text(light_page, "#state", "playing: 0 of")
    for selector in ("#standings", "#ratings", "#results", "#faults", "#boards", "#title", "#facts"):
        text = light_page.locator(selector).text_content()
        assert not {"A", "B", "15x15", "50.0 %"} & set(text.split()), selector
    assert not light_page.locator("#sprt-card").is_visible()
    other.start(1, "X", "Y")
    wait_for_stones(light_page, 0)
    assert light_page.locator("#boards svg.board .hit").count() in (0, 19 * 19)
    other.close()


def test_killed_run_is_interrupted_and_followed_again_when_resumed(
    light_page: Any, tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = RunWriter(tmp_path, control=TimeControl(game_ms=60_000))
    writer.begin()
    writer.start(1)
    writer.play(1, 2)
    light_page.goto(address)
    wait_for_text(light_page, "#state", "playing: 0 of 8 games, 1 running")
    clock = light_page.locator("#boards .player.one .clock")
    shown = clock.text_content()
    light_page.wait_for_function(
        "(shown) => document.querySelector('.player.one .clock').textContent !== shown", arg=shown
    )
    monkeypatch.setattr("arena.log.running_games.SILENCE_S", 0)  # no sign of life for too long
    wait_for_text(light_page, "#state", "interrupted, no process is playing this run: 0 of 8 games")
    assert "running" not in light_page.locator("#state").text_content()
    wait_for_text(light_page, "#boards article h3", "interrupted")
    assert light_page.locator(".to-move").count() == 0
    shown = clock.text_content()
    light_page.wait_for_timeout(1200)
    assert clock.text_content() == shown
    monkeypatch.undo()
    writer.close()
    resumed = RunWriter(tmp_path)
    resumed.write(RunResumed("2026-01-01T00:00:00+00:00", resumed.header.engines, forced=False))
    resumed.start(1)
    resumed.play(1, 5)
    wait_for_text(light_page, "#state", "playing: 0 of 8 games, 1 running")
    wait_for_stones(light_page, 5)
    resumed.close()


def test_page_follows_the_next_server_at_its_address(chromium: Any, tmp_path: Path) -> None:
    """An organiser starts the next match with the same port, while the page is on a wall."""
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    page = chromium.new_page()  # the browser logs an error for each attempt to connect
    page.set_default_timeout(TIMEOUT_MS)
    first = RunWriter(tmp_path / "first")
    first.begin()
    server = PublicServer(tmp_path / "first")
    page.goto(server.address)
    first.start(1)
    first.play(1, 3)
    wait_for_stones(page, 3)
    server.end()
    wait_for_text(page, "#state", "has ended")
    second = RunWriter(tmp_path / "second", "XY")
    second.begin()
    server = PublicServer(tmp_path / "second", server.port)
    wait_for_text(page, "#title", "X against Y")
    wait_for_text(page, "#state", "playing")
    assert page.locator("#problem").is_hidden()
    assert page.locator("#boards article").count() == 0
    page.close()
    server.end()
    for writer in (first, second):
        writer.close()


def test_too_many_viewers_are_told_so_and_come_in_later(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.web.live.server.VIEWERS_SHARE", 2.5 / connections.find_max_connections())
    writer = RunWriter(tmp_path)
    writer.begin()
    server = PublicServer(tmp_path)
    viewers = [chromium.new_context().new_page() for _ in range(2)]
    for viewer in viewers:
        viewer.goto(server.address)
        wait_for_text(viewer, "#state", "playing")
    late = chromium.new_context().new_page()
    late.goto(server.address)
    assert "as many viewers as it can serve" in late.text_content("body")
    viewers[0].context.close()
    # The server may not have noticed yet that the other one has left.
    wait_until(lambda: late.goto(server.address).status == 200)
    wait_for_text(late, "#state", "playing")
    viewers[1].evaluate("page.reconnect()")
    wait_for_text(viewers[1], "#problem", "too many viewers")
    viewers[1].wait_for_selector("#problem", state="hidden")
    for viewer in (viewers[1], late):
        viewer.context.close()
    server.end()
    writer.close()
