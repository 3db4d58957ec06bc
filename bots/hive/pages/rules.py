"""The rules of Hive in words."""

from core.play.rules_page import Picture, Section

_ROW = ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-")  # queens at both ends of four
_GATE = ("wS1", "bS1 wS1-", "wQ /wS1", "bQ bS1\\", "wA1 wQ\\", "bA1 bQ-", "wA2 -wQ", "bA2 bA1-")  # five round a hole
_WON = (
    r"wP;bG1 -wP;wQ wP-;bL \bG1;wB1 wP/;bP -bL;wB1 bL-;bQ /bG1;wB1 bG1;bG2 /bP;wB1 bQ;bG2 bP/;wB2 wB1\;bS1 -bP;"
    r"wM -wB1;bS1 \wM;wG1 -wB2;bS2 \bS1;wB1 bS1-;bS1 bS2/;wQ bQ-"
)


def _at_the_end(tile: str) -> tuple[str, ...]:
    """A row with that tile of white's at its left end, and white to move."""
    return (*_ROW, f"{tile} -wQ", "bA1 bQ-")


SECTIONS = (
    Section(
        "The game",
        (
            "There is no board: the tiles are the hive. White begins; in a turn you put a tile from your hand into play"
            " or move one of yours. Who surrounds the other side's queen bee on all six sides wins, whoever's tiles"
            " they are. Where both queens are surrounded by one move, the game is a draw.",
            "A new tile must touch tiles of its own side only; the first two tiles of the game just touch each other."
            " The queen must be in play by the fourth turn of her side, and until she is, none of that side's tiles"
            " moves. Who can neither put nor move a tile passes.",
        ),
        (
            Picture("White may put a new tile here: beside white, not beside black.", _ROW, "wA1", dots=True),
            Picture("White has won: the black queen, ringed, is surrounded.", tuple(_WON.split(";"))),
        ),
    ),
    Section(
        "What holds for every move",
        (
            "One hive: the tiles hang together at every moment, also while one is lifted. A tile whose going would"
            " leave two parts may not move.",
            "Room to slide: tiles slide on the table, and may not squeeze between two that leave no room. Who jumps or"
            " climbs does not slide.",
        ),
        (
            Picture("The white spider holds the hive together: it has no place to go.", _ROW, "wS1", dots=True),
            Picture(
                "The ant goes round the whole hive, but not into the hole: its gate is too narrow.",
                _GATE,
                "wA2",
                dots=True,
            ),
        ),
    ),
    Section(
        "The tiles",
        ("Each picture shows where the white tile at the left end may go.",),
        (
            Picture("Queen bee: one place.", _ROW, "wQ", dots=True),
            Picture("Spider: three places along the hive, no more and no fewer.", _at_the_end("wS2"), "wS2", dots=True),
            Picture(
                "Beetle: one place, also up on other tiles and down again. What is under it cannot move, and counts"
                " as the beetle's side for new tiles.",
                _at_the_end("wB1"),
                "wB1",
                dots=True,
            ),
            Picture(
                "Grasshopper: straight over a row of tiles, one at least, to the first free place.",
                _at_the_end("wG1"),
                "wG1",
                dots=True,
            ),
            Picture("Ant: along the hive as far as it likes.", _at_the_end("wA1"), "wA1", dots=True),
        ),
    ),
    Section(
        "Mosquito, ladybug, pillbug",
        (
            "They are in play where the type of game has their letter: Base+MLP has all three.",
            "The mosquito moves as any tile does that it touches; on top of the hive it is a beetle.",
            "The pillbug moves like the queen. Instead, it - or a mosquito that touches one - may lift a tile beside"
            " it, of either side, over itself to another free place beside it. That must be neither a tile of a stack"
            " nor the one that moved last, and the hive must hold together; a tile that was lifted may not move in the"
            " very next turn.",
        ),
        (
            Picture("Mosquito: it touches only the queen, and moves like her.", _at_the_end("wM"), "wM", dots=True),
            Picture("Ladybug: two places over the hive, then one down.", _at_the_end("wL"), "wL", dots=True),
            Picture(
                "The pillbug beside the queen may lift her to every free place at its own sides; two she reaches"
                " by herself.",
                ("wS1", "bS1 wS1-", "wP -wS1", "bQ bS1-", "wQ -wP", "bA1 bQ-"),
                "wQ",
                dots=True,
            ),
        ),
    ),
)
