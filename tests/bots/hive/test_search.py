"""The kernels that Hive supplies to the alpha-beta search, against the rules played out in Python."""

from __future__ import annotations

import pytest

from bots.hive.position import HivePosition
from bots.hive.tiles import MOVE_SHIFT, SIDE_TILES
from core.search.scores import DRAW, NO_SCORE, WIN
from tests.bots.hive.real_games import MIDGAMES, REAL_GAMES, WON_GAMES, WON_IN_ONE, truncate_game
from tests.bots.playing import winner_of

# Positions 1, 2, 3, 4 and 6 plies before the end of each real game.
NEAR_END_POSITIONS = [truncate_game(game, -plies) for game in REAL_GAMES for plies in (1, 2, 3, 4, 6)]
# White wins by throwing the black queen into a hole, `bQ wP\`, which `terminal_score` does not look for.
THROWN_QUEEN = (
    "Base+MLP;;;"
    r"wG1;bG1 -wG1;wL wG1/;bG2 \bG1;wG2 wL/;bM -bG2;wQ wG2\;bQ bG2/;wP \wG2;bG3 bM\;wS1 wQ-;bL /bM;wS1 wG1\;"
    r"bP /bL;wP -wG2;bM -bQ;wL \bQ;bS1 -bM;wG3 wL/;bS2 -bS1;wM wS1-;bB1 /bS2;wA1 wS1\;bB2 bS1\;wM wA1-;bM bG2;"
    r"wA2 wM-;bA1 -bB1;wA2 -bS2;bA1 \bS1;wM bA1/;bG3 wG3\;wB1 wA1-;bB1 /wA2;wL wP\;bM bG1;wL /wQ;bA2 -bQ;wA3 wQ\;"
    r"bA2 wB1\;wA3 bM\;bA3 /bB1;wS2 \wG3;bA3 bS2\;wS2 \wG2;bA3 wG2/;wA3 -wG3;bP -bL;wG3 -wM;bA2 wQ\;wS2 bQ\;"
    "bA2 wB1-"
)


def has_winning_move(position: HivePosition) -> bool:
    """Return whether a move of a tile other than the enemy queen surrounds that queen and not the own one."""
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


@pytest.mark.parametrize("games", [NEAR_END_POSITIONS, MIDGAMES], ids=["ends", "midgames"])
def test_wins_in_one_are_scored_without_search(games: list[str]) -> None:
    """The search relies on `terminal_score(state, ply)` at every node; a false win would lose games."""
    for game in games:
        position = HivePosition.from_game(game)
        if position.outcome() is None:
            ply = 3  # distance from the root; a win after the next move scores WIN - (ply + 1)
            expected = WIN - ply - 1 if has_winning_move(position) else NO_SCORE
            assert position.library.terminal_score(position.state, ply) == expected, game


def test_most_real_wins_are_seen_one_move_ahead() -> None:
    positions = [HivePosition.from_game(game) for game in WON_IN_ONE]
    seen_count = sum(position.library.terminal_score(position.state, 0) == WIN - 1 for position in positions)
    assert seen_count >= len(positions) - 2


def test_finished_games_are_scored() -> None:
    for game in WON_GAMES:
        position = HivePosition.from_game(game)
        expected = WIN - 5 if winner_of(position) == position.to_move else 5 - WIN
        assert position.library.terminal_score(position.state, 5) == expected


def test_a_threat_is_a_win_of_the_enemy_after_a_pass() -> None:
    """The kernel changes the side to move for this, and must restore the state."""
    threats = 0
    for game in NEAR_END_POSITIONS:
        position = HivePosition.from_game(game)
        if position.outcome() is not None:
            continue
        threatened = position.library.must_answer_threat(position.state)
        reloaded = HivePosition.from_game(game)
        assert (position.state.side, position.state.last_moved) == (reloaded.state.side, reloaded.state.last_moved)
        position.state.side = 1 - position.state.side
        position.state.last_moved = -1
        assert threatened == has_winning_move_after_pass(position), game
        threats += threatened
    assert threats >= 3


def has_winning_move_after_pass(position: HivePosition) -> bool:
    """Return `has_winning_move` for a position whose side to move was changed by hand.

    Only the kernels accept such a position.
    """
    library, state = position.library, position.state
    us = int(state.side)
    for code in position.legal_numbers():
        if (code >> MOVE_SHIFT) - 1 == (1 - us) * SIDE_TILES:
            continue
        library.apply(state, code)
        result = int(state.result)
        library.undo(state)
        if result == 1 + us:
            return True
    return False


def test_a_repeated_position_is_a_draw() -> None:
    """With another score, the engine would repeat moves in won games."""
    position = HivePosition.from_game(r"Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ;bA1 bQ-")
    back_and_forth = ["wA1 \\wQ", "bA1 bQ/", "wA1 -wQ", "bA1 bQ-"]
    for number, move in enumerate(back_and_forth, 1):
        position.copy_keys_to_state()
        assert position.library.terminal_score(position.state, 1) == NO_SCORE, number
        position.play(move)
    position.copy_keys_to_state()
    assert position.library.terminal_score(position.state, 1) == DRAW
    # At even plies the side to move is that of the root, for which a draw is worse
    position.state.contempt = 30
    assert [position.library.terminal_score(position.state, ply) for ply in (1, 2)] == [DRAW + 30, DRAW - 30]


def result_with_best_reply(position: HivePosition, move: str) -> int:
    """Return `immediate_result` of a move by playing it and all replies."""
    us = position.to_move
    position.play(move)
    outcome = position.outcome()
    winners = [outcome.winner] if outcome is not None else []
    for reply in position.legal_moves():
        position.play(reply)
        outcome = position.outcome()
        winners += [outcome.winner] if outcome is not None and outcome.winner == 1 - us else []
        position.undo()
    position.undo()
    return 1 if us in winners else -1 if 1 - us in winners else 0


def test_immediate_results_agree_with_all_replies() -> None:
    games = [truncate_game(game, -plies) for game in WON_GAMES[:6] for plies in (1, 2, 3)]
    games += [THROWN_QUEEN, truncate_game(THROWN_QUEEN, -1)]
    results: list[int] = []
    for game in games:
        position = HivePosition.from_game(game)
        for code, move in zip(position.legal_numbers(), position.legal_moves(), strict=True):
            results.append(position.library.immediate_result(position.state, code))
            assert results[-1] == result_with_best_reply(position, move), (game, move)
    assert set(results) == {-1, 0, 1}
