"""The GTP session: lines and interrupts during a search, clocks, bugs, and the choice of the player."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from core.play.options import OptionSet
from core.play.player import BadSetup, PlayerKind, Setup
from protocols.gtp.session import GtpSession
from tests.imports import foreign_modules
from tests.manual_clock import ManualClock
from tests.mocks.scripted_player import UNTIL_STOPPED_MS
from tests.mocks.tiny_hex import KINDS, TINY_HEX, HexPlayer, SolvingPlayer, TinyHex, make_commands
from tests.protocols.conversation import Conversation

pytestmark = pytest.mark.usefixtures("no_delay")


def converse(player: HexPlayer, kinds: tuple[PlayerKind, ...] = KINDS) -> Conversation:
    return Conversation(
        lambda write: GtpSession(
            player, TINY_HEX, write, name="Pentad", version="1.0", kinds=kinds, commands=make_commands
        )
    )


def test_commands_wait_for_the_answer_of_the_search() -> None:
    conversation = converse(HexPlayer(think_ms=300))
    conversation.say("1 genmove b", "2 name", "3 genmove w", "4 frobnicate")
    assert conversation.answers == []
    assert conversation.wait_and_get_answers() == ["=1 a1\n", "=2 Pentad\n", "=3 b1\n", "?4 unknown command\n"]


def test_interrupt_ends_the_running_command_only() -> None:
    player = HexPlayer(think_ms=UNTIL_STOPPED_MS)
    conversation = converse(player)
    conversation.say("genmove b")
    assert player.begun.wait(60)
    player.think_ms = 50
    conversation.say("genmove w", "# interrupt")
    assert conversation.wait_and_get_answers() == ["= a1\n", "= b1\n"]
    assert player.was_stopped == [True, False]


@pytest.mark.parametrize("first", ["genmove b", "name"])
def test_interrupt_during_the_write_of_the_last_answer_is_not_lost(first: str) -> None:
    """The controller reads an answer and sends the next command and an interrupt before the write has returned."""
    sessions: list[GtpSession] = []
    player, answers = HexPlayer(think_ms=0), []

    def write(answer: str) -> None:
        answers.append(answer)
        if len(answers) == 2:
            player.think_ms = UNTIL_STOPPED_MS
            host = threading.Thread(target=lambda: [sessions[0].handle("genmove w"), sessions[0].handle("# interrupt")])
            host.start()
            host.join()

    sessions.append(GtpSession(player, TINY_HEX, write, name="Pentad", version="1.0"))
    sessions[0].handle("reg_genmove b")
    sessions[0].handle(first)
    assert sessions[0].wait_idle(60)
    assert len(answers) == 3
    assert player.was_stopped[-1]


def test_interrupt_without_a_search_does_nothing() -> None:
    player = HexPlayer(think_ms=50)
    conversation = converse(player)
    conversation.say("name", "# interrupt", "genmove b")
    assert conversation.wait_and_get_answers() == ["= Pentad\n", "= a1\n"]
    assert player.was_stopped == [False]


def test_interrupted_solver_answers_what_it_knows() -> None:
    player = SolvingPlayer(think_ms=UNTIL_STOPPED_MS)
    conversation = converse(player)
    conversation.say("solve 30")
    assert player.begun.wait(60)
    conversation.say("# Interrupt")
    assert conversation.wait_and_get_answers() == ["= unknown\n"]


def test_interrupted_count_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """An incomplete count must not be taken for the result. Regression: a perft used not to be interruptible."""
    begun, plain_perft = threading.Event(), TinyHex.perft

    def perft(position: TinyHex, depth: int) -> int:
        begun.set()
        return plain_perft(position, depth)

    monkeypatch.setattr(TinyHex, "perft", perft)
    conversation = converse(HexPlayer())
    conversation.say("boardsize 8", "perft 4", "perft 1")
    assert begun.wait(60)
    conversation.say("# interrupt")
    assert conversation.wait_and_get_answers() == ["=\n", "? interrupted\n", "= 64\n"]


def test_lines_after_quit_are_ignored() -> None:
    conversation = converse(HexPlayer())
    assert conversation.session.handle("genmove b")
    assert not conversation.session.handle("2 quit")
    assert not conversation.session.handle("name")
    assert conversation.answers == ["= a1\n", "=2\n"]


def test_quit_with_extra_words_is_obeyed_with_a_warning() -> None:
    warnings: list[str] = []
    answers: list[str] = []
    session = GtpSession(HexPlayer(), TINY_HEX, answers.append, name="Pentad", version="1.0", warn=warnings.append)
    assert not session.handle("3 quit at once")
    assert not session.handle("name")
    assert answers == ["=3\n"]
    assert warnings == ["quit takes no arguments; ignoring 'at once'"]


def test_close_stops_the_search_and_drops_queued_commands() -> None:
    """The session is closed if the controller has ended, so nobody would read the answers."""
    player = HexPlayer(think_ms=UNTIL_STOPPED_MS)
    conversation = converse(player)
    conversation.say("genmove b", "name", "genmove w")
    conversation.session.close()
    assert conversation.wait_and_get_answers() == ["= a1\n"]
    assert player.was_stopped == [True]


def test_thinking_time_is_subtracted_without_time_left(clock: ManualClock) -> None:
    player = HexPlayer()
    player.on_think = partial(clock.advance, 60)
    conversation = converse(player)
    conversation.say("time_settings 10 0 0", "genmove b", "genmove b")
    conversation.wait_and_get_answers()
    assert player.limits.time_left_ms == 9_940


def test_periods_begin_when_the_main_time_is_over(clock: ManualClock) -> None:
    player = HexPlayer()
    player.on_think = partial(clock.advance, 30)
    conversation = converse(player)
    conversation.say("time_settings 0.02 6 2", "genmove b", "genmove b")
    conversation.wait_and_get_answers()
    assert player.limits.move_time_ms == 3000
    conversation.say("genmove b")
    conversation.wait_and_get_answers()
    assert player.limits.move_time_ms == 5_970
    conversation.say("genmove b")
    conversation.wait_and_get_answers()
    assert player.limits.move_time_ms == 3000


def test_bug_is_answered_by_an_error_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: TinyHex) -> list[str]:
        raise ZeroDivisionError("by\nzero")

    conversation = converse(HexPlayer())
    conversation.say("play b a1")
    monkeypatch.setattr(TinyHex, "legal_moves", fail)
    conversation.say("legal_moves", "genmove w")
    assert conversation.wait_and_get_answers()[1:] == ["? internal ZeroDivisionError: by zero\n"] * 2
    monkeypatch.undo()
    conversation.say("genmove w", "showposition")
    assert conversation.wait_and_get_answers()[3:] == ["= b1\n", "= bw1/3/3 b\n"]


def test_refused_player_is_closed_and_the_old_one_stays() -> None:
    made: list[HexPlayer] = []

    class Picky(HexPlayer):
        def new_game(self, _: Setup) -> None:
            raise BadSetup("no games today")

    def build(_: OptionSet) -> HexPlayer:
        made.append(Picky())
        return made[-1]

    old = HexPlayer()
    conversation = converse(old, (PlayerKind("first", "", lambda _: HexPlayer()), PlayerKind("picky", "", build)))
    conversation.say("player picky", "player", "genmove b")
    assert conversation.wait_and_get_answers() == ["? no games today\n", "= first\n", "= a1\n"]
    assert made[0].closed
    assert not old.closed


def test_serving_side_needs_the_standard_library_only() -> None:
    """Executables contain no other packages."""
    assert not foreign_modules("protocols.gtp.session")
