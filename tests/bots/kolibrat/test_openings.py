"""The canonical form of Kolibrat openings is equal for mirror images only."""

from __future__ import annotations

import pytest

from bots.kolibrat.openings import canonical_form
from bots.kolibrat.position import KolibratPosition
from core.play.player import Setup


@pytest.mark.parametrize(
    ("position", "image"),
    [
        ("3/1bb/rrr/r2 r 0 0 4 5", "3/bb1/rrr/2r r 0 0 4 5"),
        ("b2/3/3/2r b 1 0 4 5", "2b/3/3/r2 b 1 0 4 5"),
    ],
)
def test_only_mirror_images_share_a_canonical_form(position: str, image: str) -> None:
    forms = [canonical_form(KolibratPosition(Setup(position=text))) for text in (position, image)]
    assert forms[0] == forms[1]
    ranks, side, red, black, *rest = position.split()
    others = (
        " ".join([ranks, "rb"[side == "r"], red, black, *rest]),
        " ".join([ranks, side, red, "2", *rest]),
    )
    assert forms[0] not in {canonical_form(KolibratPosition(Setup(position=text))) for text in others}
