"""One decision of the Gomocup session: bring the player to the position, let it think, write what it found.

Whatever happens inside a player, a move comes out as long as a square is free: in a tournament any legal move is
better than an error. What a player can do beyond the Player interface is found by the small protocols below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from core.play.player import BadSetup, Decision, IllegalMove, Limits, Player, Progress, Setup
from core.play.squares import format_square, parse_square
from protocols.gomocup.board import Board
from protocols.gomocup.settings import GameClock, PlayerOptions, Settings
from protocols.gomocup.text import SWAP, Point, format_detail, format_point, format_progress
from protocols.serving.arrivals import CommandClock
from protocols.serving.gate import SearchGate
from protocols.serving.mirror import PlayerMirror
from protocols.text import clean_text

SWAP2_ANSWERS = {0: (3,), 3: (1, 2), 5: (1,)}  # stones on the board: how many a player may add; SWAP except at 0


@runtime_checkable
class Swap2Player(Protocol):
    """A player that knows the swap2 opening."""

    def swap2(self, stones: Sequence[str], limits: Limits) -> Sequence[str]:
        """Answer the 0, 3 or 5 stones on the board with `["SWAP"]` or with the squares to add."""


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
class Search:
    """What is asked for: the position, the limits in force and the squares not to consider."""

    board: Board
    setup: Setup
    settings: Settings
    blocked: frozenset[Point]
    lines: int = 1


class Thinker:
    """Drives the player. `stop` may come from any thread; everything else comes from one thread at a time.

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
        self._is_stopped = is_stopped
        self._mirror = PlayerMirror(player)
        self._options = PlayerOptions(player)
        self._notes: list[str] = []  # what INFO lines asked for and cannot be had; INFO itself must not be answered
        self._gate = SearchGate(player)

    @property
    def knows_swap2(self) -> bool:
        """Whether the player can play the swap2 opening."""
        return isinstance(self._player, Swap2Player)

    def new_game(self, setup: Setup, settings: Settings) -> None:
        """Begin a game; raise BadSetup and change nothing where the player cannot play it."""
        self._notes += self._options.apply(settings)
        self._mirror.new_game(setup)
        self.clock.new_game()

    def forget(self) -> None:
        """Something broke off: set the player's position from scratch next time."""
        self._mirror.forget()

    def stop(self) -> None:
        """Make a running search answer at once; where none runs, nothing happens."""
        self._gate.stop()

    def forbidden(self, search: Search) -> list[Point]:
        """Squares where the side to move may not play. A decided game has none."""
        assert isinstance(self._player, ForbiddenPoints)
        try:
            self._mirror.follow(search.setup, search.board.squares())
        except IllegalMove:
            return []
        points = (parse_square(square) for square in self._player.forbidden())
        return [point for point in points if point is not None]

    def answer_move(self, search: Search) -> None:
        """Think, put the move on the board and write it, unless the game was abandoned meanwhile."""
        self._begin()
        try:
            point = self._find_move(search)
        except BadSetup as error:
            self._end()
            self._say(f"ERROR {clean_text(str(error))}")
            return
        self._end()
        if not self._is_abandoned():
            search.board.stones.append(point)
            self._say(format_point(point))

    def answer_swap2(self, search: Search) -> None:
        """Think about the opening, put our own stones on the board and write the answer."""
        self._begin()
        try:
            answer = self._find_swap2(search)
        except Exception as error:
            self._end()
            self._mirror.forget()
            self._say(f"ERROR internal {_describe(error)}")
            return
        self._end()
        if not self._is_abandoned():
            search.board.stones.extend(answer)
            self._say(" ".join(map(format_point, answer)) or SWAP)

    def _begin(self) -> None:
        """A search begins. A word that came before the gate was open could not stop it; this is where it counts."""
        self._gate.begin()
        if self._is_stopped():
            self._gate.mark_stopped()

    def _end(self) -> None:
        """The search is over, and its answer comes next."""
        self._gate.end()
        self.clock.spend(self._command.spent_ms())
        self._command.answer()
        if not self._is_abandoned():
            for note in self._player.take_notes():
                self._say(f"MESSAGE {clean_text(note)}")

    def _find_move(self, search: Search) -> Point:
        try:
            decision = self._choose(search)
        except IllegalMove as error:
            self._say(f"MESSAGE playing on in a finished game: {clean_text(str(error))}")
            return _pick_square(search)
        except BadSetup:
            raise
        except Exception as error:
            self._say(f"MESSAGE internal {_describe(error)}")
            return self._find_move_again(search)
        return _checked_move(decision.move, search) or _pick_square(search)

    def _find_move_again(self, search: Search) -> Point:
        """After a failure: one quick attempt with the position set from scratch, then any free square."""
        self._mirror.forget()
        try:
            self._mirror.follow(search.setup, search.board.squares())
            move = self._player.choose(Limits(move_time_ms=0)).move
        except Exception as error:
            self._mirror.forget()
            self._say(f"MESSAGE internal {_describe(error)}")
            move = ""
        return _checked_move(move, search) or _pick_square(search)

    def _choose(self, search: Search) -> Decision:
        self._notes += self._options.apply(search.settings)
        while self._notes:
            self._say(f"MESSAGE {clean_text(self._notes.pop(0))}")
        self._mirror.follow(search.setup, search.board.squares())
        limits = self._limits(search)
        if self._gate.stopped:  # STOP came before the player began
            limits = replace(limits, move_time_ms=0)
        return self._player.choose(limits, lambda progress: self._report(search, progress))

    def _limits(self, search: Search) -> Limits:
        settings = search.settings
        return Limits(
            move_time_ms=max(0, settings.timeout_turn),
            time_left_ms=self.clock.left_ms(settings.timeout_match),
            increment_ms=max(0, settings.time_increment),
            depth=settings.max_depth if settings.max_depth > 0 else None,
            nodes=settings.max_node if settings.max_node > 0 else None,
            lines=search.lines,
            exclude=_excluded(search),
        ).after(self._command.take_ms())

    def _report(self, search: Search, progress: Progress) -> None:
        if self._is_abandoned() or not self._gate.searching:
            return
        self._say(format_progress(progress, search.lines))
        if search.settings.wants_realtime and progress.pv and (best := parse_square(progress.pv[0])):
            self._say(f"MESSAGE REALTIME BEST {format_point(best)}")
        if search.settings.wants_lines:
            for line in format_detail(progress, search.lines):
                self._say(line)

    def _find_swap2(self, search: Search) -> list[Point]:
        """The stones to add, none for SWAP."""
        assert isinstance(self._player, Swap2Player)
        self._notes += self._options.apply(search.settings)
        self._mirror.follow(search.setup, [])
        squares = search.board.squares()
        answer = [text.upper() for text in self._player.swap2(squares, self._limits(search))]
        self._mirror.forget()  # a player may use its own board to try the opening out
        if answer == [SWAP] and squares:
            return []
        points = [point for point in map(parse_square, answer) if point in search.board.free_points()]
        if len(set(points)) != len(answer) or len(answer) not in SWAP2_ANSWERS[len(squares)]:
            raise ValueError(f"swap2 answer {' '.join(answer)} does not fit {len(squares)} stones")
        return [point for point in points if point is not None]


def _describe(error: Exception) -> str:
    return clean_text(f"{type(error).__name__}: {error}")


def _excluded(search: Search) -> tuple[str, ...]:
    """Walls and blocked squares by name. Blocking every free square blocks none, as some move must be made."""
    free = search.board.free_points()
    blocked = [point for point in free if point in search.blocked]
    if len(blocked) == len(free):
        blocked = []
    return tuple(format_square(x, y) for x, y in [*blocked, *sorted(search.board.walls)])


def _checked_move(move: str, search: Search) -> Point | None:
    """The point of a player's move where it is a free square; a decided game may give no move at all."""
    point = parse_square(move)
    return point if point in search.board.free_points() else None


def _pick_square(search: Search) -> Point:
    """A free square, near the last stone and not blocked where possible."""
    free = search.board.free_points()
    return next((point for point in free if point not in search.blocked), free[0])
