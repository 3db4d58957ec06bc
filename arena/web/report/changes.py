"""What turns one scene of a replayed game into the next, so that a report holds only what differs."""

from __future__ import annotations

import msgspec

from core.play.scene import InHand, Mark, Piece, Scene


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """What turns one scene into the next: only what differs; a piece that is gone is None."""

    pieces: dict[str, Piece | None] = {}
    marks: tuple[Mark, ...] = ()
    hands: tuple[tuple[InHand, ...], tuple[InHand, ...]] | None = None
    points: tuple[int, int] | None = None


def describe_change(before: Scene | None, after: Scene) -> Change:
    """The change from one scene to the next; from None it is the whole scene, less the cells."""
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
