"""The rules of Kolibrat in words."""

from core.play.player import Setup
from core.play.rules_page import Picture, Section


def _from(position: str) -> Setup:
    return Setup(variant="3x4-4-5", position=position)


SECTIONS = (
    Section(
        "The game",
        (
            "Red begins and plays upwards from the lowest rank, black downwards from the highest. Both hold all their"
            " pieces in hand at first. Who first has the points that win - five in the usual game - has won.",
            "In a turn you do one of these: insert a piece, move one diagonally, attack, jump, or leave for a point.",
        ),
        (
            Picture("Insert: a piece from the hand comes on a free square of your own first rank.", (), dots=True),
            Picture(
                "Diagonal: one square forward and one to the side, where it is free.",
                (),
                "b2",
                dots=True,
                setup=_from("3/3/1r1/3 r 0 0 4 5"),
            ),
        ),
    ),
    Section(
        "Attack, jump, points",
        (
            "Attack: a piece with an enemy piece straight before it may take its square; the enemy piece goes back to"
            " its owner's hand, and nobody has a point.",
            "Jump: a piece with enemy pieces straight before it, one or more without a gap, may jump over the whole"
            " row to the square behind. That square must be free, or beyond the board: that is a point. What is jumped"
            " over stays.",
            "A piece on the other side's first rank may leave the board for a point. Pieces that have left come back"
            " to the hand.",
        ),
        (
            Picture(
                "The red piece at b2 may go to a3 and c3, take b3, or jump over it to b4.",
                (),
                "b2",
                dots=True,
                setup=_from("3/1b1/1r1/3 r 0 0 4 5"),
            ),
            Picture(
                "Here the jump from b1 goes over three, off the board: a point.",
                (),
                "b1",
                dots=True,
                setup=_from("1b1/1b1/1b1/1r1 r 0 0 4 5"),
            ),
            Picture(
                "On the last rank: the strip beyond it is where the piece leaves for a point.",
                (),
                "b4",
                dots=True,
                setup=_from("1r1/3/3/3 r 0 0 4 5"),
            ),
        ),
    ),
    Section(
        "No move",
        (
            "There is no move straight forward to a free square, none backward or sideways, and nobody may pass who has"
            " a move. Who has none is skipped: the other side plays again. Where a move leaves both sides without one,"
            " who made it has lost.",
            "A position that comes for the third time, and a game of 500 moves, is a draw.",
        ),
    ),
)
