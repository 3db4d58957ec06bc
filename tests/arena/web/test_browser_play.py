"""The play page in headless Chromium: whole games by mouse and keyboard. Run with `-m browser`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bots.registry import GAMES
from tests.arena.web.browser import (
    HIVE_LINE,
    READY,
    Serve,
    click_step,
    count_decisive,
    find_step,
    play_by_mouse,
    press_slowly,
    take_picture,
    type_moves,
)

pytestmark = pytest.mark.browser


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


CLICKS = 14
LOST_MS = 3000  # after which a click is known to have done nothing


@pytest.mark.parametrize("helper", ["analysis", "hint"])
@pytest.mark.parametrize("game", GAMES)
def test_no_click_is_lost_while_an_engine_looks_on(light_page: Any, served: Serve, game: str, helper: str) -> None:
    """Each report built all targets anew: gone between a button's down and its up, they heard no click."""
    page = light_page
    page.goto(served(game, "both", variant="5x6-6-4" if game == "kolibrat" else None))
    page.wait_for_function(READY)
    if helper == "analysis":
        page.locator("#analyse").check()
    busy, clicks = 0, 0  # clicks during which there was news, and all
    while clicks < CLICKS and not page.evaluate("state.result"):
        if helper == "hint":
            page.locator("#hint").click()
        page.wait_for_function("() => state.looking || state.analysis.length")
        ply, moves = page.evaluate("[state.moves.length, Object.values(state.legal)]")
        steps = moves[ply * 7 % len(moves)]
        for number, step in enumerate(steps, 1):
            busy += press_slowly(page, find_step(page, step)) > 0
            clicks += 1
            done = f"state.moves.length > {ply}" if number == len(steps) else f"selected.length === {number}"
            page.wait_for_function(f"() => {done}", timeout=LOST_MS)  # else the click is lost
    assert busy, f"there was no news during any of {clicks} clicks"


@pytest.mark.parametrize("width", [1280, 820, 380])
def test_refused_new_game_is_seen_at_any_width(light_page: Any, served: Serve, width: int) -> None:
    """On a narrow page the form stands far below the place where the refusal was told."""
    page = light_page
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(served("gomoku", "both"))
    page.wait_for_function(READY)
    page.locator("#variant").fill("chess")
    page.get_by_role("button", name="new game").click()
    problem = page.locator("#problem")
    problem.wait_for(state="visible")
    assert "unknown variant 'chess'" in problem.text_content()
    box = problem.bounding_box()
    assert 0 <= box["y"] <= 700 - box["height"]
    assert page.evaluate("state.board") == 1
    page.locator("#variant").fill("renju")
    page.get_by_role("button", name="new game").click()
    page.wait_for_function("() => state.board === 2")
    assert not problem.is_visible()


def test_empty_level_says_what_it_is(light_page: Any, served: Serve) -> None:
    page = light_page
    page.goto(served("hive", "second", "player=pentad"))
    page.wait_for_function("() => state")
    page.locator("#level").fill("")
    assert page.locator("#level").get_attribute("placeholder").startswith("10")
    page.get_by_role("button", name="new game").click()
    page.wait_for_function("() => state.board === 2")
    assert page.evaluate("state.players[0]") == "pentad, level 10"


def test_earlier_positions_are_looked_at_and_played_on_from(light_page: Any, served: Serve) -> None:
    page = light_page
    page.goto(served("gomoku", "both"))
    page.wait_for_function(READY)
    type_moves(page, ["e5", "d4", "e4", "f6"])
    stones, ply = page.locator("#board .piece:not(.ghost)"), page.locator("#ply")

    def wait_for_ply(text: str) -> None:
        page.wait_for_function(f"() => document.getElementById('ply').textContent === '{text}'")

    page.locator("#back").click()
    wait_for_ply("3 / 4")
    assert stones.count() == 3
    assert page.locator("#board .target").count() == 0  # nothing can be played there
    page.locator("#board").click()
    page.keyboard.press("Shift+ArrowLeft")
    wait_for_ply("2 / 4")
    page.keyboard.press("Shift+Home")
    wait_for_ply("0 / 4")
    assert page.locator("#status").text_content() == "Earlier position: black to move after 0 of 4 moves"
    page.keyboard.press("Shift+End")
    wait_for_ply("4 / 4")
    assert not page.locator("#rewind").is_visible()
    page.locator("#moves button").nth(1).click()
    wait_for_ply("2 / 4")
    assert page.evaluate("state.moves.length") == 4
    page.locator("#rewind").click()
    wait_for_ply("2 / 2")
    assert ply.text_content() == "2 / 2"
    click_step(page, "a1")
    page.wait_for_function("() => state.moves.join() === 'e5,d4,a1'")


def test_game_is_copied_saved_and_loaded(light_page: Any, served: Serve, tmp_path: Path) -> None:
    page = light_page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(served("pentago", "both"))
    page.wait_for_function(READY)
    type_moves(page, ["c3t", "d4v"])
    text = page.evaluate("state.game_text")
    page.locator("#copy").click()
    page.wait_for_function("() => document.getElementById('copy').textContent === 'copied'")
    assert page.evaluate("navigator.clipboard.readText()") == text
    page.locator("#copy-position").click()
    page.wait_for_function("() => document.getElementById('copy-position').textContent === 'copied'")
    assert page.evaluate("navigator.clipboard.readText()") == page.evaluate("state.position_text")
    with page.expect_download() as download:
        page.locator("#save").click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    assert (saved.name, saved.read_text()) == ("pentad-pentago.txt", text)
    page.get_by_role("button", name="new game").click()
    page.wait_for_function("() => state.board === 2 && !state.moves.length")
    page.locator("#file").set_input_files(saved)
    page.wait_for_function("() => state.board === 3 && state.moves.join() === 'c3t,d4v'")
    page.locator("#text").fill("6/1w4/6/3b2/6/6 w")
    page.locator("#load").click()
    page.wait_for_function("() => state.board === 4")
    assert page.locator("#board .piece:not(.ghost)").count() == 2
    page.locator("#text").fill("a1x a1x")
    page.locator("#load").click()
    page.wait_for_selector("#problem:not([hidden])")
    assert "move 2, 'a1x'" in page.locator("#problem").text_content()
    assert page.locator("#text").input_value() == "a1x a1x"  # to be mended


@pytest.mark.parametrize("width", [1280, 380])
@pytest.mark.parametrize("game", GAMES)
def test_rules_have_a_page_with_pictures(light_page: Any, served: Serve, game: str, width: int) -> None:
    page = light_page
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(served(game, "both"))
    page.wait_for_function(READY)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    with page.expect_popup() as popup:
        page.locator("#rules").click()
    rules = popup.value
    rules.set_viewport_size({"width": width, "height": 800})
    rules.wait_for_selector("figure svg.board")
    assert rules.title() == f"Rules of {GAMES[game].title}"
    assert rules.locator("figure").count() >= 4
    assert rules.evaluate("document.documentElement.scrollWidth") <= width
    take_picture(rules, f"rules-{game}-{width}")
    rules.close()
