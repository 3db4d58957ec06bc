"""Genetic minimax on a game of digits whose minimax value is known."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from bots.pentago.paper.genetic import ROULETTE, TOURNAMENT, GeneticSearch, GeneticSettings


class DigitGame:
    """Two sides write digits in turn; a table gives the value of each line for the first side."""

    def __init__(self, length: int) -> None:
        self.line: list[int] = []
        self._length = length
        rng = random.Random(8)
        self.worth = {(a, b, c): rng.randrange(100) for a in range(4) for b in range(4) for c in range(4)}

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
        worth = self.worth[self.line[0], self.line[1], self.line[2]]
        return worth if self.side_to_move() == 0 else -worth


def minimax(game: DigitGame) -> tuple[int, int]:
    values = {a: min(max(game.worth[a, b, c] for c in range(4)) for b in range(4)) for a in range(4)}
    best = max(values, key=lambda move: values[move])
    return best, values[best]


@pytest.mark.parametrize("selection", [TOURNAMENT, ROULETTE])
def test_it_finds_the_minimax_move_of_a_small_tree(selection: str) -> None:
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
    assert search.insert_genome([9, 1, 2], range(3))[1:] == [1, 2]
    only = search.insert_genome([3], [3])
    assert len(only) == 3
    line = search.principal_variation()
    assert search.fitness(line) == 4


def test_stopped_search_still_has_a_line() -> None:
    search = GeneticSearch(DigitGame(3), GeneticSettings(), random.Random(3), lambda: True)
    search.run(range(4), lambda _: None)
    assert len(search.principal_variation()) == 3
    assert search.evaluations == 1


@pytest.mark.parametrize(("lines", "reported"), [(5, []), (9, []), (10, [1]), (12, [1]), (16, [1, 2])])
def test_an_incomplete_population_is_no_generation(lines: int, reported: list[int]) -> None:
    """A search that was stopped in its initial population once reported generation 1."""

    class Counted(GeneticSearch):
        made = 0

        def insert_genome(self, wanted: Sequence[int], roots: Sequence[int]) -> list[int]:
            self.made += 1
            return super().insert_genome(wanted, roots)

    settings, generations = GeneticSettings(population=10, depth=3), list[int]()
    search = Counted(DigitGame(3), settings, random.Random(3), lambda: search.made >= lines)
    search.run(range(4), generations.append)
    assert (search.made, generations) == (lines, reported)
