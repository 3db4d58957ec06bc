"""The Player interface: what a protocol, the arena and a test may ask of anything that chooses moves.

Moves cross this interface as text in the game's own notation (`bots/<game>/notation.py`), so that one interface
serves five games, programs in this process and foreign engines alike.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar, runtime_checkable

from core.play.options import Option, OptionError, OptionSet, Value
from core.play.stop import StopToken

RESIGN = "resign"  # instead of a move
PASS = "pass"  # in a line of moves: a turn without a move, where a position cannot be reached otherwise

M = TypeVar("M")


class IllegalMove(ValueError):
    """A move that the rules do not allow; the text names the move and the rule it breaks."""


class AllMovesExcluded(IllegalMove):
    """The limits exclude every legal move."""


class BadSetup(ValueError):
    """A board, variant or position that the game cannot play; the text names what is wanted."""


@dataclass(frozen=True)
class Setup:
    """What is agreed before the first move. `variant` is a name that the game defines (`freestyle`, `Base+MLP`)."""

    width: int = 0  # cells; 0 where the game has one board
    height: int = 0
    variant: str = ""
    position: str = ""  # where the game begins, in its notation; empty for its own start


@dataclass(frozen=True)
class Limits:
    """How long a player may think about one move. Every field that is set holds; with none the player decides.

    `move_time_ms` and `time_left_ms` are hard: the answer comes before whichever is less, less the player's margin.
    Once `stop` is set, the player answers at once with the best move so far.
    """

    move_time_ms: int | None = None  # for this move; 0 asks for an answer at once
    time_left_ms: int | None = None  # for the rest of the game, may be negative when overrun
    increment_ms: int = 0  # added after each move
    depth: int | None = None  # plies
    nodes: int | None = None
    multi_pv: int = 1  # best lines wanted (multi-PV)
    excluded_moves: tuple[
        str, ...
    ] = ()  # root moves not to be considered; with all of them `choose` raises AllExcluded
    stop: StopToken = field(default_factory=StopToken, compare=False, repr=False)

    @property
    def is_unlimited(self) -> bool:
        """Whether neither time nor depth nor nodes are limited."""
        return (self.move_time_ms, self.time_left_ms, self.depth, self.nodes) == (None, None, None, None)

    def minus_elapsed(self, spent_ms: int) -> Limits:
        """What is left of the times when so much has passed; no time for the move where it has run out."""
        move_ms, left_ms = self.move_time_ms, self.time_left_ms
        return replace(
            self,
            move_time_ms=None if move_ms is None else max(0, move_ms - spent_ms),
            time_left_ms=None if left_ms is None else left_ms - spent_ms,
        )


def allowed_moves(legal: Sequence[M], excluded: Container[M]) -> list[M]:
    """Return the legal moves that are not excluded; raise AllExcluded if there are legal moves but none of these."""
    allowed = [move for move in legal if move not in excluded]
    if legal and not allowed:
        raise AllMovesExcluded(f"the limits exclude every legal move ({len(legal)})")
    return allowed


@dataclass(frozen=True)
class Progress:
    """One report while thinking, or the last one of a decision. `score` and `result` are for the side to move."""

    depth: int = 0  # plies
    selective_depth: int = 0  # deepest ply reached
    score: int = 0  # game units
    win_in: int | None = None  # plies to a proven win (> 0) or loss (< 0), where no shorter way is left
    nodes: int = 0
    time_ms: int = 0
    pv: tuple[str, ...] = ()
    pv_index: int = 1  # which of the best lines this is
    proven_result: str = ""  # win, loss or draw where that is proven, the distance known or not

    def as_proven(self, result: str) -> Progress:
        """The same of a position whose result is proven: a search's claim that contradicts it is dropped."""
        if result == "draw":
            return replace(self, score=0, win_in=None, proven_result=result)
        agrees = self.win_in is not None and (self.win_in > 0) == (result == "win")
        return replace(self, win_in=self.win_in if agrees else None, proven_result=result)

    @property
    def result(self) -> str:
        """Win, loss or draw where it is claimed, with a distance or without; else empty."""
        return self.proven_result or ("" if not self.win_in else "win" if self.win_in > 0 else "loss")


@dataclass(frozen=True)
class Decision:
    """The chosen move with what was learned, or RESIGN. `move` is empty only where the game is over."""

    move: str
    progress: Progress = field(default_factory=Progress)
    note: str = ""  # what a person may like to know: `forced`, `book`, ...


@dataclass(frozen=True)
class Solution:
    """What is proven of a position. `result` is `win`, `loss` or `draw` for the side to move, or `unknown`."""

    result: str = "unknown"
    move: str = ""  # a move that reaches the result, else the best guess; empty where the game is over
    distance: int | None = None  # plies to the end, where known

    @staticmethod
    def from_decision(decision: Decision) -> Solution:
        """What a search has proven."""
        told = decision.progress
        distance = None if told.win_in is None else abs(told.win_in)
        return Solution(told.result or "unknown", decision.move, distance)


ProgressCallback = Callable[[Progress], None]


def ignore_progress(progress: Progress) -> None:
    """A report that nobody reads."""


class Player(ABC):
    """A chooser of moves with its own board: it is handed the line of play before it is asked, and nothing between.

    One thread drives it; another one ends a search by the `stop` of its limits. A method that raises IllegalMove,
    BadSetup or OptionError has changed nothing.
    """

    options: OptionSet
    name: str = ""  # of the kind that `build_player` made it from

    @abstractmethod
    def new_game(self, setup: Setup) -> None:
        """Begin a new game on an empty board; raise BadSetup where the game cannot be played."""

    @abstractmethod
    def set_position(self, moves: Sequence[str]) -> None:
        """Make the position that after `moves` from the start of the game; raise IllegalMove."""

    @abstractmethod
    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move for the side to move without playing it; raise AllExcluded if the limits leave none.

        `limits.stop` ends it with the best move so far.
        """

    @property
    def has_own_limit(self) -> bool:
        """Whether `choose` ends by itself when the limits are empty, as with a fixed depth or the nodes of a level."""
        return True

    def set_option(self, name: str, value: Value) -> None:
        """Check and store an option; it holds from the next `choose` on."""
        self.options.set(name, value)

    def take_warnings(self) -> list[str]:
        """What people should know since the last time, such as memory that could not be had; sessions pass it on."""
        return []

    def close(self) -> None:  # noqa: B027 - most players hold nothing
        """Release what the player holds (processes, big memory)."""


@runtime_checkable
class Solver(Protocol):
    """What a player has besides the Player interface where it can prove results, also draws."""

    def solve(self, limits: Limits) -> Solution:
        """Try to prove the value of the present position. `limits.stop` ends it with what is known so far."""


@dataclass(frozen=True)
class PlayerKind:
    """A named player of a game: `build(options)` makes one. `options` are its parameters, in the order of listings."""

    name: str
    help: str
    build: Callable[[OptionSet], Player]
    options: tuple[Option, ...] = ()

    def make(self, options: OptionSet) -> Player:
        """Build a player that knows what it is called."""
        player = self.build(options)
        player.name = self.name
        return player


def build_player(kinds: Sequence[PlayerKind], text: str) -> Player:
    """Build the player that a text describes, as `parse_player` reads it; raise OptionError."""
    kind, options = parse_player(kinds, text)
    return kind.make(options)


def parse_player(kinds: Sequence[PlayerKind], text: str) -> tuple[PlayerKind, OptionSet]:
    """The kind and options of `name` or `name:key=value,key=value`; raise OptionError for anything unknown.

    A value without a key belongs to the player's first parameter, so `alphabeta:4` reads as one expects. Nothing is
    built, so no kernels are wanted.
    """
    name, _, parameters = text.strip().partition(":")
    matching = [kind for kind in kinds if kind.name.lower() == name.strip().lower()]
    if not matching:
        known = ", ".join(kind.name for kind in kinds)
        raise OptionError(f"unknown player {name!r}; known: {known}")
    kind = matching[0]
    options = OptionSet(kind.options)
    for part in filter(None, (part.strip() for part in parameters.split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            if not kind.options:
                raise OptionError(f"player {kind.name} takes no parameters, not {part!r}")
            key, value = kind.options[0].name, key
        options.set(key.strip(), value.strip())
    return kind, options
