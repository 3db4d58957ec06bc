"""The forward pass of the network against a naive version, and the search that uses it."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import Any

import numpy as np
import pytest

from bots.hex.engine import ENGINE_OPTIONS, HexEngine
from bots.hex.kernels.network_fields import CHANNELS
from bots.hex.kernels.records import PLAYOUT
from bots.hex.kernels.tree.network import ONE_BITS, TOP, WEIGHT_ONE
from bots.hex.network import WEIGHT_FIELDS
from bots.hex.position import HexPosition, cell_index
from core.native.library import new_array
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.play.squares import format_square
from tests.bots.hex.naive import NaiveHex
from tests.bots.hex.naive_network import evaluate_naively

ROUNDING = 1e-5  # error of the logits, which are about 1, by float32
EXP_ROUNDING = 3e-4  # error of probabilities, by the kernels' exponential function
WIN_REWARD = 1024  # reward of a win in these searches


def state_fields(state: Any) -> Any:
    """Return the fields of a state as numpy arrays."""
    return np.frombuffer(state, dtype=PLAYOUT.dtype())[0]


def set_random_weights(state: Any, seed: int) -> None:
    """Set random weights with which some activations of each layer are clipped at either end."""
    rng = np.random.default_rng(seed)
    fields = state_fields(state)
    for name, spread in {"stem": 0.6, "global_pool": 0.1, "policy": 0.2}.items():
        weights = fields[f"{name}_weights"]
        weights[...] = np.round(rng.normal(0, spread, weights.shape) * WEIGHT_ONE)
    fields["stem_weights"][[0, 3]] = 0  # empty cells, and cells beyond a corner
    fields["stem_bias"][...] = rng.integers(-WEIGHT_ONE, WEIGHT_ONE, CHANNELS)
    fields["block_weights"][...] = rng.integers(-63, 64, fields["block_weights"].shape)
    fields["input_bits"][...] = rng.integers(3, 6, fields["input_bits"].shape)
    # With weights of 8 digits after the point, or 9, the outputs are about as large as the inputs.
    output_bits = np.roll(fields["input_bits"], -1)
    output_bits[1::2] = ONE_BITS
    weight_bits = rng.integers(8, 10, fields["block_shifts"].shape)
    fields["block_shifts"][...] = weight_bits + (fields["input_bits"] - output_bits)[:, None]
    spread = 1 << (weight_bits + fields["input_bits"][:, None])
    fields["block_bias"][...] = rng.integers(-spread, spread)
    for name in ("value_hidden_weights", "value_hidden_bias", "value_weights"):
        fields[name][...] = rng.normal(0, 0.1, fields[name].shape)
    state.value_bias = 0.25


def search_state_at(board: NaiveHex, side: int, seed: int = 1) -> Any:
    """Return a search state at a position, with random weights."""
    position = HexPosition(Setup(board.width, board.height, "standard"))
    for cell, colour in board.stones.items():
        position.place(colour, format_square(*cell))
    position.set_to_move(side)
    state = position.library.new("HexPlayout")
    set_random_weights(state, seed)
    state.win_reward, state.network = WIN_REWARD, 1
    position.library.set_root(position.state, state)
    position.library.init_tree(state, new_array("i32", 1 << 16))
    return state


def random_board(width: int, height: int, rng: random.Random) -> NaiveHex:
    board = NaiveHex(width, height)
    cells = board.cells()
    for cell in rng.sample(cells, rng.randrange(len(cells) // 2)):
        board.stones[cell] = rng.randrange(2)
    return board if board.winner() is None else random_board(width, height, rng)


@pytest.mark.parametrize(("width", "height"), [(1, 3), (5, 5), (7, 7), (11, 11), (13, 13), (4, 9), (9, 4), (19, 19)])
def test_logits_match_the_naive_version(width: int, height: int) -> None:
    """Boards of many shapes, both sides and both views are compared, so that a wrong neighbour or edge is noticed."""
    rng = random.Random(width * height)
    for side, rotated in product((0, 1), (0, 1)):
        board = random_board(width, height, rng)
        state = search_state_at(board, side)
        state.net_rotated = rotated
        HexPosition(Setup(width, height, "standard")).library.network_forward(state)
        policy_logits, value_logit = evaluate_naively(board, side, state_fields(state))
        assert state.value_logit == pytest.approx(value_logit, abs=ROUNDING)
        for cell, logit in policy_logits.items():
            assert state.policy_logits[cell_index(*cell)] == pytest.approx(logit, abs=ROUNDING)


def test_random_weights_clip_activations_at_both_ends() -> None:
    """If no activation were clipped, `test_logits_match_the_naive_version` would not notice missing clipping."""
    state = search_state_at(random_board(11, 11, random.Random(2)), 0)
    for name, top in (("activations", TOP), ("first_inputs", 127), ("second_inputs", 127)):
        planes = state_fields(state)[name][13:145]  # 11 rows of 12 cells, without the row above
        assert 0.1 < (planes == 0).mean() < 0.9
        assert (planes == top).any()


def test_mirrored_position_with_exchanged_colours_has_the_same_evaluation() -> None:
    board = random_board(9, 9, random.Random(3))
    mirrored = NaiveHex(9, 9, {(y, x): 1 - colour for (x, y), colour in board.stones.items()})
    one, other = search_state_at(board, 0), search_state_at(mirrored, 1)
    assert [one.policy_logits[cell_index(x, y)] for x, y in board.cells()] == [
        other.policy_logits[cell_index(y, x)] for x, y in board.cells()
    ]
    # The logit is for the side to move, the probability for black.
    assert (one.value_logit, one.leaf_win_probability) == (
        other.value_logit,
        pytest.approx(1 - other.leaf_win_probability),
    )


def test_new_node_has_the_priors_and_value_of_the_network() -> None:
    """Priors are the softmax of the logits over the node's moves; a move without visits has the node's value."""
    board = random_board(7, 7, random.Random(5))
    for side in (0, 1):
        state = search_state_at(board, side)
        policy_logits, value_logit = evaluate_naively(board, side, state_fields(state))
        count = len([cell for cell in state.moves if cell])
        powers = {cell_index(*cell): math.exp(logit) for cell, logit in policy_logits.items()}
        moves = list(state.moves[:count])
        total = sum(powers[cell] for cell in moves)
        assert count > 10
        for cell, prior in zip(moves, state.prior, strict=False):
            assert prior == pytest.approx(powers[cell] / total, abs=EXP_ROUNDING)
        win_probability = 1 / (1 + math.exp(-value_logit))
        assert state.leaf_win_probability == pytest.approx(
            win_probability if side == 0 else 1 - win_probability, abs=EXP_ROUNDING
        )
        assert state.rave_prior_rewards[0] / state.rave_prior_visits[0] / WIN_REWARD == pytest.approx(
            win_probability, abs=EXP_ROUNDING
        )


def test_view_is_rotated_at_random() -> None:
    """The seed would make no difference otherwise, because a search without playouts has no other random part."""
    state = search_state_at(random_board(9, 9, random.Random(7)), 0)
    library, tree = HexPosition(Setup(9, 9, "standard")).library, new_array("i32", 1 << 16)
    views = []
    for _ in range(200):
        library.init_tree(state, tree)
        views.append((state.net_rotated, state.value_logit))
    assert {rotated for rotated, _ in views} == {0, 1}
    assert len(set(views)) == 2
    assert 60 < sum(rotated for rotated, _ in views) < 140


def test_search_with_the_network_proves_wins_and_obeys_limits() -> None:
    """Proofs, node limits and seeds work as with playouts."""
    player = HexEngine(OptionSet(ENGINE_OPTIONS))
    player.set_option("search", "network")
    player.set_option("seed", 5)
    player.new_game(Setup(5, 5, "standard"))
    player.set_position(["c3", "a1"])
    assert player.choose(Limits(nodes=200)).progress.result == "win"
    results = []
    for _ in range(2):
        player.clear_hash()
        player.new_game(Setup(11, 11, "standard"))
        player.set_position(["f6"])
        results.append(player.choose(Limits(nodes=300)).progress)
    assert [progress.nodes for progress in results] == [300, 300]
    assert results[0].pv == results[1].pv
    assert player._search.states[0].network == 1
    player.set_option("search", "playouts")
    assert player.choose(Limits(nodes=300)).progress.nodes == 300
    assert player._search.states[0].network == 0


def test_move_values_come_from_the_network() -> None:
    """If the network calls every position won for the side to move, each root move looks lost after its first visit."""
    player = HexEngine(OptionSet(ENGINE_OPTIONS))
    player.set_option("search", "network")
    player.new_game(Setup(9, 9, "standard"))
    player.set_position(["c3"])
    player.choose(Limits(nodes=1))  # loads the network
    state = player._search.states[0]
    for name in WEIGHT_FIELDS:
        state_fields(state)[name] = 0
    state.value_bias = 3.0
    player._tree_moves = None  # do not reuse the tree
    player.choose(Limits(nodes=10))
    tried = [entry for entry in player.move_statistics() if entry.visits]
    assert len(tried) == 10
    assert all(entry.mean == pytest.approx(1 - 1 / (1 + math.exp(-3.0)), abs=0.01) for entry in tried)
