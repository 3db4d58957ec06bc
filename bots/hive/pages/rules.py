"""The rules of Hive as text and pictures for the web pages."""

from core.play.rules_page import Picture, Section

# Moves (bots/hive/notation.py) that lead to the positions of the pictures.
FOUR_IN_A_ROW = ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-")  # a queen at either end
HOLE_WITH_NARROW_GATE = (  # five of the tiles are around the hole
    "wS1",
    "bS1 wS1-",
    "wQ /wS1",
    "bQ bS1\\",
    "wA1 wQ\\",
    "bA1 bQ-",
    "wA2 -wQ",
    "bA2 bA1-",
)
WON_BY_WHITE = (
    r"wP;bG1 -wP;wQ wP-;bL \bG1;wB1 wP/;bP -bL;wB1 bL-;bQ /bG1;wB1 bG1;bG2 /bP;wB1 bQ;bG2 bP/;wB2 wB1\;bS1 -bP;"
    r"wM -wB1;bS1 \wM;wG1 -wB2;bS2 \bS1;wB1 bS1-;bS1 bS2/;wQ bQ-"
)


def _at_the_end(tile: str) -> tuple[str, ...]:
    """Return the moves to a row with a given white tile at its left end, white to move."""
    return (*FOUR_IN_A_ROW, f"{tile} -wQ", "bA1 bQ-")


# A picture has a caption, moves, and the tile that is drawn as clicked; `dots` shows the cells that it may go to.
SECTIONS = (
    Section(
        "The game",
        (
            "There is no board: the tiles are the hive. White begins; in a turn you put a tile from your hand into play"
            " or move one of yours. You win when the other side's queen bee is surrounded on all six sides, no matter"
            " whose tiles surround her. If one move surrounds both queens, the game is a draw.",
            "A new tile must touch tiles of its own side only; the first two tiles of the game touch each other."
            " The queen must be in play by the fourth turn of her side. Until she is, none of that side's tiles may"
            " move. A player who can neither place nor move a tile passes.",
        ),
        (
            Picture("White may put a new tile here: beside white, not beside black.", FOUR_IN_A_ROW, "wA1", dots=True),
            Picture("White has won: the black queen, ringed, is surrounded.", tuple(WON_BY_WHITE.split(";"))),
        ),
    ),
    Section(
        "Rules for every move",
        (
            "One hive: the tiles stay connected at every moment, even while one of them is lifted. A tile may not move"
            " if the hive would fall into two parts without it.",
            "Freedom to move: tiles slide on the table and may not squeeze through a gap that is too narrow. Tiles"
            " that jump or climb do not slide.",
        ),
        (
            Picture("The white spider holds the hive together: it may not move.", FOUR_IN_A_ROW, "wS1", dots=True),
            Picture(
                "The ant goes round the whole hive, but not into the hole: its gate is too narrow.",
                HOLE_WITH_NARROW_GATE,
                "wA2",
                dots=True,
            ),
        ),
    ),
    Section(
        "The tiles",
        ("Each picture shows where the white tile at the left end may move.",),
        (
            Picture("Queen bee: one cell.", FOUR_IN_A_ROW, "wQ", dots=True),
            Picture("Spider: exactly three cells along the hive.", _at_the_end("wS2"), "wS2", dots=True),
            Picture(
                "Beetle: one cell, also up onto other tiles and down again. The tiles under it cannot move, and the"
                " stack counts as the beetle's side for the placement of new tiles.",
                _at_the_end("wB1"),
                "wB1",
                dots=True,
            ),
            Picture(
                "Grasshopper: straight over a row of at least one tile to the first free cell.",
                _at_the_end("wG1"),
                "wG1",
                dots=True,
            ),
            Picture("Ant: any number of cells along the hive.", _at_the_end("wA1"), "wA1", dots=True),
        ),
    ),
    Section(
        "Mosquito, ladybug, pillbug",
        (
            "They are used if the game type has their letter: Base+MLP has all three.",
            "The mosquito moves like any tile that it touches; on top of the hive it moves like a beetle.",
            "The pillbug moves like the queen. Instead of moving, it - or a mosquito that touches a pillbug - may lift"
            " an adjacent tile of either side over itself to another free cell beside it. The lifted tile must not be"
            " part of a stack nor the tile that moved last, and the hive must stay connected. A lifted tile may not"
            " move in the next turn.",
        ),
        (
            Picture("Mosquito: it touches only the queen, and moves like her.", _at_the_end("wM"), "wM", dots=True),
            Picture("Ladybug: two cells over the top of the hive, then one down.", _at_the_end("wL"), "wL", dots=True),
            Picture(
                "The pillbug beside the queen may lift her to every free cell beside itself; two more cells she reaches"
                " on her own.",
                ("wS1", "bS1 wS1-", "wP -wS1", "bQ bS1-", "wQ -wP", "bA1 bQ-"),
                "wQ",
                dots=True,
            ),
        ),
    ),
)
