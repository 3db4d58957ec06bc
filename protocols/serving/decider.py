"""One decision of a session: bring the player to the position, let it think, see to it that the move is legal.

Whatever happens inside a player, a legal move is answered: in a match any move is better than an error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.play.game import Position
from core.play.player import Decision, IllegalMove, Limits, Player, Report, Setup, Solution, Solver, ignore_progress
from protocols.serving.arrivals import CommandClock
from protocols.serving.gate import SearchGate
from protocols.serving.mirror import PlayerMirror

OPEN_ENDED_MS = 24 * 3600 * 1000  # until somebody says something


class Decider:
    """Drives the player. `gate.stop` may come from any thread; everything else comes from one thread at a time.

    `complain` is told, for people, what a player did wrong and what it notes itself. Limits count from when the
    `clock`'s command came.
    """

    def __init__(self, player: Player, complain: Callable[[str], None], clock: CommandClock) -> None:
        self.gate = SearchGate(player)
        self._player = player
        self._mirror = PlayerMirror(player)
        self._complain = complain
        self._clock = clock

    def new_game(self, setup: Setup) -> None:
        """Begin a game; raise BadSetup and change nothing where the player cannot play it."""
        self._mirror.new_game(setup)

    def change_player(self, player: Player, setup: Setup | None) -> None:
        """Go on with another player; raise BadSetup and change nothing where it cannot play the present game."""
        mirror = PlayerMirror(player)
        if setup is not None:
            mirror.new_game(setup)
        self._player = self.gate.player = player
        self._mirror = mirror

    def forget(self) -> None:
        """Something broke off: set the player's position from scratch next time."""
        self._mirror.forget()

    def choose(self, position: Position, limits: Limits, report: Report) -> Decision:
        """A decision with a legal move of a position that is not over. The gate must be open."""
        try:
            return self._decide(position, limits, report)
        finally:
            self._pass_notes_on()

    def _decide(self, position: Position, limits: Limits, report: Report) -> Decision:
        try:
            return self._checked(position, self._ask(position, limits, report))
        except Exception as error:
            self._complain(f"{type(error).__name__}: {error}; trying again")
        self._mirror.forget()
        try:
            return self._checked(position, self._ask(position, Limits(move_time_ms=0), ignore_progress))
        except Exception as error:
            self._mirror.forget()
            self._complain(f"{type(error).__name__}: {error}; playing the first legal move")
        return Decision(position.legal_moves()[0])

    def solve(self, position: Position, limits: Limits) -> Solution:
        """What the player can prove of a position that is not over; one without a solver searches. As `choose`."""
        if isinstance(self._player, Solver):
            self._mirror.follow(position.setup, position.moves)
            try:
                return self._player.solve(self._in_time(limits))
            finally:
                self._pass_notes_on()
        return Solution.of(self.choose(position, limits, ignore_progress))

    def _pass_notes_on(self) -> None:
        for note in self._player.take_notes():
            self._complain(note)

    def _ask(self, position: Position, limits: Limits, report: Report) -> Decision:
        self._mirror.follow(position.setup, position.moves)
        return self._player.choose(self._in_time(limits), report)

    def _in_time(self, limits: Limits) -> Limits:
        """What the command has not used up, and no time at all where the word to stop came before the player began."""
        left = limits.after(self._clock.take_ms())
        return replace(left, move_time_ms=0) if self.gate.stopped else left

    def _checked(self, position: Position, decision: Decision) -> Decision:
        """Raise IllegalMove where the move cannot be played."""
        if not decision.move:
            raise IllegalMove("the player gave no move")
        position.play(decision.move)
        position.undo()
        return decision
