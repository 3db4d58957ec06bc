"""Genetic minimax (Hong, Huang and Lin, "Applying genetic algorithms to game search trees", 2001), for any game.

A genome is a line of play from the root, as many moves long as the search is deep. All lines ever tried grow together
into one tree, the reservation tree. The estimates of its leaves climb by minimax, and a genome is as fit as its leaf's
value climbs high. Fit genomes are crossed at one point, now and then a move is changed, and what is illegal then is
replaced. The answer is the root's best move in the tree.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

Genome = list[int]
TOURNAMENT, ROULETTE = "tournament", "roulette"
TOURNAMENT_SIZE = 3


class GeneticGame(Protocol):
    """What a game hands in: a position that the search plays on and brings back."""

    def list_moves(self) -> Sequence[int]:
        """The legal moves, none where the game is over."""

    def apply(self, move: int) -> None:
        """Play a move."""

    def undo(self) -> None:
        """Take it back."""

    def side_to_move(self) -> int:
        """Of the present position; sides need not alternate."""

    def estimate(self, ply: int) -> int:
        """The worth of the present position, `ply` moves from the root, to the side to move there."""


@dataclass(frozen=True)
class GeneticSettings:
    """The numbers of the method. Rates are probabilities."""

    population: int = 100
    generations: int = 50
    depth: int = 4  # moves of a genome
    crossover: float = 0.8  # that two parents are crossed, not copied
    mutation: float = 0.1  # of each move
    elite: int = 4  # genomes that go on unchanged
    selection: str = TOURNAMENT


@dataclass
class Node:
    """A position of the reservation tree; `value` is worth to the root's side."""

    maximises: bool
    value: int = 0
    children: dict[int, Node] = field(default_factory=dict)

    def best_move(self) -> int:
        """The child that gives the node its value, the first that was found."""
        return next(move for move, child in self.children.items() if child.value == self.value)


class GeneticSearch:
    """One search from the game's present position. `is_over` is asked before each genome and ends it."""

    def __init__(
        self, game: GeneticGame, settings: GeneticSettings, source: random.Random, is_over: Callable[[], bool]
    ) -> None:
        self._game = game
        self._settings = settings
        self._random = source
        self._is_over = is_over
        self._root_side = game.side_to_move()
        self.root = Node(maximises=True)
        self.evaluations = 0

    def run(self, roots: Sequence[int], report: Callable[[int], None]) -> None:
        """Breed until the generations are spent or `is_over` says so; first moves are taken from `roots`.

        `report` is called with the number of each generation whose population is complete. The tree holds at least one
        line afterwards.
        """
        population = [self.add_line([], roots)]
        while len(population) < self._settings.population:
            if self._is_over():
                return
            population.append(self.add_line([], roots))
        for generation in range(1, self._settings.generations + 1):
            report(generation)
            fitness = [self.fitness(genome) for genome in population]
            ranked = sorted(range(len(population)), key=lambda index: -fitness[index])
            following = [population[index] for index in ranked[: self._settings.elite]]
            while len(following) < self._settings.population:
                if self._is_over():
                    return
                child = self._cross(self._select(population, fitness), self._select(population, fitness))
                following.append(self.add_line(child, roots))
            population = following

    def add_line(self, wanted: Sequence[int], roots: Sequence[int]) -> Genome:
        """Put a line into the tree, repaired where it is illegal or too short, and let its value climb; return it."""
        genome: Genome = []
        path = [self.root]
        while len(genome) < self._settings.depth:
            moves = self._game.list_moves() if genome else roots
            if not moves:
                break
            move = wanted[len(genome)] if len(genome) < len(wanted) else -1
            if move not in moves or self._random.random() < self._settings.mutation:
                move = self._random.choice(moves)
            self._game.apply(move)
            genome.append(move)
            side = self._game.side_to_move()
            path.append(path[-1].children.setdefault(move, Node(side == self._root_side)))
        if not path[-1].children:
            value = self._game.estimate(len(genome))
            path[-1].value = value if self._game.side_to_move() == self._root_side else -value
            self.evaluations += 1
        for _ in genome:
            self._game.undo()
        for node in reversed(path[:-1]):
            values = [child.value for child in node.children.values()]
            node.value = max(values) if node.maximises else min(values)
        return genome

    def fitness(self, genome: Genome) -> int:
        """How many plies the value of a line's end climbs towards the root, and one more."""
        path = [self.root]
        for move in genome:
            path.append(path[-1].children[move])
        value, climbed = path[-1].value, 1
        for node in reversed(path[:-1]):
            if node.value != value:
                break
            climbed += 1
        return climbed

    def best_line(self) -> Genome:
        """The moves by which the root's value comes about."""
        line, node = [], self.root
        while node.children:
            line.append(node.best_move())
            node = node.children[line[-1]]
        return line

    def _select(self, population: list[Genome], fitness: list[int]) -> Genome:
        if self._settings.selection == ROULETTE:
            return self._random.choices(population, fitness)[0]
        rivals = [self._random.randrange(len(population)) for _ in range(TOURNAMENT_SIZE)]
        return population[max(rivals, key=lambda index: fitness[index])]

    def _cross(self, first: Genome, second: Genome) -> Genome:
        """The first parent up to a point, then the second."""
        if self._random.random() >= self._settings.crossover:
            return list(first)
        point = self._random.randint(0, min(len(first), len(second)))
        return first[:point] + second[point:]
