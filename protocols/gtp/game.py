"""`GtpGame`: what GTP, engine side and client, needs to know about a game.

How a game plugs in:
- `bots/<game>/gtp.py` holds `GTP = GtpGame(...)`, where the entry point and the arena find it.
- Its position is a `GtpPosition`: the one of `core/play/game.py` and its own text. `play` decides what is legal.
- `Setup.position` is the start position of `set_position`; `new_position(setup)` and the player's `new_game(setup)`
  must honour it.
- Where controllers set positions up by `play` (HexGui: one colour several times running, stones after the end of the
  game) and `genmove COLOUR` alone says who moves, the game has a `move_for_side` and a `with_side_to_move`. The first
  gives the ply that a
  side's move is in a position, say `white:c2` where white is not to move; the position's `play` and the player's
  `follow` must take it, and `legal_moves` need not list it. The second gives a setup that starts from the present
  stones with another side to move; the player searches from it. Without the two, a colour that is not to move is
  refused.
- A player that can prove results has a `solve` (`core.play.player.Solver`); another one answers `solve` by searching.
- Commands of the game's own are rows of the one command table, `bots/<game>/gtp_commands.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from core.play.game import Position
from core.play.options import Option, OptionSet, Value
from core.play.player import IllegalMove, Setup
from protocols.gtp.text import from_go_square, to_go_square
from protocols.text import CommandError, quote_argument

NOT_TO_MOVE = "it is the other side's turn"
ColouredMoves = tuple[tuple[str, str], ...]  # (colour, move) pairs in the controller's notation


class GtpPosition(Position, Protocol):
    """A position that can be written in one line."""

    def position_text(self) -> str:
        """Return the position in one line, as the command `set_position` reads it."""


@dataclass(frozen=True)
class LoadedGame:
    """A game read from a file; stones that the file sets up are in `setup.position`."""

    setup: Setup
    moves: ColouredMoves
    note: str = ""  # how an ambiguous file was read; the answer to `loadsgf`


@dataclass(frozen=True)
class GoguiRules:
    """Data for GoGui's rules commands, for games in which a move is one square.

    `rows` returns the board as one text per row from the top: `.` empty, `X` black, `O` white, `?` no such cell.
    """

    geometry: str  # rect or hex
    rows: Callable[[Any], list[str]]  # of the game's position


def _lower_case(text: str, _: Setup) -> str:
    return text.lower()


def _as_it_is(move: str, _: Setup) -> str:
    return move


def _unlabelled(position: GtpPosition, _: Callable[[str], str]) -> str:
    """Return the board without coordinates: the default of `GtpGame.show_board`."""
    return position.board()


def _by_the_rules(position: GtpPosition, side: int, move: str) -> str:
    """Return the move if the side is to move, else raise IllegalMove."""
    if position.to_move != side:
        raise IllegalMove(NOT_TO_MOVE)
    return move


def _size_commands(setup: Setup) -> list[str]:
    """Return the commands that begin a game: size, empty board, and the start position if not standard."""
    square = setup.width == setup.height
    size = [f"boardsize {setup.width}" if square else f"boardsize {setup.width} {setup.height}"] if setup.width else []
    return [*size, "clear_board", *([f"set_position {setup.position}"] if setup.position else [])]


def _as_played(plays: ColouredMoves, _: Setup) -> ColouredMoves:
    """Return the moves unchanged: the default of `GtpGame.moves_to_send`."""
    return plays


def _no_commands(_: Setup) -> list[str]:
    """Return no commands: the default of `GtpGame.rule_commands`."""
    return []


@dataclass(frozen=True)
class GtpGame:
    """A game as GTP sees it. The functions raise BadSetup or IllegalMove."""

    title: str  # capital first letter, as GoGui wants it
    default_setup: Setup
    new_position: Callable[[Setup], GtpPosition]
    colours: tuple[str, str] = ("black", "white")  # in the order of play; the first letters differ
    parse_move: Callable[[str, Setup], str] = _lower_case  # what controllers write; legality is the position's question
    format_move: Callable[[str, Setup], str] = _as_it_is
    parse_position: Callable[[str, Setup], Setup] | None = None  # of `set_position`
    parse_record: Callable[[str, Setup], LoadedGame] | None = None  # the text of a file, for `loadsgf`
    move_for_side: Callable[[Any, int, str], str] = _by_the_rules  # of a position, a side, a move; see above
    with_side_to_move: Callable[[Any, int], Setup] | None = None  # of a position and a side; see above
    skip_word: str = ""  # `play` takes it from a side that the rules have just skipped, and nothing changes
    may_resign: bool = True  # players may; `genmove` in a finished game answers `resign`, and is an error otherwise
    moves_are_squares: bool = False  # a move is a square, so that Go's coordinates can be offered
    show_board: Callable[[Any, Callable[[str], str]], str] = _unlabelled  # of a position, and how moves are written
    options: tuple[Option, ...] = ()  # of the rules, for `param_game`; they live in the setup
    read_options: Callable[[Setup], Mapping[str, Value]] | None = None  # values that a setup has, by name
    apply_options: Callable[[Setup, OptionSet], Setup] | None = None  # a setup with these values
    max_perft_depth: int = 20  # plies
    gogui: GoguiRules | None = None
    moves_to_send: Callable[[ColouredMoves, Setup], ColouredMoves] = (
        _as_played  # what a controller plays so that the engine stands where we do
    )
    setup_commands: Callable[[Setup], list[str]] = _size_commands  # what a controller sends to begin a game
    rule_commands: Callable[[Setup], list[str]] = _no_commands  # and then to engines that list such a command

    def parse_colour(self, text: str) -> int:
        """Return the side (0 moves first) of a colour's name or first letter; raise CommandError."""
        for side, colour in enumerate(self.colours):
            if text.lower() in (colour, colour[0]):
                return side
        raise CommandError(f"colour must be {' or '.join(self.colours)}, not {quote_argument(text)}")

    def with_go_coordinates(self) -> GtpGame:
        """Return a copy that reads and writes Go coordinates (no column i, rows from the bottom)."""
        return replace(
            self,
            parse_move=lambda text, setup: self.parse_move(from_go_square(text, setup.height), setup),
            format_move=lambda move, setup: to_go_square(self.format_move(move, setup), setup.height),
        )
