"""Rules and notation of tic-tac-toe: squares `a1` to `c3`, three in a row win. Crosses move first."""

from __future__ import annotations

from core.play.game import Outcome
from core.play.player import BadSetup, IllegalMove, Setup
from core.play.squares import format_square
from tests.move_counts import count_sequences

SIZE = 3
START = Setup(SIZE, SIZE, "plain")
SQUARES = tuple(format_square(x, y) for y in range(SIZE) for x in range(SIZE))
ROWS_OF_THREE = (
    *(SQUARES[row : row + SIZE] for row in range(0, SIZE * SIZE, SIZE)),
    *(SQUARES[column::SIZE] for column in range(SIZE)),
    SQUARES[:: SIZE + 1],
    SQUARES[SIZE - 1 : -1 : SIZE - 1],
)
SYMBOLS = "XO"


def check_setup(setup: Setup) -> Setup:
    """Return the setup if it is the only possible one; raise BadSetup otherwise."""
    if setup != START:
        raise BadSetup(f"tic-tac-toe is played on 3x3 from the empty board, rule {START.variant}")
    return setup


class TicTacToe:
    """Implements `protocols.gtp.game.GtpPosition`."""

    def __init__(self, setup: Setup = START) -> None:
        self.restart(setup)

    def restart(self, setup: Setup) -> None:
        self.setup = check_setup(setup)
        self._moves: list[str] = []

    @property
    def to_move(self) -> int:
        return len(self._moves) % 2

    @property
    def moves(self) -> list[str]:
        return list(self._moves)

    def legal_moves(self) -> list[str]:
        return [] if self.outcome() else [square for square in SQUARES if square not in self._moves]

    def play(self, move: str) -> None:
        if self.outcome():
            raise IllegalMove("the game is over")
        if move not in SQUARES:
            raise IllegalMove(f"a move must be a square from a1 to c3, not {move!r}")
        if move in self._moves:
            raise IllegalMove(f"{move} is taken")
        self._moves.append(move)

    def undo(self) -> None:
        if not self._moves:
            raise IllegalMove("there is no move to take back")
        self._moves.pop()

    def row(self) -> tuple[str, ...]:
        """Return the three squares in a row of the side that has just moved; empty if there is no such row."""
        squares = set(self._moves[(len(self._moves) - 1) % 2 :: 2])
        return next((row for row in ROWS_OF_THREE if squares.issuperset(row)), ())

    def outcome(self) -> Outcome | None:
        if self.row():
            return Outcome(1 - self.to_move, "three")
        return Outcome(None, "full board") if len(self._moves) == len(SQUARES) else None

    def perft(self, depth: int) -> int:
        return count_sequences(self, depth)

    def board(self) -> str:
        marks = {move: SYMBOLS[ply % 2] for ply, move in enumerate(self._moves)}
        rows = [SQUARES[row : row + SIZE] for row in range(0, SIZE * SIZE, SIZE)]
        return "\n".join(" ".join(marks.get(square, ".") for square in row) for row in rows)

    def position_text(self) -> str:
        return " ".join(self._moves)
