"""`StopToken`: it stops its command even if it is set early, and never stops another command."""

from __future__ import annotations

import threading

from core.play.stop import StopToken


class State:
    """A kernel state, in which the stop flag of an earlier search is still set."""

    stop = 1


def test_a_set_token_stays_set() -> None:
    token = StopToken()
    assert not token.is_set
    token.set()
    token.set()
    assert token.is_set
    assert not hasattr(token, "clear")


def test_a_linked_state_follows_the_token_until_the_end_of_the_block() -> None:
    token, late_token, state = StopToken(), StopToken(), State()
    with token.linked(state):
        assert state.stop == 0
        token.set()
        assert state.stop == 1
    with late_token.linked(state):
        assert state.stop == 0
    late_token.set()
    assert state.stop == 0


def test_a_state_is_stopped_at_once_if_the_token_is_already_set() -> None:
    """Otherwise a stop request that comes before the search would be lost."""
    token, state = StopToken(), State()
    token.set()
    with token.linked(state):
        assert state.stop == 1
        with token.linked(state):
            assert state.stop == 1
        assert state.stop == 1


def test_a_state_stays_linked_after_a_nested_block() -> None:
    """An engine links its state for threat searches, and its alpha-beta search links it again."""
    token, state = StopToken(), State()
    with token.linked(state):
        with token.linked(state, State()):
            pass
        token.set()
        assert state.stop == 1


def test_a_late_stop_does_not_reach_the_next_command() -> None:
    first, second, state = StopToken(), StopToken(), State()
    with first.linked(state):
        pass
    with second.linked(state):
        first.set()
        assert state.stop == 0


def test_a_callback_is_called_once_and_not_after_its_block() -> None:
    token, calls = StopToken(), []
    with token.calling(lambda: calls.append("block ended before the stop")):
        pass
    with token.calling(lambda: calls.append("stopped in the block")):
        token.set()
        token.set()
    expected = ["stopped in the block", "block began after the stop"]
    with token.calling(lambda: calls.append("block began after the stop")):
        assert calls == expected
    token.set()
    assert calls == expected


def test_a_block_waits_for_a_running_callback() -> None:
    """Otherwise the callback could write into the state while the next command begins."""
    token, entered, may_finish, events = StopToken(), threading.Event(), threading.Event(), []

    def callback() -> None:
        entered.set()
        assert may_finish.wait(60)
        events.append("callback finished")

    setter = threading.Thread(target=token.set)
    with token.calling(callback):
        setter.start()
        assert entered.wait(60)
        threading.Timer(0.05, may_finish.set).start()
    events.append("block ended")
    setter.join()
    assert events == ["callback finished", "block ended"]
