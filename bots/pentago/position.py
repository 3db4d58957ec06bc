"""`PentagoPosition`, the Python interface to the rules of Pentago, used by players, referee and tests.

The rules themselves are the kernels in bots/pentago/kernels/rules.py. Users of this class mostly see moves as text
(`b2s`); the kernels know them as integer codes. bots/pentago/layout.py explains the codes of moves and cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.pentago.layout import DRAW, LINES, PLACEMENT, SQUARES, WHITE_WINS
from bots.pentago.notation import (
    PENTAGOD,
    TURNS,
    check_setup,
    encode_move,
    format_move,
    format_position,
    format_rows,
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
    def marble_count(self) -> int:
        """Number of marbles on the board."""
        return (self.state.white | self.state.black).bit_count()

    def parse(self, text: str) -> int:
        """Return the code of a move, whether or not it is legal; raise `IllegalMove` if the text is malformed.

        A rotation after a winning placement is dropped: programs of the dialect send one.
        """
        cell, turn = parse_move(text)
        placement = encode_move(cell, None)
        return placement if turn is None or self.library.is_legal(self.state, placement) else encode_move(cell, turn)

    def format(self, move_code: int) -> str:
        """Return the text of a legal move.

        In the dialect a winning placement gets a rotation after which it is still a win, or else a draw, or else any
        rotation. Pentagod and Morat look for fives only after the rotation.
        """
        if move_code < PLACEMENT or self.setup.variant != PENTAGOD:
            return format_move(move_code)
        state, cell = self.state, move_code - PLACEMENT
        preference = {DRAW: 1, 1 + state.side: 2}  # by result; the second key is this side's win
        preferences = []  # of the rotations 0 to 7
        for turn in range(len(TURNS)):
            self.library.apply(state, encode_move(cell, turn))
            preferences.append(preference.get(state.result, 0))
            self.library.undo(state)
        return format_move(encode_move(cell, preferences.index(max(preferences))))

    def make(self, move_code: int) -> None:
        """Play a legal move by its code. `moves` keeps it in our notation even if the game is in the dialect."""
        super().make(move_code)
        if self.setup.variant == PENTAGOD:
            self._moves[-1] = format_move(move_code)

    def outcome(self) -> Outcome | None:
        """Return the winner, a draw by fives of both colours or a full board, or None while the game goes on."""
        if not self.state.result:
            return None
        if self.state.result != DRAW:
            return Outcome(FIRST if self.state.result == WHITE_WINS else SECOND, "five")
        is_full = self.marble_count == len(self.board_cells())
        return Outcome(None, "full board" if is_full else "both have five")

    def decided_by(self) -> list[str]:
        """Return the squares of all fives, of both colours if both have one; empty if nobody has."""
        boards = self.state.white, self.state.black
        fives = [line for line in LINES for board in boards if all(board >> cell & 1 for cell in line)]
        return [format_square(*SQUARES[cell]) for cell in sorted({cell for line in fives for cell in line})]

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

    def _reason(self, move_code: int) -> str:
        """Return why a move is illegal."""
        if self.state.result:
            return "the game is over"
        cell = move_code - PLACEMENT if move_code >= PLACEMENT else (move_code - 1) // 8
        if (self.state.white | self.state.black) >> cell & 1:
            return "the square is occupied"
        return "a bare square is for a placement that makes five; other moves end with a turn from s to z"
