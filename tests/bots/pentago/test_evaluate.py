"""The estimate against its slow twin."""

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
from tests.bots.pentago.naive_evaluate import evaluate, threes_after_turns, weight
from tests.bots.pentago.positions import format_cells, sharp_position


def random_cells(source: random.Random, marbles: int) -> naive.Cells:
    """So many marbles anywhere, nobody with five."""
    while True:
        squares = source.sample([(x, y) for x in range(6) for y in range(6)], marbles)
        cells = {square: "wb"[number % 2] for number, square in enumerate(squares)}
        if not naive.outcome(cells):
            return cells


def even_cells(source: random.Random) -> naive.Cells:
    """Quadrants that mostly look the same after half a turn or a quarter; nobody with five, and no side ahead."""
    groups = [[(1, 1)], *([(x, y), (2 - x, 2 - y)] for x, y in ((0, 0), (1, 0), (2, 0), (0, 1)))]
    while True:
        cells: naive.Cells = {}
        for left, top in naive.QUADRANTS:
            owners = [source.choice("wb  ") for _ in groups]
            if source.random() < 0.5:
                owners[3:] = owners[1:3]
            for owner, group in zip(owners, groups, strict=True):
                cells |= {(left + x, top + y): owner for x, y in group if owner != " "}
        for _ in range(source.randrange(3)):
            cells[source.randrange(6), source.randrange(6)] = source.choice("wb")
        white = sum(side == "w" for side in cells.values())
        if white == (len(cells) + 1) // 2 and not naive.outcome(cells):
            return cells


def estimate(position: PentagoPosition, text: str) -> int:
    position.restart(Setup(position=text))
    return int(position.library.evaluate(position.state))


def looked_round(position: PentagoPosition, text: str) -> int:
    position.restart(Setup(position=text))
    return int(position.library.count_turned(position.state))


@pytest.mark.parametrize("rounds", [1, pytest.param(20, marks=pytest.mark.slow)])
def test_equals_the_sum_of_its_parts(rounds: int) -> None:
    """In every phase, also where somebody threatens five; a part with a wrong sign plays on all the same."""
    source, position = random.Random(11), PentagoPosition(Setup())
    for _ in range(rounds):
        for marbles in range(36):
            texts = [format_cells(random_cells(source, marbles), "wb"[marbles % 2])]
            if 8 <= marbles < 34:
                texts.append(sharp_position(source, marbles))
            for text in texts:
                assert estimate(position, text) == evaluate(*naive.parse(text)), text


def test_looks_round_as_the_rules_do() -> None:
    """A win by a turn that is missed loses games, one that is seen where none is claims a false one."""
    source, position = random.Random(12), PentagoPosition(Setup())
    for marbles in range(8, 34):
        text = source.choice(
            [sharp_position(source, marbles), format_cells(random_cells(source, marbles), "wb"[marbles % 2])]
        )
        cells, side = naive.parse(text)
        wins = any(result == side for _, result in naive.moves(cells, side).values())
        assert looked_round(position, text) == (-1 if wins else threes_after_turns(cells, side)), text


def listed_boards(position: PentagoPosition, text: str) -> list[str]:
    """The boards that the listed moves lead to."""
    position.restart(Setup(position=text))
    library, state = position.library, position.state
    boards = []
    for move in state.moves[0][: library.generate(state, 0)]:
        library.apply(state, move)
        boards.append(format_cells(*naive.parse(position.position_text())))
        library.undo(state)
    return boards


def test_lists_each_board_once_that_does_not_lose_at_once() -> None:
    """A board that is left out is never played; one that is there twice costs time."""
    source, position = random.Random(13), PentagoPosition(Setup())
    boards = [random_cells(source, marbles) for marbles in [*range(7), *range(8, 34, 2)]]
    for cells in [*boards, *(even_cells(source) for _ in range(60))]:
        side, enemy = "wb" if len(cells) % 2 == 0 else "bw"
        text = format_cells(cells, side)
        after = naive.moves(cells, side)
        if any(result == side for _, result in after.values()):
            continue
        listed = listed_boards(position, text)
        safe = {format_cells(board, enemy) for board, result in after.values() if not result}
        safe = {board for board in safe if looked_round(position, board) != -1}
        drawn = {format_cells(board, enemy) for board, result in after.values() if result == "draw"}
        assert len(set(listed)) == len(listed), text
        assert safe | drawn <= set(listed) <= {format_cells(board, enemy) for board, _ in after.values()}, text


def value_after(position: PentagoPosition, move: int) -> int:
    """A move's value at a leaf: the estimate of the board after it, but for what its own side threatens there."""
    library, state = position.library, position.state
    side = state.side
    library.apply(state, move)
    value = 0
    if state.result:
        value = 0 if state.result == DRAW else 1 - WIN if state.result != side + 1 else WIN - 1
    elif library.count_turned(state) == -1:
        value = 2 - WIN
    else:
        swapped = library.new("Pentago")
        library.setup(swapped, state.white, state.black, side)
        threatens = library.count_turned(swapped) == -1
        value = -library.evaluate(state) - weight(weights.THREAT, position.stones) * threatens
    library.undo(state)
    return int(value)


def test_a_leaf_has_the_best_of_all_moves() -> None:
    """Its boards are never made: a line counted after the wrong turn would be seen nowhere else."""
    source, position = random.Random(14), PentagoPosition(Setup())
    table = new_array("u64", BUCKET_WORDS)
    # After every move in these the enemy still has a four to fill up.
    texts = ["1ww111/bbb1bw/1wwb11/b1bbb1/wbw1w1/1111ww w", "w1ww11/wbw1bw/111111/1bb111/bbb1bw/bbw1ww w"]
    for marbles in [*range(34), *range(8, 34)]:
        quiet = format_cells(random_cells(source, marbles), "wb"[marbles % 2])
        texts.append(source.choice([sharp_position(source, marbles), quiet]) if marbles >= 8 else quiet)
    for text in texts:
        if looked_round(position, text) != -1:
            position.state.full_width = 1
            best = position.library.quiescence(position.state, table, -INFINITE, INFINITE, 0)
            assert best == max(value_after(position, move) for move in position.legal_numbers()), text


def test_turns_and_threats_never_count_backwards() -> None:
    """The search leaves them out where the estimate without them decides."""
    assert min(*weights.TURNED, *weights.THREAT) >= 0
