"""Makes the two pictures of README.md: `python -m tests.arena.web.pictures`, some minutes.

Wants the browser extra and a Chromium, as the tests marked `browser` do. The match and the analysis are played anew by
our own players, so the pictures differ a little each time.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.cli import main as cli
from arena.options.play import PlayOptions
from arena.web.play.terms import make_table
from bots.registry import GAMES
from tests.arena.web.browser import PATIENCE_MS, READY, start_chromium, start_serving, type_moves

FOLDER = Path(__file__).parents[3] / ".github" / "pictures"
WIDTH, HEIGHT = 1120, 900  # pixels
LINE = ("h8", "i9", "g7", "i7", "i8", "g8", "j8", "h9", "j9", "g6")  # of the game in progress
MATCH = "match --game gomoku --engine player=pentad:level=3,name=pentad-3 --engine player=paper --games 6 --tc 0.3"
BOOK = FOLDER.parents[1] / "arena" / "books" / "gomoku-freestyle-15.txt"
SHOWN = "#game=1&ply=14"  # of the report


def main() -> None:
    """Write both pictures into the repository."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with start_chromium() as chromium, tempfile.TemporaryDirectory() as work:
        page = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.set_default_timeout(PATIENCE_MS)
        show_play(page)
        page.screenshot(path=FOLDER / "play.png")
        show_report(page, Path(work) / "run")
        page.screenshot(path=FOLDER / "report.png")


def show_play(page: Any) -> None:
    """A game of Gomoku in progress, with what the strongest player thinks of it."""
    with serve_table() as address:
        page.goto(address)
        page.wait_for_function(READY)
        type_moves(page, list(LINE))
        page.wait_for_function(READY)
        page.locator("#hint").click()
        page.wait_for_function("() => !state.looking && state.analysis.length")


@contextmanager
def serve_table() -> Iterator[str]:
    """A table at which one person plays both sides, at the address that comes back."""
    table = make_table(GAMES["gomoku"], PlayOptions(side="both"))
    try:
        yield start_serving(table)
    finally:
        table.close()


def show_report(page: Any, run: Path) -> None:
    """The report of a short match, at a game of it."""
    for arguments in ([*MATCH.split(), "--openings", str(BOOK), "--out", str(run)], ["report", str(run), "--html"]):
        if cli.run(arguments):
            raise RuntimeError(f"failed: pentad {' '.join(arguments)}")
    page.goto((run / "report.html").as_uri() + SHOWN)
    page.wait_for_selector("#board .piece")


if __name__ == "__main__":
    main()
