"""The rules against the published counts, the worked examples and a twin in plain Python."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.solver.perfect import open_solved_table
from core.play.game import Outcome
from core.play.player import IllegalMove, Setup
from tests.bots.kolibrat.naive import Naive

DATA = Path(__file__).parents[2] / "data" / "kolibrat"
PERFT = [(row["position"], row["perft"]) for row in json.loads((DATA / "perft.json").read_text())["positions"]]
EXAMPLES = [line.split("|") for line in (DATA / "examples.txt").read_text().splitlines() if line[0] != "#"]
BOARDS = ((3, 4, 4, 2), (2, 2, 2, 2), (3, 3, 4, 1), (4, 5, 6, 3), (5, 6, 6, 4), (9, 9, 15, 2), (2, 9, 9, 1))


def at(position: str) -> KolibratPosition:
    return KolibratPosition(Setup(position=position))


@pytest.mark.parametrize(("position", "counts"), PERFT)
def test_perft(position: str, counts: list[int]) -> None:
    """Two independent programs agree on these counts."""
    board = at(position)
    assert [board.perft(depth) for depth in range(1, len(counts) + 1)] == counts
    assert board.position_text() == position


@pytest.mark.parametrize(("position", "moves"), EXAMPLES)
def test_worked_example(position: str, moves: str) -> None:
    assert sorted(at(position.strip()).legal_moves()) == sorted(moves.split())


@pytest.mark.parametrize(
    ("position", "move", "after"),
    [
        ("3/1b1/1r1/3 r 0 0 4 5", "b2b3", "3/1r1/3/3 b 0 0 4 5"),
        ("b2/b2/b2/r2 r 0 0 4 5", "a1off", "b2/b2/b2/3 b 1 0 4 5"),
        ("3/3/3/bbb b 0 0 4 5", "a4", "b2/3/3/bbb b 0 0 4 5"),
    ],
    ids=["attack", "score", "skip"],
)
def test_what_a_move_leaves(position: str, move: str, after: str) -> None:
    board = at(position)
    board.play(move)
    assert board.position_text() == after
    assert board.outcome() is None
    board.undo()
    assert board.position_text() == position


def test_attacked_piece_is_in_hand_again() -> None:
    board = at("3/1b1/1r1/3 r 0 0 1 5")
    board.play("b2b3")
    assert board.legal_moves() == ["a4", "b4", "c4"]


def test_goal_wins_at_once() -> None:
    board = at("1r1/3/3/3 r 4 0 4 5")
    board.play("b4off")
    assert board.outcome() == Outcome(0, "goal")
    assert board.legal_moves() == []
    with pytest.raises(IllegalMove, match="the game is over"):
        board.play("a4")


def test_whoever_blocks_both_loses() -> None:
    board = at("b1b/b1b/rr1/r1r r 0 0 4 5")
    board.play("a2b3")
    assert board.outcome() == Outcome(1, "blocked")
    board.undo()
    board.play("a2off")
    assert board.outcome() is None


def test_goal_goes_before_blocked() -> None:
    """The last point also leaves nobody a move: it wins."""
    board = at("1b/rb b 2 2 2 3")
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
        ("3/3/3/r2 r 0 0 4 5", "pass", "nobody may pass"),
        ("3/3/3/r2 r 0 0 4 5", "A1", "a move such as b1"),
    ],
)
def test_illegal_moves_are_told_apart(position: str, move: str, reason: str) -> None:
    board = at(position)
    with pytest.raises(IllegalMove, match=reason):
        board.play(move)
    assert board.position_text() == position


def test_third_repetition_is_a_draw() -> None:
    """Two who always choose the first move that does not lose go round for ever on 3x4 with 5 pieces."""
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


def bookkeeping(board: KolibratPosition) -> tuple[int, list[int]]:
    """What moves keep up to date: hash and pieces of each side."""
    return board.library.key(board.state), list(board.state.on_board)


@pytest.mark.parametrize("square", ["a9", "b9", "i9", "a1", "i1"])
def test_a_point_changes_nothing_but_the_scorer(square: str) -> None:
    """`a9off` on boards of nine rows was once taken for an attack, one row straight ahead, and gave black a piece."""
    ranks = ["9"] * 9
    for colour, row in (("r", 0), ("b", 8)):
        column = "abcdefghi".index(square[0])
        ranks[row] = "".join(filter(None, (str(column or ""), colour, str(8 - column or ""))))
    side = "rb"[square[1] == "1"]
    board = at(f"{'/'.join(ranks)} {side} 0 0 15 4")
    before = bookkeeping(board)
    board.play(f"{square}off")
    assert bookkeeping(board) == bookkeeping(at(board.position_text()))
    board.undo()
    assert bookkeeping(board) == before


@pytest.mark.parametrize("size", BOARDS, ids=str)
def test_random_games_agree_with_the_naive_twin(size: tuple[int, int, int, int]) -> None:
    """Moves, skips, points and ends."""
    width, height, pieces, goal = size
    chance = random.Random(7)
    for _ in range(4):
        board, twin = KolibratPosition(Setup(variant=f"{width}x{height}-{pieces}-{goal}")), Naive(*size)
        for _ in range(120):
            assert sorted(board.legal_moves()) == sorted(twin.legal())
            if board.outcome():
                break
            assert "rb"[board.to_move] == twin.side
            assert bookkeeping(board) == bookkeeping(at(board.position_text()))
            move = chance.choice(board.legal_moves())
            board.play(move)
            twin = twin.play(move)
            outcome = board.outcome()
            if outcome and outcome.winner is None:
                break
        outcome = board.outcome()
        assert twin.winner() == ("" if outcome is None or outcome.winner is None else "rb"[outcome.winner])


def test_keys_tell_all_states_apart() -> None:
    """Two states with one key would share a table entry or make a repetition of none."""
    chance = random.Random(1)
    keys: dict[int, str] = {}
    for _ in range(60):
        board = KolibratPosition(Setup(variant="3x4-4-5"))
        while not board.outcome():
            text = board.position_text()
            assert keys.setdefault(board.library.key(board.state), text) == text
            board.play(chance.choice(board.legal_moves()))
    assert len(keys) > 2000


@pytest.mark.parametrize("size", [(3, 4, 4, 1), (4, 5, 5, 1), (2, 7, 3, 1)], ids=str)
def test_quick_looks_agree_with_the_list_of_moves(size: tuple[int, int, int, int]) -> None:
    """`has_move` decides skips without listing; a mistake there would skip a side that can move."""
    width, height, pieces, goal = size
    board = KolibratPosition(Setup(variant=f"{width}x{height}-{pieces}-{goal}"))
    library, state = board.library, board.state
    count = library.number_placements(state)
    for number in random.Random(2).sample(range(count), 2000):
        library.set_board(state, number)
        for side in (0, 1):
            assert library.has_move(state, side) == (library.list_moves(state, side, 0) > 0)
