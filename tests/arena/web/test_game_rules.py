"""The rules pages of all games: their pictures agree with the rules that the bots play by."""

from __future__ import annotations

import pytest

from arena.web.game_rules import draw_picture, make_picture_position, make_rules_page
from bots.registry import GAMES
from core.play.game import Game
from core.play.player import IllegalMove
from core.play.rules_page import Picture
from core.play.scene import DECISIVE, FORBIDDEN

PICTURES = [
    pytest.param(game, picture, id=f"{game.name}-{picture.caption[:30]}")
    for game in GAMES.values()
    for section in game.rules_page()
    for picture in section.pictures
]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_game_has_rules_with_pictures(game: Game) -> None:
    page = make_rules_page(game)
    assert page.title == game.title
    assert sum(len(section.pictures) for section in page.sections) >= 4
    assert all(section.title and section.text for section in page.sections)


@pytest.mark.parametrize(("game", "picture"), PICTURES)
def test_caption_agrees_with_the_position(game: Game, picture: Picture) -> None:
    """The caption speaks of a win or of a cross (a forbidden cell) if and only if the position has one.

    The caption that begins with "Freestyle:" shows a row that wins.
    """
    outcome = make_picture_position(game, picture).outcome()
    drawn = draw_picture(game, picture)
    kinds = {mark.kind for mark in drawn.scene.marks}
    shows_win = "has won" in picture.caption or "Freestyle:" in picture.caption
    assert (outcome is not None) is shows_win
    assert (DECISIVE in kinds) is shows_win
    assert (FORBIDDEN in kinds) is ("cross" in picture.caption)
    ids = drawn.board.cells.keys() | drawn.scene.cells.keys() | drawn.scene.pieces.keys()
    assert set(drawn.dots) <= ids
    assert not drawn.dots or picture.dots


@pytest.mark.parametrize(
    ("caption", "count"),
    [
        ("Queen", 2),
        ("Spider", 2),
        ("Beetle", 3),
        ("Grasshopper", 1),
        ("Ant:", 13),
        ("Ladybug", 4),
        ("Mosquito", 2),
        ("The white spider", 0),
        ("The ant goes", 15),
    ],
)
def test_number_of_dots_in_hive_pictures(caption: str, count: int) -> None:
    """The numbers of legal targets were counted by hand with real tiles."""
    game = GAMES["hive"]
    (picture,) = (one for section in game.rules_page() for one in section.pictures if one.caption.startswith(caption))
    assert len(draw_picture(game, picture).dots) == count


def test_picture_with_an_illegal_move_is_refused() -> None:
    with pytest.raises(IllegalMove):
        draw_picture(GAMES["hex"], Picture("", ("a1", "a1")))
