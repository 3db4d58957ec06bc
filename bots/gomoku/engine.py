"""`pentad`, the strongest Gomoku player: a book of first replies, threat searches at the root, then alpha-beta.

The threat searches look for forced wins: by fours alone (VCF, victory by continuous fours) and, if the option `threats`
asks for it, by fours and open threes (VCT, victory by continuous threats). Moves of the kernels are cells of a padded
board (bots/gomoku/kernels/rules.py); moves of the player's interface are squares such as `h8`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from bots.gomoku.board_player import BoardPlayer
from bots.gomoku.negotiation.balance import find_balanced
from bots.gomoku.negotiation.evaluator import PlayerEvaluator
from bots.gomoku.negotiation.soosorv import Soosorv
from bots.gomoku.negotiation.swap2 import answer_swap2
from bots.gomoku.network import NETWORKS, load_network
from bots.gomoku.notation import CARO
from bots.gomoku.position import GomokuPosition, format_cell
from bots.gomoku.replies import find_reply
from bots.gomoku.search_parameters import TUNABLE
from core.native.memory import MIB
from core.native.weights import load_or_warn
from core.play.options import Option, OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback
from core.search.alphabeta_search import AlphaBetaEngine, AlphaBetaSearch
from core.search.clock import CLOCK
from core.search.engine_options import HASH, LEVEL, MARGIN, MAX_LEVEL, SEED, THREADS, StrengthLevels
from core.search.scores import MAX_DISTANCE, NO_SCORE, WIN, proven_score
from core.search.time_budget import TimeBudget

# Address space to keep free beside the transposition table. On Linux the process and its boot loader use 60 MiB of it,
# at most 80 for a moment; the rest is a reserve for other systems. A further search thread has a state and a stack.
PROCESS_BYTES = 180 * MIB
THREAD_BYTES = 80 * MIB
MIN_TABLE_BYTES = 4 * MIB  # the table's size even if the process alone exceeds the memory limit
# Budgets of the threat searches at the root, chosen by hand.
ROOT_VCF_PLIES = 60  # also for the opponent's VCF
ROOT_VCF_FOURS = 400_000  # tried for our VCF
DEFENCE_VCF_FOURS = 5_000  # tried for the opponent's VCF if we passed, and again after each root move
VCT_PLIES = 120  # longer than any VCT found, and within the search's limit MAX_PLY
VCT_NODES = 40_000  # for our VCT
PASS_VCT_NODES = 10_000  # for the opponent's VCT if we passed
DEFENCE_VCT_NODES = 3_000  # for the opponent's VCT after each root move
# Fractions of a move's hard time limit: for our VCF, for our VCT, and for all searches of the opponent's threats.
VCF_TIME_SHARE, VCT_TIME_SHARE, DEFENCE_TIME_SHARE = 0.2, 0.1, 0.15
# A win or loss that is found with at most this many plies has the exact distance, because the kernel `terminal_score`
# recognises every win in one ply. A longer one may have a shorter alternative.
MAX_EXACT_WIN_PLIES = 4

LEVELS = StrengthLevels(  # of levels 1 to 9; level 10 has full strength
    nodes=(2_500, 3_700, 5_600, 10_000, 21_000, 50_000, 95_000, 200_000, 450_000),
    mistake_rates=(0.4, 0.29, 0.2, 0.13, 0.075, 0.037, 0.022, 0.011, 0.004),
)

MEMORY = Option(
    "memory",
    0,
    "memory limit of the whole process in bytes; 0: none, or Gomocup's 367001600 in a session that sets no table size",
    minimum=0,
)
EVALUATION = Option(
    "evaluation",
    "network",
    "evaluation of positions: network, or counts (a weighted sum of patterns)",
    choices=("network", "counts"),
)
THREATS = Option(
    "threats",
    "fours",
    "forced wins searched at the root: fours (victory by continuous fours, VCF),"
    " or threes (also by open threes: victory by continuous threats, VCT)",
    choices=("fours", "threes"),
)
ENGINE_OPTIONS = (LEVEL, THREADS, HASH, MEMORY, MARGIN, SEED, EVALUATION, THREATS, *TUNABLE)


class GomokuEngine(BoardPlayer, AlphaBetaEngine[GomokuPosition]):
    """The player `pentad`."""

    def __init__(self, options: OptionSet):
        super().__init__(options)
        position = self.position
        self._alphabeta = AlphaBetaSearch("Gomoku", position, format_line, options, MAX_EXACT_WIN_PLIES)
        self._loaded_network = ""

    def swap2(self, stones: Sequence[str], limits: Limits) -> list[str]:
        """Return the answer to the swap2 opening after 0, 3 or 5 stones: three stones, a move, or `SWAP`.

        The player's board is changed by its searches.
        """
        return answer_swap2(stones, self.position.setup, self._evaluator(limits))

    def soosorv(self, limits: Limits) -> Soosorv:
        """Return an object that answers one step of the Soosorv-8 opening. The board is changed by its searches."""
        return Soosorv(self.position.setup, self._evaluator(limits))

    def balance(self, count: int, bias: int, limits: Limits) -> Progress:
        """Return one or two moves after which the score of the side to move is close to `bias`.

        Raise `IllegalMove` if there are none.
        """
        return find_balanced(self.position.moves, count, bias, self._evaluator(limits))

    def find_losing_moves(self, limits: Limits) -> list[str]:
        """Return the moves that are found to lose to a VCF or, with `threats=threes`, to a VCT.

        The list is empty if no such win is found even after a pass, or if every move loses.
        """
        with self._alphabeta.begin_move(limits.stop):
            budget, state = self._allocate_time(limits), self.position.state
            self._alphabeta.resize(budget, self._max_table_bytes())
            self.position.library.prepare_root(state, 0)
            state.node_limit = limits.nodes or 0
            return [format_cell(cell) for cell in self._list_losing_moves(budget)]

    def _evaluator(self, limits: Limits) -> PlayerEvaluator:
        return PlayerEvaluator(self, limits)

    def _choose(self, limits: Limits, report: ProgressCallback) -> Decision:
        """Choose a move; if the game is over, any free square, or "" on a full board."""
        self._load_evaluation()
        allowed = self.position.allowed_numbers(limits.excluded_moves)
        if len(allowed) < 2:
            return Decision(format_cell(allowed[0]) if allowed else self._free_square(), note="only move")
        budget, excluded_cells = self._allocate_time(limits), self.position.parse_moves(limits.excluded_moves)
        self._alphabeta.resize(budget, self._max_table_bytes())
        if self.options.get_int("level") < MAX_LEVEL:
            excluded_cells += self._list_cells_that_lose_at_once(excluded_cells)
            return self._alphabeta.run_at_level(LEVELS, self._random, limits, budget, excluded_cells, report)
        if limits.depth is None and limits.nodes is None and limits.multi_pv == 1 and not excluded_cells:
            return self._book_move(limits) or self._choose_by_threats(limits, budget, report)
        return self._alphabeta.run(limits, budget, excluded_cells, report)

    def _list_cells_that_lose_at_once(self, excluded: Sequence[int]) -> list[int]:
        """Return the cells after which the opponent makes a five under caro, or none if all others are excluded.

        A mistake of a low level must not be one of them. Under the other rules the search does not try them.
        """
        state, library = self.position.state, self.position.library
        if not state.rule & CARO:
            return []
        cells = [cell for cell in self.position.legal_numbers() if cell not in excluded]
        losing = []
        for cell in cells:
            library.apply(state, cell)
            if library.terminal_score(state, 0) == proven_score(1):
                losing.append(cell)
            library.undo(state)
        return losing if len(losing) < len(cells) else []

    def _book_move(self, limits: Limits) -> Decision | None:
        """Return the book's move, or None if it has none, if there is no time limit or if the position is analysed.

        A request without a time limit asks for an analysis. A damaged book is not used, with a warning.
        """
        if limits.is_analysis or (limits.move_time_ms is None and limits.time_left_ms is None):
            return None
        move = self._alphabeta.warnings.attempt(
            lambda: find_reply(self.position.setup, self.position.moves), "cannot use the book of first replies"
        )
        return Decision(move, Progress(pv=(move,)), "book") if move else None

    def _choose_by_threats(self, limits: Limits, budget: TimeBudget, report: ProgressCallback) -> Decision:
        """Play our VCF or, with `threats=threes`, our VCT if one is found; else search the moves not known to lose."""
        state, library = self.position.state, self.position.library
        library.prepare_root(state, 0)
        state.node_limit = 0
        losing_cells: list[int] = []
        if library.terminal_score(state, 0) <= 0:  # else the win is known statically
            forced = self._find_vcf(budget)
            if forced is None and self._searches_vct:
                forced = self._find_vct(budget)
            if forced:
                report(forced.progress)
                return forced
            losing_cells = self._list_losing_moves(budget)
        return self._search_excluding(limits, budget, losing_cells, report)

    def _load_evaluation(self) -> None:
        """Load the network of the rule if it is to evaluate; clear the table if the evaluation has changed."""
        state = self.position.state
        network_name = NETWORKS.get(state.rule, "") if self.options["evaluation"] == "network" else ""
        if network_name != self._loaded_network:
            load_or_warn(lambda: load_network(state, network_name), self._alphabeta.warnings.add)
            self._loaded_network = network_name
            self._alphabeta.clear_hash()

    def _search_excluding(
        self, limits: Limits, budget: TimeBudget, losing_cells: Sequence[int], report: ProgressCallback
    ) -> Decision:
        """Search without the moves that are known to lose.

        A loss that this search proves is reported without a distance, because an excluded move may lose later.
        """

        def without_loss_distance(progress: Progress) -> Progress:
            is_inexact = losing_cells and progress.result == "loss"
            return replace(progress, win_in=None, proven_result="loss") if is_inexact else progress

        decision = self._alphabeta.run(
            limits, budget, losing_cells, lambda progress: report(without_loss_distance(progress))
        )
        return replace(decision, progress=without_loss_distance(decision.progress))

    def _allocate_time(self, limits: Limits) -> TimeBudget:
        state = self.position.state
        empty_fraction = 1 - state.stones / (state.width * state.height)
        return self._alphabeta.allocate_time(limits, expected_moves_left=5 + 7 * empty_fraction)

    def _find_vcf(self, budget: TimeBudget) -> Decision | None:
        """Return the decision to play a win by continuous fours, or None if none is found within `ROOT_VCF_FOURS`."""
        state, library = self.position.state, self.position.library
        self._set_deadline(budget, VCF_TIME_SHARE)
        started = time.perf_counter()
        plies = library.find_full_vcf(state, self._alphabeta.table, ROOT_VCF_PLIES, ROOT_VCF_FOURS)
        if not plies:
            return None
        moves = [cell for cell in state.vcf_line[:plies] if cell]
        if state.rule & CARO:  # a four has several answers there, and the line mixes them
            moves = moves[:1]
        pv = tuple(format_cell(cell) for cell in moves)
        elapsed_ms = int((time.perf_counter() - started) * 1000)
        progress = Progress(
            depth=plies,
            selective_depth=plies,
            score=WIN - plies,
            win_in=plies if plies <= MAX_EXACT_WIN_PLIES else None,
            nodes=state.nodes,
            time_ms=elapsed_ms,
            pv=pv,
            proven_result="win",
        )
        return Decision(pv[0], progress, "continuous fours")

    def _find_vct(self, budget: TimeBudget) -> Decision | None:
        """Return the decision to play a win by continuous threats, whose length is unknown; None if none is found."""
        state, library = self.position.state, self.position.library
        self._set_deadline(budget, VCT_TIME_SHARE)
        started = time.perf_counter()
        move = library.find_vct(state, self._alphabeta.table, VCT_PLIES, VCT_NODES)
        if not move:
            return None
        elapsed_ms = int((time.perf_counter() - started) * 1000)
        square = format_cell(move)
        progress = Progress(
            depth=1,
            selective_depth=1,
            score=WIN - MAX_DISTANCE,
            nodes=state.nodes,
            time_ms=elapsed_ms,
            pv=(square,),
            proven_result="win",
        )
        return Decision(square, progress, "continuous threats")

    def _list_losing_moves(self, budget: TimeBudget) -> list[int]:
        """Return the root moves after which the opponent is found to have a VCF or, with `threats=threes`, a VCT.

        The searches have node and time limits, so they may miss some. They are run only if a first search finds such a
        win after a pass (null move), and not a statically known win instead. If every root move loses, the list is
        empty.
        """
        state, library, table = self.position.state, self.position.library, self._alphabeta.table
        self._set_deadline(budget, DEFENCE_TIME_SHARE)
        library.pass_turn(state)
        is_threatened = library.terminal_score(state, 0) == NO_SCORE and (
            library.find_full_vcf(state, table, ROOT_VCF_PLIES, DEFENCE_VCF_FOURS)
            or (self._searches_vct and library.find_vct(state, table, VCT_PLIES, PASS_VCT_NODES))
        )
        library.pass_turn(state)
        if not is_threatened:
            return []
        moves_before = set(state.root_moves[: state.root_move_count])
        vct_nodes = DEFENCE_VCT_NODES if self._searches_vct else 0
        library.drop_lost_moves(state, table, ROOT_VCF_PLIES, DEFENCE_VCF_FOURS, vct_nodes)
        return sorted(moves_before - set(state.root_moves[: state.root_move_count]))

    @property
    def _searches_vct(self) -> bool:
        return self.options["threats"] == "threes"

    def _set_deadline(self, budget: TimeBudget, time_share: float) -> None:
        """Let the kernels' next search end after a fraction of the move's hard limit, counted from now."""
        state = self.position.state
        state.aborted = 0
        state.deadline = CLOCK.deadline_in(None if budget.hard_ms is None else budget.hard_ms * time_share)

    def _max_table_bytes(self) -> int | None:
        """Return the bytes that the memory limit leaves for the table; None if there is no limit."""
        memory = self.options.get_int("memory")
        if not memory:
            return None
        bytes_left = memory - PROCESS_BYTES - THREAD_BYTES * (self._alphabeta.threads - 1)
        return max(bytes_left, MIN_TABLE_BYTES)


def format_line(cells: Sequence[int]) -> list[str]:
    """Return the squares of a sequence of moves; `--` stands for cell 0, a reply that does not matter."""
    return [format_cell(cell) if cell else "--" for cell in cells]
