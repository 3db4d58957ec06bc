"""The page of a run in headless Chromium while the run is played. Run with `-m browser`."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.log.events import PairEnded, RunEnded, RunResumed
from arena.statistics.sprt import Sprt
from arena.terms.clock import TimeControl
from arena.terms.ending import Ending
from arena.web.live.server import LiveServer, serve_live
from bots.registry import GAMES
from tests.arena.web.browser import save_screenshot
from tests.arena.web.live.run_writer import RunWriter
from tests.arena.web.runs import HOSTILE, make_games

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
    wait_for_text(page, "#boards .player.two.to-move .clock", "12:33")
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
    while not addresses:
        light_page.wait_for_timeout(20)
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
