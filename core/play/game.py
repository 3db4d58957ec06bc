"""The interface of a game to the rest of the program: `Position` has the rules, `Game` describes the game.

The arena and the protocols reach a game only through these. `bots/registry.py` collects the `Game` objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from core.play.player import PlayerKind, Setup
from core.play.win_probability import logistic_probability

if TYPE_CHECKING:
    from core.play.rules_page import Section
    from core.play.scene import Painter

FIRST, SECOND = 0, 1  # sides: the one that makes the first move of a game, and its opponent


@dataclass(frozen=True)
class Outcome:
    """How a game ended by its rules."""

    winner: int | None  # FIRST or SECOND; None for a draw
    reason: str  # one word, such as `five` or `repetition`


class MoveList(Protocol):
    """The moves of a game from its start; moves can be played and undone."""

    @property
    def setup(self) -> Setup:
        """Board, variant and start position of the game."""

    @property
    def moves(self) -> list[str]:
        """Moves played so far, in the game's notation."""

    def legal_moves(self) -> list[str]:
        """Return all legal moves; empty if the game is over."""

    def play(self, move: str) -> None:
        """Play a move; if it is not legal, raise IllegalMove with the reason and change nothing."""

    def undo(self) -> None:
        """Take back the last move; raise IllegalMove if there is none."""


class Position(MoveList, Protocol):
    """A game in progress that knows the rules. Bots, referee and tests share one implementation per game."""

    @property
    def to_move(self) -> int:
        """The side to move, FIRST or SECOND."""

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None if it is not over."""

    def perft(self, depth: int) -> int:
        """Return the number of legal move sequences of `depth` plies from here.

        A finished game has none of 1 ply or more.
        """

    def board(self) -> str:
        """Return a drawing of the board as text, one line per row."""


def split_moves(line: str, setup: Setup) -> list[str]:  # noqa: ARG001 - games with several notations need the setup
    """Return the moves of an opening line, which are separated by spaces. The default of `Game.parse_opening`."""
    return line.split()


def join_moves(moves: Sequence[str], setup: Setup) -> str:  # noqa: ARG001 - as above
    """Return an opening line that `split_moves` can read. The default of `Game.format_opening`."""
    return " ".join(moves)


def no_setup_in_opening(line: str) -> Setup | None:  # noqa: ARG001 - as above
    """Return None: in most games an opening line does not name a setup. The default of `Game.setup_of_opening`."""
    return None


def guess_win_probability(score: int, setup: Setup) -> float:  # noqa: ARG001 - a fitted scale may need the setup
    """Return the win probability of a score in centipawns, as lichess does: the default of `Game.win_probability`."""
    return logistic_probability(score, 1 / 0.00368208)


def lazy_attribute(module: str, name: str) -> Callable[[], Any]:
    """Return a function that imports `module` and returns its attribute `name`, so that a `Game` is cheap to import."""
    return lambda: getattr(import_module(module), name)


def no_rules_page() -> Sequence[Section]:
    """Return no sections: the game has no rules page. The default of `Game.rules_page`."""
    return ()


MakeOpenings = Callable[[Setup, int, int, int], Iterator[list[str]]]  # setup, plies, search depth, seed -> openings
Symmetries = Callable[[Sequence[str], Setup], list[list[str]]]  # moves, setup -> the moves under each symmetry


@dataclass(frozen=True)
class ProofCase:
    """A position whose result `pentad bench` lets the game's solver prove."""

    setup: Setup
    line: str  # opening line that leads to the position, in the format of `Game.parse_opening`
    nodes: int  # node limit of the proof


@dataclass(frozen=True)
class SgfDialect:
    """How a game is written in SGF."""

    number: int  # value of the property GM
    format_point: Callable[[str], str] = str  # from a move in the game's notation to an SGF point


@dataclass(frozen=True, kw_only=True)
class Game:
    """Everything that the rest of the program knows about a game.

    `bots/<game>/game.py` defines it as `GAME`; another package registers it as an entry point of the group
    `pentad.games`. The default of a field serves a game that lacks the feature.
    """

    name: str  # lower case, with dashes between words; for the games of this repository the folder under bots/
    title: str  # display name, such as `Hex`
    protocol: str  # protocol of its engines: gomocup, uhp or gtp
    has_avx512_kernels: bool = False  # True: kernels are compiled for CPUs with AVX-512 too
    executable: str = ""  # file name under dist/, without suffix; empty if no executable is built
    variants: tuple[str, ...]  # the first is the default
    default_setup: Setup
    check_setup: Callable[[Setup], Setup]  # returns the canonical spelling, raises BadSetup; needs no kernels
    new_position: Callable[[Setup], Position]
    players: Callable[[], Sequence[PlayerKind]]  # the strongest first, which is the default
    max_plies: Callable[[Setup], int]  # a match game is drawn after this many plies
    default_tc: str = "1"  # default time control of a match, in the format of --tc
    default_margin_ms: int = 250  # default time margin of a match; OpenBench uses the same for one machine
    symbols: tuple[str, str] = ("w", "b")  # pieces of the first and the second side in `Position.board`
    parse_opening: Callable[[str, Setup], list[str]] = split_moves  # returns the moves of an opening line
    format_opening: Callable[[Sequence[str], Setup], str] = join_moves  # the inverse of `parse_opening`
    setup_of_opening: Callable[[str], Setup | None] = no_setup_in_opening  # returns the setup that the line names
    win_probability: Callable[[int, Setup], float] = (
        guess_win_probability  # of a score of the strongest player that proves nothing
    )
    # For a game in which the third occurrence of a position is a draw: returns how often a `Position` has occurred
    repetitions: Callable[[Any], int] | None = None
    make_openings: MakeOpenings | None = None  # yields openings that the game's engine judges as balanced
    opening_plies: int = 5  # default length of the openings that `pentad openings` makes
    opening_depth: int = 8  # default depth of the searches that judge these openings, plies
    symmetries: Symmetries | None = None  # returns the moves under each symmetry of the board; the identity is first
    book: str = ""  # opening file under arena/books for `pentad demo`
    gtp: Callable[[], Any] | None = None  # returns a `protocols.gtp.game.GtpGame`; required if `protocol` is gtp
    painter: Callable[[], Painter] | None = None  # returns the functions that draw positions for the web pages
    rules_page: Callable[[], Sequence[Section]] = no_rules_page  # returns the rules as text with pictures
    loadable_formats: str = "moves alone"  # part of the play page's help: game formats of other programs that it loads
    sgf: SgfDialect | None = None  # required if `records` contains "sgf"
    records: tuple[str, ...] = ("moves",)  # file formats of game records: keys of `arena.results.game_records.FORMATS`
    bench_positions: tuple[str, ...] = ("",)  # opening lines; `pentad bench` searches the positions after them
    bench_depth: int = 5  # search depth of `pentad bench`, plies; a few seconds for all positions
    bench_setups: tuple[Setup, ...] = ()  # further start positions that `pentad bench` searches
    bench_proofs: tuple[ProofCase, ...] = ()
    # Returns a winning move, or an empty text if there is none, and the number of nodes
    prove: Callable[[ProofCase], tuple[str, int]] | None = None

    def __post_init__(self) -> None:
        """Raise ValueError if a field is missing that another field requires."""
        for field, is_required in (("gtp", self.protocol == "gtp"), ("sgf", "sgf" in self.records)):
            if is_required and getattr(self, field) is None:
                raise ValueError(f"the Game object of {self.title} needs a value for {field}")
