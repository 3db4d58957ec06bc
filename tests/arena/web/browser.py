"""What the tests of the pages in a browser share: clicks, and what is waited for."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.web.play.server import serve
from arena.web.play.table import PlayTable

PATIENCE_MS = 20_000
HOLD_MS = 110  # that a person keeps a button pressed
MOST_TURNS = 150
READY = (  # the person is to move, or all is over
    "() => state && !state.thinking && (state.result || state.people.includes(state.to_move)) && !state.failure"
)
HIVE_LINE = (  # to a surrounded queen, with a beetle that climbs
    r"wP;bG1 -wP;wQ wP-;bL \bG1;wB1 \wQ;bP -bL;wB1 \wP;bQ /bG1;wB1 bG1;bG2 /bP;wB1 bQ;bG2 \bL;wB2 wB1\;bS1 -bP;"
    r"wM -wB1;bS1 /bP;wG1 wM\;bS2 -bP;wB1 bP\;bS1 -bG2;wQ bG1"
    "\\"
)
Serve = Callable[..., str]
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)


@contextmanager
def start_chromium() -> Iterator[Any]:
    """A headless Chromium: the one that `PENTAD_CHROMIUM` names, or that on the path."""
    from playwright.sync_api import sync_playwright

    program = os.environ.get("PENTAD_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert program, "no Chromium: install one, or name it in PENTAD_CHROMIUM"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=list(QUIET))
        yield browser
        browser.close()


def start_serving(table: PlayTable) -> str:
    """Serve a table until it is closed, at the address that comes back."""
    known, address = threading.Event(), []

    def tell(text: str) -> None:
        address.append(text)
        known.set()

    threading.Thread(target=lambda: serve(table, 0, browse=False, tell=tell), daemon=True).start()
    assert known.wait(10)
    return address[0]


def count_decisive(page: Any) -> int:
    """Marks on what ended the game."""
    return int(page.locator("#board .mark-decisive").count())


def take_picture(page: Any, name: str) -> None:
    """Keep a picture where somebody wants to look at them."""
    folder = os.environ.get("PENTAD_PICTURES")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def find_step(page: Any, step: str) -> Any:
    """What one click of a move goes to: a place on the board, a piece in hand, or a button."""
    for place in (f'#board [data-id="{step}"] .hit', f'.in-hand[data-id="{step}"]'):
        if page.locator(place).count():
            return page.locator(place).last
    return page.locator("#special button")


def click_step(page: Any, step: str) -> None:
    """One click of a move."""
    find_step(page, step).click()


def press_slowly(page: Any, target: Any) -> int:
    """Press and release the button as a hand does; tell how often the page has heard news meanwhile."""
    box = target.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    before = page.evaluate("state.version")
    page.mouse.down()
    page.wait_for_timeout(HOLD_MS)
    heard = page.evaluate("state.version") - before
    page.mouse.up()
    return int(heard)


def play_by_mouse(page: Any, choose: Callable[[dict[str, list[str]]], str]) -> dict[str, Any]:
    """Play until the end and return the last state."""
    for _ in range(MOST_TURNS):
        page.wait_for_function(READY)
        state = page.evaluate("state")
        if state["result"]:
            break
        for step in state["legal"][choose(state["legal"])]:
            click_step(page, step)
        page.wait_for_function(f"() => state.moves.length > {len(state['moves'])}")
    return dict(page.evaluate("state"))


def type_moves(page: Any, moves: list[str]) -> None:
    """Play moves by the field."""
    for number, move in enumerate(moves, page.evaluate("state.moves.length") + 1):
        page.locator("#move").fill(move)
        page.keyboard.press("Enter")
        page.wait_for_function(f"() => state.moves.length >= {number}")
