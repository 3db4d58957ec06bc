"""Wins by continuous threats: proven ones are won against every answer, and moves that allow one are not played."""

from __future__ import annotations

import random
from functools import cache
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
from tests.bots.gomoku.test_claims import scatter

WORDS = 1 << 16
BUDGET, LARGE_BUDGET = 2_000, 20_000
PLIES = 40  # of a proven win played out
# White wins by threes and fours after these moves of a game, by fours alone it does not; nor did it two moves before.
THREES = split_squares("j6f6f5f9h10e7h7c9d8e9d9") or []


@cache
def position_for(variant: str) -> GomokuPosition:
    """One for each variant, whose tables take a while to fill; other tests' ones hold nothing of a search."""
    return GomokuPosition(Setup(15, 15, variant))


def begin(setup: Setup) -> GomokuPosition:
    """An empty board."""
    position_for(setup.variant).restart(setup)
    return position_for(setup.variant)


def find_vct(position: GomokuPosition, budget: int, table: Any, plies: int = MAX_PLY) -> str:
    """The first move of a win by threats, or nothing."""
    state = position.state
    state.nodes = state.next_poll = state.aborted = state.deadline = state.node_limit = 0
    move = position.library.find_vct(state, table, plies, budget)
    return format_cell(move) if move else ""


def winning_move(position: GomokuPosition, table: Any) -> str:
    """A move of the side to move that wins at once or goes on with the threats; nothing where none is known."""
    if position.library.terminal_score(position.state, 0) > 0:
        position.library.prepare_root(position.state, 0)
        return format_cell(position.state.root_moves[0])
    return find_vct(position, LARGE_BUDGET, table)


def answers_of(position: GomokuPosition, chance: random.Random) -> list[str]:
    """Legal answers to a threat, those that the engine thinks of first, then the others in any order."""
    count = position.library.prepare_root(position.state, 0)
    thought = [format_cell(cell) for cell in position.state.root_moves[:count]]
    legal = position.legal_moves()
    others = [move for move in legal if move not in thought]
    return [move for move in thought if move in legal] + chance.sample(others, len(others))


def check_win(position: GomokuPosition, move: str, chance: random.Random, plies: int) -> None:
    """Play a win out against one answer after the other: all of the first move, then one by chance.

    Whatever is answered, the attacker must know how to go on.
    """
    attacker, table = position.to_move, new_array("u64", WORDS)
    position.play(move)
    if position.outcome() is None:
        answers = answers_of(position, chance)
        if plies < PLIES:
            answers = [chance.choice(answers[:4]), chance.choice(answers)]
        for answer in answers:
            position.play(answer)
            assert position.outcome() is None, (position.moves, "the attacker lost")
            follow_up = winning_move(position, table)
            assert follow_up, (position.moves, "the threats have run out")
            if chance.random() < 0.5 or plies < PLIES:
                check_win(position, follow_up, chance, plies - 2) if plies > 0 else None
            position.undo()
    else:
        assert position.outcome().winner == attacker  # type: ignore[union-attr]
    position.undo()


@pytest.mark.parametrize("variant", ["freestyle", "standard", "renju"])
@pytest.mark.parametrize("wins", [2, pytest.param(60, marks=pytest.mark.slow)])
def test_a_proven_win_is_won_against_every_answer(variant: str, wins: int) -> None:
    """An answer that the list of defences lacks, a four of the defender that comes first, or a forbidden point on which
    the attack ends would each refute a claim."""
    chance = random.Random(f"{variant} {wins}")
    found = 0
    while found < wins:
        position = begin(Setup(*(chance.choice((9, 12, 15)),) * 2, variant))
        if not scatter(chance, position) or position.library.terminal_score(position.state, 0) != NO_SCORE:
            continue
        if position.library.find_vcf_move(position.state, new_array("u64", WORDS), 30, BUDGET):
            continue
        move = find_vct(position, BUDGET, new_array("u64", WORDS))
        if move:
            check_win(position, move, chance, PLIES)
            found += 1


def test_none_is_claimed_where_a_four_has_several_answers() -> None:
    """In caro, whose fives need a free end."""
    for variant, claims in (("freestyle", True), ("caro", False)):
        position = begin(Setup(15, 15, variant))
        for move in THREES:
            position.play(move)
        assert bool(find_vct(position, LARGE_BUDGET, new_array("u64", WORDS))) == claims


def test_the_engine_plays_a_win_by_threats_at_once() -> None:
    """Without a distance, which proof numbers do not tell."""
    engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("threats", "threes")
    engine.set_option("hash", 4)  # a large table costs a busy machine more than the search
    engine.new_game(Setup(15, 15, "freestyle"))
    engine.set_position(THREES)
    decision = engine.choose(Limits(move_time_ms=20_000))
    assert decision.note == "continuous threats"
    assert decision.progress.result == "win"
    assert decision.progress.win_in is None


def test_moves_that_allow_a_win_are_dropped() -> None:
    """Each dropped one is followed by a win that is found again; without the pruning they would all be searched."""
    chance, dropped = random.Random(3), 0
    while dropped < 30:
        position = begin(Setup(15, 15, "freestyle"))
        if not scatter(chance, position) or position.library.terminal_score(position.state, 0) != NO_SCORE:
            continue
        state, library, table = position.state, position.library, new_array("u64", WORDS)
        before = set(state.root_moves[: library.prepare_root(state, 0)])
        told = library.drop_lost_moves(state, table, 20, BUDGET, BUDGET)
        kept = set(state.root_moves[: state.root_move_count])
        assert told == len(before) - len(kept)
        assert kept <= before
        for cell in sorted(before - kept)[:10]:
            position.play(format_cell(cell))
            assert winning_move(position, table)
            position.undo()
            dropped += 1


def test_a_line_that_is_cut_off_is_not_stored_as_disproven() -> None:
    """A search one move later, for which the same line has room, found no win any more."""
    position = begin(Setup(15, 15, "freestyle"))
    for move in THREES:
        position.play(move)
    found = find_vct(position, LARGE_BUDGET, new_array("u64", WORDS))
    assert found
    cut = 0
    for plies in range(2, 12):
        table = new_array("u64", WORDS)
        cut += not find_vct(position, LARGE_BUDGET, table, plies)
        assert find_vct(position, LARGE_BUDGET, table), plies
    assert cut > 3


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
    """It was told as if there were none, so that moves which allow it were not dropped."""
    position = begin(Setup(15, 15, "freestyle"))
    for move in split_squares(moves) or []:
        position.play(move)
    found = find_vct(position, BUDGET, new_array("u64", WORDS))
    assert found in wins if wins else not found
