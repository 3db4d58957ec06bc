"""An opening under a symmetry of the board is the same opening: else a transformed suite would not be balanced."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bots.registry import GAMES
from core.play.game import Game
from core.play.player import Setup

SETUPS = [
    ("gomoku", replace(GAMES["gomoku"].default_setup, width=9, height=9), 8),
    ("gomoku", replace(GAMES["gomoku"].default_setup, width=9, height=7), 4),
    ("hex", Setup(5, 5, "swap"), 2),
    ("hex", Setup(6, 4, "standard"), 2),
    ("pentago", GAMES["pentago"].default_setup, 8),
]


@pytest.mark.parametrize(("name", "setup", "count"), SETUPS)
def test_images_of_a_game_are_the_same_game(name: str, setup: Setup, count: int) -> None:
    """Random games are legal under each symmetry and end in the same way after the same move."""
    game = GAMES[name]
    assert game.symmetries
    for seed in range(5):
        line = play_by_chance(game, setup, seed)
        images = game.symmetries(line, setup)
        assert images[0] == line
        assert len(images) == len(set(map(tuple, images))) == count
        for image in images[1:]:
            check_same_game(game, setup, line, image)


def play_by_chance(game: Game, setup: Setup, seed: int) -> list[str]:
    chance = random.Random(seed)
    position = game.new_position(setup)
    while position.outcome() is None and position.legal_moves():
        position.play(chance.choice(position.legal_moves()))
    return position.moves


def check_same_game(game: Game, setup: Setup, line: list[str], image: list[str]) -> None:
    one, other = game.new_position(setup), game.new_position(setup)
    for move, turned in zip(line, image, strict=True):
        assert one.outcome() == other.outcome() is None
        assert len(one.legal_moves()) == len(other.legal_moves())
        one.play(move)
        other.play(turned)
    assert one.outcome() == other.outcome()
