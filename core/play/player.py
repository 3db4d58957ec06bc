"""`Player`, the interface of everything that chooses moves, and the types that it uses.

Protocol sessions, arena and tests use it; our bots and the clients of foreign engines implement it. Moves are text in
the game's own notation (`bots/<game>/notation.py`), so that one interface serves all games.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar, runtime_checkable

from core.play.options import Option, OptionError, OptionSet, Value
from core.play.stop import StopToken

RESIGN = "resign"  # in place of a move in a Decision
PASS = "pass"  # in a list of moves: a turn without a move, for positions that legal moves cannot reach

MoveT = TypeVar("MoveT")  # text or the integer of the kernels


class IllegalMove(ValueError):
    """A move that the rules do not allow; the message names the move and the rule that it breaks."""


class AllMovesExcluded(IllegalMove):
    """The limits exclude every legal move."""


class BadSetup(ValueError):
    """A board size, variant or start position that the game cannot play; the message says what is allowed."""


@contextmanager
def illegal_move_is_bad_setup(location: str) -> Iterator[None]:
    """Turn an IllegalMove that the block raises into BadSetup; its message begins with `location`, such as `move 3`."""
    try:
        yield
    except IllegalMove as error:
        raise BadSetup(f"{location}: {error}") from None


@dataclass(frozen=True)
class Setup:
    """Board, variant and start position of a game."""

    width: int = 0  # in cells; 0 if the game has only one board
    height: int = 0
    variant: str = ""  # a name that the game defines, such as `freestyle` or `Base+MLP`
    position: str = ""  # start position in the game's notation; empty for the standard one


@dataclass(frozen=True)
class Limits:
    """Limits of one search. All that are set apply; without any the player decides how long it thinks.

    The times are hard limits: the player answers before the smaller of them, minus its safety margin, has passed. Once
    `stop` is set, it answers at once with the best move so far.
    """

    move_time_ms: int | None = None  # for this move; 0 asks for an immediate answer
    time_left_ms: int | None = None  # on the game clock; negative after the flag has fallen
    increment_ms: int = 0  # added to the game clock after each move
    depth: int | None = None  # plies
    nodes: int | None = None
    multi_pv: int = 1  # number of best root moves to report (UCI: MultiPV)
    excluded_moves: tuple[str, ...] = ()  # root moves that must not be chosen (the opposite of UCI's searchmoves)
    is_analysis: bool = False  # the position is analysed: search it even if a book has a move
    stop: StopToken = field(default_factory=StopToken, compare=False, repr=False)

    @property
    def is_unlimited(self) -> bool:
        """True if time, depth and nodes are all unlimited."""
        return (self.move_time_ms, self.time_left_ms, self.depth, self.nodes) == (None, None, None, None)

    def minus_elapsed(self, elapsed_ms: int) -> Limits:
        """Return the limits with both times reduced by `elapsed_ms`; the time for the move does not go below 0."""
        move_ms, left_ms = self.move_time_ms, self.time_left_ms
        return replace(
            self,
            move_time_ms=None if move_ms is None else max(0, move_ms - elapsed_ms),
            time_left_ms=None if left_ms is None else left_ms - elapsed_ms,
        )


def allowed_moves(legal: Sequence[MoveT], excluded: Container[MoveT]) -> list[MoveT]:
    """Return the legal moves that are not excluded; raise AllMovesExcluded if all of them are."""
    allowed = [move for move in legal if move not in excluded]
    if legal and not allowed:
        raise AllMovesExcluded(f"the limits exclude every legal move ({len(legal)})")
    return allowed


@dataclass(frozen=True)
class Progress:
    """Information about a running or finished search (UCI: `info`). `score` and `result` are for the side to move."""

    depth: int = 0  # plies
    selective_depth: int = 0  # deepest ply reached (UCI: seldepth)
    score: int = 0  # in units of the player's evaluation; core/search/scores.py defines the range of proven scores
    win_in: int | None = None  # exact distance in plies to a win (> 0) or loss (< 0); None if not known to be exact
    nodes: int = 0
    time_ms: int = 0
    pv: tuple[str, ...] = ()  # principal variation
    pv_index: int = 1  # rank of the root move, from 1 (UCI: multipv)
    proven_result: str = ""  # win, loss or draw if proven; may be empty if `win_in` is set; callers read `result`

    def as_proven(self, result: str) -> Progress:
        """Return a copy with a proven result; drop `win_in` if it contradicts the result, and the score for a draw."""
        if result == "draw":
            return replace(self, score=0, win_in=None, proven_result=result)
        agrees = self.win_in is not None and (self.win_in > 0) == (result == "win")
        return replace(self, win_in=self.win_in if agrees else None, proven_result=result)

    @property
    def result(self) -> str:
        """Proven result (`win`, `loss` or `draw`), with or without a known distance; empty if nothing is proven."""
        return self.proven_result or ("" if not self.win_in else "win" if self.win_in > 0 else "loss")


@dataclass(frozen=True)
class Decision:
    """The chosen move and the final information about the search."""

    move: str  # or RESIGN; empty only if the game is over
    progress: Progress = field(default_factory=Progress)
    note: str = ""  # source of the move, shown to the user: `forced`, `book`, ...


@dataclass(frozen=True)
class Solution:
    """Answer of a solver. `result` is `win`, `loss` or `draw` for the side to move, or `unknown`."""

    result: str = "unknown"
    move: str = ""  # a move that reaches the result, or the best guess; empty if the game is over
    distance: int | None = None  # plies to the end of the game; None if unknown

    @staticmethod
    def from_decision(decision: Decision) -> Solution:
        """Return the result that a search has proven, with its move and its distance; `unknown` if it has none."""
        progress = decision.progress
        distance = None if progress.win_in is None else abs(progress.win_in)
        return Solution(progress.result or "unknown", decision.move, distance)


ProgressCallback = Callable[[Progress], None]  # called several times during a search


def ignore_progress(progress: Progress) -> None:
    """Do nothing: the default callback."""


class Player(ABC):
    """Chooses moves. Callers set the position with `set_position` before each search; `choose` does not play its move.

    One thread calls the methods; another thread may stop a search by the `stop` token of its limits. A method that
    raises IllegalMove, BadSetup or OptionError has changed nothing.
    """

    options: OptionSet
    name: str = ""  # of its PlayerKind, set by `PlayerKind.make`

    @abstractmethod
    def new_game(self, setup: Setup) -> None:
        """Begin a new game at the start position of `setup`; raise BadSetup if the player cannot play it."""

    @abstractmethod
    def set_position(self, moves: Sequence[str]) -> None:
        """Set the position after `moves` from the start of the game (UCI: `position ... moves`); raise IllegalMove."""

    @abstractmethod
    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move for the side to move without playing it; raise AllMovesExcluded if all are excluded.

        If `limits.stop` is set, before or during the search, return the best move so far.
        """

    @property
    def has_builtin_limit(self) -> bool:
        """True if `choose` ends even without limits, because an option or strength level limits depth or nodes."""
        return True

    def set_option(self, name: str, value: Value) -> None:
        """Check and store an option; it takes effect at the next `choose`."""
        self.options.set(name, value)

    def take_warnings(self) -> list[str]:
        """Return and clear the warnings for the user since the last call, such as a failed allocation."""
        return []

    def close(self) -> None:  # noqa: B027 - not abstract, since most players have nothing to release
        """Release processes and large memory."""


@runtime_checkable
class Solver(Protocol):
    """Interface of players that can also prove results, draws included."""

    def solve(self, limits: Limits) -> Solution:
        """Try to prove the result of the current position; if `limits.stop` is set, return what is known so far."""


@dataclass(frozen=True)
class PlayerKind:
    """A type of player that users choose by name, such as `alphabeta`."""

    name: str
    help: str  # one line for `--help`
    build: Callable[[OptionSet], Player]  # called by `make`
    options: tuple[Option, ...] = ()  # in the order of listings; `name:VALUE` sets the first one

    def make(self, options: OptionSet) -> Player:
        """Create a player of this kind and set its `name`."""
        player = self.build(options)
        player.name = self.name
        return player


def build_player(kinds: Sequence[PlayerKind], text: str) -> Player:
    """Create the player described by a text such as `alphabeta:depth=4` (see `parse_player`); raise OptionError."""
    kind, options = parse_player(kinds, text)
    return kind.make(options)


def parse_player(kinds: Sequence[PlayerKind], text: str) -> tuple[PlayerKind, OptionSet]:
    """Parse `name` or `name:key=value,key=value` into kind and options.

    A value without a key sets the first option of the kind: `alphabeta:4`. No player is created and no kernels are
    loaded. Raise OptionError for an unknown name, an unknown option, a wrong value, or an option that is given twice.
    """
    name, _, parameters = text.strip().partition(":")
    matching = [kind for kind in kinds if kind.name.lower() == name.strip().lower()]
    if not matching:
        known = ", ".join(kind.name for kind in kinds)
        raise OptionError(f"unknown player {name!r}; known: {known}")
    kind = matching[0]
    options, set_keys = OptionSet(kind.options), set[str]()
    for part in filter(None, (part.strip() for part in parameters.split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            if not kind.options:
                raise OptionError(f"player {kind.name} takes no parameters, but {part!r} is given")
            key, value = kind.options[0].name, key
        key = options.get_option(key.strip()).name
        if key in set_keys:
            raise OptionError(f"option {key} of player {kind.name} is given twice")
        set_keys.add(key)
        options.set(key, value.strip())
    return kind, options
