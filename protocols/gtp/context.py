"""`GtpContext`: what the commands of a GTP session work on: game in progress, player, clocks, parameters.

Only moves are converted between the controller's notation and the game's; arguments and responses are handled by the
commands. A method that fails raises CommandError, BadSetup, IllegalMove or OptionError and has changed nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.play.options import Option, OptionSet
from core.play.player import (
    RESIGN,
    Decision,
    IllegalMove,
    Limits,
    Player,
    PlayerKind,
    Progress,
    ProgressCallback,
    Setup,
    Solution,
)
from core.play.player import ignore_progress as ignore
from protocols.gtp.board import GtpBoard
from protocols.gtp.clock import GtpClock
from protocols.gtp.game import ColouredMoves, GtpGame, GtpPosition
from protocols.serving.command_session import Command, check_no_arguments
from protocols.serving.move_chooser import MoveChooser
from protocols.serving.perft import PerftInterrupted, interruptible_perft
from protocols.serving.session_player import SessionPlayer
from protocols.text import CommandError, quote_argument

MOVE_TIME = Option("move_time", 5.0, "seconds per move if there is no clock", minimum=0, maximum=86_400)
DEPTH = Option("depth", 0, "depth limit of every search in plies, 0 for none", minimum=0, maximum=100)
NODES = Option("nodes", 0, "node limit of every search, 0 for none", minimum=0, maximum=10**12)
COORDINATES = Option(
    "coordinates", "own", "go: no column i, rows from the bottom, as GoGui wants it", choices=("own", "go")
)


def session_options(game: GtpGame) -> OptionSet:
    """Return the options of a session at their defaults; `param_gtp` and the command line set them."""
    return OptionSet((MOVE_TIME, DEPTH, NODES, *((COORDINATES,) if game.moves_are_squares else ())))


@dataclass(frozen=True)
class GtpCommand(Command[tuple[str, ...], str]):
    """A command of a GTP session.

    `analyze_entry` is its row in the list of analyze commands, `type/label/command`. Usage in brackets is optional; the
    last argument may have several words if `takes_text`.
    """

    analyze_entry: str = ""
    takes_text: bool = False

    def check_arguments(self, arguments: tuple[str, ...]) -> None:
        """Raise CommandError if there are more or fewer arguments than the usage has."""
        words = self.usage.split()[1:]
        needed = sum("[" not in word and "]" not in word for word in words)
        if len(arguments) < needed or (len(arguments) > len(words) and not self.takes_text):
            name, _, expected = self.usage.partition(" ")
            text = " ".join(arguments)
            check_no_arguments(name, "" if expected else text)
            raise CommandError(f"{name} arguments must be {expected}, not {quote_argument(text)}")


@dataclass(frozen=True)
class SearchedLine:
    """The principal variation of a search, and the game moves that lead to it."""

    setup: Setup
    moves: tuple[str, ...] = ()  # of the game, up to the end of the PV
    pv: tuple[str, ...] = ()

    def left(self, position: GtpPosition) -> tuple[str, ...]:
        """Return the part of the PV that is not played yet; empty if the game deviated from it."""
        played = tuple(position.moves)
        done = len(played) - (len(self.moves) - len(self.pv))
        is_on_it = position.setup == self.setup and done >= 0 and played == self.moves[: len(played)]
        return self.pv[done:] if is_on_it else ()


class GtpContext:
    """The game and the player of a session. `options` are the session options, with values of the command line."""

    def __init__(
        self,
        player: Player,
        game: GtpGame,
        move_chooser: MoveChooser,
        kinds: Sequence[PlayerKind],
        options: OptionSet | None = None,
    ) -> None:
        self.chosen = SessionPlayer(player, kinds, move_chooser.change_player)
        self.clock = GtpClock()
        self.options = options or session_options(game)
        self.last_progress = Progress()  # of the last search
        self.last_line = SearchedLine(game.default_setup)
        self._game = game
        self._move_chooser = move_chooser
        self._move_chooser.new_game(game.default_setup)
        self._board = GtpBoard(game, game.default_setup)

    @property
    def game(self) -> GtpGame:
        """The game, with the coordinates that the controller uses."""
        is_go = COORDINATES.name in self.options and self.options[COORDINATES.name] == "go"
        return self._game.with_go_coordinates() if is_go else self._game

    @property
    def position(self) -> GtpPosition:
        """The current position."""
        return self._board.position

    @property
    def game_options(self) -> OptionSet:
        """The rule options with their values in the game in progress."""
        options = OptionSet(self._game.options)
        if self._game.read_options:
            options.update(self._game.read_options(self.position.setup))
        return options

    def begin(self, setup: Setup, plays: ColouredMoves = ()) -> None:
        """Begin a game, play the moves of a record if given, and reset the clocks; raise BadSetup."""
        board = GtpBoard(self._game, setup)
        board.play_all(plays)
        self._move_chooser.new_game(board.position.setup)
        self._board = board
        self.clock.reset()

    def clear(self) -> None:
        """Begin a new game with the same board and variant, at the standard start position."""
        self.begin(replace(self.position.setup, position=""))

    def set_game_option(self, name: str, value: str) -> None:
        """Change a rule option and replay the game under it; raise if a move is illegal then."""
        assert self._game.apply_options is not None
        wanted = self.game_options
        wanted.set(name, value)
        board = self._board.restarted(self._game.apply_options(self.position.setup, wanted))
        self._move_chooser.new_game(board.position.setup)
        self._board = board

    def play(self, side: int, text: str) -> None:
        """Play a controller's move; raise CommandError."""
        colour = self._game.colours[side]
        try:
            if text.lower() == RESIGN:
                raise IllegalMove("resign is an answer to genmove, not a move")
            self._board.play(side, self.parse_move(text))
        except IllegalMove as error:
            raise CommandError(f"illegal move: {colour} {text} ({error})") from None

    def undo(self) -> None:
        """Undo the last `play` or `genmove`; raise IllegalMove if there is none."""
        self._board.undo()

    def generate(self, side: int, *, plays: bool) -> str:
        """Search and return the move for a side in the controller's notation, or RESIGN; play it if `plays`."""
        if self.position.outcome() is not None:
            if self._game.may_resign:
                return RESIGN
            raise CommandError("the game is over")
        move = self.think(side, self.limits(side)).move
        if plays:
            self.clock.spend(side, self._move_chooser.command.clock.elapsed_ms())
            if move != RESIGN:
                self._board.play(side, move)
        return self.format_move(move)

    def think(self, side: int | None, limits: Limits, report: ProgressCallback = ignore) -> Decision:
        """Search for a side (None: the side to move); raise CommandError if the game is over."""
        decision = self._move_chooser.choose(self._unfinished(side), limits, report)
        self.last_progress = decision.progress
        self.last_line = self._line_of(self.position.to_move if side is None else side, decision.progress.pv)
        return decision

    def solve(self, side: int | None, limits: Limits) -> Solution:
        """Solve the position for a side (None: the side to move)."""
        outcome = self.position.outcome()
        if outcome is None:
            return self._move_chooser.solve(self._board.turn_of(side), self._for_proof(limits))
        if outcome.winner is None:
            return Solution("draw", distance=0)
        asked = self.position.to_move if side is None else side
        return Solution("win" if outcome.winner == asked else "loss", distance=0)

    def solve_move(self, side: int, text: str, limits: Limits) -> Solution:
        """Solve for the opponent after a side plays `text`. For Hex: a move that ends the game wins it."""
        position = self._unfinished(side)
        position.play(self.parse_move(text))
        try:
            if position.outcome() is None:
                return self._move_chooser.solve(position, limits)
            return Solution("loss", distance=0)
        finally:
            position.undo()

    def count(self, depth: int) -> int:
        """Return the perft count of a depth; raise CommandError if the command is stopped."""
        try:
            return interruptible_perft(self.position, depth, self._move_chooser.command.stop)
        except PerftInterrupted:
            raise CommandError("interrupted") from None

    def limits(self, side: int) -> Limits:
        """Return the limits of a search: the clock of the side and the options `depth` and `nodes`.

        Without all three, the option `move_time`.
        """
        depth, nodes = (self.options.get_int(option.name) or None for option in (DEPTH, NODES))
        otherwise_ms = None if depth or nodes else self._move_time_ms
        return replace(self.clock.limits(side) or Limits(move_time_ms=otherwise_ms), depth=depth, nodes=nodes)

    def legal_moves(self, side: int | None = None) -> list[str]:
        """Return the legal moves of a side in the controller's notation; empty if the game is over."""
        if self.position.outcome() is not None:
            return []
        return [self.format_move(move) for move in self._board.turn_of(side).legal_moves()]

    def parse_move(self, text: str) -> str:
        """Convert a controller's move to the game's notation; raise IllegalMove."""
        return self.game.parse_move(text, self.position.setup)

    def format_move(self, move: str) -> str:
        """Convert a move to the controller's notation."""
        return self.game.format_move(move, self.position.setup)

    @property
    def _move_time_ms(self) -> int:
        return int(self.options.get_float(MOVE_TIME.name) * 1000)

    def _for_proof(self, limits: Limits) -> Limits:
        """Add the move time if only a depth is set, because solvers may ignore the depth."""
        if (limits.move_time_ms, limits.time_left_ms, limits.nodes) == (None, None, None):
            return replace(limits, move_time_ms=self._move_time_ms)
        return limits

    def _line_of(self, side: int, pv: tuple[str, ...]) -> SearchedLine:
        """Return the PV of a search for a side from the current position."""
        position = self.position
        first = [self._game.move_for_side(position, side, move) for move in pv[:1]]
        return SearchedLine(position.setup, (*position.moves, *first, *pv[1:]), pv)

    def _unfinished(self, side: int | None) -> GtpPosition:
        """Return the position with a side to move (None: as it is); raise CommandError if the game is over."""
        if self.position.outcome() is not None:
            raise CommandError("the game is over")
        return self._board.turn_of(side)
