"""One decision of a session: bring the player to the position, let it think, see to it that the move is legal.

Whatever happens inside a player, a legal move is answered: in a match any move is better than an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from core.play.game import Line
from core.play.player import (
    RESIGN,
    Decision,
    IllegalMove,
    Limits,
    Player,
    Report,
    Setup,
    Solution,
    Solver,
    ignore_progress,
)
from protocols.serving.arrivals import CommandClock
from protocols.serving.gate import SearchGate

OPEN_ENDED_MS = 24 * 3600 * 1000  # until somebody says something
AT_ONCE = Limits(move_time_ms=0)

OnFailure = Callable[[Exception, str], None]  # hears of a player's failure and of what is done about it; may raise


class WrongAnswer(IllegalMove):
    """A player has chosen a move that cannot be played."""


class Decider:
    """Drives the player. `stop` may come from any thread; everything else comes from one thread at a time.

    `complain` is told, for people, what a player notes itself. Limits count from when the `clock`'s command came;
    `is_told_to_end` says whether that is to be answered at once. Failures of the player are complained of, unless
    `on_failure` takes them; to resign is one where the protocol has no word for it, as `may_resign` says.
    """

    def __init__(
        self,
        player: Player,
        complain: Callable[[str], None],
        clock: CommandClock,
        is_told_to_end: Callable[[], bool],
        on_failure: OnFailure | None = None,
        *,
        may_resign: bool = False,
    ) -> None:
        self.clock = clock
        self.is_told_to_end = is_told_to_end
        self._gate = SearchGate(lambda: self._player.stop(), is_told_to_end)  # noqa: PLW0108 - players are replaced
        self._player = player
        self._setup: Setup | None = None  # of the game in progress
        self._is_lost = False  # whether the player's position is unknown
        self._complain = complain
        self._on_failure = on_failure or self._complain_of
        self._may_resign = may_resign

    def new_game(self, setup: Setup) -> None:
        """Begin a game; raise BadSetup and change nothing where the player cannot play it."""
        self._player.new_game(setup)
        self._setup, self._is_lost = setup, False

    def change_player(self, player: Player) -> None:
        """Go on with another player; raise BadSetup and change nothing where it cannot play the present game."""
        if self._setup is not None:
            player.new_game(self._setup)
        self._player, self._is_lost = player, False

    def forget(self) -> None:
        """The player may have broken off in the middle: the next position begins with a new game."""
        self._is_lost = True

    def stop(self) -> None:
        """Make a running search answer at once; where none runs, nothing happens. Called from any thread."""
        self._gate.stop()

    def choose(self, line: Line, limits: Limits, report: Report = ignore_progress) -> Decision:
        """A decision with a legal move, or to resign where that may be, at the end of a line that is not over."""
        with self.searching():
            try:
                return self._ask(line, limits, report)
            except Exception as error:
                self._on_failure(error, "trying again")
            self.forget()
            try:
                return self._ask(line, AT_ONCE, ignore_progress)
            except Exception as error:
                self.forget()
                self._on_failure(error, "playing the first legal move")
            return Decision(line.legal_moves()[0])

    def solve(self, line: Line, limits: Limits) -> Solution:
        """What the player can prove of it; one without a solver searches. As `choose`."""
        if not isinstance(self._player, Solver):
            return Solution.of(self.choose(line, limits))
        with self.searching():
            self.follow(line)
            return self._player.solve(self.in_time(limits))

    def follow(self, line: Line) -> None:
        """Bring the player to the end of a line; raise BadSetup or IllegalMove where it refuses."""
        if self._is_lost or line.setup != self._setup:
            self.new_game(line.setup)
        self._player.follow(line.moves)

    @contextmanager
    def searching(self) -> Iterator[None]:
        """The player searches, and can be stopped; then its notes are passed on."""
        try:
            with self._gate.open():
                yield
        finally:
            for note in self._player.take_notes():
                self._complain(note)

    def in_time(self, limits: Limits) -> Limits:
        """What the command has not used up, and no time at all where the word to stop came before the player began."""
        left = limits.after(self.clock.take_ms())
        return replace(left, move_time_ms=0) if self._gate.stopped else left

    def _complain_of(self, error: Exception, then: str) -> None:
        self._complain(f"{type(error).__name__}: {error}; {then}")

    def _ask(self, line: Line, limits: Limits, report: Report) -> Decision:
        """A decision that can be played; raise WrongAnswer, or what the player raises."""
        self.follow(line)
        decision = self._player.choose(
            self.in_time(limits), lambda progress: report(progress) if self._gate.searching else None
        )
        if not decision.move:
            raise WrongAnswer("the player gave no move")
        if decision.move == RESIGN and self._may_resign:
            return decision
        try:
            line.play(decision.move)
        except IllegalMove as error:
            raise WrongAnswer(str(error)) from None
        line.undo()
        return decision
