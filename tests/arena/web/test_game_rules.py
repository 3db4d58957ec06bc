"""The rules' pictures show what the rules of the bots do: their lines are legal, their dots the legal moves."""

from __future__ import annotations

import pytest

from arena.web.game_rules import describe_rules, draw_picture, play_picture
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
    rules = describe_rules(game)
    assert rules.title == game.title
    assert sum(len(part.drawings) for part in rules.parts) >= 4
    assert all(part.title and part.text for part in rules.parts)


@pytest.mark.parametrize(("game", "picture"), PICTURES)
def test_picture_says_what_its_position_is(game: Game, picture: Picture) -> None:
    """That somebody has won, or may not play somewhere, is said where it is so and only there."""
    outcome = play_picture(game, picture).outcome()
    drawing = draw_picture(game, picture)
    kinds = {mark.kind for mark in drawing.scene.marks}
    says_win = "has won" in picture.caption or "Freestyle:" in picture.caption
    assert (outcome is not None) is says_win
    assert (DECISIVE in kinds) is says_win
    assert (FORBIDDEN in kinds) is ("cross" in picture.caption)
    places = drawing.board.cells.keys() | drawing.scene.cells.keys() | drawing.scene.pieces.keys()
    assert set(drawing.dots) <= places
    assert not drawing.dots or picture.dots


@pytest.mark.parametrize(
    ("caption", "places"),
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
def test_hive_picture_shows_so_many_places(caption: str, places: int) -> None:
    """As counted by hand on the table."""
    game = GAMES["hive"]
    (picture,) = (one for section in game.rules_page() for one in section.pictures if one.caption.startswith(caption))
    assert len(draw_picture(game, picture).dots) == places


def test_picture_of_an_illegal_line_is_refused() -> None:
    with pytest.raises(IllegalMove):
        draw_picture(GAMES["hex"], Picture("", ("a1", "a1")))
