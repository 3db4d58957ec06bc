"""Pentago's position: the Python wrapper of the rules kernels, used by players, referee and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from core.play.board import BoardPosition
from core.play.game import FIRST, SECOND, Outcome
from core.play.player import Setup
from core.play.squares import format_square

if TYPE_CHECKING:
    from bots.pentago.kernels.boundary import Kernels, Pentago

MAX_PERFT = 12  # plies


class PentagoPosition(BoardPosition):
    """A game in progress (protocols.gtp.game.GtpPosition); white moves first."""

    game, state_type, max_perft_depth = "pentago", "Pentago", MAX_PERFT
    library: Kernels
    state: Pentago

    def _check_setup(self, setup: Setup) -> Setup:
        return check_setup(setup)

    def _set_up(self) -> None:
        position = self.setup.position
        self.library.setup(self.state, *(parse_rows(position) if position else (0, 0, 0)))

    @property
    def stones(self) -> int:
        """Number of marbles on the board."""
        return (self.state.white | self.state.black).bit_count()

    def parse(self, text: str) -> int:
        """Return the number of a move, legal or not; raise `IllegalMove` if the text is no move.

        A rotation after a winning placement is dropped: programs of the dialect send one.
        """
        cell, turn = parse_move(text)
        placement = number_move(cell, None)
        return placement if turn is None or self.library.is_legal(self.state, placement) else number_move(cell, turn)

    def format(self, number: int) -> str:
        """Return the text of a legal move.

        In the dialect a winning placement gets a rotation after which it is still a win, or else a draw, because
        Pentagod and Morat look for fives only after the rotation.
        """
        if number < PLACEMENT or self.setup.variant != PENTAGOD:
            return format_move(number)
        state, cell = self.state, number - PLACEMENT
        wanted, turns = (DRAW, 1 + state.side), []
        for turn in range(len(TURNS)):
            self.library.apply(state, number_move(cell, turn))
            turns.append(wanted.index(state.result) if state.result in wanted else -1)
            self.library.undo(state)
        return format_move(number_move(cell, turns.index(max(turns))))

    def make(self, number: int) -> None:
        """Play a legal move by its number. The list of moves is kept in our notation also in the dialect."""
        super().make(number)
        if self.setup.variant == PENTAGOD:
            self._moves[-1] = format_move(number)

    def outcome(self) -> Outcome | None:
        """Return the winner, a draw by fives of both colours or a full board, or None while the game goes on."""
        if not self.state.result:
            return None
        if self.state.result != DRAW:
            return Outcome(FIRST if self.state.result == WHITE_WINS else SECOND, "five")
        full = self.stones == len(self.board_cells())
        return Outcome(None, "full board" if full else "both have five")

    def decided_by(self) -> list[str]:
        """Return the squares of all fives, of both colours if both have one."""
        boards = self.state.white, self.state.black
        full = [line for line in LINES for board in boards if all(board >> cell & 1 for cell in line)]
        return [format_square(*SQUARES[cell]) for cell in sorted({cell for line in full for cell in line})]

    def position_text(self) -> str:
        """Return the position as one line: rows from the top and the side to move."""
        return format_position(self.state.white, self.state.black, self.to_move)

    def board_cells(self) -> str:
        """Return the 36 squares row by row: `w`, `b` or `.`."""
        return "".join(format_rows(self.state.white, self.state.black))

    def board(self) -> str:
        """Return the board as text, rows from the top, with lines between the quadrants: `w` white, `b` black."""
        rows = [
            f"{number} {' '.join(row[:3])} | {' '.join(row[3:])}"
            for number, row in enumerate(format_rows(self.state.white, self.state.black), 1)
        ]
        return "\n".join(["  a b c   d e f", *rows[:3], "  ------+------", *rows[3:]])

    def _reason(self, number: int) -> str:
        if self.state.result:
            return "the game is over"
        cell = number - PLACEMENT if number >= PLACEMENT else (number - 1) // 8
        if (self.state.white | self.state.black) >> cell & 1:
            return "the square is occupied"
        return "a bare square is for a placement that makes five; other moves end with a turn from s to z"
