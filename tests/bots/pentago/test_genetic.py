"""The genetic minimax search of Pentago's player `genetic`, on a game of digits whose minimax value is known."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from bots.pentago.paper.genetic import ROULETTE, TOURNAMENT, GeneticSearch, GeneticSettings


class DigitGame:
    """Two sides write digits from 0 to 3 in turn; a random table has the value of each line for the first side."""

    def __init__(self, length: int) -> None:
        self.line: list[int] = []
        self._length = length
        rng = random.Random(8)
        self.values = {(a, b, c): rng.randrange(100) for a in range(4) for b in range(4) for c in range(4)}

    def list_moves(self) -> list[int]:
        return list(range(4)) if len(self.line) < self._length else []

    def apply(self, move: int) -> None:
        self.line.append(move)

    def undo(self) -> None:
        self.line.pop()

    def side_to_move(self) -> int:
        return len(self.line) % 2

    def evaluate(self, ply: int) -> int:
        assert ply == len(self.line)
        value = self.values[self.line[0], self.line[1], self.line[2]]
        return value if self.side_to_move() == 0 else -value


def minimax(game: DigitGame) -> tuple[int, int]:
    """Return the best first digit of a game of length 3, and its minimax value."""
    values = {a: min(max(game.values[a, b, c] for c in range(4)) for b in range(4)) for a in range(4)}
    best = max(values, key=lambda move: values[move])
    return best, values[best]


@pytest.mark.parametrize("selection", [TOURNAMENT, ROULETTE])
def test_search_finds_the_minimax_move_of_a_small_tree(selection: str) -> None:
    """When all lines are in the reservation tree, the result is exact."""
    game = DigitGame(3)
    settings = GeneticSettings(population=40, generations=60, depth=3, mutation_rate=0.3, selection=selection)
    search = GeneticSearch(game, settings, random.Random(1), lambda: False)
    search.run(range(4), lambda _: None)
    assert game.line == []
    best, value = minimax(game)
    assert (search.root.best_move(), search.root.value) == (best, value)
    assert search.principal_variation()[0] == best


def test_repair_and_fitness() -> None:
    game = DigitGame(3)
    settings = GeneticSettings(depth=3, mutation_rate=0)
    search = GeneticSearch(game, settings, random.Random(2), lambda: False)
    assert search.insert_genome([9, 1, 2], range(3))[1:] == [1, 2]  # 9 is illegal and replaced
    extended = search.insert_genome([3], [3])
    assert len(extended) == 3
    line = search.principal_variation()
    assert search.fitness(line) == 4  # 1 + its three ancestors with the same value


def test_stopped_search_still_has_a_line() -> None:
    search = GeneticSearch(DigitGame(3), GeneticSettings(), random.Random(3), lambda: True)
    search.run(range(4), lambda _: None)
    assert len(search.principal_variation()) == 3
    assert search.evaluations == 1


@pytest.mark.parametrize(("lines", "reported"), [(5, []), (9, []), (10, [1]), (12, [1]), (16, [1, 2])])
def test_an_incomplete_population_is_no_generation(lines: int, reported: list[int]) -> None:
    """Regression: a search that was stopped in its initial population used to report generation 1.

    The search is stopped when it has inserted `lines` lines; its population is 10.
    """

    class CountingSearch(GeneticSearch):
        line_count = 0

        def insert_genome(self, proposed: Sequence[int], root_moves: Sequence[int]) -> list[int]:
            self.line_count += 1
            return super().insert_genome(proposed, root_moves)

    settings, generations = GeneticSettings(population=10, depth=3), list[int]()
    search = CountingSearch(DigitGame(3), settings, random.Random(3), lambda: search.line_count >= lines)
    search.run(range(4), generations.append)
    assert (search.line_count, generations) == (lines, reported)
