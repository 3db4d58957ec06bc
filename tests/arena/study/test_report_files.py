"""The format of cells in the tables of a study, and the spread of a sample (its middle 80 %)."""

from __future__ import annotations

import pytest

from arena.study.game_statistics import Spread, compute_spread
from arena.study.report_files import format_study_table
from arena.study.study import Cell, StudyTable


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (None, "-"),
        (0, "0"),
        (1234567, "1,234,567"),
        (0.01234, "0.0123"),
        (12.345, "12.3"),
        (999.4, "999"),
        (999.6, "1,000"),
        (9876.5, "9,876"),
        ("x", "x"),
    ],
)
def test_cells_are_formatted_by_type(cell: Cell, expected: str) -> None:
    assert format_study_table(StudyTable("", ("a", "b"), [("row", cell)])).splitlines()[1].split() == ["row", expected]


def test_a_spread_goes_from_the_10th_to_the_90th_percentile() -> None:
    assert compute_spread(range(101)) == Spread(10, 50, 90)
    assert compute_spread([3.0]) == Spread(3.0, 3.0, 3.0)
    assert compute_spread([]) is None
    assert str(Spread(0.0123, 5, 12345.6)) == "0.0123 to 12,346"
