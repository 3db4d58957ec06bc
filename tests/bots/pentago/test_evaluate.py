"""Pentago's evaluation, move generator and horizon search against slow reference implementations.

A line is a row of five squares. Rotated threes are lines with three marbles of one side, on the boards after rotations.
"""

from __future__ import annotations

import random

import pytest

from bots.pentago import weights
from bots.pentago.layout import DRAW
from bots.pentago.position import PentagoPosition
from core.native.library import new_array
from core.play.player import Setup
from core.search.scores import INFINITE, WIN
from core.search.table_size import BUCKET_WORDS
from tests.bots.pentago import naive
from tests.bots.pentago.naive_evaluate import evaluate, threes_after_rotations, weight
from tests.bots.pentago.positions import format_cells, random_cells, sharp_position


def symmetric_cells(rng: random.Random) -> naive.Cells:
    """Return a board whose quadrants mostly look the same after half a turn, or a quarter turn; nobody has a five."""
    groups = [[(1, 1)], *([(x, y), (2 - x, 2 - y)] for x, y in ((0, 0), (1, 0), (2, 0), (0, 1)))]
    while True:
        cells: naive.Cells = {}
        for left, top in naive.QUADRANTS:
            owners = [rng.choice("wb  ") for _ in groups]
            if rng.random() < 0.5:
                owners[3:] = owners[1:3]
            for owner, group in zip(owners, groups, strict=True):
                cells |= {(left + x, top + y): owner for x, y in group if owner != " "}
        for _ in range(rng.randrange(3)):
            cells[rng.randrange(6), rng.randrange(6)] = rng.choice("wb")
        white = sum(side == "w" for side in cells.values())
        if white == (len(cells) + 1) // 2 and not naive.outcome(cells):
            return cells


def kernel_evaluation(position: PentagoPosition, text: str) -> int:
    position.restart(Setup(position=text))
    return int(position.library.evaluate(position.state))


def rotated_threes(position: PentagoPosition, text: str) -> int:
    position.restart(Setup(position=text))
    return int(position.library.rotated_threes_to_move(position.state))


@pytest.mark.parametrize("rounds", [1, pytest.param(20, marks=pytest.mark.slow)])
def test_evaluation_equals_naive_evaluation(rounds: int) -> None:
    """Positions with 0 to 35 marbles are compared, some of them with a threat to make five."""
    rng, position = random.Random(11), PentagoPosition(Setup())
    for _ in range(rounds):
        for marbles in range(36):
            texts = [format_cells(random_cells(rng, marbles), "wb"[marbles % 2])]
            if 8 <= marbles < 34:
                texts.append(sharp_position(rng, marbles))
            for text in texts:
                assert kernel_evaluation(position, text) == evaluate(*naive.parse(text)), text


def test_rotated_threes_equal_naive_count() -> None:
    """The kernel returns -1 if the side to move wins at once, otherwise the number of rotated threes."""
    rng, position = random.Random(12), PentagoPosition(Setup())
    for marbles in range(8, 34):
        text = rng.choice([sharp_position(rng, marbles), format_cells(random_cells(rng, marbles), "wb"[marbles % 2])])
        cells, side = naive.parse(text)
        wins = any(result == side for _, result in naive.moves(cells, side).values())
        assert rotated_threes(position, text) == (-1 if wins else threes_after_rotations(cells, side)), text


def listed_boards(position: PentagoPosition, text: str) -> list[str]:
    """Return the boards that the listed moves lead to."""
    position.restart(Setup(position=text))
    library, state = position.library, position.state
    boards = []
    for move in state.moves[0][: library.generate(state, 0)]:
        library.apply(state, move)
        boards.append(format_cells(*naive.parse(position.position_text())))
        library.undo(state)
    return boards


def test_generate_lists_each_safe_board_once() -> None:
    """All boards after moves that do not lose at once are listed, and no board is listed twice."""
    rng, position = random.Random(13), PentagoPosition(Setup())
    boards = [random_cells(rng, marbles) for marbles in [*range(7), *range(8, 34, 2)]]
    compared = 0
    for cells in [*boards, *(symmetric_cells(rng) for _ in range(60))]:
        side, opponent = "wb" if len(cells) % 2 == 0 else "bw"
        text = format_cells(cells, side)
        results = naive.moves(cells, side)
        if any(result == side for _, result in results.values()):
            continue
        compared += 1
        listed = listed_boards(position, text)
        safe = {format_cells(board, opponent) for board, result in results.values() if not result}
        safe = {board for board in safe if rotated_threes(position, board) != -1}
        drawn = {format_cells(board, opponent) for board, result in results.values() if result == "draw"}
        assert len(set(listed)) == len(listed), text
        assert safe | drawn <= set(listed) <= {format_cells(board, opponent) for board, _ in results.values()}, text
    assert compared >= 40


def value_after(position: PentagoPosition, move: int) -> int:
    """Return a move's value at the horizon.

    It is the score of the result if the move ends the game, a loss if the opponent then wins at once, and otherwise the
    evaluation after the move, without the threats of the side that makes it.
    """
    library, state = position.library, position.state
    side = state.side
    library.apply(state, move)
    value = 0
    if state.result:
        value = 0 if state.result == DRAW else 1 - WIN if state.result != side + 1 else WIN - 1
    elif library.rotated_threes_to_move(state) == -1:
        value = 2 - WIN
    else:
        swapped = library.new("Pentago")
        library.setup(swapped, state.white, state.black, side)
        threatens = library.rotated_threes_to_move(swapped) == -1
        value = -library.evaluate(state) - weight(weights.THREAT, position.marble_count) * threatens
    library.undo(state)
    return int(value)


def test_horizon_score_is_the_best_of_all_moves() -> None:
    """At the horizon, the kernel scores all moves without making them, so no other test would notice a wrong line."""
    rng, position = random.Random(14), PentagoPosition(Setup())
    table = new_array("u64", BUCKET_WORDS)
    # After every move in these positions the opponent still has an open four.
    texts = ["1ww111/bbb1bw/1wwb11/b1bbb1/wbw1w1/1111ww w", "w1ww11/wbw1bw/111111/1bb111/bbb1bw/bbw1ww w"]
    for marbles in [*range(34), *range(8, 34)]:
        quiet = format_cells(random_cells(rng, marbles), "wb"[marbles % 2])
        texts.append(rng.choice([sharp_position(rng, marbles), quiet]) if marbles >= 8 else quiet)
    quiet_texts = [text for text in texts if rotated_threes(position, text) != -1]
    assert set(quiet_texts) >= set(texts[:2])
    assert len(quiet_texts) >= 30
    for text in quiet_texts:
        position.restart(Setup(position=text))
        position.state.full_width = 1
        best = position.library.quiescence(position.state, table, -INFINITE, INFINITE, 0)
        assert best == max(value_after(position, move) for move in position.legal_numbers()), text


def test_weights_allow_lazy_evaluation() -> None:
    """The search skips these terms if the evaluation without them decides, so they must not be negative."""
    assert min(*weights.ROTATED_THREE, *weights.THREAT) >= 0
