"""The makers of Hex's tables: what they write is what the bot reads."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bots.hex import prior
from bots.hex.opening import first_moves, swap
from bots.hex.position import HexPosition
from bots.hex.training import fit, make_data, make_solved, make_swap_values
from core.play.player import Setup
from core.play.squares import format_square, parse_square
from core.search.tree_search import CERTAIN
from core.system.files import read_table
from core.training.games import keep_whole_lines, record_games
from tests.bots.hex.naive import NaiveHex

NAIVE_CELLS = 11  # empty ones for which the naive solver has patience


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
    rows = [{"size": 9, "moves": [first], "visits": [[1, [first + 10], [1000]]]} for first in (40, 30)]
    games.write_text("".join(json.dumps(row) + "\n" for row in rows * 10))
    monkeypatch.setattr(fit, "WEIGHTS_FILE", weights)
    monkeypatch.setattr(sys, "argv", ["fit", str(games)])
    fit.main()
    monkeypatch.setattr(prior, "WEIGHTS_FILE", weights)
    state = HexPosition(Setup(9, 9, "standard")).library.new("HexPlayout")
    prior.load_weights(state)
    black, white = state.reply_gamma
    places = [place for place in range(fit.NEAR) if place != fit.NEAR - 1]
    assert max(places, key=lambda place: white[place]) in (3 * 5 + 3, 1 * 5 + 1)
    assert [black[place] for place in places] == [white[prior.mirror_near(place)] for place in places]


def test_weights_look_alike_from_both_sides_of_the_board() -> None:
    """Every table is the same when the board is turned by half a circle."""
    weights = read_table(prior.WEIGHTS_FILE)
    assert weights["bridge"] == [weights["bridge"][fit.turn_bridge(index)] for index in range(fit.BRIDGES)]
    for name in ("reply", "follow"):
        assert weights[name] == [weights[name][fit.turn_near(index)] for index in range(fit.NEAR)]
    rings = {int(ring): weight for ring, weight in weights["ring"].items()}
    assert all(rings.get(fit.turn_ring(ring)) == weight for ring, weight in rings.items())
    assert len(rings) > 500


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of a few quick games."""
    file = tmp_path_factory.mktemp("games") / "games.jsonl"
    record_games(file, make_data.Recorder(400, 5, (4,)), 24)
    return file


def test_a_broken_file_goes_on_with_the_games_it_would_have_held(games: Path, tmp_path: Path) -> None:
    """Also by a recorder that has not played the games before: no tree or proof of theirs may help."""
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"".join(games.read_bytes().splitlines(keepends=True)[:8])[:-20])
    assert keep_whole_lines(file) == 7
    record_games(file, make_data.Recorder(400, 5, (4,)), 24)
    assert file.read_bytes() == games.read_bytes()


def test_what_a_recorded_game_calls_proven_is_so(games: Path) -> None:
    """From the first proven position on the winner wins, whatever the loser tries, by the naive solver."""
    proven = 0
    for line in games.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        size, moves = game["size"], [(move % game["size"], move // game["size"]) for move in game["moves"]]
        for ply in range(max(game["proven"], size * size - NAIVE_CELLS), len(moves) + 1):
            board = NaiveHex(size, size, {cell: number % 2 for number, cell in enumerate(moves[:ply])})
            winner = board.winner()
            assert (board.solve(ply % 2) if winner is None else winner) == game["winner"]
            proven += 1
    assert proven > 30


def test_scores_and_visits_are_of_the_game_s_positions(games: Path) -> None:
    for line in games.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        moves, opening, proven = game["moves"], game["opening"], game["proven"]
        assert len(game["scores"]) == len(moves) - opening
        for ply, score in enumerate(game["scores"], opening):
            assert abs(score) <= CERTAIN
            if ply >= proven:
                assert score == (CERTAIN if ply % 2 == game["winner"] else -CERTAIN)
        for ply, cells, visits in game["visits"]:
            assert opening <= ply < len(moves)
            assert not set(cells) & set(moves[:ply])
            assert len(cells) == len(set(cells)) == len(visits)
            assert min(visits) >= 1
            if ply >= proven:
                assert (cells, visits) == ([moves[ply]], [1])
