"""The rules of Kolibrat as text and pictures for the web pages."""

from core.play.player import Setup
from core.play.rules_page import Picture, Section


def _setup_from(position: str) -> Setup:
    """Return a setup that begins at a position (bots/kolibrat/notation.py)."""
    return Setup(variant="3x4-4-5", position=position)


# A picture has a caption, moves (none here), and the square that is drawn as clicked; `dots` shows where it may go.
SECTIONS = (
    Section(
        "The game",
        (
            "Red begins and plays upwards from the lowest rank, black downwards from the highest. At first all pieces"
            " are in the players' hands. The first player to reach the goal - five points in the usual game - wins.",
            "In a turn you do one of these: insert a piece, move one diagonally, attack, jump, or leave the board for a"
            " point.",
        ),
        (
            Picture("Insert: put a piece from your hand on a free square of your own first rank.", (), dots=True),
            Picture(
                "Diagonal: one square forward and one to the side, onto a free square.",
                (),
                "b2",
                dots=True,
                setup=_setup_from("3/3/1r1/3 r 0 0 4 5"),
            ),
        ),
    ),
    Section(
        "Attack, jump, points",
        (
            "Attack: a piece may capture an enemy piece straight in front of it and take its square. The captured piece"
            " goes back to its owner's hand; nobody scores.",
            "Jump: a piece may jump over an unbroken line of one or more enemy pieces straight in front of it, to the"
            " square behind the line. That square must be free, or beyond the board: then the jump scores a point. The"
            " pieces that were jumped over stay.",
            "A piece on the other side's first rank may leave the board for a point. Pieces that have left the board"
            " go back to the hand.",
        ),
        (
            Picture(
                "The red piece at b2 may go to a3 and c3, take b3, or jump over it to b4.",
                (),
                "b2",
                dots=True,
                setup=_setup_from("3/1b1/1r1/3 r 0 0 4 5"),
            ),
            Picture(
                "Here the piece at b1 may jump over three pieces and off the board: a point.",
                (),
                "b1",
                dots=True,
                setup=_setup_from("1b1/1b1/1b1/1r1 r 0 0 4 5"),
            ),
            Picture(
                "On the last rank: to leave the board for a point, click the strip beyond it.",
                (),
                "b4",
                dots=True,
                setup=_setup_from("1r1/3/3/3 r 0 0 4 5"),
            ),
        ),
    ),
    Section(
        "No move",
        (
            "There are no moves straight forward to a free square, backward or sideways. A player who has a move must"
            " not pass. A player without a move is skipped: the other side plays again. If a move leaves both sides"
            " without a move, the player who made it loses.",
            "The game is a draw when a position occurs for the third time, or after 500 moves.",
        ),
    ),
)
