"""Generate balanced openings: random moves from the start position, kept if a search scores the position near 0."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence

from core.play.board_player import P
from core.play.player import Limits, Player

CANDIDATES = 4  # per opening; the most even one is kept. A score limit would not do: units differ from player to player
MAX_MISSES = 1000  # random openings in a row that are not new; after that the generator ends


def balanced_openings(
    player: Player,
    position: P,
    plies: int,
    depth: int,
    seed: int,
    canonical_form: Callable[[P], Hashable],
    is_wanted: Callable[[P], bool],
) -> Iterator[list[str]]:
    """Yield openings of `plies` moves until no new ones are found.

    Each is the most even of CANDIDATES random ones by a search of `depth` plies; openings with a proven result are
    dropped. The openings are played on `position`. Then `canonical_form(position)` returns a value that is equal for
    positions that count as the same, for example mirrored ones; only one of these is yielded.
    `is_wanted(position)` tells whether the opening may be used.
    """
    generator = random.Random(seed)
    player.new_game(position.setup)
    seen: set[Hashable] = set()

    def draw_candidates() -> Iterator[list[str]]:
        """Yield CANDIDATES new openings, fewer after MAX_MISSES failures in a row."""
        found = misses = 0
        while found < CANDIDATES and misses < MAX_MISSES:
            play_random_moves(position, generator, plies)
            form = canonical_form(position)
            if form in seen or position.outcome() is not None or not is_wanted(position):
                misses += 1
                continue
            seen.add(form)
            found, misses = found + 1, 0
            yield position.moves

    while candidates := list(draw_candidates()):
        scored = [(score, moves) for moves in candidates if (score := _imbalance(player, moves, depth)) is not None]
        if scored:
            yield min(scored)[1]


def _imbalance(player: Player, moves: Sequence[str], depth: int) -> int | None:
    """Return the absolute score of the position after `moves`; None if its result is proven."""
    player.set_position(moves)
    progress = player.choose(Limits(depth=depth)).progress
    return None if progress.result else abs(progress.score)


def play_random_moves(position: P, generator: random.Random, plies: int) -> None:
    """Restart the game and play random legal moves, `plies` of them unless the game ends before."""
    position.restart(position.setup)
    while len(position.moves) < plies and (moves := position.legal_moves()):
        position.play(generator.choice(moves))
