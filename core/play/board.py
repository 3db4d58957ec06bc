"""What the positions of all games do alike: a kernels' record with the moves that led to it."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

from core.native.load_kernels import load_kernels
from core.play.game import Outcome
from core.play.player import IllegalMove, Setup, allowed_moves


class BoardState(Protocol):
    """What the records of all games hold."""

    side: int


class BoardKernels(Protocol):
    """What the kernels of all games do."""

    def new(self, state_type: Any, /) -> Any: ...
    def apply(self, state: Any, move: int, /) -> None: ...
    def undo(self, state: Any, /) -> None: ...
    def perft(self, state: Any, depth: int, /) -> int: ...


class BoardPosition(ABC):
    """A game in progress (core.play.game.Position): moves over the `state` record of the kernels' `library`.

    A game names the types of both. Its kernels also have `is_legal` and `list_legal`, which fills the record's `list`,
    or it overrides what asks them.
    """

    game: ClassVar[str]  # whose kernels are loaded
    state_type: ClassVar[str]
    max_perft_depth: ClassVar[int] = sys.maxsize  # plies; fewer where a record has lists of moves for so many only
    library: BoardKernels
    state: BoardState

    def __init__(self, setup: Setup):
        """The start of a game; raise BadSetup."""
        self.library = load_kernels(self.game)
        self.state = self.library.new(self.state_type)
        self.restart(setup)

    def restart(self, setup: Setup) -> None:
        """The start of another setup in the same record; raise BadSetup and change nothing."""
        self.setup = self._check_setup(setup)
        self._moves: list[str] = []
        self._set_up()

    @abstractmethod
    def _check_setup(self, setup: Setup) -> Setup:
        """The setup as the game spells it; raise BadSetup."""

    @abstractmethod
    def _set_up(self) -> None:
        """Fill the record with the start of `setup`."""

    @property
    def to_move(self) -> int:
        """FIRST or SECOND."""
        return self.state.side

    @property
    def moves(self) -> list[str]:
        """The moves so far, in our spelling."""
        return list(self._moves)

    @abstractmethod
    def parse(self, text: str) -> int:
        """The kernels' number of a move that is well written, legal or not; raise IllegalMove."""

    @abstractmethod
    def format(self, number: int) -> str:
        """A legal move as text."""

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
        """All legal moves as the kernels number them, none where the game is over."""
        kernels: Any = self.library
        state: Any = self.state
        return list(state.list[: kernels.list_legal(state)])

    def allowed_numbers(self, exclude: Sequence[str]) -> list[int]:
        """Return the legal moves without the excluded ones; raise IllegalMove for text that is no move, AllExcluded."""
        return allowed_moves(self.legal_numbers(), {self.parse(move) for move in exclude})

    def legal_moves(self) -> list[str]:
        """All legal moves, none where the game is over."""
        return [self.format(number) for number in self.legal_numbers()]

    def play(self, move: str) -> None:
        """Play a move; raise IllegalMove with the reason."""
        number = self.parse(move)
        if not self._is_legal(number):
            raise IllegalMove(f"{move} is illegal: {self._reason(number)}")
        self.make(number)

    def make(self, number: int) -> None:
        """Play a legal move by its number."""
        text = self.format(number)
        self.library.apply(self.state, number)
        self._moves.append(text)

    def replay(self, moves: Sequence[str]) -> None:
        """The start, then `moves`; raise IllegalMove, with the moves before it played."""
        self.restart(self.setup)
        for move in moves:
            self.play(move)

    def undo(self) -> None:
        """Take the last move back."""
        if not self._moves:
            raise IllegalMove("there is no move to take back")
        self.library.undo(self.state)
        self._moves.pop()

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def perft(self, depth: int) -> int:
        """Number of legal move sequences of `depth` plies; raise ValueError above `max_perft_depth`."""
        if depth > self.max_perft_depth:
            raise ValueError(f"perft goes to {self.max_perft_depth} plies, not {depth}")
        return self.library.perft(self.state, depth)

    def _is_legal(self, number: int) -> bool:
        kernels: Any = self.library
        return bool(kernels.is_legal(self.state, number))

    @abstractmethod
    def _reason(self, number: int) -> str:
        """Why a move is not legal."""
