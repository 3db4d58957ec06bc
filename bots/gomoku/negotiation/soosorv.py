"""The Soosorv-8 opening of renju: who plays black is settled twice, and white leaves one of black's fifth moves.

The steps, as Yixin-Board has them:

1. one side puts one of the 26 standard openings of three stones;
2. the other takes black or stays white;
3. white puts the fourth stone and says how many fifth moves black must offer, 1 to 8;
4. the other side stays black or takes white;
5. black offers that many fifth moves, no two of them alike by symmetry;
6. white leaves one of them, and moves.

With n offers white leaves the one that is worst for black: black offers his best n, and gets the n-th of them. So a
fourth move with n is even where black's n-th best fifth move is.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from bots.gomoku.negotiation.judge import Budget, PositionJudge, find_least
from bots.gomoku.symmetry import find_repeats, near_squares
from core.play.player import Setup
from core.play.squares import format_square

MAX_OFFERS = 8
BEST_FOURTHS, OTHER_FOURTHS = 8, 8  # fourth moves to compare: white's best, and any others near the stones
BEST_SHARE = 0.25  # of the budget, to find white's best ones


class Soosorv:
    """Our answers in one step of the opening. Stones are those on the board, black's first."""

    def __init__(self, setup: Setup, judge: PositionJudge) -> None:
        self._setup = setup
        self._judge = judge

    def propose_opening(self) -> list[str]:
        """Return three stones: the standard opening that a search finds the most even, in any of its images."""

        def unevenness(opening: list[str], budget: Budget) -> int:
            return abs(self._judge.search(opening, budget).progress.score)

        openings = [_place(offsets, self._setup) for offsets in list_openings()]
        random.shuffle(openings)
        return find_least(openings, unevenness, self._judge.budget, self._judge.is_over)

    def should_take_black(self, stones: Sequence[str]) -> bool:
        """Return whether we take black after three stones; white is to move."""
        return self._judge.search(stones, self._judge.budget).progress.score < 0

    def find_fourth(self, stones: Sequence[str]) -> tuple[str, int]:
        """Return the most even fourth move with its number of fifth moves."""
        judge, offers = self._judge, dict[str, int]()

        def unevenness(fourth: str, budget: Budget) -> int:
            values = [abs(value) for _, value in self._find_fifths([*stones, fourth], budget, MAX_OFFERS)]
            offers[fourth] = values.index(min(values)) + 1
            return min(values)

        near = near_squares(stones, judge.legal_moves(stones))
        repeats = find_repeats(stones, near)
        best = judge.find_best(stones, judge.budget.divide(1 / BEST_SHARE), BEST_FOURTHS, repeats)
        fourths = [move for move, _ in best]
        others = [move for move in near if move not in repeats and move not in fourths]
        fourths += random.sample(others, min(OTHER_FOURTHS, len(others)))
        fourth = find_least(fourths, unevenness, judge.budget.divide(1 / (1 - BEST_SHARE)), judge.is_over)
        if fourth not in offers:  # the only candidate is not measured
            unevenness(fourth, judge.budget)
        return fourth, offers[fourth]

    def should_take_white(self, stones: Sequence[str], offers: int) -> bool:
        """Return whether we take white after four stones, when black must offer so many fifth moves."""
        fifths = self._find_fifths(stones, self._judge.budget, offers)
        return fifths[-1][1] < 0

    def find_fifths(self, stones: Sequence[str], offers: int) -> list[str]:
        """Return black's best fifth moves, as many as are to be offered or as the board has."""
        fifths = [move for move, _ in self._find_fifths(stones, self._judge.budget, offers)]
        if len(fifths) < offers:  # the search looks near the stones alone
            legal = [move for move in self._judge.legal_moves(stones) if move not in fifths]
            repeats = find_repeats(stones, [*fifths, *legal])
            fifths += [move for move in legal if move not in repeats]
        return fifths[:offers]

    def choose_fifth(self, stones: Sequence[str], fifths: Sequence[str]) -> str:
        """Return the offered fifth move that is worst for black."""

        def worth_for_black(fifth: str, budget: Budget) -> int:
            return -self._judge.search([*stones, fifth], budget).progress.score

        return find_least(fifths, worth_for_black, self._judge.budget, self._judge.is_over)

    def _find_fifths(self, stones: Sequence[str], budget: Budget, count: int) -> list[tuple[str, int]]:
        """Black's best fifth moves with their values for black, the best first; no two make the same shape."""
        repeats = find_repeats(stones, near_squares(stones, self._judge.legal_moves(stones)))
        best = self._judge.find_best(stones, budget, count, repeats)
        alike = find_repeats(stones, [move for move, _ in best])  # far from the stones, where nothing was left out
        return [(move, value) for move, value in best if move not in alike]


def list_openings() -> list[list[tuple[int, int]]]:
    """Return the 26 standard openings as offsets from the centre: the second stone beside the first (direct) or at its
    corner (indirect), the third within two squares of the centre, one of each pair of mirror images."""
    openings = []
    for second in ((0, -1), (1, -1)):
        for x in range(-2, 3):
            for y in range(-2, 3):
                mirrored = (-x, y) if second == (0, -1) else (-y, -x)
                if (x, y) not in {(0, 0), second} and (x, y) >= mirrored:
                    openings.append([(0, 0), second, (x, y)])
    return openings


def _place(offsets: Sequence[tuple[int, int]], setup: Setup) -> list[str]:
    """An opening round the board's centre, turned and mirrored at random."""
    across, down, is_turned = random.choice((1, -1)), random.choice((1, -1)), random.random() < 0.5
    points = [(y, x) if is_turned else (x, y) for x, y in offsets]
    return [format_square(setup.width // 2 + across * x, setup.height // 2 + down * y) for x, y in points]
