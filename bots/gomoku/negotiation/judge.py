"""Judging of positions while an opening is agreed on: short searches share the time and nodes of one answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from bots.gomoku.position import GomokuPosition
from bots.gomoku.replies import MOST_STONES
from core.play.options import OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback
from core.search.iterative_deepening import MAX_DEPTH
from core.search.scores import WIN

DEFAULT_MS = 2000  # of an answer without a limit of time
MAX_MS = 60_000  # of an answer; GUIs name 2,000,000 ms for "no limit", and a person waits
MOVE_SHARE = 0.5  # of the limit for a move; the opening is only the first of many
GAME_SHARE = 0.05  # of the time left for the game, which has some twenty moves yet
MIN_MS = 20  # of a search, so that a tight limit still gives an answer
MIN_CANDIDATES, MAX_CANDIDATES = 4, 64  # that are compared where there is a choice

T = TypeVar("T")


@dataclass(frozen=True)
class Budget:
    """Limits of one search, or of all searches of an answer together."""

    ms: float
    nodes: int | None = None  # None for no limit

    def divide(self, count: float) -> Budget:
        """Return the part of each of `count` searches."""
        return Budget(self.ms / count, None if self.nodes is None else max(int(self.nodes / count), 1))


def allocate(limits: Limits) -> Budget:
    """Return what an answer in the opening takes of a move's limits."""
    shares = []
    if limits.move_time_ms is not None:
        shares.append(limits.move_time_ms * MOVE_SHARE)
    if limits.time_left_ms is not None:
        shares.append(limits.time_left_ms * GAME_SHARE)
    return Budget(min(max(min(shares, default=DEFAULT_MS), MIN_MS), MAX_MS), limits.nodes)


class PositionJudge(Protocol):
    """Judges positions, which are lines of play, within the budget of one answer."""

    @property
    def budget(self) -> Budget:
        """Budget of all searches together."""

    def is_over(self) -> bool:
        """Return True if no further search may begin: the time is over, or the host has said stop."""

    def search(self, stones: Sequence[str], budget: Budget) -> Decision:
        """Search a position; the score is for the side to move."""

    def find_best(
        self, stones: Sequence[str], budget: Budget, count: int, exclude: Sequence[str]
    ) -> list[tuple[str, int]]:
        """Return up to `count` moves, none of `exclude`, with their scores for the side to move, the best first."""

    def legal_moves(self, stones: Sequence[str]) -> list[str]:
        """Return the legal moves of a position, none if the game is over."""


class SearchingPlayer(Protocol):
    """The part of a player that a judge uses."""

    position: GomokuPosition
    options: OptionSet

    def set_position(self, moves: Sequence[str]) -> None:
        """Make the position after `moves`."""

    def choose(self, limits: Limits, report: ProgressCallback = ..., /) -> Decision:
        """Choose a move."""


class PlayerJudge:
    """A judge that has a player search; its board is left with the last position judged."""

    def __init__(self, player: SearchingPlayer, limits: Limits) -> None:
        self.budget = allocate(limits)
        self._player = player
        self._depth = limits.depth
        self._stop = limits.stop
        self._ends = time.perf_counter() + self.budget.ms / 1000

    def is_over(self) -> bool:
        """Return True if no further search may begin."""
        return self._stop.is_set or time.perf_counter() >= self._ends

    def search(self, stones: Sequence[str], budget: Budget) -> Decision:
        """Search a position; one that is decided is lost for the side to move."""
        self._player.set_position(stones)
        if self._player.position.state.winner:
            return Decision("", Progress(score=-WIN, proven_result="loss"))
        return self._player.choose(self._limits(budget, len(stones)))

    def find_best(
        self, stones: Sequence[str], budget: Budget, count: int, exclude: Sequence[str]
    ) -> list[tuple[str, int]]:
        """Return the best moves by one search with several lines: those of the deepest iteration that was finished."""
        found: dict[int, dict[int, tuple[str, int]]] = {}  # by depth and line

        def report(progress: Progress) -> None:
            if progress.pv:
                found.setdefault(progress.depth, {})[progress.pv_index] = (progress.pv[0], progress.score)

        self._player.set_position(stones)
        decision = self._player.choose(self._limits(budget, len(stones), count, exclude), report)
        most = max(map(len, found.values()), default=0)
        finished = [depth for depth, lines in found.items() if len(lines) == most]
        if not finished:
            return [(decision.move, decision.progress.score)]
        scores: dict[str, int] = {}
        for _, (move, score) in sorted(found[max(finished)].items()):
            scores.setdefault(move, score)  # below level 10 a move drawn at random is reported once more
        return sorted(scores.items(), key=lambda row: -row[1])

    def legal_moves(self, stones: Sequence[str]) -> list[str]:
        """Return the legal moves of a position."""
        self._player.set_position(stones)
        return self._player.position.legal_moves()

    def _limits(self, budget: Budget, stones: int, lines: int = 1, exclude: Sequence[str] = ()) -> Limits:
        ms = max(int(budget.ms), MIN_MS)
        kept_back = min(ms, self._player.options.get_int("margin"))  # of the answer, not of each search in it
        # The book of first replies gives a move without a score; it is left out of an analysis.
        depth = MAX_DEPTH if self._depth is None and stones <= MOST_STONES else self._depth
        return Limits(
            ms + kept_back,
            depth=depth,
            nodes=budget.nodes,
            multi_pv=lines,
            excluded_moves=tuple(exclude),
            stop=self._stop,
        )


def find_least(
    candidates: Sequence[T], measure: Callable[[T, Budget], float], budget: Budget, is_over: Callable[[], bool]
) -> T:
    """Return the candidate that has the least measure, by sequential halving.

    Each round has the same budget and keeps the better half, so that what only seemed good is searched again, longer.
    """
    left = list(candidates)
    rounds = (len(left) - 1).bit_length()
    while len(left) > 1:
        share = budget.divide(rounds * len(left))
        measured: list[tuple[float, T]] = []
        for candidate in left:
            measured.append((measure(candidate, share), candidate))
            if is_over():
                return min(measured, key=_first)[1]
        measured.sort(key=_first)
        left = [candidate for _, candidate in measured[: (len(measured) + 1) // 2]]
    return left[0]


def count_candidates(budget: Budget) -> int:
    """Return how many candidates `find_least` has the time to compare."""
    return int(min(max(budget.ms / (4 * MIN_MS), MIN_CANDIDATES), MAX_CANDIDATES))


def _first(row: tuple[float, T]) -> float:
    return row[0]
