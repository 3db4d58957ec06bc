"""Time management: budgets keep every limit, never shrink with more time left, and last until the end of the game."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.play.player import Limits
from core.search.time_budget import TimeBudget, allocate_time, time_factor

times = st.one_of(st.none(), st.integers(-1000, 10_000_000))
margins, moves_left = st.floats(0, 1000), st.floats(1, 60)


@given(times, times, st.integers(0, 60_000), margins, moves_left)
def test_no_limit_is_exceeded(
    move_time: int | None, time_left: int | None, increment: int, margin: float, expected_moves_left: float
) -> None:
    limits = Limits(move_time_ms=move_time, time_left_ms=time_left, increment_ms=increment)
    budget = allocate_time(limits, margin, expected_moves_left)
    given_ms = [limit for limit in (move_time, time_left) if limit is not None]
    if not given_ms:
        assert budget == TimeBudget(None, None)
        return
    assert budget.hard_ms is not None
    assert budget.soft_ms is not None
    assert budget.hard_ms <= max(0, min(given_ms))
    if min(given_ms) >= 2 * margin:
        assert budget.hard_ms <= min(given_ms) - margin


@given(st.integers(0, 10_000_000), st.integers(0, 10_000_000), margins, moves_left)
def test_more_time_left_never_shortens_a_move(left: int, more: int, margin: float, expected_moves_left: float) -> None:
    less_time = allocate_time(Limits(time_left_ms=left), margin, expected_moves_left)
    more_time = allocate_time(Limits(time_left_ms=left + more), margin, expected_moves_left)
    assert less_time.hard_ms is not None
    assert more_time.hard_ms is not None
    assert less_time.hard_ms <= more_time.hard_ms


@given(st.integers(1000, 10_000_000), moves_left)
def test_soft_limits_leave_time_for_all_expected_moves(left: int, expected_moves_left: float) -> None:
    left_ms = float(left)
    for _ in range(int(expected_moves_left)):
        soft_ms = allocate_time(Limits(time_left_ms=int(left_ms)), 0, expected_moves_left).soft_ms
        assert soft_ms is not None
        left_ms -= soft_ms
    assert left_ms > 0


def test_the_margin_is_at_most_half_of_a_short_limit() -> None:
    assert allocate_time(Limits(move_time_ms=100), 70, 10) == TimeBudget(50, 50)
    assert allocate_time(Limits(move_time_ms=1000), 70, 10) == TimeBudget(930, 930)
    assert allocate_time(Limits(move_time_ms=1000, time_left_ms=60), 70, 1).hard_ms == 30


def test_a_move_time_of_0_asks_for_an_immediate_move() -> None:
    assert allocate_time(Limits(move_time_ms=0), 70, 10, 5) == TimeBudget(0, 5)
    assert allocate_time(Limits(), 70, 10, 5) == TimeBudget(None, None)


def test_elapsed_time_is_subtracted_from_all_limits() -> None:
    assert TimeBudget(100, 250).minus_elapsed(30) == TimeBudget(70, 220)
    assert TimeBudget(100, 250, 120).minus_elapsed(30) == TimeBudget(70, 220, 90)
    assert TimeBudget(None, None).minus_elapsed(30) == TimeBudget(None, None)


def test_a_factor_changes_the_time_by_the_clock_and_not_the_time_of_a_move() -> None:
    by_clock = allocate_time(Limits(time_left_ms=100_000), 0, 10)
    assert by_clock.soft_limit(1) == by_clock.soft_ms == 6000
    assert by_clock.soft_limit(0.5) == 3000
    assert by_clock.soft_limit(100) == by_clock.hard_ms
    by_move = allocate_time(Limits(move_time_ms=1000), 0, 10)
    assert by_move.soft_limit(0.5) == 1000
    both = allocate_time(Limits(move_time_ms=1000, time_left_ms=100_000), 0, 10)
    assert both.soft_limit(0.5) == 1000  # half of the time by the clock is still more
    assert TimeBudget(None, None).soft_limit(0.5) is None


@given(st.integers(0, 99), st.floats(0, 1), st.floats(0, 1))
def test_the_factor_falls_with_stability_and_node_share(unchanged: int, share: float, more: float) -> None:
    factor = time_factor(unchanged, share)
    assert time_factor(unchanged + 1, share) <= factor
    assert time_factor(unchanged, max(share, more)) <= factor


def test_an_unstable_move_gets_several_times_the_time_of_a_stable_one() -> None:
    assert time_factor(0, 0.1) > 4 * time_factor(10, 0.95)
