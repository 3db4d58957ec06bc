"""The description of a game for GTP (`GtpGame`), which both the session and the client use.

To add a game:

- Write `bots/<game>/gtp.py` with `GTP = GtpGame(...)`; the bot's entry point and the arena import it.
- Let its position implement `GtpPosition`, that is `core.play.game.Position` and `position_text`. Its `play` decides
  which moves are legal.
- Let `new_position(setup)` and the player's `new_game(setup)` start from `Setup.position` if that is not empty. It is
  the argument of the command `set_position`.
- If controllers set up positions by `play`, write `move_for_side` and `with_side_to_move`. HexGui does this: it plays
  one colour several times in a row, or after the end of the game, and names the side to move only by `genmove COLOUR`.
  - `move_for_side` returns a side's move as the position's `play` accepts it, for example `white:c2` if white is not
    to move. The player's `set_position` must accept it as well; `legal_moves` need not list it.
  - `with_side_to_move` returns a setup with the present stones and another side to move. The player searches from it.

  Without these two functions, a command for the side that is not to move fails.
- Let a player that can prove results implement `core.play.player.Solver`. For other players, `solve` runs a search.
- Write the commands that only this game has in `bots/<game>/gtp_commands.py`.

A side is 0 (moves first) or 1.
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
# (colour, move) pairs: those of a record are in the notation of its file, those of `moves_to_send` in the game's
ColouredMoves = tuple[tuple[str, str], ...]


class GtpPosition(Position, Protocol):
    """A position of a game that is played over GTP."""

    def position_text(self) -> str:
        """Return the position as one line, in the format that the command `set_position` reads."""


@dataclass(frozen=True)
class LoadedGame:
    """A game that was read from a file. Stones that the file sets up before the first move are in `setup.position`."""

    setup: Setup
    moves: ColouredMoves
    note: str = ""  # how an ambiguous file was read; the answer to `loadsgf`


@dataclass(frozen=True)
class GoguiRules:
    """What GoGui's rules commands need to know about a game in which a move is one square."""

    geometry: str  # rect or hex
    # Maps a position to one text per row from the top: `.` empty, `X` black, `O` white, `?` no such cell
    rows: Callable[[Any], list[str]]


def _lower_case(text: str, _: Setup) -> str:
    """Return a move in lower case: the default of `GtpGame.parse_move`."""
    return text.lower()


def _unchanged_move(move: str, _: Setup) -> str:
    """Return the move: the default of `GtpGame.format_move`."""
    return move


def _plain_board(position: GtpPosition, _: Callable[[str], str]) -> str:
    """Return the board without converted coordinates: the default of `GtpGame.show_board`."""
    return position.board()


def _require_turn(position: GtpPosition, side: int, move: str) -> str:
    """Return the move if the side is to move, else raise IllegalMove: the default of `GtpGame.move_for_side`."""
    if position.to_move != side:
        raise IllegalMove(NOT_TO_MOVE)
    return move


def _size_commands(setup: Setup) -> list[str]:
    """Return the commands that set up size, empty board and start position: the default of `setup_commands`."""
    is_square = setup.width == setup.height
    size = (
        [f"boardsize {setup.width}" if is_square else f"boardsize {setup.width} {setup.height}"] if setup.width else []
    )
    return [*size, "clear_board", *([f"set_position {setup.position}"] if setup.position else [])]


def _unchanged_plays(plays: ColouredMoves, _: Setup) -> ColouredMoves:
    """Return the moves unchanged: the default of `GtpGame.moves_to_send`."""
    return plays


def _no_commands(_: Setup) -> list[str]:
    """Return no commands: the default of `GtpGame.rule_commands`."""
    return []


@dataclass(frozen=True)
class GtpGame:
    """A game as GTP sees it. Functions raise BadSetup for a bad setup and IllegalMove for a bad move."""

    title: str  # with a capital letter, as GoGui requires
    default_setup: Setup
    new_position: Callable[[Setup], GtpPosition]
    colours: tuple[str, str] = ("black", "white")  # names of the sides; the first letters must differ

    # Notation. `parse_move` and `format_move` convert between the controller's notation and the game's; they do not
    # check whether a move is legal.
    parse_move: Callable[[str, Setup], str] = _lower_case
    format_move: Callable[[str, Setup], str] = _unchanged_move
    moves_are_squares: bool = False  # a move is one square, so the session can offer Go coordinates
    parse_position: Callable[[str, Setup], Setup] | None = None  # the argument of `set_position`; None: no such command
    parse_record: Callable[[str, Setup], LoadedGame] | None = None  # a file's text for `loadsgf`; None: no such command
    # Maps a position and the function that formats a move to the answer of `showboard`
    show_board: Callable[[Any, Callable[[str], str]], str] = _plain_board

    # Turns and results
    move_for_side: Callable[[Any, int, str], str] = _require_turn  # (position, side, move) -> move; see above
    with_side_to_move: Callable[[Any, int], Setup] | None = None  # (position, side) -> setup; see above
    skip_word: str = ""  # a move that `play` accepts, without effect, for a side that the rules have just skipped
    may_resign: bool = True  # if so, `genmove` in a finished game answers `resign`; otherwise it fails

    # Options of the rules, for `param_game`. Their values are kept in the setup.
    options: tuple[Option, ...] = ()
    read_options: Callable[[Setup], Mapping[str, Value]] | None = None  # values in a setup, by name of the option
    apply_options: Callable[[Setup, OptionSet], Setup] | None = None  # returns a setup with these values

    max_perft_depth: int = 20  # plies
    gogui: GoguiRules | None = None  # None: the session has no commands for GoGui's rules

    # What the client sends. `moves_to_send` gets the moves of the game and returns those that the engine is sent.
    moves_to_send: Callable[[ColouredMoves, Setup], ColouredMoves] = _unchanged_plays
    setup_commands: Callable[[Setup], list[str]] = _size_commands  # begin a game
    rule_commands: Callable[[Setup], list[str]] = _no_commands  # set the rules; sent if the engine lists the command

    def parse_colour(self, text: str) -> int:
        """Return the side of a colour, given by its name or first letter; raise CommandError for other texts."""
        for side, colour in enumerate(self.colours):
            if text.lower() in (colour, colour[0]):
                return side
        raise CommandError(f"colour must be {' or '.join(self.colours)}, not {quote_argument(text)}")

    def with_go_coordinates(self) -> GtpGame:
        """Return a copy that reads and writes moves in Go coordinates (no column i, rows from the bottom)."""
        return replace(
            self,
            parse_move=lambda text, setup: self.parse_move(from_go_square(text, setup.height), setup),
            format_move=lambda move, setup: to_go_square(self.format_move(move, setup), setup.height),
        )
