"""What all sessions answer where a player fails, answers wrongly, or talks when nobody asks any more."""

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

LATE = Progress(depth=9)


def unwanted(error: Exception, _: str) -> None:
    """What a player without failures never reports."""
    pytest.fail(str(error))


class Troubled(HexPlayer):
    """Fails so many times before it answers."""

    def __init__(self, *troubles: Exception | str) -> None:
        super().__init__()
        self.troubles = list(troubles)
        self.told: list[ProgressCallback] = []

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        self.limits = limits
        self.told.append(report)
        if not self.troubles:
            return Decision("b2")
        trouble = self.troubles.pop(0)
        if isinstance(trouble, Exception):
            raise trouble
        return Decision(trouble)


def decide(
    player: HexPlayer, on_failure: OnFailure | None = None, *, ends: bool = False, may_resign: bool = False
) -> tuple[str, list[str]]:
    """The move on a board with a stone on a1, and what was complained of."""
    complaints: list[str] = []
    command = FakeCommand()
    if ends:
        command.stop.set()

    def warn(error: Exception, remedy: str) -> None:
        complaints.append(f"{type(error).__name__}: {error}; {remedy}")

    move_chooser = MoveChooser(player, complaints.append, command, on_failure or warn, may_resign=may_resign)
    position = TinyHex(Setup(3, 3))
    move_chooser.new_game(position.setup)
    position.play("a1")
    move = move_chooser.choose(position, Limits(move_time_ms=1000)).move
    assert position.moves == ["a1"]
    return move, complaints


def test_a_good_answer_passes() -> None:
    assert decide(Troubled()) == ("b2", [])


@pytest.mark.parametrize(
    ("trouble", "name"),
    [
        (RuntimeError("no idea"), "RuntimeError: no idea"),
        ("a1", "WrongAnswer: occupied"),
        ("z9", "WrongAnswer: invalid"),
        ("", "WrongAnswer: the player gave no move"),
    ],
)
def test_player_that_fails_is_asked_again_at_once_from_scratch(trouble: Exception | str, name: str) -> None:
    player = Troubled(trouble)
    assert decide(player) == ("b2", [f"{name}; trying again"])
    assert player.log == ["new 3x3", "follow a1", "new 3x3", "follow a1"]
    assert player.limits == Limits(move_time_ms=0)


def test_player_that_fails_twice_plays_the_first_legal_move() -> None:
    told = ["WrongAnswer: occupied; trying again", "KeyError: 'x'; playing the first legal move"]
    assert decide(Troubled("a1", KeyError("x"))) == ("b1", told)


def test_resigning_is_an_answer_only_where_the_protocol_has_a_word_for_it() -> None:
    """It used to be played on the board as a move and refused, so that Hex's option `resign` did nothing over GTP."""
    assert decide(Troubled(RESIGN)) == ("b2", ["WrongAnswer: invalid; trying again"])
    assert decide(Troubled(RESIGN), may_resign=True) == (RESIGN, [])


def test_session_may_refuse_instead() -> None:
    heard: list[str] = []

    def refuse(error: Exception, then: str) -> None:
        heard.append(then)
        if isinstance(error, BadSetup):
            raise error

    assert decide(Troubled(IllegalMove("over")), refuse) == ("b2", [])
    with pytest.raises(BadSetup, match="too big"):
        decide(Troubled(BadSetup("too big")), refuse)
    assert heard == ["trying again"] * 2


def test_word_that_came_before_the_search_leaves_it_no_time() -> None:
    player = Troubled()
    decide(player, ends=True)
    assert player.limits.move_time_ms == 0
    decide(player)
    assert player.limits.move_time_ms


def test_reports_that_come_after_the_answer_are_not_passed_on() -> None:
    heard: list[Progress] = []

    class Talker(Troubled):
        def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
            report(Progress(depth=1))
            return super().choose(limits, report)

    player = Talker()
    move_chooser = MoveChooser(player, pytest.fail, FakeCommand(), unwanted)
    move_chooser.choose(TinyHex(Setup(3, 3)), Limits(), heard.append)
    player.told[0](LATE)
    assert heard == [Progress(depth=1)]


def test_notes_are_passed_on_when_the_search_is_over() -> None:
    class Noting(Troubled):
        def take_warnings(self) -> list[str]:
            return ["little memory"]

    assert decide(Noting()) == ("b2", ["little memory"])


def test_new_player_takes_over_the_game() -> None:
    old, new = Troubled(), HexPlayer()
    move_chooser = MoveChooser(old, pytest.fail, FakeCommand(), unwanted)
    position = TinyHex(Setup(3, 3))
    move_chooser.new_game(position.setup)
    move_chooser.change_player(new)
    assert move_chooser.choose(position, Limits()).move == "a1"
    assert (old.log, new.log) == (["new 3x3"], ["new 3x3"])


@pytest.mark.parametrize(
    ("limits", "has_own_limit", "ends"),
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
def test_end_of_input_ends_a_search_without_any_limit_alone(limits: Limits, has_own_limit: bool, ends: bool) -> None:
    """Whoever pipes commands in wants the answer of the whole search, but none is ever found without a limit."""

    class Endless(HexPlayer):
        @property
        def has_own_limit(self) -> bool:
            return has_own_limit

    command = FakeCommand()
    move_chooser = MoveChooser(Endless(), pytest.fail, command, unwanted)
    move_chooser.choose(TinyHex(Setup(3, 3)), limits)
    assert command.ends_with_input == ends
