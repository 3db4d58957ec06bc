"""The network against its slow reference implementation, its file, and its training."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.hive.engine import ENGINE_OPTIONS, HiveEngine
from bots.hive.kernels import network_fields as nf
from bots.hive.kernels.board import HIVE
from bots.hive.kernels.network import CHANNEL_MAX
from bots.hive.network import NETWORK_FILE, WEIGHT_FIELDS, load_network
from bots.hive.position import HivePosition
from bots.hive.training import features
from bots.hive.training.make_data import RecordingSettings, record
from bots.hive.training.samples import recorded_games
from core.native.weights import read_weights, write_weights
from core.play.options import OptionSet
from core.play.player import Setup
from tests.bots.hive.naive_network import naive_features, naive_network_output
from tests.bots.hive.real_games import MIDGAMES, REAL_GAMES, truncate_game
from tests.bots.hive.test_evaluate import POSITIONS

GAMES = [*POSITIONS, *MIDGAMES, *(truncate_game(game, -2) for game in REAL_GAMES)]
ROUNDING = 1.01  # evaluation units: the kernel truncates, and adds floats in another order


def numpy_view(state: Any) -> Any:
    """Return numpy's view of a state."""
    return np.frombuffer(state, dtype=HIVE.dtype())[0]


def set_random_weights(state: Any) -> None:
    """Set random weights, large enough that channels are clipped at both ends."""
    rng, weights = np.random.default_rng(1), numpy_view(state)
    weights["feature_weights"] = rng.integers(-60, 70, size=weights["feature_weights"].shape)
    for name in WEIGHT_FIELDS[1:]:
        weights[name] = rng.normal(size=weights[name].shape)
    state.network = 1


def listed_features(state: Any, side: int) -> list[int]:
    """Return the features of a side that the last evaluation has listed, in ascending order."""
    begin = side * nf.MAX_FEATURES
    return sorted(state.features[begin : begin + state.feature_count[side]])


def random_positions(variant: str) -> list[HivePosition]:
    """Return the positions of a random game, which has tiles on top of queens and queens in hand."""
    rng, positions = random.Random(variant), [HivePosition(Setup(variant=variant))]
    while len(positions) < 70 and positions[-1].outcome() is None:
        position = (
            HivePosition.from_game(positions[-1].game_string())
            if positions[-1].moves
            else HivePosition(positions[-1].setup)
        )
        position.play(rng.choice(position.legal_moves()))
        positions.append(position)
    return positions


@pytest.fixture(scope="module")
def positions() -> list[HivePosition]:
    variants = ("Base", "Base+MLP", "Base+P", "Base+ML")
    drawn = [position for variant in variants for position in random_positions(variant)]
    return [*map(HivePosition.from_game, GAMES), *drawn]


def test_lists_the_features_of_both_sides(positions: list[HivePosition]) -> None:
    """A wrong feature would be trained and played alike, so only a second implementation shows it."""
    for position in positions:
        position.library.evaluate(position.state)
        for side in range(2):
            assert listed_features(position.state, side) == naive_features(position.state, side), position.game_string()


def test_every_feature_group_occurs(positions: list[HivePosition]) -> None:
    starts = (
        *(nf.TO_OWN_QUEEN, nf.TO_ENEMY_QUEEN, nf.IN_HAND, nf.QUEEN_SHAPE, nf.ATTACKED, nf.SPOTS, nf.RESCUE),
        nf.TILE_NEIGHBOURS,
    )
    seen = {feature for position in positions for side in range(2) for feature in naive_features(position.state, side)}
    assert {np.searchsorted(starts, feature, "right") for feature in seen} == set(range(1, len(starts) + 1))
    states = {feature // nf.STEP_COUNT % nf.STATE_COUNT for feature in seen if feature < nf.TO_ENEMY_QUEEN}
    assert states == set(range(nf.STATE_COUNT))


def test_output_equals_the_reference(positions: list[HivePosition]) -> None:
    """The network's output is added to the linear evaluation, for either side to move."""
    seen = set()  # whether sums are below or above the range of a channel
    for position in positions:
        state, library = position.state, position.library
        for _ in range(2):
            state.network = 0
            linear = library.evaluate(state)
            set_random_weights(state)
            expected = naive_network_output(state, numpy_view(state))
            assert abs(library.evaluate(state) - linear - expected) <= ROUNDING
            seen |= {
                int(np.sign(total)) * (abs(int(total)) > CHANNEL_MAX or total < 0) for total in state.channel_sums[0]
            }
            state.side = 1 - state.side
    assert len(seen) == 3


def test_sums_of_the_shipped_weights_fit_16_bits() -> None:
    """A sum that overflows would turn a strong channel into an empty one."""
    weights = read_weights(HIVE.dtype(), WEIGHT_FIELDS, NETWORK_FILE.read_bytes())
    greatest = int(np.abs(weights["feature_weights"].astype(int)).max())
    assert 2 * nf.MAX_FEATURES * greatest < 1 << 15


def test_engine_evaluates_by_the_network() -> None:
    """Helper threads copy the engine's state, so the weights must be there before the first search."""
    engine = HiveEngine(OptionSet(ENGINE_OPTIONS))
    game = HivePosition.from_game(MIDGAMES[0])
    engine.new_game(game.setup)
    engine.set_position(game.moves)
    load_network(game.state)
    score = engine.position.library.evaluate(engine.position.state)
    assert score == game.library.evaluate(game.state) != features.evaluate(game.state)


def test_trained_network_equals_its_file(tmp_path: Path) -> None:
    """Training lowers the loss, and the kernel computes what was trained."""
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    from bots.hive.training.model import Network, to_bytes
    from bots.hive.training.train import mean_loss, read_samples, train

    record(tmp_path, RecordingSettings(seed=4, nodes=60), 700)
    games = recorded_games(sorted(tmp_path.iterdir()))
    samples, held_out = (read_samples(games, validation=validation) for validation in (False, True))
    assert len(samples) > 300
    torch.manual_seed(1)
    network = Network()
    before = mean_loss(network, samples)
    train(network, samples, held_out, 20)
    assert mean_loss(network, samples) < before - 0.005
    position = HivePosition.from_game(MIDGAMES[0])
    linear = position.library.evaluate(position.state)
    write_weights(position.state, WEIGHT_FIELDS, to_bytes(network))
    position.state.network = 1
    listed = torch.full((1, 2, nf.MAX_FEATURES), nf.FEATURES)
    for row, side in enumerate((position.state.side, 1 - position.state.side)):
        found = naive_features(position.state, side)
        listed[0, row, : len(found)] = torch.tensor(found)
    output = network(listed, torch.tensor([sum(position.state.in_hand)])).item() * 150
    assert abs(position.library.evaluate(position.state) - linear - output) <= 2


def test_training_continues_from_the_weights_of_a_file() -> None:
    pytest.importorskip("torch", reason="needs the extra `train`")
    from bots.hive.training.model import from_bytes, to_bytes

    data = NETWORK_FILE.read_bytes()
    assert to_bytes(from_bytes(data)) == data
