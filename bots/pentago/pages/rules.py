"""The rules of Pentago as text and pictures for the browser page."""

from core.play.rules_page import Picture, Section

# Moves (bots/pentago/notation.py) that lead to the positions of the pictures.
_AFTER_FIRST_MOVE = ("c1t",)
_OPENING = ("a1t", "f1u", "b3x", "e5z", "a4s")
_WON_BY_WHITE = ("a1x", "f1u", "b1w", "e5z", "c1y", "f3u", "d1x", "c6w", "e1")

# A picture has a caption, moves, and the square that is drawn as clicked; `dots` shows the possible next clicks.
SECTIONS = (
    Section(
        "The game",
        (
            "White begins. A move has two parts: put a marble of your colour into any free hole, then turn one of the"
            " four quadrants by a quarter, in either direction. The quadrant may be empty.",
            "The player who then has five marbles in a row - across, down or on a diagonal, also over the gaps - wins."
            " If both have five after a move, or if the board is full without a five, the game is a draw.",
            "Five in a row before the quadrant is turned win at once: then no quadrant is turned.",
        ),
        (
            Picture("First the hole: every free one may be chosen.", _OPENING, dots=True),
            Picture("Then the turn: one of the eight arrows, two for each quadrant.", _OPENING, "d4", dots=True),
            Picture(
                "White has put a marble at c1 and turned that quadrant clockwise: now the marble is at c3.",
                _AFTER_FIRST_MOVE,
            ),
            Picture("White has won by a placement alone: a1 to e1.", _WON_BY_WHITE),
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
