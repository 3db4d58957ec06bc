"""Swap2: three stones that stay even in longer searches, within the time."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from bots.gomoku.swap2 import LEAST_MS, TRIPLES, answer_swap2
from core.play.player import Decision, Limits, Progress, Setup

SETUP = Setup(15, 15, "freestyle")


class Judge:
    """Finds all openings even at first sight; in longer searches one of them alone, `even` by its place, is."""

    def __init__(self, even: int) -> None:
        self.even = even
        self.asked: list[tuple[tuple[str, ...], int]] = []

    def __call__(self, stones: Sequence[str], search_ms: int) -> Decision:
        seen = [triple for triple, _ in self.asked]
        place, again = seen.index(tuple(stones)) if tuple(stones) in seen else len(seen), tuple(stones) in seen
        self.asked.append((tuple(stones), search_ms))
        worse = 100 if place > 2 else 0  # the first three seem the most even
        score = (3 if place == self.even else -50 - place) if again else worse
        return Decision("h8", Progress(score=score))


@pytest.mark.parametrize("even", [0, 1, 2])
def test_what_only_seemed_even_is_searched_again(even: int) -> None:
    judge = Judge(even)
    stones = answer_swap2((), Limits(move_time_ms=64_000), SETUP, judge)
    assert tuple(stones) == judge.asked[even][0]
    rounds = [ms for _, ms in judge.asked]
    assert rounds == [500] * 16 + [1000] * 8 + [2000] * 4 + [4000] * 2
    assert sum(rounds) == 32_000  # half of the limit
    assert TRIPLES == 16


def test_stops_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands beyond the end after the twentieth search: the more even of the four in the second round."""
    judge = Judge(1)
    monkeypatch.setattr(time, "perf_counter", lambda: 0.0 if len(judge.asked) < 20 else 1.0)
    stones = answer_swap2((), Limits(move_time_ms=1000), SETUP, judge)
    assert len(judge.asked) == 20
    assert tuple(stones) == judge.asked[1][0]
    assert {ms for _, ms in judge.asked[:16]} == {LEAST_MS}


def test_ends_with_the_search_that_is_stopped() -> None:
    """Each search begins anew: without this a word to stop ended one of thirty."""
    judge, limits = Judge(1), Limits(move_time_ms=64_000)

    def judge_and_stop(stones: Sequence[str], search_ms: int) -> Decision:
        decision = judge(stones, search_ms)
        if len(judge.asked) == 20:
            limits.stop.set()
        return decision

    stones = answer_swap2((), limits, SETUP, judge_and_stop)
    assert len(judge.asked) == 20
    assert tuple(stones) == judge.asked[1][0]


@pytest.mark.parametrize(
    ("limits", "most_ms"),
    [
        (Limits(time_left_ms=120_000), 120_000 / 12),
        (Limits(time_left_ms=12_000, increment_ms=1000), 12_000 / 12 + 1000),
        (Limits(time_left_ms=600_000, move_time_ms=10_000), 5000),
        (Limits(time_left_ms=12_000, move_time_ms=10_000), 12_000 / 12),
    ],
)
@pytest.mark.parametrize("stones", [(), ("h8", "h9", "i8")])
def test_a_game_clock_is_shared_among_its_moves(limits: Limits, most_ms: float, stones: tuple[str, ...]) -> None:
    """Half of all the time that was left went into one decision of the opening."""
    judge = Judge(1)
    answer_swap2(stones, limits, SETUP, judge)
    spent_ms = sum(ms for _, ms in judge.asked)
    assert LEAST_MS < spent_ms <= most_ms


@pytest.mark.parametrize("left_ms", [0, -500])
def test_a_clock_that_has_run_out_leaves_the_shortest_search(left_ms: int) -> None:
    judge = Judge(1)
    answer_swap2(("h8", "h9", "i8"), Limits(time_left_ms=left_ms), SETUP, judge)
    assert [ms for _, ms in judge.asked] == [LEAST_MS]
