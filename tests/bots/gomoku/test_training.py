"""From recorded games to a network's file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.gomoku.kernels.network import TOP
from bots.gomoku.kernels.network_record import CHANNELS
from bots.gomoku.kernels.shapes import OPPOSITE
from bots.gomoku.network import WEIGHT_FIELDS
from bots.gomoku.position import GomokuPosition
from bots.gomoku.training import samples as samples_module
from bots.gomoku.training.fit import features_of, fit, present_weights, read_positions
from bots.gomoku.training.game_record import GameRecord
from bots.gomoku.training.make_data import RecordingSettings, record
from bots.gomoku.training.samples import HELD_BACK, GameSource, Reader, RecordedGames, Samples, chances, padded
from bots.gomoku.weights import PARTS, UNITS
from core.native.weights import write_weights
from core.play.player import Setup
from core.search.scores import MAX_EVALUATION, NO_SCORE
from core.training.blocks import DamagedFileError
from core.training.games import open_workers
from tests.bots.gomoku.naive import STEPS, Board
from tests.bots.gomoku.naive_network import judge_inputs, shape_number
from tests.bots.gomoku.test_network import ROUNDING, give_weights, view

RULES = ("freestyle", "standard", "renju", "caro", "caro-overline")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """Files of two series of a few quick games of all rules."""
    folder = tmp_path_factory.mktemp("games")
    for seed in (5, 6):
        record(folder, RecordingSettings(seed, 100, 400, strays=6, stray_nodes=60), 14)
    return tuple(sorted(folder.iterdir()))


@pytest.fixture(scope="module")
def freestyle(files: tuple[Path, ...]) -> list[GameRecord]:
    """The freestyle games of the files."""
    return list(RecordedGames(files, ["freestyle"]))


def read_all(source: GameSource, **how: Any) -> list[Samples]:
    """The samples of all games of a source."""
    return list(source.read(np.arange(len(RecordedGames(source.paths, source.rules))), **how))


def joined(parts: list[Samples]) -> Samples:
    """Samples of several reads as those of one."""
    lengths = np.concatenate([np.diff(part.starts) for part in parts])
    values = {name: np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0])}
    return Samples(**{**values, "starts": np.cumsum([0, *lengths])})


def assert_same(one: Samples, other: Samples) -> None:
    """The same positions in the same order."""
    for name, values in vars(one).items():
        np.testing.assert_array_equal(values, getattr(other, name), err_msg=name)


def naive_positions(game: GameRecord) -> Iterator[tuple[tuple[int, ...], int, bool]]:
    """Moves up to each position of a game, its score, and whether it was played."""
    for number, ply in enumerate(game.plies):
        before = game.moves[: game.opening + number]
        yield before, ply.label.score, True
        for stray in ply.strays:
            yield before + stray.moves, stray.label.score, False


def is_quiet(position: GomokuPosition, moves: tuple[int, ...]) -> bool:
    """Whether nothing is decided and no threat stands after some moves from the empty board; it is empty afterwards."""
    for move in moves:
        position.play(position.format(padded(move, position.setup.width)))
    library, state = position.library, position.state
    quiet = library.terminal_score(state, 0) == NO_SCORE and not library.must_answer_threat(state)
    for _ in moves:
        position.undo()
    return quiet


def naive_shapes(game: GameRecord, moves: tuple[int, ...]) -> list[list[int]]:
    """Shapes of the cells that have any, read off the board by square, for the side to move as if it were black."""
    side = len(moves) % 2
    points = [(move % game.size, move // game.size) for move in moves]
    stones = {point: (number + side) % 2 for number, point in enumerate(points)}
    board = Board(game.size, game.size, game.rule, stones)
    found = [[shape_number(board, *point, step) for step in STEPS] for point in board.points() if board.is_empty(point)]
    return [shapes for shapes in found if any(shapes)]


@pytest.mark.parametrize("rule", RULES)
def test_samples_are_the_quiet_positions_of_the_games(files: tuple[Path, ...], rule: str) -> None:
    """Against a slow twin that knows each position by its moves alone: a move too many, a position of another game or
    a result for the wrong side would teach something else without a sound."""
    samples = joined(read_all(GameSource(files, (rule,))))
    boards = {size: GomokuPosition(Setup(size, size, rule)) for size in (15, 20)}
    quiet = [
        (game, moves, score, played)
        for game in RecordedGames(files, [rule])
        for moves, score, played in naive_positions(game)
        if is_quiet(boards[game.size], moves)
    ]
    assert len(quiet) == len(samples) > 20
    for number, (game, moves, score, played) in enumerate(quiet):
        assert samples.scores[number] == score
        assert samples.played[number] == played
        assert samples.results[number] == (game.result if len(moves) % 2 == 0 else -game.result)
        if number % 29 == 0:
            cells = samples.shapes[samples.starts[number] : samples.starts[number + 1]]
            assert cells.tolist() == naive_shapes(game, moves)
    assert {*samples.results} >= {-1, 1}
    assert {*samples.played} == {False, True}


def test_games_are_read_some_at_a_time_and_by_other_processes(
    files: tuple[Path, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All at once they would not fit into memory, and in another order training would not be the same again."""
    source = GameSource(files, RULES)
    (whole,) = read_all(source)
    monkeypatch.setattr(samples_module, "GAMES_AT_ONCE", 3)
    parts = read_all(source)
    assert len(parts) == -(-28 // 3)
    assert max(map(len, parts)) < len(whole) / 2
    assert_same(joined(parts), whole)
    with open_workers(2) as executor:
        assert_same(joined(read_all(source, executor=executor, ahead=2)), whole)


def test_every_twentieth_game_is_held_back_and_a_share_takes_the_first_games(files: tuple[Path, ...]) -> None:
    """Whole games: positions of one game resemble each other, so the loss would be too good. The games held back are
    the same for every share, or their losses could not be compared."""
    source = GameSource(files, RULES)
    learnt, held = source.numbers()
    assert list(held) == [HELD_BACK - 1]
    assert sorted([*learnt, *held]) == list(range(28))
    few, still_held = source.numbers(share=0.5)
    assert list(few) == list(learnt[:14])
    assert list(still_held) == list(held)


def test_damage_is_found_before_games_are_read(files: tuple[Path, ...], tmp_path: Path) -> None:
    file = tmp_path / files[0].name
    data = bytearray(files[0].read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(DamagedFileError, match=rf"{file} is damaged: block \d+ at byte \d+"):
        GameSource((files[0], file), RULES).numbers()


def test_samples_are_what_the_network_sees(freestyle: list[GameRecord]) -> None:
    """The inputs added up by hand give the kernel's estimate; a sample of the wrong side would teach the opposite."""
    judged: list[int] = []
    reader = Judging(judged)
    samples = reader.read(freestyle)
    weights = view(reader.state)
    own = weights["shape_weights"].astype(int)
    for number, wanted in enumerate(judged):
        cells = samples.shapes[samples.starts[number] : samples.starts[number + 1]]
        total = own[cells].sum(axis=1).clip(0, TOP).sum(axis=0)
        assert abs(judge_inputs(total, samples.counts[number], weights) - wanted) <= ROUNDING
    assert len(judged) == len(samples) > 50


class Noting(Reader):
    """A reader that notes the kernel's estimate of each position that it takes."""

    def __init__(self, judged: list[int]) -> None:
        super().__init__()
        self._judged = judged

    def _sample(self, position: GomokuPosition, *rest: Any) -> Any:
        for sample in super()._sample(position, *rest):
            self._judged.append(int(position.library.evaluate(position.state)))
            yield sample


class Judging(Noting):
    """One whose positions a network judges."""

    def _position(self, game: GameRecord) -> GomokuPosition:
        position = super()._position(game)
        if not position.state.network:
            self.state = position.state
            give_weights(self.state, 3)
            self.change_weights()
        return position

    def change_weights(self) -> None:
        """Give black's and white's channels the same weights."""
        weights = view(self.state)["shape_weights"]
        weights[:, CHANNELS:] = weights[OPPOSITE, :CHANNELS]


class JudgingAs(Judging):
    """One whose positions the network of a file judges."""

    def __init__(self, judged: list[int], network: bytes) -> None:
        super().__init__(judged)
        self._network = network

    def change_weights(self) -> None:
        """Take those of the file."""
        write_weights(self.state, WEIGHT_FIELDS, self._network)


def test_an_exported_network_judges_as_the_trained_one(
    files: tuple[Path, ...], freestyle: list[GameRecord], tmp_path: Path
) -> None:
    """Whole numbers instead of floats, two colours instead of the side to move, and training that goes on."""
    torch = pytest.importorskip("torch", reason="wants the extra `train`")
    from bots.gomoku.training.model import Network, from_bytes, to_bytes
    from bots.gomoku.training.train import Batches, Epochs, train

    source = GameSource(files, ("freestyle",))
    numbers = np.arange(len(freestyle))
    data = Epochs(source, learnt=numbers, held=numbers[:2])
    torch.manual_seed(1)
    whole, network = Network(), Network()
    network.load_state_dict(whole.state_dict())
    train(whole, data, tmp_path / "whole", 2)
    train(network, data, tmp_path / "parts", 1)
    network = Network()
    train(network, data, tmp_path / "parts", 2)
    judged: list[int] = []
    samples = JudgingAs(judged, to_bytes(whole)).read(freestyle)
    batch = next(Batches(samples).of(np.arange(len(samples))))
    with torch.no_grad():
        odds = [net(*batch[:3]).numpy() * UNITS for net in (whole, network)]
    assert np.abs(odds[0] - judged).max() <= 2 * ROUNDING
    assert np.abs(odds[0] - odds[1]).max() <= 100
    assert to_bytes(from_bytes(to_bytes(whole))) == to_bytes(whole)


def test_a_fit_foretells_better_and_counts_as_the_evaluation_does(
    files: tuple[Path, ...], freestyle: list[GameRecord]
) -> None:
    """The weights that there are, by the fit's own features, give the kernel's estimate: a column in the wrong place
    would be a weight of something else."""
    judged: list[int] = []
    samples = Noting(judged).read(freestyle)
    told = features_of(samples) @ present_weights()
    assert (np.floor(told / PARTS) == judged).all()
    chance = chances(samples)

    def loss(weights: Any) -> float:
        odds = features_of(samples) @ weights / (UNITS * PARTS)
        return float(np.mean(np.logaddexp(0, odds) - chance * odds))

    assert loss(fit(features_of(samples), chance)) < loss(present_weights())
    features, read_chance = read_positions(GameSource(files, ("freestyle",)), 10)
    assert sorted(map(tuple, features)) == sorted(map(tuple, features_of(samples)))
    assert sorted(read_chance) == sorted(chance)


def test_a_target_is_the_score_mixed_with_the_result_of_a_played_game() -> None:
    """A stray's game went on from another position, and a proven result needs no other."""
    samples = Samples(
        *(None,) * 3,
        scores=np.array([0, 0, 0, UNITS, MAX_EVALUATION + 1, -MAX_EVALUATION - 1]),
        results=np.array([1, 1, -1, 0, -1, 1]),
        played=np.array([True, False, True, True, True, True]),
    )
    one_unit = 1 / (1 + np.exp(-1))
    expected = [0.65, 0.5, 0.35, 0.7 * one_unit + 0.15, 1, 0]
    np.testing.assert_allclose(chances(samples), expected, rtol=1e-6)
