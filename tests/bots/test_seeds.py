"""Seeds: below level 10 every game was the same, and the seed of a match did not reach the players."""

from __future__ import annotations

from typing import Any

import pytest

from arena.referee.participant import Participant
from arena.terms.plan import derive_seed
from arena.tools.bench import bench_in_process
from bots.registry import GAMES
from core.play.player import Limits, Player, build_player
from tests.lines import play_on

PLIES = 8
GAMES_PLAYED = 6
NOT_BY_CHANCE = {"greedy", "paper"}  # players of Gomoku without a seed


def play(player: Player, game: str) -> tuple[str, ...]:
    """The beginning of a game against itself."""
    player.new_game(GAMES[game].default_setup)
    return go_on(player)


def go_on(player: Player) -> tuple[str, ...]:
    """Some moves more."""
    moves = []
    for _ in range(PLIES):
        moves.append(player.choose(Limits()).move)
        play_on(player, moves[-1])
    return tuple(moves)


def make(game: str, parameters: str) -> Any:
    """A weak player of ours."""
    return build_player(GAMES[game].players(), f"pentad:level=2,hash=1{parameters}")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_without_a_seed_games_differ(game: str) -> None:
    player = make(game, "")
    assert len({play(player, game) for _ in range(GAMES_PLAYED)}) > 1
    assert len({play(make(game, ""), game) for _ in range(GAMES_PLAYED)}) > 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_with_a_seed_games_repeat(game: str) -> None:
    """In another process and in the same one, whatever was played before."""
    player = make(game, ",seed=7")
    first = play(player, game)
    assert play(player, game) == play(make(game, ",seed=7"), game) == first
    others = {play(make(game, f",seed={seed}"), game) for seed in range(1, 1 + GAMES_PLAYED)}
    assert len(others | {first}) > 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_seed_of_a_match_reaches_its_players(game: str) -> None:
    """A recorded game can be played again, by a player that has played others."""

    def begin(number: int) -> tuple[str, ...]:
        seat.prepare(GAMES[game].default_setup, (), derive_seed(5, number))
        return go_on(seat.player)

    seat = Participant("weak", lambda: make(game, ""), reseed=True)
    games = [begin(number) for number in range(GAMES_PLAYED)]
    assert [begin(number) for number in range(GAMES_PLAYED)] == games
    assert len(set(games)) > 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_seed_says_what_none_means(game: str) -> None:
    for kind in GAMES[game].players():
        seeds = [option for option in kind.options if option.name == "seed"]
        if kind.name in NOT_BY_CHANCE and game == "gomoku":
            assert not seeds
        else:
            assert [option.help.endswith(", 0 for a new one each game") for option in seeds] == [True] or not seeds


def test_a_bench_gives_a_seed() -> None:
    """Hex's playouts would else be others each time."""
    rows = [[(row.move, row.nodes) for row in bench_in_process(GAMES["hex"], 3)] for _ in range(2)]
    assert rows[0] == rows[1]
