"""The levels below the full one: fewer nodes, and moves that are drawn by lot."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from importlib import import_module

import pytest

from bots.registry import GAMES
from core.play.player import Decision, Limits, Player, build_player
from core.search.engine_options import LEVEL_NODE_SPREAD, MAX_LEVEL, StrengthLevels

OPENINGS = {"gomoku": "h8 i9 g7 i7", "hive": "", "hex": "e5 f7", "pentago": "b2s c3t", "kolibrat": ""}
WINS = {"gomoku": ("h8 a1 i8 c1 j8 e1 k8 g2", {"g8", "l8"}), "pentago": ("a1w f6w a2w f5w a3w f1w a4w e1w", {"a5"})}
DRAWS = 2000
NODES = 3000  # enough for a line to be told in any game


def test_nodes_of_a_level_vary_by_a_fifth() -> None:
    levels, chance = StrengthLevels((1000, 5000), (0.0, 0.0)), random.Random(1)
    nodes = [levels.limit_nodes(1, chance, Limits()).nodes or 0 for _ in range(200)]
    assert 1000 * (1 - LEVEL_NODE_SPREAD) <= min(nodes) < 900
    assert 1100 < max(nodes) <= 1000 * (1 + LEVEL_NODE_SPREAD)
    assert (levels.limit_nodes(2, chance, Limits()).nodes or 0) >= 4000


def test_limits_of_a_search_hold_at_a_level_too() -> None:
    levels, chance = StrengthLevels((1000,), (0.0,)), random.Random(1)
    limits = Limits(nodes=50, depth=3, multi_pv=2, excluded_moves=("a1",))
    assert levels.limit_nodes(1, chance, limits) == limits


def test_as_many_moves_are_drawn_as_a_level_says() -> None:
    levels, chance = StrengthLevels((1, 1, 1), (0.0, 0.25, 1.0)), random.Random(1)
    drawn = [[levels.pick_random_move(level, chance, (7, 8, 9)) for _ in range(DRAWS)] for level in (1, 2, 3)]
    assert drawn[0] == [None] * DRAWS
    assert 0.7 < drawn[1].count(None) / DRAWS < 0.8
    assert {move: 0.3 < drawn[2].count(move) / DRAWS < 0.37 for move in set(drawn[2])} == {7: True, 8: True, 9: True}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_levels_search_more_and_lapse_less_from_one_to_the_next(game: str) -> None:
    levels = import_module(f"bots.{game}.engine").LEVELS
    assert len(levels.nodes) == len(levels.random_move_rates) == MAX_LEVEL - 1
    assert sorted(set(levels.nodes)) == list(levels.nodes)
    assert sorted(levels.random_move_rates, reverse=True) == list(levels.random_move_rates)


Choose = Callable[..., Decision]


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Choose:
    """One move of a level that lapses so often, with a seed."""

    def ask(game: str, moves: Sequence[str], share: float, seed: int, exclude: tuple[str, ...] = ()) -> Decision:
        monkeypatch.setattr(import_module(f"bots.{game}.engine"), "LEVELS", StrengthLevels((NODES,) * 9, (share,) * 9))
        player: Player = build_player(GAMES[game].players(), f"pentad:level=3,hash=1,seed={seed}")
        player.new_game(GAMES[game].default_setup)
        player.set_position(moves)
        return player.choose(Limits(excluded_moves=exclude))

    return ask


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_lapse_plays_any_move_and_tells_what_that_is_worth(game: str, choose: Choose) -> None:
    moves = OPENINGS[game].split()
    firm = {choose(game, moves, 0.0, seed).move for seed in range(1, 9)}
    lapses = [choose(game, moves, 1.0, seed) for seed in range(1, 9)]
    assert len({decision.move for decision in lapses}) > max(len(firm), 2)
    assert [decision.progress.pv[0] for decision in lapses] == [decision.move for decision in lapses]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_lapse_heeds_what_is_excluded(game: str, choose: Choose) -> None:
    moves = OPENINGS[game].split()
    exclude = tuple({choose(game, moves, 1.0, seed).move for seed in range(1, 4)})
    others = {choose(game, moves, 1.0, seed, exclude).move for seed in range(1, 9)}
    assert others
    assert not others & set(exclude)


@pytest.mark.parametrize("game", sorted(WINS))
def test_a_win_at_once_is_no_matter_of_chance(game: str, choose: Choose) -> None:
    line, winning = WINS[game]
    assert {choose(game, line.split(), 1.0, seed).move for seed in range(1, 9)} <= winning
