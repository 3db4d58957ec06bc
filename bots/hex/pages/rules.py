"""The rules of Hex in words."""

from core.play.player import Setup
from core.play.rules_page import Picture, Section

_SMALL = Setup(5, 5, "standard")
_SWAP = Setup(5, 5, "swap")
_CHAIN = ("c3", "b3", "b4", "c2", "d2", "d3", "e1", "a4", "b5")
_BRIDGE = ("c2", "e2", "b4", "d4")

SECTIONS = (
    Section(
        "The game",
        (
            "Two players put stones on the cells in turn; black begins. A stone is never moved or taken.",
            "Black wins with a chain of black stones from the upper to the lower edge, white with one of white stones"
            " from the left to the right edge. Each edge is drawn in the colour of its side; a corner cell belongs to"
            " both. There is no draw: who cannot be connected any more has lost.",
        ),
        (
            Picture("Black has won: the ringed stones lead from the top to the bottom.", _CHAIN, setup=_SMALL),
            Picture(
                "c2 and b4 are as good as joined: if white takes b3, black takes c3, and the other way round.",
                _BRIDGE,
                setup=_SMALL,
            ),
        ),
    ),
    Section(
        "The swap",
        (
            "To begin is a great advantage. With the rule swap the second player may answer the first stone by the"
            ' button "swap pieces": the stone becomes white and moves to the cell that lies as it did as seen from'
            " white's edges - what was c2 is b3 - and black is to move.",
        ),
        (
            Picture("Black begins at c2 ...", ("c2",), setup=_SWAP),
            Picture("... and white has swapped: a white stone at b3.", ("c2", "swap-pieces"), setup=_SWAP),
        ),
    ),
)
