"""Training: from recorded games to samples, fitted weights and network files.

A stray is a recorded position that a search evaluated, but that was not played. A shape is the number of a window of a
line around an empty cell (kernels/shapes.py).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.gomoku.kernels.network_record import CHANNELS, SHAPE_WEIGHTS, STAR_OUTPUTS, STAR_WIDTH, WIDTH
from bots.gomoku.kernels.network_vectors import CHANNEL_MAX
from bots.gomoku.kernels.rules import GOMOKU
from bots.gomoku.kernels.shapes import OPPOSITE
from bots.gomoku.network import FOLDER, WEIGHT_FIELDS
from bots.gomoku.notation import MAX_SIZE
from bots.gomoku.position import GomokuPosition
from bots.gomoku.training import fit_lazy
from bots.gomoku.training import samples as samples_module
from bots.gomoku.training.fit import features_of, fit, present_weights, read_positions
from bots.gomoku.training.game_record import GameRecord
from bots.gomoku.training.make_data import RecordingSettings, record
from bots.gomoku.training.samples import (
    VALIDATION_EVERY,
    GameSource,
    SampleReader,
    Samples,
    padded_cell,
    recorded_games,
    result_weight,
    value_targets,
)
from bots.gomoku.weights import UNITS_PER_LOGIT, WEIGHT_DIVISOR
from core.native.weights import read_weights, weight_bytes, write_weights
from core.play.player import Setup
from core.search.scores import MAX_EVALUATION, NO_SCORE
from core.training.blocks import DamagedFileError
from core.training.games import open_workers
from tests.bots.gomoku.naive import STEPS, Board
from tests.bots.gomoku.naive_network import naive_network_output, naive_peaks, shape_number
from tests.bots.gomoku.test_network import ROUNDING, numpy_view, set_random_weights

RULES = ("freestyle", "standard", "renju", "caro", "caro-overline")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """Files of two recordings of a few quick games of all rules."""
    folder = tmp_path_factory.mktemp("games")
    for seed in (5, 6):
        record(folder, RecordingSettings(seed, least_nodes=100, most_nodes=400, strays=6, stray_nodes=60), 14)
    return tuple(sorted(folder.iterdir()))


@pytest.fixture(scope="module")
def freestyle(files: tuple[Path, ...]) -> list[GameRecord]:
    """The freestyle games of the files."""
    return list(recorded_games(files, ["freestyle"]))


def read_all(source: GameSource, **read_options: Any) -> list[Samples]:
    """Return the samples of all games of a source, one `Samples` per chunk of games."""
    return list(source.read(np.arange(len(recorded_games(source.paths, source.rules))), **read_options))


def concatenate(parts: list[Samples]) -> Samples:
    """Return several `Samples` as one."""
    lengths = np.concatenate([np.diff(part.starts) for part in parts])
    values = {name: np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0])}
    return Samples(**{**values, "starts": np.cumsum([0, *lengths])})


def assert_same(one: Samples, other: Samples) -> None:
    """Assert that two `Samples` have the same positions in the same order."""
    for name, values in vars(one).items():
        np.testing.assert_array_equal(values, getattr(other, name), err_msg=name)


def naive_positions(game: GameRecord) -> Iterator[tuple[tuple[int, ...], int, bool]]:
    """Yield the moves up to each labelled position of a game, its score, and False if it is a stray."""
    for number, ply in enumerate(game.plies):
        moves_before = game.moves[: game.opening_length + number]
        yield moves_before, ply.label.score, True
        for stray in ply.strays:
            yield moves_before + stray.moves, stray.label.score, False


def is_quiet(position: GomokuPosition, moves: tuple[int, ...]) -> bool:
    """Return True if the position after `moves` is undecided and no threat must be answered.

    `position` must be empty, and is empty again afterwards.
    """
    for move in moves:
        position.play(position.format(padded_cell(move, position.setup.width)))
    library, state = position.library, position.state
    quiet = library.terminal_score(state, 0) == NO_SCORE and not library.must_answer_threat(state)
    for _ in moves:
        position.undo()
    return quiet


def naive_shapes(game: GameRecord, moves: tuple[int, ...]) -> list[list[int]]:
    """Return the four shapes of each empty cell that has any, read from the board.

    The side to move's stones count as black.
    """
    side = len(moves) % 2
    points = [(move % game.size, move // game.size) for move in moves]
    stones = {point: (number + side) % 2 for number, point in enumerate(points)}
    board = Board(game.size, game.size, game.rule, stones)
    found = [[shape_number(board, *point, step) for step in STEPS] for point in board.points() if board.is_empty(point)]
    return [shapes for shapes in found if any(shapes)]


def naive_planes(game: GameRecord, moves: tuple[int, ...]) -> list[int]:
    """Return the bits of `Samples.boards`: stones of the side to move, of the opponent, cells of the board."""
    planes = np.zeros((3, MAX_SIZE, MAX_SIZE), dtype=int)
    planes[2, : game.size, : game.size] = 1
    for number, move in enumerate(reversed(moves), start=1):
        planes[number % 2, move // game.size, move % game.size] = 1
    return [int(bit) for bit in planes.ravel()]


@pytest.mark.parametrize("rule", RULES)
def test_samples_are_the_quiet_positions_of_the_games(files: tuple[Path, ...], rule: str) -> None:
    """The expected samples come from a slow reference that replays each position from its moves."""
    samples = concatenate(read_all(GameSource(files, (rule,))))
    boards = {size: GomokuPosition(Setup(size, size, rule)) for size in (15, 20)}
    quiet = [
        (game, moves, score, played)
        for game in recorded_games(files, [rule])
        for moves, score, played in naive_positions(game)
        if is_quiet(boards[game.size], moves)
    ]
    assert len(quiet) == len(samples) > 20
    for number, (game, moves, score, played) in enumerate(quiet):
        assert samples.scores[number] == score
        assert samples.stones[number] == len(moves)
        assert samples.played[number] == played
        assert samples.results[number] == (game.result if len(moves) % 2 == 0 else -game.result)
        if number % 29 == 0:
            cells = samples.shapes[samples.starts[number] : samples.starts[number + 1]]
            assert cells.tolist() == naive_shapes(game, moves)
            assert np.unpackbits(samples.boards[number])[: 3 * MAX_SIZE**2].tolist() == naive_planes(game, moves)
    assert {*samples.results} >= {-1, 1}
    assert {*samples.played} == {False, True}


def test_games_are_read_in_chunks_and_by_processes(files: tuple[Path, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """The order is the same in all cases, so that training is reproducible."""
    source = GameSource(files, RULES)
    (whole,) = read_all(source)
    monkeypatch.setattr(samples_module, "GAMES_AT_ONCE", 3)
    parts = read_all(source)
    assert len(parts) == -(-28 // 3)  # two recordings of 14 games
    assert max(map(len, parts)) < len(whole) / 2
    assert_same(concatenate(parts), whole)
    with open_workers(2) as executor:
        assert_same(concatenate(read_all(source, executor=executor, ahead=2)), whole)


def test_split_games(files: tuple[Path, ...]) -> None:
    """Validation games are whole games, and the same for every share of the training games."""
    source = GameSource(files, RULES)
    training, validation = source.split_games()
    assert list(validation) == [VALIDATION_EVERY - 1]
    assert sorted([*training, *validation]) == list(range(28))
    half_training, same_validation = source.split_games(share=0.5)
    assert list(half_training) == list(training[:14])
    assert list(same_validation) == list(validation)


def test_damage_is_found_before_games_are_read(files: tuple[Path, ...], tmp_path: Path) -> None:
    file = tmp_path / files[0].name
    data = bytearray(files[0].read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(DamagedFileError, match=rf"{file} is damaged: block \d+ at byte \d+"):
        GameSource((files[0], file), RULES).split_games()


def test_samples_are_what_the_network_sees(freestyle: list[GameRecord]) -> None:
    """The network's output for the samples equals the kernels' evaluation."""
    evaluations: list[int] = []
    reader = NetworkReader(evaluations)
    samples = reader.read(freestyle)
    weights = numpy_view(reader.state)
    own = weights["shape_weights"].astype(int)
    for number, evaluation in enumerate(evaluations):
        cells = slice(samples.starts[number], samples.starts[number + 1])
        size = samples.sizes[number]
        sums = np.zeros((size * size, SHAPE_WEIGHTS), dtype=int)
        sums[samples.cell_indices[cells]] = own[samples.shapes[cells]].sum(axis=1)
        total = sums[:, :WIDTH].clip(0, CHANNEL_MAX).sum(axis=0)
        peaks = naive_peaks(sums[:, WIDTH:].reshape(size, size, -1), weights)
        expected = naive_network_output(total, peaks, samples.counts[number], weights)
        assert abs(expected - evaluation) <= ROUNDING
    assert len(evaluations) == len(samples) > 50


class EvaluatingReader(SampleReader):
    """A reader that stores the kernels' evaluation of each position."""

    def __init__(self, evaluations: list[int]) -> None:
        super().__init__()
        self._evaluations = evaluations

    def _take_sample(self, position: GomokuPosition, *rest: Any) -> Any:
        for sample in super()._take_sample(position, *rest):
            self._evaluations.append(int(position.library.evaluate(position.state)))
            yield sample


class NetworkReader(EvaluatingReader):
    """An `EvaluatingReader` whose positions are evaluated by a network with random weights."""

    def _position_for(self, game: GameRecord) -> GomokuPosition:
        position = super()._position_for(game)
        if not position.state.network:
            self.state = position.state
            set_random_weights(self.state, 3)
            self.change_weights()
        return position

    def change_weights(self) -> None:
        """Give black's and white's channels, and outputs of the star layer, the same weights."""
        weights = numpy_view(self.state)
        shapes = weights["shape_weights"]
        for begin, half in ((0, CHANNELS), (WIDTH, STAR_OUTPUTS), (WIDTH + STAR_WIDTH, STAR_OUTPUTS)):
            shapes[:, begin + half : begin + 2 * half] = shapes[OPPOSITE, begin : begin + half]
        weights["star_bias"][STAR_OUTPUTS:] = weights["star_bias"][:STAR_OUTPUTS]


class FileNetworkReader(NetworkReader):
    """An `EvaluatingReader` that uses the network of a file."""

    def __init__(self, evaluations: list[int], network: bytes) -> None:
        super().__init__(evaluations)
        self._network = network

    def change_weights(self) -> None:
        """Load the weights of the file."""
        write_weights(self.state, WEIGHT_FIELDS, self._network)


def test_exported_network_equals_the_trained_one(
    files: tuple[Path, ...], freestyle: list[GameRecord], tmp_path: Path
) -> None:
    """The kernels evaluate an exported network as PyTorch does, apart from the rounding of its weights.

    Training that was continued from a checkpoint gives about the same network.
    """
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    from bots.gomoku.training.model import Network, from_bytes, to_bytes
    from bots.gomoku.training.train import TrainingData, network_inputs, train

    source = GameSource(files, ("freestyle",))
    numbers = np.arange(len(freestyle))
    data = TrainingData(source, training=numbers, validation=numbers[:2])
    torch.manual_seed(1)
    whole, network = Network(), Network()
    network.load_state_dict(whole.state_dict())
    train(whole, data, tmp_path / "whole", 2)
    train(network, data, tmp_path / "parts", 1)
    network = Network()
    train(network, data, tmp_path / "parts", 2)
    evaluations: list[int] = []
    samples = FileNetworkReader(evaluations, to_bytes(whole)).read(freestyle)
    inputs = network_inputs(samples, np.arange(len(samples)))
    with torch.no_grad():
        outputs = [net(*inputs).numpy() * UNITS_PER_LOGIT for net in (whole, network)]
    assert np.abs(outputs[0] - evaluations).max() <= 2 * ROUNDING
    assert np.abs(outputs[0] - outputs[1]).max() <= 100
    assert to_bytes(from_bytes(to_bytes(whole))) == to_bytes(whole)
    shapes = whole.shape_weights().clone()
    whole.freeze_shapes()
    train(whole, data, tmp_path / "dense", 2)
    assert torch.equal(whole.shape_weights(), shapes)
    assert not torch.equal(whole.first.weight, network.first.weight)


def test_fit_lowers_the_loss_and_features_match_the_evaluation(
    files: tuple[Path, ...], freestyle: list[GameRecord]
) -> None:
    """The present weights times the features give the kernels' evaluation."""
    evaluations: list[int] = []
    samples = EvaluatingReader(evaluations).read(freestyle)
    linear = features_of(samples) @ present_weights()
    assert (np.floor(linear / WEIGHT_DIVISOR) == evaluations).all()
    targets = value_targets(samples)

    def loss(weights: Any) -> float:
        log_odds = features_of(samples) @ weights / (UNITS_PER_LOGIT * WEIGHT_DIVISOR)
        return float(np.mean(np.logaddexp(0, log_odds) - targets * log_odds))

    assert loss(fit(features_of(samples), targets)) < loss(present_weights())
    features, read_targets = read_positions(GameSource(files, ("freestyle",)), 10)
    assert sorted(map(tuple, features)) == sorted(map(tuple, features_of(samples)))
    assert sorted(read_targets) == sorted(targets)


def test_lazy_evaluation_is_fitted_to_the_network(
    files: tuple[Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the lazy weights of the file change, and they come closer to the network than zeros and than no mixture."""
    shipped = (FOLDER / "freestyle.network").read_bytes()
    weights = read_weights(GOMOKU.dtype(), WEIGHT_FIELDS, shipped)
    weights["lazy_weights"][:] = 0
    path = tmp_path / "freestyle.network"
    path.write_bytes(weight_bytes(GOMOKU.dtype(), weights))
    monkeypatch.setattr(fit_lazy, "FOLDER", tmp_path)
    monkeypatch.setattr("sys.argv", ["fit_lazy", "freestyle", *map(str, files), "--positions", "1500"])
    fit_lazy.main()
    fitted = read_weights(GOMOKU.dtype(), WEIGHT_FIELDS, path.read_bytes())
    assert [name for name in WEIGHT_FIELDS if (weights[name] != fitted[name]).any()] == ["lazy_weights"]
    printed_difference = float(capsys.readouterr().out.split()[-1])

    rng, sampler = random.Random(1), fit_lazy.SearchSampler()
    games = recorded_games(files, ("freestyle",))
    positions = [position for game in games for position in sampler.evaluate_game(game, rng)]
    counts, shares, evaluations = zip(*positions, strict=True)
    assert np.std(shares) > 0
    differences = [fit_lazy.fit(counts, mixture, evaluations)[1] for mixture in (shares, np.zeros(len(shares)))]
    assert differences[0] < differences[1]
    assert max(differences[0], printed_difference) < np.std(fit_lazy.win_probability(evaluations)) / 2


def test_lazy_weights_are_those_of_the_kernels() -> None:
    """With the features of fit_lazy.py they give the kernels' lazy evaluation."""
    position = GomokuPosition(Setup(9, 9, "freestyle"))
    state, library = position.state, position.library
    set_random_weights(state, 1)
    weights = numpy_view(state)["lazy_weights"].ravel()
    for move in ("e5", "e6", "f5", "d5", "f6", "f7", "d4", "c3", "g7", "d7", "e7", "d6"):
        position.play(move)
        counts = np.array([fit_lazy.counts_of(state)], dtype=float)
        shares = np.array([fit_lazy.share_of_many(state.stones, 81)])
        expected = (fit_lazy.features_of(counts, shares) @ weights / WEIGHT_DIVISOR)[0]
        assert library.lazy_evaluation(state) == pytest.approx(expected, abs=1.01)


def test_value_targets() -> None:
    """A target is the win probability of the score; for a played position without a proven score, only 0.7 of it.

    The rest is 0.3 of the result. On crowded boards the result has more weight: 0.65 with 25 stones on 15x15.
    """
    samples = Samples(
        *(None,) * 2,
        sizes=np.full(6, 15),
        starts=None,
        counts=None,
        stones=np.array([9, 100, 25, 2, 100, 100]),
        scores=np.array([0, 0, 0, UNITS_PER_LOGIT, MAX_EVALUATION + 1, -MAX_EVALUATION - 1]),
        results=np.array([1, 1, -1, 0, -1, 1]),
        played=np.array([True, False, True, True, True, True]),
        boards=None,
    )
    sigmoid_of_1 = 1 / (1 + np.exp(-1))
    expected = [0.65, 0.5, 0.175, 0.7 * sigmoid_of_1 + 0.15, 1, 0]
    np.testing.assert_allclose(value_targets(samples), expected, rtol=1e-6)
    np.testing.assert_allclose(value_targets(samples, np.array([3, 1])), [expected[3], expected[1]], rtol=1e-6)
    assert result_weight(np.array([0, 14, 25, 36, 200]), 15) == pytest.approx([0.3, 0.3, 0.65, 1, 1])
    assert result_weight(np.array([14, 32]), np.array([15, 20])) == pytest.approx([0.3, result_weight(18, 15)])


def test_teacher_learns_and_is_learned_from(
    files: tuple[Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tiny teacher learns to judge by the number of stones; the network then learns that from it."""
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    from bots.gomoku.training import train as training
    from bots.gomoku.training.model import Network
    from bots.gomoku.training.teacher import Teacher, TeacherTargets, board_planes, read_teacher

    def count_stones(samples: Samples, indices: Any) -> Any:
        """Return targets that fall with the number of the side to move's stones."""
        stones = board_planes(samples, indices)[0][:, 0].sum((1, 2)).numpy()
        return 1 / (1 + np.exp((stones - 10) / 2))

    monkeypatch.setattr(training, "BATCH_SIZE", 32)
    source = GameSource(files, ("standard",))
    (samples,) = read_all(source)
    games, positions = np.arange(len(recorded_games(source.paths, source.rules))), np.arange(len(samples))
    recorded, wanted = value_targets(samples), count_stones(samples, positions)
    torch.manual_seed(1)
    teacher = Teacher(blocks=1, channels=8)
    data = training.TrainingData(source, games, games[:1], inputs_of=board_planes, targets_of=count_stones)
    training.train(teacher, data, tmp_path / "teacher", 12, 0.01)

    restored = read_teacher(tmp_path / "teacher")
    (planes,) = board_planes(samples, positions)
    assert planes.shape == (len(samples), 3, 15, 15)
    with torch.no_grad():
        outputs, same = restored(planes), teacher.eval()(planes)
        padded = restored(torch.nn.functional.pad(planes, (0, 2, 0, 1)))
    taught = torch.sigmoid(outputs).numpy()
    assert torch.equal(outputs, same)
    assert torch.allclose(outputs, padded, atol=1e-4)  # the size of the largest board of a batch does not matter
    assert np.abs(taught - wanted).mean() < np.abs(wanted - wanted.mean()).mean() / 2

    targets_of = TeacherTargets(restored, 1.0, "cpu")
    np.testing.assert_allclose(targets_of(samples, positions), taught, atol=1e-6)
    mixed = TeacherTargets(restored, 0.25, "cpu")(samples, positions)
    np.testing.assert_allclose(mixed, 0.25 * taught + 0.75 * recorded, atol=1e-6)
    network = Network()
    data = training.TrainingData(source, games, games[:1], targets_of=targets_of)
    training.train(network, data, tmp_path / "network", 5)
    with torch.no_grad():
        learned = torch.sigmoid(network(*training.network_inputs(samples, positions))).numpy()
    assert np.abs(learned - taught).mean() < np.abs(learned - recorded).mean() / 2
