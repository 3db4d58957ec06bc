"""What the commands of a GTP session work on: the game in progress, the player, the clocks, the parameters.

No text of the protocol is read or written here; a failure is a CommandError, BadSetup, IllegalMove or OptionError, and
then nothing has changed.
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
from protocols.serving import command_session
from protocols.serving.move_chooser import MoveChooser
from protocols.serving.perft import PerftInterrupted, interruptible_perft
from protocols.serving.session_player import SessionPlayer
from protocols.text import CommandError, quote_argument

MOVE_TIME = Option("move_time", 5.0, "seconds for a move where no clock is set", minimum=0, maximum=86_400)
DEPTH = Option("depth", 0, "plies that every search goes, 0 for as deep as the time allows", minimum=0, maximum=100)
NODES = Option("nodes", 0, "nodes of every search, 0 for as many as the time allows", minimum=0, maximum=10**12)
COORDINATES = Option(
    "coordinates", "own", "go: no column i, rows from the bottom, as GoGui wants it", choices=("own", "go")
)


def session_options(game: GtpGame) -> OptionSet:
    """The options of a session, for `param_gtp` and for the command line, with their defaults."""
    return OptionSet((MOVE_TIME, DEPTH, NODES, *((COORDINATES,) if game.moves_are_squares else ())))


@dataclass(frozen=True)
class GtpCommand(command_session.Command[tuple[str, ...], str]):
    """One row of the command table.

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
            raise CommandError(f"{self.usage} is wanted, not {quote_argument(' '.join(arguments))}")


@dataclass(frozen=True)
class SearchedLine:
    """A search's best line, and where in a game it belongs."""

    setup: Setup
    moves: tuple[str, ...] = ()  # of the game when it has played the whole line
    pv: tuple[str, ...] = ()

    def left(self, position: GtpPosition) -> tuple[str, ...]:
        """The line without what a game has played of it; nothing where the game went another way."""
        played = tuple(position.moves)
        done = len(played) - (len(self.moves) - len(self.pv))
        is_on_it = position.setup == self.setup and done >= 0 and played == self.moves[: len(played)]
        return self.pv[done:] if is_on_it else ()


class GtpContext:
    """One game and the player that plays it. `options` are those of `session_options`, maybe set at the start."""

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
        """The game in the coordinates that the controller uses."""
        is_go = COORDINATES.name in self.options and self.options[COORDINATES.name] == "go"
        return self._game.with_go_coordinates() if is_go else self._game

    @property
    def position(self) -> GtpPosition:
        """The game in progress."""
        return self._board.position

    @property
    def game_options(self) -> OptionSet:
        """The options of the rules with the values of the game in progress."""
        options = OptionSet(self._game.options)
        if self._game.read_options:
            options.update(self._game.read_options(self.position.setup))
        return options

    def begin(self, setup: Setup, plays: ColouredMoves = ()) -> None:
        """Begin a game, with the moves of a record, and set the clocks to its beginning; raise BadSetup."""
        board = GtpBoard(self._game, setup)
        board.play_all(plays)
        self._move_chooser.new_game(board.position.setup)
        self._board = board
        self.clock.reset()

    def clear(self) -> None:
        """The game's own start on the present board."""
        self.begin(replace(self.position.setup, position=""))

    def set_game_option(self, name: str, value: str) -> None:
        """Change an option of the rules, also in the game in progress; raise where its moves do not allow it."""
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
                raise IllegalMove("to resign is an answer, no move")
            self._board.play(side, self.parse_move(text))
        except IllegalMove as error:
            raise CommandError(f"illegal move: {colour} {text} ({error})") from None

    def undo(self) -> None:
        """Take back the last command that played; raise IllegalMove where there is none."""
        self._board.undo()

    def generate(self, side: int, *, plays: bool) -> str:
        """The player's move for a side as the controller writes it, played where `plays` says so; or RESIGN."""
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
        """A decision for a side, None for the one to move; raise CommandError at the game's end."""
        decision = self._move_chooser.choose(self._unfinished(side), limits, report)
        self.last_progress = decision.progress
        self.last_line = self._line_of(self.position.to_move if side is None else side, decision.progress.pv)
        return decision

    def solve(self, side: int | None, limits: Limits) -> Solution:
        """What the player can prove for a side, None for the one to move."""
        outcome = self.position.outcome()
        if outcome is None:
            return self._move_chooser.solve(self._board.turn_of(side), self._for_proof(limits))
        if outcome.winner is None:
            return Solution("draw", distance=0)
        asked = self.position.to_move if side is None else side
        return Solution("win" if outcome.winner == asked else "loss", distance=0)

    def solve_move(self, side: int, text: str, limits: Limits) -> Solution:
        """What the player can prove for the other side after a side's move, as the controller writes it."""
        position = self._unfinished(side)
        position.play(self.parse_move(text))
        try:
            if position.outcome() is None:
                return self._move_chooser.solve(position, limits)
            return Solution("loss", distance=0)
        finally:
            position.undo()

    def count(self, depth: int) -> int:
        """Number of legal move sequences of so many plies; raise CommandError where the command is told to end."""
        try:
            return interruptible_perft(self.position, depth, self._move_chooser.command.stop)
        except PerftInterrupted:
            raise CommandError("interrupted") from None

    def limits(self, side: int) -> Limits:
        """What a move of a side may take: its clock, else fixed depth or nodes, else the session's time for a move."""
        depth, nodes = (self.options.get_int(option.name) or None for option in (DEPTH, NODES))
        otherwise_ms = None if depth or nodes else self._move_time_ms
        return replace(self.clock.limits(side) or Limits(move_time_ms=otherwise_ms), depth=depth, nodes=nodes)

    def legal_moves(self, side: int | None = None) -> list[str]:
        """The legal moves of a side as the controller writes them, none in a finished game."""
        if self.position.outcome() is not None:
            return []
        return [self.format_move(move) for move in self._board.turn_of(side).legal_moves()]

    def parse_move(self, text: str) -> str:
        """A controller's move in the game's notation; raise IllegalMove."""
        return self.game.parse_move(text, self.position.setup)

    def format_move(self, move: str) -> str:
        """A move as the controller writes it."""
        return self.game.format_move(move, self.position.setup)

    @property
    def _move_time_ms(self) -> int:
        return int(self.options.get_float(MOVE_TIME.name) * 1000)

    def _for_proof(self, limits: Limits) -> Limits:
        """The limits, with the session's time for a move where only a depth is set: proofs may heed none."""
        if (limits.move_time_ms, limits.time_left_ms, limits.nodes) == (None, None, None):
            return replace(limits, move_time_ms=self._move_time_ms)
        return limits

    def _line_of(self, side: int, pv: tuple[str, ...]) -> SearchedLine:
        """A side's line from the present position."""
        position = self.position
        first = [self._game.move_for_side(position, side, move) for move in pv[:1]]
        return SearchedLine(position.setup, (*position.moves, *first, *pv[1:]), pv)

    def _unfinished(self, side: int | None) -> GtpPosition:
        """The position with a side to move, None for whose turn it is; raise CommandError where the game is over."""
        if self.position.outcome() is not None:
            raise CommandError("the game is over")
        return self._board.turn_of(side)
