"""A `PositionEvaluator` for tests with given values of positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bots.gomoku.negotiation.evaluator import Budget
from bots.gomoku.position import GomokuPosition
from bots.gomoku.symmetry import squares_near
from core.play.player import Decision, Progress, Setup

DEFAULT = Budget(1000)


class FakeEvaluator:
    """Returns `value` of a position as its score for the side to move, and records its searches in `searched`.

    After `max_searches` searches it must stop; `find_best` finds at most `max_best` moves.
    """

    def __init__(
        self,
        value: Callable[[Sequence[str]], int],
        setup: Setup,
        budget: Budget = DEFAULT,
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
        near = squares_near(stones, self.legal_moves(stones), self.distance)
        scores = [(move, -self.value([*stones, move])) for move in near if move not in exclude]
        return sorted(scores, key=lambda row: -row[1])[: min(count, self.max_best)]

    def legal_moves(self, stones: Sequence[str]) -> list[str]:
        self._position.restart(self._position.setup)
        for stone in stones:
            self._position.place(stone)
        return self._position.legal_moves()
