"""What HexGui's menus show: answers that stand by themselves."""

from __future__ import annotations

import pytest

from bots.hex.position import HexPosition
from bots.hex.solver.static_analysis import list_edge_connections, list_inferior_cells
from core.play.player import Setup


def position_at(text: str) -> HexPosition:
    return HexPosition(Setup(5, 5, "standard", position=text))


def test_answers_do_not_change_when_another_position_is_looked_at() -> None:
    """As generators both read one record, the first after the second had overwritten it."""
    one, other = position_at("5/2b2/5/5/5 w"), position_at("2w2/5/1w3/5/b4 b")
    alone = list(list_inferior_cells(one, 1)), list(list_edge_connections(one, 0, str))
    first, joined = list_inferior_cells(one, 1), list_edge_connections(one, 0, str)
    assert list(list_inferior_cells(other, 0)) != list(alone[0])
    assert list(list_edge_connections(other, 1, str)) != list(alone[1])
    assert (list(first), list(joined)) == alone


def test_a_refusal_comes_with_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """As generators they raised at the first item, where the caller no longer expects it."""

    def refuse(*_: object) -> None:
        raise MemoryError("no memory for a solver")

    monkeypatch.setattr("bots.hex.solver.static_analysis.solver_state_at", refuse)
    with pytest.raises(MemoryError, match="no memory for a solver"):
        list_inferior_cells(position_at("5/5/5/5/5 b"), 0)
    with pytest.raises(MemoryError, match="no memory for a solver"):
        list_edge_connections(position_at("5/5/5/5/5 b"), 0, str)
