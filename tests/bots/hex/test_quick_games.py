"""Training games by the network's priors: winners, visits and scores in their records are right.

bots/hex/training/make_data.py describes the format of the records.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bots.hex.position import HexPosition
from bots.hex.solver.solve import DfpnSolver
from bots.hex.training.make_data import flat_index, padded_cell
from bots.hex.training.prior_evaluator import PriorEvaluator
from bots.hex.training.quick_games import RANDOM_MOVE_RATE, RANDOM_OPENING_MOVES, QuickRecorder, find_proven_winner
from core.play.player import Setup
from core.search.mcts_search import CERTAIN_WIN_SCORE, probability_to_score
from core.training.games import record_games
from tests.bots.hex.boards import position_after
from tests.bots.playing import winner_of

RECORDER_SETTINGS = (60, 5, (7,), 0.25)  # evaluations per search, seed, board sizes, weight of the root noise


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Forty recorded games on 7x7."""
    file = tmp_path_factory.mktemp("games") / "games.jsonl"
    record_games(file, 40, QuickRecorder, *RECORDER_SETTINGS)
    return read(file)


def read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def replayed(game: dict[str, Any], plies: int) -> HexPosition:
    """Return the position of a game after its first `plies` moves."""
    position = HexPosition(Setup(game["size"], game["size"], "standard"))
    position.replay([position.format(padded_cell(move, game["size"])) for move in game["moves"][:plies]])
    return position


def test_interrupted_file_resumes_with_the_same_games(games: list[dict[str, Any]], tmp_path: Path) -> None:
    """A new recorder, without the trees of the earlier games, makes the same games."""
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(game) + "\n" for game in games[:9]), encoding="utf-8")
    record_games(file, 14, QuickRecorder, *RECORDER_SETTINGS)
    assert read(file) == games[:14]


def test_recorded_winner_is_right(games: list[dict[str, Any]]) -> None:
    """The winner is the one on the board, or in unfinished games the one that virtual connections prove."""
    finished = 0
    for game in games:
        outcome = replayed(game, len(game["moves"])).outcome()
        if outcome is None:
            position = replayed(game, game["proven"])
            assert find_proven_winner(DfpnSolver(position, 1 << 20), position)[0] == game["winner"]
        else:
            assert outcome.winner == game["winner"]
            finished += 1
    assert finished < len(games)


def test_searched_positions_have_visits(games: list[dict[str, Any]]) -> None:
    searched = 0
    for game in games:
        for ply, cells, visits in game["visits"]:
            assert game["opening"] <= ply < game["opening"] + len(game["scores"])
            assert not set(cells) & set(game["moves"][:ply])
            assert len(cells) == len(visits)
            assert sum(visits) <= RECORDER_SETTINGS[0]
            searched += 1
    assert searched > 10


def test_moves_without_search_follow_the_priors(games: list[dict[str, Any]]) -> None:
    """A move that is not drawn at random has the largest prior. The score is the network's value, or the result."""
    evaluator, best_count, total = PriorEvaluator(), 0, 0
    for game in games[:20]:
        searched = {ply for ply, _, _ in game["visits"]}
        drawn = range(game["opening"], game["opening"] + RANDOM_OPENING_MOVES)  # plies with moves drawn by their priors
        for ply, move in enumerate(game["moves"][game["opening"] :], game["opening"]):
            cells, priors = evaluator.evaluate(replayed(game, ply))
            if ply >= game["proven"]:
                won = ply % 2 == game["winner"]
                assert game["scores"][ply - game["opening"]] == (CERTAIN_WIN_SCORE if won else -CERTAIN_WIN_SCORE)
            elif ply not in searched:
                assert game["scores"][ply - game["opening"]] == probability_to_score(evaluator.win_probability(ply % 2))
            if ply not in searched and ply not in drawn:
                best = cells[max(range(len(cells)), key=priors.__getitem__)]
                best_count, total = best_count + (flat_index(best, game["size"]) == move), total + 1
    assert total > 100
    assert best_count / total > 1 - 3 * RANDOM_MOVE_RATE


def test_win_in_one_move_is_proven() -> None:
    """Black wins in one move, and the proven move ends the game."""
    position = position_after(3, ["b1", "a1", "b2", "a2"])
    winner, move = find_proven_winner(DfpnSolver(position, 1 << 16), position)
    assert winner == 0
    position.play(move)
    assert winner_of(position) == 0
