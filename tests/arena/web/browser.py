"""Helpers for browser tests of the pages: Chromium, a server for a session, clicks and typed moves.

A `page` is a page of Playwright. A click target is the id of a cell, a piece or a piece in hand
(core/play/scene.py), or of a move with a button, such as a swap.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.web.play.server import serve
from arena.web.play.session import PlaySession

TIMEOUT_MS = 20_000  # of each wait for the page
CLICK_MS = 110  # between press and release of the mouse button, as by a person
MAX_TURNS = 150  # of the person, in a whole game
READY = (  # JavaScript condition: the person is to move, or the game is over
    "() => state && !state.is_thinking && (state.result || state.people.includes(state.to_move)) && !state.failure"
)
# A game that ends with a surrounded queen, in which a beetle climbs. A raw string cannot end with a backslash.
HIVE_LINE = (
    r"wP;bG1 -wP;wQ wP-;bL \bG1;wB1 \wQ;bP -bL;wB1 \wP;bQ /bG1;wB1 bG1;bG2 /bP;wB1 bQ;bG2 \bL;wB2 wB1\;bS1 -bP;"
    r"wM -wB1;bS1 /bP;wG1 wM\;bS2 -bP;wB1 bP\;bS1 -bG2;wQ bG1"
    "\\"
)
ServeGame = Callable[..., str]  # type of the fixture `serve_game`: returns the address of the page of a new session
CHROMIUM_ARGUMENTS = (  # for containers, and against requests of the browser itself to other addresses
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)


@contextmanager
def start_chromium() -> Iterator[Any]:
    """Start a headless Chromium: the program in `PENTAD_CHROMIUM`, or `chromium` or `chromium-browser` on the path."""
    from playwright.sync_api import sync_playwright

    program = os.environ.get("PENTAD_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert program, "Chromium is not installed; install it or set PENTAD_CHROMIUM to its path"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(CHROMIUM_ARGUMENTS))
        yield browser
        browser.close()


def start_serving(session: PlaySession) -> str:
    """Serve a session on a daemon thread and return the address of its page."""
    is_listening, addresses = threading.Event(), []

    def announce(address: str) -> None:
        addresses.append(address)
        is_listening.set()

    threading.Thread(target=lambda: serve(session, 0, browse=False, announce=announce), daemon=True).start()
    assert is_listening.wait(10)
    return addresses[0]


def count_decisive(page: Any) -> int:
    """Return the number of pieces that are marked as having ended the game."""
    return int(page.locator("#board .mark-decisive").count())


def save_screenshot(page: Any, name: str) -> None:
    """Write a screenshot into the folder in `PENTAD_PICTURES`; do nothing if that is not set."""
    folder = os.environ.get("PENTAD_PICTURES")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def find_click_target(page: Any, target: str) -> Any:
    """Return the element of a click target: on the board, in a hand, otherwise the button of a move such as a swap."""
    for selector in (f'#board [data-id="{target}"] .hit', f'.in-hand[data-id="{target}"]'):
        if page.locator(selector).count():
            return page.locator(selector).last
    return page.locator("#move-buttons button")


def click_target(page: Any, target: str) -> None:
    """Click a click target."""
    find_click_target(page, target).click()


def click_slowly(page: Any, element: Any) -> int:
    """Click as slowly as a person; return how often the state changed between press and release."""
    box = element.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    previous_version = page.evaluate("state.version")
    page.mouse.down()
    page.wait_for_timeout(CLICK_MS)
    changes = page.evaluate("state.version") - previous_version
    page.mouse.up()
    return int(changes)


def play_by_mouse(page: Any, choose: Callable[[dict[str, list[str]]], str]) -> dict[str, Any]:
    """Play to the end of the game, for at most MAX_TURNS turns, and return the last state.

    `choose` gets the legal moves with their click targets and returns one of them.
    """
    for _ in range(MAX_TURNS):
        page.wait_for_function(READY)
        state = page.evaluate("state")
        if state["result"]:
            break
        for target in state["legal"][choose(state["legal"])]:
            click_target(page, target)
        page.wait_for_function(f"() => state.moves.length > {len(state['moves'])}")
    return dict(page.evaluate("state"))


def type_moves(page: Any, moves: list[str]) -> None:
    """Play moves with the text field."""
    for number, move in enumerate(moves, page.evaluate("state.moves.length") + 1):
        page.locator("#move").fill(move)
        page.keyboard.press("Enter")
        page.wait_for_function(f"() => state.moves.length >= {number}")
