"""What all sessions answer where a player fails, answers wrongly, or talks when nobody asks any more."""

from __future__ import annotations

import pytest

from core.play.player import RESIGN, BadSetup, Decision, IllegalMove, Limits, Progress, Report, Setup, ignore_progress
from protocols.serving.arrivals import CommandClock
from protocols.serving.decider import Decider, OnFailure
from tests.mocks.tiny_hex import HexPlayer, TinyHex

LATE = Progress(depth=9)


class Troubled(HexPlayer):
    """Fails so many times before it answers."""

    def __init__(self, *troubles: Exception | str) -> None:
        super().__init__()
        self.troubles = list(troubles)
        self.told: list[Report] = []

    def choose(self, limits: Limits, report: Report = ignore_progress) -> Decision:
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
    decider = Decider(player, complaints.append, CommandClock(), lambda: ends, on_failure, may_resign=may_resign)
    position = TinyHex(Setup(3, 3))
    decider.new_game(position.setup)
    position.play("a1")
    move = decider.choose(position, Limits(move_time_ms=1000)).move
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
        def choose(self, limits: Limits, report: Report = ignore_progress) -> Decision:
            report(Progress(depth=1))
            return super().choose(limits, report)

    player = Talker()
    decider = Decider(player, pytest.fail, CommandClock(), lambda: False)
    decider.choose(TinyHex(Setup(3, 3)), Limits(), heard.append)
    player.told[0](LATE)
    assert heard == [Progress(depth=1)]


def test_notes_are_passed_on_when_the_search_is_over() -> None:
    class Noting(Troubled):
        def take_notes(self) -> list[str]:
            return ["little memory"]

    assert decide(Noting()) == ("b2", ["little memory"])


def test_new_player_takes_over_the_game_and_hears_the_word_to_stop() -> None:
    old, new = Troubled(), HexPlayer(think_ms=20_000)
    decider = Decider(old, pytest.fail, CommandClock(), lambda: False)
    position = TinyHex(Setup(3, 3))
    decider.new_game(position.setup)
    decider.change_player(new)
    assert new.log == ["new 3x3"]
    with decider.searching():
        decider.stop()
    assert new._stop.is_set()
    assert not old._stop.is_set()
