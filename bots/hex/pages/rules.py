"""The rules of Hex for the pages in the browser."""

from core.play.player import Setup
from core.play.rules_page import Picture, Section

_SMALL = Setup(5, 5, "standard")
_SWAP = Setup(5, 5, "swap")
_CHAIN = ("c3", "b3", "b4", "c2", "d2", "d3", "e1", "a4", "b5")  # a whole game, black first
_BRIDGE = ("c2", "e2", "b4", "d4")  # black's c2 and b4 form a bridge

SECTIONS = (
    Section(
        "The game",
        (
            "Two players take turns to place a stone on an empty cell; black begins. Stones are never moved or"
            " captured.",
            "Black wins with a chain of black stones from the top edge to the bottom edge, white with a chain of white"
            " stones from the left edge to the right edge. Each edge is drawn in the colour of its side; a corner cell"
            " belongs to both edges. There are no draws.",
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
            "Moving first is a great advantage. With the swap rule the second player may answer the first stone with"
            ' the button "swap pieces": the stone becomes white and moves to the mirrored cell, with column and row'
            " exchanged - c2 becomes b3 - and black is to move.",
        ),
        (
            Picture("Black begins at c2 ...", ("c2",), setup=_SWAP),
            Picture("... and white has swapped: a white stone at b3.", ("c2", "swap-pieces"), setup=_SWAP),
        ),
    ),
)
