"""One decision of the Gomocup session: let the player think, write what it found.

A move comes out as long as a square is free. What a player can do beyond the Player interface is found by the small
protocols below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from core.play.player import BadSetup, IllegalMove, Limits, Player, Progress, Setup
from core.play.squares import format_square, parse_square
from protocols.gomocup.board import ManagerBoard
from protocols.gomocup.negotiation import Reply
from protocols.gomocup.settings import GameClock, PlayerOptions, Settings
from protocols.gomocup.text import Point, format_detail, format_point, format_progress
from protocols.serving.arrivals import CommandClock
from protocols.serving.decider import Decider, WrongAnswer
from protocols.text import clean_text

# From here on a limit is none: YixinBoard always names both, with these numbers, more or the board's squares where its
# user wants none, and a player takes a move with either for an analysis.
ENDLESS_DEPTH, ENDLESS_NODES = 100, 10**9


@runtime_checkable
class Swap2Player(Protocol):
    """A player that knows the swap2 opening."""

    def swap2(self, stones: Sequence[str], limits: Limits) -> Sequence[str]:
        """Answer the 0, 3 or 5 stones on the board with `["SWAP"]` or with the squares to add."""


@runtime_checkable
class ThreatFinder(Protocol):
    """A player that sees what threats of the opponent must be met."""

    def lost_to_threats(self, limits: Limits) -> list[str]:
        """Return moves after which the opponent wins by threats; none if he threatens nothing."""


@runtime_checkable
class ForbiddenPoints(Protocol):
    """A player that knows where the side to move may not play (renju)."""

    def forbidden(self) -> list[str]:
        """The forbidden squares of the present position."""


@runtime_checkable
class HashTable(Protocol):
    """A player with a table that can be emptied."""

    def clear_hash(self) -> None:
        """Forget what earlier searches stored."""


@dataclass(frozen=True)
class GomocupSearch:
    """What is asked for: the position, the limits in force and the squares not to consider.

    It is a `core.play.game.Line` whose legal moves are all free squares; what the rules say, the player knows.
    """

    board: ManagerBoard
    setup: Setup
    settings: Settings
    blocked: frozenset[Point]
    lines: int = 1
    is_owed: bool = False  # whether the manager waits for the move even where it has begun another game

    @property
    def moves(self) -> list[str]:
        """The stones by square name."""
        return self.board.squares()

    def legal_moves(self) -> list[str]:
        """Free squares, those near the last stone first and those that are blocked last."""
        free = sorted(self.board.free_points(), key=self.blocked.__contains__)
        return [format_square(x, y) for x, y in free]

    def play(self, move: str) -> None:
        """Put a stone on the board; raise IllegalMove."""
        point = parse_square(move)
        if point is None or point not in self.board.free_points():
            raise IllegalMove(f"{move} is no free square")
        self.board.stones.append(point)

    def undo(self) -> None:
        """Take the last stone back."""
        self.board.stones.pop()

    def limits(self, left_ms: int | None) -> Limits:
        """What the search may take, with so much time left in the game."""
        settings = self.settings
        endless_depth = min(ENDLESS_DEPTH, self.setup.width * self.setup.height)
        return Limits(
            move_time_ms=max(0, settings.timeout_turn),
            time_left_ms=left_ms,
            increment_ms=max(0, settings.time_increment),
            depth=settings.max_depth if 0 < settings.max_depth < endless_depth else None,
            nodes=settings.max_node if 0 < settings.max_node < ENDLESS_NODES else None,
            lines=self.lines,
            exclude=self._excluded(),
        )

    def _excluded(self) -> tuple[str, ...]:
        """Walls and blocked squares by name. Blocking every free square blocks none, as some move must be made."""
        free = self.board.free_points()
        blocked = [point for point in free if point in self.blocked]
        if len(blocked) == len(free):
            blocked = []
        return tuple(format_square(x, y) for x, y in [*blocked, *sorted(self.board.walls)])


class GomocupThinker:
    """Has `decider` drive the player, and writes what comes of it.

    `is_abandoned` tells whether the answer of the present search is still wanted, `is_stopped` whether it is wanted at
    once, be it said before the search began, and `command` since when.
    """

    def __init__(
        self,
        player: Player,
        say: Callable[[str], None],
        is_abandoned: Callable[[], bool],
        is_stopped: Callable[[], bool],
        command: CommandClock,
    ) -> None:
        self.clock = GameClock()
        self._command = command
        self._player = player
        self._say = say
        self._is_abandoned = is_abandoned
        self._options = PlayerOptions(player)
        self._notes: list[str] = []  # what INFO lines asked for and cannot be had; INFO itself must not be answered
        self.decider = Decider(
            player, self._tell, command, lambda: is_stopped() or is_abandoned(), on_failure=self._tell_failure
        )

    def new_game(self, setup: Setup, settings: Settings) -> None:
        """Begin a game; raise BadSetup and change nothing where the player cannot play it."""
        self._notes += self._options.apply(settings)
        self.decider.new_game(setup)
        self.clock.new_game()
        self._tell_notes()

    def forbidden(self, search: GomocupSearch) -> list[Point]:
        """Squares where the side to move may not play. A decided game has none."""
        assert isinstance(self._player, ForbiddenPoints)
        try:
            self.decider.follow(search)
        except IllegalMove:
            return []
        points = (parse_square(square) for square in self._player.forbidden())
        return [point for point in points if point is not None]

    def answer_move(self, search: GomocupSearch, spent_ms: int = 0) -> None:
        """Think, put the move on the board and write it, unless the game was abandoned and nobody waits for it.

        `spent_ms` is what an earlier search of the same command took.
        """
        try:
            move = self._find_move(search, spent_ms)
        except BadSetup as error:
            self._end()
            self._say(f"ERROR {clean_text(str(error))}")
            return
        self._end()
        if search.is_owed or not self._is_abandoned():
            search.play(move)
            self._say(format_point(search.board.stones[-1]))

    def answer_defence(self, search: GomocupSearch) -> None:
        """Answer a move as `answer_move` does, but think about no move that loses to a threat."""
        if not isinstance(self._player, ThreatFinder):
            self.answer_move(search)
            return
        lost = self._find_lost(self._player, search)
        if search.settings.wants_realtime and not self._is_abandoned():
            for point in lost:
                self._say(f"MESSAGE REALTIME LOSE {format_point(point)}")
        self.answer_move(replace(search, blocked=search.blocked.union(lost)), self._command.spent_ms())

    def answer(self, search: GomocupSearch, ask: Callable[[Limits], Reply], *, is_counted: bool = False) -> None:
        """Ask the player within the limits, put the reply's stones on the board and write it.

        If the game has been abandoned, only a reply that is owed is written; a host for which it is counted as a move
        gets any move, which it throws away.
        """
        try:
            with self.decider.searching():
                self._set_options(search.settings)
                self.decider.follow(search)
                reply = ask(self.decider.in_time(self._limits(search)))
        except (BadSetup, IllegalMove) as error:
            reply = Reply((f"ERROR {clean_text(str(error))}",))
        except Exception as error:
            self.decider.forget()
            reply = Reply((f"ERROR internal {_describe(error)}",))
        self._end()
        if self._is_abandoned():
            if not search.is_owed:
                return
            reply = Reply((format_point(search.board.free_points()[0]),)) if is_counted else reply
        search.board.stones.extend(reply.stones)
        for line in reply.lines:
            self._say(line)

    def _end(self) -> None:
        """The search is over, and its answer comes next."""
        self.clock.spend(self._command.spent_ms())
        self._command.answer()

    def _tell(self, text: str) -> None:
        self._say(f"MESSAGE {clean_text(text)}")

    def _tell_failure(self, error: Exception, _: str) -> None:
        """A wrong answer is replaced without a word. Of the rules the player's word counts: nothing is tried again."""
        if isinstance(error, WrongAnswer):
            return
        if isinstance(error, (BadSetup, IllegalMove)):
            raise error
        self._say(f"MESSAGE internal {_describe(error)}")

    def _find_lost(self, player: ThreatFinder, search: GomocupSearch) -> list[Point]:
        """Moves that lose to a threat; none if the player fails."""
        try:
            with self.decider.searching():
                self._set_options(search.settings)
                self.decider.follow(search)
                lost = player.lost_to_threats(self.decider.in_time(self._limits(search)))
        except Exception as error:
            self.decider.forget()
            self._say(f"MESSAGE internal {_describe(error)}")
            return []
        return [point for point in map(parse_square, lost) if point is not None]

    def _find_move(self, search: GomocupSearch, spent_ms: int) -> str:
        self._set_options(search.settings)
        limits = self._limits(search).after(spent_ms)
        try:
            return self.decider.choose(search, limits, lambda progress: self._report(search, progress)).move
        except IllegalMove as error:
            self._say(f"MESSAGE the player refuses the position: {clean_text(str(error))}; playing a free square")
            return search.legal_moves()[0]

    def _limits(self, search: GomocupSearch) -> Limits:
        return search.limits(self.clock.left_ms(search.settings.timeout_match))

    def _set_options(self, settings: Settings) -> None:
        """What INFO lines have set since the last search."""
        try:
            self._notes += self._options.apply(settings)
        except Exception as error:
            self._say(f"MESSAGE internal {_describe(error)}")
        self._tell_notes()

    def _tell_notes(self) -> None:
        while self._notes:
            self._tell(self._notes.pop(0))

    def _report(self, search: GomocupSearch, progress: Progress) -> None:
        if self._is_abandoned():
            return
        self._say(format_progress(progress, search.lines))
        if (
            search.settings.wants_realtime
            and progress.line == 1
            and progress.pv
            and (best := parse_square(progress.pv[0]))
        ):
            self._say(f"MESSAGE REALTIME BEST {format_point(best)}")
        if search.settings.wants_lines:
            for line in format_detail(progress, search.lines):
                self._say(line)


def _describe(error: Exception) -> str:
    return clean_text(f"{type(error).__name__}: {error}")
