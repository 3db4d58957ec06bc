"""The Soosorv-8 opening of renju: colours are chosen twice, and white selects one of black's offered fifth moves.

The steps in the order in which the GUI Yixin-Board asks for them:

1. One side places one of the 26 standard openings of three stones.
2. The other side takes black or stays white.
3. White places the fourth stone and says how many fifth moves black must offer, 1 to 8.
4. The other side stays black or takes white.
5. Black offers that many fifth moves, no two of them equal by symmetry.
6. White selects one of them, and moves.

With n offers, black offers its n best fifth moves, and white selects the one that is worst for black. So black gets its
n-th best. A fourth move with n offers is therefore even if black's n-th best fifth move is.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from bots.gomoku.negotiation.evaluator import Budget, PositionEvaluator, sequential_halving
from bots.gomoku.symmetry import find_equivalent_moves, squares_near
from core.play.player import Setup
from core.play.squares import format_square

MAX_OFFERS = 8  # greatest number of fifth moves that white may demand
# Numbers of fourth moves to compare: white's best, and random others near the stones.
BEST_FOURTH_COUNT, OTHER_FOURTH_COUNT = 8, 8
BEST_BUDGET_SHARE = 0.25  # fraction of the budget that is spent on finding white's best fourth moves


class Soosorv:
    """Chooses our action in one step of the opening. `stones` are the moves so far, black's first."""

    def __init__(self, setup: Setup, evaluator: PositionEvaluator) -> None:
        self._setup = setup
        self._evaluator = evaluator

    def propose_opening(self) -> list[str]:
        """Return the standard opening of three stones that is most even by search, in a random orientation."""

        def unevenness(opening: list[str], budget: Budget) -> int:
            return abs(self._evaluator.search(opening, budget).progress.score)

        openings = [_to_squares(offsets, self._setup) for offsets in list_openings()]
        random.shuffle(openings)
        return sequential_halving(openings, unevenness, self._evaluator.budget, self._evaluator.must_stop)

    def should_take_black(self, stones: Sequence[str]) -> bool:
        """Return True if we take black after three stones, when white is to move and a search prefers black."""
        return self._evaluator.search(stones, self._evaluator.budget).progress.score < 0

    def find_fourth(self, stones: Sequence[str]) -> tuple[str, int]:
        """Return the most even fourth move, with the number of fifth moves that black must offer."""
        evaluator = self._evaluator
        offers_by_fourth: dict[str, int] = {}

        def unevenness(fourth: str, budget: Budget) -> int:
            values = [abs(value) for _, value in self._find_fifths([*stones, fourth], budget, MAX_OFFERS)]
            offers_by_fourth[fourth] = values.index(min(values)) + 1
            return min(values)

        near_moves = squares_near(stones, evaluator.legal_moves(stones))
        equivalent_moves = find_equivalent_moves(stones, near_moves)
        best = evaluator.find_best(
            stones, evaluator.budget.divide(1 / BEST_BUDGET_SHARE), BEST_FOURTH_COUNT, equivalent_moves
        )
        fourths = [move for move, _ in best]
        others = [move for move in near_moves if move not in equivalent_moves and move not in fourths]
        fourths += random.sample(others, min(OTHER_FOURTH_COUNT, len(others)))
        fourth = sequential_halving(
            fourths, unevenness, evaluator.budget.divide(1 / (1 - BEST_BUDGET_SHARE)), evaluator.must_stop
        )
        if fourth not in offers_by_fourth:  # a single candidate is not measured
            unevenness(fourth, evaluator.budget)
        return fourth, offers_by_fourth[fourth]

    def should_take_white(self, stones: Sequence[str], offers: int) -> bool:
        """Return True if we take white after four stones, when black must offer `offers` fifth moves.

        Black gets the worst of them, so white is better if that one is bad for black.
        """
        fifths = self._find_fifths(stones, self._evaluator.budget, offers)
        return fifths[-1][1] < 0

    def find_fifths(self, stones: Sequence[str], offers: int) -> list[str]:
        """Return black's best `offers` fifth moves; fewer if the board does not have that many different ones."""
        fifths = [move for move, _ in self._find_fifths(stones, self._evaluator.budget, offers)]
        if len(fifths) < offers:  # the search considers only squares near the stones
            legal = [move for move in self._evaluator.legal_moves(stones) if move not in fifths]
            equivalent_moves = find_equivalent_moves(stones, [*fifths, *legal])
            fifths += [move for move in legal if move not in equivalent_moves]
        return fifths[:offers]

    def choose_fifth(self, stones: Sequence[str], fifths: Sequence[str]) -> str:
        """Return the offered fifth move that is worst for black."""

        def value_for_black(fifth: str, budget: Budget) -> int:
            return -self._evaluator.search([*stones, fifth], budget).progress.score

        return sequential_halving(fifths, value_for_black, self._evaluator.budget, self._evaluator.must_stop)

    def _find_fifths(self, stones: Sequence[str], budget: Budget, count: int) -> list[tuple[str, int]]:
        """Return up to `count` best fifth moves with their values for black, best first; no two make the same shape."""
        equivalent_moves = find_equivalent_moves(stones, squares_near(stones, self._evaluator.legal_moves(stones)))
        best = self._evaluator.find_best(stones, budget, count, equivalent_moves)
        # Equivalent moves far from the stones were not excluded above.
        equivalent = find_equivalent_moves(stones, [move for move, _ in best])
        return [(move, value) for move, value in best if move not in equivalent]


def list_openings() -> list[list[tuple[int, int]]]:
    """Return the 26 standard openings, as offsets of three stones from the centre.

    The first stone is in the centre. The second is above it (direct opening) or at its upper right corner (indirect).
    The third is within two squares of the centre; of two mirror images, one is listed.
    """
    openings = []
    for second in ((0, -1), (1, -1)):
        for x in range(-2, 3):
            for y in range(-2, 3):
                mirrored = (-x, y) if second == (0, -1) else (-y, -x)
                if (x, y) not in {(0, 0), second} and (x, y) >= mirrored:
                    openings.append([(0, 0), second, (x, y)])
    return openings


def _to_squares(offsets: Sequence[tuple[int, int]], setup: Setup) -> list[str]:
    """Return the squares of an opening around the board's centre, rotated and mirrored at random."""
    x_sign, y_sign, is_transposed = random.choice((1, -1)), random.choice((1, -1)), random.random() < 0.5
    points = [(y, x) if is_transposed else (x, y) for x, y in offsets]
    return [format_square(setup.width // 2 + x_sign * x, setup.height // 2 + y_sign * y) for x, y in points]
