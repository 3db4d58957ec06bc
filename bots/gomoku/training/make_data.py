"""Games of the engine against itself, to learn from: `python -m bots.gomoku.training.make_data FILE --games 20000`.

Each line of the file is a game as JSON: its seed, size and rule, its opening and moves (`y * size + x`), the search's
score of each position before the move played there (for the side to move), the result (1 black, -1 white, 0 drawn), and
strays: positions that the search judged on its way, as [ply, moves from there, score], most of them far from good play.
A file that is broken off goes on after its last whole line, with the games it would have held.
"""

from __future__ import annotations

import argparse
import itertools
import random
from pathlib import Path
from typing import Any

from bots.gomoku.engine import ENGINE_OPTIONS, EVALUATION, GomokuEngine
from bots.gomoku.openings import random_moves
from bots.gomoku.position import PAD, STRIDE, format_cell
from core.play.options import OptionSet
from core.play.player import IllegalMove, Limits, Setup
from core.search.scores import UNSETTLED
from core.training.games import open_workers, record_games

SIZES = {"freestyle": (15, 15, 20), "standard": (15,), "renju": (15,)}
MAX_STONES = 200  # a game that goes on so long is a draw for our purpose
DECIDED_OPENING = 250  # evaluation units: openings that one side has won already teach little
SHARES = (1, 1, 2, 3)  # halves of the nodes that a move gets, by chance, so that games differ
FORCED_SHARE = 4  # of its nodes that a position gets where a threat must be answered: it teaches nothing itself
STRAYS = 24  # a position
STRAY_NODES = 1_500  # of the search that gives a stray its score

Stray = tuple[int, list[int], int]  # stones of the game's position, moves from there, score


class Recorder:
    """Plays the games of one rule."""

    def __init__(self, rule: str, nodes: int, seed: int, evaluation: str = "network") -> None:
        self.rule, self.nodes, self.seed = rule, nodes, seed
        self._engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
        self._engine.set_option("hash", 16)
        self._engine.set_option("evaluation", evaluation)

    def play(self, index: int) -> dict[str, Any]:
        """The game of an index, always the same one."""
        chance = random.Random(f"{self.seed} {index}")
        while True:
            size = chance.choice(SIZES[self.rule])
            opening = self._open(size, chance)
            if opening is not None:
                break
        return {"index": index, "size": size, "rule": self.rule, "opening": len(opening), **self._finish(size, chance)}

    def _open(self, size: int, chance: random.Random) -> list[str] | None:
        """Random stones that leave the game open and not decided, or None where chance brought no such."""
        engine, setup = self._engine, Setup(size, size, self.rule)
        moves = random_moves(chance, setup, chance.choice((1, 2, 3, 3, 4, 5, 5, 6, 7, 8)))
        engine.clear_hash()
        engine.new_game(setup)
        try:
            for move in moves:
                engine.position.play(move)
        except IllegalMove:
            return None
        if engine.position.library.settle(engine.position.state, 0) != UNSETTLED:
            return None
        progress = engine.choose(Limits(nodes=self.nodes)).progress
        return None if progress.result or abs(progress.score) > DECIDED_OPENING else moves

    def _finish(self, size: int, chance: random.Random) -> dict[str, Any]:
        engine = self._engine
        state, library = engine.position.state, engine.position.library
        scores: list[int] = []
        strays: list[Stray] = []
        result = 0
        while state.stones < MAX_STONES:
            mover = 1 - 2 * state.side
            settled = library.settle(state, 0)
            if settled != UNSETTLED:
                result = mover * ((settled > 0) - (settled < 0))
                break
            is_forced = bool(library.is_forced(state))
            nodes = self.nodes // FORCED_SHARE if is_forced else self.nodes * chance.choice(SHARES) // 2
            state.notes_wanted, state.notes_seen, state.notes_from = 0 if is_forced else STRAYS, 0, state.stones
            decision = engine.choose(Limits(nodes=nodes))
            noted = min(state.notes_seen, state.notes_wanted)
            state.notes_wanted = 0
            scores.append(decision.progress.score)
            if decision.progress.result:
                result = mover * (1 if decision.progress.result == "win" else -1)
                break
            strays += [self._stray(index, size) for index in range(noted)]
            engine.position.play(decision.move)
        moves = [flat(cell, size) for cell in engine.position.cells]
        return {"moves": moves, "scores": scores, "strays": strays, "result": result}

    def _stray(self, index: int, size: int) -> Stray:
        """A position that the last search noted, with a score by a search of its own."""
        engine = self._engine
        state = engine.position.state
        begin = int(state.stones)
        cells = list(itertools.takewhile(bool, state.notes[index]))
        for cell in cells:
            engine.position.play(format_cell(cell))
        score = engine.choose(Limits(nodes=STRAY_NODES)).progress.score
        for _ in cells:
            engine.position.undo()
        return begin, [flat(cell, size) for cell in cells], score


def flat(cell: int, size: int) -> int:
    """A cell of the kernels' board as `y * size + x`."""
    return (cell // STRIDE - PAD) * size + cell % STRIDE - PAD


def main() -> None:
    """Play the games that the file lacks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--nodes", type=int, default=2_000)
    parser.add_argument("--rule", choices=sorted(SIZES), default="freestyle")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--evaluation", choices=EVALUATION.choices, default=EVALUATION.default)
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    how = (arguments.rule, arguments.nodes, arguments.seed, arguments.evaluation)
    with open_workers(arguments.processes) as executor:
        record_games(arguments.file, arguments.games, Recorder, *how, executor=executor)


if __name__ == "__main__":
    main()
