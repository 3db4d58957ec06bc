"""`pentad`, our strongest Gomoku player: forced moves, then a long search for continuous fours, then alpha-beta."""

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
from core.native.memory import MIB
from core.play.options import Option, OptionSet
from core.play.player import Decision, Limits, Progress, Report, Setup
from core.search.clock import CLOCK
from core.search.deepening import Schedule
from core.search.scores import MAX_DISTANCE, UNSETTLED, WIN
from core.search.searcher import FULL_LEVEL, HASH, LEVEL, MARGIN, SEED, THREADS, Levels, Searcher, SearchPlayer

# What one process and its boot loader take of the virtual address space without the table, measured on Linux (170 MiB,
# most of it the allocator's reserve for two threads), and what each further thread adds (record, stack, reserve).
PROCESS_BYTES = 180 * MIB
THREAD_BYTES = 80 * MIB
MIN_TABLE_BYTES = 4 * MIB  # also under a limit that the process alone exceeds
ROOT_VCF_PLIES = 60
ROOT_VCF_NODES = 400_000
VCT_PLIES = 120  # more than a win by threats has, and room for it in the record
DEFENCE_VCF_NODES = 5_000  # for the opponent's wins by fours, once for each root move
VCT_NODES, PASS_VCT_NODES, DEFENCE_VCT_NODES = (
    40_000,
    10_000,
    3_000,
)  # for ours by threats, his if we passed, after a move
VCF_TIME_SHARE, VCT_TIME_SHARE, DEFENCE_TIME_SHARE = 0.2, 0.1, 0.15  # of a move's time
MAX_STATIC_WIN_PLIES = (
    4  # plies: as `settle` sees every win in one, a win in three or a loss in four is never a shorter one
)

LEVELS = Levels(
    nodes=(2_500, 6_000, 13_000, 26_000, 48_000, 85_000, 150_000, 260_000, 450_000),
    lapses=(0.4, 0.2, 0.11, 0.065, 0.04, 0.025, 0.015, 0.01, 0.005),
)

MEMORY = Option("memory", 0, "limit of the whole process in bytes, 0 for none", low=0)
EVALUATION = Option("evaluation", "network", "what judges positions", choices=("network", "counts"))
THREATS = Option("threats", "fours", "that a win by continuous threats is made of", choices=("fours", "threes"))
ENGINE_OPTIONS = (LEVEL, THREADS, HASH, MEMORY, MARGIN, SEED, EVALUATION, THREATS)


class GomokuEngine(BoardPlayer, SearchPlayer[GomokuPosition]):
    """The search player."""

    def __init__(self, options: OptionSet):
        super().__init__(options)
        position = self.position
        self._searcher = Searcher("Gomoku", position, format_line, options, MAX_STATIC_WIN_PLIES)
        self._network = ""

    def new_game(self, setup: Setup) -> None:
        """Begin a game; table entries stay where rule and board are the same: keys do not tell boards apart."""
        before = self.position.setup
        super().new_game(setup)
        self._searcher.new_game(before == self.position.setup)

    def swap2(self, stones: Sequence[str], limits: Limits) -> list[str]:
        """Answer the swap2 opening of 0, 3 or 5 stones; the board is left with stones of its own."""
        return answer_swap2(stones, self.position.setup, self._evaluator(limits))

    def soosorv(self, limits: Limits) -> Soosorv:
        """Return what answers a step of the Soosorv-8 opening within the limits; the board is left as by `swap2`."""
        return Soosorv(self.position.setup, self._evaluator(limits))

    def balance(self, count: int, bias: int, limits: Limits) -> Progress:
        """Return 1 or 2 moves from here after which the side to move has a score near `bias`; raise IllegalMove."""
        return find_balanced(self.position.moves, count, bias, self._evaluator(limits))

    def lost_to_threats(self, limits: Limits) -> list[str]:
        """Return moves after which the opponent wins by continuous threats, if he threatens to."""
        with self._searcher.searching(limits.stop):
            schedule, state = self._schedule(limits), self.position.state
            self._searcher.fit(schedule, self._max_table_bytes())
            self.position.library.prepare_root(state, 0)
            state.node_limit = limits.nodes or 0
            return [format_cell(cell) for cell in self._list_losing_moves(schedule)]

    def _evaluator(self, limits: Limits) -> PlayerEvaluator:
        return PlayerEvaluator(self, limits)

    def _choose(self, limits: Limits, report: Report) -> Decision:
        """Choose a move; at a finished game any free square, on a full board none."""
        self._load_evaluation()
        allowed = self.position.allowed_numbers(limits.exclude)
        if len(allowed) < 2:
            return Decision(format_cell(allowed[0]) if allowed else self._free_square(), note="only move")
        schedule, exclude = self._schedule(limits), self._cells(limits.exclude)
        self._searcher.fit(schedule, self._max_table_bytes())
        if self.options.integer("level") < FULL_LEVEL:
            return self._searcher.run_weakly(LEVELS, self._random, limits, schedule, exclude, report)
        if limits.depth is None and limits.nodes is None and limits.lines == 1 and not exclude:
            known = self._book_move(limits)
            return known or self._choose_by_threats(limits, schedule, report)
        return self._searcher.run(limits, schedule, exclude, report)

    def _book_move(self, limits: Limits) -> Decision | None:
        """The book's move, where a clock asks for one; who asks without a limit wants an analysis."""
        if limits.move_time_ms is None and limits.time_left_ms is None:
            return None
        move = find_reply(self.position.setup, self.position.moves)
        return Decision(move, Progress(pv=(move,)), "book") if move else None

    def _choose_by_threats(self, limits: Limits, schedule: Schedule, report: Report) -> Decision:
        """A win by continuous fours or threats, else the best move that does not allow one."""
        state, library = self.position.state, self.position.library
        library.prepare_root(state, 0)
        state.node_limit = 0
        lost: list[int] = []
        if library.settle(state, 0) <= 0:  # else the search sees the win at once
            forced = self._find_vcf(schedule)
            if forced is None and self._searches_vct:
                forced = self._find_vct(schedule)
            if forced:
                report(forced.progress)
                return forced
            lost = self._list_losing_moves(schedule)
        return self._search_without(limits, schedule, lost, report)

    def _load_evaluation(self) -> None:
        """Load the network of the rule where it is to judge; what the table holds is of what judged before."""
        state = self.position.state
        wanted = NETWORKS.get(state.rule, "") if self.options["evaluation"] == "network" else ""
        if wanted != self._network:
            load_network(state, wanted)
            self._network = wanted
            self._searcher.clear_hash()

    def _search_without(self, limits: Limits, schedule: Schedule, lost: Sequence[int], report: Report) -> Decision:
        """Alpha-beta without moves that lose anyway, but maybe later than the others: no loss has a distance then."""

        def as_undated_loss(progress: Progress) -> Progress:
            is_bound = lost and progress.result == "loss"
            return replace(progress, win_in=None, proven="loss") if is_bound else progress

        decision = self._searcher.run(limits, schedule, lost, lambda progress: report(as_undated_loss(progress)))
        return replace(decision, progress=as_undated_loss(decision.progress))

    def _schedule(self, limits: Limits) -> Schedule:
        state = self.position.state
        empty_share = 1 - state.stones / (state.width * state.height)
        return self._searcher.schedule(limits, moves_to_go=5 + 7 * empty_share)

    def _find_vcf(self, schedule: Schedule) -> Decision | None:
        """A win by fours alone, found by a long search at the root and played at once."""
        state, library = self.position.state, self.position.library
        self._set_deadline(schedule, VCF_TIME_SHARE)
        started = time.perf_counter()
        length = library.find_vcf_move(state, self._searcher.table, ROOT_VCF_PLIES, ROOT_VCF_NODES)
        if not length:
            return None
        line = [cell for cell in state.vcf_line[:length] if cell]
        if state.rule & CARO:  # a four has several answers there, and the line holds pieces of several of them
            line = line[:1]
        pv = tuple(format_cell(cell) for cell in line)
        elapsed = int((time.perf_counter() - started) * 1000)
        shortest = length if length <= MAX_STATIC_WIN_PLIES else None
        progress = Progress(length, length, WIN - length, shortest, state.nodes, elapsed, pv, proven="win")
        return Decision(pv[0], progress, "continuous fours")

    def _find_vct(self, schedule: Schedule) -> Decision | None:
        """A win by threes and fours, found by proof numbers and played at once; its distance is not told."""
        state, library = self.position.state, self.position.library
        self._set_deadline(schedule, VCT_TIME_SHARE)
        started = time.perf_counter()
        move = library.find_vct(state, self._searcher.table, VCT_PLIES, VCT_NODES)
        if not move:
            return None
        elapsed = int((time.perf_counter() - started) * 1000)
        square = format_cell(move)
        progress = Progress(1, 1, WIN - MAX_DISTANCE, None, state.nodes, elapsed, (square,), proven="win")
        return Decision(square, progress, "continuous threats")

    def _list_losing_moves(self, schedule: Schedule) -> list[int]:
        """Root moves after which the opponent wins by continuous fours or threats, where it would if we passed."""
        state, library, table = self.position.state, self.position.library, self._searcher.table
        self._set_deadline(schedule, DEFENCE_TIME_SHARE)
        library.pass_turn(state)
        is_threatened = library.settle(state, 0) == UNSETTLED and (
            library.find_vcf_move(state, table, ROOT_VCF_PLIES, DEFENCE_VCF_NODES)
            or (self._searches_vct and library.find_vct(state, table, VCT_PLIES, PASS_VCT_NODES))
        )
        library.pass_turn(state)
        if not is_threatened:
            return []
        before = set(state.root_moves[: state.root_count])
        vct_nodes = DEFENCE_VCT_NODES if self._searches_vct else 0
        library.drop_lost_moves(state, table, ROOT_VCF_PLIES, DEFENCE_VCF_NODES, vct_nodes)
        return sorted(before - set(state.root_moves[: state.root_count]))

    @property
    def _searches_vct(self) -> bool:
        return self.options["threats"] == "threes"

    def _set_deadline(self, schedule: Schedule, share: float) -> None:
        """Give what follows a share of the move's time."""
        state = self.position.state
        state.aborted = 0
        state.deadline = CLOCK.deadline_in(None if schedule.hard_ms is None else schedule.hard_ms * share)

    def _max_table_bytes(self) -> int | None:
        """What the memory limit leaves for the table; None without a limit."""
        memory = self.options.integer("memory")
        if not memory:
            return None
        room = memory - PROCESS_BYTES - THREAD_BYTES * (self._searcher.threads - 1)
        return max(room, MIN_TABLE_BYTES)


def format_line(cells: Sequence[int]) -> list[str]:
    """Squares of a line; a pass shows where the reply does not matter."""
    return [format_cell(cell) if cell else "--" for cell in cells]
