"""The GTP session during a search, and cases that the transcripts in tests/data/gtp cannot express."""

from __future__ import annotations

import threading
import time

import pytest

from core.play.options import OptionSet
from core.play.player import BadSetup, PlayerKind, Setup
from protocols.gtp.session import GtpSession
from tests.imports import foreign_modules
from tests.mocks.tiny_hex import KINDS, TINY_HEX, HexPlayer, SolvingPlayer, TinyHex, make_commands

pytestmark = pytest.mark.usefixtures("no_delay")


class Conversation:
    """A threaded session; `say` sends lines, `answers` collects what came back, whole."""

    def __init__(self, player: HexPlayer, kinds: tuple[PlayerKind, ...] = KINDS) -> None:
        self.answers: list[str] = []
        self.session = GtpSession(
            player, TINY_HEX, self.answers.append, name="Pentad", version="1.0", kinds=kinds, commands=make_commands
        )

    def say(self, *lines: str) -> None:
        for line in lines:
            self.session.handle(line)

    def settle(self) -> list[str]:
        assert self.session.wait_idle(60)
        return self.answers


def test_commands_wait_until_the_move_is_out() -> None:
    conversation = Conversation(HexPlayer(think_ms=300))
    conversation.say("1 genmove b", "2 name", "3 genmove w", "4 frobnicate")
    assert conversation.answers == []
    assert conversation.settle() == ["=1 a1\n", "=2 Pentad\n", "=3 b1\n", "?4 unknown command\n"]


def test_interrupt_ends_the_running_command_only() -> None:
    conversation = Conversation(HexPlayer(think_ms=1000))
    began = time.perf_counter()
    conversation.say("genmove b", "genmove w", "# interrupt")
    assert conversation.settle() == ["= a1\n", "= b1\n"]
    assert 0.99 < time.perf_counter() - began < 1.9


@pytest.mark.parametrize("first", ["genmove b", "name"])
def test_interrupt_that_comes_before_the_worker_has_left_the_last_answer_is_not_lost(first: str) -> None:
    """The controller reads an answer and sends the next command with its interrupt while that thread goes on."""
    sessions: list[GtpSession] = []
    player, answers = HexPlayer(think_ms=0), []

    def write(answer: str) -> None:
        answers.append(answer)
        if len(answers) == 2:
            player.think_ms = 20_000
            host = threading.Thread(target=lambda: [sessions[0].handle("genmove w"), sessions[0].handle("# interrupt")])
            host.start()
            host.join()

    sessions.append(GtpSession(player, TINY_HEX, write, name="Pentad", version="1.0"))
    began = time.perf_counter()
    sessions[0].handle("reg_genmove b")
    sessions[0].handle(first)
    assert sessions[0].wait_idle(60)
    assert len(answers) == 3
    assert time.perf_counter() - began < 4  # of the five that a move takes


def test_interrupt_without_a_search_does_nothing() -> None:
    conversation = Conversation(HexPlayer(think_ms=50))
    began = time.perf_counter()
    conversation.say("name", "# interrupt", "genmove b")
    assert conversation.settle() == ["= Pentad\n", "= a1\n"]
    assert time.perf_counter() - began > 0.049


def test_interrupted_solver_answers_what_it_knows() -> None:
    player = SolvingPlayer(think_ms=20_000)
    conversation = Conversation(player)
    conversation.say("solve 30")
    assert player.begun.wait(60)
    conversation.say("# Interrupt")
    assert conversation.settle() == ["= unknown\n"]


def test_interrupted_count_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of a part of the moves must not pass for the number of all; and a count used to hear nothing."""
    begun, count = threading.Event(), TinyHex.perft

    def perft(position: TinyHex, depth: int) -> int:
        begun.set()
        return count(position, depth)

    monkeypatch.setattr(TinyHex, "perft", perft)
    conversation = Conversation(HexPlayer())
    conversation.say("boardsize 8", "perft 4", "perft 1")
    assert begun.wait(60)
    began = time.perf_counter()
    conversation.say("# interrupt")
    assert conversation.settle() == ["=\n", "? interrupted\n", "= 64\n"]
    assert time.perf_counter() - began < 3


def test_nothing_is_heard_after_quit() -> None:
    conversation = Conversation(HexPlayer())
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


def test_close_ends_the_search_and_drops_what_waits() -> None:
    """The controller is gone: nobody reads the answers."""
    conversation = Conversation(HexPlayer(think_ms=20_000))
    conversation.say("genmove b", "name", "genmove w")
    began = time.perf_counter()
    conversation.session.close()
    assert conversation.settle() == ["= a1\n"]
    assert time.perf_counter() - began < 5  # of the 40 that they would think


def test_own_time_is_counted_where_the_controller_says_nothing() -> None:
    player = HexPlayer(think_ms=60)
    conversation = Conversation(player)
    conversation.say("time_settings 10 0 0", "genmove b", "genmove b")
    conversation.settle()
    left_ms = player.limits.time_left_ms
    assert left_ms is not None
    assert 9_000 < left_ms <= 9_940


def test_periods_begin_when_the_main_time_is_over() -> None:
    player = HexPlayer(think_ms=30)
    conversation = Conversation(player)
    conversation.say("time_settings 0.02 6 2", "genmove b", "genmove b")
    conversation.settle()
    assert player.limits.move_time_ms == 3000
    conversation.say("genmove b")
    conversation.settle()
    assert 5_000 < (player.limits.move_time_ms or 0) <= 5_970
    conversation.say("genmove b")
    conversation.settle()
    assert player.limits.move_time_ms == 3000


def test_a_bug_is_an_error_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: TinyHex) -> list[str]:
        raise ZeroDivisionError("by\nzero")

    conversation = Conversation(HexPlayer())
    conversation.say("play b a1")
    monkeypatch.setattr(TinyHex, "legal_moves", fail)
    conversation.say("legal_moves", "genmove w")
    assert conversation.settle()[1:] == ["? internal ZeroDivisionError: by zero\n"] * 2
    monkeypatch.undo()
    conversation.say("genmove w", "showposition")
    assert conversation.settle()[3:] == ["= b1\n", "= bw1/3/3 b\n"]


def test_refused_player_is_closed_and_the_old_one_stays() -> None:
    made: list[HexPlayer] = []

    class Picky(HexPlayer):
        def new_game(self, _: Setup) -> None:
            raise BadSetup("no games today")

    def build(_: OptionSet) -> HexPlayer:
        made.append(Picky())
        return made[-1]

    old = HexPlayer()
    conversation = Conversation(old, (PlayerKind("first", "", lambda _: HexPlayer()), PlayerKind("picky", "", build)))
    conversation.say("player picky", "player", "genmove b")
    assert conversation.settle() == ["? no games today\n", "= first\n", "= a1\n"]
    assert made[0].closed
    assert not old.closed


def test_serving_side_needs_the_standard_library_only() -> None:
    """Executables carry nothing else."""
    assert not foreign_modules("protocols.gtp.session")
