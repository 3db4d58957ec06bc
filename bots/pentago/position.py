"""The Python face of Pentago's rules: one board that bots, referee and tests share. The rules are kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bots.pentago.layout import DRAW, LINES, PLACEMENT, SQUARES, WHITE_WINS
from bots.pentago.notation import (
    PENTAGOD,
    TURNS,
    check_setup,
    format_move,
    format_position,
    format_rows,
    number_move,
    parse_move,
)
from bots.pentago.notation import parse_position as parse_rows
from core.native.load import load
from core.play.game import FIRST, SECOND, Outcome
from core.play.player import IllegalMove, Setup
from core.play.squares import format_square

MAX_PERFT = 12  # plies


class PentagoPosition:
    """A game in progress (protocols.gtp.game.GtpPosition). `state` is the kernels' record."""

    def __init__(self, setup: Setup):
        """The setup's position, or the empty board; raise BadSetup."""
        self.library = load("pentago")
        self.state: Any = self.library.new("Pentago")
        self.restart(setup)

    def restart(self, setup: Setup) -> None:
        """Begin from another setup in the same record; raise BadSetup and change nothing."""
        self.setup = check_setup(setup)
        self.library.setup(self.state, *(parse_rows(setup.position) if setup.position else (0, 0, 0)))

    @property
    def to_move(self) -> int:
        """0 for white, who moves first, or 1."""
        return int(self.state.side)

    @property
    def stones(self) -> int:
        """Marbles on the board."""
        return (int(self.state.white) | int(self.state.black)).bit_count()

    @property
    def moves(self) -> list[str]:
        """The moves so far, in our spelling."""
        return [format_move(number) for number in self.state.path[: self.state.ply]]

    def parse(self, text: str) -> int:
        """The number of a move, legal or not: a turn after a winning placement is left out; raise IllegalMove."""
        cell, turn = parse_move(text)
        placement = number_move(cell, None)
        return placement if turn is None or self.library.is_legal(self.state, placement) else number_move(cell, turn)

    def format(self, number: int) -> str:
        """A legal move as text. In the dialect a winning placement has a turn that leaves it a win, where there is one.

        For Pentagod and Morat look for fives only after the turn.
        """
        if number < PLACEMENT or self.setup.variant != PENTAGOD:
            return format_move(number)
        state, cell = self.state, number - PLACEMENT
        wanted, turns = (DRAW, 1 + int(state.side)), []
        for turn in range(len(TURNS)):
            self.library.apply(state, number_move(cell, turn))
            turns.append(wanted.index(state.result) if state.result in wanted else -1)
            self.library.undo(state)
        return format_move(number_move(cell, turns.index(max(turns))))

    def format_line(self, numbers: Sequence[int]) -> list[str]:
        """Legal moves played one after the other from here, as text; the position is unchanged after it."""
        texts = []
        for number in numbers:
            texts.append(self.format(number))
            self.library.apply(self.state, number)
        for _ in texts:
            self.library.undo(self.state)
        return texts

    def legal_numbers(self) -> list[int]:
        """The numbers of all legal moves, none where the game is over."""
        return list(self.state.list[: self.library.list_legal(self.state)])

    def legal_moves(self) -> list[str]:
        """All legal moves: for each empty square one where placing wins there, else eight turns."""
        return [self.format(number) for number in self.legal_numbers()]

    def play(self, move: str) -> None:
        """Play a move; raise IllegalMove with the reason."""
        number = self.parse(move)
        if not self.library.is_legal(self.state, number):
            raise IllegalMove(f"{move} is illegal: {self._reason(move)}")
        self.library.apply(self.state, number)

    def undo(self) -> None:
        """Take the last move back."""
        if not self.state.ply:
            raise IllegalMove("there is no move to take back")
        self.library.undo(self.state)

    def outcome(self) -> Outcome | None:
        """Five in a row, five of both colours after a turn, or a full board."""
        if not self.state.result:
            return None
        if self.state.result != DRAW:
            return Outcome(FIRST if self.state.result == WHITE_WINS else SECOND, "five")
        full = self.stones == len(self.board_cells())
        return Outcome(None, "full board" if full else "both have five")

    def decided_by(self) -> list[str]:
        """Squares of all fives, of both colours where both have one; none while nobody has."""
        boards = int(self.state.white), int(self.state.black)
        full = [line for line in LINES for board in boards if all(board >> cell & 1 for cell in line)]
        return [format_square(*SQUARES[cell]) for cell in sorted({cell for line in full for cell in line})]

    def perft(self, depth: int) -> int:
        """Number of legal move sequences of `depth` plies; raise ValueError above MAX_PERFT."""
        if depth > MAX_PERFT:
            raise ValueError(f"perft goes to {MAX_PERFT} plies, not {depth}")
        return int(self.library.perft(self.state, depth))

    def position_text(self) -> str:
        """The position in one line: rows from the top and the side to move."""
        return format_position(int(self.state.white), int(self.state.black), self.to_move)

    def board_cells(self) -> str:
        """The squares row by row: w, b or a point."""
        return "".join(format_rows(int(self.state.white), int(self.state.black)))

    def board(self) -> str:
        """Rows from the top with lines between the quadrants; `w` white, `b` black."""
        rows = [
            f"{number} {' '.join(row[:3])} | {' '.join(row[3:])}"
            for number, row in enumerate(format_rows(int(self.state.white), int(self.state.black)), 1)
        ]
        return "\n".join(["  a b c   d e f", *rows[:3], "  ------+------", *rows[3:]])

    def _reason(self, move: str) -> str:
        if self.state.result:
            return "the game is over"
        cell, _ = parse_move(move)
        if (int(self.state.white) | int(self.state.black)) >> cell & 1:
            return "the square is occupied"
        return "a bare square is for a placement that makes five; a turn from s to z is wanted"
