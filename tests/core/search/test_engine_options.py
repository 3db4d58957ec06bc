"""Strength levels below full strength: fewer nodes, and mistakes."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module

import pytest

from bots.registry import GAMES
from core.play.player import Decision, Limits, Player, build_player
from core.search.engine_options import (
    LEVEL_NODE_SPREAD,
    MAX_LEVEL,
    MAX_MISTAKE_DISADVANTAGE,
    FirstSight,
    StrengthLevels,
)
from core.search.scores import WIN

OPENINGS = {"gomoku": "h8 i9 g7 i7", "hive": "", "hex": "e5 f7", "pentago": "b2s c3t", "kolibrat": ""}
# Openings after which the side to move wins in one move, with the winning moves
WINS = {"gomoku": ("h8 a1 i8 c1 j8 e1 k8 g2", {"g8", "l8"}), "pentago": ("a1w f6w a2w f5w a3w f1w a4w e1w", {"a5"})}
TRIAL_COUNT = 2000  # draws of a mistake
NODES = 3000  # enough for a PV in every game


def test_nodes_of_a_level_vary_by_a_fifth() -> None:
    levels, rng = StrengthLevels((1000, 5000), (0.0, 0.0)), random.Random(1)
    nodes = [levels.limit_nodes(1, rng, Limits()).nodes or 0 for _ in range(200)]
    assert 1000 * (1 - LEVEL_NODE_SPREAD) <= min(nodes) < 900
    assert 1100 < max(nodes) <= 1000 * (1 + LEVEL_NODE_SPREAD)
    assert (levels.limit_nodes(2, rng, Limits()).nodes or 0) >= 4000


def test_a_level_does_not_raise_a_lower_node_limit() -> None:
    levels, rng = StrengthLevels((1000,), (0.0,)), random.Random(1)
    limits = Limits(nodes=50, depth=3, multi_pv=2, excluded_moves=("a1",))
    assert levels.limit_nodes(1, rng, limits) == limits


def test_mistakes_have_the_probability_of_the_level() -> None:
    levels, rng = StrengthLevels((1, 1, 1), (0.0, 0.25, 1.0)), random.Random(1)
    rates = [sum(levels.makes_mistake(level, rng) for _ in range(TRIAL_COUNT)) / TRIAL_COUNT for level in (1, 2, 3)]
    assert rates[0] == 0
    assert 0.2 < rates[1] < 0.3
    assert rates[2] == 1


def test_moves_that_look_worse_are_rarer_mistakes_and_losing_ones_occur() -> None:
    first_sight, rng = FirstSight(moves=4, scale=50), random.Random(1)
    counts = Counter(first_sight.pick(rng, (7, 8, 9, 10), (120, 120, 70, -WIN)) for _ in range(TRIAL_COUNT))
    expected = {7: 1, 8: 1, 9: math.exp(-1), 10: math.exp(-MAX_MISTAKE_DISADVANTAGE)}
    for move, weight in expected.items():
        assert abs(counts[move] / TRIAL_COUNT - weight / sum(expected.values())) < 0.03


@pytest.mark.parametrize("game", sorted(GAMES))
def test_higher_levels_search_more_and_make_fewer_mistakes(game: str) -> None:
    engine = import_module(f"bots.{game}.engine")
    levels = engine.LEVELS
    assert len(levels.nodes) == len(levels.mistake_rates) == MAX_LEVEL - 1
    # In Hex the unit changes from playouts to the network's evaluations, which take longer.
    change = getattr(engine, "FIRST_NETWORK_LEVEL", MAX_LEVEL) - 1
    for nodes in (levels.nodes[:change], levels.nodes[change:]):
        assert sorted(set(nodes)) == list(nodes)
    assert sorted(levels.mistake_rates, reverse=True) == list(levels.mistake_rates)


Choose = Callable[..., Decision]


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Choose:
    """Return a function that chooses a move at a level with the given rate of mistakes, which are random moves."""

    def choose_move(
        game: str, moves: Sequence[str], rate: float, seed: int, excluded: tuple[str, ...] = ()
    ) -> Decision:
        monkeypatch.setattr(import_module(f"bots.{game}.engine"), "LEVELS", StrengthLevels((NODES,) * 9, (rate,) * 9))
        player: Player = build_player(GAMES[game].players(), f"pentad:level=3,hash=1,seed={seed}")
        player.new_game(GAMES[game].default_setup)
        player.set_position(moves)
        return player.choose(Limits(excluded_moves=excluded))

    return choose_move


@pytest.mark.parametrize("game", sorted(GAMES))
def test_random_moves_vary_and_have_a_pv(game: str, choose: Choose) -> None:
    """For eight seeds there are more different moves than without random moves."""
    moves = OPENINGS[game].split()
    search_moves = {choose(game, moves, 0.0, seed).move for seed in range(1, 9)}
    decisions = [choose(game, moves, 1.0, seed) for seed in range(1, 9)]
    assert len({decision.move for decision in decisions}) > max(len(search_moves), 2)
    assert [decision.progress.pv[0] for decision in decisions] == [decision.move for decision in decisions]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_random_move_is_never_an_excluded_one(game: str, choose: Choose) -> None:
    moves = OPENINGS[game].split()
    excluded = tuple({choose(game, moves, 1.0, seed).move for seed in range(1, 4)})
    others = {choose(game, moves, 1.0, seed, excluded).move for seed in range(1, 9)}
    assert others
    assert not others & set(excluded)


@pytest.mark.parametrize("game", sorted(WINS))
def test_a_random_move_never_misses_a_win_in_one(game: str, choose: Choose) -> None:
    moves, winning = WINS[game]
    assert {choose(game, moves.split(), 1.0, seed).move for seed in range(1, 9)} <= winning
