"""Seeds: without one, weak players vary their games; with one, games repeat, also in a match."""

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
GAME_COUNT = 6
DETERMINISTIC_PLAYERS = {"greedy", "paper"}  # Gomoku players without a seed option


def play(player: Player, game: str) -> tuple[str, ...]:
    """Return the first moves of a player's game against itself."""
    player.new_game(GAMES[game].default_setup)
    return play_more(player)


def play_more(player: Player) -> tuple[str, ...]:
    """Let the player continue the game against itself for PLIES plies, and return the moves."""
    moves = []
    for _ in range(PLIES):
        moves.append(player.choose(Limits()).move)
        play_on(player, moves[-1])
    return tuple(moves)


def weak_player(game: str, parameters: str) -> Any:
    """Return the game's engine at level 2."""
    return build_player(GAMES[game].players(), f"pentad:level=2,hash=1{parameters}")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_without_a_seed_games_differ(game: str) -> None:
    player = weak_player(game, "")
    assert len({play(player, game) for _ in range(GAME_COUNT)}) > 1
    assert len({play(weak_player(game, ""), game) for _ in range(GAME_COUNT)}) > 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_with_a_seed_games_repeat(game: str) -> None:
    """Both in a new player and in one that has played other games before."""
    player = weak_player(game, ",seed=7")
    first = play(player, game)
    assert play(player, game) == play(weak_player(game, ",seed=7"), game) == first
    others = {play(weak_player(game, f",seed={seed}"), game) for seed in range(1, 1 + GAME_COUNT)}
    assert len(others | {first}) > 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_seed_of_a_match_reaches_its_players(game: str) -> None:
    """A game can be repeated from its seed, even by a player that has played other games."""

    def play_with_seed(number: int) -> tuple[str, ...]:
        participant.prepare(GAMES[game].default_setup, (), derive_seed(5, number))
        return play_more(participant.player)

    participant = Participant("weak", lambda: weak_player(game, ""), reseed=True)
    games = [play_with_seed(number) for number in range(GAME_COUNT)]
    assert [play_with_seed(number) for number in range(GAME_COUNT)] == games
    assert len(set(games)) > 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_help_of_seed_options_explains_zero(game: str) -> None:
    for kind in GAMES[game].players():
        seeds = [option for option in kind.options if option.name == "seed"]
        if kind.name in DETERMINISTIC_PLAYERS and game == "gomoku":
            assert not seeds
        else:
            assert [option.help.endswith("; 0 draws a new seed for each game") for option in seeds] == [
                True
            ] or not seeds


def test_bench_sets_a_seed() -> None:
    """Otherwise the random playouts of Hex would differ each time."""
    rows = [[(row.move, row.nodes) for row in bench_in_process(GAMES["hex"], 3)] for _ in range(2)]
    assert rows[0] == rows[1]
