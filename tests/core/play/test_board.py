"""`BoardPosition`, beyond what tests/bots/test_rules_contract.py checks for every game."""

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

KINDS: list[type[BoardPosition]] = [GomokuPosition, HexPosition, HivePosition, KolibratPosition, PentagoPosition]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.game)
def position(request: pytest.FixtureRequest) -> BoardPosition:
    """One of each game, at its usual start with two moves played."""
    found: BoardPosition = request.param(GAMES[request.param.game].default_setup)
    for _ in range(2):
        found.play(found.legal_moves()[0])
    return found


def test_a_replay_stops_at_what_cannot_be_played(position: BoardPosition) -> None:
    moves = position.moves
    position.play(position.legal_moves()[-1])
    position.replay(moves)
    assert position.moves == moves
    with pytest.raises(IllegalMove):
        position.replay([moves[0], "zz99", moves[1]])
    assert position.moves == moves[:1]


def test_a_bad_setup_changes_nothing(position: BoardPosition) -> None:
    setup, moves, board = position.setup, position.moves, position.legal_moves()
    with pytest.raises(BadSetup):
        position.restart(replace(setup, variant="waterloo"))
    assert (position.setup, position.moves, position.legal_moves()) == (setup, moves, board)


def test_moves_are_the_caller_s_own_list(position: BoardPosition) -> None:
    position.moves.clear()
    assert len(position.moves) == 2
    position.undo()
    assert len(position.moves) == 1


def test_a_line_is_written_as_it_would_be_played(position: Any) -> None:
    moves, numbers, line = position.moves, [], []
    for _ in range(3):
        numbers.append(position.legal_numbers()[-1])
        line.append(position.legal_moves()[-1])
        position.play(line[-1])
    position.replay(moves)
    before = snapshot_position(position)
    assert position.format_line(numbers) == line
    assert not find_changes(before, snapshot_position(position))


def test_perft_refuses_more_plies_than_there_are_lists_for(
    position: BoardPosition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(position), "max_perft_depth", 1)
    assert position.perft(1) == len(position.legal_moves())
    with pytest.raises(ValueError, match="perft depth must be at most 1 plies, not 2"):
        position.perft(2)


def test_boards_without_lists_are_counted_to_any_depth() -> None:
    assert HexPosition(Setup(2, 1, "standard")).perft(1000) == 0
    limits = {kind.game: kind.max_perft_depth for kind in KINDS}
    assert max(limits["hive"], limits["kolibrat"], limits["pentago"]) <= 100


def test_pentago_remembers_moves_in_our_spelling() -> None:
    """A win by placing has no turn there, but one in the dialect, for programs that look for fives only after it."""
    position = PentagoPosition(Setup(variant=PENTAGOD, position="wwww2/bbbb2/6/6/6/6 w"))
    winning = position.format(position.parse("e1"))
    assert len(winning) == 3
    position.play(winning)
    assert position.moves == ["e1"]
