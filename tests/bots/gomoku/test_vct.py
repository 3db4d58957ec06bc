"""The VCT search (victory by continuous threats: fours and open threes).

Proven wins are won against many answers, and root moves that allow the opponent a win are dropped.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.position import GomokuPosition, format_cell
from core.native.library import new_array
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.play.squares import split_squares
from core.search.kernels.game_kernels import MAX_PLY
from core.search.scores import NO_SCORE
from tests.bots.gomoku.boards import empty_position
from tests.bots.gomoku.test_claims import place_scattered_stones

TABLE_WORDS = 1 << 16  # 64-bit words of the transposition table
BUDGET, LARGE_BUDGET = 2_000, 20_000  # nodes of a search
MAX_PLAYED_PLIES = 40  # plies to which a proven win is played out
# After these moves of a game white has a VCT, but no VCF, and two moves earlier it had no VCT.
VCT_GAME = split_squares("j6f6f5f9h10e7h7c9d8e9d9") or []


def find_vct(position: GomokuPosition, budget: int, table: Any, plies: int = MAX_PLY) -> str:
    """Return the first move of a VCT, or ""."""
    state = position.state
    state.nodes = state.next_poll = state.aborted = state.deadline = state.node_limit = 0
    move = position.library.find_vct(state, table, plies, budget)
    return format_cell(move) if move else ""


def winning_move(position: GomokuPosition, table: Any) -> str:
    """Return a move that wins at once or continues the threats, or ""."""
    if position.library.terminal_score(position.state, 0) > 0:
        position.library.prepare_root(position.state, 0)
        return format_cell(position.state.root_moves[0])
    return find_vct(position, LARGE_BUDGET, table)


def answers_of(position: GomokuPosition, rng: random.Random) -> list[str]:
    """Return all legal moves after a threat: those of the move generator first, then the others in random order."""
    count = position.library.prepare_root(position.state, 0)
    generated = [format_cell(cell) for cell in position.state.root_moves[:count]]
    legal = position.legal_moves()
    others = [move for move in legal if move not in generated]
    return [move for move in generated if move in legal] + rng.sample(others, len(others))


def check_win(position: GomokuPosition, move: str, rng: random.Random, plies: int) -> None:
    """Play `move` of a win, and check that the attacker finds a winning move again after each answer.

    All answers to the first move are tried, two random ones later. Some lines are played on, for `plies` more plies.
    """
    attacker, table = position.to_move, new_array("u64", TABLE_WORDS)
    position.play(move)
    if position.outcome() is None:
        answers = answers_of(position, rng)
        if plies < MAX_PLAYED_PLIES:
            answers = [rng.choice(answers[:4]), rng.choice(answers)]
        for answer in answers:
            position.play(answer)
            assert position.outcome() is None, (position.moves, "the attacker lost")
            follow_up = winning_move(position, table)
            assert follow_up, (position.moves, "the threats have run out")
            if rng.random() < 0.5 or plies < MAX_PLAYED_PLIES:
                check_win(position, follow_up, rng, plies - 2) if plies > 0 else None
            position.undo()
    else:
        assert position.outcome().winner == attacker  # type: ignore[union-attr]
    position.undo()


@pytest.mark.parametrize("variant", ["freestyle", "standard", "renju"])
@pytest.mark.parametrize("win_count", [2, pytest.param(60, marks=pytest.mark.slow)])
def test_a_proven_win_continues_after_every_answer(variant: str, win_count: int) -> None:
    """A missing defence, a defender's own four or a forbidden cell would refute a claimed win."""
    rng = random.Random(f"{variant} {win_count}")
    checked_count = 0
    while checked_count < win_count:
        position = empty_position(Setup(*(rng.choice((9, 12, 15)),) * 2, variant))
        if not place_scattered_stones(rng, position) or position.library.terminal_score(position.state, 0) != NO_SCORE:
            continue
        if position.library.find_full_vcf(position.state, new_array("u64", TABLE_WORDS), 30, BUDGET):
            continue
        move = find_vct(position, BUDGET, new_array("u64", TABLE_WORDS))
        if move:
            check_win(position, move, rng, MAX_PLAYED_PLIES)
            checked_count += 1


def test_no_vct_is_claimed_under_caro() -> None:
    """Under caro a four has several answers, so the search is left out."""
    for variant, claims in (("freestyle", True), ("caro", False)):
        position = empty_position(Setup(15, 15, variant))
        for move in VCT_GAME:
            position.play(move)
        assert bool(find_vct(position, LARGE_BUDGET, new_array("u64", TABLE_WORDS))) == claims


def test_the_engine_plays_a_win_by_threats_at_once() -> None:
    """The win has no distance, because df-pn does not find the shortest."""
    engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("threats", "threes")
    engine.set_option("hash", 4)  # allocating a large table takes longer than the search
    engine.new_game(Setup(15, 15, "freestyle"))
    engine.set_position(VCT_GAME)
    decision = engine.choose(Limits(move_time_ms=20_000))
    assert decision.note == "continuous threats"
    assert decision.progress.result == "win"
    assert decision.progress.win_in is None


def test_moves_that_allow_a_win_are_dropped() -> None:
    """After up to ten of the dropped moves in each position, the opponent's win is found again."""
    rng, checked_count = random.Random(3), 0
    while checked_count < 30:
        position = empty_position(Setup(15, 15, "freestyle"))
        if not place_scattered_stones(rng, position) or position.library.terminal_score(position.state, 0) != NO_SCORE:
            continue
        state, library, table = position.state, position.library, new_array("u64", TABLE_WORDS)
        moves_before = set(state.root_moves[: library.prepare_root(state, 0)])
        dropped_count = library.drop_lost_moves(state, table, 20, BUDGET, BUDGET)
        kept = set(state.root_moves[: state.root_move_count])
        assert dropped_count == len(moves_before) - len(kept)
        assert kept <= moves_before
        for cell in sorted(moves_before - kept)[:10]:
            position.play(format_cell(cell))
            assert winning_move(position, table)
            position.undo()
            checked_count += 1


def test_cut_off_line_is_not_stored_as_disproven() -> None:
    """Regression: a search that cut a line off used to store a disproof, which hid the win from later searches."""
    position = empty_position(Setup(15, 15, "freestyle"))
    for move in VCT_GAME:
        position.play(move)
    found = find_vct(position, LARGE_BUDGET, new_array("u64", TABLE_WORDS))
    assert found
    cut_off_count = 0
    for plies in range(2, 12):
        table = new_array("u64", TABLE_WORDS)
        cut_off_count += not find_vct(position, LARGE_BUDGET, table, plies)
        assert find_vct(position, LARGE_BUDGET, table), plies
    assert cut_off_count > 3


@pytest.mark.parametrize(
    ("moves", "wins"),
    [
        ("h8a1i8a3j8a5k8a7", {"g8", "l8"}),  # a five
        ("h8a1i8a3j8a5", {"g8", "k8"}),  # an open four
        ("h8a1i8a2j8a3k8a4", {"g8", "l8"}),  # a five before the opponent's
        ("h8a1i8a2j8a3a4", set()),  # the opponent to move has no threat
    ],
)
def test_a_win_that_needs_no_search_is_found(moves: str, wins: set[str]) -> None:
    """Regression: such a win used to be reported as no win, so root moves that allow it were not dropped."""
    position = empty_position(Setup(15, 15, "freestyle"))
    for move in split_squares(moves) or []:
        position.play(move)
    found = find_vct(position, BUDGET, new_array("u64", TABLE_WORDS))
    assert found in wins if wins else not found
