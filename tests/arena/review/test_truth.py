"""Reviews of solved games agree with the solutions: a side that is mixed up, or a grade that is, fails here.

A move that gives a proven value away is a blunder, and a move that keeps the value is at most an inaccuracy.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.engines.spec import EngineSpec
from arena.game_files.stored_game import StoredGame
from arena.review.grades import Grade, Thresholds
from arena.review.moves import MISSED_WIN, THREW_DRAW, GameReview, review_game
from arena.review.positions import AnalysedPosition, SearchSettings, search_positions, select_plies
from arena.terms.arguments import find_game
from bots.kolibrat.notation import parse_variant
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.solver.perfect import open_solved_table
from core.play.player import Setup
from core.play.squares import format_square, split_squares
from tests.bots.gomoku.naive import NaiveGomoku
from tests.bots.gomoku.naive_vcf import winning_fours

DATA = Path(__file__).parents[2] / "data"


@dataclass(frozen=True)
class SolvedMove:
    """A move with the values (1, 0, -1 for the side that moves) that its game has before and after it."""

    before: int
    after: int


def review(stored: StoredGame, nodes: int) -> GameReview:
    settings = SearchSettings(EngineSpec("pentad", player="pentad"), time_s=None, nodes=nodes)
    searched: dict[int, AnalysedPosition] = {}

    def keep(position: AnalysedPosition) -> None:
        searched[position.ply] = position

    search_positions(stored, settings, select_plies(stored, None, None, searched), keep)
    return review_game(stored, searched, Thresholds())


def check(reviewed: GameReview, solved: Sequence[SolvedMove], label: str) -> Counter[Grade]:
    """Compare the grades of a game with its solution."""
    for move, truth in zip(reviewed.moves, solved, strict=True):
        text = f"{label}, move {move.ply} {move.move}: {truth}, {move.grade}, {move.before} -> {move.after}"
        if truth.after < truth.before:
            assert move.grade == Grade.BLUNDER, text
            assert move.is_proven, text
            expected = MISSED_WIN if truth.before == 1 else THREW_DRAW
            assert expected in move.remarks, text
        else:
            assert move.grade in (Grade.BEST, Grade.GOOD, Grade.INACCURACY), text
            assert not {MISSED_WIN, THREW_DRAW} & set(move.remarks), text
    return Counter(move.grade for move in reviewed.moves)


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def play_kolibrat(variant: str, seed: int) -> tuple[StoredGame, list[SolvedMove]]:
    """Play a game of random and of perfect moves on a solved board."""
    rng = random.Random(seed)
    game = find_game("kolibrat")
    position = KolibratPosition(Setup(variant=variant))
    table = open_solved_table(parse_variant(variant), position.library, position.state)
    assert table is not None
    solved: list[SolvedMove] = []
    while position.outcome() is None and len(solved) < 30:
        moves = position.legal_numbers()
        best, best_moves = table.best(position.state, moves)
        number = rng.choice(moves if rng.random() < 0.4 else best_moves)
        (_, after), *_ = table.values(position.state, [number])
        solved.append(SolvedMove(sign(best), sign(after)))
        position.make(number)
    return StoredGame(game, position.setup, tuple(position.moves)), solved


@pytest.mark.parametrize("variant", ["3x3-3-5", "3x4-4-5", "3x4-6-5"])
def test_kolibrat_games_agree_with_the_tables(variant: str) -> None:
    grades: Counter[Grade] = Counter()
    for seed in range(10):
        stored, solved = play_kolibrat(variant, seed)
        grades += check(review(stored, nodes=300), solved, f"{variant}, seed {seed}")
    assert grades[Grade.BLUNDER] >= 5  # otherwise nothing was tested
    assert grades[Grade.BEST] >= 50


def test_pentago_endings_agree_with_the_solution() -> None:
    game, grades, tested = find_game("pentago"), Counter[Grade](), 0
    for entry in json.loads((DATA / "pentago" / "solved.json").read_text())["positions"]:
        if entry["stones"] < 31 or "best" not in entry:
            continue
        setup = Setup(variant="pentago", position=entry["position"])
        moves = game.new_position(setup).legal_moves()
        best = [move for move in moves if move in entry["best"]]
        worse = [move for move in moves if move not in entry["best"]]
        tested += 1
        for move in (*best[:1], *worse[:1]):
            keeps = move in entry["best"]
            truth = SolvedMove(entry["value"], entry["value"] if keeps else entry["value"] - 1)
            grades += check(review(StoredGame(game, setup, (move,)), nodes=100_000), [truth], entry["position"])
    assert tested >= 20
    assert grades[Grade.BLUNDER] >= 10


def test_hex_games_on_7x7_agree_with_the_solution() -> None:
    game, grades, tested = find_game("hex"), Counter[Grade](), 0
    entries = json.loads((DATA / "hex" / "solved.json").read_text())["positions"]
    seven = [entry for entry in entries if entry["size"] == 7]
    for entry in sorted(seven, key=lambda entry: -len(entry["moves"]))[:20]:  # the more stones the quicker
        setup, before = Setup(7, 7, "standard"), tuple(entry["moves"])
        moves = StoredGame(game, setup, before).position().legal_moves()
        losing = [move for move in moves if move not in entry["winning_moves"]]
        tested += 1
        for move in (*entry["winning_moves"][:1], *losing[:1]):
            value = 1 if entry["mover_wins"] else -1
            truth = SolvedMove(value, value if move in entry["winning_moves"] else -1)
            stored = StoredGame(game, setup, (*before, move), opening_plies=len(before))
            reviewed = review(stored, nodes=20_000)
            grades += check(
                GameReview(reviewed.moves[-1:], reviewed.players, reviewed.probabilities), [truth], entry["id"]
            )
    assert tested == 20
    assert grades[Grade.BLUNDER] >= 5


def test_moves_of_gomoku_that_win_by_fours_are_no_errors() -> None:
    """The moves come from the brute-force search of the tests, not from the engine."""
    game, tested = find_game("gomoku"), 0
    rows = [line.split() for line in (DATA / "gomoku" / "vcf.txt").read_text().splitlines() if line[:1] != "#"]
    for variant, joined, fours in [row for row in rows if row[2] != "-"]:
        setup, before = Setup(15, 15, variant), tuple(split_squares(joined) or ())
        naive = NaiveGomoku(setup)
        for move in before:
            naive.play(move)
        move = format_square(*next(winning_fours(naive.grid, naive.to_move, int(fours))))
        reviewed = review(StoredGame(game, setup, (*before, move), opening_plies=len(before)), nodes=10_000)
        last = reviewed.moves[-1]
        assert last.grade in (Grade.BEST, Grade.GOOD), (joined, last)
        assert last.before == last.after == 1, (joined, last)
        tested += 1
    assert tested == 20
