"""From recorded games to a network's file."""

from __future__ import annotations

import json
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.kernels.network import TOP
from bots.gomoku.kernels.network_record import CHANNELS
from bots.gomoku.kernels.rules import MAX_NOTES
from bots.gomoku.kernels.shapes import OPPOSITE
from bots.gomoku.network import WEIGHT_FIELDS
from bots.gomoku.position import GomokuPosition
from bots.gomoku.training.fit import features_of, fit, present_weights
from bots.gomoku.training.make_data import Recorder
from bots.gomoku.training.samples import NO_RESULT, Reader, chances, padded, read_samples
from bots.gomoku.weights import PARTS, UNITS
from core.native.weights import write_weights
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.search.scores import UNSETTLED
from core.training.games import keep_whole_lines, record_games
from tests.bots.gomoku.naive_network import judge_inputs
from tests.bots.gomoku.test_network import ROUNDING, give_weights, view

NODES = 200


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of a few quick games."""
    file = tmp_path_factory.mktemp("games") / "games.jsonl"
    record_games(file, 6, Recorder, "freestyle", NODES, 5)
    return file


def test_a_broken_file_goes_on_with_the_games_it_would_have_held(games: Path, tmp_path: Path) -> None:
    """Cut in the middle of a line, or a network could be trained on half a game or on one twice."""
    file = tmp_path / "games.jsonl"
    file.write_bytes(games.read_bytes()[:-40])
    assert keep_whole_lines(file) == 5
    record_games(file, 6, Recorder, "freestyle", NODES, 5)
    assert file.read_bytes() == games.read_bytes()


def test_a_recorded_game_is_legal_and_its_scores_are_of_its_positions(games: Path) -> None:
    for line in games.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        position = GomokuPosition(Setup(game["size"], game["size"], game["rule"]))
        for move in game["moves"]:
            position.play(position.format(padded(move, game["size"])))
        searched = len(game["moves"]) - game["opening"]
        assert len(game["scores"]) in (searched, searched + 1)
        last = game["scores"][-1] * (1 - 2 * ((game["opening"] + len(game["scores"]) - 1) % 2))
        assert game["result"] == np.sign(last) or position.outcome() is not None or abs(last) < 31_000


def test_samples_are_what_the_network_sees(games: Path) -> None:
    """The inputs added up by hand give the kernel's estimate; a sample of the wrong side would teach the opposite."""
    judged: list[int] = []
    reader = Judging("freestyle", judged)
    samples = reader.read(games)
    record = view(reader.position.state)
    own = record["shape_weights"].astype(int)
    for number, wanted in enumerate(judged):
        cells = samples.shapes[samples.starts[number] : samples.starts[number + 1]]
        total = own[cells].sum(axis=1).clip(0, TOP).sum(axis=0)
        assert abs(judge_inputs(total, samples.counts[number], record) - wanted) <= ROUNDING
    assert (samples.results == NO_RESULT).any()
    assert len(judged) == len(samples) > 50


class Noting(Reader):
    """A reader that notes the kernel's estimate of each position that it takes."""

    def __init__(self, rule: str, judged: list[int]) -> None:
        super().__init__(rule)
        self._judged = judged

    def _sample(self, position: GomokuPosition, *rest: Any) -> Any:
        for sample in super()._sample(position, *rest):
            self._judged.append(int(position.library.evaluate(position.state)))
            yield sample


class Judging(Noting):
    """One whose positions a network judges."""

    def __init__(self, rule: str, judged: list[int]) -> None:
        super().__init__(rule, judged)
        for position in self._positions.values():
            give_weights(position.state, 3)
            own = view(position.state)["shape_weights"][:, :CHANNELS]
            view(position.state)["shape_weights"][:, CHANNELS:] = own[OPPOSITE]
        self.position = position


def test_replayed_games_are_kept_until_the_file_grows(games: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    lines = games.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:3]), encoding="utf-8")
    few = len(read_samples([file], "freestyle"))
    assert len(read_samples([file, file], "freestyle")) == 2 * few
    file.write_text("".join(lines), encoding="utf-8")
    assert len(read_samples([file], "freestyle")) > few


def test_an_exported_network_judges_as_the_trained_one(games: Path, tmp_path: Path) -> None:
    """Whole numbers instead of floats, two colours instead of the side to move, and training that goes on."""
    torch = pytest.importorskip("torch", reason="wants the extra `train`")
    from bots.gomoku.training.model import Network, from_bytes, to_bytes
    from bots.gomoku.training.train import Batches, train

    samples = read_samples([games], "freestyle")
    torch.manual_seed(1)
    whole, network = Network(), Network()
    network.load_state_dict(whole.state_dict())
    train(whole, samples, tmp_path / "whole", 2)
    train(network, samples, tmp_path / "parts", 1)
    network = Network()
    train(network, samples, tmp_path / "parts", 2)
    judged: list[int] = []
    reader = Judging("freestyle", judged)
    for position in reader._positions.values():
        write_weights(position.state, WEIGHT_FIELDS, to_bytes(whole))
    reader.read(games)
    batch = next(Batches(samples).of(np.arange(len(samples))))
    with torch.no_grad():
        odds = [net(*batch[:3]).numpy() * UNITS for net in (whole, network)]
    assert np.abs(odds[0] - judged).max() <= 2 * ROUNDING
    assert np.abs(odds[0] - odds[1]).max() <= 100
    assert to_bytes(from_bytes(to_bytes(whole))) == to_bytes(whole)


def test_a_fit_foretells_better_and_counts_as_the_evaluation_does(games: Path) -> None:
    """The weights that there are, by the fit's own features, give the kernel's estimate: a column in the wrong place
    would be a weight of something else."""
    judged: list[int] = []
    samples = Noting("freestyle", judged).read(games)
    told = features_of(samples) @ present_weights()
    assert (np.floor(told / PARTS) == judged).all()
    chance = chances(samples)

    def loss(weights: Any) -> float:
        odds = features_of(samples) @ weights / (UNITS * PARTS)
        return float(np.mean(np.logaddexp(0, odds) - chance * odds))

    assert loss(fit(samples)) < loss(present_weights())


def test_strays_are_quiet_positions_away_from_the_game(games: Path) -> None:
    """What a search judges is hardly ever played. Strays that it never asks for would teach what it does not need."""
    away: list[int] = []
    forced = 0  # a leaf may be, where answers are followed no further
    for game in map(json.loads, games.read_text(encoding="utf-8").splitlines()):
        for ply, moves, _ in game["strays"]:
            position = GomokuPosition(Setup(game["size"], game["size"], game["rule"]))
            for move in game["moves"][:ply] + moves:
                position.play(position.format(padded(move, game["size"])))
            state = position.state
            assert position.library.settle(state, 0) == UNSETTLED
            forced += position.library.is_forced(state)
            away.append(sum(a != b for a, b in zip(game["moves"][ply:], moves, strict=False)))
    assert len(away) > 200
    assert forced < 0.05 * len(away)
    assert np.mean([number > 0 for number in away]) > 0.7


def judged_in_a_search(wanted: int) -> tuple[int, list[tuple[int, ...]]]:
    """How many positions a small search judges, and its notes of so many."""
    engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("evaluation", "counts")
    engine.new_game(Setup(15, 15, "freestyle"))
    for move in ("h8", "i9", "g9", "k7"):
        engine.position.play(move)
    state = engine.position.state
    state.notes_wanted, state.notes_seen, state.notes_from = wanted, 0, state.stones
    engine.choose(Limits(nodes=300))
    seen = int(state.notes_seen)
    return seen, [tuple(takewhile(bool, state.notes[index])) for index in range(min(seen, wanted))]


def test_each_position_that_is_judged_may_be_noted() -> None:
    """Were the first ones noted alone, or the last, all would be near the first moves that a search tries."""
    seen, every = judged_in_a_search(MAX_NOTES)
    assert 24 < seen == len(every) <= MAX_NOTES
    assert {len(moves) for moves in every} >= {1, 2}
    for wanted in (4, 8, 12):
        again, some = judged_in_a_search(wanted)
        assert (again, len(some)) == (seen, wanted)
        assert set(some) <= set(every)
        places = sorted(every.index(moves) for moves in some)
        assert places[0] < seen // 2 < places[-1]
    assert judged_in_a_search(0) == (0, [])


def test_samples_of_several_files_stay_apart(games: Path) -> None:
    """Joined, each position keeps its own cells."""
    once = read_samples([games], "freestyle")
    twice = read_samples([games, games], "freestyle")
    cells = twice.shapes[twice.starts[len(once)] : twice.starts[len(once) + 1]]
    assert (cells == once.shapes[once.starts[0] : once.starts[1]]).all()
    assert twice.starts[-1] == len(twice.shapes) == 2 * len(once.shapes)
