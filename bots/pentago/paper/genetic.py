"""Genetic minimax (Hong, Huang and Lin, "Applying genetic algorithms to game search trees", 2001), for any game.

A genome is a line of play from the root, as long as the search is deep. All lines tried so far form one tree, the
reservation tree, which only grows. The evaluations of its leaves are backed up by minimax. A genome's fitness is 1 plus
the number of plies, counted from its leaf towards the root, over which the backed-up value equals the leaf's:

    root 3 - 3 - 3 - leaf 3    fitness 4        root 3 - 3 - 1 - leaf 1    fitness 2

One generation: (1) compute the fitness of all genomes, (2) keep the elite, (3) select parents by fitness, (4) combine
them by one-point crossover, (5) insert the child into the tree, where moves mutate with a small probability and illegal
moves are replaced by random legal ones. The result is the root's best move in the tree.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

Genome = list[int]  # moves from the root on
TOURNAMENT, ROULETTE = "tournament", "roulette"
TOURNAMENT_SIZE = 3  # contestants of a selection by tournament


class GeneticGame(Protocol):
    """The interface that a game implements: a position that the search plays on and restores."""

    def list_moves(self) -> Sequence[int]:
        """Return the legal moves; empty if the game is over."""

    def apply(self, move: int) -> None:
        """Play a move."""

    def undo(self) -> None:
        """Undo the last move."""

    def side_to_move(self) -> int:
        """Return the side to move; sides need not alternate."""

    def evaluate(self, ply: int) -> int:
        """Return the static evaluation for the side to move, `ply` moves from the root (to prefer faster wins)."""


@dataclass(frozen=True)
class GeneticSettings:
    """Parameters of the algorithm. Rates are probabilities."""

    population: int = 100
    generations: int = 50
    depth: int = 4  # moves of a genome
    crossover_rate: float = 0.8  # of crossover of two parents; else the first is copied
    mutation_rate: float = 0.1  # of replacing each move of a child
    elite_count: int = 4  # genomes that are kept unchanged
    selection: str = TOURNAMENT


@dataclass
class Node:
    """A position of the reservation tree."""

    is_max_node: bool  # True if the side to move at the root is to move
    value: int = 0  # for the side to move at the root
    children: dict[int, Node] = field(default_factory=dict)  # by move

    def best_move(self) -> int:
        """Return the first move whose child has the node's value; the node must have children."""
        return next(move for move, child in self.children.items() if child.value == self.value)


class GeneticSearch:
    """One search from the game's present position."""

    def __init__(
        self, game: GeneticGame, settings: GeneticSettings, rng: random.Random, should_stop: Callable[[], bool]
    ) -> None:
        self._game = game
        self._settings = settings
        self._random = rng
        self._should_stop = should_stop
        self._root_side = game.side_to_move()
        self.root = Node(is_max_node=True)
        self.evaluations = 0

    def run(self, root_moves: Sequence[int], report: Callable[[int], None]) -> None:
        """Breed until all generations are done or `should_stop` returns true, which is asked before each genome.

        First moves are taken from `root_moves`. `report` is called with the number of each generation, from 1, once its
        population is complete and before the next one is bred. Afterwards the tree has at least one line.
        """
        population = [self.insert_genome([], root_moves)]
        while len(population) < self._settings.population:
            if self._should_stop():
                return
            population.append(self.insert_genome([], root_moves))
        for generation in range(1, self._settings.generations + 1):
            report(generation)
            fitness = [self.fitness(genome) for genome in population]
            ranked = sorted(range(len(population)), key=lambda index: -fitness[index])
            next_population = [population[index] for index in ranked[: self._settings.elite_count]]
            while len(next_population) < self._settings.population:
                if self._should_stop():
                    return
                child = self._crossover(self._select(population, fitness), self._select(population, fitness))
                next_population.append(self.insert_genome(child, root_moves))
            population = next_population

    def insert_genome(self, proposed: Sequence[int], root_moves: Sequence[int]) -> Genome:
        """Mutate and repair a proposed line, insert it into the tree, evaluate its leaf and back up the value; return
        the line.

        The line is extended by random moves if it is too short. A line that is in the tree already is evaluated again.
        """
        genome: Genome = []
        path = [self.root]
        while len(genome) < self._settings.depth:
            moves = self._game.list_moves() if genome else root_moves
            if not moves:
                break
            move = proposed[len(genome)] if len(genome) < len(proposed) else -1
            if move not in moves or self._random.random() < self._settings.mutation_rate:
                move = self._random.choice(moves)
            self._game.apply(move)
            genome.append(move)
            side = self._game.side_to_move()
            path.append(path[-1].children.setdefault(move, Node(side == self._root_side)))
        if not path[-1].children:
            value = self._game.evaluate(len(genome))
            path[-1].value = value if self._game.side_to_move() == self._root_side else -value
            self.evaluations += 1
        for _ in genome:
            self._game.undo()
        for node in reversed(path[:-1]):
            values = [child.value for child in node.children.values()]
            node.value = max(values) if node.is_max_node else min(values)
        return genome

    def fitness(self, genome: Genome) -> int:
        """Return 1 + the number of consecutive ancestors whose value equals the leaf's."""
        path = [self.root]
        for move in genome:
            path.append(path[-1].children[move])
        value, survived = path[-1].value, 1
        for node in reversed(path[:-1]):
            if node.value != value:
                break
            survived += 1
        return survived

    def principal_variation(self) -> Genome:
        """Return the best line of the tree."""
        line, node = [], self.root
        while node.children:
            line.append(node.best_move())
            node = node.children[line[-1]]
        return line

    def _select(self, population: list[Genome], fitness: list[int]) -> Genome:
        """Return a parent, by tournament or by roulette wheel."""
        if self._settings.selection == ROULETTE:
            return self._random.choices(population, fitness)[0]
        contestants = [self._random.randrange(len(population)) for _ in range(TOURNAMENT_SIZE)]
        return population[max(contestants, key=lambda index: fitness[index])]

    def _crossover(self, first: Genome, second: Genome) -> Genome:
        """Return the first parent up to a random point, followed by the second, or a copy of the first."""
        if self._random.random() >= self._settings.crossover_rate:
            return list(first)
        point = self._random.randint(0, min(len(first), len(second)))
        return first[:point] + second[point:]
