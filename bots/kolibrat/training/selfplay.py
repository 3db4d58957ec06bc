"""Games between two vectors of weights, quick ones, for tuning."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bots.kolibrat.notation import Board, format_variant
from bots.kolibrat.paper.player import MINIMAX_OPTIONS, Minimax
from bots.kolibrat.weights import Weights
from core.play.options import OptionSet
from core.play.player import Limits, Setup

TABLE_BYTES = 1 << 20  # of each searcher; it is emptied for every game
RANDOM_PLIES = 4  # at the start of a game, so that no two games are the same


class Duel:
    """Two searchers of the thesis' kind on one board, to a fixed depth."""

    def __init__(self, board: Board, depth: int, cap_plies: int) -> None:
        self._setup = Setup(variant=format_variant(board))
        self._limits = Limits(depth=depth)
        self._cap = cap_plies
        self._players = [Minimax(OptionSet(MINIMAX_OPTIONS), TABLE_BYTES) for _ in range(2)]

    def play(self, red: Weights, black: Weights, chance: random.Random) -> int:
        """The winner, 0 for red or 1. A draw, and a game that is not over at the cap, is decided by lot."""
        position = self._players[0].position
        for player, weights in zip(self._players, (red, black), strict=True):
            player.new_game(self._setup)
            player.use_weights(weights)
        for ply in range(self._cap):
            if position.outcome():
                break
            if ply < RANDOM_PLIES:
                move = chance.choice(position.legal_moves())
            else:
                move = self._players[position.to_move].choose(self._limits).move
            for player in self._players:
                player.position.play(move)
        outcome = position.outcome()
        if outcome is None or outcome.winner is None:
            return chance.randrange(2)
        return outcome.winner

    def play_match(self, ours: Weights, theirs: Weights, games: int, chance: random.Random) -> Iterator[int]:
        """1 for each game that `ours` wins, else 0; colours alternate, each opening is played with both."""
        seed = 0
        for game in range(games):
            if game % 2 == 0:
                seed = chance.getrandbits(32)
                yield int(self.play(ours, theirs, random.Random(seed)) == 0)
            else:
                yield int(self.play(theirs, ours, random.Random(seed)) == 1)
