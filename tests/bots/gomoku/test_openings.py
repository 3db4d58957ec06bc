"""The check that an opening is balanced, and the canonical form of an opening.

`stays_even` accepts an opening if a search finds a small score in its position and after each of the next four best
moves.
"""

from __future__ import annotations

import pytest

from bots.gomoku.board_player import BoardPlayer
from bots.gomoku.openings import MAX_EVEN_SCORE, MAX_LATER_SCORE, balanced_openings, stays_even
from bots.gomoku.symmetry import canonical_form
from core.play.options import OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback, Setup, ignore_progress

FREESTYLE = Setup(15, 15, "freestyle")


class ScriptedPlayer(BoardPlayer):
    """A player whose search number n, from 0, returns `scores[n]` and the move in column n of row 1.

    The search number `lost_search` returns a proven loss.
    """

    def __init__(self, scores: list[int], lost_search: int = -1) -> None:
        super().__init__(OptionSet(()))
        self.scores, self.lost_search = scores, lost_search
        self.searched: list[list[str]] = []  # moves of each searched position

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        assert limits.depth == 6
        number = len(self.searched)
        self.searched.append(list(self.position.moves))
        progress = Progress(
            depth=6, score=self.scores[number], proven_result="loss" if number == self.lost_search else ""
        )
        report(progress)
        return Decision(f"{'abcde'[number]}1", progress)


@pytest.mark.parametrize(
    ("scores", "lost_search", "even", "searches"),
    [
        ([0, 0, 0, 0, 0], -1, True, 5),
        ([MAX_EVEN_SCORE, MAX_LATER_SCORE, -MAX_LATER_SCORE, MAX_LATER_SCORE, -MAX_LATER_SCORE], -1, True, 5),
        ([MAX_EVEN_SCORE + 1, 0, 0, 0, 0], -1, False, 1),
        ([-MAX_EVEN_SCORE - 1, 0, 0, 0, 0], -1, False, 1),
        ([0, 0, MAX_LATER_SCORE + 1, 0, 0], -1, False, 3),
        ([0, 0, 0, 0, -MAX_LATER_SCORE - 1], -1, False, 5),
        ([0, 0, 0, 0, 0], 3, False, 4),
    ],
)
def test_best_line_must_stay_even(scores: list[int], lost_search: int, even: bool, searches: int) -> None:
    """`even` is the expected answer, `searches` the number of searches until it is known.

    Each searched position is the previous one plus the best move found in it.
    """
    player = ScriptedPlayer(scores, lost_search)
    player.new_game(FREESTYLE)
    assert stays_even(player, ["h8", "i9"], 6) is even
    line = ["h8", "i9", "a1", "b1", "c1", "d1"]
    assert player.searched == [line[: 2 + number] for number in range(searches)]


def test_mirrored_openings_have_the_same_canonical_form() -> None:
    mirrored = ["h8", "g9", "i7"]
    assert canonical_form(["h8", "i9", "g7"], FREESTYLE) == canonical_form(mirrored, FREESTYLE)


def test_openings_end_when_all_are_used() -> None:
    """Regression: the search for another opening never ended. One stone on 5x5 has 6 places under symmetry."""
    openings = list(balanced_openings(Setup(5, 5, "freestyle"), 1, 1, 1))
    assert len({canonical_form(moves, Setup(5, 5, "freestyle")) for moves in openings}) == len(openings) <= 6
