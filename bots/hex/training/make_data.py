"""Games of the engine against itself, to learn from: `python -m bots.hex.training.make_data FILE --games 20000`.

Each line of the file is a game as JSON: its index, size, opening (how many of the moves), moves (`y * size + x`, black
first, no swap), winner (0 black, 1 white), `proven` (moves made before the first position whose result the solver
knows; all later ones have the same), `scores` (of each position from the opening on, for the side to move, as
core/search/mcts_search.py has them; CERTAIN where the solver knows), and `visits`: [moves made, cells, visits] of the
positions that were searched at length, or whose winning move the solver knows. A file that is broken off goes on after
its last whole line, with the games it would have held.

Some positions are searched at length and the others quickly, as in Wu, "Accelerating self-play learning in Go" (2019):
the shares of visits want long searches, the value wants many games. What a network grows by once there is one are
games of its own (quick_games.py).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bots.hex.engine import ENGINE_OPTIONS, HexEngine
from bots.hex.position import STRIDE, HexPosition, cell_index
from bots.hex.solver.solve import DfpnSolver
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.play.squares import format_square
from core.search.mcts_search import CERTAIN_WIN_SCORE, MoveStatistics
from core.search.mcts_tree import LOST
from core.training.games import open_workers, record_games

SIZES = (7, 7, 8, 8, 9, 9, 10, 11, 11)
LONG_CHANCE, QUICK_SHARE = 1 / 3, 1 / 4  # how often a position is searched at length; the playouts of the others
DECIDED_OPENING = 6_000  # score of an opening that teaches little; one in ANY_OPENING is played all the same
ANY_OPENING = 5
STRAY_CHANCE = 0.1  # of a move by its share of the visits instead of the best one
VARIED_MOVES = 4  # after the opening, always by their shares
LEAST_VISITS = 5  # that are written down
SOLVE_CELLS, SOLVE_NODES = 45, 50  # empty cells up to which the solver searches; else it looks at the root alone
TAIL_CHANCE = 0.85  # of one more move where the result is proven: the network has to see such positions, too
TABLE_BYTES = 1 << 21


@dataclass
class RecordedGame:
    """A game as it grows."""

    moves: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    visits: list[tuple[int, list[int], list[int]]] = field(default_factory=list)
    winner: int | None = None
    proven: int | None = None

    def settle(self, winner: int) -> None:
        """The result is known from the present position on."""
        self.winner, self.proven = winner, len(self.moves) if self.proven is None else self.proven


class Recorder:
    """Plays games with a number of playouts for the searches at length, on boards of some sizes."""

    def __init__(self, playouts: int, seed: int, sizes: Sequence[int] = SIZES) -> None:
        self._playouts, self._seed, self._sizes = playouts, seed, sizes
        self._engine = make_engine("playouts")

    def play(self, index: int) -> dict[str, Any]:
        """The game of an index, always the same one."""
        chance = random.Random(f"{self._seed} {index}")
        size = chance.choice(self._sizes)
        engine, game = self._engine, RecordedGame()
        engine.clear_hash()
        engine.set_option("seed", chance.randrange(1, 1 << 20))
        engine.new_game(Setup(size, size, "standard"))
        for move in draw_opening(engine, size, chance, self._quick_playouts):
            self._move(game, move)
        opening = len(game.moves)
        self._finish(game, chance, DfpnSolver(engine.position, TABLE_BYTES))
        return {"index": index, "size": size, "opening": opening, **vars(game)}

    @property
    def _quick_playouts(self) -> int:
        return round(QUICK_SHARE * self._playouts)

    def _finish(self, game: RecordedGame, chance: random.Random, solver: DfpnSolver) -> None:
        position = self._engine.position
        opening = len(game.moves)
        while True:
            if position.state.winner:
                game.settle(int(position.state.winner) - 1)
                return
            winner, move = solve(solver, position)
            if winner is not None:
                game.settle(winner)
            if game.winner is not None and chance.random() >= TAIL_CHANCE:
                return
            if move:
                game.scores.append(CERTAIN_WIN_SCORE)
                game.visits.append((len(game.moves), [flat(position.parse(move), position.setup.width)], [1]))
            else:
                move = self._search(game, chance, len(game.moves) - opening < VARIED_MOVES)
            self._move(game, move)

    def _search(self, game: RecordedGame, chance: random.Random, varied: bool) -> str:
        """A move by the tree search, whose score is written down, and its visits where it was one at length."""
        engine = self._engine
        size, winner = engine.position.setup.width, game.winner
        is_long = winner is None and chance.random() < LONG_CHANCE
        nodes = self._playouts if is_long else self._quick_playouts
        score = engine.choose(Limits(nodes=nodes)).progress.score
        if winner is not None:
            score = CERTAIN_WIN_SCORE if winner == engine.position.to_move else -CERTAIN_WIN_SCORE
        game.scores.append(max(-CERTAIN_WIN_SCORE, min(score, CERTAIN_WIN_SCORE)))
        branches = worth_writing(engine.move_statistics())
        visits = [branch.visits for branch in branches]
        if is_long:
            game.visits.append((len(game.moves), [flat(branch.move, size) for branch in branches], visits))
        is_stray = chance.random() < STRAY_CHANCE or varied
        chosen = chance.choices(branches, visits)[0] if is_stray else branches[0]
        return engine.position.format(chosen.move)

    def _move(self, game: RecordedGame, move: str) -> None:
        position = self._engine.position
        position.play(move)
        game.moves.append(flat(position.parse(move), position.setup.width))


def make_engine(search: str, network: bytes | None = None) -> HexEngine:
    """An engine for games to learn from."""
    engine = HexEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", 32)
    engine.set_option("search", search)
    engine.network_bytes = network
    return engine


def draw_opening(engine: HexEngine, size: int, chance: random.Random, playouts: int) -> list[str]:
    """A first stone, and at times another or two, after which the engine mostly sees chances for both sides.

    The engine is to stand at the empty board, and does so afterwards.
    """
    cells = [format_square(x, y) for y in range(size) for x in range(size)]
    position = engine.position
    while True:
        moves = chance.sample(cells, chance.choice((1, 1, 1, 2, 3)))
        if chance.randrange(ANY_OPENING) == 0:
            return moves
        position.replay(moves)
        progress = engine.choose(Limits(nodes=playouts)).progress
        position.replay([])
        if not progress.result and abs(progress.score) <= DECIDED_OPENING:
            return moves


def solve(solver: DfpnSolver, position: HexPosition) -> tuple[int | None, str]:
    """Winner and, for the side to move, a winning move of a position that is not over, as far as a short proof goes."""
    state = position.state
    empty = state.width * state.height - state.stones
    proven = solver.solve(position, Limits(nodes=SOLVE_NODES if empty <= SOLVE_CELLS else 1))
    return proven.winner, proven.move


def worth_writing(branches: list[MoveStatistics]) -> list[MoveStatistics]:
    """The moves with visits enough that are not proven lost; a proven win alone; the best where there are no others."""
    if branches[0].proven:
        return branches[:1]
    return [b for b in branches if b.visits >= LEAST_VISITS and b.proven != LOST] or branches[:1]


def flat(cell: int, size: int) -> int:
    """A cell of the kernels' board as `y * size + x`."""
    return (cell // STRIDE - 1) * size + cell % STRIDE - 1


def padded(move: int, size: int) -> int:
    """The inverse of `flat`."""
    return cell_index(move % size, move // size)


def main() -> None:
    """Play the games that the file lacks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--playouts", type=int, default=8_000, help="of a search at length")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="of the boards, drawn from alike")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    how = (arguments.playouts, arguments.seed, tuple(arguments.sizes))
    with open_workers(arguments.processes) as executor:
        record_games(arguments.file, arguments.games, Recorder, *how, executor=executor)


if __name__ == "__main__":
    main()
