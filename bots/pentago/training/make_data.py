"""Games of the engine against itself, to learn from: `python -m bots.pentago.training.make_data FILE --games 15000`.

Games begin with some random moves. Of each, these positions count: those played, by how the game ended, which from
SOLVED_MARBLES on the solver tells, and by the score of the position AHEAD plies later, half each; one or two odd moves
away from those of ODD_MARBLES or more, by a shallower search; and some at the end, by the solver. Each line of the file
is a game as JSON: its index and its positions, as [marbles of the side to move, of the other side, chance that the
former wins]. A file that is broken off goes on after its last whole line, with the games it would have held.
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
from bots.pentago.training.features import UNITS
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.search.scores import NO_SCORE
from core.training.games import open_workers, record_games

SOLVED_MARBLES = 24
ODD_MARBLES = 8
AHEAD = 6  # plies
RANDOM_PLIES = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 12)  # with which games begin, one of them each
FINAL_BOARDS = 6  # of each game, by the solver, up to so many random plies less one from its end
CLOSE = 1_500  # units; beyond, a score is as good as proven

Sample = tuple[int, int, float]  # marbles of the side to move, of the other side, chance that the former wins


class Recorder:
    """Plays games of the engine against itself, and tells what they teach."""

    def __init__(self, nodes: int, seed: int) -> None:
        self._nodes, self._seed = nodes, seed
        self._chance = random.Random()
        self._engine = PentagoEngine(OptionSet(ENGINE_OPTIONS))
        self._engine.set_option("hash", 32)

    def play(self, index: int) -> dict[str, Any]:
        """The game of an index, always the same one."""
        self._chance = random.Random(f"{self._seed} {index}")
        self._engine.clear_hash()
        self._engine.new_game(Setup())
        return {"index": index, "positions": list(self._positions())}

    def _positions(self) -> Iterator[Sample]:
        engine, chance = self._engine, self._chance
        for _ in range(chance.choice(RANDOM_PLIES)):
            self._play_odd()
        played: list[tuple[int, int, int, float]] = []
        state = engine.position.state
        while not state.result and engine.position.stones < SOLVED_MARBLES:
            move, score = self._search(self._nodes)
            if engine.position.library.terminal_score(state, 0) == NO_SCORE:
                played.append((int(state.side), *self._boards(), score))
            if engine.position.stones >= ODD_MARBLES:
                yield from self._odd_samples()
            engine.position.play(move)
        if not state.result:
            yield from self._final_samples()
        result = self._white_score()
        for number, (side, own, other, _) in enumerate(played):
            chances = [result if side == 0 else 1 - result]
            if number + AHEAD < len(played):
                later = played[number + AHEAD]
                chances.append(later[3] if later[0] == side else 1 - later[3])
            yield own, other, sum(chances) / len(chances)

    def _play_odd(self) -> int:
        """Play a random move after which nobody has won or wins at once, and return 1; 0 where none is found."""
        position = self._engine.position
        library, state = position.library, position.state
        moves = [] if state.result else position.legal_numbers()
        for move in self._chance.sample(moves, min(6, len(moves))):
            library.apply(state, move)
            is_calm = not state.result and library.terminal_score(state, 0) == NO_SCORE
            library.undo(state)
            if is_calm:
                position.make(move)
                return 1
        return 0

    def _odd_samples(self) -> Iterator[Sample]:
        """A position some odd moves away, where any are found: the present one may be won at once."""
        played = sum(self._play_odd() for _ in range(self._chance.choice((1, 1, 1, 2))))
        if played:
            yield (*self._boards(), self._search(self._nodes // 4)[1])
        for _ in range(played):
            self._engine.position.undo()

    def _final_samples(self) -> Iterator[Sample]:
        for _ in range(FINAL_BOARDS):
            played = sum(self._play_odd() for _ in range(self._chance.randrange(FINAL_BOARDS - 1)))
            if self._engine.position.library.terminal_score(self._engine.position.state, 0) == NO_SCORE:
                yield (*self._boards(), (1 + self._proven()) / 2)
            for _ in range(played):
                self._engine.position.undo()

    def _white_score(self) -> float:
        state = self._engine.position.state
        if state.result:
            return 0.5 if state.result == DRAW else float(state.result == 1)
        return (1 + (self._proven() if state.side == 0 else -self._proven())) / 2

    def _proven(self) -> int:
        position = self._engine.position
        proof = prove(position.library, position.state, position.legal_numbers(), 0)
        assert proof is not None  # no deadline
        return proof.value

    def _search(self, nodes: int) -> tuple[str, float]:
        """The move, and the chance that the side to move wins."""
        decision = self._engine.choose(Limits(nodes=nodes))
        score = max(-CLOSE, min(CLOSE, decision.progress.score))
        return decision.move, float(1 / (1 + np.exp(-score / UNITS)))

    def _boards(self) -> tuple[int, int]:
        state = self._engine.position.state
        white, black = int(state.white), int(state.black)
        return (white, black) if state.side == 0 else (black, white)


def main() -> None:
    """Play the games that the file lacks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=15_000)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    how = (arguments.nodes, arguments.seed)
    with open_workers(arguments.processes) as executor:
        record_games(arguments.file, arguments.games, Recorder, *how, executor=executor)


if __name__ == "__main__":
    main()
