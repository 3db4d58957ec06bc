"""`pentad`, the strongest Hex player: Monte-Carlo tree search with a network, virtual connections and a solver."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bots.hex.board_player import BoardPlayer
from bots.hex.network import load_network
from bots.hex.notation import SWAP
from bots.hex.opening.first_moves import find_solved
from bots.hex.opening.swap import choose_opening, is_worth_swapping
from bots.hex.position import STRIDE, SWAP_CELL, HexPosition, format_cell
from bots.hex.prior import load_weights
from bots.hex.search_parameters import TUNABLE, MctsParameters, tuned_parameters
from bots.hex.solver.solver_pool import PoolResult, SolverPool, immediate_win
from core.native.memory import MIB
from core.native.weights import load_or_warn
from core.play.board_player import SEED, SeedMixin
from core.play.options import Option, OptionSet, Value
from core.play.player import RESIGN, Decision, Limits, Progress, ProgressCallback, Setup, allowed_moves, ignore_progress
from core.play.stop import StopToken
from core.search.engine_options import (
    HASH,
    LEVEL,
    MARGIN,
    MAX_HASH_MIB,
    MAX_LEVEL,
    THREADS,
    StrengthLevels,
    count_threads,
)
from core.search.mcts_search import MctsSearch, MoveStatistics, Tree
from core.search.mcts_tree import UNKNOWN, WON
from core.search.scores import MAX_DISTANCE, proven_score
from core.search.time_budget import TimeBudget, allocate_time

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import HexPlayout

DEFAULT_TREE_MIB = min(256, MAX_HASH_MIB)
MARGIN_MS = 40  # default of the option `margin`, which is subtracted from time limits (at most half of them)
INSTANT_MS = 1  # time budget if no time is left
MIN_MOVES_LEFT, EMPTY_CELLS_PER_MOVE = 4, 6  # the clock is divided by 4 + empty cells / 6, the expected own moves left
RANDOM_INCREMENT = 0x9E3779B97F4A7C15  # 2^64 divided by the golden ratio: spreads seeds over all 64 bits

PROOF_TIME_FRACTION = 0.3  # part of a move's time that the solver may use
PROOF_MAX_EMPTY = 50  # the solver is tried if at most this many cells are empty
MAX_PROOF_MS = 10_000.0  # longest proof; also stands for a move's time if there is no time limit
LOST_TIME_FRACTION = 0.1  # part of a move's time used in a proven loss
LOST_MS = 300.0  # time used in a proven loss if there is no time limit
DIRICHLET_ALPHA_SUM = 10.0  # root noise in training games: sum of the parameters of the Dirichlet distribution
FIRST_NETWORK_LEVEL = 7  # the levels below always use playouts
LEVELS = StrengthLevels(  # of the levels 1 to 9; `nodes` are playouts, from FIRST_NETWORK_LEVEL on evaluations
    nodes=(80, 175, 440, 1_030, 3_000, 12_000, 1, 8, 80),
    mistake_rates=(0.535, 0.45, 0.34, 0.225, 0.125, 0.037, 0.03, 0.003, 0.001),
)
PLAYOUT_LEVELS = StrengthLevels(  # without the network; `nodes` are playouts
    nodes=(80, 150, 300, 600, 1_000, 1_800, 3_800, 8_000, 20_000),
    mistake_rates=(0.535, 0.465, 0.405, 0.29, 0.23, 0.165, 0.105, 0.055, 0.015),
)

SEARCH = Option(
    "search",
    "network",
    f"evaluation of leaves from level {FIRST_NETWORK_LEVEL} on: network (on square boards, else playouts), or playouts"
    " on all boards",
    choices=("playouts", "network"),
)
RESIGN_OPTION = Option("resign", False, "resign when a loss is proven before the tree search")
ENGINE_OPTIONS = (
    LEVEL,
    THREADS,
    replace(HASH, help=f"memory for the search tree in MiB; 0: {DEFAULT_TREE_MIB}"),
    replace(MARGIN, default=MARGIN_MS),
    replace(SEED, help="seed of the search; 0 draws a new seed for each game"),
    RESIGN_OPTION,
    SEARCH,
    *TUNABLE,
)


class HexEngine(BoardPlayer, SeedMixin[HexPosition]):
    """The strongest player. Scores are those of core/search/mcts_search.py.

    Proven results have no distance, except for a win in one move.
    """

    def __init__(self, options: OptionSet):
        super().__init__(options)
        library = self.position.library
        self._search: MctsSearch[HexPlayout] = MctsSearch(
            library, "HexPlayout", lambda moves: [format_cell(move) for move in moves]
        )
        self._solver_pool = SolverPool(library)
        self.root_noise_weight = 0.0  # weight of random noise in the root's priors, for training games
        self.network_bytes: bytes | None = None  # contents of a network file; None for the default network
        self._has_network = True  # False once the network's file was refused
        self._parameter_sets: dict[str, MctsParameters] = {}  # by kind of search; cleared when an option changes
        self._start_s = 0.0  # time.perf_counter at the beginning of the last `choose`
        self._tree_moves: list[str] | None = None  # moves to the root of the tree; None if it cannot be reused

    def new_game(self, setup: Setup) -> None:
        """Start a new game; the tree is not reused."""
        super().new_game(setup)
        self._tree_moves = None

    def set_option(self, name: str, value: Value) -> None:
        """Set an option. After a new level, kind of evaluation or parameter of the search the tree is not reused."""
        super().set_option(name, value)
        if self.options.get_option(name).is_hidden:
            self._parameter_sets.clear()
            self._tree_moves = None
        elif name.lower() in (LEVEL.name, SEARCH.name):
            self._tree_moves = None

    def clear_hash(self) -> None:
        """Clear the tree and the solver's transposition table."""
        self._tree_moves = None
        self._solver_pool.clear()

    def take_warnings(self) -> list[str]:
        """Return and clear the warnings since the last call, such as memory that could not be allocated."""
        return self._search.warnings.take() + self._solver_pool.warnings.take()

    def move_statistics(self) -> list[MoveStatistics]:
        """Return the root moves of the last tree search with their statistics, best first."""
        return self._search.move_statistics(self._search.states[0].root)

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move, RESIGN if the option allows it, or an empty text if the game is over."""
        self._start_s = time.perf_counter()
        legal = self.position.legal_moves()
        excluded = self.position.parse_moves(limits.excluded_moves)
        allowed = allowed_moves(legal, set(map(format_cell, excluded)))
        # 1. moves that need no search
        if len(allowed) < 2:
            return Decision(allowed[0] if allowed else "", note="only move" if allowed else "game over")
        winning = immediate_win(self.position, excluded)
        if winning:
            return Decision(format_cell(winning), Progress(1, 1, proven_score(1), 1, 1, 0, (format_cell(winning),)))
        budget = self._allocate_time(limits)
        self._solver_pool.set_deadline(budget.minus_elapsed((time.perf_counter() - self._start_s) * 1000).hard_ms)
        # 2. the swap rule: a fair first stone, or the table of first stones
        if self.position.first_stone_may_be_swapped and not excluded:
            return Decision(choose_opening(self.position.setup.width, self._random), note="opening")
        swap_is_better = self._is_worth_swapping() if SWAP in allowed else False  # None: the table does not know
        if swap_is_better:
            return Decision(SWAP, note="the first stone is better")
        # 3. proofs, then the tree search
        may_skip_search = not (excluded or limits.multi_pv > 1 or limits.nodes or limits.depth)
        if SWAP in allowed:
            report = _report_with_swap(report)
        decision = None
        if self.options.get_int("level") == MAX_LEVEL and may_skip_search:
            decision = self._solved_opening(report) or (
                None if SWAP in allowed else self._play_if_proven(budget, limits.stop, report)
            )
        decision = decision or self._search_tree(limits, budget, excluded, report)
        is_lost = decision.progress.result == "loss"
        if SWAP in allowed and (is_lost or (swap_is_better is None and decision.progress.score < 0)):
            return Decision(SWAP, _after_swap(decision.progress), "the first stone is better")
        return decision

    def _is_worth_swapping(self) -> bool | None:
        """Return whether the table says to swap the first stone; None if it has no entry."""
        cell = self.position.state.path[0]
        return is_worth_swapping(self.position.setup.width, cell % STRIDE - 1, cell // STRIDE - 1)

    def _allocate_time(self, limits: Limits) -> TimeBudget:
        margin_ms = self.options.get_int("margin")
        moves_left = MIN_MOVES_LEFT + self._count_empty_cells() / EMPTY_CELLS_PER_MOVE
        return allocate_time(limits, margin_ms, moves_left, INSTANT_MS)

    def _count_empty_cells(self) -> int:
        state = self.position.state
        return state.width * state.height - state.stones

    def _solved_opening(self, report: ProgressCallback) -> Decision | None:
        """Return the move from the table of solved openings, or None."""
        solved = find_solved(self.position)
        if solved is None or not solved.move:
            return None
        winner = self.position.to_move if solved.result == "win" else 1 - self.position.to_move
        return self._proven_decision(solved.move, winner, "solved opening", report)

    def _proven_decision(self, move: str, winner: int, note: str, report: ProgressCallback) -> Decision:
        """Return the decision for a move in a position that `winner` is proven to win."""
        progress = _as_proven(Progress(nodes=1, pv=(move,)), "win" if winner == self.position.to_move else "loss")
        report(progress)
        return Decision(move, progress, note)

    def _play_if_proven(self, budget: TimeBudget, stop: StopToken, report: ProgressCallback) -> Decision | None:
        """Return a move if the solver proves the result without the tree search, else None."""
        position = self.position
        if not self._solver_pool.prepare(position, self._threads):
            return None
        with self._solver_pool.linked(stop):
            proven = self._prove_result(budget)
            if proven.result == UNKNOWN:
                return None
            if proven.result == WON:
                deadline_s = self._start_s + (MAX_PROOF_MS if budget.hard_ms is None else budget.hard_ms) / 1000
                move = format_cell(self._solver_pool.winning_move(position, proven, deadline_s))
                return self._proven_decision(move, position.to_move, "proven win", report)
        if self.options.get_bool("resign"):
            return Decision(RESIGN, note="proven loss")
        return self._play_lost_position(budget, stop, report)

    def _prove_result(self, budget: TimeBudget) -> PoolResult:
        """Return what virtual connections prove, or else the solver if few cells are empty."""
        proven = self._solver_pool.static_result(self.position)
        if proven.result != UNKNOWN or self._count_empty_cells() > PROOF_MAX_EMPTY:
            return proven
        soft_ms = MAX_PROOF_MS if budget.soft_ms is None else budget.soft_ms
        return self._solver_pool.prove(self.position, min(PROOF_TIME_FRACTION * soft_ms, MAX_PROOF_MS))

    def _play_lost_position(self, budget: TimeBudget, stop: StopToken, report: ProgressCallback) -> Decision:
        """In a proven loss, play the best move of a short tree search, because the opponent may err."""
        soft_ms = LOST_MS if budget.soft_ms is None else LOST_TIME_FRACTION * budget.soft_ms
        self._prepare_tree(reuse=False)
        searched = self._search.run(Limits(stop=stop), TimeBudget(soft_ms, soft_ms), None, ignore_progress)
        self._tree_moves = None
        progress = _as_proven(searched, "loss")
        report(progress)
        return Decision(progress.pv[0], progress, "proven loss")

    def _search_tree(
        self, limits: Limits, budget: TimeBudget, excluded: Sequence[int], report: ProgressCallback
    ) -> Decision:
        """Return the best move of a tree search: a proven win, or else the move with the most visits."""
        level = self.options.get_int("level")
        if level < MAX_LEVEL:
            excluded = self._exclude_for_level(level, excluded)
        self._prepare_tree(reuse=not excluded)
        if level < MAX_LEVEL:
            limits = self._levels.limit_nodes(level, self._random, limits)
        if level == MAX_LEVEL and budget.hard_ms is None and not (limits.nodes or limits.depth):
            limits = replace(limits, nodes=self._parameters.default_nodes)
        solver_callback = None
        if level == MAX_LEVEL and self._solver_pool.prepare(self.position, self._threads):
            solver_callback = self._call_solver
        self._search.states[0].solver_threshold = self._parameters.solver_threshold if solver_callback else 0
        if excluded:
            self._search.exclude_root_moves(excluded)
        spent_ms = (time.perf_counter() - self._start_s) * 1000
        with self._solver_pool.linked(limits.stop):
            progress = self._search.run(limits, budget.minus_elapsed(spent_ms), solver_callback, report)
        self._tree_moves = None if excluded else self.position.moves
        result = self._search.states[0].root_result
        if result != UNKNOWN and not excluded:
            progress = _as_proven(progress, "win" if result == WON else "loss")
            report(progress)
        return Decision(progress.pv[0], progress)

    def _exclude_for_level(self, level: int, excluded: Sequence[int]) -> Sequence[int]:
        """Return the moves to exclude: with the level's probability of a mistake, all cells but a random one."""
        cells = [move for move in self.position.legal_numbers() if move != SWAP_CELL and move not in excluded]
        if not self._levels.makes_mistake(level, self._random):
            return excluded
        chosen = self._random.choice(cells)
        return [cell for cell in cells if cell != chosen] + list(excluded)

    def _call_solver(self, thread: int, tree: Tree) -> None:
        """Run the solver for the leaf at which a search thread (from 0) has stopped."""
        self._solver_pool.call_solver(self._search.states[thread], thread, tree)

    @property
    def _threads(self) -> int:
        """Number of search threads."""
        return count_threads(self.options, self._search.warnings)

    @property
    def _may_use_network(self) -> bool:
        """Whether levels from FIRST_NETWORK_LEVEL on use the network, which was trained on square boards only."""
        setup = self.position.setup
        return self._has_network and setup.width == setup.height and self.options["search"] == "network"

    @property
    def _levels(self) -> StrengthLevels:
        """How the player is weakened at the levels below MAX_LEVEL."""
        return LEVELS if self._may_use_network else PLAYOUT_LEVELS

    @property
    def _parameters(self) -> MctsParameters:
        """Search parameters for the level, the board and the network."""
        uses_network = self._may_use_network and self.options.get_int("level") >= FIRST_NETWORK_LEVEL
        search = "network" if uses_network else "playouts"
        if search not in self._parameter_sets:
            self._parameter_sets[search] = tuned_parameters(self.options, search)
        return self._parameter_sets[search]

    def _prepare_tree(self, reuse: bool) -> None:
        """Make the present position the root: of a subtree of the old tree if possible, else of a new tree."""
        position, search = self.position, self._search
        words = len(search.tree)
        search.resize((self.options.get_int("hash") or DEFAULT_TREE_MIB) * MIB, self._threads)
        state, old_moves = search.states[0], self._tree_moves
        node = 0
        moves = position.moves
        if reuse and old_moves is not None and words == len(search.tree) and moves[: len(old_moves)] == old_moves:
            new_moves = moves[len(old_moves) :]
            # The tree has no stones out of turn, such as `white:c2`.
            is_in_turn = not any(":" in move for move in new_moves)
            node = search.find_node(position.parse_moves(new_moves)) if is_in_turn else 0
        if state.ring_gamma[0][0] == 0:  # a new state: all fields are 0
            load_weights(state)
        if self._parameters.network and not state.network:
            if self.network_bytes is not None:
                load_network(state, self.network_bytes)
            else:
                self._has_network = load_or_warn(lambda: load_network(state), search.warnings.add)
        position.library.set_root(position.state, state)
        # The state of the generator must not be 0.
        state.random = (self._game_seed * 2 + 1) * RANDOM_INCREMENT + len(moves) & ((1 << 64) - 1) or 1
        self._parameters.copy_to(state)
        if node:
            search.make_root(node)
        else:
            search.init_tree()
        if self.root_noise_weight:
            search.add_root_noise(self.root_noise_weight, DIRICHLET_ALPHA_SUM, self._random)


def _as_proven(progress: Progress, result: str) -> Progress:
    """Mark a result as proven. The distance is unknown, so the score is that of the longest win or loss."""
    score = proven_score(MAX_DISTANCE if result == "win" else -MAX_DISTANCE)
    return replace(progress.as_proven(result), score=score)


def _after_swap(progress: Progress) -> Progress:
    """Convert the result of a search that does not know the swap for a side that swaps.

    After the swap the opponent has the searched position.
    """
    mirrored = replace(progress, score=-progress.score, pv=(SWAP,))
    return _as_proven(mirrored, "win") if progress.result == "loss" else mirrored


def _report_with_swap(report: ProgressCallback) -> ProgressCallback:
    """Return a callback for a side that may swap. The search does not know the swap, so what it calls a loss is a win
    by the swap.
    """
    return lambda progress: report(_after_swap(progress) if progress.result == "loss" else progress)
