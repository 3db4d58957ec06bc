"""Tests of `--anchor NAME:RATING`: how it is split, and which mistakes are refused."""

from __future__ import annotations

import pytest

from arena.errors import UsageError
from arena.terms.anchors import Anchor, check_anchor_names, parse_anchors


def test_text_is_split_at_its_last_colon() -> None:
    """Names of engines may have colons, as the default names of players do."""
    texts = ["Rapfi:2300", "alphabeta:depth=2:-150.5", "::0"]
    assert parse_anchors(texts) == (
        Anchor("Rapfi", 2300.0),
        Anchor("alphabeta:depth=2", -150.5),
        Anchor(":", 0.0),
    )


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["Rapfi"], "--anchor must be NAME:RATING, such as Rapfi:2300, not 'Rapfi'"),
        ([":2300"], "--anchor must be NAME:RATING, such as Rapfi:2300, not ':2300'"),
        (["A:strong"], "--anchor 'A:strong': the rating must be a number from -10000 to 10000, not 'strong'"),
        (["A:"], "--anchor 'A:': the rating must be a number from -10000 to 10000, not ''"),
        (["A:nan"], "--anchor 'A:nan': the rating must be a number from -10000 to 10000, not 'nan'"),
        (["A:inf"], "--anchor 'A:inf': the rating must be a number from -10000 to 10000, not 'inf'"),
        (["A:10001"], "--anchor 'A:10001': the rating must be a number from -10000 to 10000, not '10001'"),
        (["A:1", "B:2", "A:1"], "--anchor: 'A' is given twice"),
    ],
)
def test_wrong_text_is_refused(texts: list[str], message: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_anchors(texts)
    assert str(error.value) == message


def test_unknown_name_is_refused_with_the_known_ones() -> None:
    check_anchor_names([Anchor("A", 1.0)], ["A", "B"])
    with pytest.raises(UsageError, match=r"^--anchor: no engine is called 'C'; known: A, B$"):
        check_anchor_names([Anchor("A", 1.0), Anchor("C", 1.0)], ["A", "B"])
