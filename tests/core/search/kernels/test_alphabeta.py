"""The alpha-beta search against plain minimax, in each game that uses it."""

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
from core.search.kernels.pruning import CompiledParameters
from core.search.scores import INFINITE, MAX_EVALUATION, NO_SCORE, WIN, win_distance
from core.search.table_size import BUCKET_WORDS
from core.search.time_budget import TimeBudget
from tests.bots.gomoku.boards import position_after
from tests.bots.gomoku.test_threats import VCF_CASES, find_vcf_length
from tests.bots.hive.real_games import WON_GAMES, truncate_game
from tests.core.search.kernels.minimax import NEAR_ENDS, PHASES, Boards, Minimax, kolibrat_setups, positions_of

DEPTHS = range(1, 5)
SMALL, LARGE = BUCKET_WORDS, 1 << 14  # words of a table that loses nearly all entries, and of one that loses none
MAX_NODES = 5_000  # of one minimax search
SLOW_MAX_NODES = 400_000  # of one minimax search in the slow tests
PROVING_DEPTHS = (8, 10)  # at one of them the pruned search must find each proof
REDUCED = Boards("kolibrat", kolibrat_setups("4x5-6-3", "5x6-8-3"), (4, 7, 10, 13, 16, 19))  # for move reductions
# Late move pruning of all moves but the first at every null-window node, unless the first one loses
NARROW = {"lmp_base": 1, "lmp_factor": 0, "lmp_max_depth": 63, "lmp_threat_base": 1, "lmp_threat_max_depth": 63}
BAD_TEMPO = (3, 2, 4, 7, 3, 1, 20, -100, 3, 9, 4)  # weights of Kolibrat's evaluation; -100 for being on move


def search_root(position: Any, depth: int, table: Any, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """Return the score of a full-width search, without pruning and reductions."""
    library, state = position.library, position.state
    state.full_width = 1
    library.prepare_root(state, 0)
    score = int(library.search_root(state, table, depth, alpha, beta, 0))
    state.full_width = 0
    return score


def new_table(words: int = LARGE) -> Any:
    """Return an empty transposition table."""
    return new_array("u64", words)


def depths_within(minimax: Minimax, max_nodes: int) -> Iterator[tuple[int, dict[int, int]]]:
    """Yield depths with the values of the root moves, while minimax takes no more than about `max_nodes`."""
    nodes = 1
    for depth in DEPTHS:
        if nodes * len(minimax.moves()) > max_nodes:
            return
        yield depth, minimax.root_values(depth)
        nodes = minimax.nodes


def check_windows(position: Any, depth: int, value: int) -> None:
    """Check that search scores are fail-soft: outside the window a bound of `value`, inside it `value` itself.

    `value` is that of minimax. All windows share one table, so that a wrong bound in the table makes a later one fail.
    """
    table = new_table()
    distances = [1 << bit for bit in range(11, -1, -1)]
    null_windows = [(value + distance, 1) for distance in (*distances, 0)] + [
        (value - distance, 1) for distance in distances
    ]
    for alpha, width in (*null_windows, (value - 1, 2), (value - 30, 60), (value + 7, 80)):  # beta = alpha + width
        score = search_root(position, depth, table, alpha, alpha + width)
        if score <= alpha:
            assert value <= score
        elif score >= alpha + width:
            assert value >= score
        else:
            assert score == value


@pytest.mark.parametrize("game", sorted(PHASES))
@pytest.mark.parametrize(
    ("rounds", "max_nodes"), [(2, MAX_NODES), pytest.param(20, SLOW_MAX_NODES, marks=pytest.mark.slow)]
)
def test_a_full_width_search_equals_minimax(game: str, rounds: int, max_nodes: int) -> None:
    """Windows, transposition table, re-searches and move ordering never change the value."""
    compared = Counter[int]()  # number of positions by depth
    for position in positions_of(PHASES[game], rounds, max_nodes):
        for depth, values in depths_within(Minimax(position), max_nodes):
            best = max(values.values())
            for words in (SMALL, LARGE):
                assert search_root(position, depth, new_table(words)) == best, (position.setup, position.moves, depth)
                assert values[position.state.root_moves[0]] == best
            check_windows(position, depth, best)
            compared[depth] += 1
    assert all(compared[depth] for depth in DEPTHS), compared


def positions_near_the_end(game: str, rounds: int) -> Iterator[tuple[Any, int | None]]:
    """Yield positions near the end of a game, with the known result for the side to move (1 or -1) or None."""
    if game == "gomoku":
        yield from wins_by_fours()
    elif game == "hive":  # from real games, since random games may never end
        for position in map(
            HivePosition.from_game, (truncate_game(line, -plies) for line in WON_GAMES for plies in (2, 3))
        ):
            position.copy_keys_to_state()
            yield position, None
    else:
        for position in positions_of(NEAR_ENDS[game], rounds, "ends"):
            yield position, None


def wins_by_fours() -> Iterator[tuple[Any, int]]:
    """Yield positions won by continuous fours (VCF_CASES), and the lost positions after the first four."""
    for variant, moves, count in VCF_CASES:
        position = position_after(variant, moves)
        if count != "-" and position.library.terminal_score(position.state, 0) == NO_SCORE:
            yield position, 1
            assert find_vcf_length(position)
            position.play(format_cell(position.state.vcf_line[0]))
            yield position, -1


def true_result(position: Any, claimed: int) -> int:
    """Return the result: by the game's solver, a solved table, or a full-width search to the end that is claimed."""
    if isinstance(position, PentagoPosition):
        proof = prove(position.library, position.state, position.legal_numbers(), 0)
        assert proof
        return proof.value
    if isinstance(position, KolibratPosition):
        table = open_solved_table(position.board_spec, position.library, position.state)
        assert table
        return sign(table.value(position.state) * WIN)
    return sign(search_root(position, abs(win_distance(claimed) or 0), new_table()))


def search_pruned(position: Any, depth: int) -> int:
    """Return the score of iterative deepening with all pruning and reductions."""
    search = IterativeDeepening(
        position.library, position.state, new_table(), lambda line: [str(move) for move in line], list
    )
    return search.run(Limits(depth=depth), TimeBudget(None, None), (), ignore_progress).progress.score


def sign(score: int) -> int:
    """Return 1 for a proven win, -1 for a proven loss, else 0."""
    return (score > MAX_EVALUATION) - (score < -MAX_EVALUATION)


def proven_by_minimax(position: Any) -> int:
    """Return 1 or -1 if minimax proves a win or a loss at some depth, else 0."""
    results = (sign(max(values.values())) for _, values in depths_within(Minimax(position), MAX_NODES))
    return next(filter(None, results), 0)


@pytest.mark.parametrize("game", sorted(PHASES))
@pytest.mark.parametrize("rounds", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_the_pruned_search_proves_what_minimax_proves(game: str, rounds: int) -> None:
    """With pruning and reductions it may need more depth, but it finds every win and loss.

    For Gomoku, recorded wins by fours replace minimax, which would take too long because of the many threats.
    """
    proven = Counter[int]()  # number of positions by result
    for position, known in positions_near_the_end(game, rounds):
        if result := proven_by_minimax(position) if known is None else known:
            search_results = (sign(search_pruned(position, depth)) for depth in PROVING_DEPTHS)
            assert next(filter(None, search_results), 0) == result, (position.setup, position.moves)
            proven[result] += 1
    assert min(proven[1], proven[-1]) > 0


@pytest.mark.parametrize("game", sorted(PHASES))
@pytest.mark.parametrize("parameters", [{}, NARROW], ids=["default", "narrow"])
@pytest.mark.parametrize("rounds", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_what_the_pruned_search_proves_is_true(game: str, parameters: dict[str, int], rounds: int) -> None:
    """Otherwise a bound was used as a value or the table entry of another position, or a loss was claimed too early."""
    proven = Counter[int]()  # number of positions by result
    for position, known in positions_near_the_end(game, rounds):
        for name, value in parameters.items():
            setattr(position.state, name, value)
        score = search_pruned(position, 6)
        if result := sign(score):
            assert result == (true_result(position, score) if known is None else known)
            proven[result] += 1
    assert min(proven[1], proven[-1]) > 0


def count_replies(position: Any) -> Iterator[int]:
    """Yield the number of replies to each root move, 0 if the same side moves again."""
    library, state, minimax = position.library, position.state, Minimax(position)
    for move in minimax.moves():
        side = state.side
        library.apply(state, move)
        yield len(minimax.moves()) if state.side != side else 0
        library.undo(state)


@pytest.mark.parametrize("rounds", [4, pytest.param(60, marks=pytest.mark.slow)])
def test_a_reduced_move_that_fails_high_is_searched_again(rounds: int) -> None:
    """Kolibrat at depth 3, with weights for which every reduced reply first seems to refute.

    At this depth only replies are reduced. With BAD_TEMPO it is bad to be on move, so the reduced search fails high.
    The small weights keep evaluations inside the pruning margins, and with few moves none is pruned as late.
    """
    compared = 0
    for position in positions_of(REDUCED, rounds, "reduced"):
        set_weights(position.state, BAD_TEMPO)
        counts = list(count_replies(position))
        if min(counts) > 1 and len(counts) < 16 and max(counts) > 6:
            position.library.prepare_root(position.state, 0)
            score = position.library.search_root(position.state, new_table(), 3, -INFINITE, INFINITE, 0)
            assert score == max(Minimax(position).root_values(3).values()), position.moves
            compared += 1
    assert compared > 5


def test_a_state_without_a_field_of_the_search_is_refused() -> None:
    """Numba's error for a missing field would be long and would not name the state."""
    state_fields = [field for field in alphabeta_fields(4, 4) if field.name != "killers"]
    required = (field.name for field in fields(GameKernels) if field.default is MISSING)
    game, parameters = GameKernels(**dict.fromkeys(required)), CompiledParameters()  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^state Toy lacks killers, side, which the search needs$"):
        make_alphabeta(KernelSet("toy", (StateType("Toy", tuple(state_fields)),)), "Toy", game, parameters)
