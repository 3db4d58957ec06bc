"""Balanced openings by our own search: random moves that the engine calls even."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bots.pentago.engine import ENGINE_OPTIONS, Engine
from core.options import OptionSet
from core.player import Limits, Setup

EVEN = 20  # evaluation units, a fifth of odds of e to 1; a move more is worth 66
PATIENCE = 1000  # known boards in a row after which there seem to be no others


def balanced_openings(setup: Setup, plies: int, depth: int, seed: int) -> Iterator[list[str]]:
    """Yield openings of `plies` moves, no two of which lead to boards that are images of each other.

    An opening is kept where a search of `depth` plies finds neither side ahead by more than EVEN. They end when
    no others are found.
    """
    chance = random.Random(seed)
    player = Engine(OptionSet(ENGINE_OPTIONS))
    position, misses = player.position, 0
    seen: set[int] = set()
    while misses < PATIENCE:
        player.new_game(setup)
        while len(position.moves) < plies and position.outcome() is None:
            player.play(chance.choice(position.legal_moves()))
        board = int(position.library.key(position.state))
        misses = misses + 1 if board in seen or position.outcome() is not None else 0
        if misses == 0:
            seen.add(board)
            player.clear_hash()
            progress = player.choose(Limits(depth=depth)).progress
            if progress.win_in is None and abs(progress.score) <= EVEN:
                yield position.moves
