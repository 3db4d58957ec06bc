"""The Gomocup session: lines that arrive during a search, failures of the player, and options set by INFO."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest

from bots.gomoku.notation import format_variant
from core.play.player import (
    AllMovesExcluded,
    BadSetup,
    Decision,
    IllegalMove,
    Limits,
    Player,
    ProgressCallback,
    ignore_progress,
)
from protocols.gomocup.player_abilities import ForbiddenPoints, HashTable, Swap2Player
from protocols.gomocup.session import GomocupSession
from tests.manual_clock import ManualClock
from tests.mocks.late_thread import LateThread
from tests.mocks.scripted_player import UNTIL_STOPPED_MS, GiftedPlayer, ScriptedPlayer
from tests.protocols.conversation import Conversation

pytestmark = pytest.mark.usefixtures("no_delay")


def converse(player: Player) -> Conversation:
    return Conversation(lambda write: GomocupSession(player, write, format_variant))


def start_search(think_ms: int = UNTIL_STOPPED_MS) -> tuple[Conversation, ScriptedPlayer]:
    """Return a conversation whose player has begun a long search."""
    player = ScriptedPlayer(think_ms=think_ms)
    conversation = converse(player)
    conversation.say("START 15", "TURN 7,7")
    assert player.begun.wait(60)
    return conversation, player


def start_yixin_search(command: str) -> tuple[Conversation, ScriptedPlayer]:
    """Return a conversation with a Yixin GUI whose player has begun to search for `command`.

    The first four answers are three lines of the handshake and OK.
    """
    player = ScriptedPlayer(think_ms=UNTIL_STOPPED_MS)
    conversation = converse(player)
    conversation.say("yxshowinfo", "start 15 15", command)
    assert player.begun.wait(60)
    return conversation, player


def test_stop_gets_the_move_at_once() -> None:
    conversation, _ = start_search()
    assert conversation.answers == ["OK"]
    conversation.say("YXSTOP")
    assert conversation.wait_and_get_answers() == ["OK", "0,0"]


@pytest.mark.parametrize("word", ["STOP", "YXSTOP"])
def test_stop_with_extra_words_is_obeyed_with_a_warning(word: str) -> None:
    conversation, _ = start_search()
    conversation.say(f"{word} thinking")
    warning = f"MESSAGE {word} takes no arguments; ignoring 'thinking'"
    assert conversation.wait_and_get_answers() == ["OK", warning, "0,0"]


def test_end_with_extra_words_is_obeyed_with_a_warning() -> None:
    conversation, _ = start_search()
    assert not conversation.session.handle("END of match")
    assert conversation.wait_and_get_answers() == ["OK", "MESSAGE END takes no arguments; ignoring 'of match'"]


@pytest.mark.parametrize("command", ["RESTART now", "START 15 15 15", "YXSWAP2STEP1 now", "RECTSTART 9,9 9"])
def test_new_game_with_extra_words_does_not_stop_the_search(command: str) -> None:
    conversation, player = start_search(100)
    conversation.say(command, "TURN 8,8")
    answers = conversation.wait_and_get_answers()
    assert (answers[:2], answers[3:]) == (["OK", "0,0"], ["1,0"])
    assert answers[2].startswith("ERROR ")
    assert player.moves == ["h8", "a1", "i9"]


def test_turn_time_of_zero_asks_for_the_move_at_once() -> None:
    """Piskvork sends this for its menu item to stop thinking; it sets the time again before the next TURN."""
    conversation, player = start_search()
    conversation.say("INFO timeout_turn 0")
    assert conversation.wait_and_get_answers() == ["OK", "0,0"]
    player.think_ms = 0
    conversation.say("INFO timeout_turn 30", "INFO time_left 170000", "TURN 8,8")
    assert conversation.wait_and_get_answers() == ["OK", "0,0", "1,0"]
    assert player.limits.move_time_ms == 30


def test_other_settings_wait_for_the_move() -> None:
    conversation, player = start_search()
    conversation.say("INFO timeout_turn 1", "INFO timeout_match 0", "INFO")
    assert not player.limits.stop.is_set
    assert conversation.answers == ["OK"]
    conversation.say("STOP")
    assert conversation.wait_and_get_answers() == ["OK", "0,0"]


def test_stop_right_after_the_command_is_not_lost() -> None:
    for _ in range(50):
        conversation = converse(ScriptedPlayer(think_ms=UNTIL_STOPPED_MS))
        conversation.say("START 15", "BEGIN", "STOP")
        assert conversation.wait_and_get_answers() == ["OK", "0,0"]


def test_commands_are_queued_during_a_search() -> None:
    conversation, player = start_search(50)
    conversation.say("INFO max_depth 3", "ABOUT", "TURN 8,8", "NONSENSE")
    answers = conversation.wait_and_get_answers()
    assert answers[1] == "0,0"
    assert answers[2].startswith("name=")
    assert answers[3:] == ["1,0", "UNKNOWN NONSENSE"]
    assert player.limits.depth == 3


@pytest.mark.parametrize("command", ["START 20", "RESTART", "RECTSTART 10,11"])
def test_new_game_abandons_the_search(command: str) -> None:
    conversation, player = start_search()
    player.begun.clear()
    conversation.say("TURN 1,1", "INFO rule 1", command, command, "BEGIN")
    assert player.begun.wait(60)
    conversation.say("STOP")
    assert conversation.wait_and_get_answers() == ["OK", "OK", "OK", "0,0"]
    assert player.moves == []
    assert player.setup.variant == "standard"


def test_undo_in_yixinboard_gets_the_abandoned_move_first() -> None:
    """The GUI counts the moves that it has requested. Without this move it would discard the next game's and wait."""
    conversation, player = start_yixin_search("TURN 7,7")
    player.begun.clear()
    conversation.say("start 15 15", "yxboard", "done", "yxshowforbid", "yxstop", "board", "9,9,2", "done")
    assert player.begun.wait(60)
    conversation.say("yxstop")
    assert conversation.wait_and_get_answers()[4:] == ["0,0", "OK", "FORBID .", "0,0"]
    assert player.moves == ["j10"]


@pytest.mark.parametrize("command", ["YXNBEST 2", "YXNBEST 1"])
def test_analysis_in_yixinboard_is_abandoned_without_a_move(command: str) -> None:
    """The GUI does not count the move of an analysis, and would play it in the new game."""
    conversation, _ = start_yixin_search(command)
    conversation.say("start 15 15")
    assert conversation.wait_and_get_answers()[4:] == ["OK"]


def test_blocked_squares_are_kept_when_a_game_is_abandoned() -> None:
    """Otherwise a YXBLOCKRESET that is queued behind an ending search would be lost, because START follows at once."""
    conversation, player = start_search()
    conversation.say("YXBLOCK", "0,0", "1,0", "DONE", "BOARD", "9,9,2", "DONE", "YXBLOCKUNDO", "1,0", "DONE", "RESTART")
    conversation.say("BEGIN", "STOP")
    assert conversation.wait_and_get_answers() == ["OK", "OK", "1,0"]
    assert player.limits.excluded_moves == ("a1",)
    player.begun.clear()
    conversation.say("TURN 9,9")
    assert player.begun.wait(60)
    conversation.say("YXBLOCKRESET", "RESTART", "BEGIN", "STOP")
    assert conversation.wait_and_get_answers() == ["OK", "OK", "1,0", "OK", "0,0"]


def test_queued_hash_clear_is_kept_when_a_game_is_abandoned() -> None:
    """Yixin-Board sends both at once if the user begins a new game during a search."""
    player = GiftedPlayer(think_ms=UNTIL_STOPPED_MS)
    conversation = converse(player)
    conversation.say("START 15", "TURN 7,7")
    assert player.begun.wait(60)
    conversation.say("YXHASHCLEAR", "START 15")
    assert conversation.wait_and_get_answers() == ["OK", "OK"]
    assert player.log[-2:] == ["clear hash", "new 15x15 freestyle"]


def test_end_while_thinking_is_quick_and_silent() -> None:
    conversation, player = start_search()
    assert not conversation.session.handle("END")
    assert conversation.wait_and_get_answers() == ["OK"]
    assert player.was_stopped == [True]
    assert not conversation.session.handle("BEGIN")


def test_command_sent_at_once_after_a_move_is_not_lost() -> None:
    """A fast manager sends the next command before the write of the move has returned."""
    answers: list[str] = []
    done = threading.Event()

    def react(line: str) -> None:
        answers.append(line)
        number = len(answers)
        if number == 100:
            done.set()
        elif number < 100:
            manager = threading.Thread(target=lambda: session.handle(f"TURN {number % 15},{14 - number // 15}"))
            manager.start()
            if number % 2:  # else the command arrives at about the time at which the write returns
                manager.join()

    session = GomocupSession(ScriptedPlayer(), react, format_variant)
    session.handle("START 15")
    assert done.wait(60), answers
    assert not [answer for answer in answers[1:] if answer.startswith(("UNKNOWN", "MESSAGE"))]


def test_used_time_is_subtracted_without_time_left(clock: ManualClock) -> None:
    player = ScriptedPlayer()
    player.on_think = partial(clock.advance, 60)
    conversation = converse(player)
    conversation.say("START 15", "TURN 7,7")
    conversation.wait_and_get_answers()
    conversation.say("TURN 8,8")
    conversation.wait_and_get_answers()
    assert player.limits.time_left_ms == 180_000 - 60
    conversation.say("RESTART", "BEGIN")
    conversation.wait_and_get_answers()
    assert player.limits.time_left_ms == 180_000


def test_failing_player_still_moves() -> None:
    player = ScriptedPlayer()
    player.fail = RuntimeError("out of\nideas")
    conversation = converse(player)
    conversation.say("START 15", "TURN 7,7")
    message = "MESSAGE internal RuntimeError: out of ideas"  # twice, because the player is asked again
    assert conversation.wait_and_get_answers() == ["OK", message, message, "6,6"]
    player.fail = None
    conversation.say("TURN 8,8")
    assert conversation.wait_and_get_answers()[-1] == "0,0"
    assert player.moves == ["h8", "g7", "i9"]


def test_wrong_move_of_a_player_is_replaced() -> None:
    for wrong in ("h8", "nothing", "z99", "pass"):
        conversation = converse(ScriptedPlayer({"h8": wrong}))  # after h8 it answers the wrong move
        conversation.say("START 15", "TURN 7,7")
        assert conversation.wait_and_get_answers() == ["OK", "6,6"]


def test_setup_that_fails_later_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    player = ScriptedPlayer()
    conversation = converse(player)
    conversation.say("START 15", "INFO rule 4")
    monkeypatch.setattr(player, "new_game", _raise(BadSetup("no renju here")))
    conversation.say("BEGIN")
    assert conversation.wait_and_get_answers() == ["OK", "ERROR no renju here"]
    monkeypatch.undo()
    conversation.say("BEGIN")
    assert conversation.wait_and_get_answers()[-1] == "0,0"


def test_bug_in_a_command_is_an_error_line(monkeypatch: pytest.MonkeyPatch) -> None:
    player = GiftedPlayer()
    conversation = converse(player)
    monkeypatch.setattr(player, "clear_hash", _raise(KeyError("key")))
    monkeypatch.setattr(player, "forbidden", _raise(IllegalMove("over")))
    conversation.say("YXHASHCLEAR", "START 15", "YXSHOWFORBID")
    assert conversation.wait_and_get_answers() == ["ERROR internal KeyError: 'key'", "OK", "ERROR over"]


def test_abilities_are_detected_by_method() -> None:
    for ability in (Swap2Player, ForbiddenPoints, HashTable):
        assert isinstance(GiftedPlayer(), ability)
        assert not isinstance(ScriptedPlayer(), ability)


@pytest.mark.parametrize("limit", [5000, 367_001_600])
def test_memory_of_the_command_line_is_kept_until_the_manager_sends_a_limit(limit: int) -> None:
    player = ScriptedPlayer()
    player.set_option("memory", 1000)
    conversation = converse(player)
    conversation.say("START 15", "INFO hash_size 65536", "BEGIN")
    conversation.wait_and_get_answers()
    assert player.options["memory"] == 1000
    conversation.say(f"INFO max_memory {limit}", "BEGIN")
    conversation.wait_and_get_answers()
    assert player.options["memory"] == limit


def test_hash_size_of_the_command_line_is_not_reduced_by_the_default_memory_limit() -> None:
    player = ScriptedPlayer()
    player.set_option("hash", 512)
    conversation = converse(player)
    conversation.say("START 15")
    assert player.options["memory"] == 0
    conversation.say("INFO max_memory 5000", "BEGIN")
    conversation.wait_and_get_answers()
    assert player.options["memory"] == 5000


def test_options_of_the_player_are_set_by_name() -> None:
    """The client sends `option.level=3` as INFO.

    Regression: that used to be ignored, so that the bot played at full strength.
    """
    player = ScriptedPlayer()
    conversation = converse(player)
    conversation.say("INFO HASH 64", "START 15", "INFO Level 3", "INFO others 7", "BEGIN")
    assert conversation.wait_and_get_answers() == ["OK", "0,0"]
    assert dict(player.options) == {"memory": 0, "hash": 64, "threads": 1, "level": 3}
    conversation.say("INFO memory 1000", "INFO level 99", "INFO threads many", "TURN 7,7")
    out_of_range = "MESSAGE level 99 is out of range, using 10"
    not_a_number = "MESSAGE option threads must be a whole number from 1 to 8, not 'many'"
    assert conversation.wait_and_get_answers()[2:] == [out_of_range, not_a_number, "1,0"]
    assert dict(player.options) == {"memory": 1000, "hash": 64, "threads": 1, "level": 10}


def test_warnings_about_options_come_before_the_answer_to_about() -> None:
    """So a manager learns that a value is refused before it asks for a move. Before a game ABOUT changes nothing."""
    player = ScriptedPlayer()
    conversation = converse(player)
    conversation.say("INFO level 99", "ABOUT")
    about = conversation.wait_and_get_answers()[-1]
    assert (about[:5], player.options["level"]) == ("name=", ScriptedPlayer().options["level"])
    conversation.say("START 15", "INFO level 98", "ABOUT")
    warnings = [f"MESSAGE level {level} is out of range, using 10" for level in (99, 98)]
    assert conversation.wait_and_get_answers()[1:] == [warnings[0], "OK", warnings[1], about]


def _raise(error: Exception) -> Callable[..., None]:
    """Return a function that raises the error."""

    def fail(*_: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize("word", ["STOP", "INFO timeout_turn 0"])
def test_stop_before_the_search_has_begun_is_not_lost(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    conversation = converse(ScriptedPlayer(think_ms=UNTIL_STOPPED_MS))
    conversation.say("START 15")
    monkeypatch.setattr("protocols.serving.runner.threading.Thread", LateThread)
    conversation.say("BEGIN", word)
    assert conversation.wait_and_get_answers()[1:] == ["0,0"]


def test_search_of_a_game_abandoned_before_it_began_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    player = ScriptedPlayer(think_ms=UNTIL_STOPPED_MS)
    conversation = converse(player)
    conversation.say("START 15")
    monkeypatch.setattr("protocols.serving.runner.threading.Thread", LateThread)
    conversation.say("BEGIN", "RESTART")
    assert conversation.wait_and_get_answers() == ["OK", "OK"]
    assert False not in player.was_stopped


def test_stop_during_the_write_of_the_last_move_is_not_lost() -> None:
    """The host reads a move and sends the next command and STOP before the write of the move has returned."""
    sessions: list[GomocupSession] = []
    player, answers = ScriptedPlayer(think_ms=0), []

    def write(line: str) -> None:
        answers.append(line)
        if line == "0,0":
            player.think_ms = UNTIL_STOPPED_MS
            host = threading.Thread(target=lambda: [sessions[0].handle("TURN 9,9"), sessions[0].handle("STOP")])
            host.start()
            host.join()

    sessions.append(GomocupSession(player, write, format_variant))
    sessions[0].handle("START 15")
    sessions[0].handle("BEGIN")
    assert sessions[0].wait_idle(60)
    assert answers == ["OK", "0,0", "1,0"]


def test_blocks_of_all_legal_squares_are_ignored() -> None:
    """Only the player knows what is legal: in renju all squares that are not blocked may be forbidden."""

    class AllExcludedPlayer(ScriptedPlayer):
        """A player for which any excluded move means that all legal moves are excluded."""

        def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
            if limits.excluded_moves:
                raise AllMovesExcluded("the limits exclude every legal move (1)")
            return super().choose(limits, report)

    conversation = converse(AllExcludedPlayer())
    conversation.say("START 15", "YXBLOCK", "3,3", "DONE", "TURN 7,7")
    assert conversation.wait_and_get_answers() == [
        "OK",
        "MESSAGE all legal squares are blocked, so the blocks are ignored",
        "0,0",
    ]
