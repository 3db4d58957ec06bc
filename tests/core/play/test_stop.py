"""A stop token stops its command, whenever it is set, and no other command."""

from __future__ import annotations

import threading

from core.play.stop import StopToken


class StateType:
    """What kernels poll; a stop of an earlier search may have been left in it."""

    stop = 1


def test_token_that_is_set_stays_set() -> None:
    token = StopToken()
    assert not token.is_set
    token.set()
    token.set()
    assert token.is_set
    assert not hasattr(token, "clear")


def test_cells_follow_the_token_for_the_length_of_a_block() -> None:
    token, inside, outside = StopToken(), StateType(), StateType()
    with token.linked(inside):
        assert inside.stop == 0
        token.set()
        assert inside.stop == 1
    inside.stop = 0
    token.set()
    assert (inside.stop, outside.stop) == (0, 1)


def test_cells_of_a_stopped_command_are_set_from_the_first_moment() -> None:
    """The search begins after the stop: clearing the cell then would lose it."""
    token, record = StopToken(), StateType()
    token.set()
    with token.linked(record):
        assert record.stop == 1
        with token.linked(record):
            assert record.stop == 1
        assert record.stop == 1


def test_inner_block_leaves_the_outer_one_linked() -> None:
    """An engine links its record for threat searches, and its alpha-beta links it again."""
    token, record = StopToken(), StateType()
    with token.linked(record):
        with token.linked(record, StateType()):
            pass
        token.set()
        assert record.stop == 1


def test_stop_does_not_reach_the_next_command_on_the_same_record() -> None:
    first, second, record = StopToken(), StopToken(), StateType()
    with first.linked(record):
        first.set()
    with second.linked(record):
        first.set()
        assert record.stop == 0


def test_callback_is_called_once_and_never_after_its_block() -> None:
    token, calls = StopToken(), []
    with token.calling(lambda: calls.append("before")):
        pass
    with token.calling(lambda: calls.append("within")):
        token.set()
        token.set()
    with token.calling(lambda: calls.append("after")):
        assert calls == ["within", "after"]
    token.set()
    assert calls == ["within", "after"]


def test_block_ends_only_after_a_callback_that_runs() -> None:
    """Else a stop of one command could write into the record while the next one begins."""
    token, entered, go_on, order = StopToken(), threading.Event(), threading.Event(), []

    def callback() -> None:
        entered.set()
        assert go_on.wait(60)
        order.append("called")

    setter = threading.Thread(target=token.set)
    with token.calling(callback):
        setter.start()
        assert entered.wait(60)
        threading.Timer(0.05, go_on.set).start()
    order.append("ended")
    setter.join()
    assert order == ["called", "ended"]
