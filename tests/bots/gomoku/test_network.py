"""The network against its slow twin, and its files."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.kernels.rules import GOMOKU
from bots.gomoku.kernels.search import SURELY_ABOVE, SURELY_BELOW
from bots.gomoku.kernels.shapes import OPPOSITE, SHAPE_OF, SHAPES
from bots.gomoku.network import FOLDER, NETWORKS, WEIGHT_FIELDS
from bots.gomoku.position import GomokuPosition
from bots.gomoku.symmetry import list_images
from core.native.library import new_array
from core.native.weights import write_weights
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.search.scores import NO_SCORE
from tests.bots.gomoku.naive_network import judge
from tests.bots.gomoku.test_evaluate import board_of
from tests.bots.gomoku.test_rules import choose_crowded

TABLE = new_array("u64", 1024)
ROUNDING = 2  # units: floats are added in another order, and the estimate is cut to a whole number


def view(state: Any) -> Any:
    """numpy's view of a record."""
    return np.frombuffer(state, dtype=GOMOKU.dtype())[0]


def give_weights(state: Any, seed: int) -> None:
    """Weights by chance, large enough that sums are cut at both ends."""
    chance, record = np.random.default_rng(seed), view(state)
    record["shape_weights"][1:] = chance.integers(-60, 80, size=record["shape_weights"][1:].shape)
    for name in WEIGHT_FIELDS[1:]:
        record[name] = chance.normal(size=record[name].shape) * 0.2
    state.network = 1


@pytest.mark.parametrize("variant", ["freestyle", "renju"])
def test_follows_every_change_of_the_board(variant: str) -> None:
    """Estimates along games with moves taken back and others played between them; a sum that is not undone, or a shape
    that is not looked up again, would mislead the search without a sound."""
    chance = random.Random(variant)
    for size in (5, 9, 15, 20):
        position = GomokuPosition(Setup(size, size, variant))
        give_weights(position.state, size)
        for _ in range(120):
            for _ in range(min(chance.choice((0, 0, 1, 2, 5)), len(position.moves))):
                position.undo()
            for _ in range(chance.choice((0, 1, 1, 3, 6))):
                if position.outcome() is None:
                    position.play(choose_crowded(position, chance))
            if chance.random() < 0.5:
                wanted = judge(board_of(position), position.to_move, view(position.state))
                assert abs(position.library.evaluate(position.state) - wanted) <= ROUNDING


def test_leaves_are_judged_where_the_counts_leave_a_doubt() -> None:
    """Near the window by the network, surely beyond it by the counts, which are there at no cost."""
    chance, told = random.Random(3), set()
    for _ in range(60):
        position = GomokuPosition(Setup(15, 15, "freestyle"))
        for _ in range(chance.randrange(2, 12)):
            position.play(choose_crowded(position, chance))
        state, library = position.state, position.library
        counted = library.evaluate(state)
        write_weights(state, WEIGHT_FIELDS, (FOLDER / "freestyle.network").read_bytes())
        state.network = 1
        judged = library.evaluate(state)
        if (
            library.terminal_score(state, 0) != NO_SCORE
            or library.must_answer_threat(state)
            or library.find_vcf_move(state, TABLE, 12, 99)
        ):
            continue
        for distance in (*range(-SURELY_ABOVE - 1, -SURELY_ABOVE + 2), 0, *range(SURELY_BELOW - 1, SURELY_BELOW + 2)):
            beta = counted + distance
            is_plain = distance <= -SURELY_ABOVE or distance > SURELY_BELOW
            assert library.quiescence(state, TABLE, beta - 1, beta, 0) == (counted if is_plain else judged)
            told.add((is_plain, judged >= beta))
    assert len(told) == 4


def test_a_new_board_forgets_the_old_sums() -> None:
    position = GomokuPosition(Setup(15, 15, "freestyle"))
    give_weights(position.state, 1)
    for move in ("h8", "h9", "i9"):
        position.play(move)
    position.library.evaluate(position.state)
    position.restart(Setup(20, 20, "freestyle"))
    position.play("a1")
    wanted = judge(board_of(position), position.to_move, view(position.state))
    assert abs(position.library.evaluate(position.state) - wanted) <= ROUNDING


def test_shapes_are_the_same_from_both_ends() -> None:
    """And changing the colours twice changes nothing."""
    assert len(set(SHAPE_OF.tolist())) == SHAPES
    assert (OPPOSITE[OPPOSITE] == np.arange(SHAPES)).all()
    for key in range(0, 1 << 16, 97):
        turned = sum((key >> 2 * index & 3) << 2 * (7 - index) for index in range(8))
        assert SHAPE_OF[key] == SHAPE_OF[turned]


def test_refuses_a_file_of_another_size() -> None:
    state: Any = GomokuPosition(Setup(15, 15, "freestyle")).state
    wanted = sum(getattr(type(state), name).size for name in WEIGHT_FIELDS)
    before = bytes(state)
    for length in (0, wanted - 1, wanted + 1):
        with pytest.raises(ValueError, match=f"a network has {wanted} bytes, not {length}"):
            write_weights(state, WEIGHT_FIELDS, b"\1" * length)
    assert bytes(state) == before


@pytest.mark.parametrize("name", sorted(set(NETWORKS.values())))
def test_shipped_networks_see_no_side_of_the_board_and_no_colour(name: str) -> None:
    """A position and its images are worth the same, and so are its colours changed with the turn."""
    position = GomokuPosition(Setup(15, 15, "freestyle"))
    write_weights(position.state, WEIGHT_FIELDS, (FOLDER / f"{name}.network").read_bytes())
    position.state.network = 1
    line = ["h8", "g9", "i9", "g7", "g8", "j8", "h10"]
    values = set()
    for image in list_images(line, position.setup):
        position.restart(position.setup)
        for move in image:
            position.play(move)
        values.add(int(position.library.evaluate(position.state)))
    assert max(values) - min(values) <= ROUNDING
    position.restart(position.setup)
    position.library.pass_turn(position.state)
    for move in line:
        position.library.apply(position.state, position.parse(move))
    assert abs(int(position.library.evaluate(position.state)) - values.pop()) <= ROUNDING


def test_the_engine_judges_by_the_network_of_the_rule_or_by_the_counts() -> None:
    """Whatever changes between two moves; a table filled by the one must not answer for the other."""
    engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    used = []
    free, others = "freestyle", ("standard", "renju", "caro")
    turns = [(free, "network"), (free, "counts"), *((rule, "network") for rule in (free, *others))]
    for rule, evaluation in turns:
        engine.set_option("evaluation", evaluation)
        engine.new_game(Setup(15, 15, rule))
        engine.set_position(["h8", "h9", "i9"])
        engine.choose(Limits(nodes=500))
        used.append(int(engine.position.state.network))
        if used[-1]:
            shipped: Any = GomokuPosition(Setup(15, 15, rule)).state
            write_weights(shipped, WEIGHT_FIELDS, (FOLDER / f"{rule}.network").read_bytes())
            assert list(engine.position.state.output_weights) == list(shipped.output_weights)
    assert used == [1, 0, 1, 1, 1, 0]
