"""The network against its slow reference implementation, its files, and its selection by the engine."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.kernels.network_record import FEW_STONES, STAR_WIDTH
from bots.gomoku.kernels.rules import GOMOKU
from bots.gomoku.kernels.shapes import OPPOSITE, SHAPE_OF, SHAPES
from bots.gomoku.network import FOLDER, NETWORKS, WEIGHT_FIELDS, load_network
from bots.gomoku.position import GomokuPosition
from bots.gomoku.symmetry import list_symmetric_lines
from bots.gomoku.weights import UNITS_PER_LOGIT, WEIGHT_DIVISOR
from core.native.library import new_array
from core.native.weights import write_weights
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.play.squares import format_square
from core.search.scores import MAX_EVALUATION, NO_SCORE
from tests.bots.gomoku.boards import board_of, choose_crowded
from tests.bots.gomoku.naive_network import naive_network_evaluation

TABLE = new_array("u64", 1024)
ROUNDING = 2  # tolerance in evaluation units: floats are added in another order, and the result is truncated


def numpy_view(state: Any) -> Any:
    """Return numpy's view of a state."""
    return np.frombuffer(state, dtype=GOMOKU.dtype())[0]


def set_random_weights(state: Any, seed: int) -> None:
    """Set random weights, large enough that channels are clipped at both ends."""
    rng, weights = np.random.default_rng(seed), numpy_view(state)
    weights["shape_weights"][1:] = rng.integers(-60, 80, size=weights["shape_weights"][1:].shape)
    weights["star_bias"] = rng.integers(-30, 30, size=weights["star_bias"].shape)
    for name in WEIGHT_FIELDS[2:-1]:
        weights[name] = rng.normal(size=weights[name].shape) * 0.2
    weights["lazy_weights"] = rng.integers(-90, 90, size=weights["lazy_weights"].shape)
    state.network = 1


@pytest.mark.parametrize("variant", ["freestyle", "renju"])
def test_network_evaluation_equals_naive_along_games(variant: str) -> None:
    """In random games, moves are undone and others played, because the accumulator must follow every change."""
    rng = random.Random(variant)
    for width, height in ((5, 5), (9, 14), (15, 15), (20, 7), (22, 22)):
        position = GomokuPosition(Setup(width, height, variant))
        set_random_weights(position.state, width)
        for _ in range(120):
            for _ in range(min(rng.choice((0, 0, 1, 2, 5)), len(position.moves))):
                position.undo()
            for _ in range(rng.choice((0, 1, 1, 3, 6))):
                if position.outcome() is None:
                    position.play(choose_crowded(position, rng))
            if rng.random() < 0.5:
                expected = naive_network_evaluation(board_of(position), position.to_move, numpy_view(position.state))
                assert abs(position.library.evaluate(position.state) - expected) <= ROUNDING


def test_horizon_evaluates_lazily() -> None:
    """The network evaluates positions near the search window, the lazy evaluation those clearly outside."""
    rng, seen_cases = random.Random(3), set()  # cases: (evaluated by the lazy evaluation, network at least beta)
    for _ in range(60):
        position = GomokuPosition(Setup(15, 15, "freestyle"))
        for _ in range(rng.randrange(2, 12)):
            position.play(choose_crowded(position, rng))
        state, library = position.state, position.library
        write_weights(state, WEIGHT_FIELDS, (FOLDER / "freestyle.network").read_bytes())
        state.network = 1
        lazy, network = library.lazy_evaluation(state), library.evaluate(state)
        if (
            library.terminal_score(state, 0) != NO_SCORE
            or library.must_answer_threat(state)
            or library.find_full_vcf(state, TABLE, 12, 99)
        ):
            continue
        above, below = state.lazy_margin_above, state.lazy_margin_below
        for distance in (
            *range(-above - 1, -above + 2),
            0,
            *range(below - 1, below + 2),
        ):
            beta = lazy + distance
            is_lazy = distance <= -above or distance > below
            assert library.quiescence(state, TABLE, beta - 1, beta, 0) == (lazy if is_lazy else network)
            seen_cases.add((is_lazy, network >= beta))
    assert len(seen_cases) == 4


@pytest.mark.parametrize("size", [5, 9, 15, 20])
def test_lazy_evaluation_equals_its_definition(size: int) -> None:
    """Between 8 and 60 stones on 15x15, and as densely on other boards, both rows of weights are mixed."""
    rng, position = random.Random(size), GomokuPosition(Setup(size, size, "freestyle"))
    set_random_weights(position.state, size)
    weights, seen_shares = numpy_view(position.state), set()
    while position.outcome() is None:
        side = position.to_move
        counts = [weights[name][colour] for name in ("pattern_count", "grade_count") for colour in (side, 1 - side)]
        sums = [int(row[:-1] @ np.concatenate(counts)) + int(row[-1]) for row in weights["lazy_weights"].astype(int)]
        share = min(max((Fraction(225 * len(position.moves), size**2) - 8) / 52, Fraction(0)), Fraction(1))
        expected = math.floor(((1 - share) * sums[0] + share * sums[1]) / WEIGHT_DIVISOR)
        assert position.library.lazy_evaluation(position.state) == min(max(expected, -MAX_EVALUATION), MAX_EVALUATION)
        seen_shares.add(0 < share < 1)
        position.play(choose_crowded(position, rng))
    assert seen_shares == {False, True}


@pytest.mark.parametrize("name", sorted(set(NETWORKS.values())))
def test_shipped_lazy_evaluations_follow_their_networks(name: str) -> None:
    """In quiet positions of random games a network and its lazy evaluation agree roughly, but not exactly.

    Fewer than FEW_STONES random stones are unlike the positions of a search, for which the lazy evaluation is fitted.
    """
    rng, probabilities = random.Random(name), []
    position = GomokuPosition(Setup(15, 15, name))
    write_weights(position.state, WEIGHT_FIELDS, (FOLDER / f"{name}.network").read_bytes())
    position.state.network = 1
    library, state = position.library, position.state
    for _ in range(40):
        position.restart(position.setup)
        while position.outcome() is None:
            is_quiet = library.terminal_score(state, 0) == NO_SCORE and not library.must_answer_threat(state)
            if is_quiet and state.stones >= FEW_STONES:
                scores = np.array([library.lazy_evaluation(state), library.evaluate(state)])
                probabilities.append(1 / (1 + np.exp(-scores / UNITS_PER_LOGIT)))
            position.play(choose_crowded(position, rng))
    lazy, network = np.array(probabilities).T
    assert 0.85 < np.corrcoef(lazy, network)[0, 1] < 0.99
    assert abs(np.mean(lazy - network)) < 0.1


def test_cached_evaluations_are_those_of_the_board_the_rule_and_the_network() -> None:
    """Equal stones have equal hashes on boards of any size and under any rule."""
    rng, position = random.Random(5), GomokuPosition(Setup(15, 15, "freestyle"))
    library, state = position.library, position.state
    line = [format_square(*square) for square in rng.sample(list(itertools.product(range(9), repeat=2)), 12)]
    seen_values = set()
    boards = (Setup(15, 15, "freestyle"), Setup(20, 9, "freestyle"), Setup(15, 15, "standard"))
    for setup, name in itertools.product(boards, ("freestyle", "renju")):
        position.restart(setup)
        load_network(state, name)
        for _ in range(2):  # the second time from the cache
            for move in line:
                position.play(move)
                assert library.cached_evaluation(state) == library.evaluate(state)
            seen_values.add(library.evaluate(state))
            for _ in line:
                position.undo()
    assert len(seen_values) == 6


def test_cache_spares_the_network() -> None:
    position = GomokuPosition(Setup(15, 15, "freestyle"))
    library, state = position.library, position.state
    load_network(state, "freestyle")
    position.play("h8")
    evaluation = library.cached_evaluation(state)
    state.output_bias += 1
    assert library.cached_evaluation(state) == evaluation != library.evaluate(state)


def test_new_board_resets_the_accumulator() -> None:
    position = GomokuPosition(Setup(15, 15, "freestyle"))
    set_random_weights(position.state, 1)
    for move in ("h8", "h9", "i9"):
        position.play(move)
    position.library.evaluate(position.state)
    position.restart(Setup(20, 20, "freestyle"))
    position.play("a1")
    expected = naive_network_evaluation(board_of(position), position.to_move, numpy_view(position.state))
    assert abs(position.library.evaluate(position.state) - expected) <= ROUNDING


def test_shape_numbers_are_symmetric() -> None:
    """Mirrored windows have the same number, and OPPOSITE, which exchanges the colours, is its own inverse."""
    assert len(set(SHAPE_OF.tolist())) == SHAPES
    assert (OPPOSITE[OPPOSITE] == np.arange(SHAPES)).all()
    for key in range(0, 1 << 16, 97):
        mirrored_key = sum((key >> 2 * index & 3) << 2 * (7 - index) for index in range(8))
        assert SHAPE_OF[key] == SHAPE_OF[mirrored_key]


@pytest.mark.parametrize("name", sorted(set(NETWORKS.values())))
def test_shipped_networks_are_symmetric(name: str) -> None:
    """Symmetric images have equal values, and so has the position with the colours exchanged."""
    position = GomokuPosition(Setup(15, 15, "freestyle"))
    write_weights(position.state, WEIGHT_FIELDS, (FOLDER / f"{name}.network").read_bytes())
    position.state.network = 1
    line = ["h8", "g9", "i9", "g7", "g8", "j8", "h10"]
    values = set()
    for image in list_symmetric_lines(line, position.setup):
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


@pytest.mark.parametrize("name", sorted(set(NETWORKS.values())))
def test_shipped_networks_equal_naive(name: str) -> None:
    """Sums of real weights fit the integers of the kernels, on crowded boards too."""
    rng, position = random.Random(name), GomokuPosition(Setup(15, 15, "freestyle"))
    write_weights(position.state, WEIGHT_FIELDS, (FOLDER / f"{name}.network").read_bytes())
    position.state.network = 1
    squares = [position.parse(format_square(*square)) for square in itertools.product(range(15), repeat=2)]
    for stones in (1, 4, 12, 25, 50, 90, 150):
        position.restart(position.setup)
        for cell in rng.sample(squares, stones):
            position.library.apply(position.state, cell)
        expected = naive_network_evaluation(board_of(position), position.to_move, numpy_view(position.state))
        expected = max(-MAX_EVALUATION, min(MAX_EVALUATION, expected))
        assert abs(position.library.evaluate(position.state) - expected) <= ROUNDING


def test_greatest_weights_fit_the_star_layer() -> None:
    """An output is greatest if all of its star is empty and every window of these cells has a stone."""
    position = GomokuPosition(Setup(15, 15, "freestyle"))
    weights = numpy_view(position.state)
    weights["shape_weights"][1:] = 127
    weights["star_bias"] = 2048
    position.state.network = 1
    for x, y in itertools.product(range(-7, 8), repeat=2):
        in_star = max(abs(x), abs(y)) <= 2 and (x == 0 or y == 0 or abs(x) == abs(y))
        if not in_star:
            position.library.apply(position.state, position.parse(format_square(x + 7, y + 7)))
    position.library.evaluate(position.state)
    assert weights["net_peaks"].tolist() == [2048 + 4 * 127 * (4 + 8 * 4 + 8 * 3)] * STAR_WIDTH


def test_engine_selects_the_evaluation_of_rule_and_option() -> None:
    """The network of the rule is used if there is one and the option is `network`."""
    engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    network_flags = []  # by turn: 1 if a network evaluates
    free, other_rules = "freestyle", ("standard", "renju", "caro", "rule-5")
    turns = [(free, "network"), (free, "counts"), *((rule, "network") for rule in (free, *other_rules))]
    for rule, evaluation in turns:
        engine.set_option("evaluation", evaluation)
        engine.new_game(Setup(15, 15, rule))
        engine.set_position(["h8", "h9", "i9"])
        engine.choose(Limits(nodes=500))
        network_flags.append(int(engine.position.state.network))
        if network_flags[-1]:
            shipped: Any = GomokuPosition(Setup(15, 15, rule)).state
            write_weights(shipped, WEIGHT_FIELDS, (FOLDER / f"{rule}.network").read_bytes())
            assert list(engine.position.state.output_weights) == list(shipped.output_weights)
    assert network_flags == [1, 0, 1, 1, 1, 1, 0]
