"""Records training positions of the engine against itself: `python -m bots.pentago.training.make_data FILE --games
15000`.

Games begin with some random moves. A game that is not over when MIN_SOLVED_MARBLES marbles are on the board ends there,
with the result of the exact solver. A game yields three kinds of positions, each with a target, the probability that
the side to move wins:

- positions of the game without a win in one move; the target is the mean of the game's result and of the score
  LOOKAHEAD_PLIES later, or the result alone if the game is not that long;
- from MIN_OFF_GAME_MARBLES marbles on, positions one or two random moves away from the game; the target is the score of
  a shorter search;
- positions up to FINAL_POSITIONS - 2 random moves after such an end; the target is the solver's value.

Each line of the file is a game as JSON: `{"index": 0, "positions": [[own, other, 0.53], ...]}` with the bitboards
(bots/pentago/layout.py) of the side to move and of the other side, and the target. If a run was interrupted, the next
one keeps the complete lines of the file and adds the games that are missing.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bots.pentago.engine import ENGINE_OPTIONS, PentagoEngine
from bots.pentago.layout import DRAW
from bots.pentago.solver import prove
from bots.pentago.training.features import UNITS_PER_LOGIT
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.search.scores import NO_SCORE
from core.training.games import open_workers, record_games

MIN_SOLVED_MARBLES = 24
MIN_OFF_GAME_MARBLES = 8
LOOKAHEAD_PLIES = 6  # of the game, not of a search
# Number of random moves at the start of a game, drawn from these.
RANDOM_PLIES = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 12)
FINAL_POSITIONS = 6  # solved per game, up to FINAL_POSITIONS - 2 random plies after its last position
MAX_SCORE = 1_500  # evaluation units; larger scores are clipped

Sample = tuple[int, int, float]  # bitboard of the side to move, of the other side, probability that the former wins


class Recorder:
    """Plays games of the engine against itself, and collects training positions."""

    def __init__(self, nodes: int, seed: int) -> None:
        self._nodes, self._seed = nodes, seed
        self._rng = random.Random()
        self._engine = PentagoEngine(OptionSet(ENGINE_OPTIONS))
        self._engine.set_option("hash", 32)

    def play(self, index: int) -> dict[str, Any]:
        """Play the game with a number and return its line of the file.

        The game depends only on this number and on the recorder's seed and nodes.
        """
        self._rng = random.Random(f"{self._seed} {index}")
        self._engine.clear_hash()
        self._engine.new_game(Setup())
        return {"index": index, "positions": list(self._positions())}

    def _positions(self) -> Iterator[Sample]:
        engine, rng = self._engine, self._rng
        for _ in range(rng.choice(RANDOM_PLIES)):
            self._play_random_move()
        played: list[tuple[int, int, int, float]] = []  # side to move, bitboards as in `Sample`, its winning chance
        state = engine.position.state
        while not state.result and engine.position.marble_count < MIN_SOLVED_MARBLES:
            move, score = self._search(self._nodes)
            if engine.position.library.terminal_score(state, 0) == NO_SCORE:
                played.append((int(state.side), *self._own_and_other(), score))
            if engine.position.marble_count >= MIN_OFF_GAME_MARBLES:
                yield from self._off_game_samples()
            engine.position.play(move)
        if not state.result:
            yield from self._final_samples()
        result = self._white_score()
        for index, (side, own, other, _) in enumerate(played):
            targets = [result if side == 0 else 1 - result]
            if index + LOOKAHEAD_PLIES < len(played):
                later_side, _, _, later_probability = played[index + LOOKAHEAD_PLIES]
                targets.append(later_probability if later_side == side else 1 - later_probability)
            yield own, other, sum(targets) / len(targets)

    def _play_random_move(self) -> int:
        """Play a random move after which nobody has won or wins at once; return 1, or 0 if none was found."""
        position = self._engine.position
        library, state = position.library, position.state
        moves = [] if state.result else position.legal_numbers()
        for move in self._rng.sample(moves, min(6, len(moves))):
            library.apply(state, move)
            is_quiet = not state.result and library.terminal_score(state, 0) == NO_SCORE
            library.undo(state)
            if is_quiet:
                position.make(move)
                return 1
        return 0

    def _off_game_samples(self) -> Iterator[Sample]:
        """Yield a position one or two random moves away from the present one, if there is one."""
        played = sum(self._play_random_move() for _ in range(self._rng.choice((1, 1, 1, 2))))
        if played:
            yield (*self._own_and_other(), self._search(self._nodes // 4)[1])
        for _ in range(played):
            self._engine.position.undo()

    def _final_samples(self) -> Iterator[Sample]:
        """Yield solved positions at the end of the game and a few random moves after it."""
        for _ in range(FINAL_POSITIONS):
            played = sum(self._play_random_move() for _ in range(self._rng.randrange(FINAL_POSITIONS - 1)))
            if self._engine.position.library.terminal_score(self._engine.position.state, 0) == NO_SCORE:
                yield (*self._own_and_other(), (1 + self._solve()) / 2)
            for _ in range(played):
                self._engine.position.undo()

    def _white_score(self) -> float:
        """Return white's result of the game (1, 0.5 or 0), by the solver if the game is not over."""
        state = self._engine.position.state
        if state.result:
            return 0.5 if state.result == DRAW else float(state.result == 1)
        return (1 + (self._solve() if state.side == 0 else -self._solve())) / 2

    def _solve(self) -> int:
        """Return the position's proven value for the side to move."""
        position = self._engine.position
        proof = prove(position.library, position.state, position.legal_numbers(), 0)
        assert proof is not None  # no deadline
        return proof.value

    def _search(self, nodes: int) -> tuple[str, float]:
        """Return the move of a search, and the probability that the side to move wins."""
        decision = self._engine.choose(Limits(nodes=nodes))
        score = max(-MAX_SCORE, min(MAX_SCORE, decision.progress.score))
        return decision.move, float(1 / (1 + np.exp(-score / UNITS_PER_LOGIT)))

    def _own_and_other(self) -> tuple[int, int]:
        """Return the bitboards of the side to move and of the other side."""
        state = self._engine.position.state
        white, black = int(state.white), int(state.black)
        return (white, black) if state.side == 0 else (black, white)


def main() -> None:
    """Play the games that the file lacks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="file of the games; it is continued if it exists")
    parser.add_argument("--games", type=int, default=15_000, help="number of games (default %(default)s)")
    parser.add_argument("--nodes", type=int, default=20_000, help="nodes per move (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random generator (default %(default)s)")
    parser.add_argument("--processes", type=int, default=1, help="processes that play games (default %(default)s)")
    arguments = parser.parse_args()
    with open_workers(arguments.processes) as executor:
        record_games(arguments.file, arguments.games, Recorder, arguments.nodes, arguments.seed, executor=executor)


if __name__ == "__main__":
    main()
