"""The differences between successive scenes of a replayed game, which a report stores instead of whole scenes."""

from __future__ import annotations

import msgspec

from core.play.scene import InHand, Mark, Piece, Scene


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """The changed pieces, hands and points of a scene, and all of its marks."""

    pieces: dict[str, Piece | None] = {}  # by key of the scene; None for a piece that is gone
    marks: tuple[Mark, ...] = ()
    hands: tuple[tuple[InHand, ...], tuple[InHand, ...]] | None = None  # None if unchanged
    points: tuple[int, int] | None = None  # scores of the two sides; None if unchanged


def describe_change(before: Scene | None, after: Scene) -> Change:
    """Return the change from one scene to the next; without `before` it has all of `after` except the cells."""
    if before is None:
        return Change(dict(after.pieces), after.marks, after.hands, after.points)
    changed: dict[str, Piece | None] = {
        key: piece for key, piece in after.pieces.items() if before.pieces.get(key) != piece
    }
    changed |= {key: None for key in before.pieces if key not in after.pieces}
    return Change(
        pieces=changed,
        marks=after.marks,
        hands=after.hands if after.hands != before.hands else None,
        points=after.points if after.points != before.points else None,
    )
