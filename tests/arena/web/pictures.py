"""Script that makes the screenshots of README.md and of the manual: `python -m tests.arena.web.pictures`.

It takes some minutes. It needs the extra `browser` and Chromium, like the tests marked `browser`. It runs matches and
an analysis, so the pictures differ a little each time.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.cli import main as cli
from arena.options.play import PlayOptions
from arena.web.play.new_game import make_session
from bots.registry import GAMES
from tests.arena.web.browser import READY, TIMEOUT_MS, start_chromium, start_serving, type_moves

FOLDER = Path(__file__).parents[3] / ".github" / "pictures"
WIDTH, HEIGHT = 1120, 900  # pixels
MOVES = ("h8", "i9", "g7", "i7", "i8", "g8", "j8", "h9", "j9", "g6")  # of the game on the play page
MATCH_COMMAND = (
    "match --game gomoku --engine player=pentad:level=3,name=pentad-3 --engine player=paper --games 6 --tc 0.3"
)
OPENINGS = FOLDER.parents[1] / "arena" / "books" / "gomoku-freestyle-15.txt"
LIVE_COMMAND = (
    "match --game gomoku --engine player=pentad:level=4,name=pentad-4 --engine player=pentad:level=3,name=pentad-3"
    " --engine player=paper --games 20 --tc 0.5 --concurrency 2 --event Spring-Cup --live"
)
POSITION_LINK = "#game=1&ply=14"  # the position that the picture of the report shows


def main() -> None:
    """Write the pictures into the repository."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with start_chromium() as chromium, tempfile.TemporaryDirectory() as work:
        page = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.set_default_timeout(TIMEOUT_MS)
        show_play(page)
        page.screenshot(path=FOLDER / "play.png")
        show_report(page, Path(work) / "run")
        page.screenshot(path=FOLDER / "report.png")
        with serve_match(Path(work) / "live") as address:
            show_live(page, address)
            page.screenshot(path=FOLDER / "live.png")


def show_play(page: Any) -> None:
    """Open the play page with a game of Gomoku and a hint."""
    with serve_session() as address:
        page.goto(address)
        page.wait_for_function(READY)
        type_moves(page, list(MOVES))
        page.wait_for_function(READY)
        page.locator("#hint").click()
        page.wait_for_function("() => !state.analyst_is_busy && state.analysis.length")


@contextmanager
def serve_session() -> Iterator[str]:
    """Serve a session in which a person plays both sides; yield the address of its page."""
    session = make_session(GAMES["gomoku"], PlayOptions(side="both"))
    try:
        yield start_serving(session)
    finally:
        session.close()


def show_report(page: Any, run: Path) -> None:
    """Run a short match, write its report into the folder `run` and open it at POSITION_LINK."""
    for arguments in (
        [*MATCH_COMMAND.split(), "--openings", str(OPENINGS), "--out", str(run)],
        ["report", str(run), "--html"],
    ):
        if cli.run(arguments):
            raise RuntimeError(f"command failed: pentad {' '.join(arguments)}")
    page.goto((run / "report.html").as_uri() + POSITION_LINK)
    page.wait_for_selector("#board .piece")


@contextmanager
def serve_match(run: Path) -> Iterator[str]:
    """Play a match with a page in another process; yield the address of the page, and end the match."""
    command = [sys.executable, "-c", "from arena.cli.main import main; main()", *LIVE_COMMAND.split()]
    command += ["--openings", str(OPENINGS), "--out", str(run)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as match:
        assert match.stderr
        try:
            yield next(line.split()[-1] for line in match.stderr if "shown at" in line)
        finally:
            match.terminate()


def show_live(page: Any, address: str) -> None:
    """Open the page of a match when some pairs have ended and the boards have enough stones."""
    page.goto(address)
    page.wait_for_function("() => document.querySelectorAll('#results tbody tr').length >= 6")
    page.wait_for_function(
        "() => [...document.querySelectorAll('#boards article')]"
        ".every((board) => board.querySelectorAll('.pieces .piece').length >= 12)"
    )


if __name__ == "__main__":
    main()
