"""A `PositionEvaluator` for tests with given values of positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bots.gomoku.negotiation.evaluator import Budget
from bots.gomoku.position import GomokuPosition
from bots.gomoku.symmetry import squares_near
from core.play.player import Decision, Progress, Setup

DEFAULT_BUDGET = Budget(1000)


class FakeEvaluator:
    """Returns `value` of a position as its score for the side to move, always with the move h8.

    `searched` records the arguments of `search` and `find_best`.

    `must_stop` is true after `max_searches` searches. `find_best` returns at most `max_best` moves, all of them within
    `distance` columns and rows of a stone.
    """

    def __init__(
        self,
        value: Callable[[Sequence[str]], int],
        setup: Setup,
        budget: Budget = DEFAULT_BUDGET,
        max_searches: int = 10_000,
        max_best: int = 99,
        distance: int = 2,
    ) -> None:
        self.budget = budget
        self.value = value
        self.max_searches = max_searches
        self.max_best = max_best
        self.distance = distance
        self.searched: list[tuple[tuple[str, ...], Budget]] = []
        self._position = GomokuPosition(setup)

    def must_stop(self) -> bool:
        return len(self.searched) >= self.max_searches

    def search(self, stones: Sequence[str], budget: Budget) -> Decision:
        self.searched.append((tuple(stones), budget))
        return Decision("h8", Progress(score=self.value(stones)))

    def find_best(
        self, stones: Sequence[str], budget: Budget, count: int, exclude: Sequence[str]
    ) -> list[tuple[str, int]]:
        self.searched.append((tuple(stones), budget))
        moves = squares_near(stones, self.legal_moves(stones), self.distance)
        scored = [(move, -self.value([*stones, move])) for move in moves if move not in exclude]
        return sorted(scored, key=lambda move_and_score: -move_and_score[1])[: min(count, self.max_best)]

    def legal_moves(self, stones: Sequence[str]) -> list[str]:
        self._position.restart(self._position.setup)
        for stone in stones:
            self._position.place(stone)
        return self._position.legal_moves()
