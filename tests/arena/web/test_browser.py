"""Both pages in headless Chromium: whole games by mouse and keyboard, and a replay. Run with `-m browser`.

Wants the browser extra and a Chromium: the one that `PENTAD_CHROMIUM` names, or `chromium` on the path. Pictures come
to lie in the folder that `PENTAD_PICTURES` names, where it does.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.ending import Ending
from arena.log import MoveEntry
from arena.play_request import PlayRequest
from arena.web.play_terms import make_table
from arena.web.report import write_html
from arena.web.server import serve
from bots.registry import GAMES
from tests.arena.web.runs import HOSTILE, make_game, make_header, write_run

pytestmark = pytest.mark.browser

QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
PATIENCE_MS = 20_000
SIZES = {"gomoku": 9, "hex": 5}
MOST_TURNS = 150
READY = (  # the person is to move, or all is over
    "() => state && !state.thinking && (state.result || state.people.includes(state.to_move)) && !state.failure"
)
HIVE_LINE = (  # to a surrounded queen, with a beetle that climbs
    r"wP;bG1 -wP;wQ wP-;bL \bG1;wB1 wP/;bP -bL;wB1 bL-;bQ /bG1;wB1 bG1;bG2 /bP;wB1 bQ;bG2 bP/;wB2 wB1\;bS1 -bP;"
    r"wM -wB1;bS1 \wM;wG1 -wB2;bS2 \bS1;wB1 bS1-;bS1 bS2/;wQ bQ-"
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    program = os.environ.get("PENTAD_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert program, "no Chromium: install one, or name it in PENTAD_CHROMIUM"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture(params=["light", "dark"])
def page(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    yield from open_page(chromium, request.param)


@pytest.fixture
def light_page(chromium: Any) -> Iterator[Any]:
    yield from open_page(chromium, "light")


def open_page(chromium: Any, scheme: str) -> Iterator[Any]:
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


def count_decisive(page: Any) -> int:
    """Marks on what ended the game."""
    return int(page.locator("#board .mark-decisive").count())


def take_picture(page: Any, name: str) -> None:
    folder = os.environ.get("PENTAD_PICTURES")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


Serve = Callable[..., str]


@pytest.fixture
def served() -> Iterator[Serve]:
    """Serves tables, each at the address that comes back."""
    tables = []

    def start(game: str, person: str, engine: str = "", variant: str | None = None) -> str:
        wanted: Any = {"engine": (engine,) if engine else (), "side": person, "rule": variant, "size": SIZES.get(game)}
        table = make_table(GAMES[game], PlayRequest(move_time=0.05, **wanted))
        tables.append(table)
        known, address = threading.Event(), []

        def tell(text: str) -> None:
            address.append(text)
            known.set()

        def run() -> None:
            serve(table, 0, browse=False, tell=tell)

        threading.Thread(target=run, daemon=True).start()
        assert known.wait(10)
        return address[0]

    yield start
    for table in tables:
        table.close()


def click_step(page: Any, step: str) -> None:
    """One click of a move: a place on the board, a piece in hand, or a button."""
    for place in (f'#board [data-id="{step}"] .hit', f'.in-hand[data-id="{step}"]'):
        if page.locator(place).count():
            page.locator(place).last.click()
            return
    page.locator("#special button").click()


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


@pytest.mark.parametrize("game", ["gomoku", "hex", "pentago", "kolibrat"])
def test_game_is_played_by_mouse_from_first_to_last_move(page: Any, served: Serve, game: str) -> None:
    page.goto(served(game, "first", "player=" + ("potentials" if game == "hex" else "greedy")))
    scheme = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'")
    page.wait_for_function(READY)
    page.locator("#hint").click()
    page.wait_for_function("() => !state.looking && state.analysis.length")
    take_picture(page, f"play-{game}-{scheme}-hint")
    assert count_decisive(page) == 0
    state = play_by_mouse(page, lambda legal: next(iter(legal)))
    assert state["result"]["winner"] is not None
    assert count_decisive(page) >= 5 if game != "kolibrat" else count_decisive(page) == 0
    assert page.locator("#status").text_content() != ""
    assert page.locator("#moves li").count() == len(state["moves"])
    take_picture(page, f"play-{game}-{scheme}-end")


def test_hive_is_played_by_mouse_from_first_to_last_move(page: Any, served: Serve) -> None:
    """Tile, then place: placements from the hand and moves on the board, to a surrounded queen."""
    page.goto(served("hive", "both", variant="Base+MLP"))
    line = HIVE_LINE.split(";")
    scheme = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'")

    for number, move in enumerate(line):
        page.wait_for_function(READY)
        tile, place = page.evaluate("state")["legal"][move]
        click_step(page, tile)
        if number == 16:
            take_picture(page, f"play-hive-{scheme}")
        click_step(page, place)
        page.wait_for_function(f"() => state.moves.length > {number}")
    assert page.evaluate("state.result").get("reason") == "queen surrounded"
    assert count_decisive(page) == 1
    take_picture(page, f"play-hive-{scheme}-end")


def test_board_is_played_by_keyboard(light_page: Any, served: Serve) -> None:
    light_page.goto(served("pentago", "both"))
    light_page.wait_for_function(READY)
    light_page.keyboard.press("ArrowRight")
    light_page.keyboard.press("Enter")  # the square
    light_page.keyboard.press("ArrowRight")
    light_page.keyboard.press("Enter")  # the turn
    light_page.wait_for_function("() => state.moves.length === 1")
    light_page.keyboard.press("u")
    light_page.wait_for_function("() => state.moves.length === 0")
    light_page.locator("#move").fill("b2s")
    light_page.keyboard.press("Enter")
    light_page.wait_for_function("() => state.moves.join() === 'b2s'")
    light_page.locator("#move").fill("<img src=x>")
    light_page.keyboard.press("Enter")
    light_page.wait_for_selector("#problem:not([hidden])")
    assert "<img src=x>" in light_page.locator("#problem").text_content()


@pytest.mark.parametrize("game", GAMES)
def test_new_game_begins_from_the_form(light_page: Any, served: Serve, game: str) -> None:
    """Where there is but one board, its hidden size of 0 was below the field's least and kept the form back."""
    light_page.goto(served(game, "both"))
    light_page.wait_for_function(READY)
    light_page.get_by_role("button", name="new game").click()
    light_page.wait_for_function("() => state.board === 2")


def test_new_game_from_the_form_and_swap(light_page: Any, served: Serve) -> None:
    light_page.goto(served("hex", "first"))
    light_page.wait_for_function(READY)
    light_page.locator("#person").select_option("both")
    light_page.locator("#variant").fill("swap")
    light_page.locator("#size").fill("7")
    light_page.get_by_role("button", name="new game").click()
    light_page.wait_for_function("() => state.board === 2")
    click_step(light_page, "d4")
    light_page.get_by_role("button", name="swap pieces").click()
    light_page.wait_for_function("() => state.moves.includes('swap-pieces')")
    take_picture(light_page, "play-hex-swap")


def test_dead_engine_is_shown(light_page: Any, served: Serve) -> None:
    """By its name as it is spelt, also when the move that it failed to answer has been taken back."""
    light_page.goto(served("gomoku", "first", "cmd=false,name=dies"))
    light_page.wait_for_function(READY)
    click_step(light_page, "e5")
    light_page.wait_for_selector("#failure:not([hidden])")
    assert light_page.locator("#status").text_content() == "dies has failed"
    take_picture(light_page, "play-failure")
    light_page.locator("#undo").click()
    light_page.wait_for_function("() => state.moves.length === 0")
    assert light_page.locator("#status").text_content() == "dies has failed"
    light_page.locator("#opponent").select_option("random")
    light_page.locator("#person").select_option("second")
    light_page.get_by_role("button", name="new game").click()
    light_page.wait_for_function("() => !state.failure && state.moves.length === 1")


def test_analysis_shows_lines_and_marks(light_page: Any, served: Serve) -> None:
    light_page.goto(served("kolibrat", "both", variant="5x6-6-4"))
    light_page.wait_for_function(READY)
    for move in ("b1", "c6", "b1c2", "c6d5"):
        light_page.locator("#move").fill(move)
        light_page.keyboard.press("Enter")
        light_page.wait_for_function(f"() => state.moves.includes('{move}')")
    light_page.locator("#analyse").check()
    light_page.wait_for_function("() => state.analysis.length === 3")
    light_page.wait_for_selector(".hints .label")
    take_picture(light_page, "play-kolibrat-analysis")


def write_report(directory: Path) -> str:
    """A report of a hostile engine's games, with evaluations."""
    line = ("h8", "i9", "g7", "i7", "i8", "g8", "j8", "h9")
    told = tuple(MoveEntry(move, 40 * ply, 30 * (-1) ** ply * ply, None, ply, 999) for ply, move in enumerate(line))
    late = {"ending": Ending.TIME, "detail": HOSTILE, "opening": ()}
    games = [
        make_game(1, HOSTILE, "B"),
        make_game(2, "B", HOSTILE, winner=HOSTILE, blamed="B", **(late | {"moves": told})),
    ]
    return write_html(write_run(directory, make_header((HOSTILE, "B")), games)).as_uri()


def test_report_replays_games_by_keys_and_clicks(page: Any, tmp_path: Path) -> None:
    page.goto(write_report(tmp_path))
    stones = page.locator("#board .piece")
    page.wait_for_selector("#moves button")
    assert stones.count() == 0
    for key, count in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 9), ("Home", 0)):
        page.keyboard.press(key)
        assert stones.count() == count, key
        assert count_decisive(page) == (5 if key == "End" else 0)
    page.locator("#moves button").nth(3).click()
    assert stones.count() == 4
    page.locator("#filter-ending").select_option(label="time")
    assert page.locator("#list button").count() == 1
    page.locator("#list button").click()
    page.keyboard.press("End")
    assert stones.count() == 8
    assert page.locator("#curve polyline").count() == 2
    assert HOSTILE in page.locator("#told").text_content()
    page.evaluate("scrollTo(0, 0)")
    page.locator("#board").hover()
    page.evaluate("scrollTo(0, 100)")
    page.mouse.wheel(0, 120)
    page.wait_for_function("() => scrollY > 150")  # the wheel scrolls the page and nothing else
    assert stones.count() == 8
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.locator("#theme").click()
    assert page.evaluate("document.documentElement.dataset.theme") == ("light" if dark else "dark")
    take_picture(page, f"report-{'dark' if dark else 'light'}-switched")


def test_report_shows_what_the_engines_said(light_page: Any, tmp_path: Path) -> None:
    """Long and hostile words stay text, scroll in their own box, and are gone where nothing was said."""
    lines = tuple(f"MESSAGE Depth {depth} | Eval {depth} | Node {depth}M | {HOSTILE}" for depth in range(11))
    entries = (MoveEntry("i8", 40, 12, None, 9, 5000, 0, ("i8", "a2", "j8"), lines), MoveEntry("a2", 7))
    fault = {"ending": Ending.DISCONNECT, "winner": "B", "blamed": "A", "messages": ("bye",), "stderr": (HOSTILE, "")}
    game = make_game(1, "A", "B", moves=entries, **fault)
    run = write_run(tmp_path, make_header("AB"), [game])
    light_page.goto(f"{write_html(run).as_uri()}#game=1&ply=3")
    words = light_page.locator("#words")
    light_page.wait_for_selector("#words pre")
    assert words.text_content() == "expected: i8 a2 j8" + "\n".join(lines)
    assert words.evaluate("box => box.scrollHeight > box.clientHeight && box.scrollWidth === box.clientWidth")
    take_picture(light_page, "report-words")
    light_page.keyboard.press("ArrowLeft")
    assert not words.is_visible()
    light_page.keyboard.press("End")
    assert words.text_content() == "without a move after it:bye"
    stderr = light_page.locator("#stderr")
    assert not stderr.locator("pre").is_visible()
    stderr.locator("summary").click()
    assert stderr.locator("pre").all_text_contents() == [HOSTILE]
    assert stderr.locator("pre").is_visible()


def test_one_sided_rating_has_bounds(light_page: Any, tmp_path: Path) -> None:
    """Three pairs give an Elo, but no error; without bounds the point looked as sure as one of a thousand games."""
    games = [make_game(number, *("BA", "AB")[number % 2]) for number in range(1, 6)]
    games.append(make_game(6, "B", "A", winner="A"))
    run = write_run(tmp_path, make_header("AB"), games)
    light_page.goto(write_html(run).as_uri())
    light_page.wait_for_selector("#moves button")
    words = light_page.locator("#ratings text.name").filter(has_text=" to ")
    found = [text.partition("95 % bounds")[0] for text in words.all_text_contents()]
    assert [re.fullmatch(r"[+-]\d+ to [+-]\d+", text) is not None for text in found] == [True, True]
    assert found[0].split(" to ")[0].strip("+-") == found[1].split(" to ")[1].strip("+-")
    assert light_page.locator("#ratings circle.open").count() == 2
    take_picture(light_page, "report-bounds")


def test_rating_of_who_won_everything_has_one_bound(light_page: Any, tmp_path: Path) -> None:
    games = [make_game(number, *("BA", "AB")[number % 2], winner="A") for number in range(1, 7)]
    run = write_run(tmp_path, make_header("AB"), games)
    light_page.goto(write_html(run).as_uri())
    light_page.wait_for_selector("#moves button")
    words = light_page.locator("#ratings text.name").filter(has_text="95 % bounds")
    assert [text.partition("95 % bounds")[0] for text in words.all_text_contents()] == ["> -154", "< +154"]
    assert light_page.locator("#ratings circle").count() == 0
    assert light_page.locator("#ratings path.curve").count() == 2


def test_rating_of_the_anchor_has_no_error(light_page: Any, tmp_path: Path) -> None:
    games = [make_game(number, *names) for number, names in enumerate(("AB", "BA", "BC", "CB", "CA", "AC", "AB"), 1)]
    run = write_run(tmp_path, make_header("ABC"), games)
    light_page.goto(write_html(run).as_uri())
    light_page.wait_for_selector("#moves button")
    assert light_page.locator("#ratings text.name").filter(has_text="0 (anchor)").count() == 1
    assert light_page.locator("#ratings text.name").filter(has_text="±").count() == 2
    assert light_page.locator("#ratings circle.open").count() == 0
    take_picture(light_page, "report-anchor")


def test_hundreds_of_games_are_shown_at_once(light_page: Any, tmp_path: Path) -> None:
    games = [make_game(number, *("AB", "BA")[number % 2]) for number in range(1, 601)]
    light_page.goto(write_html(write_run(tmp_path, make_header("AB"), games)).as_uri())
    light_page.wait_for_selector("#moves button")
    assert light_page.locator("#list button").count() == 600
