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
# Positions, with the number of move sequences of 1, 2, ... plies; and positions, with their legal moves.
PERFT = [(row["position"], row["perft"]) for row in json.loads((DATA / "perft.json").read_text())["positions"]]
EXAMPLES = [line.split("|") for line in (DATA / "examples.txt").read_text().splitlines() if line[0] != "#"]
# Width, height, pieces of each side, points that win.
BOARDS = ((3, 4, 4, 2), (2, 2, 2, 2), (3, 3, 4, 1), (4, 5, 6, 3), (5, 6, 6, 4), (9, 9, 15, 2), (2, 9, 9, 1))


def position_from(text: str) -> KolibratPosition:
    return KolibratPosition(Setup(position=text))


@pytest.mark.parametrize(("text", "counts"), PERFT)
def test_perft(text: str, counts: list[int]) -> None:
    """The counts in tests/data/kolibrat/perft.json are those of two independent programs."""
    position = position_from(text)
    assert [position.perft(depth) for depth in range(1, len(counts) + 1)] == counts
    assert position.position_text() == text


@pytest.mark.parametrize(("text", "moves"), EXAMPLES)
def test_worked_example(text: str, moves: str) -> None:
    assert sorted(position_from(text.strip()).legal_moves()) == sorted(moves.split())


@pytest.mark.parametrize(
    ("text", "move", "after"),
    [
        ("3/1b1/1r1/3 r 0 0 4 5", "b2b3", "3/1r1/3/3 b 0 0 4 5"),
        ("b2/b2/b2/r2 r 0 0 4 5", "a1off", "b2/b2/b2/3 b 1 0 4 5"),
        ("3/3/3/bbb b 0 0 4 5", "a4", "b2/3/3/bbb b 0 0 4 5"),
    ],
    ids=["attack", "score", "skip"],
)
def test_position_after_a_move(text: str, move: str, after: str) -> None:
    position = position_from(text)
    position.play(move)
    assert position.position_text() == after
    assert position.outcome() is None
    position.undo()
    assert position.position_text() == text


def test_attacked_piece_goes_back_to_the_hand() -> None:
    position = position_from("3/1b1/1r1/3 r 0 0 1 5")
    position.play("b2b3")
    assert position.legal_moves() == ["a4", "b4", "c4"]


def test_reaching_the_goal_wins() -> None:
    position = position_from("1r1/3/3/3 r 4 0 4 5")
    position.play("b4off")
    assert position.outcome() == Outcome(0, "goal")
    assert position.legal_moves() == []
    with pytest.raises(IllegalMove, match="the game is over"):
        position.play("a4")


def test_the_side_that_blocks_both_sides_loses() -> None:
    position = position_from("b1b/b1b/rr1/r1r r 0 0 4 5")
    position.play("a2b3")
    assert position.outcome() == Outcome(1, "blocked")
    position.undo()
    position.play("a2off")
    assert position.outcome() is None


def test_reaching_the_goal_wins_even_if_both_sides_are_blocked() -> None:
    position = position_from("1b/rb b 2 2 2 3")
    assert position.legal_moves() == ["b1off"]
    position.play("b1off")
    assert position.outcome() == Outcome(1, "goal")


@pytest.mark.parametrize(
    ("text", "move", "reason"),
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
def test_illegal_moves_are_refused_with_the_reason(text: str, move: str, reason: str) -> None:
    position = position_from(text)
    with pytest.raises(IllegalMove, match=reason):
        position.play(move)
    assert position.position_text() == text


def test_third_repetition_is_a_draw() -> None:
    """On 3x4 with 5 pieces, playing the first of the best moves of the solved table repeats positions."""
    position = KolibratPosition(Setup(variant="3x4-5-5"))
    table = open_solved_table(position.board_spec, position.library, position.state)
    assert table
    positions = [position.position_text()]
    while position.outcome() is None:
        _, moves = table.best(position.state, position.legal_numbers())
        position.play(position.format_line(moves[:1])[0])
        positions.append(position.position_text())
    assert position.outcome() == Outcome(None, "repetition")
    assert positions.count(positions[-1]) == 3
    assert max(positions[:-1].count(text) for text in positions) == 2
    position.undo()
    assert position.outcome() is None


def incremental_fields(position: KolibratPosition) -> tuple[int, list[int]]:
    """Return the values that each move updates: the hash and the number of pieces of each side on the board."""
    return position.library.key(position.state), list(position.state.on_board)


@pytest.mark.parametrize("square", ["a9", "b9", "i9", "a1", "i1"])
def test_a_point_removes_only_the_piece_that_scores(square: str) -> None:
    """Regression: with nine rows, `a9off` used to be taken for an attack one row ahead, and gave black a piece."""
    ranks = ["9"] * 9
    for colour, row in (("r", 0), ("b", 8)):
        column = "abcdefghi".index(square[0])
        ranks[row] = "".join(filter(None, (str(column or ""), colour, str(8 - column or ""))))
    side = "rb"[square[1] == "1"]
    position = position_from(f"{'/'.join(ranks)} {side} 0 0 15 4")
    previous_fields = incremental_fields(position)
    position.play(f"{square}off")
    assert incremental_fields(position) == incremental_fields(position_from(position.position_text()))
    position.undo()
    assert incremental_fields(position) == previous_fields


@pytest.mark.parametrize("size", BOARDS, ids=str)
def test_random_games_agree_with_the_naive_rules(size: tuple[int, int, int, int]) -> None:
    """Legal moves, sides to move and winners are compared."""
    width, height, pieces, goal = size
    rng = random.Random(7)
    for _ in range(4):
        position, naive = KolibratPosition(Setup(variant=f"{width}x{height}-{pieces}-{goal}")), NaiveKolibrat(*size)
        for _ in range(120):
            assert sorted(position.legal_moves()) == sorted(naive.legal_moves())
            if position.outcome():
                break
            assert "rb"[position.to_move] == naive.side
            assert incremental_fields(position) == incremental_fields(position_from(position.position_text()))
            move = rng.choice(position.legal_moves())
            position.play(move)
            naive = naive.play(move)
            outcome = position.outcome()
            if outcome and outcome.winner is None:
                break
        outcome = position.outcome()
        assert naive.winner() == ("" if outcome is None or outcome.winner is None else "rb"[outcome.winner])


def test_different_states_have_different_keys() -> None:
    """States with the same key would share a transposition table entry or count as a repetition."""
    rng = random.Random(1)
    keys: dict[int, str] = {}
    for _ in range(60):
        position = KolibratPosition(Setup(variant="3x4-4-5"))
        while not position.outcome():
            text = position.position_text()
            assert keys.setdefault(position.library.key(position.state), text) == text
            position.play(rng.choice(position.legal_moves()))
    assert len(keys) > 2000


@pytest.mark.parametrize("size", [(3, 4, 4, 1), (4, 5, 5, 1), (2, 7, 3, 1)], ids=str)
def test_has_move_agrees_with_the_move_list(size: tuple[int, int, int, int]) -> None:
    """`has_move` decides who is skipped, so a mistake there would skip a side that can move."""
    width, height, pieces, goal = size
    position = KolibratPosition(Setup(variant=f"{width}x{height}-{pieces}-{goal}"))
    library, state = position.library, position.state
    count = library.number_placements(state)
    for number in random.Random(2).sample(range(count), 2000):
        library.set_placement(state, number)
        for side in (0, 1):
            assert library.has_move(state, side) == (library.list_moves(state, side, 0) > 0)
