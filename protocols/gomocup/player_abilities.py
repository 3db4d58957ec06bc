"""What the Gomocup session asks of its player: moves and openings, found within the manager's settings and clock.

A move is found as long as a square is free. What a player can do beyond the Player interface is found by the small
protocols below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from core.play.player import AllMovesExcluded, IllegalMove, Limits, Player, Progress, Setup
from core.play.squares import format_square, parse_square
from protocols.gomocup.board import ManagerBoard
from protocols.gomocup.opening_replies import Reply
from protocols.gomocup.settings import GameClock, PlayerOptions, Settings
from protocols.gomocup.text import Point, format_detail, format_point, format_progress
from protocols.serving.move_chooser import MoveChooser
from protocols.text import clean_text

# From here on a limit is none: YixinBoard always names both, with these numbers, more or the board's squares where its
# user wants none, and a player takes a move with either for an analysis.
ENDLESS_DEPTH, ENDLESS_NODES = 100, 10**9
ENDLESS_TURN_MS, ENDLESS_MATCH_MS = 2_000_000, 100_000_000


@runtime_checkable
class Swap2Player(Protocol):
    """A player that knows the swap2 opening."""

    def swap2(self, stones: Sequence[str], limits: Limits) -> Sequence[str]:
        """Answer the 0, 3 or 5 stones on the board with `["SWAP"]` or with the squares to add."""


@runtime_checkable
class ThreatFinder(Protocol):
    """A player that sees what threats of the opponent must be met."""

    def find_losing_moves(self, limits: Limits) -> list[str]:
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

    It is a `core.play.game.MoveList` whose legal moves are all free squares; what the rules say, the player knows.
    `play` and `undo` change the board.
    """

    board: ManagerBoard
    setup: Setup
    settings: Settings
    blocked: frozenset[Point]
    lines: int = 1

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

    @property
    def is_endless(self) -> bool:
        """Whether the settings are those with which Yixin's GUIs ask for a search without a limit."""
        settings = self.settings
        times = settings.timeout_turn >= ENDLESS_TURN_MS and settings.timeout_match >= ENDLESS_MATCH_MS
        return times and self.limits(None).depth is None and self.limits(None).nodes is None

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
            multi_pv=self.lines,
            excluded_moves=self._excluded(),
        )

    def _excluded(self) -> tuple[str, ...]:
        """Walls and blocked squares by name. Blocking every free square blocks none, as some move must be made."""
        free = self.board.free_points()
        blocked = [point for point in free if point in self.blocked]
        if len(blocked) == len(free):
            blocked = []
        return (*(format_square(x, y) for x, y in blocked), *self.walls())

    def walls(self) -> tuple[str, ...]:
        """Squares that are never played, by name."""
        return tuple(format_square(x, y) for x, y in sorted(self.board.walls))


class GomocupThinker:
    """Has the session's `move_chooser` drive the player. `say` writes a line at once."""

    def __init__(
        self, player: Player, move_chooser: MoveChooser, say: Callable[[str], None], is_abandoned: Callable[[], bool]
    ) -> None:
        self.clock = GameClock()
        self._player = player
        self._move_chooser = move_chooser
        self._say = say
        self._is_abandoned = is_abandoned
        self._options = PlayerOptions(player)
        self._warnings: list[str] = []  # of INFO lines, which must not be answered themselves

    def new_game(self, setup: Setup, settings: Settings) -> None:
        """Begin a game; raise BadSetup and change nothing if the player cannot play it."""
        self._move_chooser.new_game(setup)
        self._warnings += self._options.apply(settings)
        self.clock.new_game()
        self._tell_warnings()

    def forbidden(self, search: GomocupSearch) -> list[Point]:
        """Squares where the side to move may not play. A decided game has none."""
        assert isinstance(self._player, ForbiddenPoints)
        try:
            self._move_chooser.follow(search)
        except IllegalMove:
            return []
        points = (parse_square(square) for square in self._player.forbidden())
        return [point for point in points if point is not None]

    def find_move(self, search: GomocupSearch, spent_ms: int = 0) -> Point:
        """Think and return the move; raise BadSetup if the player cannot play by the rule.

        `spent_ms` is what an earlier search of the same command took.
        """
        with self._spending(search):
            try:
                move = self._choose(search, self._limits(search).minus_elapsed(spent_ms))
            except IllegalMove as error:
                self.tell(f"the player refuses the position: {error}; playing a free square")
                move = search.legal_moves()[0]
        point = parse_square(move)
        assert point is not None
        return point

    def find_defence(self, search: GomocupSearch) -> Point:
        """Return a move as `find_move` does, but think about no move that loses to a threat."""
        if not isinstance(self._player, ThreatFinder):
            return self.find_move(search)
        lost = self._find_lost(self._player, search)
        if search.settings.wants_realtime and not self._is_abandoned():
            for point in lost:
                self._say(f"MESSAGE REALTIME LOSE {format_point(point)}")
        spent_ms = self._move_chooser.command.clock.elapsed_ms()
        return self.find_move(replace(search, blocked=search.blocked.union(lost)), spent_ms)

    def find_reply(self, search: GomocupSearch, ask: Callable[[GomocupSearch, Limits], Reply]) -> Reply:
        """Return what the player answers to a question about the position; raise BadSetup or IllegalMove."""
        with self._spending(search), self._move_chooser.searching():
            self._move_chooser.follow(search)
            return ask(search, self._move_chooser.remaining_limits(self._limits(search)))

    def _find_lost(self, player: ThreatFinder, search: GomocupSearch) -> list[Point]:
        """Moves that lose to a threat; none if the player fails."""
        try:
            with self._move_chooser.searching():
                self._set_options(search.settings)
                self._move_chooser.follow(search)
                lost = player.find_losing_moves(self._move_chooser.remaining_limits(self._limits(search)))
        except Exception as error:
            self._move_chooser.forget()
            self.tell(f"internal {type(error).__name__}: {error}")
            return []
        return [point for point in map(parse_square, lost) if point is not None]

    def _limits(self, search: GomocupSearch) -> Limits:
        return search.limits(self.clock.left_ms(search.settings.timeout_match))

    def _choose(self, search: GomocupSearch, limits: Limits) -> str:
        """Return the player's move; raise IllegalMove, or BadSetup. Blocking every legal square blocks none."""
        try:
            return self._move_chooser.choose(search, limits, lambda progress: self._report(search, progress)).move
        except AllMovesExcluded:
            self.tell("every square that may be played is blocked: none is")
            return self._choose(replace(search, blocked=frozenset()), replace(limits, excluded_moves=search.walls()))

    def tell(self, text: str) -> None:
        """Write a message for people."""
        self._say(f"MESSAGE {clean_text(text)}")

    @contextmanager
    def _spending(self, search: GomocupSearch) -> Iterator[None]:
        """Set what INFO lines have changed, then count the time of the block on the game's clock."""
        self._set_options(search.settings)
        if search.is_endless:
            self._move_chooser.stop_at_input_end()
        try:
            yield
        finally:
            self.clock.spend(self._move_chooser.command.clock.elapsed_ms())

    def _set_options(self, settings: Settings) -> None:
        """Set what INFO lines have changed since the last search."""
        try:
            self._warnings += self._options.apply(settings)
        except Exception as error:
            self.tell(f"internal {type(error).__name__}: {error}")
        self._tell_warnings()

    def _tell_warnings(self) -> None:
        while self._warnings:
            self.tell(self._warnings.pop(0))

    def _report(self, search: GomocupSearch, progress: Progress) -> None:
        if self._is_abandoned():
            return
        self._say(format_progress(progress, search.lines))
        is_best = progress.pv_index == 1 and progress.pv
        if search.settings.wants_realtime and is_best and (best := parse_square(progress.pv[0])):
            self._say(f"MESSAGE REALTIME BEST {format_point(best)}")
        if search.settings.wants_lines:
            for line in format_detail(progress, search.lines):
                self._say(line)
