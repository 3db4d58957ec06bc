"""Commands that the GUI Yixin-Board adds to Gomocup: opening steps, balanced moves, defences, draws, databases.

The openings are swap2 and Soosorv-8. protocols/README.md lists the commands of Yixin-Board with their answers. Those
that need no module of their own, such as YXNBEST, are in `session.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, runtime_checkable

from core.play.player import Limits, Player, Progress
from core.play.squares import format_square
from protocols.gomocup.board import ManagerBoard
from protocols.gomocup.commands import FIRST_STEPS, GomocupCommand, Lines
from protocols.gomocup.opening_replies import (
    MAX_OFFERS,
    Reply,
    parse_squares,
    parse_swap2,
    reply_to_swap2,
    reply_with_choice,
    reply_with_fifths,
    reply_with_fourth,
    reply_with_opening,
    reply_with_swap,
)
from protocols.gomocup.player_abilities import SearchRequest, Swap2Player
from protocols.gomocup.text import Point, format_point, format_progress
from protocols.serving.command_session import Command
from protocols.text import CommandError, parse_number, quote_argument

SOOSORV_STEPS = frozenset(f"YXSOOSORVSTEP{step}" for step in range(2, 7))  # each is followed by squares and DONE
# Sent after every click (databases), to block move sequences, or when the user resigns. They have no effect here, and
# the GUI expects no answer.
SILENT_BODY_WORDS = frozenset(
    {"YXQUERYDATABASEALL", "YXQUERYDATABASEONE", "YXQUERYDATABASETEXT", "YXQUERYDATABASEALLT"}
    | {"YXBLOCKPATH", "YXBLOCKPATHUNDO"}
)
SILENT_WORDS = frozenset({"YXBLOCKPATHRESET", "YXRESIGN"})
# Sent for menu items that we do not support. The first are followed by squares and DONE, PATH_WORDS by a path.
UNKNOWN_BODY_WORDS = frozenset(
    {"YXSETBESTMOVEDATABASE", "YXCLEARBESTMOVEDATABASE", "YXEDITLABELDATABASE", "YXEDITTVDDATABASE"}
    | {"YXEDITTEXTDATABASE", "YXDELETEDATABASEONE", "YXDELETEDATABASEALL"}
)
PATH_WORDS = frozenset(
    {"YXHASHDUMP", "YXHASHLOAD", "YXSETDATABASE", "YXDBTOPOS", "YXDBTOTXT", "YXTXTTODB"}
    | {"YXDBTOTXTALL", "YXLIBTODB", "YXDBTOLIB", "YXDBSPLIT", "YXDBMERGE"}
)
BODY_WORDS = SOOSORV_STEPS | SILENT_BODY_WORDS | UNKNOWN_BODY_WORDS | PATH_WORDS


class SoosorvSteps(Protocol):
    """A player's answers to the steps of a Soosorv-8 opening.

    `stones` are the moves so far, black's first. `offers` is the number of fifth moves that black must offer.
    """

    def propose_opening(self) -> Sequence[str]:
        """Return three stones of a standard opening."""

    def should_take_black(self, stones: Sequence[str]) -> bool:
        """Return whether to take black after three stones."""

    def find_fourth(self, stones: Sequence[str]) -> tuple[str, int]:
        """Return the fourth move and the number of fifth moves that black must offer."""

    def should_take_white(self, stones: Sequence[str], offers: int) -> bool:
        """Return whether to take white after four stones."""

    def find_fifths(self, stones: Sequence[str], offers: int) -> Sequence[str]:
        """Return `offers` fifth moves, or fewer if there are fewer."""

    def choose_fifth(self, stones: Sequence[str], fifths: Sequence[str]) -> str:
        """Return the fifth move that black must play, one of `fifths`."""


@runtime_checkable
class SoosorvPlayer(Protocol):
    """A player that knows the Soosorv-8 opening."""

    def soosorv(self, limits: Limits) -> SoosorvSteps:
        """Return an object that answers one step of the opening within the limits."""


@runtime_checkable
class BalancingPlayer(Protocol):
    """A player that finds moves after which the position is balanced."""

    def balance(self, count: int, bias: int, limits: Limits) -> Progress:
        """Return `count` (1 or 2) moves as the PV, after which the score for the side to move is near `bias`.

        The score of the returned `Progress` is that score.
        """


AskPlayer = Callable[[SearchRequest, Limits], Reply]  # asks the player and formats its answer


class Answer(Protocol):
    """A function of the session that asks the player about a board and puts the reply's stones on it."""

    def __call__(
        self,
        board: ManagerBoard,
        ask_player: AskPlayer,
        *,
        begins_game: bool = False,
        is_sent_if_abandoned: bool = False,
        counts_as_move: bool = False,
    ) -> Lines:
        """Return the lines of the player's reply. With `begins_game` a new game begins.

        If the manager has abandoned the game meanwhile, return no lines unless `is_sent_if_abandoned`. With
        `counts_as_move` the GUI then waits for a move, which it discards, so return any move instead of the reply.
        """


@dataclass(frozen=True)
class SessionCallbacks:
    """Functions of the session that the commands of this module use."""

    require_board: Callable[[], ManagerBoard]  # raises CommandError before START
    parse_points: Callable[[str, Lines], list[Point]]  # (command, lines of its body) -> points; raises CommandError
    answer: Answer
    defend: Callable[[ManagerBoard], Lines]  # answers YXSEARCHDEFEND


class SoosorvLines:
    """Tracks which input lines belong to Soosorv steps, because START does not abandon a step that was sent before it.

    Yixin-Board asks for forbidden squares right after a step, by a START, and still waits for the step's answer.
    """

    def __init__(self) -> None:
        self._is_inside = False  # inside the body of a step
        self._first_number = 0  # number of the line with the first step of the last swap2 or Soosorv opening
        self._last_number = 0  # number of the last line that belongs to a step

    def note_line(self, keyword: str, number: int, *, begins_game: bool) -> None:
        """Record a line: its keyword, its number, and whether it begins a game."""
        if keyword in FIRST_STEPS:
            self._first_number, self._last_number = number, number if keyword == "YXSOOSORVSTEP1" else 0
        self._is_inside = keyword in SOOSORV_STEPS or (self._is_inside and not begins_game)
        if self._is_inside:
            self._last_number = number
        if keyword == "DONE":
            self._is_inside = False

    def has_step_from(self, number: int) -> bool:
        """Return whether line `number` belongs to the steps of the present game, or is queued before one of them."""
        return self._first_number <= number <= self._last_number


class YixinCommands:
    """Implements the commands of this module for a player, whose abilities decide which openings it knows."""

    def __init__(self, player: Player, callbacks: SessionCallbacks) -> None:
        self._player = player
        self._callbacks = callbacks

    def make_commands(self) -> list[Command[Lines, Lines]]:
        """Return the commands. Their arguments are the rest of the first line, then the lines of the body."""
        return [
            self._slow_command(self._open_swap2, "YXSWAP2STEP1", "propose three stones"),
            self._slow_command(
                partial(self._answer_swap2, 3), "YXSWAP2STEP2", "choose a side after three stones, or add two"
            ),
            self._slow_command(partial(self._answer_swap2, 5), "YXSWAP2STEP3", "choose a side after five stones"),
            self._slow_command(self._open_soosorv, "YXSOOSORVSTEP1", "propose a standard opening"),
            self._soosorv_step(2, 3, self._take_black, "take black or not"),
            self._soosorv_step(3, 3, self._find_fourth, "propose the fourth move and the number of fifth moves"),
            self._soosorv_step(4, 4, self._take_white, "take white or not"),
            self._soosorv_step(5, 4, self._find_fifths, "offer fifth moves"),
            self._slow_command(self._choose_fifth, "YXSOOSORVSTEP6 ... DONE", "choose one of the fifth moves"),
            self._slow_command(
                lambda *_: self._callbacks.defend(self._callbacks.require_board()),
                "YXSEARCHDEFEND",
                "move, and list the moves that do not lose to a threat",
            ),
            self._slow_command(
                partial(self._balance, 1), "YXBALANCEONE [SCORE]", "play a move that leaves the game even"
            ),
            self._slow_command(
                partial(self._balance, 2), "YXBALANCETWO [SCORE]", "play two moves that leave the game even"
            ),
            GomocupCommand(lambda _: ["MESSAGE DRAW REJECT"], "YXDRAW", "refuse a draw"),
            *(Command(_ignore, keyword, "accepted without effect") for keyword in sorted(SILENT_WORDS)),
            *(
                Command(_ignore, f"{keyword} ... DONE", "accepted without effect")
                for keyword in sorted(SILENT_BODY_WORDS)
            ),
            *(
                Command(partial(self._refuse, keyword), f"{keyword} ...", "not supported")
                for keyword in sorted(UNKNOWN_BODY_WORDS | PATH_WORDS)
            ),
        ]

    def can_open(self, keyword: str) -> bool:
        """Return whether the player knows the opening that a command of FIRST_STEPS begins."""
        return isinstance(self._player, Swap2Player if keyword == "YXSWAP2STEP1" else SoosorvPlayer)

    def _slow_command(self, run: Callable[[str, Lines], Lines], usage: str, help_text: str) -> GomocupCommand:
        keyword = usage.partition(" ")[0]
        return GomocupCommand(lambda arguments: run(keyword, arguments), usage, help_text, slow=True)

    def _soosorv_step(
        self,
        step: int,
        stone_count: int,
        ask_player: Callable[[SoosorvSteps, ManagerBoard, int], Reply],
        help_text: str,
    ) -> GomocupCommand:
        """Return the command of a step before which `stone_count` stones are on the board.

        `ask_player` gets the player's steps, the board and the number N of fifth moves, which only a command with four
        stones has; otherwise that is 0.
        """
        usage = f"YXSOOSORVSTEP{step}{' N' * (stone_count == 4)} ... DONE"
        return self._slow_command(partial(self._answer_soosorv, stone_count, ask_player), usage, help_text)

    def _refuse(self, keyword: str, _: Lines) -> Lines:
        """Answer a command that the player or this program does not support."""
        return [f"UNKNOWN {keyword}"]

    def _open_swap2(self, keyword: str, arguments: Lines) -> Lines:
        player = self._player
        board = self._callbacks.require_board()
        if not isinstance(player, Swap2Player):
            return self._refuse(keyword, arguments)

        def ask_player(request: SearchRequest, limits: Limits) -> Reply:
            return reply_to_swap2(0, parse_swap2(player.swap2([], limits), 0, request.board.free_points()))

        return self._callbacks.answer(ManagerBoard(board.width, board.height), ask_player, begins_game=True)

    def _open_soosorv(self, keyword: str, arguments: Lines) -> Lines:
        player = self._player
        board = self._callbacks.require_board()
        if not isinstance(player, SoosorvPlayer):
            return self._refuse(keyword, arguments)

        def ask_player(request: SearchRequest, limits: Limits) -> Reply:
            return reply_with_opening(
                parse_squares(player.soosorv(limits).propose_opening(), request.board.free_points(), 3)
            )

        return self._callbacks.answer(ManagerBoard(board.width, board.height), ask_player, begins_game=True)

    def _answer_swap2(self, stone_count: int, keyword: str, arguments: Lines) -> Lines:
        """Choose a side, or add two stones. The GUI counts the answer as a move."""
        board, player = self._callbacks.require_board(), self._player
        if len(board.placed) != stone_count:
            raise CommandError(f"{keyword} must have {stone_count} stones on the board, not {len(board.placed)}")
        if len(board.stones) != stone_count:
            turns = ", ".join(board.squares())
            raise CommandError(
                f"{keyword} stones must alternate from black to white, and white must be to move, not: {turns}"
            )
        if not isinstance(player, Swap2Player):
            return self._refuse(keyword, arguments)

        def ask_player(request: SearchRequest, limits: Limits) -> Reply:
            added = parse_swap2(player.swap2(request.moves, limits), stone_count, request.board.free_points())
            return reply_to_swap2(stone_count, added)

        return self._callbacks.answer(board, ask_player, is_sent_if_abandoned=True, counts_as_move=True)

    def _answer_soosorv(
        self,
        stone_count: int,
        ask_player: Callable[[SoosorvSteps, ManagerBoard, int], Reply],
        keyword: str,
        arguments: Lines,
    ) -> Lines:
        """Answer a Soosorv step. The body holds the stones; with four stones the command has a number of offers."""
        rest, *lines = arguments
        points = self._callbacks.parse_points(keyword, lines)
        if len(points) != stone_count:
            raise CommandError(f"{keyword} must have {stone_count} squares, not {len(points)}")
        offers = self._parse_offers(keyword, rest) if stone_count == 4 else 0
        return self._ask_soosorv(keyword, points, lambda steps, board: ask_player(steps, board, offers))

    def _parse_offers(self, keyword: str, rest: str) -> int:
        offers = parse_number(rest)
        if offers is None or not 1 <= offers <= MAX_OFFERS:
            raise CommandError(f"{keyword} number of fifth moves must be 1 to {MAX_OFFERS}, not {quote_argument(rest)}")
        return offers

    def _ask_soosorv(
        self, keyword: str, points: list[Point], ask_player: Callable[[SoosorvSteps, ManagerBoard], Reply]
    ) -> Lines:
        player, board = self._player, self._callbacks.require_board()
        if not isinstance(player, SoosorvPlayer):
            return self._refuse(keyword, [])
        board = ManagerBoard(board.width, board.height, points)
        return self._callbacks.answer(board, lambda _, limits: ask_player(player.soosorv(limits), board))

    def _take_black(self, steps: SoosorvSteps, board: ManagerBoard, _: int) -> Reply:
        return reply_with_swap(1, steps.should_take_black(board.squares()))

    def _find_fourth(self, steps: SoosorvSteps, board: ManagerBoard, _: int) -> Reply:
        fourth, offers = steps.find_fourth(board.squares())
        return reply_with_fourth(parse_squares([fourth], board.free_points(), 1)[0], offers)

    def _take_white(self, steps: SoosorvSteps, board: ManagerBoard, offers: int) -> Reply:
        return reply_with_swap(2, steps.should_take_white(board.squares(), offers))

    def _find_fifths(self, steps: SoosorvSteps, board: ManagerBoard, offers: int) -> Reply:
        fifths = steps.find_fifths(board.squares(), offers)
        return reply_with_fifths(parse_squares(fifths, board.free_points(), len(fifths)))

    def _choose_fifth(self, keyword: str, arguments: Lines) -> Lines:
        points = self._callbacks.parse_points(keyword, arguments[1:])
        if not 5 <= len(points) <= 4 + MAX_OFFERS:
            raise CommandError(
                f"{keyword} must have 4 squares and 1 to {MAX_OFFERS} fifth moves, not {len(points)} in all"
            )
        fifths = [format_square(*point) for point in points[4:]]

        def ask_player(steps: SoosorvSteps, board: ManagerBoard) -> Reply:
            return reply_with_choice(parse_squares([steps.choose_fifth(board.squares(), fifths)], points[4:], 1)[0])

        return self._ask_soosorv(keyword, points[:4], ask_player)

    def _balance(self, count: int, keyword: str, arguments: Lines) -> Lines:
        """Play `count` moves after which the score for the side to move is near the bias."""
        bias = parse_number(arguments[0] or "0")
        if bias is None:
            raise CommandError(
                f"{keyword} score must be a whole number or left out, not {quote_argument(arguments[0])}"
            )
        board, player = self._callbacks.require_board(), self._player
        if board.free_count < count:
            raise CommandError(f"{keyword} must have {count} free squares on the board")
        if not isinstance(player, BalancingPlayer):
            return self._refuse(keyword, arguments)

        def ask_player(request: SearchRequest, limits: Limits) -> Reply:
            progress = player.balance(count, bias, limits)
            points = parse_squares(progress.pv, request.board.free_points(), count)
            return Reply((format_progress(progress), " ".join(map(format_point, points))), tuple(points))

        return self._callbacks.answer(board, ask_player)


def _ignore(_: Lines) -> Lines:
    """Return no answer."""
    return []
