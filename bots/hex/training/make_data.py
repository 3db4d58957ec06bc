"""Plays training games of the engine against itself: `python -m bots.hex.training.make_data FILE --games 20000`.

FILE receives a line of JSON per game; an interrupted run resumes with the same games. Cells are `y * size + x`.

    index, size   number of the game, size of the board
    moves         all moves, black first, no swap
    opening       how many of these are the random opening
    winner        0 black, 1 white
    proven        number of moves before the first position with a proven result
    scores        score of each position after the opening in which a move was made, for its side to move
                  (core/search/mcts_search.py); plus or minus CERTAIN_WIN_SCORE if the result is proven
    visits        [number of moves before, cells, visits] of positions with a full search or a proven winning move

Some positions get a full search and the others a fast one, as in Wu, "Accelerating self-play learning in Go" (2019),
because policies need long searches and values need many games. Once a network exists, quick_games.py makes its training
games.
"""

from __future__ import annotations

import argparse
import random
from abc import ABC, abstractmethod
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

SIZES = (7, 7, 8, 8, 9, 9, 10, 11, 11)  # drawn at random for each game
FULL_SEARCH_RATE = 1 / 3  # fraction of positions with a full search, while the result is open
FAST_SEARCH_FRACTION = 1 / 4  # playouts of a fast search, as a fraction of those of a full search
MAX_OPENING_SCORE = 6_000  # openings with a higher score are too one-sided to learn from
UNFILTERED_OPENING_EVERY = 5  # one in this many openings is played whatever its score
RANDOM_MOVE_RATE = 0.1  # probability of a random move, drawn by visits, instead of the best one
RANDOM_OPENING_MOVES = 4  # moves after the opening that are always drawn at random
MIN_RECORDED_VISITS = 5  # moves with fewer visits are not recorded
SOLVER_NODES = 50  # node limit of a proof if at most SOLVER_MAX_EMPTY cells are empty; otherwise it is 1
SOLVER_MAX_EMPTY = 45
CONTINUE_RATE = 0.85  # probability of one more move in a proven position: the network must see such positions, too
TABLE_BYTES = 1 << 21  # the solver's transposition table


@dataclass
class RecordedGame:
    """A game while it is played. The field names are keys of the file, which the module docstring explains."""

    moves: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    visits: list[tuple[int, list[int], list[int]]] = field(default_factory=list)
    winner: int | None = None
    proven: int | None = None

    def set_result(self, winner: int) -> None:
        """Record the winner, and that the result is known from the present position on if it was not known before."""
        self.winner, self.proven = winner, len(self.moves) if self.proven is None else self.proven


class GameRecorder(ABC):
    """Base class of the recorders, which play games of an engine against itself.

    Each game is on a board of one of the `sizes`, drawn at random.
    """

    seed_prefix = ""  # beginning of a game's seed, so that different recorders play different games

    def __init__(self, engine: HexEngine, seed: int, sizes: Sequence[int]) -> None:
        self._engine, self._seed, self._sizes = engine, seed, sizes

    def play(self, index: int) -> dict[str, Any]:
        """Play game number `index`; a recorder with the same settings always plays the same game."""
        rng = random.Random(f"{self.seed_prefix}{self._seed} {index}")
        size = rng.choice(self._sizes)
        engine, game = self._engine, RecordedGame()
        engine.clear_hash()
        engine.set_option("seed", rng.randrange(1, 1 << 20))
        engine.new_game(Setup(size, size, "standard"))
        for move in self._draw_opening(size, rng):
            self._move(game, move)
        opening_length = len(game.moves)
        self._play_game(game, rng, DfpnSolver(engine.position, TABLE_BYTES))
        return {"index": index, "size": size, "opening": opening_length, **vars(game)}

    @abstractmethod
    def _draw_opening(self, size: int, rng: random.Random) -> list[str]:
        """Return the moves of a random opening."""

    @abstractmethod
    def _play_game(self, game: RecordedGame, rng: random.Random, solver: DfpnSolver) -> None:
        """Play and record a game after its opening."""

    def _search(self, game: RecordedGame, nodes: int) -> list[MoveStatistics]:
        """Search the position, record its score, and return the moves that are worth recording."""
        score = self._engine.choose(Limits(nodes=nodes)).progress.score
        game.scores.append(self._known_score(game) or max(-CERTAIN_WIN_SCORE, min(score, CERTAIN_WIN_SCORE)))
        return select_recorded(self._engine.move_statistics())

    def _known_score(self, game: RecordedGame) -> int:
        """Return the score of a position whose result is proven, or 0."""
        if game.winner is None:
            return 0
        return CERTAIN_WIN_SCORE if game.winner == self._engine.position.to_move else -CERTAIN_WIN_SCORE

    def _record_visits(self, game: RecordedGame, statistics: Sequence[MoveStatistics]) -> None:
        size = self._engine.position.setup.width
        cells = [flat_index(entry.move, size) for entry in statistics]
        game.visits.append((len(game.moves), cells, [entry.visits for entry in statistics]))

    def _record_proven_move(self, game: RecordedGame, move: str) -> None:
        """Record score and visits of a position in which a move is proven to win."""
        position = self._engine.position
        game.scores.append(CERTAIN_WIN_SCORE)
        game.visits.append((len(game.moves), [flat_index(position.parse(move), position.setup.width)], [1]))

    def _move(self, game: RecordedGame, move: str) -> None:
        """Play and record a move."""
        position = self._engine.position
        position.play(move)
        game.moves.append(flat_index(position.parse(move), position.setup.width))


class SelfPlayRecorder(GameRecorder):
    """Plays games by tree searches with playouts; `playouts` is the number of them in a full search."""

    def __init__(self, playouts: int, seed: int, sizes: Sequence[int] = SIZES) -> None:
        super().__init__(make_engine("playouts"), seed, sizes)
        self._playouts = playouts

    def _draw_opening(self, size: int, rng: random.Random) -> list[str]:
        return random_opening(self._engine, size, rng, self._fast_playouts)

    @property
    def _fast_playouts(self) -> int:
        return round(FAST_SEARCH_FRACTION * self._playouts)

    def _play_game(self, game: RecordedGame, rng: random.Random, solver: DfpnSolver) -> None:
        position = self._engine.position
        opening_length = len(game.moves)
        while True:
            if position.state.winner:
                game.set_result(int(position.state.winner) - 1)
                return
            winner, move = solve(solver, position)
            if winner is not None:
                game.set_result(winner)
            if game.winner is not None and rng.random() >= CONTINUE_RATE:
                return
            if move:  # a proven win
                self._record_proven_move(game, move)
            else:
                move = self._choose(game, rng, len(game.moves) - opening_length < RANDOM_OPENING_MOVES)
            self._move(game, move)

    def _choose(self, game: RecordedGame, rng: random.Random, draws_move: bool) -> str:
        """Return a move of the tree search; record its score and, after a full search, the visits of the moves."""
        is_full_search = game.winner is None and rng.random() < FULL_SEARCH_RATE
        statistics = self._search(game, self._playouts if is_full_search else self._fast_playouts)
        if is_full_search:
            self._record_visits(game, statistics)
        is_random = rng.random() < RANDOM_MOVE_RATE or draws_move
        visits = [entry.visits for entry in statistics]
        chosen = rng.choices(statistics, visits)[0] if is_random else statistics[0]
        return self._engine.position.format(chosen.move)


def make_engine(search: str, network: bytes | None = None) -> HexEngine:
    """Return an engine for training games.

    `search` is a value of its option of this name. `network` has the contents of a network file; None stands for the
    engine's network.
    """
    engine = HexEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", 32)
    engine.set_option("search", search)
    engine.network_bytes = network
    return engine


def random_opening(engine: HexEngine, size: int, rng: random.Random, playouts: int) -> list[str]:
    """Return one to three random stones that a search scores within MAX_OPENING_SCORE, without a proven result.

    One in UNFILTERED_OPENING_EVERY openings is returned without a search. The engine's board must be empty, and is
    empty again afterwards.
    """
    cells = [format_square(x, y) for y in range(size) for x in range(size)]
    position = engine.position
    while True:
        moves = rng.sample(cells, rng.choice((1, 1, 1, 2, 3)))
        if rng.randrange(UNFILTERED_OPENING_EVERY) == 0:
            return moves
        position.replay(moves)
        progress = engine.choose(Limits(nodes=playouts)).progress
        position.replay([])
        if not progress.result and abs(progress.score) <= MAX_OPENING_SCORE:
            return moves


def solve(solver: DfpnSolver, position: HexPosition) -> tuple[int | None, str]:
    """Return the winner, or None, and a winning move of the side to move, or "", by a short proof."""
    state = position.state
    empty = state.width * state.height - state.stones
    proven = solver.solve(position, Limits(nodes=SOLVER_NODES if empty <= SOLVER_MAX_EMPTY else 1))
    return proven.winner, proven.move


def select_recorded(statistics: list[MoveStatistics]) -> list[MoveStatistics]:
    """Return the moves to record: those with enough visits that are not proven lost, or else the best move.

    If the best move has a proven result, it is the only one.
    """
    if statistics[0].proven:
        return statistics[:1]
    return [
        entry for entry in statistics if entry.visits >= MIN_RECORDED_VISITS and entry.proven != LOST
    ] or statistics[:1]


def flat_index(cell: int, size: int) -> int:
    """Convert a cell of the padded board to `y * size + x`."""
    return (cell // STRIDE - 1) * size + cell % STRIDE - 1


def padded_cell(move: int, size: int) -> int:
    """Convert `y * size + x` to a cell of the padded board."""
    return cell_index(move % size, move // size)


def main() -> None:
    """Play the games that the file does not have yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--playouts", type=int, default=8_000, help="playouts of a full search")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="board sizes, chosen at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    settings = (arguments.playouts, arguments.seed, tuple(arguments.sizes))
    with open_workers(arguments.processes) as executor:
        record_games(arguments.file, arguments.games, SelfPlayRecorder, *settings, executor=executor)


if __name__ == "__main__":
    main()
