"""The rules of Gomoku, with pictures, for the browser page. A picture shows the position after some moves."""

from core.play.player import Setup
from core.play.rules_page import Picture, Section

_SMALL = Setup(9, 9, "freestyle")
_STANDARD = Setup(9, 9, "standard")
_RENJU = Setup(9, 9, "renju")
# Moves that lead to the pictured positions: black has five, black has six, black would make a double three.
_FIVE = ("e5", "d4", "e4", "f6", "e6", "d6", "e7", "d7", "e3")
_SIX = ("b5", "b3", "c5", "c3", "d5", "h3", "f5", "g8", "g5", "g7", "e5")
_THREES = ("e4", "b2", "e3", "b7", "d5", "h2", "c5", "h7")

SECTIONS = (
    Section(
        "The game",
        (
            "Two players, black and white, put stones on the crossings of the lines in turn. Black begins. A stone is"
            " never moved or taken.",
            "The first player with five stones in a row - across, down or on a diagonal - wins. A full board without a"
            " five is a draw.",
        ),
        (
            Picture("Black has won: five in a column, marked by blue rings.", _FIVE, setup=_SMALL),
            Picture("The first stone may go anywhere.", (), dots=True, setup=_SMALL),
        ),
    ),
    Section(
        "The rules by name",
        (
            "freestyle: five or more in a row win.",
            "standard: exactly five win, for both sides. Six or more do not win.",
            "renju: white wins as in freestyle. Black wins with exactly five, and may not make two open threes, two"
            " fours or a row of six or more with one stone. Crosses mark the squares where black may not play now.",
            "caro: exactly five win, unless the other side's stones block both ends. caro-overline: the same, but six"
            " or more win, too.",
        ),
        (
            Picture("Freestyle: six in a row win, too.", _SIX, setup=_SMALL),
            Picture("Standard: the same six are no five, and the game goes on.", _SIX, setup=_STANDARD),
            Picture("Renju: a stone at the cross would make two open threes, so black may not.", _THREES, setup=_RENJU),
        ),
    ),
)
