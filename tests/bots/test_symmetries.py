"""Board symmetries (`Game.symmetries`): a line of moves and its symmetric lines are the same game.

Opening suites rely on it: a transformed opening must be as balanced as the original.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bots.registry import GAMES
from core.play.game import Game
from core.play.player import Setup

SETUPS = [  # game, setup and number of symmetries, the identity included
    ("gomoku", replace(GAMES["gomoku"].default_setup, width=9, height=9), 8),
    ("gomoku", replace(GAMES["gomoku"].default_setup, width=9, height=7), 4),
    ("hex", Setup(5, 5, "swap"), 2),
    ("hex", Setup(6, 4, "standard"), 2),
    ("pentago", GAMES["pentago"].default_setup, 8),
]


@pytest.mark.parametrize(("name", "setup", "symmetry_count"), SETUPS)
def test_symmetric_games_are_the_same_game(name: str, setup: Setup, symmetry_count: int) -> None:
    """Random games are legal under each symmetry, with as many legal moves after each ply and the same outcome."""
    game = GAMES[name]
    assert game.symmetries
    for seed in range(5):
        line = play_random_moves(game, setup, seed)
        lines = game.symmetries(line, setup)
        assert lines[0] == line
        assert len(lines) == len(set(map(tuple, lines))) == symmetry_count
        for symmetric_line in lines[1:]:
            check_same_game(game, setup, line, symmetric_line)


def play_random_moves(game: Game, setup: Setup, seed: int) -> list[str]:
    rng = random.Random(seed)
    position = game.new_position(setup)
    while position.outcome() is None and position.legal_moves():
        position.play(rng.choice(position.legal_moves()))
    return position.moves


def check_same_game(game: Game, setup: Setup, line: list[str], symmetric_line: list[str]) -> None:
    """Play both lines; compare numbers of legal moves before each ply, and the outcomes at the end."""
    position, symmetric_position = game.new_position(setup), game.new_position(setup)
    for move, symmetric_move in zip(line, symmetric_line, strict=True):
        assert position.outcome() == symmetric_position.outcome() is None
        assert len(position.legal_moves()) == len(symmetric_position.legal_moves())
        position.play(move)
        symmetric_position.play(symmetric_move)
    assert position.outcome() == symmetric_position.outcome()
