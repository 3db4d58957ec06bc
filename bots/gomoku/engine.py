"""`pentad`, our strongest Gomoku player: forced moves, then a long search for continuous fours, then alpha-beta."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from bots.gomoku.board_player import BoardPlayer
from bots.gomoku.negotiation.balance import find_balanced
from bots.gomoku.negotiation.judge import PlayerJudge
from bots.gomoku.negotiation.soosorv import Soosorv
from bots.gomoku.negotiation.swap2 import answer_swap2
from bots.gomoku.network import NETWORKS, load_network
from bots.gomoku.notation import CARO
from bots.gomoku.position import GomokuPosition, format_cell
from bots.gomoku.replies import find_reply
from core.native.memory import MIB
from core.play.options import Option, OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback, Setup
from core.search.alphabeta_search import AlphaBetaPlayer, AlphaBetaSearch
from core.search.clock import CLOCK
from core.search.engine_options import HASH, LEVEL, MARGIN, MAX_LEVEL, SEED, THREADS, StrengthLevels
from core.search.scores import MAX_DISTANCE, NO_SCORE, WIN
from core.search.time_budget import TimeBudget

# What one process and its boot loader take of the virtual address space without the table, measured on Linux (170 MiB,
# most of it the allocator's reserve for two threads), and what each further thread adds (record, stack, reserve).
PROCESS_BYTES = 180 * MIB
THREAD_BYTES = 80 * MIB
LEAST_TABLE_BYTES = 4 * MIB  # also under a limit that the process alone exceeds
ROOT_VCF_PLIES = 60
ROOT_VCF_NODES = 400_000
VCT_PLIES = 120  # more than a win by threats has, and room for it in the record
THREAT_NODES = 5_000  # for the opponent's wins by fours, once for each root move
VCT_NODES, VCT_PASS_NODES, VCT_THREAT_NODES = (
    40_000,
    10_000,
    3_000,
)  # for ours by threats, his if we passed, after a move
VCF_SHARE, VCT_SHARE, DEFENCE_SHARE = 0.2, 0.1, 0.15  # of a move's time
SHORTEST = (
    4  # plies: as `terminal_score` sees every win in one, a win in three or a loss in four is never a shorter one
)

LEVELS = StrengthLevels(
    nodes=(2_500, 6_000, 13_000, 26_000, 48_000, 85_000, 150_000, 260_000, 450_000),
    random_move_rates=(0.4, 0.2, 0.11, 0.065, 0.04, 0.025, 0.015, 0.01, 0.005),
)

MEMORY = Option("memory", 0, "limit of the whole process in bytes, 0 for none", minimum=0)
EVALUATION = Option("evaluation", "network", "what judges positions", choices=("network", "counts"))
THREATS = Option("threats", "fours", "that a win by continuous threats is made of", choices=("fours", "threes"))
ENGINE_OPTIONS = (LEVEL, THREADS, HASH, MEMORY, MARGIN, SEED, EVALUATION, THREATS)


class GomokuEngine(BoardPlayer, AlphaBetaPlayer[GomokuPosition]):
    """The search player."""

    def __init__(self, options: OptionSet):
        super().__init__(options)
        position = self.position
        self._alphabeta = AlphaBetaSearch("Gomoku", position, format_line, options, SHORTEST)
        self._network = ""

    def new_game(self, setup: Setup) -> None:
        """Begin a game; table entries stay where rule and board are the same: keys do not tell boards apart."""
        before = self.position.setup
        super().new_game(setup)
        self._alphabeta.new_game(before == self.position.setup)

    def swap2(self, stones: Sequence[str], limits: Limits) -> list[str]:
        """Answer the swap2 opening of 0, 3 or 5 stones; the board is left with stones of its own."""
        return answer_swap2(stones, self.position.setup, self._judge(limits))

    def soosorv(self, limits: Limits) -> Soosorv:
        """Return what answers a step of the Soosorv-8 opening within the limits; the board is left as by `swap2`."""
        return Soosorv(self.position.setup, self._judge(limits))

    def balance(self, count: int, bias: int, limits: Limits) -> Progress:
        """Return 1 or 2 moves from here after which the side to move has a score near `bias`; raise IllegalMove."""
        return find_balanced(self.position.moves, count, bias, self._judge(limits))

    def find_losing_moves(self, limits: Limits) -> list[str]:
        """Return moves after which the opponent wins by continuous threats, if he threatens to."""
        with self._alphabeta.begin_move(limits.stop):
            budget, state = self._allocate_time(limits), self.position.state
            self._alphabeta.resize(budget, self._room_bytes())
            self.position.library.prepare_root(state, 0)
            state.node_limit = limits.nodes or 0
            return [format_cell(cell) for cell in self._moves_lost_to_threats(budget)]

    def _judge(self, limits: Limits) -> PlayerJudge:
        return PlayerJudge(self, limits)

    def _choose(self, limits: Limits, report: ProgressCallback) -> Decision:
        """Choose a move; at a finished game any free square, on a full board none."""
        self._choose_network()
        allowed = self.position.allowed_numbers(limits.excluded_moves)
        if len(allowed) < 2:
            return Decision(format_cell(allowed[0]) if allowed else self._free_square(), note="only move")
        budget, exclude = self._allocate_time(limits), self._cells(limits.excluded_moves)
        self._alphabeta.resize(budget, self._room_bytes())
        if self.options.get_int("level") < MAX_LEVEL:
            return self._alphabeta.run_at_level(LEVELS, self._random, limits, budget, exclude, report)
        if limits.depth is None and limits.nodes is None and limits.multi_pv == 1 and not exclude:
            known = self._known_reply(limits)
            return known or self._choose_by_threats(limits, budget, report)
        return self._alphabeta.run(limits, budget, exclude, report)

    def _known_reply(self, limits: Limits) -> Decision | None:
        """The book's move, where a clock asks for one; who asks without a limit wants an analysis."""
        if limits.move_time_ms is None and limits.time_left_ms is None:
            return None
        move = find_reply(self.position.setup, self.position.moves)
        return Decision(move, Progress(pv=(move,)), "book") if move else None

    def _choose_by_threats(self, limits: Limits, budget: TimeBudget, report: ProgressCallback) -> Decision:
        """A win by continuous fours or threats, else the best move that does not allow one."""
        state, library = self.position.state, self.position.library
        library.prepare_root(state, 0)
        state.node_limit = 0
        lost: list[int] = []
        if library.terminal_score(state, 0) <= 0:  # else the search sees the win at once
            forced = self._continuous_fours(budget)
            if forced is None and self._sees_threes:
                forced = self._continuous_threats(budget)
            if forced:
                report(forced.progress)
                return forced
            lost = self._moves_lost_to_threats(budget)
        return self._search_rest(limits, budget, lost, report)

    def _choose_network(self) -> None:
        """Load the network of the rule where it is to judge; what the table holds is of what judged before."""
        state = self.position.state
        wanted = NETWORKS.get(state.rule, "") if self.options["evaluation"] == "network" else ""
        if wanted != self._network:
            load_network(state, wanted)
            self._network = wanted
            self._alphabeta.clear_hash()

    def _search_rest(
        self, limits: Limits, budget: TimeBudget, lost: Sequence[int], report: ProgressCallback
    ) -> Decision:
        """Alpha-beta without moves that lose anyway, but maybe later than the others: no loss has a distance then."""

        def tell(progress: Progress) -> Progress:
            is_bound = lost and progress.result == "loss"
            return replace(progress, win_in=None, proven_result="loss") if is_bound else progress

        decision = self._alphabeta.run(limits, budget, lost, lambda progress: report(tell(progress)))
        return replace(decision, progress=tell(decision.progress))

    def _allocate_time(self, limits: Limits) -> TimeBudget:
        state = self.position.state
        empty_share = 1 - state.stones / (state.width * state.height)
        return self._alphabeta.allocate_time(limits, expected_moves_left=5 + 7 * empty_share)

    def _continuous_fours(self, budget: TimeBudget) -> Decision | None:
        """A win by fours alone, found by a long search at the root and played at once."""
        state, library = self.position.state, self.position.library
        self._allow(budget, VCF_SHARE)
        started = time.perf_counter()
        length = library.find_vcf_move(state, self._alphabeta.table, ROOT_VCF_PLIES, ROOT_VCF_NODES)
        if not length:
            return None
        line = [cell for cell in state.vcf_line[:length] if cell]
        if state.rule & CARO:  # a four has several answers there, and the line holds pieces of several of them
            line = line[:1]
        pv = tuple(format_cell(cell) for cell in line)
        elapsed = int((time.perf_counter() - started) * 1000)
        shortest = length if length <= SHORTEST else None
        progress = Progress(length, length, WIN - length, shortest, state.nodes, elapsed, pv, proven_result="win")
        return Decision(pv[0], progress, "continuous fours")

    def _continuous_threats(self, budget: TimeBudget) -> Decision | None:
        """A win by threes and fours, found by proof numbers and played at once; its distance is not told."""
        state, library = self.position.state, self.position.library
        self._allow(budget, VCT_SHARE)
        started = time.perf_counter()
        move = library.find_vct(state, self._alphabeta.table, VCT_PLIES, VCT_NODES)
        if not move:
            return None
        elapsed = int((time.perf_counter() - started) * 1000)
        square = format_cell(move)
        progress = Progress(1, 1, WIN - MAX_DISTANCE, None, state.nodes, elapsed, (square,), proven_result="win")
        return Decision(square, progress, "continuous threats")

    def _moves_lost_to_threats(self, budget: TimeBudget) -> list[int]:
        """Root moves after which the opponent wins by continuous fours or threats, where it would if we passed."""
        state, library, table = self.position.state, self.position.library, self._alphabeta.table
        self._allow(budget, DEFENCE_SHARE)
        library.pass_turn(state)
        is_threatened = library.terminal_score(state, 0) == NO_SCORE and (
            library.find_vcf_move(state, table, ROOT_VCF_PLIES, THREAT_NODES)
            or (self._sees_threes and library.find_vct(state, table, VCT_PLIES, VCT_PASS_NODES))
        )
        library.pass_turn(state)
        if not is_threatened:
            return []
        before = set(state.root_moves[: state.root_move_count])
        threes = VCT_THREAT_NODES if self._sees_threes else 0
        library.drop_lost_moves(state, table, ROOT_VCF_PLIES, THREAT_NODES, threes)
        return sorted(before - set(state.root_moves[: state.root_move_count]))

    @property
    def _sees_threes(self) -> bool:
        return self.options["threats"] == "threes"

    def _allow(self, budget: TimeBudget, share: float) -> None:
        """Give what follows a share of the move's time."""
        state = self.position.state
        state.aborted = 0
        state.deadline = CLOCK.deadline_in(None if budget.hard_ms is None else budget.hard_ms * share)

    def _room_bytes(self) -> int | None:
        """What the memory limit leaves for the table; None without a limit."""
        memory = self.options.get_int("memory")
        if not memory:
            return None
        room = memory - PROCESS_BYTES - THREAD_BYTES * (self._alphabeta.threads - 1)
        return max(room, LEAST_TABLE_BYTES)


def format_line(cells: Sequence[int]) -> list[str]:
    """Squares of a line; a pass shows where the reply does not matter."""
    return [format_cell(cell) if cell else "--" for cell in cells]
