"""Balanced openings by a player's own search: random plies from the start that it calls even, no two alike."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence

from core.play.board_player import P
from core.play.player import Limits, Player

CANDIDATES = 4  # of which the most even is taken: players count in units of their own
PATIENCE = 1000  # known openings in a row after which there seem to be no others


def balanced_openings(
    player: Player,
    position: P,
    plies: int,
    depth: int,
    seed: int,
    canonical_form: Callable[[P], Hashable],
    is_wanted: Callable[[P], bool],
) -> Iterator[list[str]]:
    """Yield openings of `plies` moves, no two of one canonical form, until no others are found.

    Each is the most even of CANDIDATES by a search of `depth` plies; none has a proven end. The openings are played on
    `position`, about which the two callbacks are then asked.
    """
    chance = random.Random(seed)
    player.new_game(position.setup)
    seen: set[Hashable] = set()

    def draw_candidates() -> Iterator[list[str]]:
        """CANDIDATES openings that were never drawn before, or fewer where there are no more."""
        found = misses = 0
        while found < CANDIDATES and misses < PATIENCE:
            play_random_moves(position, chance, plies)
            form = canonical_form(position)
            if form in seen or position.outcome() is not None or not is_wanted(position):
                misses += 1
                continue
            seen.add(form)
            found, misses = found + 1, 0
            yield position.moves

    while candidates := list(draw_candidates()):
        scored = [(score, moves) for moves in candidates if (score := _measure(player, moves, depth)) is not None]
        if scored:
            yield min(scored)[1]


def _measure(player: Player, moves: Sequence[str], depth: int) -> int | None:
    """How far the score is from even, None for a proven end."""
    player.set_position(moves)
    progress = player.choose(Limits(depth=depth)).progress
    return None if progress.result else abs(progress.score)


def play_random_moves(position: P, chance: random.Random, plies: int) -> None:
    """Replace the game by one of random moves, ended early where it is over."""
    position.restart(position.setup)
    while len(position.moves) < plies and (moves := position.legal_moves()):
        position.play(chance.choice(moves))
