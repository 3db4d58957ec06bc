"""`BoardPosition`: base class of the games' positions, with a kernel state and the moves that led to it."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

from core.native.load_kernels import load_kernels
from core.play.game import Outcome
from core.play.player import IllegalMove, Setup, allowed_moves


class BoardState(Protocol):
    """Fields that the kernel states of all games have."""

    side: int  # to move: FIRST or SECOND


class BoardKernels(Protocol):
    """Kernels that all games have."""

    def new(self, state_type: Any, /) -> Any: ...
    def apply(self, state: Any, move: int, /) -> None: ...
    def undo(self, state: Any, /) -> None: ...
    def perft(self, state: Any, depth: int, /) -> int: ...


class BoardPosition(ABC):
    """A game in progress: implements `core.play.game.Position` with the kernels of a game.

    Callers give and get moves as text. The kernels encode a move as an int, its move code, which each game documents.
    The methods `..._numbers` return move codes. The kernels also have `is_legal(state, move)` and `list_legal(state)`,
    which fills `state.list` and returns the count; a game without these overrides the methods that call them.
    """

    game: ClassVar[str]  # name of the game whose kernels are loaded
    state_type: ClassVar[str]  # name of the type of `state` among the kernels' state types
    has_avx512_kernels: ClassVar[bool] = False  # True if the kernels are also compiled for AVX-512
    # Greatest depth of `perft` in plies; a game whose state has one move list per ply sets the number of these lists
    max_perft_depth: ClassVar[int] = sys.maxsize
    library: BoardKernels
    state: BoardState

    def __init__(self, setup: Setup):
        """Load the kernels and set up the start position; raise BadSetup."""
        self.library = load_kernels(self.game, self.has_avx512_kernels)
        self.state = self.library.new(self.state_type)
        self.restart(setup)

    def restart(self, setup: Setup) -> None:
        """Begin another game in place; if the setup is invalid, raise BadSetup and change nothing."""
        self.setup = self._check_setup(setup)
        self._moves: list[str] = []
        self._set_up()

    @abstractmethod
    def _check_setup(self, setup: Setup) -> Setup:
        """Return the setup in the game's canonical spelling; raise BadSetup if it is invalid."""

    @abstractmethod
    def _set_up(self) -> None:
        """Fill `state` with the start position of `setup`."""

    @property
    def to_move(self) -> int:
        """The side to move, FIRST or SECOND (core/play/game.py)."""
        return self.state.side

    @property
    def moves(self) -> list[str]:
        """Moves played so far, in the game's canonical notation."""
        return list(self._moves)

    @abstractmethod
    def parse(self, text: str) -> int:
        """Return the code of a move, legal or not; raise IllegalMove if the text is malformed."""

    def parse_moves(self, moves: Sequence[str]) -> list[int]:
        """Return the codes of moves, each parsed in the present position; raise IllegalMove."""
        return [self.parse(move) for move in moves]

    @abstractmethod
    def format(self, move_code: int) -> str:
        """Return the text of a legal move."""

    def format_line(self, move_codes: Sequence[int]) -> list[str]:
        """Return the moves of a variation, which begins at this position, as text. The position stays the same."""
        moves = []
        for move_code in move_codes:
            moves.append(self.format(move_code))
            self.library.apply(self.state, move_code)
        for _ in moves:
            self.library.undo(self.state)
        return moves

    def legal_numbers(self) -> list[int]:
        """Return the codes of all legal moves; empty if the game is over."""
        kernels: Any = self.library
        state: Any = self.state
        return list(state.list[: kernels.list_legal(state)])

    def allowed_numbers(self, exclude: Sequence[str]) -> list[int]:
        """Return the codes of the legal moves that are not excluded.

        Raise IllegalMove if an excluded move is malformed, and AllMovesExcluded if all legal moves are excluded.
        """
        return allowed_moves(self.legal_numbers(), self.parse_moves(exclude))

    def legal_moves(self) -> list[str]:
        """Return all legal moves as text; empty if the game is over."""
        return [self.format(move_code) for move_code in self.legal_numbers()]

    def play(self, move: str) -> None:
        """Play a move; raise IllegalMove with the reason if it is not legal."""
        move_code = self.parse(move)
        if not self._is_legal(move_code):
            raise IllegalMove(f"{move} is illegal: {self._reason(move_code)}")
        self.make(move_code)

    def make(self, move_code: int) -> None:
        """Play a legal move given by its code."""
        text = self.format(move_code)
        self.library.apply(self.state, move_code)
        self._moves.append(text)

    def replay(self, moves: Sequence[str]) -> None:
        """Go back to the start position and play `moves`.

        Raise IllegalMove at the first illegal one; the moves before it stay played.
        """
        self.restart(self.setup)
        for move in moves:
            self.play(move)

    def undo(self) -> None:
        """Take back the last move; raise IllegalMove if there is none."""
        if not self._moves:
            raise IllegalMove("there is no move to take back")
        self.library.undo(self.state)
        self._moves.pop()

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None if it is not over."""

    def perft(self, depth: int) -> int:
        """Return the number of legal move sequences of `depth` plies; raise ValueError above `max_perft_depth`."""
        if depth > self.max_perft_depth:
            raise ValueError(f"perft depth must be at most {self.max_perft_depth} plies, not {depth}")
        return self.library.perft(self.state, depth)

    def _is_legal(self, move_code: int) -> bool:
        kernels: Any = self.library
        return bool(kernels.is_legal(self.state, move_code))

    @abstractmethod
    def _reason(self, move_code: int) -> str:
        """Return why a move is illegal, as the end of the message `MOVE is illegal: ...`."""
