"""Fits a network's lazy evaluation: `python -m bots.gomoku.training.fit_lazy freestyle FILE.games ...`.

In this example it writes new `lazy_weights` to tables/freestyle.network (kernels/evaluate.py). Quiet positions of the
games of make_data.py are searched, and the network evaluates quiet positions that these searches visit. The weights are
those of a logistic regression of the network's win probabilities on the counts of patterns and grades.
"""

from __future__ import annotations

import argparse
import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.kernels.network_record import COUNTS, FEW_STONES, MANY_STONES, REFERENCE_CELLS
from bots.gomoku.kernels.rules import GOMOKU
from bots.gomoku.network import FOLDER, WEIGHT_FIELDS
from bots.gomoku.notation import format_variant
from bots.gomoku.training.game_record import GameRecord
from bots.gomoku.training.samples import recorded_games
from bots.gomoku.weights import UNITS_PER_LOGIT, WEIGHT_DIVISOR
from core.native.weights import read_weights, weight_bytes
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.play.squares import format_square
from core.search.scores import NO_SCORE
from core.training.fitting import fit_weights

RIDGE = 1e-6  # weight of the penalty; features are scaled by their standard deviation
NODES = 4_000  # of each search
PLIES_PER_GAME = 8  # searched positions of a game
POSITIONS_PER_SEARCH = 32
WIDEST_MARGIN = 2_000  # of lazy evaluation, so that it leaves hardly any position to the old weights


def counts_of(state: Any) -> list[int]:
    """Return the counts that the lazy evaluation weights, and 1 for the bonus of the side to move."""
    us, them = state.side, 1 - state.side
    counts = (state.pattern_count[us], state.pattern_count[them], state.grade_count[us], state.grade_count[them])
    return [*itertools.chain.from_iterable(counts), 1]


def share_of_many(stones: Any, cells: Any) -> Any:
    """Return the share of the second row of weights, from 0 to 1."""
    return np.clip((stones * REFERENCE_CELLS / cells - FEW_STONES) / (MANY_STONES - FEW_STONES), 0, 1)


def features_of(counts: Any, shares: Any) -> Any:
    """Return the features of each position, (positions, 2 * (COUNTS + 1)), in the order of `lazy_weights`."""
    return np.concatenate([counts * (1 - shares[:, None]), counts * shares[:, None]], axis=1)


class SearchSampler:
    """Searches positions of games and has the network evaluate positions of these searches."""

    def __init__(self) -> None:
        self._engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
        self._engine.set_option("hash", 16)
        self._engine.set_option("lazy_margin_above", WIDEST_MARGIN)
        self._engine.set_option("lazy_margin_below", WIDEST_MARGIN)

    def evaluate_game(self, game: GameRecord, rng: random.Random) -> Iterator[tuple[list[int], float, int]]:
        """Yield (counts, share of the second row of weights, network's evaluation) of positions that searches visit."""
        engine, size = self._engine, game.size
        moves = [format_square(move % size, move // size) for move in game.moves]
        for _ in range(PLIES_PER_GAME):
            engine.new_game(Setup(size, size, format_variant(game.rule)))
            engine.set_position(moves[: rng.randint(game.opening_length, len(moves))])
            state, library = engine.position.state, engine.position.library
            if library.terminal_score(state, 0) == NO_SCORE and not library.must_answer_threat(state):
                yield from self._evaluate_search()

    def _evaluate_search(self) -> Iterator[tuple[list[int], float, int]]:
        state, library = self._engine.position.state, self._engine.position.library
        state.samples_wanted, state.samples_seen, state.samples_root = POSITIONS_PER_SEARCH, 0, state.stones
        self._engine.choose(Limits(nodes=NODES))
        state.samples_wanted = 0
        for index in range(min(state.samples_seen, POSITIONS_PER_SEARCH)):
            cells = list(itertools.takewhile(bool, state.sampled_moves[index]))
            for cell in cells:
                library.apply(state, cell)
            if not library.must_answer_threat(state):
                share = float(share_of_many(state.stones, state.width * state.height))
                yield counts_of(state), share, int(library.evaluate(state))
            for _ in cells:
                library.undo(state)


def win_probability(evaluations: Any) -> Any:
    """Return the win probabilities of evaluations."""
    return 1 / (1 + np.exp(-np.asarray(evaluations) / UNITS_PER_LOGIT))


def fit(counts: Any, shares: Any, evaluations: Any) -> tuple[Any, float]:
    """Return `lazy_weights`, (2, COUNTS + 1), fitted to the network's evaluations, and how far they are from these.

    The distance is the root mean square difference of the win probabilities.
    """
    features, targets = features_of(np.array(counts, dtype=float), np.array(shares)), win_probability(evaluations)
    units = UNITS_PER_LOGIT * WEIGHT_DIVISOR
    weights = fit_weights(features, targets, np.zeros(2 * (COUNTS + 1)), units=units, ridge=RIDGE).round()
    difference = win_probability(features @ weights / WEIGHT_DIVISOR) - targets
    return weights.reshape(2, COUNTS + 1), float(np.sqrt(np.mean(difference**2)))


def main() -> None:
    """Read games, evaluate positions, fit, and write the weights to the network's file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="name of the network")
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--rule", nargs="+", help="rules whose games are read; by default the one named as the network")
    parser.add_argument("--positions", type=int, default=250_000, help="stop reading games at this number of positions")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    path, sampler, rng = FOLDER / f"{arguments.name}.network", SearchSampler(), random.Random(arguments.seed)
    games = recorded_games(arguments.games, arguments.rule or [arguments.name])
    numbers = rng.sample(range(len(games)), len(games))
    evaluated = (position for number in numbers for position in sampler.evaluate_game(games[number], rng))
    positions = list(itertools.islice(evaluated, arguments.positions))
    if not positions:
        parser.error("the games have no quiet position of these rules")
    weights = read_weights(GOMOKU.dtype(), WEIGHT_FIELDS, path.read_bytes())
    weights["lazy_weights"], difference = fit(*zip(*positions, strict=True))
    path.write_bytes(weight_bytes(GOMOKU.dtype(), weights))
    print(f"{len(positions)} positions, root mean square difference of win probabilities {difference:.3f}")


if __name__ == "__main__":
    main()
