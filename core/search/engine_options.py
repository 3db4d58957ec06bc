"""Options that the strongest players of all games share, and `StrengthLevels`, which weakens a player."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.native.machine import count_processors
from core.native.memory import MIB, memory_limit
from core.play import board_player
from core.play.options import Option, OptionSet
from core.play.pending_warnings import PendingWarnings
from core.play.player import Limits

# Three quarters of the memory, at most 64 GiB: with more the system would swap or kill processes
MAX_HASH_MIB = max(min(memory_limit() * 3 // 4 // MIB, 65536), 1)
MAX_LEVEL = 10
MAX_MISTAKE_DISADVANTAGE = 2.0  # multiples of `FirstSight.scale` that count; a losing move is chosen at times, too
LEVEL_NODE_SPREAD = 0.2  # the node limit of a level varies by up to this fraction from move to move

LEVEL = Option("level", MAX_LEVEL, "strength, from 1 (beginner) to 10 (full strength)", minimum=1, maximum=MAX_LEVEL)
THREADS = Option("threads", 1, "search threads, at most one per processor", minimum=1, maximum=64)
HASH = Option(
    "hash",
    0,
    "transposition table in MiB; 0: 128, or less if memory is limited",
    minimum=0,
    maximum=MAX_HASH_MIB,
)
MARGIN = Option("margin", 70, "milliseconds subtracted from every time limit", minimum=0, maximum=10_000)
SEED = replace(board_player.SEED, help="seed of the random moves below level 10; 0 draws a new seed for each game")


def count_threads(options: OptionSet, warnings: PendingWarnings) -> int:
    """Return the number of search threads: the option's value, but at most one per processor, with a warning.

    If there were more, threads would wait for a processor and exceed their time limits.
    """
    threads = options.get_int(THREADS.name)
    if threads == 1:  # called before each search, and counting the processors reads files
        return 1
    processors = count_processors()
    if threads > processors:
        warnings.add(f"only {processors} of {threads} threads search: one per processor")
    return min(threads, processors)


@dataclass(frozen=True)
class FirstSight:
    """Mistakes of a person: the moves that look best after one ply, before the opponent's reply is considered."""

    moves: int  # number of moves that are candidates
    scale: float  # evaluation units; a move that looks worse by this much is chosen 1/e times as often

    def pick(self, rng: random.Random, moves: Sequence[int], scores: Sequence[int]) -> int:
        """Return one of `moves`; `scores` are their scores after one ply."""
        disadvantages = [(max(scores) - score) / self.scale for score in scores]
        weights = [math.exp(-min(disadvantage, MAX_MISTAKE_DISADVANTAGE)) for disadvantage in disadvantages]
        return rng.choices(moves, weights)[0]


@dataclass(frozen=True)
class StrengthLevels:
    """How a player is weakened at the levels below `MAX_LEVEL`: by a node limit and by occasional mistakes.

    A mistake is a random move, or one that looks good at `first_sight`. Index 0 of both tuples is level 1.
    """

    nodes: tuple[int, ...]  # node limit per move; in Monte-Carlo tree search the number of playouts
    mistake_rates: tuple[float, ...]  # probability of a mistake
    first_sight: FirstSight | None = None

    def limit_nodes(self, level: int, rng: random.Random, limits: Limits) -> Limits:
        """Return the limits with the node limit of a level, varied at random so that games differ from each other.

        A lower node limit is kept.
        """
        nodes = max(1, round(self.nodes[level - 1] * rng.uniform(1 - LEVEL_NODE_SPREAD, 1 + LEVEL_NODE_SPREAD)))
        return replace(limits, nodes=min(limits.nodes or nodes, nodes))

    def makes_mistake(self, level: int, rng: random.Random) -> bool:
        """Return True with the probability of a mistake at a level."""
        return rng.random() < self.mistake_rates[level - 1]
