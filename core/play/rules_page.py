"""The rules of a game in words, with pictures of played positions: what its row names."""

from __future__ import annotations

from dataclasses import dataclass

from core.play.player import Setup


@dataclass(frozen=True)
class Picture:
    """A position after a line of moves; `piece` is clicked first, empty where its places are one click away.

    With `dots` the places of the next click are marked.
    """

    caption: str
    line: tuple[str, ...] = ()
    piece: str = ""
    dots: bool = False
    setup: Setup | None = None  # where it is not the game's own


@dataclass(frozen=True)
class Section:
    """A part of the rules."""

    title: str
    text: tuple[str, ...]  # paragraphs
    pictures: tuple[Picture, ...] = ()
