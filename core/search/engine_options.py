"""Options that the strongest players of all games share, and `StrengthLevels`, which weakens a player."""

from __future__ import annotations

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
class StrengthLevels:
    """How a player is weakened at the levels below `MAX_LEVEL`: by a node limit and by occasional mistakes.

    For a mistake the player considers only a few moves, chosen at random, and plays the best of them; with one
    candidate that is a random move. Index 0 of both tuples is level 1.
    """

    nodes: tuple[int, ...]  # node limit per move; in Monte-Carlo tree search the number of playouts
    mistake_rates: tuple[float, ...]  # probability of a mistake
    candidates: int = 1  # moves that are considered in a mistake

    def limit_nodes(self, level: int, rng: random.Random, limits: Limits) -> Limits:
        """Return the limits with the node limit of a level, varied at random so that games differ from each other.

        A lower node limit is kept.
        """
        nodes = max(1, round(self.nodes[level - 1] * rng.uniform(1 - LEVEL_NODE_SPREAD, 1 + LEVEL_NODE_SPREAD)))
        return replace(limits, nodes=min(limits.nodes or nodes, nodes))

    def pick_candidates(self, level: int, rng: random.Random, moves: Sequence[int]) -> list[int]:
        """With the level's probability of a mistake, return some of `moves`, to play one of; otherwise return []."""
        if rng.random() >= self.mistake_rates[level - 1]:
            return []
        return rng.sample(moves, min(self.candidates, len(moves)))
