"""The scale of scores, and the only functions that convert between scores and distances.

A score is for the side to move. A score from -MAX_EVALUATION to MAX_EVALUATION is an evaluation, in units of the game.
Scores beyond are proven results ("mate scores"): WIN - n is a win in n plies from the root (n is odd if the sides
alternate), n - WIN is a loss in n plies. A shorter win has the higher score.
"""

from __future__ import annotations

WIN = 32000
MAX_DISTANCE = 1000  # plies; no game here is longer
MAX_EVALUATION = WIN - MAX_DISTANCE - 1
INFINITE = WIN + 1  # beyond every score: an open window
NO_SCORE = -32768  # what a kernel returns if it has no score; outside the range of scores
DRAW = 0


def proven_score(distance: int) -> int:
    """Return the score of a win in `distance` plies (> 0) or of a loss in -`distance` plies (< 0)."""
    return WIN - distance if distance > 0 else -WIN - distance


def win_distance(score: int) -> int | None:
    """Return the plies to the win (> 0) or loss (< 0) that a score proves, or None for an evaluation."""
    if score > MAX_EVALUATION:
        return WIN - score
    if score < -MAX_EVALUATION:
        return -(WIN + score)
    return None
