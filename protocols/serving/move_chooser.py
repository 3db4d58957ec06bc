"""One decision of a session: bring the player to the position, let it think, see to it that the move is legal.

Whatever happens inside a player, a legal move is answered: in a match any move is better than an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol

from core.play.game import MoveList
from core.play.player import (
    RESIGN,
    Decision,
    IllegalMove,
    Limits,
    Player,
    Progress,
    ProgressCallback,
    Setup,
    Solution,
    Solver,
    ignore_progress,
)
from core.play.stop import StopToken
from protocols.serving.command_clock import CommandClock

OnFailure = Callable[[Exception, str], None]  # hears of a player's failure and of what is done about it; may raise


class WrongAnswer(IllegalMove):
    """A player has chosen a move that cannot be played."""


class RunningCommand(Protocol):
    """What a decision must know of the command that it is made for."""

    @property
    def clock(self) -> CommandClock:
        """When the command came."""

    @property
    def stop(self) -> StopToken:
        """The command's stop token."""

    def stop_at_input_end(self) -> None:
        """Let the end of input stop the command."""


class MoveChooser:
    """Drives the player, from one thread at a time.

    `warn` gets the player's own warnings, for people. Limits count from when the `command` came, and its token
    stops the player. `on_failure` hears of the player's failures; resigning is one if the protocol has no word for it
    (`may_resign`).
    """

    def __init__(
        self,
        player: Player,
        warn: Callable[[str], None],
        command: RunningCommand,
        on_failure: OnFailure,
        *,
        may_resign: bool = False,
    ) -> None:
        self.command = command
        self._player = player
        self._setup: Setup | None = None  # of the game in progress
        self._is_lost = False  # whether the player's position is unknown
        self._complain = warn
        self._on_failure = on_failure
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

    def choose(self, line: MoveList, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """A decision with a legal move, or to resign where that may be, at the end of a line that is not over."""
        with self.searching():
            try:
                return self._ask(line, limits, report)
            except Exception as error:
                self._on_failure(error, "trying again")
            self.forget()
            try:
                return self._ask(line, Limits(move_time_ms=0), ignore_progress)
            except Exception as error:
                self.forget()
                self._on_failure(error, "playing the first legal move")
            return Decision(line.legal_moves()[0])

    def solve(self, line: MoveList, limits: Limits) -> Solution:
        """What the player can prove of it; one without a solver searches. As `choose`."""
        if not isinstance(self._player, Solver):
            return Solution.from_decision(self.choose(line, limits))
        with self.searching():
            self.follow(line)
            return self._player.solve(self.remaining_limits(limits))

    def follow(self, line: MoveList) -> None:
        """Bring the player to the end of a line; raise BadSetup or IllegalMove where it refuses."""
        if self._is_lost or line.setup != self._setup:
            self.new_game(line.setup)
        self._player.set_position(line.moves)

    @contextmanager
    def searching(self) -> Iterator[None]:
        """Pass the player's warnings on after the search in the block."""
        try:
            yield
        finally:
            for note in self._player.take_warnings():
                self._complain(note)

    def stop_at_input_end(self) -> None:
        """Let the end of input stop a search that nothing else limits."""
        if not self._player.has_own_limit:
            self.command.stop_at_input_end()

    def remaining_limits(self, limits: Limits) -> Limits:
        """Return the limits less the time that the command has used, with its stop token."""
        if limits.is_unlimited:
            self.stop_at_input_end()
        stop = self.command.stop
        left = replace(limits.minus_elapsed(self.command.clock.elapsed_for_first_search_ms()), stop=stop)
        return replace(left, move_time_ms=0) if stop.is_set else left

    def _ask(self, line: MoveList, limits: Limits, report: ProgressCallback) -> Decision:
        """A decision that can be played; raise WrongAnswer, or what the player raises."""
        self.follow(line)
        is_over = False

        def pass_on(progress: Progress) -> None:
            if not is_over:
                report(progress)

        try:
            decision = self._player.choose(self.remaining_limits(limits), pass_on)
        finally:
            is_over = True
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
