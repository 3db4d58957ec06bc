"""`BoardPosition` with the kernels of each game: replay, restart, undo, variations, perft.

tests/bots/test_rules_contract.py checks the rules themselves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bots.gomoku.position import GomokuPosition
from bots.hex.position import HexPosition
from bots.hive.position import HivePosition
from bots.kolibrat.position import KolibratPosition
from bots.pentago.notation import PENTAGOD
from bots.pentago.position import PentagoPosition
from bots.registry import GAMES
from core.play.board import BoardPosition
from core.play.player import BadSetup, IllegalMove, Setup
from tests.bots.snapshots import find_changes, snapshot_position

POSITION_TYPES: list[type[BoardPosition]] = [
    GomokuPosition,
    HexPosition,
    HivePosition,
    KolibratPosition,
    PentagoPosition,
]


@pytest.fixture(params=POSITION_TYPES, ids=lambda position_type: position_type.game)
def position(request: pytest.FixtureRequest) -> BoardPosition:
    """Return a position of each game, two moves after the default start position."""
    new_position: BoardPosition = request.param(GAMES[request.param.game].default_setup)
    for _ in range(2):
        new_position.play(new_position.legal_moves()[0])
    return new_position


def test_a_replay_stops_at_an_illegal_move(position: BoardPosition) -> None:
    moves = position.moves
    position.play(position.legal_moves()[-1])
    position.replay(moves)
    assert position.moves == moves
    with pytest.raises(IllegalMove):
        position.replay([moves[0], "zz99", moves[1]])
    assert position.moves == moves[:1]


def test_a_bad_setup_changes_nothing(position: BoardPosition) -> None:
    setup, moves, legal_moves = position.setup, position.moves, position.legal_moves()
    with pytest.raises(BadSetup):
        position.restart(replace(setup, variant="waterloo"))
    assert (position.setup, position.moves, position.legal_moves()) == (setup, moves, legal_moves)


def test_moves_returns_a_copy(position: BoardPosition) -> None:
    position.moves.clear()
    assert len(position.moves) == 2
    position.undo()
    assert len(position.moves) == 1


def test_a_variation_is_formatted_as_the_moves_that_would_be_played(position: Any) -> None:
    moves, numbers, variation = position.moves, [], []  # numbers: the kernels' codes of the variation's moves
    for _ in range(3):
        numbers.append(position.legal_numbers()[-1])
        variation.append(position.legal_moves()[-1])
        position.play(variation[-1])
    position.replay(moves)
    before = snapshot_position(position)
    assert position.format_line(numbers) == variation
    assert not find_changes(before, snapshot_position(position))


def test_perft_above_the_maximum_depth_is_an_error(position: BoardPosition, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(position), "max_perft_depth", 1)
    assert position.perft(1) == len(position.legal_moves())
    with pytest.raises(ValueError, match="perft depth must be at most 1 plies, not 2"):
        position.perft(2)


def test_perft_depth_is_limited_in_games_with_a_move_list_per_ply_and_not_in_hex() -> None:
    assert HexPosition(Setup(2, 1, "standard")).perft(1000) == 0
    limits = {position_type.game: position_type.max_perft_depth for position_type in POSITION_TYPES}
    assert max(limits["hive"], limits["kolibrat"], limits["pentago"]) <= 100


def test_pentago_keeps_moves_in_canonical_notation() -> None:
    """In that notation a winning placement has no rotation.

    The dialect pentagod writes one, because it looks for fives after the rotation only.
    """
    position = PentagoPosition(Setup(variant=PENTAGOD, position="wwww2/bbbb2/6/6/6/6 w"))
    winning_move = position.format(position.parse("e1"))
    assert len(winning_move) == 3
    position.play(winning_move)
    assert position.moves == ["e1"]
