"""What Hive tells the alpha-beta skeleton, against the rules played out in plain Python."""

from __future__ import annotations

import pytest

from bots.hive.position import HivePosition
from bots.hive.tiles import MOVE_SHIFT, SIDE_TILES
from core.search.scores import DRAW, NO_SCORE, WIN
from tests.bots.hive.real_games import GAMES, MIDGAMES, WON_GAMES, WON_IN_ONE, truncate_game

NEAR_ENDS = [truncate_game(game, -plies) for game in GAMES for plies in (1, 2, 3, 4, 6)]


def wins(position: HivePosition) -> bool:
    """Whether the side to move has a move of another tile that surrounds the enemy queen and not its own."""
    us = position.to_move
    for move in position.legal_moves():
        if move.startswith(("bQ", "wQ")[us]):
            continue
        position.play(move)
        outcome = position.outcome()
        position.undo()
        if outcome is not None and outcome.winner == us:
            return True
    return False


@pytest.mark.parametrize("games", [NEAR_ENDS, MIDGAMES], ids=["ends", "midgames"])
def test_a_win_in_one_is_settled_and_nothing_else(games: list[str]) -> None:
    """A queen that can be surrounded must be seen at every node; a false alarm would lose games."""
    for game in games:
        position = HivePosition.from_game(game)
        if position.outcome() is None:
            wanted = WIN - 3 - 1 if wins(position) else NO_SCORE
            assert position.library.terminal_score(position.state, 3) == wanted, game


def test_real_wins_are_seen_a_move_ahead() -> None:
    seen = [HivePosition.from_game(game) for game in WON_IN_ONE]
    assert sum(position.library.terminal_score(position.state, 0) == WIN - 1 for position in seen) >= len(seen) - 2


def test_finished_games_have_their_value() -> None:
    for game in WON_GAMES:
        position = HivePosition.from_game(game)
        outcome = position.outcome()
        assert outcome is not None
        wanted = WIN - 5 if outcome.winner == position.to_move else 5 - WIN
        assert position.library.terminal_score(position.state, 5) == wanted


def test_a_threat_is_what_the_enemy_could_do_after_a_pass() -> None:
    """The search extends where a queen hangs; the kernel lifts the turn without touching anything else."""
    threats = 0
    for game in NEAR_ENDS:
        position = HivePosition.from_game(game)
        if position.outcome() is not None:
            continue
        threatened = position.library.must_answer_threat(position.state)
        after = HivePosition.from_game(game)
        assert (position.state.side, position.state.rested) == (after.state.side, after.state.rested)
        position.state.side = 1 - position.state.side
        position.state.rested = -1
        assert threatened == has_win_for_side(position), game
        threats += threatened
    assert threats >= 3


def has_win_for_side(position: HivePosition) -> bool:
    """Like `wins`, for a position whose turn was changed by hand: only the kernels may play there."""
    library, state = position.library, position.state
    us = int(state.side)
    for number in position.legal_numbers():
        if (number >> MOVE_SHIFT) - 1 == (1 - us) * SIDE_TILES:
            continue
        library.apply(state, number)
        result = int(state.result)
        library.undo(state)
        if result == 1 + us:
            return True
    return False


def test_a_position_that_comes_again_is_a_draw() -> None:
    """Without it the engine shuffles a won game away, or walks into a threefold."""
    position = HivePosition.from_game(r"Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ;bA1 bQ-")
    back_and_forth = ["wA1 \\wQ", "bA1 bQ/", "wA1 -wQ", "bA1 bQ-"]
    for number, move in enumerate(back_and_forth, 1):
        position.copy_keys_to_state()
        assert position.library.terminal_score(position.state, 1) == NO_SCORE, number
        position.play(move)
    position.copy_keys_to_state()
    assert position.library.terminal_score(position.state, 1) == DRAW
