"""The search skeleton against plain minimax, in each game that makes its search of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any

import pytest

from bots.gomoku.position import format_cell
from bots.hive.position import HivePosition
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.solver.perfect import open_solved_table
from bots.kolibrat.weights import set_weights
from bots.pentago.position import PentagoPosition
from bots.pentago.solver import prove
from core.native.kernel import KernelSet
from core.native.library import new_array
from core.native.state_type import StateType
from core.play.player import Limits, ignore_progress
from core.search.iterative_deepening import IterativeDeepening
from core.search.kernels.alphabeta import make_alphabeta
from core.search.kernels.game_kernels import GameKernels, alphabeta_fields
from core.search.kernels.pruning import SearchParameters
from core.search.scores import INFINITE, MAX_EVALUATION, NO_SCORE, WIN, win_distance
from core.search.table_size import BUCKET_WORDS
from core.search.time_budget import TimeBudget
from tests.bots.gomoku.test_threats import VCF_CASES, find_vcf_length, position_after
from tests.bots.hive.real_games import WON_GAMES, truncate_game
from tests.core.search.kernels.minimax import ENDS, PHASES, Boards, Minimax, kolibrat_setups, positions_of

DEPTHS = range(1, 5)
SMALL, LARGE = BUCKET_WORDS, 1 << 14  # tables that forget nearly everything, and nothing
MOST_NODES = 5_000  # of a minimax; deeper ones are left to the larger sample
SLOW_NODES = 400_000
PROVING_DEPTHS = (8, 10)
REDUCED = Boards("kolibrat", kolibrat_setups("4x5-6-3", "5x6-8-3"), (4, 7, 10, 13, 16, 19))
ILL_TEMPO = (3, 2, 4, 7, 3, 1, 20, -100, 3, 9, 4)


def search_root(position: Any, depth: int, table: Any, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """The skeleton's value of a position, nothing pruned or reduced."""
    library, state = position.library, position.state
    state.full_width = 1
    library.prepare_root(state, 0)
    score = int(library.search_root(state, table, depth, alpha, beta, 0))
    state.full_width = 0
    return score


def fresh(words: int = LARGE) -> Any:
    """A table that knows nothing."""
    return new_array("u64", words)


def depths_within(minimax: Minimax, most_nodes: int) -> Iterator[tuple[int, dict[int, int]]]:
    """Depths with the values of the root moves, as long as there are not too many nodes."""
    nodes = 1
    for depth in DEPTHS:
        if nodes * len(minimax.moves()) > most_nodes:
            return
        yield depth, minimax.root(depth)
        nodes = minimax.nodes


def check_windows(position: Any, depth: int, value: int) -> None:
    """Fail-soft: outside the window a result is a bound of the value, inside it is the value.

    The table keeps what was found, so that a bound of the wrong kind misleads a window nearer to the value.
    """
    table = fresh()
    distances = [1 << bit for bit in range(11, -1, -1)]
    nulls = [(value + distance, 1) for distance in (*distances, 0)] + [(value - distance, 1) for distance in distances]
    for alpha, width in (*nulls, (value - 1, 2), (value - 30, 60), (value + 7, 80)):
        score = search_root(position, depth, table, alpha, alpha + width)
        if score <= alpha:
            assert value <= score
        elif score >= alpha + width:
            assert value >= score
        else:
            assert score == value


@pytest.mark.parametrize("game", sorted(PHASES))
@pytest.mark.parametrize(
    ("rounds", "most_nodes"), [(2, MOST_NODES), pytest.param(20, SLOW_NODES, marks=pytest.mark.slow)]
)
def test_a_search_of_full_width_is_minimax(game: str, rounds: int, most_nodes: int) -> None:
    """What windows, tables, re-searches and the order of moves must never change."""
    seen = Counter[int]()
    for position in positions_of(PHASES[game], rounds, most_nodes):
        for depth, values in depths_within(Minimax(position), most_nodes):
            best = max(values.values())
            for words in (SMALL, LARGE):
                assert search_root(position, depth, fresh(words)) == best, (position.setup, position.moves, depth)
                assert values[position.state.root_moves[0]] == best
            check_windows(position, depth, best)
            seen[depth] += 1
    assert all(seen[depth] for depth in DEPTHS), seen


def ends(game: str, rounds: int) -> Iterator[tuple[Any, int | None]]:
    """Positions in which an end may be seen, and who wins them (1 or -1 for the side to move) where it is recorded."""
    if game == "gomoku":
        yield from fours()
    elif game == "hive":  # of real games, for one by random moves may never end
        for position in map(
            HivePosition.from_game, (truncate_game(line, -plies) for line in WON_GAMES for plies in (2, 3))
        ):
            position.copy_keys_to_state()
            yield position, None
    else:
        for position in positions_of(ENDS[game], rounds, "ends"):
            yield position, None


def fours() -> Iterator[tuple[Any, int]]:
    """Wins by continuous fours that brute force has found, and the loss after the first of them."""
    for variant, moves, count in VCF_CASES:
        position = position_after(variant, moves)
        if count != "-" and position.library.terminal_score(position.state, 0) == NO_SCORE:
            yield position, 1
            assert find_vcf_length(position)
            position.play(format_cell(position.state.vcf_line[0]))
            yield position, -1


def true_result(position: Any, claimed: int) -> int:
    """Who wins: by the solver, from the table of a solved board, or by full width to the claimed end."""
    if isinstance(position, PentagoPosition):
        proof = prove(position.library, position.state, position.legal_numbers(), 0)
        assert proof
        return proof.value
    if isinstance(position, KolibratPosition):
        table = open_solved_table(position.board_spec, position.library, position.state)
        assert table
        return sign(table.value(position.state) * WIN)
    return sign(search_root(position, abs(win_distance(claimed) or 0), fresh()))


def search_all(position: Any, depth: int) -> int:
    """The score that the whole search comes to, with all that it has."""
    search = IterativeDeepening(
        position.library, position.state, fresh(), lambda line: [str(move) for move in line], list
    )
    return search.run(Limits(depth=depth), TimeBudget(None, None), (), ignore_progress).progress.score


def sign(score: int) -> int:
    """1 or -1 where a score is proven, else 0."""
    return (score > MAX_EVALUATION) - (score < -MAX_EVALUATION)


def proven_by_minimax(position: Any) -> int:
    """1 or -1 where some depth proves a win or a loss, else 0."""
    results = (sign(max(values.values())) for _, values in depths_within(Minimax(position), MOST_NODES))
    return next(filter(None, results), 0)


@pytest.mark.parametrize("game", sorted(PHASES))
@pytest.mark.parametrize("rounds", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_what_minimax_proves_the_whole_search_proves(game: str, rounds: int) -> None:
    """Pruned and reduced it may need more depth, but misses no end, and takes no loss for a win.

    What brute force knows of fours stands in for minimax, which answers to threats keep too long.
    """
    proven = Counter[int]()
    for position, known in ends(game, rounds):
        if result := proven_by_minimax(position) if known is None else known:
            found = (sign(search_all(position, depth)) for depth in PROVING_DEPTHS)
            assert next(filter(None, found), 0) == result, (position.setup, position.moves)
            proven[result] += 1
    assert min(proven[1], proven[-1]) > 0


@pytest.mark.parametrize("game", sorted(PHASES))
@pytest.mark.parametrize("rounds", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_what_the_whole_search_proves_is_true(game: str, rounds: int) -> None:
    """No bound is taken for a value, and no end comes out of the table for another one."""
    proven = Counter[int]()
    for position, known in ends(game, rounds):
        score = search_all(position, 6)
        if result := sign(score):
            assert result == (true_result(position, score) if known is None else known)
            proven[result] += 1
    assert min(proven[1], proven[-1]) > 0


def answers(position: Any) -> Iterator[int]:
    """The number of the other side's answers to each move; none where a side moves twice running."""
    library, state, minimax = position.library, position.state, Minimax(position)
    for move in minimax.moves():
        side = state.side
        library.apply(state, move)
        yield len(minimax.moves()) if state.side != side else 0
        library.undo(state)


@pytest.mark.parametrize("rounds", [4, pytest.param(60, marks=pytest.mark.slow)])
def test_a_reduced_move_that_seems_to_refute_is_searched_again(rounds: int) -> None:
    """To three plies only answers are reduced, and by weights that punish having the move each looks like a refutation.

    Such small weights also keep Kolibrat's search from pruning, and with few moves none is left out for being late.
    """
    compared = 0
    for position in positions_of(REDUCED, rounds, "reduced"):
        set_weights(position.state, ILL_TEMPO)
        counts = list(answers(position))
        if min(counts) > 1 and len(counts) < 16 and max(counts) > 6:
            position.library.prepare_root(position.state, 0)
            score = position.library.search_root(position.state, fresh(), 3, -INFINITE, INFINITE, 0)
            assert score == max(Minimax(position).root(3).values()), position.moves
            compared += 1
    assert compared > 5


def test_a_state_without_a_field_of_the_search_is_refused() -> None:
    """Numba would report the missing field in pages of its own inner names."""
    state_fields = [field for field in alphabeta_fields(4, 4) if field.name != "killers"]
    required = (field.name for field in fields(GameKernels) if field.default is MISSING)
    game, parameters = GameKernels(**dict.fromkeys(required)), SearchParameters(1, 1, 1, 1, 1, 2.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^state Toy lacks killers, side, which the search needs$"):
        make_alphabeta(KernelSet("toy", (StateType("Toy", tuple(state_fields)),)), "Toy", game, parameters)
