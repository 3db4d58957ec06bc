"""The differences between successive scenes of a replayed game. A report stores them instead of whole scenes."""

from __future__ import annotations

import msgspec

from core.play.scene import InHand, Mark, Piece, Scene


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """The changed pieces, hands and points of a scene, and all of its marks. Scenes of a report have no cells."""

    pieces: dict[str, Piece | None] = {}  # by key of the scene; None for a piece that is gone
    marks: tuple[Mark, ...] = ()
    hands: tuple[tuple[InHand, ...], tuple[InHand, ...]] | None = None  # None if unchanged
    points: tuple[int, int] | None = None  # scores of the two sides; None if unchanged


def describe_change(previous: Scene | None, scene: Scene) -> Change:
    """Return the change from one scene to the next. For the first scene it has all pieces, marks, hands and points."""
    if previous is None:
        return Change(dict(scene.pieces), scene.marks, scene.hands, scene.points)
    changed: dict[str, Piece | None] = {
        key: piece for key, piece in scene.pieces.items() if previous.pieces.get(key) != piece
    }
    changed |= {key: None for key in previous.pieces if key not in scene.pieces}
    return Change(
        pieces=changed,
        marks=scene.marks,
        hands=scene.hands if scene.hands != previous.hands else None,
        points=scene.points if scene.points != previous.points else None,
    )
