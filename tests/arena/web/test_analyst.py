"""The analysis lists each move once, the engine's choice first."""

from __future__ import annotations

import pytest

from arena.web.analyst import Insight, put_line


def insight(move: str, value: int = 0) -> Insight:
    return Insight(move, (move,), value, f"{value:+d}", 5, 100, (move,))


@pytest.mark.parametrize(
    ("ranks", "line", "move", "wanted"),
    [
        ("", 1, "a", {1: "a"}),
        ("abc", 1, "a", {1: "a", 2: "b", 3: "c"}),
        ("abc", 1, "b", {1: "b", 2: "a", 3: "c"}),
        ("abc", 2, "c", {1: "a", 2: "c", 3: "b"}),
        ("abc", 3, "d", {1: "a", 2: "b", 3: "d"}),
        ("a", 2, "a", {2: "a"}),
    ],
)
def test_move_stands_in_one_line_only(ranks: str, line: int, move: str, wanted: dict[int, str]) -> None:
    """The first line of a new depth is often the second of the last one, which was then shown twice."""
    found = {number: insight(known) for number, known in enumerate(ranks, 1)}
    put_line(found, line, insight(move, 7))
    assert {number: known.move for number, known in found.items()} == wanted
    assert found[line].value == 7
