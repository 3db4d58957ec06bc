"""Wins and losses that the engine claims, in searches and statically, are proven with independent rules.

A claim is a number of plies within which the side to move wins (> 0) or loses (< 0); a claimed distance is exact
(tests/claims.py). A `Prover` verifies it by full-width search with the rules of bit_rules.py.
"""

from __future__ import annotations

import itertools
import random
from functools import cache, partial

import pytest

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.position import GomokuPosition, format_cell
from core.native.library import new_array
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.play.squares import format_square, parse_square, split_squares
from core.search.scores import NO_SCORE, win_distance
from tests.bots.gomoku.bit_rules import BitGomoku, OnlyFours, bits_of
from tests.bots.gomoku.naive import five_points, foul
from tests.claims import Prover, Tally, claims_of, note_claims, note_distances

VARIANTS = ("freestyle", "standard", "renju", "caro", "caro-overline", "rule-5", "rule-12", "rule-13")
SIZES = ((15, 15), (15, 15), (12, 9), (9, 9), (8, 7), (7, 7), (6, 6), (5, 6), (5, 5))
VCF_PLIES, VCF_NODES = 60, 20_000  # limits of the VCF search (victory by continuous fours)
QUIET_PLIES = 7  # claims up to this length are proven with all moves, longer ones by fours only


def random_setup(rng: random.Random, variant: str) -> Setup:
    width, height = rng.choice(SIZES)
    return Setup(width, height, variant) if rng.random() < 0.5 else Setup(height, width, variant)


@cache
def engine_for(_variant: str) -> GomokuEngine:
    """Return the engine of a variant, which is cached because its pattern tables take long to fill."""
    engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", 1)
    return engine


def place_scattered_stones(rng: random.Random, position: GomokuPosition) -> bool:
    """Place stones near each other, black and white in turn, except on forbidden cells.

    Return False if the game is over then.
    """
    setup = position.setup
    cells = [(x, y) for y in range(setup.height) for x in range(setup.width)]
    stone_count = rng.randint(min(8, len(cells) // 3), min(len(cells) - 2, 34))
    chosen = [rng.choice(cells)]
    while len(chosen) <= stone_count:
        x, y = rng.choice(chosen)
        point = x + rng.randint(-2, 2), y + rng.randint(-2, 2)
        if point in cells and point not in chosen:
            chosen.append(point)
    for x, y in chosen[:stone_count]:
        square = format_square(x, y)
        if position.state.winner:
            return False
        if not position.library.is_legal(position.state, position.parse(square)):
            continue
        position.place(square)
    return position.outcome() is None


def is_claim_true(position: GomokuPosition, max_nodes: int, plies: int) -> bool | None:
    """Return True if a claim is proven, False if it is refuted, None if it is too long for either.

    The winning side first tries fours only. For claims up to QUIET_PLIES it then tries all moves.
    """
    proven_by_fours = Prover(OnlyFours(position), max_nodes).holds(plies)
    if proven_by_fours or abs(plies) > QUIET_PLIES:
        return proven_by_fours or None
    return Prover(BitGomoku(position), max_nodes).holds(plies)


def static_claims(position: GomokuPosition) -> set[int]:
    """Return the claims that are made statically, and by the VCF search alone."""
    library, state = position.library, position.state
    library.prepare_root(state, 0)
    score = int(library.static_score(state, 0))
    length = int(library.find_full_vcf(state, new_array("u64", 1 << 12), VCF_PLIES, VCF_NODES))
    known = None if score == NO_SCORE else win_distance(score)
    return {plies for plies in (known, length) if plies}


def check_claims(rng: random.Random, position_count: int, depth: int, max_nodes: int) -> Tally:
    """Check the claims in many positions; all positions of a variant use one engine and its transposition table."""
    tally = Tally()
    while tally.positions < position_count:
        variant = rng.choice(VARIANTS)
        engine = engine_for(variant)
        engine.new_game(random_setup(rng, variant))
        position = engine.position
        if not place_scattered_stones(rng, position):
            continue
        claims = static_claims(position)
        limits = [Limits(depth=depth), Limits(nodes=rng.choice([30, 300, 3000])), Limits(move_time_ms=10)]
        _, bounds, distances = claims_of(engine, rng.choice(limits))
        text = f"{position.setup} {''.join(position.moves)}\n{position.board()}"
        note_claims(tally, claims | bounds, partial(is_claim_true, position, max_nodes), text)
        note_distances(tally, distances, partial(is_claim_true, position, max_nodes), text)
    return tally


def test_bit_rules_agree_with_naive_rules() -> None:
    """Fives and fouls are compared in random positions; fouls only where they do not come from the kernels."""
    rng = random.Random(1)
    for number in range(80):
        variant = VARIANTS[number % len(VARIANTS)]
        position = engine_for(variant).position
        position.restart(random_setup(rng, variant))
        if not place_scattered_stones(rng, position):
            continue
        rules = BitGomoku(position)
        board = rules.naive_board()
        for colour in range(2):
            fives = {rules.point(cell) for cell in bits_of(rules.fives(colour))}
            assert fives == set(five_points(board, colour))
        for point in board.points():
            cell = point[1] * rules.stride + point[0]
            if board.is_empty(point) and not rules.uses_kernel_fouls:
                assert rules.is_foul(cell) == (foul(board, position.to_move, point) is not None)


@pytest.mark.parametrize(
    ("rule", "size", "moves", "square"),
    [
        (13, (15, 15), "g15f13d13e13f12d15h13j13i15i11i14k11g9i13g11k15m13e11f14h11i12h14h10f10j10c14", "k10"),
        (12, (9, 12), "g6i5i7e6g5h3f5g3i4h7g9d4f8h1h6h4f3e8e4c7", "d5"),
    ],
)
def test_renju_with_caro_uses_the_kernels_fouls(rule: int, size: tuple[int, int], moves: str, square: str) -> None:
    """Here naive rules and kernels differ. `is_foul` must follow the kernels, or true claims would seem false."""
    setup = Setup(*size, f"rule-{rule}")
    position = engine_for(setup.variant).position
    position.restart(setup)
    for move in split_squares(moves) or []:
        position.place(move)
    rules, forbidden = BitGomoku(position), position.forbidden()
    point = parse_square(square)
    assert point is not None
    assert (foul(rules.naive_board(), position.to_move, point) is None) == (square in forbidden)
    assert rules.is_foul(point[1] * rules.stride + point[0]) == (square in forbidden)


def test_claimed_results_are_true() -> None:
    """No claim is refuted. A few are too long to be proven within `max_nodes`; they are counted in `open`."""
    tally = check_claims(random.Random(1), position_count=150, depth=4, max_nodes=600)
    assert not tally.false
    assert tally.proven.total() > 5 * tally.open.total()
    assert len(tally.proven) > 5
    assert tally.proven_distances == {"distance 1", "distance 3", "distance -2", "distance -4"}


@pytest.mark.slow
def test_many_claimed_results_are_true() -> None:
    tally = check_claims(random.Random(2), position_count=8_000, depth=5, max_nodes=5_000)
    print(tally)
    assert not tally.false


def fill_all_but_few(rng: random.Random, position: GomokuPosition) -> bool:
    """Place any stones, legal or not, on all but a few cells; return False if the game is over then."""
    cells = [format_square(x, y) for x in range(position.setup.width) for y in range(position.setup.height)]
    for square in rng.sample(cells, len(cells) - rng.randint(1, 7)):
        position.place(square)
        if position.state.winner:
            return False
    return position.outcome() is None


def check_late_claims(rng: random.Random, position_count: int) -> Tally:
    """Check claims on nearly full boards, where the whole game tree can be searched."""
    tally = Tally()
    while tally.positions < position_count:
        variant = rng.choice((*VARIANTS, "renju", "rule-12"))
        engine = engine_for(variant)
        engine.new_game(Setup(*rng.choice([(5, 5), (6, 5), (6, 6), (7, 6), (8, 8)]), variant))
        if fill_all_but_few(rng, engine.position):
            claims = static_claims(engine.position)
            _, bounds, distances = claims_of(engine, rng.choice([Limits(depth=8), Limits(move_time_ms=10)]))
            prover = Prover(BitGomoku(engine.position), 100_000)
            text = f"{engine.position.setup} {''.join(engine.position.moves)}"
            note_claims(tally, claims | bounds, prover.holds, text)
            note_distances(tally, distances, prover.holds, text)
    return tally


def test_claims_on_nearly_full_boards_are_true() -> None:
    tally = check_late_claims(random.Random(1), 600)
    assert not tally.false
    assert not tally.open
    assert tally.proven.total() > 100


@pytest.mark.slow
def test_many_claims_on_nearly_full_boards_are_true() -> None:
    tally = check_late_claims(random.Random(2), 40_000)
    print(tally)
    assert not tally.false


def test_vcf_length_is_not_claimed_as_the_shortest_win() -> None:
    """Black has a VCF in 9 plies; the VCF search finds one of 11."""
    player = engine_for("renju")
    player.new_game(Setup(15, 15, "renju"))
    player.set_position(split_squares("o10n11o9m9l11m12o7l9k11m5l7n12k7o6n6k5i8l6m8j7n10l12j9k13l5l8h10m6") or [])
    player.clear_hash()
    decision, bounds, distances = claims_of(player, Limits(move_time_ms=2000))
    assert (decision.note, decision.progress.result) == ("continuous fours", "win")
    assert Prover(OnlyFours(player.position), 100_000).holds(min(bounds) - 2)
    assert distances == set()


def test_a_side_without_a_legal_move_draws() -> None:
    """White has a double four, but both cells are overlines for black, so black cannot move."""
    player = engine_for("renju")
    player.new_game(Setup(6, 6, "renju"))
    player.set_position(split_squares("c2b5d4e6d1b3f1b2e4c3c1d5f4e3e5e2a1a6c5a3b1f5c6f2a4d6d2f3b6f6d3a5b4") or [])
    assert not Prover(BitGomoku(player.position), 1000).holds(3)
    assert static_claims(player.position) == set()
    assert claims_of(player, Limits(depth=8)).bounds == set()


@pytest.mark.parametrize(
    ("moves", "four"),
    [("g6a4f9d6b8e5h8f5g9f8h7d7f7i7g10c8i10b4", "g8"), ("e7i6g6d2c6f3d6j6h8g4e8c4g3g5h2l4g7f7", "e5")],
)
def test_fours_with_unreal_double_threes_answer_a_three(moves: str, four: str) -> None:
    """Regression: these fours used to be left out of the answers to a three, so the search claimed losses wrongly."""
    player = engine_for("renju")
    player.new_game(Setup(15, 15, "renju"))
    player.set_position(split_squares(moves) or [])
    state = player.position.state
    player.position.library.prepare_root(state, 0)
    assert state.forced[0] == 1
    assert four in {format_cell(cell) for cell in state.root_moves[: state.root_move_count]}


def check_answers(rng: random.Random, position_count: int) -> int:
    """Check that the moves that the generator leaves out, if a threat must be answered, lose within three plies.

    Return how many moves were checked.
    """
    left_out_count = 0
    while position_count:
        variant = rng.choice(VARIANTS)
        position = engine_for(variant).position
        position.restart(random_setup(rng, variant))
        state = position.state
        if (
            not place_scattered_stones(rng, position)
            or position.library.prepare_root(state, 0) < 1
            or not state.forced[0]
        ):
            continue
        position_count -= 1
        rules = BitGomoku(position)
        listed = {rules.cell_of_kernel_cell(cell) for cell in state.root_moves[: state.root_move_count]}
        prover = Prover(rules, 3_000)
        for reply in set(rules.replies()) - listed:
            left_out_count += 1
            rules.play(reply)
            assert prover.holds(3), f"{rules.point(reply)} of {position.setup} {position.moves}"
            rules.undo()
    return left_out_count


def test_answers_left_out_lose_at_once() -> None:
    assert check_answers(random.Random(1), 40) > 300


def test_moves_left_out_against_a_four_with_a_three_lose() -> None:
    """Those lose to a VCF within five plies, also if the answer to the four could make a four with their help."""
    rng, position_count, left_out_count = random.Random(1), 0, 0
    while position_count < 30:
        variant = rng.choice(("freestyle", "standard"))
        position = engine_for(variant).position
        position.restart(random_setup(rng, variant))
        state, library = position.state, position.library
        if not place_scattered_stones(rng, position) or library.static_score(state, 0) != NO_SCORE:
            continue
        library.prepare_root(state, 0)
        listed = {format_cell(cell) for cell in state.moves[1][: library.generate(state, 1)]}
        left_out = near_stones(position) - listed
        if state.forced[1] or not left_out:
            continue
        position_count += 1
        for square in left_out:
            left_out_count += 1
            position.place(square)
            assert Prover(OnlyFours(position), 3_000).holds(5), f"{square} of {position.setup} {position.moves}"
            position.undo()
    assert left_out_count > 500


def near_stones(position: GomokuPosition) -> set[str]:
    """Return the empty squares at most two columns and rows from a stone."""
    points = {point for point in map(parse_square, position.moves) if point}
    offsets = list(itertools.product(range(-2, 3), repeat=2))
    near = {(x + dx, y + dy) for x, y in points for dx, dy in offsets}
    return {
        format_square(x, y)
        for x, y in near - points
        if 0 <= x < position.setup.width and 0 <= y < position.setup.height
    }
