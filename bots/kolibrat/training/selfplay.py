"""Short games between two weight vectors, for tuning."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bots.kolibrat.notation import Board, format_variant
from bots.kolibrat.paper.player import MINIMAX_OPTIONS, Minimax
from bots.kolibrat.weights import Weights
from core.play.options import OptionSet
from core.play.player import Limits, Setup

TABLE_BYTES = 1 << 20  # transposition table of each player, cleared for every game
RANDOM_PLIES = 4  # random moves at the start of a game, so that games differ


class Duel:
    """Two `minimax` players that play each other on one board, searching to a fixed depth."""

    def __init__(self, board: Board, depth: int, max_plies: int) -> None:
        self._setup = Setup(variant=format_variant(board))
        self._limits = Limits(depth=depth)
        self._max_plies = max_plies
        self._players = [Minimax(OptionSet(MINIMAX_OPTIONS), TABLE_BYTES) for _ in range(2)]

    def play(self, red: Weights, black: Weights, rng: random.Random) -> int:
        """Play a game and return the winner: 0 for red, 1 for black.

        A random side wins a draw and a game that reaches `max_plies`.
        """
        position = self._players[0].position
        for player, weights in zip(self._players, (red, black), strict=True):
            player.new_game(self._setup)
            player.use_weights(weights)
        for ply in range(self._max_plies):
            if position.outcome():
                break
            if ply < RANDOM_PLIES:
                move = rng.choice(position.legal_moves())
            else:
                move = self._players[position.to_move].choose(self._limits).move
            for player in self._players:
                player.position.play(move)
        outcome = position.outcome()
        if outcome is None or outcome.winner is None:
            return rng.randrange(2)
        return outcome.winner

    def play_match(self, ours: Weights, theirs: Weights, games: int, rng: random.Random) -> Iterator[int]:
        """Play `games` games with alternating colours; yield 1 for each game that `ours` wins, else 0.

        Two consecutive games have the same random opening.
        """
        seed = 0
        for game in range(games):
            if game % 2 == 0:
                seed = rng.getrandbits(32)
                yield int(self.play(ours, theirs, random.Random(seed)) == 0)
            else:
                yield int(self.play(theirs, ours, random.Random(seed)) == 1)
