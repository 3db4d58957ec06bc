"""The scale of scores: conversion to and from distances, and special scores that do not overlap with others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.search.scores import DRAW, INFINITE, MAX_DISTANCE, MAX_EVALUATION, NO_SCORE, WIN, proven_score, win_distance


@given(st.integers(1, MAX_DISTANCE))
def test_a_proven_score_contains_its_distance(distance: int) -> None:
    assert win_distance(WIN - distance) == distance
    assert win_distance(distance - WIN) == -distance
    assert proven_score(distance) == WIN - distance
    assert proven_score(-distance) == distance - WIN


@given(st.integers(-MAX_EVALUATION, MAX_EVALUATION))
def test_an_evaluation_has_no_distance(score: int) -> None:
    assert win_distance(score) is None


def test_all_scores_fit_16_bits_and_are_distinct_from_no_score() -> None:
    assert -32768 <= -INFINITE < INFINITE < 32768
    assert abs(NO_SCORE) > INFINITE
    assert DRAW == 0
    assert MAX_EVALUATION < WIN - MAX_DISTANCE
