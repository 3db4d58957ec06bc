"""Generate balanced openings: of several random openings, keep the one that a search scores nearest to 0."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence

from core.play.board_player import PositionT
from core.play.player import Limits, Player

# Number of random openings that are compared for one balanced opening. A fixed limit of the score would not do, because
# the unit of scores differs from player to player.
CANDIDATE_COUNT = 4
MAX_MISSES = 1000  # the generator ends after this many unusable random openings in a row


def balanced_openings(
    player: Player,
    position: PositionT,
    plies: int,
    depth: int,
    seed: int,
    canonical_form: Callable[[PositionT], Hashable],
    is_usable: Callable[[PositionT], bool],
) -> Iterator[list[str]]:
    """Yield openings of `plies` moves, each as a list of moves, until no new ones are found.

    Each is the best of CANDIDATE_COUNT random openings (the last may be of fewer): its score is nearest to 0 after a
    search of `depth` plies by the player. Openings with a proven result are dropped. The openings are played on
    `position`. `canonical_form` returns the same value for equivalent positions, such as mirrored ones, of which only
    the first is used. `is_usable` returns False for positions that must not be used.
    """
    rng = random.Random(seed)
    player.new_game(position.setup)
    seen_forms: set[Hashable] = set()

    def draw_candidates() -> Iterator[list[str]]:
        """Yield CANDIDATE_COUNT new openings; end earlier after MAX_MISSES unusable ones in a row."""
        count = misses = 0
        while count < CANDIDATE_COUNT and misses < MAX_MISSES:
            play_random_moves(position, rng, plies)
            form = canonical_form(position)
            if form in seen_forms or position.outcome() is not None or not is_usable(position):
                misses += 1
                continue
            seen_forms.add(form)
            count, misses = count + 1, 0
            yield position.moves

    while candidates := list(draw_candidates()):
        scored = [
            (score, moves) for moves in candidates if (score := _absolute_score(player, moves, depth)) is not None
        ]
        if scored:
            yield min(scored)[1]  # the moves with the score nearest to 0


def _absolute_score(player: Player, moves: Sequence[str], depth: int) -> int | None:
    """Return the absolute score of the position after `moves`; None if its result is proven."""
    player.set_position(moves)
    progress = player.choose(Limits(depth=depth)).progress
    return None if progress.result else abs(progress.score)


def play_random_moves(position: PositionT, rng: random.Random, plies: int) -> None:
    """Restart the game and play `plies` random legal moves, fewer if the game ends."""
    position.restart(position.setup)
    while len(position.moves) < plies and (moves := position.legal_moves()):
        position.play(rng.choice(moves))
