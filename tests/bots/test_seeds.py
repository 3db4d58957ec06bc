"""Seeds: without one, weak players vary their games; with one, games repeat, also in a match."""

from __future__ import annotations

import random
from itertools import count

import pytest

from arena.referee.participant import Participant
from arena.terms.plan import derive_seed
from arena.tools.bench import bench_in_process
from bots.registry import GAMES
from core.play.player import Limits, Player, build_player
from tests.lines import play_on

PLIES = 8  # of each game
GAME_COUNT = 6

SEEDED_PLAYERS = [  # game and player with a seed option, weak or quick
    *((game, "pentad:level=2,hash=1") for game in GAMES),
    ("gomoku", "random"),
    *(("hex", f"{name}:opening=no,depth=1") for name in ("sexsearch", "queenbee", "negamontescout")),
    ("hex", "potentials:opening=no"),
    *(("hive", name) for name in ("alphabeta:depth=2", "minimax:depth=1,delta=4", "greedy", "aggro", "random")),
    *(("pentago", name) for name in ("alphabeta:depth=1", "mcts:playouts=20", "greedy", "random")),
    ("pentago", "genetic:population=20,generations=2,depth=2"),
    *(("kolibrat", name) for name in ("greedy", "random")),
]
each_seeded_player = pytest.mark.parametrize(("game", "name"), SEEDED_PLAYERS)


def play_game(player: Player, game: str) -> tuple[str, ...]:
    """Return the first moves of a player's game against itself."""
    player.new_game(GAMES[game].default_setup)
    return continue_game(player)


def continue_game(player: Player) -> tuple[str, ...]:
    """Let the player continue the game against itself for PLIES plies, and return the moves."""
    moves = []
    for _ in range(PLIES):
        moves.append(player.choose(Limits()).move)
        play_on(player, moves[-1])
    return tuple(moves)


def make_player(game: str, name: str, seed: int | None = None) -> Player:
    separator = "," if ":" in name else ":"
    return build_player(GAMES[game].players(), name if seed is None else f"{name}{separator}seed={seed}")


def weak_engine(game: str) -> Player:
    return make_player(game, "pentad:level=2,hash=1")


@each_seeded_player
def test_without_a_seed_games_differ(game: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known numbers replace those of the system, with which all games could be equal by chance."""
    seeds = count()
    monkeypatch.setattr(random, "SystemRandom", lambda: random.Random(next(seeds)))
    player = make_player(game, name)
    assert len({play_game(player, game) for _ in range(GAME_COUNT)}) > 1
    assert len({play_game(make_player(game, name), game) for _ in range(GAME_COUNT)}) > 1


@each_seeded_player
def test_with_a_seed_games_repeat(game: str, name: str) -> None:
    """A game repeats in a player that has played before and in a new one; another seed may give another game."""
    player = make_player(game, name, 7)
    first = play_game(player, game)
    assert play_game(player, game) == play_game(make_player(game, name, 7), game) == first
    others = {play_game(make_player(game, name, seed), game) for seed in range(1, 1 + GAME_COUNT)}
    assert len(others | {first}) > 1


@pytest.mark.parametrize(("game", "name"), [player for player in SEEDED_PLAYERS if player[1] == "random"])
def test_setting_the_seed_restarts_the_random_choices(game: str, name: str) -> None:
    player = make_player(game, name, 7)
    first = [player.choose(Limits()).move for _ in range(5)]
    player.set_option("seed", 7)
    assert [player.choose(Limits()).move for _ in range(5)] == first


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_seed_of_a_match_reaches_its_players(game: str) -> None:
    """A game can be repeated from its seed, even by a player that has played other games."""

    def play_with_seed(game_number: int) -> tuple[str, ...]:
        participant.prepare(GAMES[game].default_setup, (), derive_seed(5, game_number))
        return continue_game(participant.player)

    participant = Participant("weak", lambda: weak_engine(game), reseed=True)
    games = [play_with_seed(game_number) for game_number in range(GAME_COUNT)]
    assert [play_with_seed(game_number) for game_number in range(GAME_COUNT)] == games
    assert len(set(games)) > 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_help_of_seed_options_explains_zero(game: str) -> None:
    seeds = [option for kind in GAMES[game].players() for option in kind.options if option.name == "seed"]
    assert seeds
    assert all(option.help.endswith("; 0 draws a new seed for each game") for option in seeds)


def test_bench_sets_a_seed() -> None:
    """The engine of Hex uses random playouts, which a seed makes the same each time."""
    rows = [[(row.move, row.nodes) for row in bench_in_process(GAMES["hex"], depth=3)] for _ in range(2)]
    assert rows[0] == rows[1]
