"""`MoveChooser` returns a legal move even if the player fails or answers wrongly, and passes on its reports."""

from __future__ import annotations

import pytest

from core.play.player import (
    RESIGN,
    BadSetup,
    Decision,
    IllegalMove,
    Limits,
    Progress,
    ProgressCallback,
    Setup,
    ignore_progress,
)
from protocols.serving.move_chooser import MoveChooser, OnFailure
from tests.mocks.running_command import FakeCommand
from tests.mocks.tiny_hex import HexPlayer, TinyHex

LATE_REPORT = Progress(depth=9)


def fail_test(error: Exception, _: str) -> None:
    """Fail the test: the `on_failure` for players that must not fail."""
    pytest.fail(str(error))


class FailingPlayer(HexPlayer):
    """A player that raises or returns the given `failures` in order, then answers b2."""

    def __init__(self, *failures: Exception | str) -> None:
        super().__init__()
        self.failures = list(failures)
        self.report_callbacks: list[ProgressCallback] = []

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        self.limits = limits
        self.report_callbacks.append(report)
        if not self.failures:
            return Decision("b2")
        failure = self.failures.pop(0)
        if isinstance(failure, Exception):
            raise failure
        return Decision(failure)


def choose_move(
    player: HexPlayer, on_failure: OnFailure | None = None, *, is_stopped: bool = False, may_resign: bool = False
) -> tuple[str, list[str]]:
    """Return the move that is chosen on a board with a stone on a1, and the warnings.

    With `is_stopped` the command is stopped before its search. By default, failures are added to the warnings.
    """
    warnings: list[str] = []
    command = FakeCommand()
    if is_stopped:
        command.stop.set()

    def warn(error: Exception, remedy: str) -> None:
        warnings.append(f"{type(error).__name__}: {error}; {remedy}")

    move_chooser = MoveChooser(player, warnings.append, command, on_failure or warn, may_resign=may_resign)
    position = TinyHex(Setup(3, 3))
    move_chooser.new_game(position.setup)
    position.play("a1")
    move = move_chooser.choose(position, Limits(move_time_ms=1000)).move
    assert position.moves == ["a1"]
    return move, warnings


def test_legal_move_is_returned() -> None:
    assert choose_move(FailingPlayer()) == ("b2", [])


@pytest.mark.parametrize(
    ("failure", "name"),
    [
        (RuntimeError("no idea"), "RuntimeError: no idea"),
        ("a1", "WrongAnswer: occupied"),
        ("z9", "WrongAnswer: invalid"),
        ("", "WrongAnswer: the player gave no move"),
    ],
)
def test_player_that_fails_is_asked_again_at_once_from_scratch(failure: Exception | str, name: str) -> None:
    player = FailingPlayer(failure)
    assert choose_move(player) == ("b2", [f"{name}; trying again"])
    assert player.log == ["new 3x3", "follow a1", "new 3x3", "follow a1"]
    assert player.limits == Limits(move_time_ms=0)


def test_player_that_fails_twice_plays_the_first_legal_move() -> None:
    expected_warnings = ["WrongAnswer: occupied; trying again", "KeyError: 'x'; playing the first legal move"]
    assert choose_move(FailingPlayer("a1", KeyError("x"))) == ("b1", expected_warnings)


def test_resigning_is_an_answer_only_if_allowed() -> None:
    """Regression: resigning used to count as an illegal move, so that Hex's option `resign` had no effect over GTP."""
    assert choose_move(FailingPlayer(RESIGN)) == ("b2", ["WrongAnswer: invalid; trying again"])
    assert choose_move(FailingPlayer(RESIGN), may_resign=True) == (RESIGN, [])


def test_failure_callback_may_raise_instead() -> None:
    received: list[str] = []

    def refuse(error: Exception, remedy: str) -> None:
        received.append(remedy)
        if isinstance(error, BadSetup):
            raise error

    assert choose_move(FailingPlayer(IllegalMove("over")), refuse) == ("b2", [])
    with pytest.raises(BadSetup, match="too big"):
        choose_move(FailingPlayer(BadSetup("too big")), refuse)
    assert received == ["trying again"] * 2


def test_stop_before_the_search_leaves_it_no_time() -> None:
    player = FailingPlayer()
    choose_move(player, is_stopped=True)
    assert player.limits.move_time_ms == 0
    choose_move(player)
    assert player.limits.move_time_ms


def test_reports_that_come_after_the_answer_are_not_passed_on() -> None:
    received: list[Progress] = []

    class Talker(FailingPlayer):
        def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
            report(Progress(depth=1))
            return super().choose(limits, report)

    player = Talker()
    move_chooser = MoveChooser(player, pytest.fail, FakeCommand(), fail_test)
    move_chooser.choose(TinyHex(Setup(3, 3)), Limits(), received.append)
    player.report_callbacks[0](LATE_REPORT)
    assert received == [Progress(depth=1)]


def test_warnings_are_passed_on_after_the_search() -> None:
    class WarningPlayer(FailingPlayer):
        def take_warnings(self) -> list[str]:
            return ["little memory"]

    assert choose_move(WarningPlayer()) == ("b2", ["little memory"])


def test_new_player_takes_over_the_game() -> None:
    old, new = FailingPlayer(), HexPlayer()
    move_chooser = MoveChooser(old, pytest.fail, FakeCommand(), fail_test)
    position = TinyHex(Setup(3, 3))
    move_chooser.new_game(position.setup)
    move_chooser.change_player(new)
    assert move_chooser.choose(position, Limits()).move == "a1"
    assert (old.log, new.log) == (["new 3x3"], ["new 3x3"])


@pytest.mark.parametrize(
    ("limits", "has_builtin_limit", "ends"),
    [
        (Limits(), False, True),
        (Limits(multi_pv=3, excluded_moves=("a1",), increment_ms=10), False, True),
        (Limits(), True, False),  # a fixed depth, or the nodes of a level
        (Limits(move_time_ms=1), False, False),
        (Limits(time_left_ms=1), False, False),
        (Limits(depth=1), False, False),
        (Limits(nodes=1), False, False),
    ],
)
def test_end_of_input_stops_only_a_search_without_limits(limits: Limits, has_builtin_limit: bool, ends: bool) -> None:
    """A host that ends its input expects the result of the full search, but a search without limits would never end."""

    class PlayerWithLimit(HexPlayer):
        """A player that says whether it has a limit of its own."""

        @property
        def has_builtin_limit(self) -> bool:
            return has_builtin_limit

    command = FakeCommand()
    move_chooser = MoveChooser(PlayerWithLimit(), pytest.fail, command, fail_test)
    move_chooser.choose(TinyHex(Setup(3, 3)), limits)
    assert command.ends_with_input == ends
