"""The rules of Pentago, with pictures, for the browser page."""

from core.play.rules_page import Picture, Section

_TURNED = ("c1t",)
_BEFORE = ("a1t", "f1u", "b3x", "e5z", "a4s")
_WON = ("a1x", "f1u", "b1w", "e5z", "c1y", "f3u", "d1x", "c6w", "e1")

SECTIONS = (
    Section(
        "The game",
        (
            "White begins. A turn has two parts: put a marble of your colour into any free hole, then turn any one of"
            " the four quadrants by a quarter, whichever way you like - an empty one, too.",
            "Who then has five marbles of one colour in a row - across, down or on a diagonal, also over the gaps -"
            " wins. Where both have five after a turn, or the board is full without a five, the game is a draw.",
            "Five before the turn win at once: then no quadrant is turned.",
        ),
        (
            Picture("First the hole: every free one may be taken.", _BEFORE, dots=True),
            Picture("Then the turn: one of the eight arrows, two for each quadrant.", _BEFORE, "d4", dots=True),
            Picture("White has put a marble at c1 and turned that quadrant clockwise: it lies at c3 now.", _TURNED),
            Picture("White has won by a placement alone: a1 to e1.", _WON),
        ),
    ),
    Section(
        "How moves are written",
        (
            "A move is a hole and the letter beside the arrow: b2s. A placement that wins has no letter. s and t turn"
            " the upper left quadrant, u and v the upper right, w and x the lower right, y and z the lower left, the"
            " first of each pair anticlockwise.",
        ),
    ),
)
