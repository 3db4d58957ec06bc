"""Tables, what a page can ask of their server, and headless Chromium for the tests marked `browser`.

These want the browser extra and a Chromium: the one that `PENTAD_CHROMIUM` names, or `chromium` on the path. Pictures
come to lie in the folder that `PENTAD_PICTURES` names, where it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from arena.options.play import PlayOptions
from arena.web.play.table import PlayTable
from arena.web.play.terms import make_table
from bots.registry import GAMES
from tests.arena.web.browser import PATIENCE_MS, Serve, start_chromium, start_serving
from tests.arena.web.players import Client, open_page

SIZES = {"gomoku": 9, "hex": 5}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with start_chromium() as browser:
        yield browser


@pytest.fixture(params=["light", "dark"])
def page(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    yield from open_tab(chromium, request.param)


@pytest.fixture
def light_page(chromium: Any) -> Iterator[Any]:
    yield from open_tab(chromium, "light")


def open_tab(chromium: Any, scheme: str) -> Iterator[Any]:
    """A page whose every error, also in the console, message box and request to elsewhere fails the test."""
    found = chromium.new_page(viewport={"width": 1280, "height": 1000}, color_scheme=scheme)
    found.set_default_timeout(PATIENCE_MS)
    problems: list[str] = []
    found.on("pageerror", lambda error: problems.append(str(error)))
    found.on("console", lambda said: problems.append(said.text) if is_complaint(said) else None)

    def refuse(dialog: Any) -> None:
        problems.append(dialog.message)
        dialog.dismiss()

    found.on("dialog", refuse)
    found.on("request", lambda sent: None if is_local(sent.url) else problems.append(sent.url))
    yield found
    found.close()
    assert problems == []


def is_complaint(said: Any) -> bool:
    """Whether a line of the console tells of a mistake. That the server refused a command is written there, too."""
    return said.type in ("error", "warning") and "status of 409" not in said.text


def is_local(url: str) -> bool:
    return url.startswith(("file:", "data:", "http://127.0.0.1:"))


@pytest.fixture
def served() -> Iterator[Serve]:
    """Serves tables, each at the address that comes back."""
    tables = []

    def start(game: str, person: str, engine: str = "", variant: str | None = None) -> str:
        wanted: Any = {"engine": (engine,) if engine else (), "side": person, "rule": variant, "size": SIZES.get(game)}
        table = make_table(GAMES[game], PlayOptions(move_time=0.05, **wanted))
        tables.append(table)
        return start_serving(table)

    yield start
    for table in tables:
        table.close()


@pytest.fixture
def tables() -> Iterator[list[PlayTable]]:
    laid: list[PlayTable] = []
    yield laid
    for table in laid:
        table.close()


@pytest.fixture
def client(tables: list[PlayTable]) -> Client:
    def make(game: str = "gomoku", **changes: Any) -> TestClient:
        weak = "potentials" if game == "hex" else "random"
        table = make_table(GAMES[game], PlayOptions(engine=(f"player={weak}",), move_time=0.05, **changes))
        tables.append(table)
        return open_page(table)

    return make
