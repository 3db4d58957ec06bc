"""Evaluates positions for opening negotiations: many short searches share the time and nodes of one answer.

swap2.py, soosorv.py and balance.py in this folder use it. `stones` are the moves that lead to a position, which may
contain passes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from bots.gomoku.position import GomokuPosition
from bots.gomoku.replies import MAX_BOOK_STONES
from core.play.options import OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback
from core.search.iterative_deepening import MAX_DEPTH
from core.search.scores import WIN

DEFAULT_MS = 2000  # time of an answer if there is no time limit
MAX_MS = 60_000  # longest time of an answer: GUIs send 2,000,000 ms for "no limit", and a person is waiting
MOVE_TIME_SHARE = 0.5  # fraction of the time limit per move that an answer may use
GAME_TIME_SHARE = 0.05  # fraction of the game's remaining time, because about twenty moves are still to come
MIN_MS = 20  # shortest time of a search and of an answer, so that a tight limit still gives an answer
MIN_CANDIDATES, MAX_CANDIDATES = 4, 64  # least and greatest result of `max_candidates`

T = TypeVar("T")


@dataclass(frozen=True)
class Budget:
    """Time and nodes of one search, or of all searches of an answer together."""

    ms: float
    nodes: int | None = None  # None for no limit

    def divide(self, count: float) -> Budget:
        """Return the budget of each of `count` equal searches; `divide(4)` is also a fourth of the budget."""
        return Budget(self.ms / count, None if self.nodes is None else max(int(self.nodes / count), 1))


def allocate_budget(limits: Limits) -> Budget:
    """Return the budget of an answer in the opening, from the limits of a move."""
    limits_ms = []
    if limits.move_time_ms is not None:
        limits_ms.append(limits.move_time_ms * MOVE_TIME_SHARE)
    if limits.time_left_ms is not None:
        limits_ms.append(limits.time_left_ms * GAME_TIME_SHARE)
    return Budget(min(max(min(limits_ms, default=DEFAULT_MS), MIN_MS), MAX_MS), limits.nodes)


class PositionEvaluator(Protocol):
    """Evaluates positions, given as lists of moves, within the budget of one answer."""

    @property
    def budget(self) -> Budget:
        """Budget of all searches together."""

    def must_stop(self) -> bool:
        """Return True if no further search may start: the time is used up, or the host has sent stop."""

    def search(self, stones: Sequence[str], budget: Budget) -> Decision:
        """Search a position; the score is from the side to move's point of view."""

    def find_best(
        self, stones: Sequence[str], budget: Budget, count: int, exclude: Sequence[str]
    ) -> list[tuple[str, int]]:
        """Return up to `count` best moves with their scores for the side to move, best first.

        Moves in `exclude` are left out.
        """

    def legal_moves(self, stones: Sequence[str]) -> list[str]:
        """Return the legal moves of a position that are not excluded; empty if the game is over."""


class SearchingPlayer(Protocol):
    """The part of a player that `PlayerEvaluator` uses."""

    position: GomokuPosition
    options: OptionSet

    def set_position(self, moves: Sequence[str]) -> None:
        """Set the position to the one after `moves`."""

    def choose(self, limits: Limits, report: ProgressCallback = ..., /) -> Decision:
        """Choose a move."""


class PlayerEvaluator:
    """Evaluates positions by searches of a player, whose board is left at the last position evaluated."""

    def __init__(self, player: SearchingPlayer, limits: Limits) -> None:
        self.budget = allocate_budget(limits)
        self._player = player
        self._depth = limits.depth
        self._excluded = limits.excluded_moves  # of every position: blocked squares and walls
        self._stop = limits.stop
        self._deadline = time.perf_counter() + self.budget.ms / 1000

    def must_stop(self) -> bool:
        """Return True if no further search may start."""
        return self._stop.is_set or time.perf_counter() >= self._deadline

    def search(self, stones: Sequence[str], budget: Budget) -> Decision:
        """Search a position. If the game is already won, return a lost score for the side to move, without a move."""
        self._player.set_position(stones)
        if self._player.position.state.winner:
            return Decision("", Progress(score=-WIN, proven_result="loss"))
        return self._player.choose(self._limits(budget, len(stones)))

    def find_best(
        self, stones: Sequence[str], budget: Budget, count: int, exclude: Sequence[str]
    ) -> list[tuple[str, int]]:
        """Return the best moves by one multi-PV search, from the deepest iteration that reported all its PVs.

        If the search reports no PV, return only the move that it chooses.
        """
        lines_by_depth: dict[int, dict[int, tuple[str, int]]] = {}  # depth -> PV number -> (first move, score)

        def report(progress: Progress) -> None:
            if progress.pv:
                lines_by_depth.setdefault(progress.depth, {})[progress.pv_index] = (progress.pv[0], progress.score)

        self._player.set_position(stones)
        decision = self._player.choose(self._limits(budget, len(stones), count, exclude), report)
        max_lines = max(map(len, lines_by_depth.values()), default=0)
        finished = [depth for depth, lines in lines_by_depth.items() if len(lines) == max_lines]
        if not finished:
            return [(decision.move, decision.progress.score)]
        scores: dict[str, int] = {}
        for _, (move, score) in sorted(lines_by_depth[max(finished)].items()):
            scores.setdefault(move, score)  # below level 10, a move drawn at random is reported twice
        return sorted(scores.items(), key=lambda row: -row[1])

    def legal_moves(self, stones: Sequence[str]) -> list[str]:
        """Return the legal moves of a position that are not excluded."""
        self._player.set_position(stones)
        return [move for move in self._player.position.legal_moves() if move not in self._excluded]

    def _limits(self, budget: Budget, stone_count: int, pv_count: int = 1, exclude: Sequence[str] = ()) -> Limits:
        ms = max(int(budget.ms), MIN_MS)
        # The player subtracts its margin from every limit. Add it back, because it is meant for the whole answer.
        margin_ms = min(ms, self._player.options.get_int("margin"))
        # Book moves have no score. The engine skips its book if a depth is given.
        depth = MAX_DEPTH if self._depth is None and stone_count <= MAX_BOOK_STONES else self._depth
        return Limits(
            ms + margin_ms,
            depth=depth,
            nodes=budget.nodes,
            multi_pv=pv_count,
            excluded_moves=(*self._excluded, *exclude),
            stop=self._stop,
        )


def sequential_halving(
    candidates: Sequence[T], measure: Callable[[T, Budget], float], budget: Budget, must_stop: Callable[[], bool]
) -> T:
    """Return the candidate with the smallest measure, by sequential halving (Karnin, Koren and Somekh 2013).

    Each round has the same budget and keeps the better half, so that the remaining candidates are measured longer. If
    `must_stop` becomes true, the best candidate measured in that round is returned. A single candidate is not measured.
    """
    remaining = list(candidates)
    rounds = (len(remaining) - 1).bit_length()
    while len(remaining) > 1:
        part = budget.divide(rounds * len(remaining))
        measured: list[tuple[float, T]] = []
        for candidate in remaining:
            measured.append((measure(candidate, part), candidate))
            if must_stop():
                return min(measured, key=_first)[1]
        measured.sort(key=_first)
        remaining = [candidate for _, candidate in measured[: (len(measured) + 1) // 2]]
    return remaining[0]


def max_candidates(budget: Budget) -> int:
    """Return how many candidates `sequential_halving` should compare: one for each 4 * MIN_MS of the time.

    The result is at least MIN_CANDIDATES and at most MAX_CANDIDATES.
    """
    return int(min(max(budget.ms / (4 * MIN_MS), MIN_CANDIDATES), MAX_CANDIDATES))


def _first(row: tuple[float, T]) -> float:
    return row[0]
