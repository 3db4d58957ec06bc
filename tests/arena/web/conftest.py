"""Fixtures for tests of the pages: sessions, HTTP clients of their servers, and pages in headless Chromium.

Tests marked `browser` need the extra `browser` and Chromium: the program in `PENTAD_CHROMIUM`, or `chromium` or
`chromium-browser` on the path. They write screenshots into the folder in `PENTAD_PICTURES`, if it is set.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from arena.options.play import PlayOptions
from arena.web.play.new_game import make_session
from arena.web.play.session import PlaySession
from bots.registry import GAMES
from tests.arena.web.browser import TIMEOUT_MS, ServeGame, start_chromium, start_serving
from tests.arena.web.players import Client, open_page

BOARD_SIZES = {"gomoku": 9, "hex": 5}  # small boards, for short games


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with start_chromium() as browser:
        yield browser


@pytest.fixture(params=["light", "dark"])
def page(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Yield a page of the browser; a test with this fixture runs in the light and in the dark theme."""
    yield from open_tab(chromium, request.param)


@pytest.fixture
def light_page(chromium: Any) -> Iterator[Any]:
    """Yield a page of the browser in the light theme."""
    yield from open_tab(chromium, "light")


def open_tab(chromium: Any, scheme: str) -> Iterator[Any]:
    """Yield a page; fail the test if it logs an error or warning, opens a message box or requests a foreign address."""
    page = chromium.new_page(viewport={"width": 1280, "height": 1000}, color_scheme=scheme)
    page.set_default_timeout(TIMEOUT_MS)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if is_problem(message) else None)

    def dismiss(dialog: Any) -> None:
        problems.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    page.on("request", lambda request: None if is_local(request.url) else problems.append(request.url))
    yield page
    page.close()
    assert problems == []


def is_problem(message: Any) -> bool:
    """Return whether a console message is an error or a warning, except that the server refused a command (409)."""
    return message.type in ("error", "warning") and "status of 409" not in message.text


def is_local(url: str) -> bool:
    return url.startswith(("file:", "data:", "http://127.0.0.1:"))


@pytest.fixture
def serve_game() -> Iterator[ServeGame]:
    """Yield a function that serves a new session and returns the address of its page.

    Its argument `person` is the sides that the person plays: first, second, both or none.
    """
    sessions = []

    def start(game: str, person: str, engine: str = "", variant: str | None = None) -> str:
        options: Any = {
            "engine": (engine,) if engine else (),
            "side": person,
            "rule": variant,
            "size": BOARD_SIZES.get(game),
        }
        session = make_session(GAMES[game], PlayOptions(move_time=0.05, **options))
        sessions.append(session)
        return start_serving(session)

    yield start
    for session in sessions:
        session.close()


@pytest.fixture
def sessions() -> Iterator[list[PlaySession]]:
    """Yield a list; the sessions that a test appends to it are closed after the test."""
    opened: list[PlaySession] = []
    yield opened
    for session in opened:
        session.close()


@pytest.fixture
def client(sessions: list[PlaySession]) -> Client:
    """Return a function that starts a session against a weak player and returns a client for it.

    The function takes a game and other `PlayOptions`.
    """

    def make(game: str = "gomoku", **options: Any) -> TestClient:
        weak = "potentials" if game == "hex" else "random"  # Hex has no random player
        session = make_session(GAMES[game], PlayOptions(engine=(f"player={weak}",), move_time=0.05, **options))
        sessions.append(session)
        return open_page(session)

    return make
