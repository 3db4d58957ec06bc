"""The play page in headless Chromium: games by mouse and keyboard, form, analysis, texts. Run with `-m browser`.

`serve_game(game, person)` serves a session in which the person plays these sides. `state` and `selected` are variables
of the page's script: the state of the game, and the ids clicked so far for a move.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bots.registry import GAMES
from tests.arena.web.browser import (
    HIVE_LINE,
    READY,
    ServeGame,
    click_slowly,
    click_target,
    count_decisive,
    find_click_target,
    play_by_mouse,
    save_screenshot,
    type_moves,
)

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("game", ["gomoku", "hex", "pentago", "kolibrat"])
def test_whole_game_is_played_by_mouse(page: Any, serve_game: ServeGame, game: str) -> None:
    page.goto(serve_game(game, "first", "player=" + ("potentials" if game == "hex" else "greedy")))
    scheme = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'")
    page.wait_for_function(READY)
    page.locator("#hint").click()
    page.wait_for_function("() => !state.analyst_is_busy && state.analysis.length")
    save_screenshot(page, f"play-{game}-{scheme}-hint")
    assert count_decisive(page) == 0
    state = play_by_mouse(page, lambda legal: next(iter(legal)))
    assert state["result"]["winner"] is not None
    # No pieces decide a game of Kolibrat; in the other games a row or chain of at least five does.
    assert count_decisive(page) >= 5 if game != "kolibrat" else count_decisive(page) == 0
    assert page.locator("#status").text_content() != ""
    assert page.locator("#moves li").count() == len(state["moves"])
    save_screenshot(page, f"play-{game}-{scheme}-end")


def test_whole_game_of_hive_is_played_by_mouse(page: Any, serve_game: ServeGame) -> None:
    """Each move is a click on a tile, in the hand or on the board, and a click on the target cell."""
    page.goto(serve_game("hive", "both", variant="Base+MLP"))
    line = HIVE_LINE.split(";")
    scheme = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'")

    for number, move in enumerate(line):
        page.wait_for_function(READY)
        tile, cell = page.evaluate("state")["legal"][move]
        click_target(page, tile)
        if number == 16:  # the beetle that climbs is selected
            save_screenshot(page, f"play-hive-{scheme}")
        click_target(page, cell)
        page.wait_for_function(f"() => state.moves.length > {number}")
    assert page.evaluate("state.result").get("reason") == "queen surrounded"
    assert count_decisive(page) == 1
    save_screenshot(page, f"play-hive-{scheme}-end")


def test_board_is_played_by_keyboard(light_page: Any, serve_game: ServeGame) -> None:
    light_page.goto(serve_game("pentago", "both"))
    light_page.wait_for_function(READY)
    light_page.keyboard.press("ArrowRight")
    light_page.keyboard.press("Enter")  # the cell
    light_page.keyboard.press("ArrowRight")
    light_page.keyboard.press("Enter")  # the turn of a quadrant
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
def test_form_starts_a_new_game(light_page: Any, serve_game: ServeGame, game: str) -> None:
    """Regression: in games with one board size, the hidden field's invalid value 0 used to block the form."""
    light_page.goto(serve_game(game, "both"))
    light_page.wait_for_function(READY)
    light_page.get_by_role("button", name="new game").click()
    light_page.wait_for_function("() => state.game_number === 2")


def test_form_starts_a_game_of_hex_with_swap(light_page: Any, serve_game: ServeGame) -> None:
    light_page.goto(serve_game("hex", "first"))
    light_page.wait_for_function(READY)
    light_page.locator("#person").select_option("both")
    light_page.locator("#variant").fill("swap")
    light_page.locator("#size").fill("7")
    light_page.get_by_role("button", name="new game").click()
    light_page.wait_for_function("() => state.game_number === 2")
    click_target(light_page, "d4")
    light_page.get_by_role("button", name="swap pieces").click()
    light_page.wait_for_function("() => state.moves.includes('swap-pieces')")
    save_screenshot(light_page, "play-hex-swap")


def test_dead_engine_is_shown(light_page: Any, serve_game: ServeGame) -> None:
    """The status says that the engine has failed, also after the move that it failed to answer was taken back."""
    light_page.goto(serve_game("gomoku", "first", "cmd=false,name=dies"))  # the program `false` ends at once
    light_page.wait_for_function(READY)
    click_target(light_page, "e5")
    light_page.wait_for_selector("#failure:not([hidden])")
    assert light_page.locator("#status").text_content() == "dies has failed"
    save_screenshot(light_page, "play-failure")
    light_page.locator("#undo").click()
    light_page.wait_for_function("() => state.moves.length === 0")
    assert light_page.locator("#status").text_content() == "dies has failed"
    light_page.locator("#opponent").select_option("random")
    light_page.locator("#person").select_option("second")
    light_page.get_by_role("button", name="new game").click()
    light_page.wait_for_function("() => !state.failure && state.moves.length === 1")


def test_state_that_waited_for_the_board_does_not_replace_a_newer_one(light_page: Any, serve_game: ServeGame) -> None:
    """Regression: a new game showed the position before the engine's first move until the server answered again."""
    light_page.goto(serve_game("gomoku", "both"))
    light_page.wait_for_function(READY)
    result = light_page.evaluate(
        """async () => {
          // The answers of api/board are held back in the order of the requests: they may arrive in another one.
          const send = request, releases = [];
          request = async (path, body) => {
            if (path === "api/board") await new Promise((release) => releases.push(release));
            return send(path, body);
          };
          const first = { ...state, game_number: state.game_number + 1, version: state.version + 1 };
          const second = { ...first, version: first.version + 1 };
          const [applyFirst, applySecond] = [applyState(first), applyState(second)];
          releases[1]();
          await applySecond;
          releases[0]();
          await applyFirst;
          return state === second ? "newer" : "older";
        }"""
    )
    assert result == "newer"


def test_box_of_the_analysis_is_not_changed_before_the_server_has_answered(
    light_page: Any, serve_game: ServeGame
) -> None:
    """Regression: a state that was under way during the click unchecked the box again."""
    light_page.goto(serve_game("gomoku", "both"))
    light_page.wait_for_function(READY)
    is_checked = light_page.evaluate(
        """async () => {
          const send = request, box = document.getElementById("analyse");
          let release;
          const clicked = new Promise((resolve) => { release = resolve; });
          request = async (path, body) => {
            if (path === "api/analyse") await clicked;
            return send(path, body);
          };
          box.click();
          await applyState(state);
          const isChecked = box.checked;
          release();
          return isChecked;
        }"""
    )
    assert is_checked
    light_page.wait_for_function("() => state.analysis_on && requestedAnalysis === null")
    assert light_page.locator("#analyse").is_checked()
    light_page.locator("#analyse").uncheck()
    light_page.wait_for_function("() => !state.analysis_on")


def test_analysis_is_shown_on_the_board(light_page: Any, serve_game: ServeGame) -> None:
    light_page.goto(serve_game("kolibrat", "both", variant="5x6-6-4"))
    light_page.wait_for_function(READY)
    for move in ("b1", "c6", "b1c2", "c6d5"):
        light_page.locator("#move").fill(move)
        light_page.keyboard.press("Enter")
        light_page.wait_for_function(f"() => state.moves.includes('{move}')")
    light_page.locator("#analyse").check()
    light_page.wait_for_function("() => state.analysis.length === 3")
    light_page.wait_for_selector(".hints .label")
    save_screenshot(light_page, "play-kolibrat-analysis")


CLICK_COUNT = 14  # per game, unless the game ends earlier
CLICK_TIMEOUT_MS = 3000  # a click without an effect after this time is lost


@pytest.mark.parametrize("helper", ["analysis", "hint"])
@pytest.mark.parametrize("game", GAMES)
def test_no_click_is_lost_during_analysis_or_hints(
    light_page: Any, serve_game: ServeGame, game: str, helper: str
) -> None:
    """Regression: each new state used to replace all click targets.

    A target that was replaced between press and release of the mouse button got no click.
    """
    page = light_page
    page.goto(serve_game(game, "both", variant="5x6-6-4" if game == "kolibrat" else None))
    page.wait_for_function(READY)
    if helper == "analysis":
        page.locator("#analyse").check()
    disturbed, clicks = 0, 0  # clicks during which the state changed, and all clicks
    while clicks < CLICK_COUNT and not page.evaluate("state.result"):
        if helper == "hint":
            page.locator("#hint").click()
        page.wait_for_function("() => state.analyst_is_busy || state.analysis.length")
        ply, moves = page.evaluate("[state.moves.length, Object.values(state.legal)]")
        targets = moves[ply * 7 % len(moves)]
        for number, target in enumerate(targets, 1):
            disturbed += click_slowly(page, find_click_target(page, target)) > 0
            clicks += 1
            done = f"state.moves.length > {ply}" if number == len(targets) else f"selected.length === {number}"
            page.wait_for_function(f"() => {done}", timeout=CLICK_TIMEOUT_MS)  # fails if the click was lost
    assert disturbed, f"the state did not change during any of {clicks} clicks"


@pytest.mark.parametrize("width", [1280, 820, 380])
def test_error_of_the_form_is_visible_at_any_width(light_page: Any, serve_game: ServeGame, width: int) -> None:
    """Regression: the error used to be shown at the top of the page, which on a narrow page is far above the form."""
    page = light_page
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(serve_game("gomoku", "both"))
    page.wait_for_function(READY)
    page.locator("#variant").fill("chess")
    page.get_by_role("button", name="new game").click()
    problem = page.locator("#problem")
    problem.wait_for(state="visible")
    assert "unknown variant 'chess'" in problem.text_content()
    box = problem.bounding_box()
    assert 0 <= box["y"] <= 700 - box["height"]
    assert page.evaluate("state.game_number") == 1
    page.locator("#variant").fill("renju")
    page.get_by_role("button", name="new game").click()
    page.wait_for_function("() => state.game_number === 2")
    problem.wait_for(state="hidden")  # with the command's answer; the new game may be known before, from the poll


def test_empty_level_field_shows_the_default(light_page: Any, serve_game: ServeGame) -> None:
    page = light_page
    page.goto(serve_game("hive", "second", "player=pentad"))
    page.wait_for_function("() => state")
    page.locator("#level").fill("")
    assert page.locator("#level").get_attribute("placeholder").startswith("10")
    page.get_by_role("button", name="new game").click()
    page.wait_for_function("() => state.game_number === 2")
    assert page.evaluate("state.players[0]") == "pentad, level 10"


def test_earlier_positions_are_shown_and_continued(light_page: Any, serve_game: ServeGame) -> None:
    page = light_page
    page.goto(serve_game("gomoku", "both"))
    page.wait_for_function(READY)
    type_moves(page, ["e5", "d4", "e4", "f6"])
    stones, ply = page.locator("#board .piece:not(.ghost)"), page.locator("#ply")

    def wait_for_ply(text: str) -> None:
        page.wait_for_function(f"() => document.getElementById('ply').textContent === '{text}'")

    page.locator("#previous").click()
    wait_for_ply("3 / 4")
    assert stones.count() == 3
    assert page.locator("#board .target").count() == 0  # moves cannot be made in an earlier position
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
    click_target(page, "a1")
    page.wait_for_function("() => state.moves.join() === 'e5,d4,a1'")


def test_game_is_copied_saved_and_loaded(light_page: Any, serve_game: ServeGame, tmp_path: Path) -> None:
    page = light_page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(serve_game("pentago", "both"))
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
    page.wait_for_function("() => state.game_number === 2 && !state.moves.length")
    page.locator("#file").set_input_files(saved)
    page.wait_for_function("() => state.game_number === 3 && state.moves.join() === 'c3t,d4v'")
    page.locator("#text").fill("6/1w4/6/3b2/6/6 w")
    page.locator("#load").click()
    page.wait_for_function("() => state.game_number === 4")
    assert page.locator("#board .piece:not(.ghost)").count() == 2
    page.locator("#text").fill("a1x a1x")
    page.locator("#load").click()
    page.wait_for_selector("#problem:not([hidden])")
    assert "move 2, 'a1x'" in page.locator("#problem").text_content()
    assert page.locator("#text").input_value() == "a1x a1x"  # the text stays, so that it can be corrected


@pytest.mark.parametrize("width", [1280, 380])
@pytest.mark.parametrize("game", GAMES)
def test_rules_have_a_page_with_pictures(light_page: Any, serve_game: ServeGame, game: str, width: int) -> None:
    page = light_page
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(serve_game(game, "both"))
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
    save_screenshot(rules, f"rules-{game}-{width}")
    rules.close()
