"""Makes balanced openings: random stones near the centre that the engine's own search finds even.

`pentad openings` uses it. Scores are evaluation units, 190 of which are one unit of log-odds of winning
(bots/gomoku/weights.py).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.position import GomokuPosition
from bots.gomoku.symmetry import canonical_form, squares_near_centre
from core.play.openings import MAX_MISSES
from core.play.options import OptionSet
from core.play.player import BadSetup, IllegalMove, Limits, Player, Setup

MAX_CENTRE_DISTANCE = 3  # of the stones, in columns and in rows
MAX_EVEN_SCORE = 25  # greatest absolute score of an opening
CHECKED_PLIES = 4  # best moves that are played after it, because some positions look even in the first search only
MAX_LATER_SCORE = 40  # greatest absolute score after each of these moves


def balanced_openings(setup: Setup, stones: int, depth: int, seed: int) -> Iterator[list[str]]:
    """Yield different openings of `stones` moves, until no new ones are found.

    An opening is kept if `stays_even` accepts it with searches of `depth` plies. Openings that are equal under a
    symmetry of the board count as the same.
    """
    rng = random.Random(seed)
    player = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    player.new_game(setup)
    position = GomokuPosition(setup)
    seen: set[tuple[str, ...]] = set()  # canonical forms
    misses = 0  # unusable openings in a row
    while misses < MAX_MISSES:
        moves = random_moves(rng, setup, stones)
        key = canonical_form(moves, setup)
        if key in seen or not _is_playable(moves, position):
            misses += 1
            continue
        seen.add(key)
        misses = 0
        if stays_even(player, moves, depth):
            yield moves


def stays_even(player: Player, moves: Sequence[str], depth: int) -> bool:
    """Return True if searches find the position after `moves`, and those after the next CHECKED_PLIES best moves, even.

    A position is even if no result is proven and the score is small.
    """
    played = list(moves)
    for max_score in (MAX_EVEN_SCORE, *[MAX_LATER_SCORE] * CHECKED_PLIES):
        player.set_position(played)
        decision = player.choose(Limits(depth=depth))
        if decision.progress.result or abs(decision.progress.score) > max_score:
            return False
        played.append(decision.move)
    return True


def _is_playable(moves: list[str], position: GomokuPosition) -> bool:
    """Return True if no move is illegal and the game is not over."""
    try:
        position.replay(moves)
    except IllegalMove:
        return False
    return position.outcome() is None


def random_moves(rng: random.Random, setup: Setup, stones: int) -> list[str]:
    """Return distinct squares near the centre; raise `BadSetup` if there are fewer than `stones`."""
    squares = squares_near_centre(setup, MAX_CENTRE_DISTANCE)
    if stones > len(squares):
        raise BadSetup(f"an opening has at most {len(squares)} stones, not {stones}")
    return rng.sample(squares, stones)
