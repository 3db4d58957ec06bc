"""Plays training games by the network's priors, with a tree search or a proof in some positions.

A game without searches takes a hundredth of the time of one with them. Values are learned from results, so many games
are worth more than many positions of few games (Silver et al., "Mastering the game of Go with deep neural networks and
tree search", 2016). Policies are learned from searches, and few positions of a game suffice for these.

The games are recorded in the format of make_data.py. A position without a search gets the network's value as its score,
or the result if it is proven.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from bots.hex.position import HexPosition
from bots.hex.solver.solve import DfpnSolver
from bots.hex.solver.solver_pool import immediate_win
from bots.hex.training.make_data import (
    CONTINUE_RATE,
    UNFILTERED_OPENING_EVERY,
    GameRecorder,
    RecordedGame,
    make_engine,
)
from bots.hex.training.prior_evaluator import PriorEvaluator
from core.play.player import Limits
from core.play.squares import format_square
from core.search.mcts_search import probability_to_score

SIZES = (8, 9, 10, 11, 11, 11, 11, 11, 12, 13)  # drawn at random for each game
FULL_SEARCH_RATE = 1 / 25  # fraction of positions with a search, while the result is open
RANDOM_MOVE_RATE = 0.03  # probability of a move drawn by its prior; low, because results should depend on the position
PROOF_RATE = 1 / 4  # fraction of the other open positions that virtual connections test, so that decided games end
RANDOM_OPENING_MOVES = 6  # moves after the opening that are always drawn by their priors
MIN_WIN_PROBABILITY = 0.2  # of either side; most openings that are more one-sided are rejected


class QuickRecorder(GameRecorder):
    """Plays games by the network's priors.

    `positions` is the number of evaluations in a search, `noise` the weight of noise in the priors of its root, and
    `network` the contents of a network file (None for the engine's network).
    """

    seed_prefix = "quick "

    def __init__(
        self, positions: int, seed: int, sizes: Sequence[int] = SIZES, noise: float = 0.0, network: bytes | None = None
    ) -> None:
        super().__init__(make_engine("network", network), seed, sizes)
        self._engine.root_noise_weight = noise
        self._positions = positions
        self._evaluator = PriorEvaluator(network)

    def _play_game(self, game: RecordedGame, rng: random.Random, solver: DfpnSolver) -> None:
        opening_length = len(game.moves)
        while self._play_move(game, rng, solver, len(game.moves) - opening_length < RANDOM_OPENING_MOVES):
            pass

    def _draw_opening(self, size: int, rng: random.Random) -> list[str]:
        """Return one to five random stones after which, in most cases, the network gives both sides a fair chance."""
        cells = [format_square(x, y) for y in range(size) for x in range(size)]
        position = self._engine.position
        while True:
            moves = rng.sample(cells, rng.choice((1, 1, 1, 2, 3, 5)))
            position.replay(moves)
            self._evaluator.evaluate(position)
            black_wins = self._evaluator.win_probability(0)
            position.replay([])
            is_fair = MIN_WIN_PROBABILITY <= black_wins <= 1 - MIN_WIN_PROBABILITY
            if rng.randrange(UNFILTERED_OPENING_EVERY) == 0 or is_fair:
                return moves

    def _play_move(self, game: RecordedGame, rng: random.Random, solver: DfpnSolver, draws_move: bool) -> bool:
        """Play a move; return False if the game is over, or decided and not continued.

        If `draws_move` is True and the move is neither proven nor searched, it is drawn by the priors.
        """
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
            self._record_proven_move(game, move)
        elif is_searched and winner is None:
            self._engine.clear_hash()
            statistics = self._search(game, self._positions)
            self._record_visits(game, statistics)
            move = position.format(statistics[0].move)
        else:
            move = self._choose(game, rng, draws_move)
        self._move(game, move)
        return True

    def _choose(self, game: RecordedGame, rng: random.Random, draws_move: bool) -> str:
        """Return a move by the priors; record the network's value, or the result if it is known."""
        position = self._engine.position
        cells, priors = self._evaluator.evaluate(position)
        win_probability = self._evaluator.win_probability(position.to_move)
        game.scores.append(self._known_score(game) or probability_to_score(win_probability))
        if draws_move or rng.random() < RANDOM_MOVE_RATE:
            return position.format(rng.choices(cells, priors)[0])
        return position.format(cells[max(range(len(cells)), key=priors.__getitem__)])


def find_proven_winner(solver: DfpnSolver, position: HexPosition) -> tuple[int | None, str]:
    """Return the winner and a winning move of the side to move, if a move ends the game or virtual connections decide.

    The winner is None if nothing is proven; the move is empty if the side to move has no proven win.
    """
    winning = immediate_win(position, ())
    if winning:
        return position.to_move, position.format(winning)
    proven = solver.solve(position, Limits(nodes=1))  # one node: no search below the position
    return proven.winner, proven.move
