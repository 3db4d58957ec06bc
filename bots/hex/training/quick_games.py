"""Games that the network plays by its shares alone, to learn from, with a search in one of many positions.

A game without searches takes a hundredth of the time of one with them. What a value is learnt from are results, and a
thousand games tell more of these than the many positions of ten (Silver et al., "Mastering the game of Go with deep
neural networks and tree search", 2016); what shares are learnt from are searches, for which a position a game will do.

The games are recorded as those of make_data.py; the score of a position that is not searched is the network's own.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from bots.hex.position import HexPosition
from bots.hex.solver.solve import DfpnSolver
from bots.hex.solver.solver_pool import immediate_win
from bots.hex.training.evaluator import PriorEvaluator
from bots.hex.training.make_data import (
    ANY_OPENING,
    TABLE_BYTES,
    TAIL_CHANCE,
    RecordedGame,
    flat,
    make_engine,
    worth_writing,
)
from core.play.player import Limits, Setup
from core.play.squares import format_square
from core.search.mcts_search import CERTAIN_WIN_SCORE, probability_to_score

SIZES = (8, 9, 10, 11, 11, 11, 11, 11, 12, 13)
SEARCH_CHANCE = 1 / 25  # of a position
STRAY_CHANCE = 0.03  # of a move by its share instead of the best one: results are to tell of the position
JUDGE_CHANCE = 1 / 4  # of a position, by virtual connections alone: from what is decided on the network shall not err
VARIED_MOVES = 6  # after the opening, always by their shares
EVEN = 0.2  # least chance of either side after an opening; one in ANY_OPENING is played all the same


class QuickRecorder:
    """Plays games with a number of positions judged in each search, on boards of some sizes."""

    def __init__(
        self, positions: int, seed: int, sizes: Sequence[int] = SIZES, noise: float = 0.0, network: bytes | None = None
    ) -> None:
        self._positions, self._seed, self._sizes = positions, seed, sizes
        self._engine = make_engine("network", network)
        self._engine.root_noise_weight = noise
        self._evaluator = PriorEvaluator(network)

    def play(self, index: int) -> dict[str, Any]:
        """The game of an index, always the same one."""
        chance = random.Random(f"quick {self._seed} {index}")
        size = chance.choice(self._sizes)
        engine, game = self._engine, RecordedGame()
        engine.set_option("seed", chance.randrange(1, 1 << 20))
        engine.new_game(Setup(size, size, "standard"))
        for move in self._draw_opening(size, chance):
            self._move(game, move)
        opening = len(game.moves)
        solver = DfpnSolver(engine.position, TABLE_BYTES)
        while self._go_on(game, chance, solver, len(game.moves) - opening < VARIED_MOVES):
            pass
        return {"index": index, "size": size, "opening": opening, **vars(game)}

    def _draw_opening(self, size: int, chance: random.Random) -> list[str]:
        """A first stone, and at times more, after which the network mostly sees chances for both sides."""
        cells = [format_square(x, y) for y in range(size) for x in range(size)]
        position = self._engine.position
        while True:
            moves = chance.sample(cells, chance.choice((1, 1, 1, 2, 3, 5)))
            position.replay(moves)
            self._evaluator.evaluate(position)
            wins = self._evaluator.win_probability(0)
            position.replay([])
            if chance.randrange(ANY_OPENING) == 0 or EVEN <= wins <= 1 - EVEN:
                return moves

    def _go_on(self, game: RecordedGame, chance: random.Random, solver: DfpnSolver, varied: bool) -> bool:
        """Make a move; False where the game is over, or decided and not to be played on."""
        position = self._engine.position
        if position.state.winner:
            if game.winner is None:
                game.settle(int(position.state.winner) - 1)
            return False
        is_settled = game.winner is not None
        is_searched = not is_settled and chance.random() < SEARCH_CHANCE
        winner, move = None, ""
        if is_settled or is_searched or chance.random() < JUDGE_CHANCE:
            winner, move = judge(solver, position)
        if winner is None and is_settled:
            return False
        if winner is not None:
            game.settle(winner)
            if chance.random() >= TAIL_CHANCE:
                return False
        if move:
            game.scores.append(CERTAIN_WIN_SCORE)
            game.visits.append((len(game.moves), [flat(position.parse(move), position.setup.width)], [1]))
        elif is_searched and winner is None:
            move = self._search(game)
        else:
            move = self._choose(game, chance, varied)
        self._move(game, move)
        return True

    def _choose(self, game: RecordedGame, chance: random.Random, varied: bool) -> str:
        """A move by the network's shares, and its score, or that of what is decided."""
        position = self._engine.position
        cells, shares = self._evaluator.evaluate(position)
        score = probability_to_score(self._evaluator.win_probability(position.to_move))
        if game.winner is not None:
            score = CERTAIN_WIN_SCORE if game.winner == position.to_move else -CERTAIN_WIN_SCORE
        game.scores.append(score)
        if varied or chance.random() < STRAY_CHANCE:
            return position.format(chance.choices(cells, shares)[0])
        return position.format(cells[max(range(len(cells)), key=shares.__getitem__)])

    def _search(self, game: RecordedGame) -> str:
        """The best move by the tree search, whose score and visits are written down."""
        engine = self._engine
        engine.clear_hash()
        score = engine.choose(Limits(nodes=self._positions)).progress.score
        game.scores.append(max(-CERTAIN_WIN_SCORE, min(score, CERTAIN_WIN_SCORE)))
        branches = worth_writing(engine.move_statistics())
        size = engine.position.setup.width
        game.visits.append(
            (len(game.moves), [flat(branch.move, size) for branch in branches], [branch.visits for branch in branches])
        )
        return engine.position.format(branches[0].move)

    def _move(self, game: RecordedGame, move: str) -> None:
        position = self._engine.position
        position.play(move)
        game.moves.append(flat(position.parse(move), position.setup.width))


def judge(solver: DfpnSolver, position: HexPosition) -> tuple[int | None, str]:
    """Winner and, for the side to move, a winning move: one that ends the game, or what virtual connections prove."""
    closing = immediate_win(position, ())
    if closing:
        return position.to_move, position.format(closing)
    proven = solver.solve(position, Limits(nodes=1))
    return proven.winner, proven.move
