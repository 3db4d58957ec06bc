"""Optional abilities of a Gomoku player, and `MoveFinder`, which asks the player of a Gomocup session.

A player has an ability, such as swap2, if it has the methods of the runtime-checkable protocol class below.
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
from protocols.gomocup.settings import GameClock, OptionForwarder, Settings
from protocols.gomocup.text import Point, format_detail, format_point, format_progress
from protocols.serving.move_chooser import MoveChooser
from protocols.text import clean_text

# From these values on, an INFO key means no limit; for the times, only if both are so large. Yixin-Board always sends a
# depth, a node count and times; for a search without limits such numbers, or the number of squares as the depth.
UNLIMITED_DEPTH, UNLIMITED_NODES = 100, 10**9
UNLIMITED_TURN_MS, UNLIMITED_MATCH_MS = 2_000_000, 100_000_000
MAX_WARNINGS = 20  # number of warnings kept until the next command that searches or begins a game


@runtime_checkable
class Swap2Player(Protocol):
    """A player that knows the swap2 opening."""

    def swap2(self, stones: Sequence[str], limits: Limits) -> Sequence[str]:
        """Answer the 0, 3 or 5 stones on the board with `["SWAP"]` or with the squares to add."""


@runtime_checkable
class ThreatFinder(Protocol):
    """A player that finds the moves that lose to a threat of the opponent."""

    def find_losing_moves(self, limits: Limits) -> list[str]:
        """Return the moves after which the opponent wins by threats; none if the opponent has no such threat."""


@runtime_checkable
class ForbiddenPoints(Protocol):
    """A player that knows the forbidden squares of renju."""

    def forbidden(self) -> list[str]:
        """Return the names of the squares that are forbidden to the side to move."""


@runtime_checkable
class HashTable(Protocol):
    """A player with a transposition table that can be cleared."""

    def clear_hash(self) -> None:
        """Clear the transposition table."""


@dataclass(frozen=True)
class SearchRequest:
    """A request for a move: the position, the settings and the squares to exclude.

    It implements `core.play.game.MoveList`. All free squares count as legal moves, because only the player knows the
    rules. `play` and `undo` change `board`.
    """

    board: ManagerBoard
    setup: Setup
    settings: Settings
    blocked: frozenset[Point]
    multi_pv: int = 1

    @property
    def moves(self) -> list[str]:
        """Return the moves so far as square names and passes."""
        return self.board.squares()

    def legal_moves(self) -> list[str]:
        """Return the free squares, those near the last stone first and blocked ones last."""
        free = sorted(self.board.free_points(), key=self.blocked.__contains__)
        return [format_square(x, y) for x, y in free]

    def play(self, move: str) -> None:
        """Put a stone on the board; raise IllegalMove."""
        point = parse_square(move)
        if point is None or not self.board.is_free(point):
            raise IllegalMove(f"{move} is not a free square")
        self.board.stones.append(point)

    def undo(self) -> None:
        """Take the last stone back."""
        self.board.stones.pop()

    @property
    def is_unlimited(self) -> bool:
        """Return whether the settings are those by which Yixin-Board asks for a search without limits."""
        settings = self.settings
        has_no_clock = settings.timeout_turn >= UNLIMITED_TURN_MS and settings.timeout_match >= UNLIMITED_MATCH_MS
        return has_no_clock and self.limits(None).depth is None and self.limits(None).nodes is None

    def limits(self, left_ms: int | None) -> Limits:
        """Return the limits of the search; `left_ms` is the time left in the game, None for no limit."""
        settings = self.settings
        unlimited_depth = min(UNLIMITED_DEPTH, self.setup.width * self.setup.height)
        return Limits(
            move_time_ms=settings.timeout_turn,
            time_left_ms=left_ms,
            increment_ms=settings.time_increment,
            depth=settings.max_depth if 0 < settings.max_depth < unlimited_depth else None,
            nodes=settings.max_node if 0 < settings.max_node < UNLIMITED_NODES else None,
            multi_pv=self.multi_pv,
            excluded_moves=self._excluded(),
        )

    def _excluded(self) -> tuple[str, ...]:
        """Return the names of walls and blocked squares. If all free squares are blocked, the blocks are ignored."""
        blocked = [point for point in self.board.free_points() if point in self.blocked] if self.blocked else []
        if len(blocked) == self.board.free_count:
            blocked = []
        return (*(format_square(x, y) for x, y in blocked), *self.walls())

    def walls(self) -> tuple[str, ...]:
        """Return the names of the squares that are occupied by walls."""
        return tuple(format_square(x, y) for x, y in sorted(self.board.walls))


class MoveFinder:
    """Finds moves and opening answers within the manager's settings and clock, and writes the progress of searches.

    `write_line` writes a line to the manager. `is_abandoned` returns whether the manager no longer expects the answer
    of the running command.
    """

    def __init__(
        self,
        player: Player,
        move_chooser: MoveChooser,
        write_line: Callable[[str], None],
        is_abandoned: Callable[[], bool],
    ) -> None:
        self.clock = GameClock()
        self._player = player
        self._move_chooser = move_chooser
        self._write_line = write_line
        self._is_abandoned = is_abandoned
        self._options = OptionForwarder(player)
        self._warnings: list[str] = []  # caused by INFO lines, written later because INFO has no answer

    def new_game(self, setup: Setup, settings: Settings) -> None:
        """Begin a game; raise BadSetup and change nothing if the player cannot play it."""
        self._move_chooser.new_game(setup)
        self._warnings += self._options.apply(settings)
        self.clock.new_game()
        self._write_warnings()

    def find_forbidden_points(self, request: SearchRequest) -> list[Point]:
        """Return the squares that are forbidden to the side to move; none if the player refuses the position."""
        assert isinstance(self._player, ForbiddenPoints)
        try:
            self._move_chooser.update_player_position(request)
        except IllegalMove:
            return []
        points = (parse_square(square) for square in self._player.forbidden())
        return [point for point in points if point is not None]

    def find_move(self, request: SearchRequest, spent_ms: int = 0) -> Point:
        """Search and return the move; raise BadSetup if the player cannot play by the rule.

        `spent_ms` is the time that an earlier search of the same command took.
        """
        with self._timed_search(request):
            try:
                move = self._choose(request, self._limits(request).minus_elapsed(spent_ms))
            except IllegalMove as error:
                self.write_message(f"the player refuses the position: {error}; playing a free square")
                move = request.legal_moves()[0]
        point = parse_square(move)
        assert point is not None
        return point

    def find_defending_move(self, request: SearchRequest) -> Point:
        """Return a move as `find_move` does, but exclude the moves that lose to a threat."""
        if not isinstance(self._player, ThreatFinder):
            return self.find_move(request)
        losing_points = self._find_losing_moves(self._player, request)
        if request.settings.wants_realtime and not self._is_abandoned():
            for point in losing_points:
                self._write_line(f"MESSAGE REALTIME LOSE {format_point(point)}")
        spent_ms = self._move_chooser.command.clock.elapsed_ms()
        return self.find_move(replace(request, blocked=request.blocked.union(losing_points)), spent_ms)

    def find_reply(self, request: SearchRequest, ask_player: Callable[[SearchRequest, Limits], Reply]) -> Reply:
        """Set the position, then return what `ask_player` returns; raise BadSetup or IllegalMove."""
        with self._timed_search(request), self._move_chooser.searching():
            self._move_chooser.update_player_position(request)
            return ask_player(request, self._move_chooser.remaining_limits(self._limits(request)))

    def _find_losing_moves(self, player: ThreatFinder, request: SearchRequest) -> list[Point]:
        """Return the moves that lose to a threat; none if the player fails."""
        try:
            with self._move_chooser.searching():
                self.apply_settings(request.settings)
                self._move_chooser.update_player_position(request)
                losing_moves = player.find_losing_moves(self._move_chooser.remaining_limits(self._limits(request)))
        except Exception as error:
            self._move_chooser.invalidate_position()
            self.write_message(f"internal {type(error).__name__}: {error}")
            return []
        return [point for point in map(parse_square, losing_moves) if point is not None]

    def _limits(self, request: SearchRequest) -> Limits:
        return request.limits(self.clock.left_ms(request.settings.timeout_match))

    def _choose(self, request: SearchRequest, limits: Limits) -> str:
        """Return the player's move; raise IllegalMove or BadSetup. Ignore the blocks if all legal moves are blocked."""
        try:
            return self._move_chooser.choose(
                request, limits, lambda progress: self._write_progress(request, progress)
            ).move
        except AllMovesExcluded:
            self.write_message("all legal squares are blocked, so the blocks are ignored")
            return self._choose(replace(request, blocked=frozenset()), replace(limits, excluded_moves=request.walls()))

    def add_warning(self, text: str) -> None:
        """Keep a warning until the next command that searches or begins a game.

        Equal warnings are kept once. Warnings above MAX_WARNINGS are dropped.
        """
        if text and text not in self._warnings and len(self._warnings) < MAX_WARNINGS:
            self._warnings.append(text)

    def write_message(self, text: str) -> None:
        """Write a MESSAGE line, which managers show to people."""
        self._write_line(f"MESSAGE {clean_text(text)}")

    @contextmanager
    def _timed_search(self, request: SearchRequest) -> Iterator[None]:
        """Apply new settings, run the block, which searches, and add the command's time to the game clock.

        The end of input stops a search without limits.
        """
        self.apply_settings(request.settings)
        if request.is_unlimited:
            self._move_chooser.stop_at_input_end()
        try:
            yield
        finally:
            self.clock.add_used(self._move_chooser.command.clock.elapsed_ms())

    def apply_settings(self, settings: Settings) -> None:
        """Set the options that INFO lines have changed since the last search, and write the warnings about them."""
        try:
            self._warnings += self._options.apply(settings)
        except Exception as error:
            self.write_message(f"internal {type(error).__name__}: {error}")
        self._write_warnings()

    def _write_warnings(self) -> None:
        while self._warnings:
            self.write_message(self._warnings.pop(0))

    def _write_progress(self, request: SearchRequest, progress: Progress) -> None:
        if self._is_abandoned():
            return
        self._write_line(format_progress(progress, request.multi_pv))
        is_best = progress.pv_index == 1 and progress.pv
        if request.settings.wants_realtime and is_best and (best := parse_square(progress.pv[0])):
            self._write_line(f"MESSAGE REALTIME BEST {format_point(best)}")
        if request.settings.wants_info_lines:
            for line in format_detail(progress, request.multi_pv):
                self._write_line(line)
