"""The rules of a game as a page shows them: words, and pictures that the game's own painter draws of played positions.

What a picture says of legal moves are the rules' own: its dots are where the piece named may go.
"""

from __future__ import annotations

import msgspec

from arena.web.painters import find_painter
from core.play.game import Game, Position
from core.play.rules_page import Picture
from core.play.scene import DrawnBoard, Scene


class Drawing(msgspec.Struct, frozen=True):
    """A picture that is drawn: `dots` are ids of its places."""

    caption: str
    board: DrawnBoard
    scene: Scene
    chosen: str
    dots: tuple[str, ...]


class Part(msgspec.Struct, frozen=True):
    """A section with its pictures drawn."""

    title: str
    text: tuple[str, ...]
    drawings: tuple[Drawing, ...]


class Rules(msgspec.Struct, frozen=True):
    """The whole page."""

    title: str
    parts: tuple[Part, ...]


def describe_rules(game: Game) -> Rules:
    """The page of a game."""
    return Rules(
        game.title,
        tuple(
            Part(section.title, section.text, tuple(draw_picture(game, picture) for picture in section.pictures))
            for section in game.rules_page()
        ),
    )


def play_picture(game: Game, picture: Picture) -> Position:
    """The position of a picture; raise IllegalMove where its line is none."""
    position = game.new_position(picture.setup or game.default_setup)
    for move in picture.line:
        position.play(move)
    return position


def draw_picture(game: Game, picture: Picture) -> Drawing:
    """A picture as the page draws it."""
    position, painter = play_picture(game, picture), find_painter(game)
    before = 1 if picture.piece else 0
    wanted = [ids for ids in painter.list_clicks(position).values() if not before or ids[0] == picture.piece]
    dots = dict.fromkeys(ids[before] for ids in wanted if len(ids) > before) if picture.dots else {}
    scene = painter.make_scene(position)
    if picture.dots:  # then it is about the move that comes
        scene = msgspec.structs.replace(scene, marks=())
    return Drawing(picture.caption, painter.make_board(position.setup), scene, picture.piece, tuple(dots))
