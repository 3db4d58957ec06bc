"""Tests of the timing statistics: answers beyond their limit, and the runner's overhead per move.

Games are those of the pile game (`tests/arena/fakes.py`). A `Taker` is an engine that answers with a function:
`take_after(clock, ms)` lets the manual clock pass milliseconds, `take_one` answers at once.
"""

from __future__ import annotations

from dataclasses import replace

from arena.log.events import GameEnded, MoveEntry
from arena.results.latency import Latency, LatencyCount
from arena.results.run_statistics import compute_statistics
from arena.terms.clock import SideClock, TimeControl
from arena.terms.ending import Ending
from tests.arena.fakes import PILE_GAME, Pile, Taker, take_after, take_one
from tests.arena.referee.games import play
from tests.manual_clock import ManualClock


def test_answers_are_counted_by_their_time_beyond_the_limit() -> None:
    count = LatencyCount()
    over_ms = [0, 1, 10, 11, 50, 250, 251, None]  # None: an answer without a limit
    overhead_us = [100] * 98 + [5000, 9000, 0]  # 0: not measured
    count.add(over_ms, overhead_us, unreported_ms=[-1, 2, 2, 40])
    assert count.latency() == Latency(
        counts=(1, 2, 2, 1, 1),  # up to 0, 10, 50, 250 ms, more
        max_over_ms=251,
        overhead_ms=0.1,
        overhead_p99_ms=5.0,
        unreported_ms=2,
        max_unreported_ms=40,
    )
    assert LatencyCount().latency() == Latency((0, 0, 0, 0, 0))


def test_limit_is_the_smaller_of_move_time_and_game_clock() -> None:
    clock = SideClock(TimeControl(move_ms=100, game_ms=150))
    assert [clock.over_ms(100), clock.over_ms(130)] == [0, 30]
    clock.spend(130)
    assert clock.over_ms(30) == 10
    assert SideClock(TimeControl()).over_ms(1000) is None


def test_time_within_the_margin_is_counted_as_beyond_the_limit(clock: ManualClock) -> None:
    class SlowRules(Pile):
        """A position on which each move takes 5 ms; the runner plays all moves on its own position."""

        def play(self, move: str) -> None:
            clock.advance(5)
            super().play(move)

    first, second = Taker(take_after(clock, 60)), Taker(take_one)
    game = replace(PILE_GAME, new_position=SlowRules)
    played = play(first, second, TimeControl(move_ms=20, margin_ms=2000), game=game)
    assert {entry.over_ms for entry in played.moves[::2]} == {40}
    assert {entry.over_ms for entry in played.moves[1::2]} == {0}
    assert {entry.overhead_us for entry in played.moves} == {5_000}  # without the thinking time


def test_answer_that_loses_on_time_is_counted(clock: ManualClock) -> None:
    played = play(Taker(take_after(clock, 60)), Taker(take_one), TimeControl(move_ms=10, margin_ms=10))
    assert played.verdict.ending is Ending.TIME
    assert played.verdict.over_ms == 50
    assert not played.moves


class DoubleStart(Pile):
    """A position in which the first player moves twice at the beginning, as can happen in Kolibrat."""

    @property
    def to_move(self) -> int:
        return max(0, len(self._moves) - 1) % 2


def test_times_belong_to_the_side_that_moved(clock: ManualClock) -> None:
    """In Kolibrat a side that cannot move is skipped, so the number of a move does not tell the side."""
    game = replace(PILE_GAME, new_position=DoubleStart)
    played = play(Taker(take_after(clock, 60)), Taker(take_one), TimeControl(move_ms=2000), game=game)
    ended = GameEnded(1, 1, "A", "B", Ending.WIN, "A", "", "", (), played.moves)
    assert [entry.side for entry in played.moves[:4]] == [0, 0, 1, 0]
    assert set(ended.times_ms(0)) == {60}
    assert set(ended.times_ms(1)) == {0}


def test_statistics_have_the_latency_of_each_engine() -> None:
    moves = (MoveEntry("1", over_ms=0, overhead_us=200), MoveEntry("1", side=1, over_ms=7, overhead_us=400))
    # B lost on time: its last answer, which is no move, came 500 ms beyond the limit
    games = [GameEnded(1, 1, "A", "B", Ending.TIME, "A", "B", "late", (), moves, over_ms=500)]
    first, second = compute_statistics(("A", "B"), games).engines
    assert first.latency == Latency((1, 0, 0, 0, 0), 0, 0.2, 0.2)
    assert second.latency == Latency((0, 1, 0, 0, 1), 500, 0.4, 0.4)
