"""Types of a game's rules page: sections of text with pictures of positions. `Game.rules_page` returns the sections."""

from __future__ import annotations

from dataclasses import dataclass

from core.play.player import Setup


@dataclass(frozen=True)
class Picture:
    """A picture of a position."""

    caption: str
    line: tuple[str, ...] = ()  # the moves from the start of the game to the position
    piece: str = ""  # id (see core/play/scene.py) of the piece or cell that is drawn as clicked; empty for none
    dots: bool = False  # True: a dot marks each cell that the next click may choose
    setup: Setup | None = None  # None: the game's default setup


@dataclass(frozen=True)
class Section:
    """A section of the rules page."""

    title: str
    text: tuple[str, ...]  # paragraphs
    pictures: tuple[Picture, ...] = ()
