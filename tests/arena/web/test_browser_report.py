"""The report in headless Chromium: stepping through games, links, charts. Run with `-m browser`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from arena.log.events import MoveEntry
from arena.log.file import read_run
from arena.results.derived_files import write_derived_files
from arena.results.outcome import compute_outcome
from arena.terms.anchors import Anchor
from arena.terms.ending import Ending
from arena.web.report.page import write_html
from bots.registry import GAMES
from tests.arena.web.browser import count_decisive, save_screenshot
from tests.arena.web.runs import HOSTILE, make_game, make_games, make_header, write_rounds, write_run

pytestmark = pytest.mark.browser


def write_report(directory: Path) -> str:
    """Write a report with two games of an engine whose name is hostile text, and return its address."""
    line = ("h8", "i9", "g7", "i7", "i8", "g8", "j8", "h9")
    entries = tuple(
        MoveEntry(move, time_ms=40 * ply, score=30 * (-1) ** ply * ply, depth=ply, nodes=999)
        for ply, move in enumerate(line)
    )
    lost_on_time = {"ending": Ending.TIME, "detail": HOSTILE, "opening": ()}
    games = [
        make_game(1, HOSTILE, "B"),
        make_game(2, "B", HOSTILE, winner=HOSTILE, blamed="B", **(lost_on_time | {"moves": entries})),
    ]
    return write_html(write_run(directory, make_header((HOSTILE, "B")), games)).as_uri()


def test_report_replays_games_by_keys_and_clicks(page: Any, tmp_path: Path) -> None:
    page.goto(write_report(tmp_path))
    stones = page.locator("#board .piece")
    page.wait_for_selector("#moves button")
    assert stones.count() == 9  # the report opens at the end of the first game
    page.keyboard.press("Home")
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
    assert HOSTILE in page.locator("#search-info").text_content()
    page.evaluate("scrollTo(0, 0)")
    page.locator("#board").hover()
    page.evaluate("scrollTo(0, 100)")
    page.mouse.wheel(0, 120)
    page.wait_for_function("() => scrollY > 150")  # the wheel scrolls the page and does not step through the game
    assert stones.count() == 8
    was_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.locator("#theme").click()
    assert page.evaluate("document.documentElement.dataset.theme") == ("light" if was_dark else "dark")
    save_screenshot(page, f"report-{'dark' if was_dark else 'light'}-switched")


def test_report_shows_messages_of_engines(light_page: Any, tmp_path: Path) -> None:
    """Long or hostile messages are shown as text in a box that scrolls, which is hidden for moves without messages."""
    lines = tuple(f"MESSAGE Depth {depth} | Eval {depth} | Node {depth}M | {HOSTILE}" for depth in range(11))
    searched = MoveEntry("i8", time_ms=40, score=12, depth=9, nodes=5000, pv=("i8", "a2", "j8"), messages=lines)
    entries = (searched, MoveEntry("a2", time_ms=7))
    fault = {"ending": Ending.DISCONNECT, "winner": "B", "blamed": "A", "messages": ("bye",), "stderr": (HOSTILE, "")}
    game = make_game(1, "A", "B", moves=entries, **fault)
    run = write_run(tmp_path, make_header("AB"), [game])
    light_page.goto(f"{write_html(run).as_uri()}#game=1&ply=3")
    messages = light_page.locator("#messages")
    light_page.wait_for_selector("#messages pre")
    assert messages.text_content() == "principal variation: i8 a2 j8" + "\n".join(lines)
    assert messages.evaluate("box => box.scrollHeight > box.clientHeight && box.scrollWidth === box.clientWidth")
    save_screenshot(light_page, "report-messages")
    light_page.keyboard.press("ArrowLeft")
    assert not messages.is_visible()
    light_page.keyboard.press("End")
    assert messages.text_content() == "after the last move:bye"
    stderr = light_page.locator("#stderr")
    assert not stderr.locator("pre").is_visible()
    stderr.locator("summary").click()
    assert stderr.locator("pre").all_text_contents() == [HOSTILE]
    assert stderr.locator("pre").is_visible()


def test_one_sided_rating_has_bounds(light_page: Any, tmp_path: Path) -> None:
    """Regression: an Elo without a symmetric interval, here of three pairs, used to be shown as if it were exact."""
    games = [make_game(number, *("BA", "AB")[number % 2]) for number in range(1, 6)]
    games.append(make_game(6, "B", "A", winner="A"))
    run = write_run(tmp_path, make_header("AB"), games)
    light_page.goto(write_html(run).as_uri())
    light_page.wait_for_selector("#moves button")
    labels = light_page.locator("#ratings text.name").filter(has_text=" to ")
    bounds = [text.partition("95 % bounds")[0] for text in labels.all_text_contents()]
    assert [re.fullmatch(r"[+-]\d+ to [+-]\d+", text) is not None for text in bounds] == [True, True]
    assert bounds[0].split(" to ")[0].strip("+-") == bounds[1].split(" to ")[1].strip("+-")
    assert light_page.locator("#ratings circle.open").count() == 2
    save_screenshot(light_page, "report-bounds")


def test_engine_that_won_everything_has_one_bound(light_page: Any, tmp_path: Path) -> None:
    games = [make_game(number, *("BA", "AB")[number % 2], winner="A") for number in range(1, 7)]
    run = write_run(tmp_path, make_header("AB"), games)
    light_page.goto(write_html(run).as_uri())
    light_page.wait_for_selector("#moves button")
    labels = light_page.locator("#ratings text.name").filter(has_text="95 % bounds")
    texts = [text.partition("95 % bounds")[0] for text in labels.all_text_contents()]
    assert texts == ["at least -154", "at most +154"]
    assert light_page.locator("#ratings circle").count() == 0
    assert light_page.locator("#ratings path.curve").count() == 2


def test_rating_of_the_anchor_has_no_interval(light_page: Any, tmp_path: Path) -> None:
    games = [make_game(number, *names) for number, names in enumerate(("AB", "BA", "BC", "CB", "CA", "AC", "AB"), 1)]
    run = write_run(tmp_path, make_header("ABC", anchor=(Anchor("B", 2300.0),)), games)
    light_page.goto(write_html(run).as_uri())
    light_page.wait_for_selector("#moves button")
    texts = light_page.locator("#ratings text.name").all_text_contents()
    assert "2300 (anchor)" in texts
    assert not any(text.startswith("+") for text in texts)
    assert light_page.locator("#ratings text.name").filter(has_text="±").count() == 2
    assert light_page.locator("#ratings circle.open").count() == 0
    save_screenshot(light_page, "report-anchor")


def test_bracket_shows_matches_byes_and_winner(page: Any, tmp_path: Path) -> None:
    """Names of engines are text, also in tooltips. An engine with a bye appears in the second round."""
    names = (HOSTILE, "B", "C", "D", "E", "F")
    header = make_header(names, tournament_format="knockout", tie_break_games=2)
    write_rounds(tmp_path, header, lambda one, other: "" if {one, other} == {"B", "C"} else min(one, other))
    page.goto(write_html(tmp_path).as_uri())
    page.wait_for_selector("#rounds svg")
    texts = page.locator("#rounds svg text").evaluate_all("texts => texts.map((text) => text.firstChild.data)")
    assert [text for text in texts if text in ("round 1", "round 2", "final", "winner")] == [
        *("round 1", "round 2", "final", "winner")
    ]
    assert len([text for text in texts if text == "D"]) == 2  # in the first round and in the semi-final
    assert len([text for text in texts if text == "B"]) == 2  # in the semi-final, after a bye, and in the final
    assert "2*" in texts
    assert page.locator("#rounds svg path").count() == 5
    assert page.locator("#rounds tbody tr").count() == 6
    assert page.locator("#rounds tbody tr").first.text_content().startswith(f"1  {HOSTILE}")
    save_screenshot(page, "report-bracket")


def test_crosstable_by_rounds_is_shown(light_page: Any, tmp_path: Path) -> None:
    write_rounds(tmp_path, make_header("ABC", tournament_format="swiss"), min)
    light_page.goto(write_html(tmp_path).as_uri())
    light_page.wait_for_selector("#rounds tbody")
    rows = [row.locator("td").all_text_contents() for row in light_page.locator("#rounds tbody tr").all()]
    assert rows == [
        ["1  A", "1", "4", "4", "8", "2-0 v 2", "2-0 v 3"],
        ["2  B", "2", "2", "6", "4", "0-2 v 1", "bye"],
        ["3  C", "2", "2", "6", "4", "bye", "0-2 v 1"],
    ]
    assert light_page.locator("#rounds svg").count() == 0


def test_report_of_a_round_robin_has_no_rounds(light_page: Any, tmp_path: Path) -> None:
    light_page.goto(write_html(write_run(tmp_path, make_header("AB"), [make_game(1, "A", "B")])).as_uri())
    light_page.wait_for_selector("#moves button")
    assert not light_page.locator("#rounds-card").is_visible()


def test_list_shows_hundreds_of_games(light_page: Any, tmp_path: Path) -> None:
    games = [make_game(number, *("AB", "BA")[number % 2]) for number in range(1, 601)]
    light_page.goto(write_html(write_run(tmp_path, make_header("AB"), games)).as_uri())
    light_page.wait_for_selector("#moves button")
    assert light_page.locator("#list button").count() == 600


@pytest.mark.parametrize("game", GAMES)
def test_board_is_visible_without_scrolling(light_page: Any, tmp_path: Path, game: str) -> None:
    """Regression: the board used to be below results, ratings, times and endings, so keys had no visible effect."""
    header, games = make_games(GAMES[game], 40)
    light_page.set_viewport_size({"width": 1280, "height": 800})
    light_page.goto(write_html(write_run(tmp_path, header, games)).as_uri())
    light_page.wait_for_selector("#moves button")
    for part in ("#board svg", "#controls", "#strip0", "#strip1", "#records"):
        box = light_page.locator(part).bounding_box()
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 800, part
    assert light_page.locator("#board svg").bounding_box()["height"] >= 300
    light_page.locator("#to-summary").click()
    assert light_page.locator("#results").bounding_box()["y"] < 400
    save_screenshot(light_page, f"report-{game}")


@pytest.mark.parametrize("width", [1280, 380])
def test_link_to_a_position_shows_the_board(light_page: Any, tmp_path: Path, width: int) -> None:
    """This also holds for a link that is followed while the report is open."""
    header, games = make_games(GAMES["hex"], 40)
    page = light_page
    page.set_viewport_size({"width": width, "height": 800 if width > 800 else 420})
    address = write_html(write_run(tmp_path, header, games)).as_uri()
    page.goto(f"{address}#game=7&ply=4")
    page.wait_for_function("() => document.querySelectorAll('#board .piece').length === 4")
    assert is_board_visible(page)
    assert page.locator("#caption").text_content().startswith("Game 7,")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.evaluate("location.hash = '#game=9&ply=2'")
    page.wait_for_function("() => document.querySelectorAll('#board .piece').length === 2")
    assert page.locator("#caption").text_content().startswith("Game 9,")
    assert is_board_visible(page)


def test_keys_while_the_board_is_not_visible(light_page: Any, tmp_path: Path) -> None:
    """The arrow keys step through the game and scroll to the board; Home and End only scroll the page."""
    header, games = make_games(GAMES["hex"], 40)
    page = light_page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(write_html(write_run(tmp_path, header, games)).as_uri())
    page.wait_for_selector("#moves button")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("scrollY") == 0
    page.evaluate("document.getElementById('summary').style.paddingBottom = '1500px'")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert not is_board_visible(page)
    page.keyboard.press("Home")
    page.wait_for_function("() => scrollY === 0")
    assert page.locator("#board .piece").count() == 1
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.keyboard.press("ArrowRight")
    assert page.locator("#board .piece").count() == 2
    assert is_board_visible(page)


def is_board_visible(page: Any) -> bool:
    """Return whether the board, or at least its upper 300 pixels, is in the window."""
    box = page.locator("#board").bounding_box()
    return bool(box["y"] >= 0 and box["y"] + min(box["height"], 300) <= page.viewport_size["height"])


def test_records_of_a_game_are_linked(light_page: Any, tmp_path: Path) -> None:
    header, games = make_games(GAMES["gomoku"], 4)
    run = write_run(tmp_path, header, games)
    write_derived_files(run, GAMES["gomoku"].records, compute_outcome(read_run(run)))
    light_page.goto(f"{write_html(run).as_uri()}#game=3&ply=0")
    light_page.wait_for_selector("#moves button")
    links = light_page.locator("#records a")
    assert links.all_text_contents() == ["psq", "sgf"]
    for link in links.all():
        assert (tmp_path / link.get_attribute("href")).is_file()
    light_page.keyboard.press("n")
    assert links.first.get_attribute("href") == "games/00004.psq"
