"""The rules of Kolibrat against published perft counts, worked examples and a simple implementation."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.solver.perfect import open_solved_table
from core.play.game import Outcome
from core.play.player import IllegalMove, Setup
from tests.bots.kolibrat.naive import NaiveKolibrat

DATA = Path(__file__).parents[2] / "data" / "kolibrat"
PERFT = [(row["position"], row["perft"]) for row in json.loads((DATA / "perft.json").read_text())["positions"]]
EXAMPLES = [line.split("|") for line in (DATA / "examples.txt").read_text().splitlines() if line[0] != "#"]
BOARDS = ((3, 4, 4, 2), (2, 2, 2, 2), (3, 3, 4, 1), (4, 5, 6, 3), (5, 6, 6, 4), (9, 9, 15, 2), (2, 9, 9, 1))


def position_from(position: str) -> KolibratPosition:
    return KolibratPosition(Setup(position=position))


@pytest.mark.parametrize(("position", "counts"), PERFT)
def test_perft(position: str, counts: list[int]) -> None:
    """The counts in tests/data/kolibrat/perft.json are those of two independent programs."""
    board = position_from(position)
    assert [board.perft(depth) for depth in range(1, len(counts) + 1)] == counts
    assert board.position_text() == position


@pytest.mark.parametrize(("position", "moves"), EXAMPLES)
def test_worked_example(position: str, moves: str) -> None:
    assert sorted(position_from(position.strip()).legal_moves()) == sorted(moves.split())


@pytest.mark.parametrize(
    ("position", "move", "after"),
    [
        ("3/1b1/1r1/3 r 0 0 4 5", "b2b3", "3/1r1/3/3 b 0 0 4 5"),
        ("b2/b2/b2/r2 r 0 0 4 5", "a1off", "b2/b2/b2/3 b 1 0 4 5"),
        ("3/3/3/bbb b 0 0 4 5", "a4", "b2/3/3/bbb b 0 0 4 5"),
    ],
    ids=["attack", "score", "skip"],
)
def test_position_after_a_move(position: str, move: str, after: str) -> None:
    board = position_from(position)
    board.play(move)
    assert board.position_text() == after
    assert board.outcome() is None
    board.undo()
    assert board.position_text() == position


def test_attacked_piece_goes_back_to_the_hand() -> None:
    board = position_from("3/1b1/1r1/3 r 0 0 1 5")
    board.play("b2b3")
    assert board.legal_moves() == ["a4", "b4", "c4"]


def test_reaching_the_goal_wins() -> None:
    board = position_from("1r1/3/3/3 r 4 0 4 5")
    board.play("b4off")
    assert board.outcome() == Outcome(0, "goal")
    assert board.legal_moves() == []
    with pytest.raises(IllegalMove, match="the game is over"):
        board.play("a4")


def test_the_side_that_blocks_both_sides_loses() -> None:
    board = position_from("b1b/b1b/rr1/r1r r 0 0 4 5")
    board.play("a2b3")
    assert board.outcome() == Outcome(1, "blocked")
    board.undo()
    board.play("a2off")
    assert board.outcome() is None


def test_reaching_the_goal_wins_even_if_both_sides_are_blocked() -> None:
    board = position_from("1b/rb b 2 2 2 3")
    assert board.legal_moves() == ["b1off"]
    board.play("b1off")
    assert board.outcome() == Outcome(1, "goal")


@pytest.mark.parametrize(
    ("position", "move", "reason"),
    [
        ("3/3/3/3 r 0 0 4 5", "c3", "red inserts on rank 1 only"),
        ("3/3/3/3 r 0 0 4 5", "a4", "red inserts on rank 1 only"),
        ("3/3/3/r2 r 0 0 4 5", "a1", "the square is occupied"),
        ("3/1bb/rrr/r2 r 0 0 4 5", "b1", "red has no piece in hand"),
        ("3/3/3/r2 r 0 0 4 5", "a1a2", "the piece cannot go there"),
        ("3/3/3/r2 r 0 0 4 5", "a1off", "the piece cannot go there"),
        ("3/3/3/r2 r 0 0 4 5", "b1c2", "red has no piece there"),
        ("3/3/3/r2 r 0 0 4 5", "a1d2", "outside the 3x4 board"),
        ("3/3/3/r2 r 0 0 4 5", "pass", "only a side that has just been skipped"),
        ("3/3/3/r2 r 0 0 4 5", "A1", "expected a move such as b1"),
    ],
)
def test_illegal_moves_are_refused_with_the_reason(position: str, move: str, reason: str) -> None:
    board = position_from(position)
    with pytest.raises(IllegalMove, match=reason):
        board.play(move)
    assert board.position_text() == position


def test_third_repetition_is_a_draw() -> None:
    """On 3x4 with 5 pieces the first moves that do not lose repeat positions."""
    board = KolibratPosition(Setup(variant="3x4-5-5"))
    table = open_solved_table(board.board_spec, board.library, board.state)
    assert table
    seen = [board.position_text()]
    while board.outcome() is None:
        _, moves = table.best(board.state, board.legal_numbers())
        board.play(board.format_line(moves[:1])[0])
        seen.append(board.position_text())
    assert board.outcome() == Outcome(None, "repetition")
    assert seen.count(seen[-1]) == 3
    assert max(seen[:-1].count(text) for text in seen) == 2
    board.undo()
    assert board.outcome() is None


def incremental_fields(board: KolibratPosition) -> tuple[int, list[int]]:
    """Return what moves update incrementally: the hash and the number of pieces of each side."""
    return board.library.key(board.state), list(board.state.on_board)


@pytest.mark.parametrize("square", ["a9", "b9", "i9", "a1", "i1"])
def test_a_point_changes_nothing_but_the_scorer(square: str) -> None:
    """With nine rows, `a9off` looked like an attack one row ahead, and gave black a piece."""
    ranks = ["9"] * 9
    for colour, row in (("r", 0), ("b", 8)):
        column = "abcdefghi".index(square[0])
        ranks[row] = "".join(filter(None, (str(column or ""), colour, str(8 - column or ""))))
    side = "rb"[square[1] == "1"]
    board = position_from(f"{'/'.join(ranks)} {side} 0 0 15 4")
    before = incremental_fields(board)
    board.play(f"{square}off")
    assert incremental_fields(board) == incremental_fields(position_from(board.position_text()))
    board.undo()
    assert incremental_fields(board) == before


@pytest.mark.parametrize("size", BOARDS, ids=str)
def test_random_games_agree_with_the_naive_rules(size: tuple[int, int, int, int]) -> None:
    """Moves, skips, points and ends."""
    width, height, pieces, goal = size
    rng = random.Random(7)
    for _ in range(4):
        board, naive = KolibratPosition(Setup(variant=f"{width}x{height}-{pieces}-{goal}")), NaiveKolibrat(*size)
        for _ in range(120):
            assert sorted(board.legal_moves()) == sorted(naive.legal_moves())
            if board.outcome():
                break
            assert "rb"[board.to_move] == naive.side
            assert incremental_fields(board) == incremental_fields(position_from(board.position_text()))
            move = rng.choice(board.legal_moves())
            board.play(move)
            naive = naive.play(move)
            outcome = board.outcome()
            if outcome and outcome.winner is None:
                break
        outcome = board.outcome()
        assert naive.winner() == ("" if outcome is None or outcome.winner is None else "rb"[outcome.winner])


def test_different_states_have_different_keys() -> None:
    """States with the same key would share a transposition table entry or count as a repetition."""
    rng = random.Random(1)
    keys: dict[int, str] = {}
    for _ in range(60):
        board = KolibratPosition(Setup(variant="3x4-4-5"))
        while not board.outcome():
            text = board.position_text()
            assert keys.setdefault(board.library.key(board.state), text) == text
            board.play(rng.choice(board.legal_moves()))
    assert len(keys) > 2000


@pytest.mark.parametrize("size", [(3, 4, 4, 1), (4, 5, 5, 1), (2, 7, 3, 1)], ids=str)
def test_has_move_agrees_with_the_move_list(size: tuple[int, int, int, int]) -> None:
    """`has_move` decides who is skipped, so a mistake there would skip a side that can move."""
    width, height, pieces, goal = size
    board = KolibratPosition(Setup(variant=f"{width}x{height}-{pieces}-{goal}"))
    library, state = board.library, board.state
    count = library.number_placements(state)
    for number in random.Random(2).sample(range(count), 2000):
        library.set_placement(state, number)
        for side in (0, 1):
            assert library.has_move(state, side) == (library.list_moves(state, side, 0) > 0)
