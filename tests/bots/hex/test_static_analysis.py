"""The analyses that HexGui's menus show: they are independent of each other, and errors are raised by the call."""

from __future__ import annotations

import pytest

from bots.hex.position import HexPosition
from bots.hex.solver.static_analysis import list_edge_connections, list_inferior_cells
from core.play.player import Setup


def position_at(text: str) -> HexPosition:
    return HexPosition(Setup(5, 5, "standard", position=text))


def test_analyses_are_independent_of_each_other() -> None:
    """Regression: both functions used to be generators over one shared state.

    A second call overwrote the data of the first.
    """
    position, other = position_at("5/2b2/5/5/5 w"), position_at("2w2/5/1w3/5/b4 b")
    expected = list(list_inferior_cells(position, 1)), list(list_edge_connections(position, 0, str))
    cells, connections = list_inferior_cells(position, 1), list_edge_connections(position, 0, str)
    assert list(list_inferior_cells(other, 0)) != expected[0]
    assert list(list_edge_connections(other, 1, str)) != expected[1]
    assert (list(cells), list(connections)) == expected


def test_error_is_raised_by_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: both functions used to be generators, which raise only when the first item is taken."""

    def refuse(*_: object) -> None:
        raise MemoryError("no memory for a solver")

    monkeypatch.setattr("bots.hex.solver.static_analysis.solver_state_at", refuse)
    with pytest.raises(MemoryError, match="no memory for a solver"):
        list_inferior_cells(position_at("5/5/5/5/5 b"), 0)
    with pytest.raises(MemoryError, match="no memory for a solver"):
        list_edge_connections(position_at("5/5/5/5/5 b"), 0, str)
