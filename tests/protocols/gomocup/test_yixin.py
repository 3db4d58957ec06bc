"""Opening steps and analyses of Yixin-Board: answers when a new game begins, limits, failures and warnings."""

from __future__ import annotations

import pytest

from protocols.gomocup.session import GomocupSession
from protocols.gomocup.yixin import SoosorvLines
from tests.mocks.late_thread import LateThread
from tests.mocks.scripted_player import UNTIL_STOPPED_MS, GiftedPlayer
from tests.protocols.conversation import Conversation
from tests.protocols.gomocup.test_session import converse

pytestmark = pytest.mark.usefixtures("no_delay")

STEPS = {  # method of `SoosorvSteps` -> the scripted player's answer
    "propose_opening": "h8 h9 j10",
    "should_take_black": "no",
    "find_fourth": "i7 3",
    "should_take_white": "no",
    "find_fifths": "g7 j8",
    "choose_fifth": "j8",
}
THREE_STONES = ("7,7,2", "8,8,1", "9,9,2", "done")
STEP6 = ("yxsoosorvstep6", "7,7", "7,8", "9,9", "8,6", "6,6", "9,7", "done")
ASK_FORBIDDEN = ("start 15 15", "yxboard", *THREE_STONES, "yxshowforbid")  # the GUI sends this right after a step


def start_opening(*lines: str, wait: bool = True) -> tuple[Conversation, GiftedPlayer]:
    """Return a conversation with Yixin-Board whose player has begun to answer `lines`; earlier answers are dropped."""
    player = GiftedPlayer(dict(STEPS), think_ms=UNTIL_STOPPED_MS)
    player.swap2_answers = {0: ["h8", "i8", "j10"], 3: ["SWAP"], 5: ["SWAP"]}
    conversation = converse(player)
    conversation.say("yxshowinfo", "start 15 15", "INFO rule 2")
    conversation.wait_and_get_answers()
    conversation.answers.clear()
    conversation.say(*lines)
    assert not wait or player.begun.wait(60)
    return conversation, player


def test_start_right_after_a_step_waits_for_its_answer() -> None:
    """The GUI asks for forbidden squares by a START. If it abandoned the step, the GUI would wait for ever."""
    conversation, _ = start_opening(*STEP6)
    conversation.say(*ASK_FORBIDDEN)
    assert conversation.answers == []
    conversation.say("yxstop")
    assert conversation.wait_and_get_answers() == ["MESSAGE SOOSORV MOVE5C 9 7", "OK", "FORBID ."]


def test_start_before_a_step_has_begun_waits_for_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocols.serving.runner.threading.Thread", LateThread)
    conversation, player = start_opening(*STEP6, wait=False)
    conversation.say(*ASK_FORBIDDEN)
    assert player.begun.wait(60)
    conversation.say("yxstop")
    assert conversation.wait_and_get_answers() == ["MESSAGE SOOSORV MOVE5C 9 7", "OK", "FORBID ."]
    assert player.limits.move_time_ms == 30_000  # its search was not stopped from the beginning


def test_start_after_an_answered_step_abandons_a_search() -> None:
    conversation, player = start_opening(*STEP6)
    conversation.say("yxstop")
    conversation.wait_and_get_answers()
    player.begun.clear()
    conversation.say("start 15 15", "yxboard", *THREE_STONES, "yxnbest 1")
    assert player.begun.wait(60)
    conversation.say("start 15 15")
    assert conversation.wait_and_get_answers() == ["MESSAGE SOOSORV MOVE5C 9 7", "OK", "OK"]


@pytest.mark.parametrize("lines", [STEP6, ("yxsoosorvstep1",), ("yxswap2step1",)])
def test_first_step_abandons_another_step_without_an_answer(lines: tuple[str, ...]) -> None:
    """The GUI has begun a new game; it would put the stones of a late answer on the new board."""
    conversation, player = start_opening(*lines)
    player.begun.clear()
    conversation.say("yxsoosorvstep1")
    assert player.begun.wait(60)
    conversation.say("yxstop")
    assert conversation.wait_and_get_answers() == [
        f"MESSAGE SOOSORV MOVE{move}" for move in ("1 7 7", "2 7 8", "3 9 9")
    ]


@pytest.mark.parametrize("first", ["start 15 15", "yxswap2step1"])
@pytest.mark.parametrize(
    ("step", "stones"), [("yxswap2step2", THREE_STONES), ("yxswap2step3", ("1,1,2", "2,2,1", *THREE_STONES))]
)
def test_abandoned_choice_of_sides_is_answered_by_a_move(first: str, step: str, stones: tuple[str, ...]) -> None:
    """The GUI counts the answer as a move, and discards the next move that it gets."""
    conversation, player = start_opening("yxboard", *stones, step)
    player.begun.clear()
    conversation.say(first)
    if first == "yxswap2step1":
        assert player.begun.wait(60)
        conversation.say("yxstop")
    answers = conversation.wait_and_get_answers()
    x, y = (int(part) for part in answers[0].split(","))
    assert 0 <= x < 15
    assert 0 <= y < 15
    assert answers[1:] == (
        ["OK"] if first == "start 15 15" else [f"MESSAGE SWAP2 MOVE{m}" for m in ("1 7 7", "2 8 7", "3 9 9")]
    )


def test_first_step_abandons_a_search_for_a_move() -> None:
    """A new game during a search for a move: the abandoned move is sent first, and the GUI discards it."""
    conversation, player = start_opening("turn 7,7")
    player.begun.clear()
    conversation.say("yxsoosorvstep1")
    assert player.begun.wait(60)
    conversation.say("yxstop")
    assert conversation.wait_and_get_answers() == [
        "0,0",
        *(f"MESSAGE SOOSORV MOVE{move}" for move in ("1 7 7", "2 7 8", "3 9 9")),
    ]


@pytest.mark.parametrize(("handshake", "answers"), [("yxshowinfo", ["SWAP", "OK"]), ("about", ["OK"])])
def test_abandoned_swap2board_is_answered_only_to_yixin_guis(handshake: str, answers: list[str]) -> None:
    player = GiftedPlayer(think_ms=UNTIL_STOPPED_MS)
    player.swap2_answers = {3: ["SWAP"]}
    conversation = converse(player)
    conversation.say(handshake, "START 15")
    conversation.answers.clear()
    conversation.say("SWAP2BOARD", "7,7", "8,8", "9,9", "DONE")
    assert player.begun.wait(60)
    conversation.say("START 15")
    assert conversation.wait_and_get_answers() == answers


@pytest.mark.parametrize(
    "lines",
    [
        ("yxswap2step1",),
        ("yxsoosorvstep1",),
        ("yxsoosorvstep2", "7,7", "7,8", "9,9", "done"),
        ("yxsoosorvstep3", "7,7", "7,8", "9,9", "done"),
        ("yxsoosorvstep4 2", "7,7", "7,8", "9,9", "8,6", "done"),
        ("yxsoosorvstep5 2", "7,7", "7,8", "9,9", "8,6", "done"),
        STEP6,
        ("yxboard", *THREE_STONES, "yxswap2step2"),
        ("yxboard", *THREE_STONES, "yxsearchdefend"),
        ("yxboard", *THREE_STONES, "yxbalanceone"),
        ("yxboard", *THREE_STONES, "yxbalancetwo"),
    ],
    ids=lambda lines: lines[-1] if lines[-1] != "done" else lines[0],
)
def test_limits_and_stop_apply_to_opening_steps_and_analyses(lines: tuple[str, ...]) -> None:
    settings = ("INFO timeout_turn 4000", "INFO time_left 9000", "INFO max_node 500", "INFO max_depth 9")
    conversation, player = start_opening(*settings, *lines, wait=False)
    player.script |= {"balance1": "a1", "balance2": "a1 b2"}
    assert player.begun.wait(60)
    limits = player.limits
    assert limits.move_time_ms is not None
    assert limits.time_left_ms is not None
    assert 0 < limits.move_time_ms <= 4000
    assert 0 < limits.time_left_ms <= 9000
    assert (limits.nodes, limits.depth) == (500, 9)
    conversation.say("yxstop")
    answers = conversation.wait_and_get_answers()
    assert answers
    assert not answers[0].startswith("ERROR")


def test_search_for_defences_gets_the_time_left_by_the_threat_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: the command has two searches, and each of them used to get the whole limit."""
    player = GiftedPlayer({"lost": "b1"})
    conversation = converse(player)
    assert isinstance(conversation.session, GomocupSession)
    clock = conversation.session._runner.clock
    now_ns = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now_ns)
    conversation.say("START 15", "INFO timeout_turn 5000", "INFO time_left 60000")
    move_times_ms: list[int | None] = []

    def find(limits: object) -> list[str]:
        nonlocal now_ns
        move_times_ms.append(getattr(limits, "move_time_ms", None))
        now_ns += 1_500_000_000
        return ["b1"]

    monkeypatch.setattr(player, "find_losing_moves", find)
    conversation.say("YXSEARCHDEFEND")
    assert conversation.wait_and_get_answers() == ["OK", "0,0"]
    assert move_times_ms == [5000]
    assert (player.limits.move_time_ms, player.limits.time_left_ms) == (3500, 58_500)


def test_move_is_found_if_the_threat_search_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    player = GiftedPlayer()
    conversation = converse(player)
    monkeypatch.setattr(player, "find_losing_moves", lambda _: 1 // 0)
    conversation.say("START 15", "YXSEARCHDEFEND", "TURN 1,1")
    answers = conversation.wait_and_get_answers()
    assert answers[1].startswith("MESSAGE internal ZeroDivisionError")
    assert answers[2:] == ["0,0", "1,0"]


def test_failing_opening_steps_are_errors_and_the_session_goes_on() -> None:
    player = GiftedPlayer(dict(STEPS, choose_fifth="a1", find_fourth="h8 3"))
    player.swap2_answers = {0: ["h8", "h8", "h8"]}
    conversation = converse(player)
    conversation.say("START 15", *STEP6, "yxsoosorvstep3", "7,7", "7,8", "9,9", "done", "yxswap2step1", "BEGIN")
    assert conversation.wait_and_get_answers() == [
        "OK",
        "ERROR internal ValueError: answer must be 1 free square(s), not a1",
        "ERROR internal ValueError: answer must be 1 free square(s), not h8",
        "ERROR internal ValueError: swap2 answer H8 H8 H8 is not allowed on this board of 0 stones",
        "0,0",
    ]


def test_warnings_come_before_the_answer_of_the_next_command() -> None:
    """Regression: warnings used to be kept until the next search; after SWAP2BOARD that follows the opponent's move."""
    player = GiftedPlayer()
    player.swap2_answers = {0: ["h8", "i8", "j10"]}
    conversation = converse(player)
    conversation.say("INFO threads 99", "START 15", "INFO thread_num 77", "SWAP2BOARD", "DONE", "BEGIN")
    assert conversation.wait_and_get_answers() == [
        "MESSAGE threads 99 is out of range, using 8",
        "OK",
        "MESSAGE threads 77 is out of range, using 8",
        "7,7 8,7 9,9",
        "0,0",
    ]


def test_soosorv_lines_are_recognised() -> None:
    steps = SoosorvLines()
    assert not steps.has_step_from(1)
    for number, word in enumerate(("TURN", "YXSOOSORVSTEP2", "7,7", "INFO", "DONE", "YXSHOWFORBID"), 1):
        steps.note_line(word, number, begins_game=False)
    assert [steps.has_step_from(number) for number in (2, 5, 6)] == [True, True, False]
    steps.note_line("START", 7, begins_game=True)
    assert steps.has_step_from(5)
    steps.note_line("YXSOOSORVSTEP1", 8, begins_game=True)
    assert [steps.has_step_from(number) for number in (5, 8)] == [False, True]
    steps.note_line("YXSOOSORVSTEP3", 9, begins_game=False)
    steps.note_line("START", 10, begins_game=True)  # ends the body
    steps.note_line("DONE", 11, begins_game=False)
    assert [steps.has_step_from(number) for number in (9, 10)] == [True, False]
