"""The makers of Hex's tables: what they write is what the bot reads."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bots.hex import prior
from bots.hex.opening import first_moves, swap
from bots.hex.position import HexPosition
from bots.hex.training import make_solved, make_swap_values, teach
from core.play.player import Setup
from core.play.squares import format_square, parse_square
from core.system.files import read_table
from tests.bots.hex.naive import NaiveHex


def test_solved_openings_are_written_as_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_moves, "SOLVED_FILE", tmp_path / "solved.json")
    make_solved.main(tmp_path / "solved.json", sizes=(3,))
    found = first_moves.solved_openings.__wrapped__(3)
    assert {cell: winner for cell, (winner, _) in found.items()} == {
        format_square(*cell): NaiveHex(3, 3, {cell: 0}).solve(1) for cell in NaiveHex(3, 3).cells()
    }
    for cell, (winner, reply) in found.items():
        if winner == 1:
            stones = {parse_square(cell) or (0, 0): 0, parse_square(reply) or (0, 0): 1}
            assert NaiveHex(3, 3, stones).solve(0) == 1
    assert not first_moves.solved_openings.__wrapped__(4)


def test_swap_values_of_solved_boards_are_written_as_they_stand(tmp_path: Path) -> None:
    make_swap_values.main(tmp_path / "values.json", sizes=(5, 6))
    assert read_table(tmp_path / "values.json") == {str(size): swap.opening_values(size) for size in (5, 6)}


def test_weights_are_written_as_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Always a bridge away from the first stone: then such moves are the likelier ones, from either side."""
    games, weights = tmp_path / "games.jsonl", tmp_path / "weights.json"
    rows = [[9, ["e5"], [["f6", 1000]]], [9, ["d4"], [["e5", 1000]]]] * 10
    games.write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setattr(teach, "WEIGHTS_FILE", weights)
    monkeypatch.setattr(sys, "argv", ["teach", "fit", str(games)])
    teach.main()
    monkeypatch.setattr(prior, "WEIGHTS_FILE", weights)
    state = HexPosition(Setup(9, 9, "standard")).library.new("HexPlayout")
    prior.load_weights(state)
    black, white = state.reply_gamma
    places = [place for place in range(teach.NEAR) if place != teach.NEAR - 1]
    assert max(places, key=lambda place: white[place]) in (3 * 5 + 3, 1 * 5 + 1)
    assert [black[place] for place in places] == [white[prior.mirror_near(place)] for place in places]


def test_weights_look_alike_from_both_sides_of_the_board() -> None:
    """Every table is the same when the board is turned by half a circle."""
    weights = read_table(prior.WEIGHTS_FILE)
    assert weights["bridge"] == [weights["bridge"][teach.turn_bridge(index)] for index in range(teach.BRIDGES)]
    for name in ("reply", "follow"):
        assert weights[name] == [weights[name][teach.turn_near(index)] for index in range(teach.NEAR)]
    rings = {int(ring): weight for ring, weight in weights["ring"].items()}
    assert all(rings.get(teach.turn_ring(ring)) == weight for ring, weight in rings.items())
    assert len(rings) > 500
