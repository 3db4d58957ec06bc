"""The rules page of a game: its texts and its pictures, drawn by the game's painter.

A picture shows the position after some moves. Its dots mark the cells or pieces that may be clicked next, by the legal
moves of the position. If a piece is drawn as clicked, only the targets of that piece have dots.
"""

from __future__ import annotations

import msgspec

from arena.web.painters import find_painter
from core.play.game import Game, Position
from core.play.rules_page import Picture
from core.play.scene import DrawnBoard, Scene


class DrawnPicture(msgspec.Struct, frozen=True):
    """A `Picture` of the rules, as data for the page."""

    caption: str
    board: DrawnBoard
    scene: Scene
    selected: str  # id of the piece or cell that is drawn as clicked; empty for none
    dots: tuple[str, ...]  # ids of the cells and pieces that have a dot


class DrawnSection(msgspec.Struct, frozen=True):
    """A `Section` of the rules, as data for the page."""

    title: str
    text: tuple[str, ...]  # paragraphs
    pictures: tuple[DrawnPicture, ...]


class RulesPage(msgspec.Struct, frozen=True):
    """The answer to `GET api/rules`."""

    title: str
    sections: tuple[DrawnSection, ...]


def make_rules_page(game: Game) -> RulesPage:
    """Return the rules page of a game with all pictures drawn."""
    sections = []
    for section in game.rules_page():
        pictures = tuple(draw_picture(game, picture) for picture in section.pictures)
        sections.append(DrawnSection(section.title, section.text, pictures))
    return RulesPage(game.title, tuple(sections))


def make_picture_position(game: Game, picture: Picture) -> Position:
    """Return the position that a picture shows; raise IllegalMove if a move of its line is illegal."""
    position = game.new_position(picture.setup or game.default_setup)
    for move in picture.line:
        position.play(move)
    return position


def draw_picture(game: Game, picture: Picture) -> DrawnPicture:
    """Return a picture with its board, its scene and its dots."""
    position, painter = make_picture_position(game, picture), find_painter(game)
    scene = painter.make_scene(position)
    dots: tuple[str, ...] = ()
    if picture.dots:
        click_count = 1 if picture.piece else 0  # clicks that the picture shows as made
        moves = painter.list_clicks(position).values()
        targets = [
            ids[click_count] for ids in moves if len(ids) > click_count and (not click_count or ids[0] == picture.piece)
        ]
        dots = tuple(dict.fromkeys(targets))
        scene = msgspec.structs.replace(scene, marks=())  # the picture is about the next move, not about the last one
    return DrawnPicture(picture.caption, painter.make_board(position.setup), scene, picture.piece, dots)
