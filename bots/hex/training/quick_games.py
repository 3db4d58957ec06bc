"""Plays training games by the network's priors alone, with a tree search in a few positions.

A game without searches takes a hundredth of the time of one with them. Values are learned from results, so many games
are worth more than many positions of few games (Silver et al., "Mastering the game of Go with deep neural networks and
tree search", 2016). Policies are learned from searches, for which one position per game suffices.

The games are recorded in the format of make_data.py; the score of a position without a search is the network's value.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from bots.hex.position import HexPosition
from bots.hex.solver.solve import DfpnSolver
from bots.hex.solver.solver_pool import immediate_win
from bots.hex.training.make_data import (
    CONTINUE_RATE,
    TABLE_BYTES,
    UNFILTERED_OPENING_EVERY,
    RecordedGame,
    flat_index,
    make_engine,
    select_recorded,
)
from bots.hex.training.prior_evaluator import PriorEvaluator
from core.play.player import Limits, Setup
from core.play.squares import format_square
from core.search.mcts_search import CERTAIN_WIN_SCORE, probability_to_score

SIZES = (8, 9, 10, 11, 11, 11, 11, 11, 12, 13)
FULL_SEARCH_RATE = 1 / 25  # fraction of positions with a search
RANDOM_MOVE_RATE = 0.03  # probability of a move drawn by its prior; low, because results should depend on the position
PROOF_RATE = 1 / 4  # fraction of positions tested by virtual connections, so that decided games end
RANDOM_OPENING_MOVES = 6  # moves after the opening that are always drawn by their priors
MIN_WIN_PROBABILITY = 0.2  # openings that are more one-sided are usually rejected


class QuickRecorder:
    """Plays games on boards of some sizes; `positions` is the number of evaluations in a search."""

    def __init__(
        self, positions: int, seed: int, sizes: Sequence[int] = SIZES, noise: float = 0.0, network: bytes | None = None
    ) -> None:
        self._positions, self._seed, self._sizes = positions, seed, sizes
        self._engine = make_engine("network", network)
        self._engine.root_noise_weight = noise
        self._evaluator = PriorEvaluator(network)

    def play(self, index: int) -> dict[str, Any]:
        """Play game number `index`; it is always the same game."""
        rng = random.Random(f"quick {self._seed} {index}")
        size = rng.choice(self._sizes)
        engine, game = self._engine, RecordedGame()
        engine.set_option("seed", rng.randrange(1, 1 << 20))
        engine.new_game(Setup(size, size, "standard"))
        for move in self._random_opening(size, rng):
            self._move(game, move)
        opening = len(game.moves)
        solver = DfpnSolver(engine.position, TABLE_BYTES)
        while self._play_move(game, rng, solver, len(game.moves) - opening < RANDOM_OPENING_MOVES):
            pass
        return {"index": index, "size": size, "opening": opening, **vars(game)}

    def _random_opening(self, size: int, rng: random.Random) -> list[str]:
        """Return one to five random stones after which the network sees chances for both sides (with exceptions)."""
        cells = [format_square(x, y) for y in range(size) for x in range(size)]
        position = self._engine.position
        while True:
            moves = rng.sample(cells, rng.choice((1, 1, 1, 2, 3, 5)))
            position.replay(moves)
            self._evaluator.evaluate(position)
            wins = self._evaluator.win_probability(0)
            position.replay([])
            if rng.randrange(UNFILTERED_OPENING_EVERY) == 0 or MIN_WIN_PROBABILITY <= wins <= 1 - MIN_WIN_PROBABILITY:
                return moves

    def _play_move(self, game: RecordedGame, rng: random.Random, solver: DfpnSolver, is_opening: bool) -> bool:
        """Play a move; return False if the game is over, or decided and not continued."""
        position = self._engine.position
        if position.state.winner:
            if game.winner is None:
                game.set_result(int(position.state.winner) - 1)
            return False
        is_decided = game.winner is not None
        is_searched = not is_decided and rng.random() < FULL_SEARCH_RATE
        winner, move = None, ""
        if is_decided or is_searched or rng.random() < PROOF_RATE:
            winner, move = find_proven_winner(solver, position)
        if winner is None and is_decided:
            return False
        if winner is not None:
            game.set_result(winner)
            if rng.random() >= CONTINUE_RATE:
                return False
        if move:
            game.scores.append(CERTAIN_WIN_SCORE)
            game.visits.append((len(game.moves), [flat_index(position.parse(move), position.setup.width)], [1]))
        elif is_searched and winner is None:
            move = self._search(game)
        else:
            move = self._choose(game, rng, is_opening)
        self._move(game, move)
        return True

    def _choose(self, game: RecordedGame, rng: random.Random, is_opening: bool) -> str:
        """Return a move by the priors; record the network's value, or the result if it is known."""
        position = self._engine.position
        cells, priors = self._evaluator.evaluate(position)
        score = probability_to_score(self._evaluator.win_probability(position.to_move))
        if game.winner is not None:
            score = CERTAIN_WIN_SCORE if game.winner == position.to_move else -CERTAIN_WIN_SCORE
        game.scores.append(score)
        if is_opening or rng.random() < RANDOM_MOVE_RATE:
            return position.format(rng.choices(cells, priors)[0])
        return position.format(cells[max(range(len(cells)), key=priors.__getitem__)])

    def _search(self, game: RecordedGame) -> str:
        """Return the best move of a tree search; record its score and visits."""
        engine = self._engine
        engine.clear_hash()
        score = engine.choose(Limits(nodes=self._positions)).progress.score
        game.scores.append(max(-CERTAIN_WIN_SCORE, min(score, CERTAIN_WIN_SCORE)))
        statistics = select_recorded(engine.move_statistics())
        size = engine.position.setup.width
        game.visits.append(
            (
                len(game.moves),
                [flat_index(entry.move, size) for entry in statistics],
                [entry.visits for entry in statistics],
            )
        )
        return engine.position.format(statistics[0].move)

    def _move(self, game: RecordedGame, move: str) -> None:
        position = self._engine.position
        position.play(move)
        game.moves.append(flat_index(position.parse(move), position.setup.width))


def find_proven_winner(solver: DfpnSolver, position: HexPosition) -> tuple[int | None, str]:
    """Return the winner and a winning move, if a move ends the game or virtual connections decide it."""
    closing = immediate_win(position, ())
    if closing:
        return position.to_move, position.format(closing)
    proven = solver.solve(position, Limits(nodes=1))
    return proven.winner, proven.move
