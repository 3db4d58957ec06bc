"""The canonical form of a position after an opening of Kolibrat: equal for mirror images only."""

from __future__ import annotations

import pytest

from bots.kolibrat.openings import canonical_form
from bots.kolibrat.position import KolibratPosition
from core.play.player import Setup


@pytest.mark.parametrize(
    ("position", "mirrored"),
    [
        ("3/1bb/rrr/r2 r 0 0 4 5", "3/bb1/rrr/2r r 0 0 4 5"),
        ("b2/3/3/2r b 1 0 4 5", "2b/3/3/r2 b 1 0 4 5"),
    ],
)
def test_mirror_images_but_not_other_sides_or_points_have_the_same_canonical_form(position: str, mirrored: str) -> None:
    forms = [canonical_form(KolibratPosition(Setup(position=text))) for text in (position, mirrored)]
    assert forms[0] == forms[1]
    ranks, side, red, black, *rest = position.split()
    others = (
        " ".join([ranks, "rb"[side == "r"], red, black, *rest]),
        " ".join([ranks, side, red, "2", *rest]),
    )
    assert forms[0] not in {canonical_form(KolibratPosition(Setup(position=text))) for text in others}
