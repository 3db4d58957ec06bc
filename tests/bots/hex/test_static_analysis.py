"""The analyses that HexGui's menus show: independent of each other, and refused at the call."""

from __future__ import annotations

import pytest

from bots.hex.position import HexPosition
from bots.hex.solver.static_analysis import list_edge_connections, list_inferior_cells
from core.play.player import Setup


def position_at(text: str) -> HexPosition:
    return HexPosition(Setup(5, 5, "standard", position=text))


def test_analyses_are_independent_of_each_other() -> None:
    """Once both were generators over one shared state, and the second call overwrote the first one's data."""
    one, other = position_at("5/2b2/5/5/5 w"), position_at("2w2/5/1w3/5/b4 b")
    alone = list(list_inferior_cells(one, 1)), list(list_edge_connections(one, 0, str))
    first, joined = list_inferior_cells(one, 1), list_edge_connections(one, 0, str)
    assert list(list_inferior_cells(other, 0)) != list(alone[0])
    assert list(list_edge_connections(other, 1, str)) != list(alone[1])
    assert (list(first), list(joined)) == alone


def test_error_is_raised_by_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Generators raised at their first item, where the caller does not expect it."""

    def refuse(*_: object) -> None:
        raise MemoryError("no memory for a solver")

    monkeypatch.setattr("bots.hex.solver.static_analysis.solver_state_at", refuse)
    with pytest.raises(MemoryError, match="no memory for a solver"):
        list_inferior_cells(position_at("5/5/5/5/5 b"), 0)
    with pytest.raises(MemoryError, match="no memory for a solver"):
        list_edge_connections(position_at("5/5/5/5/5 b"), 0, str)
