"""Gets a legal move from the player of a session: sets its position, starts its search and checks its answer.

If the player fails, it is asked again with a move time of 0. If it fails again, the first legal move is played. In a
match any legal move is better than an error.
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

OnFailure = Callable[[Exception, str], None]  # gets a player's exception and what is done next, as text; may raise


class WrongAnswer(IllegalMove):
    """The player's move is missing or illegal."""


class RunningCommand(Protocol):
    """The running command, as `MoveChooser` sees it."""

    @property
    def clock(self) -> CommandClock:
        """Return the clock that measures the command's time."""

    @property
    def stop(self) -> StopToken:
        """Return the command's stop token."""

    def stop_at_input_end(self) -> None:
        """Make the end of input stop the command."""


class MoveChooser:
    """Gets moves from the player. Only one thread may use it at a time.

    `warn` gets the player's warnings, for people. `command` is the running command: time limits count from its
    beginning, and its stop token stops the player. `on_failure` is called when the player fails. A resignation counts
    as a failure unless `may_resign`.
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
        self._is_position_unknown = False  # True after a failure of the player
        self._warn = warn
        self._on_failure = on_failure
        self._may_resign = may_resign

    def new_game(self, setup: Setup) -> None:
        """Begin a game; raise BadSetup and change nothing if the player cannot play it."""
        self._player.new_game(setup)
        self._setup, self._is_position_unknown = setup, False

    def change_player(self, player: Player) -> None:
        """Use another player; raise BadSetup and change nothing if it cannot play the present game."""
        if self._setup is not None:
            player.new_game(self._setup)
        self._player, self._is_position_unknown = player, False

    def invalidate_position(self) -> None:
        """Mark the player's position as unknown after a failure; the next search then begins with `new_game`."""
        self._is_position_unknown = True

    def choose(self, move_list: MoveList, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Return a decision with a legal move, or a resignation if that is allowed.

        The game must not be over at the end of `move_list`. An exception of `on_failure` is passed on.
        """
        with self.searching():
            try:
                return self._choose_legal_move(move_list, limits, report)
            except Exception as error:
                self._on_failure(error, "trying again")
            self.invalidate_position()
            try:
                return self._choose_legal_move(move_list, Limits(move_time_ms=0), ignore_progress)
            except Exception as error:
                self.invalidate_position()
                self._on_failure(error, "playing the first legal move")
            return Decision(move_list.legal_moves()[0])

    def solve(self, move_list: MoveList, limits: Limits) -> Solution:
        """Return what the player can prove about the position at the end of `move_list`.

        A player that is no `Solver` searches for a move instead. Exceptions of a solver are passed on.
        """
        if not isinstance(self._player, Solver):
            return Solution.from_decision(self.choose(move_list, limits))
        with self.searching():
            self.update_player_position(move_list)
            return self._player.solve(self.remaining_limits(limits))

    def update_player_position(self, move_list: MoveList) -> None:
        """Bring the player to the end of `move_list`; raise BadSetup or IllegalMove if the player refuses."""
        if self._is_position_unknown or move_list.setup != self._setup:
            self.new_game(move_list.setup)
        self._player.set_position(move_list.moves)

    @contextmanager
    def searching(self) -> Iterator[None]:
        """Wrap a block that searches; at its end the player's warnings are passed to `warn`."""
        try:
            yield
        finally:
            for warning in self._player.take_warnings():
                self._warn(warning)

    def stop_at_input_end(self) -> None:
        """Make the end of input stop the search, unless an option of the player, such as a low level, limits it."""
        if not self._player.has_builtin_limit:
            self.command.stop_at_input_end()

    def remaining_limits(self, limits: Limits) -> Limits:
        """Return the limits of a search, with the command's stop token.

        For the first search of a command the time since its beginning is subtracted. A set token gives no time. The end
        of input will stop a search without limits.
        """
        if limits.is_unlimited:
            self.stop_at_input_end()
        stop = self.command.stop
        remaining = replace(limits.minus_elapsed(self.command.clock.elapsed_for_first_search_ms()), stop=stop)
        return replace(remaining, move_time_ms=0) if stop.is_set else remaining

    def _choose_legal_move(self, move_list: MoveList, limits: Limits, report: ProgressCallback) -> Decision:
        """Return the player's decision; raise WrongAnswer if it is none or illegal. Pass on the player's exceptions."""
        self.update_player_position(move_list)
        has_answered = False

        def report_until_answered(progress: Progress) -> None:
            if not has_answered:
                report(progress)

        try:
            decision = self._player.choose(self.remaining_limits(limits), report_until_answered)
        finally:
            has_answered = True
        if not decision.move:
            raise WrongAnswer("the player gave no move")
        if decision.move == RESIGN and self._may_resign:
            return decision
        try:
            move_list.play(decision.move)
        except IllegalMove as error:
            raise WrongAnswer(str(error)) from None
        move_list.undo()
        return decision
