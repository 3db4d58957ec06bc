"""The page of a review in headless Chromium, as somebody uses it who has just lost a game. Run with `-m browser`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.engines.spec import EngineSpec
from arena.game_files.stored_game import StoredGame
from arena.review.files import make_stored_review
from arena.review.grades import PRESETS
from arena.review.moves import review_game
from arena.review.positions import AnalysedPosition, Line, SearchSettings
from arena.web.review.page import write_page
from bots.registry import GAMES
from core.play.player import Setup
from tests.arena.web.browser import READY, ServeGame, click_target, save_screenshot
from tests.arena.web.runs import HOSTILE

pytestmark = pytest.mark.browser


def write_review(directory: Path) -> str:
    """Write a review with a blunder at move 2, whose better line has three moves, and return its address."""
    stored = StoredGame(GAMES["gomoku"], Setup(15, 15, "freestyle"), ("h8", "a1", "i8", "a3"), (HOSTILE, "Ben"))
    lines = {
        0: Line(("h8",), 0.5),
        1: Line(("g7", "i7", "i6"), 0.5),
        2: Line(("i8",), 0.9),
        3: Line(("g8",), 0.2),
        4: Line(("j8",), 0.95),
    }
    searched = {ply: AnalysedPosition(ply, ply % 2, (line,)) for ply, line in lines.items()}
    searched[1] = AnalysedPosition(1, 1, (lines[1], Line(("i6",), 0.3)))
    review = review_game(stored, searched, PRESETS["club"])
    settings = SearchSettings(EngineSpec("pentad", player="pentad"))
    return write_page(directory, stored, make_stored_review(stored, settings, "club", searched, review)).as_uri()


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)])
def test_a_player_goes_to_the_blunder_and_plays_the_better_line(
    page: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(write_review(tmp_path))
    page.wait_for_selector("#moves button")
    stones = page.locator("#board .pieces .piece")
    assert stones.count() == 4  # the page opens at the end of the game
    page.keyboard.press("Home")
    page.keyboard.press("n")
    verdict = page.locator("#verdict")
    assert "2. a1??" in verdict.text_content()
    assert "g7 is better: g7 i7 i6." in verdict.text_content()
    assert "best moves of the engine: g7 (50 %), i6 (30 %)" in verdict.text_content()
    assert page.locator("#board .piece.better").count() == 1
    assert page.locator("#board .grade-badge").count() == 1
    page.get_by_role("button", name="show the better line instead of the move that was played (b)").click()
    assert stones.count() == 2
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert stones.count() == 4
    page.keyboard.press("b")
    assert stones.count() == 2
    assert page.locator("#moves button[aria-current]").text_content() == "2a1??"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(f"text={HOSTILE}").count() >= 1  # a name is text, never markup
    save_screenshot(page, f"review-{size[0]}")


def test_a_click_on_the_graph_shows_that_move(page: Any, tmp_path: Path) -> None:
    page.goto(write_review(tmp_path))
    page.wait_for_selector("#curve svg")
    dot = page.locator("#curve circle.grade-blunder").first
    dot.click()
    assert page.locator("#moves button[aria-current]").text_content() == "2a1??"
    page.locator("#worst button").first.click()
    assert "a1??" in page.locator("#verdict").text_content()
    page.get_by_role("button", name="last position (End)").click()
    page.locator("#moves button").first.click()
    assert page.locator("#board .pieces .piece").count() == 1


def test_a_lost_game_is_reviewed_from_the_play_page(light_page: Any, serve_game: ServeGame) -> None:
    light_page.goto(serve_game("kolibrat", "both", variant="3x3-3-5"))
    light_page.wait_for_function(READY)
    assert light_page.locator("#review").is_disabled()
    for move in ("a1", "a3", "b1"):
        light_page.locator("#move").fill(move)
        light_page.keyboard.press("Enter")
        light_page.wait_for_function(f"() => state.moves.at(-1) === '{move}'")
    light_page.locator("#resign").click()
    light_page.wait_for_function("() => state.result")
    light_page.locator("#review").click()
    link = light_page.locator("#review-link")
    link.wait_for()
    assert link.text_content() == "show the review of 3 moves"
    save_screenshot(light_page, "play-review")
    with light_page.context.expect_page() as opened:
        link.click()
    review = opened.value
    review.wait_for_selector("#moves button")
    assert review.locator("#moves button").count() == 3
    assert review.locator("#problem").is_hidden()
    save_screenshot(review, "play-review-page")


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)])
def test_a_player_learns_from_a_mistake(light_page: Any, tmp_path: Path, size: tuple[int, int]) -> None:
    light_page.set_viewport_size({"width": size[0], "height": size[1]})
    light_page.goto(write_review(tmp_path))
    light_page.get_by_role("button", name="learn from the 2 errors of Ben (white)").click()
    exercise = light_page.locator("#exercise")
    assert "white to move, move 2: find a better move" in exercise.text_content()
    assert light_page.locator("#board .pieces .piece").count() == 1
    assert not light_page.locator("#verdict").is_visible()  # the answer is hidden
    for square, answer in (("a1", "a1 was played in the game"), ("o15", "o15 is not among the best moves")):
        click_target(light_page, square)
        assert answer in exercise.text_content()
    save_screenshot(light_page, f"review-exercise-{size[0]}")
    click_target(light_page, "g7")
    assert (
        "Right. In the game: a1?? probably loses 40 % (50 % -> 10 %). g7 is better: g7 i7 i6."
        in exercise.text_content()
    )
    assert light_page.locator("#board .pieces .piece").count() == 2  # the better move is shown
    light_page.get_by_role("button", name="next error", exact=True).click()
    light_page.get_by_role("button", name="show the answer").click()
    assert "The answer: a3?? probably" in exercise.text_content()
    light_page.get_by_role("button", name="end", exact=True).click()
    assert light_page.get_by_role("button", name="learn from the 2 errors of Ben (white)").is_visible()


@pytest.mark.parametrize("game", ["hive", "pentago", "kolibrat", "hex"])
def test_the_exercise_is_played_by_clicks_in_every_game(light_page: Any, tmp_path: Path, game: str) -> None:
    """Pieces in the hand, cells that only one position has, and moves of several clicks."""
    row = GAMES[game]
    position = row.new_position(row.default_setup)
    for _ in range(4):
        position.play(position.legal_moves()[0])
    moves = tuple(position.moves)
    before = StoredGame(row, row.default_setup, moves).position(2)
    best = next(move for move in reversed(before.legal_moves()) if move != moves[2])
    stored = StoredGame(row, row.default_setup, moves)
    side = before.to_move
    sides = [StoredGame(row, row.default_setup, moves).position(ply).to_move for ply in range(5)]
    after = 0.1 if sides[3] == side else 0.9
    lines = {2: Line((best,), 0.9), 3: Line((moves[3],), after)}
    searched = {ply: AnalysedPosition(ply, sides[ply], (line,)) for ply, line in lines.items()}
    settings = SearchSettings(EngineSpec("pentad", player="pentad"))
    review = review_game(stored, searched, PRESETS["club"])
    path = write_page(tmp_path, stored, make_stored_review(stored, settings, "club", searched, review))
    light_page.goto(path.as_uri())
    light_page.get_by_role("button", name="learn from the 1 error").click()
    assert row.painter is not None
    for target in row.painter().list_clicks(before)[best]:
        click_target(light_page, target)
    assert "Right." in light_page.locator("#exercise").text_content()
    save_screenshot(light_page, f"review-exercise-{game}")
