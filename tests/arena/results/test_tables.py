"""Tests of results as text."""

from __future__ import annotations

import pytest

from arena.results.run_statistics import compute_statistics
from arena.results.tables import format_elo, format_pair_elo
from tests.arena.results.test_run_statistics import make_game


@pytest.mark.parametrize(
    ("winners", "first", "second"),
    [
        ("AA" * 6 + "AB" * 2 + "BB" * 2, "+147.2 (-60 to +741)", "-147.2 (-741 to +60)"),
        (4 * ("AA" * 9 + "AB" * 30 + "BB" * 6), "+23.2 ± 29.3", "-23.2 ± 29.3"),
    ],
)
def test_only_a_nearly_symmetric_interval_is_written_with_plus_minus(winners: str, first: str, second: str) -> None:
    """Regression: the first result was +147.2 ± 400.7, an interval that contained -253."""
    statistics = compute_statistics(("A", "B"), [make_game(*game) for game in enumerate(winners, 1)])
    assert (format_pair_elo(statistics, "A"), format_pair_elo(statistics, "B")) == (first, second)


def test_elo_of_almost_nothing_has_no_minus_sign() -> None:
    assert format_elo(-0.04, 1.25, "") == "0.0 ± 1.2"
