"""What the arena, the protocols and the tests see of a game: a position that knows the rules, and the registry row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from core.play.player import PlayerKind, Setup

if TYPE_CHECKING:
    from core.play.rules_page import Section
    from core.play.scene import Painter

FIRST, SECOND = 0, 1


@dataclass(frozen=True)
class Outcome:
    """The end of a game by rule. `winner` is FIRST, SECOND or None for a draw; `reason` is a word such as `five`."""

    winner: int | None
    reason: str


class MoveList(Protocol):
    """Moves from the start of a game, which can be added and taken back."""

    @property
    def setup(self) -> Setup:
        """How the game began."""

    @property
    def moves(self) -> list[str]:
        """The moves so far, in the game's notation."""

    def legal_moves(self) -> list[str]:
        """All legal moves, empty where the game is over."""

    def play(self, move: str) -> None:
        """Play a move; raise IllegalMove with the reason, and change nothing, where it is not legal."""

    def undo(self) -> None:
        """Take the last move back; raise IllegalMove where there is none."""


class Position(MoveList, Protocol):
    """A game in progress under the game's own rules. The one implementation that bots, referee and tests share."""

    @property
    def to_move(self) -> int:
        """FIRST or SECOND."""

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def perft(self, depth: int) -> int:
        """Number of legal move sequences of `depth` plies from here; a finished game has none."""

    def board(self) -> str:
        """The board as text for people, a line a row."""


def split_moves(line: str, setup: Setup) -> list[str]:  # noqa: ARG001 - games with several notations need the board
    """Moves of an opening line that holds them separated by blanks: what a game has that declares no other form."""
    return line.split()


def join_moves(moves: Sequence[str], setup: Setup) -> str:  # noqa: ARG001 - as above
    """The inverse of `split_moves`."""
    return " ".join(moves)


def name_no_setup(line: str) -> Setup | None:  # noqa: ARG001 - as above
    """What most games know of the setup from a line of moves alone: nothing."""
    return None


def lazy_attribute(module: str, name: str) -> Callable[[], Any]:
    """What a module holds, loaded when it is asked for: a row must be cheap to import."""
    return lambda: getattr(import_module(module), name)


def show_no_rules() -> Sequence[Section]:
    """The rules page of a game that has none."""
    return ()


MakeOpenings = Callable[[Setup, int, int, int], Iterator[list[str]]]  # setup, moves, search depth, seed
Symmetries = Callable[[Sequence[str], Setup], list[list[str]]]


@dataclass(frozen=True)
class ProofCase:
    """A position for `pentad bench` to prove, and the nodes after which the proof is cut off."""

    setup: Setup
    line: str  # of an opening
    nodes: int


@dataclass(frozen=True)
class SgfDialect:
    """What SGF is for a game: its number (GM) and how a move is written as a point."""

    number: int
    format_point: Callable[[str], str] = str


@dataclass(frozen=True, kw_only=True)
class Game:
    """All that a game has for others: the `GAME` of `bots/<game>/game.py`, or of a package that brings another game."""

    name: str  # small letters, with dashes between words; of a game here its folder
    title: str
    protocol: str  # gomocup, uhp or gtp
    executable: str = ""  # name under dist/, without suffix; empty where none is built
    variants: tuple[str, ...]  # the first is the default
    default_setup: Setup
    check_setup: Callable[[Setup], Setup]  # as the game spells it; without kernels. Raises BadSetup
    new_position: Callable[[Setup], Position]
    players: Callable[[], Sequence[PlayerKind]]  # the first is the strongest and the default
    max_plies: Callable[[Setup], int]  # after that many a match game is a draw
    default_tc: str = "1"  # time control of a match for which nothing else is said, as --tc has it
    default_margin_ms: int = 250  # and the overrun that does not lose: what OpenBench allows on one machine
    symbols: tuple[str, str] = ("w", "b")  # of the first and the second side in `Position.board`
    parse_opening: Callable[[str, Setup], list[str]] = split_moves  # a line of an opening file; raises BadSetup
    format_opening: Callable[[Sequence[str], Setup], str] = join_moves  # the inverse
    setup_of_opening: Callable[[str], Setup | None] = (
        name_no_setup  # that an opening line names itself; raises BadSetup
    )
    repetitions: Callable[[Any], int] | None = None  # how often a position has occurred, where the third time is a draw
    make_openings: MakeOpenings | None = None  # balanced ones by the game's own engine
    symmetries: Symmetries | None = None  # of a line of moves under the board's symmetries, the line itself first
    book: str = ""  # file under arena/books that the demo plays from
    gtp: Callable[[], Any] | None = None  # `protocols.gtp.game.GtpGame`, where the protocol is gtp
    painter: Callable[[], Painter] | None = None  # of the pages
    rules_page: Callable[[], Sequence[Section]] = show_no_rules  # the rules in words
    loadable_formats: str = "moves alone"  # what the play page loads besides what it writes
    sgf: SgfDialect | None = None  # where `records` name it
    records: tuple[str, ...] = ("moves",)  # formats of a game's record files, of `arena.results.game_records.FORMATS`
    bench_positions: tuple[str, ...] = ("",)  # opening lines that `pentad bench` searches
    bench_depth: int = 5  # plies; a few seconds in all
    bench_setups: tuple[Setup, ...] = ()  # further ones whose start `pentad bench` searches
    bench_proofs: tuple[ProofCase, ...] = ()
    prove: Callable[[ProofCase], tuple[str, int]] | None = None  # a winning move or none, and the nodes it took

    def __post_init__(self) -> None:
        """Raise ValueError where a part is missing that another one needs."""
        for part, needed in (("gtp", self.protocol == "gtp"), ("sgf", "sgf" in self.records)):
            if needed and getattr(self, part) is None:
                raise ValueError(f"the row of {self.title} has no {part}")
