"""`pentad`, our strongest Hex player: Monte-Carlo tree search, virtual connections, and proofs where they are near."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bots.hex.board_player import BoardPlayer
from bots.hex.network import load_network
from bots.hex.notation import SWAP
from bots.hex.opening.first_moves import find_solved
from bots.hex.opening.swap import choose_opening, is_worth_swapping
from bots.hex.position import STRIDE, SWAP_CELL, HexPosition, format_cell
from bots.hex.prior import load_weights
from bots.hex.solver.finish import PoolResult, SolverPool, immediate_win
from core.native.memory import MIB
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
from core.search.time_budget import TimeBudget, allocate_short_time

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import HexPlayout

DEFAULT_TREE_MIB = min(256, MAX_HASH_MIB)
MARGIN_MS = 40
INSTANT_MS = 1  # for a move that is asked for at once

PROOF_TIME_FRACTION = 0.3  # of a move's time, for a proof where the position is small enough
PROOF_MAX_EMPTY = 50  # empty cells up to which a proof is tried
MAX_PROOF_MS = 10_000.0
LOST_TIME_FRACTION = 0.1  # of a move's time, where the position is lost and only the opponent's errors help
LOST_MS = 300.0  # the same without a limit of time
MAX_NETWORK_SIZE = 13  # of the largest board that the network has learnt on
DIRICHLET_ALPHA_SUM = 10.0  # sum of the parameters of the noise in games to learn from
LEVELS = StrengthLevels(
    nodes=(80, 150, 300, 600, 1_000, 1_800, 3_800, 8_000, 20_000),
    random_move_rates=(0.535, 0.465, 0.405, 0.29, 0.23, 0.165, 0.105, 0.055, 0.015),
)

SEARCH = Option(
    "search",
    "network",
    f"what the tree grows by at full strength, up to {MAX_NETWORK_SIZE}x{MAX_NETWORK_SIZE}; beyond that, by playouts",
    choices=("playouts", "network"),
)
RESIGNS = Option("resign", False, "resign where the loss is proven")
ENGINE_OPTIONS = (
    LEVEL,
    THREADS,
    replace(HASH, help=f"search tree in MiB, 0 for {DEFAULT_TREE_MIB}"),
    replace(MARGIN, default=MARGIN_MS),
    replace(SEED, help="seed of the search; 0 draws a new seed for each game"),
    RESIGNS,
    SEARCH,
)


@dataclass(frozen=True)
class Manner:
    """How the tree grows; the record's fields of core/search/kernels/mcts.py and bots/hex/kernels/records.py."""

    win_reward: int
    rave_equivalence: float
    c_puct: float
    expansion_threshold: int
    solver_threshold: int
    default_nodes: int  # without any limit
    network: int = 0
    fpu_reduction: float = 0.0
    rollout_weight: float = 0.0

    def prepare(self, state: HexPlayout) -> None:
        """Have a record's tree grow so; studies are left out."""
        for name in (
            "win_reward",
            "rave_equivalence",
            "c_puct",
            "expansion_threshold",
            "network",
            "fpu_reduction",
            "rollout_weight",
        ):
            setattr(state, name, getattr(self, name))


# A study costs as much as some hundred playouts, or ten positions judged by the network.
BY_PLAYOUTS = Manner(2, 3000.0, 1.0, 10, 1000, 100_000)
BY_NETWORK = Manner(1024, 0.05, 0.8, 1, 16, 10_000, network=1, fpu_reduction=0.1)


class HexEngine(BoardPlayer, SeedMixin[HexPosition]):
    """The search player.

    Scores are those of core/search/mcts_search.py. Results are proven without distances but for a win at once.
    """

    def __init__(self, options: OptionSet):
        super().__init__(options)
        library = self.position.library
        self._search: MctsSearch[HexPlayout] = MctsSearch(
            library, "HexPlayout", lambda moves: [format_cell(move) for move in moves]
        )
        self._solver_pool = SolverPool(library)
        self.root_noise = 0.0  # part of the shares of the root's moves that is left to chance, for games to learn from
        self.network: bytes | None = None  # a file's content, to judge instead of the bot's own from the start
        self._start_s = 0.0
        self._tree_moves: list[str] | None = None  # moves to the root of the tree; None where it is of no use

    def new_game(self, setup: Setup) -> None:
        """Begin a game."""
        super().new_game(setup)
        self._tree_moves = None

    def set_option(self, name: str, value: Value) -> None:
        """Store an option; a tree does not outlast the way in which it grows."""
        super().set_option(name, value)
        if name.lower() in (LEVEL.name, SEARCH.name):
            self._tree_moves = None

    def clear_hash(self) -> None:
        """Forget the tree and what has been proven."""
        self._tree_moves = None
        self._solver_pool.clear()

    def take_warnings(self) -> list[str]:
        """What could not be had."""
        return self._search.warnings.take() + self._solver_pool.warnings.take()

    def move_statistics(self) -> list[MoveStatistics]:
        """The moves of the last tree search with their statistics, best first."""
        return self._search.move_statistics(self._search.states[0].root)

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move; none where the game is over."""
        self._start_s = time.perf_counter()
        legal = self.position.legal_moves()
        excluded = self._parse_moves(limits.excluded_moves)
        allowed = allowed_moves(legal, set(map(format_cell, excluded)))
        if len(allowed) < 2:
            return Decision(allowed[0] if allowed else "", note="only move")
        closing = immediate_win(self.position, excluded)
        if closing:
            return Decision(format_cell(closing), Progress(1, 1, proven_score(1), 1, 1, 0, (format_cell(closing),)))
        budget = self._allocate_time(limits)
        self._solver_pool.set_deadline(budget.minus_elapsed((time.perf_counter() - self._start_s) * 1000).hard_ms)
        if self.position.first_stone_may_be_swapped and not excluded:
            return Decision(choose_opening(self.position.setup.width, self._random), note="opening")
        swap_is_better = self._is_worth_swapping() if SWAP in allowed else False
        if swap_is_better:
            return Decision(SWAP, note="the first stone is better")
        unrestricted = not (excluded or limits.multi_pv > 1 or limits.nodes or limits.depth)
        if SWAP in allowed:
            report = _report_with_swap(report)
        decision = None
        if self.options.get_int("level") == MAX_LEVEL and unrestricted:
            decision = self._solved_opening(report) or (
                None if SWAP in allowed else self._play_if_proven(budget, limits.stop, report)
            )
        decision = decision or self._search_tree(limits, budget, excluded, report)
        is_lost = decision.progress.result == "loss"
        if SWAP in allowed and (is_lost or (swap_is_better is None and decision.progress.score < 0)):
            return Decision(SWAP, _after_swap(decision.progress), "the first stone is better")
        return decision

    def _is_worth_swapping(self) -> bool | None:
        """Whether the table says so of the first stone; None where it says nothing."""
        cell = self.position.state.path[0]
        return is_worth_swapping(self.position.setup.width, cell % STRIDE - 1, cell // STRIDE - 1)

    def _allocate_time(self, limits: Limits) -> TimeBudget:
        margin_ms = self.options.get_int("margin")
        return allocate_short_time(limits, margin_ms, 4 + self._empty_cells() / 6, INSTANT_MS)

    def _empty_cells(self) -> int:
        state = self.position.state
        return state.width * state.height - state.stones

    def _solved_opening(self, report: ProgressCallback) -> Decision | None:
        """The move of a solved opening; None where there is none."""
        known = find_solved(self.position)
        if known is None or not known.move:
            return None
        owner = self.position.to_move if known.result == "win" else 1 - self.position.to_move
        return self._proven_decision(known.move, owner, "solved opening", report)

    def _proven_decision(self, move: str, owner: int, note: str, report: ProgressCallback) -> Decision:
        """A move in a position that `owner` is proven to win."""
        progress = _as_proven(Progress(nodes=1, pv=(move,)), "win" if owner == self.position.to_move else "loss")
        report(progress)
        return Decision(move, progress, note)

    def _play_if_proven(self, budget: TimeBudget, stop: StopToken, report: ProgressCallback) -> Decision | None:
        """A move where the result is proven before the tree search; None where it is not."""
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
        if self.options["resign"]:
            return Decision(RESIGN, note="proven loss")
        return self._play_lost_position(budget, stop, report)

    def _prove_result(self, budget: TimeBudget) -> PoolResult:
        """Return what virtual connections prove of the position or, if it is small, a search."""
        proven = self._solver_pool.static_result(self.position)
        if proven.result != UNKNOWN or self._empty_cells() > PROOF_MAX_EMPTY:
            return proven
        soft_ms = MAX_PROOF_MS if budget.soft_ms is None else budget.soft_ms
        return self._solver_pool.prove(self.position, min(PROOF_TIME_FRACTION * soft_ms, MAX_PROOF_MS))

    def _play_lost_position(self, budget: TimeBudget, stop: StopToken, report: ProgressCallback) -> Decision:
        """The move of a proven loss that playouts like best; they know nothing of the proof."""
        soft_ms = LOST_MS if budget.soft_ms is None else LOST_TIME_FRACTION * budget.soft_ms
        self._prepare_tree(reuse=False)
        found = self._search.run(Limits(stop=stop), TimeBudget(soft_ms, soft_ms), None, ignore_progress)
        self._tree_moves = None
        progress = _as_proven(found, "loss")
        report(progress)
        return Decision(progress.pv[0], progress, "proven loss")

    def _search_tree(
        self, limits: Limits, budget: TimeBudget, excluded: Sequence[int], report: ProgressCallback
    ) -> Decision:
        """The move with most visits, or a proven win."""
        level = self.options.get_int("level")
        if level < MAX_LEVEL:
            limits = LEVELS.limit_nodes(level, self._random, limits)
            excluded = self._exclude_for_level(level, excluded)
        elif budget.hard_ms is None and not (limits.nodes or limits.depth):
            limits = replace(limits, nodes=self._manner.default_nodes)
        self._prepare_tree(reuse=not excluded)
        study = None
        if level == MAX_LEVEL and self._solver_pool.prepare(self.position, self._threads):
            study = self._call_solver
        self._search.states[0].solver_threshold = self._manner.solver_threshold if study else 0
        if excluded:
            self._search.exclude_root_moves(excluded)
        spent_ms = (time.perf_counter() - self._start_s) * 1000
        with self._solver_pool.linked(limits.stop):
            progress = self._search.run(limits, budget.minus_elapsed(spent_ms), study, report)
        self._tree_moves = None if excluded else self.position.moves
        result = self._search.states[0].root_result
        if result != UNKNOWN and not excluded:
            progress = _as_proven(progress, "win" if result == WON else "loss")
            report(progress)
        return Decision(progress.pv[0], progress)

    def _exclude_for_level(self, level: int, excluded: Sequence[int]) -> Sequence[int]:
        """What a level excludes: all cells but one where it plays any move."""
        cells = [move for move in self.position.legal_numbers() if move != SWAP_CELL and move not in excluded]
        drawn = LEVELS.pick_random_move(level, self._random, cells)
        return excluded if drawn is None else [cell for cell in cells if cell != drawn] + list(excluded)

    def _call_solver(self, number: int, tree: Tree) -> None:
        self._solver_pool.call_solver(self._search.states[number], number, tree)

    @property
    def _threads(self) -> int:
        """Threads that search."""
        return count_threads(self.options, self._search.warnings)

    @property
    def _manner(self) -> Manner:
        """How the tree grows on the present board; the network has learnt on square ones."""
        setup = self.position.setup
        has_learnt = setup.width == setup.height <= MAX_NETWORK_SIZE
        is_full = self.options.get_int("level") == MAX_LEVEL
        return BY_NETWORK if is_full and has_learnt and self.options["search"] == "network" else BY_PLAYOUTS

    def _prepare_tree(self, reuse: bool) -> None:
        """Make the present position the root: of the old tree's part that it belongs to, or of a new one."""
        position, search = self.position, self._search
        words = len(search.tree)
        search.resize((self.options.get_int("hash") or DEFAULT_TREE_MIB) * MIB, self._threads)
        state, before = search.states[0], self._tree_moves
        node = 0
        moves = position.moves
        if reuse and before is not None and words == len(search.tree) and moves[: len(before)] == before:
            later = moves[len(before) :]
            is_in_turn = not any(":" in move for move in later)
            node = search.find_node([position.parse(move) for move in later]) if is_in_turn else 0
        if state.ring_gamma[0][0] == 0:
            load_weights(state)
        if self._manner.network and not state.network:
            load_network(state, self.network)
        position.library.set_root(position.state, state)
        state.random = (self._game_seed * 2 + 1) * 0x9E3779B97F4A7C15 + len(moves) & ((1 << 64) - 1) or 1
        self._manner.prepare(state)
        if node:
            search.make_root(node)
        else:
            search.init_tree()
        if self.root_noise:
            search.add_root_noise(self.root_noise, DIRICHLET_ALPHA_SUM, self._random)


def _as_proven(progress: Progress, result: str) -> Progress:
    """A proven win or loss. How soon it comes is not known: no sooner than the winner's shortest chain is closed."""
    score = proven_score(MAX_DISTANCE if result == "win" else -MAX_DISTANCE)
    return replace(progress.as_proven(result), score=score)


def _after_swap(progress: Progress) -> Progress:
    """What a search tells a side that swaps: after it the opponent is as badly off as this side was."""
    turned = replace(progress, score=-progress.score, pv=(SWAP,))
    return _as_proven(turned, "win") if progress.result == "loss" else turned


def _report_with_swap(report: ProgressCallback) -> ProgressCallback:
    """Reports for a side that may swap: a loss without the swap, of which alone the search knows, is a win."""
    return lambda progress: report(_after_swap(progress) if progress.result == "loss" else progress)
