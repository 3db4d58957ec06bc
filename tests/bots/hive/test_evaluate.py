"""The estimate against its slow twin, and under the symmetries of the board."""

from __future__ import annotations

import pytest

from bots.hive.notation import TILE_NAMES, MoveText, format_move, parse_game, parse_move
from bots.hive.position import HivePosition
from bots.hive.training.features import all_features, count_features, weight_of
from core.play.player import Setup
from tests.bots.hive.real_games import GAMES, MIDGAMES, truncate_game
from tests.bots.hive.test_perft import DATA

POSITIONS = [
    line.removeprefix("game ")
    for line in (DATA / "positions.txt").read_text(encoding="utf-8").splitlines()
    if line.startswith("game ")
]


def evaluate(game: str) -> int:
    position = HivePosition.from_game(game)
    return int(position.library.evaluate(position.state))


@pytest.mark.parametrize("games", [POSITIONS, MIDGAMES, GAMES], ids=["rules", "midgames", "ends"])
def test_equals_the_weighted_features(games: list[str]) -> None:
    """The fit tunes the features: where the kernel counts otherwise it would tune something else."""
    for game in games:
        position = HivePosition.from_game(game)
        weighted = sum(weight_of(feature) * count for feature, count in count_features(position.state).items())
        assert position.library.evaluate(position.state) == weighted, game


def test_every_feature_occurs() -> None:
    """A weight that nothing counts would keep whatever value it was given; seven kinds of neighbours are rare."""
    seen = {
        feature
        for game in [*POSITIONS, *MIDGAMES, *(truncate_game(game, -2) for game in GAMES)]
        for feature, count in count_features(HivePosition.from_game(game).state).items()
        if count
    }
    rare = {("CROWDED", 6), ("QUEEN_FREE", 5), ("QUEEN_FREE", 6), ("ATTACK", 6), ("CROWDED", 0), ("QUEEN_FREE", 0)}
    useless = {("FREE", 0), ("HELD", 0), ("HAND", 0)}
    assert set(all_features()) - seen <= rare | useless | {("ATTACK", 0)}


def turn(text: str, turns: int) -> str:
    """A move on the board turned by sixths."""
    move = parse_move(text)
    direction = None if move.direction is None else (move.direction + turns) % 6
    return format_move(MoveText(move.tile, move.reference, direction))


def exchange(text: str) -> str:
    """A move on the board seen in a mirror."""
    move = parse_move(text)
    direction = None if move.direction is None else -move.direction % 6
    return format_move(MoveText(move.tile, move.reference, direction))


@pytest.mark.parametrize("game", MIDGAMES[:12])
def test_the_board_has_no_preferred_direction(game: str) -> None:
    variant, moves = parse_game(game)
    for turned in [[turn(move, turns) for move in moves] for turns in range(1, 6)] + [[exchange(m) for m in moves]]:
        assert evaluate(";".join((variant, "", "", *turned))) == evaluate(game)


def test_the_side_that_moves_is_the_side_that_counts() -> None:
    """After a pass the same board is worth the opposite, but for having the move."""
    position = HivePosition(Setup(variant="Base"))
    for move in (TILE_NAMES[1], "bS1 wS1-", "wQ -wS1", "bA1 bS1-"):
        position.play(move)
    ours = position.library.evaluate(position.state)
    position.state.side = 1 - position.state.side
    theirs = position.library.evaluate(position.state)
    assert ours + theirs == 2 * weight_of(("TEMPO", 0))
