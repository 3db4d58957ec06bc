"""The state that the commands of a GTP session share (`GtpContext`): game in progress, player, clocks and parameters.

The context converts moves between the controller's notation and the game's. The commands parse their arguments and
format their responses. A method that fails changes nothing and raises CommandError, BadSetup, IllegalMove or
OptionError.
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
DEPTH = Option("depth", 0, "depth limit of every search in plies; 0: none", minimum=0, maximum=100)
NODES = Option("nodes", 0, "node limit of every search; 0: none", minimum=0, maximum=10**12)
COORDINATES = Option(
    "coordinates",
    "own",
    "square names: own, those of the game; go, without column i and with rows from the bottom",
    choices=("own", "go"),
)


def session_options(game: GtpGame) -> OptionSet:
    """Return the session options with their default values. The command line and `param_gtp` set them."""
    return OptionSet((MOVE_TIME, DEPTH, NODES, *((COORDINATES,) if game.moves_are_squares else ())))


@dataclass(frozen=True)
class GtpCommand(Command[tuple[str, ...], str]):
    """A command of a GTP session. In `usage`, arguments in brackets are optional."""

    analyze_entry: str = ""  # in the menu of GoGui and HexGui: `type/label/command`; empty for none
    takes_text: bool = False  # the last argument may have several words

    def check_arguments(self, arguments: tuple[str, ...]) -> None:
        """Raise CommandError if the number of arguments does not fit the usage."""
        parameters = self.usage.split()[1:]
        required_count = sum("[" not in parameter and "]" not in parameter for parameter in parameters)
        if len(arguments) < required_count or (len(arguments) > len(parameters) and not self.takes_text):
            name, _, expected = self.usage.partition(" ")
            text = " ".join(arguments)
            check_no_arguments(name, "" if expected else text)
            raise CommandError(f"{name} arguments must be {expected}, not {quote_argument(text)}")


@dataclass(frozen=True)
class SearchedPv:
    """The principal variation (PV) of a search, with the moves of the game before it."""

    setup: Setup
    moves: tuple[str, ...] = ()  # from the start position to the end of the PV
    pv: tuple[str, ...] = ()

    def remaining(self, position: GtpPosition) -> tuple[str, ...]:
        """Return the moves of the PV that are not played yet; none if the game has left the PV."""
        played = tuple(position.moves)
        played_pv_length = len(played) - (len(self.moves) - len(self.pv))
        follows_pv = position.setup == self.setup and played_pv_length >= 0 and played == self.moves[: len(played)]
        return self.pv[played_pv_length:] if follows_pv else ()


class GtpContext:
    """The game and the player of a session.

    `kinds` are the players that the command `player` can choose. `options` are the session options with the values from
    the command line; None means the defaults. Sides are 0 (moves first) and 1; where a side may be None, it is the side
    to move.
    """

    def __init__(
        self,
        player: Player,
        game: GtpGame,
        move_chooser: MoveChooser,
        kinds: Sequence[PlayerKind],
        options: OptionSet | None = None,
    ) -> None:
        self.session_player = SessionPlayer(player, kinds, move_chooser.change_player)
        self.clock = GtpClock()
        self.options = options or session_options(game)
        self.last_progress = Progress()  # of the last search
        self.last_pv = SearchedPv(game.default_setup)
        self._game = game
        self._move_chooser = move_chooser
        self._move_chooser.new_game(game.default_setup)
        self._board = GtpBoard(game, game.default_setup)
        # Rules that the controller chose, while those of a loaded record are in force; otherwise None
        self._chosen_rules: OptionSet | None = None

    @property
    def game(self) -> GtpGame:
        """The game, whose `parse_move` and `format_move` use the coordinates that the controller has chosen."""
        uses_go_coordinates = COORDINATES.name in self.options and self.options[COORDINATES.name] == "go"
        return self._game.with_go_coordinates() if uses_go_coordinates else self._game

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
        """Begin a game, play moves, and reset the clocks; raise BadSetup."""
        board = GtpBoard(self._game, setup)
        board.play_all(plays)
        self._move_chooser.new_game(board.position.setup)
        self._board = board
        self._chosen_rules = None
        self.clock.reset()

    def load_record(self, setup: Setup, plays: ColouredMoves) -> None:
        """Replay a game record, by its own rules; raise BadSetup."""
        rules = self._chosen_rules or self.game_options
        self.begin(setup, plays)
        self._chosen_rules = rules

    def next_setup(self) -> Setup:
        """Return the setup of the next game: the same board at the standard start position, by the controller's rules.

        A record that was loaded does not change these rules, because hosts would not expect its swap, for example.
        """
        setup = replace(self.position.setup, position="")
        if self._chosen_rules is None or self._game.apply_options is None:
            return setup
        return self._game.apply_options(setup, self._chosen_rules)

    def set_game_option(self, name: str, value: str) -> None:
        """Change a rule option and replay the moves of the game.

        Raise IllegalMove if a move is illegal by the changed rules, or OptionError or BadSetup.
        """
        assert self._game.apply_options is not None
        new_options = self.game_options
        new_options.set(name, value)
        board = self._board.with_setup(self._game.apply_options(self.position.setup, new_options))
        self._move_chooser.new_game(board.position.setup)
        self._board = board
        self._chosen_rules = None

    def play(self, side: int, text: str) -> None:
        """Play a move that the controller has sent; raise CommandError if it is illegal."""
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

    def generate(self, side: int, *, plays_move: bool) -> str:
        """Search for a side. Return its move in the controller's notation, or RESIGN; play it if `plays_move`.

        If the game is over, return RESIGN if the game allows it, else raise CommandError.
        """
        if self.position.outcome() is not None:
            if self._game.may_resign:
                return RESIGN
            raise CommandError("the game is over")
        move = self.search(side, self.limits(side)).move
        if plays_move:
            self.clock.subtract(side, self._move_chooser.command.clock.elapsed_ms())
            if move != RESIGN:
                self._board.play(side, move)
        return self.format_move(move)

    def search(self, side: int | None, limits: Limits, report: ProgressCallback = ignore) -> Decision:
        """Search for a side and return its decision; raise CommandError if the game is over."""
        decision = self._move_chooser.choose(self._require_unfinished(side), limits, report)
        self.last_progress = decision.progress
        self.last_pv = self._searched_pv(self.position.to_move if side is None else side, decision.progress.pv)
        return decision

    def solve(self, side: int | None, limits: Limits) -> Solution:
        """Return what the player can prove about the position with this side to move."""
        outcome = self.position.outcome()
        if outcome is None:
            return self._move_chooser.solve(self._board.position_for(side), self._solver_limits(limits))
        if outcome.winner is None:
            return Solution("draw", distance=0)
        solved_side = self.position.to_move if side is None else side
        return Solution("win" if outcome.winner == solved_side else "loss", distance=0)

    def solve_move(self, side: int, text: str, limits: Limits) -> Solution:
        """Return what the player can prove for the opponent after a side's move, in the controller's notation.

        Only for games in which a move that ends the game wins it, such as Hex.
        """
        position = self._require_unfinished(side)
        position.play(self.parse_move(text))
        try:
            if position.outcome() is None:
                return self._move_chooser.solve(position, limits)
            return Solution("loss", distance=0)
        finally:
            position.undo()

    def perft(self, depth: int) -> int:
        """Return the number of sequences of `depth` legal moves; raise CommandError if the command is stopped."""
        try:
            return interruptible_perft(self.position, depth, self._move_chooser.command.stop)
        except PerftInterrupted:
            raise CommandError("interrupted") from None

    def limits(self, side: int) -> Limits:
        """Return the limits of a search: the clock of the side and the options `depth` and `nodes`.

        If none of them is set, the limit is the option `move_time`.
        """
        depth, nodes = (self.options.get_int(option.name) or None for option in (DEPTH, NODES))
        default_time_ms = None if depth or nodes else self._move_time_ms
        return replace(self.clock.limits(side) or Limits(move_time_ms=default_time_ms), depth=depth, nodes=nodes)

    def legal_moves(self, side: int | None = None) -> list[str]:
        """Return the legal moves of a side in the controller's notation; empty if the game is over."""
        if self.position.outcome() is not None:
            return []
        return [self.format_move(move) for move in self._board.position_for(side).legal_moves()]

    def parse_move(self, text: str) -> str:
        """Convert a move from the controller's notation to the game's; raise IllegalMove if it is malformed."""
        return self.game.parse_move(text, self.position.setup)

    def format_move(self, move: str) -> str:
        """Convert a move from the game's notation to the controller's."""
        return self.game.format_move(move, self.position.setup)

    @property
    def _move_time_ms(self) -> int:
        return int(self.options.get_float(MOVE_TIME.name) * 1000)

    def _solver_limits(self, limits: Limits) -> Limits:
        """Add the move time if there is no limit of time or nodes, because solvers may ignore a depth."""
        if (limits.move_time_ms, limits.time_left_ms, limits.nodes) == (None, None, None):
            return replace(limits, move_time_ms=self._move_time_ms)
        return limits

    def _searched_pv(self, side: int, pv: tuple[str, ...]) -> SearchedPv:
        """Return the PV of a search for a side, together with the moves of the game so far."""
        position = self.position
        first_move = [self._game.move_for_side(position, side, move) for move in pv[:1]]
        return SearchedPv(position.setup, (*position.moves, *first_move, *pv[1:]), pv)

    def _require_unfinished(self, side: int | None) -> GtpPosition:
        """Return the position with this side to move; raise CommandError if the game is over."""
        if self.position.outcome() is not None:
            raise CommandError("the game is over")
        return self._board.position_for(side)
