"""The evaluation kernel against the weighted features that Python counts, and under the symmetries of the board.

A feature is a pair of the name of a weight and an index into it, such as ("QUEEN_NEIGHBOURS", 3).
"""

from __future__ import annotations

import pytest

from bots.hive.notation import MoveText, format_move, parse_game, parse_move
from bots.hive.position import HivePosition
from bots.hive.tiles import QUEEN
from bots.hive.training import features
from bots.hive.training.features import NO_QUEEN, STEP_COUNT, all_features, count_features, weight_of
from bots.hive.weights import HAND_UNIT
from core.play.player import Setup
from tests.bots.hive.real_games import MIDGAMES, REAL_GAMES, truncate_game
from tests.bots.hive.test_perft import DATA

POSITIONS = [
    line.removeprefix("game ")
    for line in (DATA / "positions.txt").read_text(encoding="utf-8").splitlines()
    if line.startswith("game ")
]


def evaluate(game: str) -> int:
    position = HivePosition.from_game(game)
    return int(position.library.evaluate(position.state))


@pytest.mark.parametrize("games", [POSITIONS, MIDGAMES, REAL_GAMES], ids=["rules", "midgames", "ends"])
def test_equals_the_weighted_features(games: list[str]) -> None:
    """Fitting tunes the weights of these features, so the kernel must compute exactly the same ones."""
    for game in games:
        position = HivePosition.from_game(game)
        assert position.library.evaluate(position.state) == features.evaluate(position.state), game


def test_every_feature_occurs() -> None:
    """A weight whose feature never occurs could not be fitted. Exceptions are rare features and unused indices."""
    seen = {
        feature
        for game in [*POSITIONS, *MIDGAMES, *(truncate_game(game, -2) for game in REAL_GAMES)]
        for feature, count in count_features(HivePosition.from_game(game).state).items()
        if count
    }
    rare = {
        ("QUEEN_NEIGHBOURS", 6),
        ("QUEEN_MOBILE", 5),
        ("QUEEN_MOBILE", 6),
        ("ATTACKERS", 6),
        ("QUEEN_NEIGHBOURS", 0),
        ("QUEEN_MOBILE", 0),
    }
    unused = {("COVERED_TILE", 0), ("TILE_IN_HAND", 0), ("ATTACKERS", 0)}
    assert {feature for feature in set(all_features()) - seen if not _is_rare_in_table(*feature)} <= rare | unused


def _is_rare_in_table(name: str, index: int) -> bool:
    """Return whether a feature is about a tile on top of a queen, a queen in hand, or a queen's steps to herself."""
    kind, steps = divmod(index, STEP_COUNT)
    return "_TO_" in name and (steps in (0, NO_QUEEN) or (kind == QUEEN and "OWN" in name))


def rotate_move(text: str, turns: int) -> str:
    """Return a move on the board rotated by `turns` times 60 degrees."""
    move = parse_move(text)
    direction = None if move.direction is None else (move.direction + turns) % 6
    return format_move(MoveText(move.tile, move.reference, direction))


def mirror_move(text: str) -> str:
    """Return a move on the mirrored board."""
    move = parse_move(text)
    direction = None if move.direction is None else -move.direction % 6
    return format_move(MoveText(move.tile, move.reference, direction))


@pytest.mark.parametrize("game", MIDGAMES[:12])
def test_evaluation_is_symmetric(game: str) -> None:
    variant, moves = parse_game(game)
    for transformed in [[rotate_move(move, turns) for move in moves] for turns in range(1, 6)] + [
        [mirror_move(m) for m in moves]
    ]:
        assert evaluate(";".join((variant, "", "", *transformed))) == evaluate(game)


def test_evaluation_is_for_the_side_to_move() -> None:
    """With the other side to move the score is negated, apart from TEMPO."""
    position = HivePosition(Setup(variant="Base"))
    for move in ("wS1", "bS1 wS1-", "wQ -wS1", "bA1 bS1-"):
        position.play(move)
    score = position.library.evaluate(position.state)
    position.state.side = 1 - position.state.side
    other_score = position.library.evaluate(position.state)
    late, change = weight_of(("TEMPO", 0))
    tempo = late + change * features.tiles_in_hand(position.state) / HAND_UNIT
    assert abs(score + other_score - 2 * tempo) <= 2  # rounded down
    assert tempo > 0
