"""Wins, losses and distances that Pentago's players claim, against the exact solver and an independent prover.

Positions are text: rows from the top, digits for empty squares, and the side to move.
"""

from __future__ import annotations

import random

import pytest

from bots.pentago.engine import PentagoEngine
from bots.pentago.players import PLAYERS
from bots.pentago.position import PentagoPosition
from core.play.player import Limits, Player, Progress, Setup, build_player
from core.search.scores import win_distance
from tests.bots.pentago.positions import sharp_position
from tests.bots.pentago.prover import is_forced
from tests.bots.pentago.test_solver import solve
from tests.bots.playing import winner_of

# Black can draw with a move that makes fives of both colours. The kernels used to see only the opponent's five.
DRAWABLE = "1wbb2/bwb1b1/wwb1w1/1wwbb1/bbw3/1www2 b"
UNSOLVED = "wb1b2/w1w3/b1b1w1/2wbb1/b5/1ww3 w"  # a search of 8 plies and a short proof find no result here
RESULTS = {1: "win", 0: "draw", -1: "loss"}
# A search to a depth, and one that is stopped within an iteration.
SEARCHES = (Limits(depth=6), Limits(nodes=2_000))
MAX_PROVEN_PLIES = 5  # longest claim that is proven in the default run


def claims_of(player: Player, text: str, limits: Limits) -> set[Progress]:
    """Return the progress reports and the decision of a search that claim a result."""
    player.new_game(Setup(position=text))
    if isinstance(player, PentagoEngine):
        player.clear_hash()
    reported: set[Progress] = set()
    decision = player.choose(limits, lambda progress: reported.add(progress) if progress.pv_index == 1 else None)
    return {progress for progress in (*reported, decision.progress) if progress.result}


def claimed_plies(progress: Progress) -> int:
    """Return the plies within which a search claims the win (> 0) or the loss (< 0)."""
    plies = win_distance(progress.score)
    assert plies is not None
    assert (plies > 0) == (progress.result == "win")
    return plies


def check_distance(text: str, progress: Progress) -> None:
    """Check a claimed distance of at most four plies: no win is shorter, and no loss can be delayed."""
    plies = progress.win_in
    if plies is not None and abs(plies) <= 4:
        assert is_forced(text, plies), text
        assert plies in (1, -2) or not is_forced(text, plies - (2 if plies > 0 else -2)), text


def make_engine() -> PentagoEngine:
    player = build_player(PLAYERS, "pentad:hash=4")
    assert isinstance(player, PentagoEngine)
    return player


def test_drawing_move_is_found() -> None:
    """All moves that do not draw lose."""
    player = make_engine()
    player.new_game(Setup(position=DRAWABLE))
    decision = player.choose(Limits(depth=9))
    assert (decision.move, decision.progress.result, decision.progress.score) == ("e1s", "", 0)
    position = PentagoPosition(Setup(position=DRAWABLE))
    position.play("e1s")
    assert winner_of(position) is None


def test_no_result_is_claimed_if_none_is_found() -> None:
    player = make_engine()
    player.new_game(Setup(position=UNSOLVED))
    assert player.choose(Limits(depth=8)).progress.result == ""
    assert player.solve(Limits(move_time_ms=500)).result == "unknown"


def late_marbles(rng: random.Random, min_marbles: int) -> int:
    """Return a number of marbles from `min_marbles` to 30; the solver needs seconds if there are few."""
    few = {18: 1, 19: 2, 20: 5}
    counts = range(min_marbles, 31)
    return rng.choices(counts, [few.get(count, 10) for count in counts])[0]


@pytest.mark.parametrize(
    ("position_count", "min_marbles"), [(400, 24), pytest.param(3000, 18, marks=pytest.mark.slow)], ids=("quick", "all")
)
def test_claims_are_those_of_the_exact_solver(position_count: int, min_marbles: int) -> None:
    """In about half of the positions, a move makes fives of both colours, which draws.

    Regression: some of these used to be claimed as won or lost.
    """
    rng, player = random.Random(1), make_engine()
    claimed = 0
    for number in range(position_count):
        text = sharp_position(rng, late_marbles(rng, min_marbles))
        claims = claims_of(player, text, SEARCHES[number % 2])
        if claims:
            claimed += 1
            assert {progress.result for progress in claims} == {RESULTS[solve(text).value]}, text
        for progress in claims:
            check_distance(text, progress)
    assert position_count // 10 < claimed < position_count


@pytest.mark.parametrize(
    ("position_count", "depth", "max_plies"),
    [(60, 3, MAX_PROVEN_PLIES), pytest.param(300, 4, 99, marks=pytest.mark.slow)],  # 99: claims of any length
    ids=("quick", "all"),
)
def test_claims_of_few_marbles_are_proven_by_search(position_count: int, depth: int, max_plies: int) -> None:
    rng, player = random.Random(2), make_engine()
    checked = 0
    for number in range(position_count):
        text = sharp_position(rng, rng.randint(8, 17))
        limits = Limits(depth=depth) if number % 2 else Limits(nodes=2_000)
        for progress in claims_of(player, text, limits):
            if abs(claimed_plies(progress)) <= max_plies:
                checked += 1
                assert is_forced(text, claimed_plies(progress)), text
                check_distance(text, progress)
    assert checked > position_count // 5


@pytest.mark.parametrize("name", ["alphabeta:depth=4,seed=1", "genetic:population=60,generations=4,depth=3,seed=1"])
def test_claims_of_the_thesis_players_are_true(name: str) -> None:
    """A depth limit, or the lines of a genetic search, prove nothing about moves that were not tried."""
    rng, player = random.Random(4), build_player(PLAYERS, name)
    for number in range(60):
        text = sharp_position(rng, rng.randint(25, 30))
        for progress in claims_of(player, text, Limits(nodes=(300, 3_000)[number % 2])):
            assert progress.result == RESULTS[solve(text).value], text
            check_distance(text, progress)
