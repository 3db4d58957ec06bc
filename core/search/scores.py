"""The scale of scores, and the only functions that turn a score into a distance and back.

A score is for the side to move. |score| <= MAX_EVALUATION is an estimate; above stands a proven result, where
WIN - n is a win in n plies from the root (odd n) and n - WIN a loss in n plies (even n).
"""

from __future__ import annotations

WIN = 32000
MAX_DISTANCE = 1000  # plies; no game here is longer than that from any root
MAX_EVALUATION = WIN - MAX_DISTANCE - 1
INFINITE = WIN + 1
NO_SCORE = -32768  # what a game's `terminal_score` kernel answers while nothing is decided; never a score
DRAW = 0


def proven_score(distance: int) -> int:
    """The score of a win in `distance` plies (> 0) or of a loss in -`distance` plies (< 0)."""
    return WIN - distance if distance > 0 else -WIN - distance


def win_distance(score: int) -> int | None:
    """Plies to the proven win (> 0) or loss (< 0) that a score tells, or None for an estimate."""
    if score > MAX_EVALUATION:
        return WIN - score
    if score < -MAX_EVALUATION:
        return -(WIN + score)
    return None
