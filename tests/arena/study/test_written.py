"""How the figures of a study are shown."""

from __future__ import annotations

import pytest

from arena.study.readings import Spread, measure_spread
from arena.study.study import Cell, StudyTable
from arena.study.written import format_study_table


@pytest.mark.parametrize(
    ("cell", "wanted"),
    [
        (None, "-"),
        (0, "0"),
        (1234567, "1,234,567"),
        (0.01234, "0.0123"),
        (12.345, "12.3"),
        (9876.5, "9,876"),
        ("x", "x"),
    ],
)
def test_cells(cell: Cell, wanted: str) -> None:
    assert format_study_table(StudyTable("", ("a", "b"), [("row", cell)])).splitlines()[1].split() == ["row", wanted]


def test_a_spread_leaves_out_a_tenth_on_each_side() -> None:
    assert measure_spread(range(101)) == Spread(10, 50, 90)
    assert measure_spread([3.0]) == Spread(3.0, 3.0, 3.0)
    assert measure_spread([]) is None
    assert str(Spread(0.0123, 5, 12345.6)) == "0.0123 to 12,346"
