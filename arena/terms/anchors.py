"""Anchors: engines whose ratings are fixed, as given by `--anchor NAME:RATING`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

import msgspec
from cyclopts import Parameter, Token

from arena.errors import UsageError

MAX_RATING = 10_000  # Elo; larger numbers are typing errors, and the likelihood would overflow


class Anchor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An engine whose rating is fixed."""

    name: str
    rating: Annotated[float, msgspec.Meta(ge=-MAX_RATING, le=MAX_RATING)]  # Elo


def read_anchors(kind: object, tokens: Sequence[Token]) -> tuple[Anchor, ...]:  # noqa: ARG001 - as cyclopts calls it
    """Return the anchors that the values of `--anchor` describe; raise UsageError."""
    return parse_anchors([token.value for token in tokens])


# Type of the option --anchor
Anchors = Annotated[
    tuple[Anchor, ...],
    Parameter(converter=read_anchors, accepts_keys=False, n_tokens=1, negative="", show_default=False),
]


def parse_anchors(texts: Sequence[str]) -> tuple[Anchor, ...]:
    """Parse texts `NAME:RATING`, split at the last colon; raise UsageError."""
    anchors = [_parse_anchor(text) for text in texts]
    names = [anchor.name for anchor in anchors]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise UsageError(f"--anchor: {name!r} is given twice")
    return tuple(anchors)


def check_anchor_names(anchors: Sequence[Anchor], names: Sequence[str]) -> None:
    """Raise UsageError if an anchor is none of the engines `names`."""
    for anchor in anchors:
        if anchor.name not in names:
            raise UsageError(f"--anchor: no engine is called {anchor.name!r}; known: {', '.join(names)}")


def _parse_anchor(text: str) -> Anchor:
    name, colon, number = text.rpartition(":")
    try:
        rating = float(number)
    except ValueError:
        rating = math.nan
    if not name or not colon:
        raise UsageError(f"--anchor must be NAME:RATING, such as Rapfi:2300, not {text!r}")
    if not abs(rating) <= MAX_RATING:  # also false for NaN
        raise UsageError(
            f"--anchor {text!r}: the rating must be a number from -{MAX_RATING} to {MAX_RATING}, not {number!r}"
        )
    return Anchor(name, rating)
