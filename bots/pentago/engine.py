"""`pentad`, the strongest Pentago player: alpha-beta, and an exact solver once few enough squares are empty.

The result of the solver (bots/pentago/solver.py) is a `Proof`: the value of the position for the side to move (1 win,
0 draw, -1 loss) and the moves that reach it. Moves are integer codes here (bots/pentago/layout.py).
"""

from __future__ import annotations

from dataclasses import replace

from bots.pentago.board_player import BoardPlayer
from bots.pentago.position import PentagoPosition
from bots.pentago.search_parameters import TUNABLE
from bots.pentago.solver import MAX_EMPTY, Proof, prove
from core.play.options import OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback, Solution, ignore_progress
from core.search.alphabeta_search import AlphaBetaEngine, AlphaBetaSearch
from core.search.clock import CLOCK
from core.search.engine_options import HASH, LEVEL, MARGIN, MAX_LEVEL, SEED, THREADS, StrengthLevels
from core.search.scores import NO_SCORE, proven_score

MARGIN_MS = 25  # default of the option `margin`, which is subtracted from time limits
EXPECTED_MOVES_LEFT = 10  # moves that the engine still makes in a game, for time allocation
LEVELS = StrengthLevels(  # for the levels 1 to 9; level 10 is full strength
    nodes=(500, 1_000, 2_000, 5_000, 16_000, 50_000, 150_000, 500_000, 1_500_000),
    mistake_rates=(0.62, 0.35, 0.24, 0.14, 0.12, 0.04, 0.03, 0.02, 0.01),
)
ENGINE_OPTIONS = (LEVEL, THREADS, HASH, replace(MARGIN, default=MARGIN_MS), SEED, *TUNABLE)
# Milliseconds that the solver takes with one thread, by number of empty squares. With fewer than these, it always runs;
# with more, never. On a slower machine, the solver notices that it will be late and gives up in time.
SOLVER_MS = {13: 20, 14: 45, 15: 90, 16: 220, 17: 650, 18: 1_700, 19: 7_000}
PROOF_TIME_SHARE = 0.7  # of a move's time for the solver, because a search must follow if it fails
MOVE_CHOICE_MS = 100  # in `solve`, for choosing a move after the solver has used its time
MIN_SEARCH_MS = 5.0  # for a search, if the solver has left less
PROVEN_SEARCH_TIME_SHARE = 0.3  # of a move's time for the search among moves of equal proven value
EXACT_DISTANCE_PLIES = 4  # proven distances up to this many plies are the shortest ones
RESULTS = {1: "win", 0: "draw", -1: "loss"}  # by the value of a proof


class PentagoEngine(BoardPlayer, AlphaBetaEngine[PentagoPosition]):
    """The player `pentad`; it can also solve positions (`core.play.player.Solver`)."""

    def __init__(self, options: OptionSet):
        super().__init__(options)
        position = self.position
        self._alphabeta = AlphaBetaSearch("Pentago", position, position.format_line, options, EXACT_DISTANCE_PLIES)

    @property
    def table_scope(self) -> None:
        """None: entries of the transposition table are valid in all games, which have the same rules and board."""

    def _choose(self, limits: Limits, report: ProgressCallback) -> Decision:
        moves = self.position.allowed_numbers(limits.excluded_moves)
        if len(moves) < 2:
            return Decision(self.position.format(moves[0]) if moves else "", note="only move")
        if self.position.library.terminal_score(self.position.state, 0) != NO_SCORE:  # a win in one move
            winning = next((move for move in moves if self._is_immediate_win(move)), None)
            if winning is not None:
                return self._win(winning, report)
        budget = self._alphabeta.allocate_time(limits, EXPECTED_MOVES_LEFT)
        self._alphabeta.resize(budget)
        if self.options.get_int("level") < MAX_LEVEL:
            return self._alphabeta.run_at_level(LEVELS, self._random, limits, budget, self._complement(moves), report)
        asks_for_search = limits.depth or limits.nodes or limits.multi_pv > 1
        proof = None if asks_for_search else self._prove_in_time(limits)
        if proof is not None:
            moves, proof = apply_proof(moves, proof)
        return self._search(moves, limits, proof, report)

    def solve(self, limits: Limits) -> Solution:
        """Return the value proven by the solver if few enough squares are empty and time allows, else by a search."""
        with self._alphabeta.begin_move(limits.stop):
            return self._solve(limits)

    def _solve(self, limits: Limits) -> Solution:
        if not self.position.legal_numbers():
            return Solution()
        proof = None
        if self._empty_count() <= MAX_EMPTY:
            budget = self._alphabeta.allocate_time(limits, 1)  # all of the time for this position
            proof = self._prove(budget.hard_ms)
            limits = Limits(move_time_ms=MOVE_CHOICE_MS, stop=limits.stop)
            self._alphabeta.restart_clock()
        decision = self._choose(limits, ignore_progress)
        if proof is None:
            return Solution.from_decision(decision)
        is_proven = self.position.parse(decision.move) in proof.moves
        # All moves of the proof are equally good; the one with the lowest code makes the answer reproducible.
        move = decision.move if is_proven else self.position.format(min(proof.moves))
        return Solution.from_decision(Decision(move, decision.progress.as_proven(RESULTS[proof.value])))

    def _search(self, moves: list[int], limits: Limits, proof: Proof | None, report: ProgressCallback) -> Decision:
        """Search some of the legal moves by alpha-beta in the time that is left.

        `proof` is a proof that all of `moves` reach its value, or None.
        """
        if len(moves) == 1:
            progress = Progress(
                pv=(self.position.format(moves[0]),), proven_result=RESULTS[proof.value] if proof else ""
            )
            report(progress)
            return Decision(progress.pv[0], progress, "proven")
        budget = self._alphabeta.allocate_time(limits, EXPECTED_MOVES_LEFT)
        spent_ms = self._alphabeta.restart_clock()
        if budget.hard_ms is not None:
            share = 1.0 if proof is None else PROVEN_SEARCH_TIME_SHARE
            hard_ms = max(budget.hard_ms * share - spent_ms, MIN_SEARCH_MS)
            soft_ms = None if budget.soft_ms is None else min(budget.soft_ms, hard_ms)
            budget = replace(budget, soft_ms=soft_ms, hard_ms=hard_ms)
        if proof is None:
            return self._alphabeta.run(limits, budget, self._complement(moves), report)
        result = RESULTS[proof.value]
        decision = self._alphabeta.run(
            limits, budget, self._complement(moves), lambda progress: report(progress.as_proven(result))
        )
        return Decision(decision.move, decision.progress.as_proven(result), f"proven {result}")

    def _prove_in_time(self, limits: Limits) -> Proof | None:
        """Return the solver's proof if it can be expected within the time of the move, else None."""
        hard_ms = self._alphabeta.allocate_time(limits, EXPECTED_MOVES_LEFT).hard_ms
        hard_ms = None if hard_ms is None else hard_ms * PROOF_TIME_SHARE
        cost_ms = SOLVER_MS.get(self._empty_count(), 0.0 if self._empty_count() < min(SOLVER_MS) else None)
        if cost_ms is None or (hard_ms is not None and cost_ms / self._alphabeta.threads > hard_ms):
            return None
        return self._prove(hard_ms)

    def _prove(self, time_ms: float | None) -> Proof | None:
        """Run the solver for at most `time_ms` (None for no limit); return None if it does not finish."""
        position = self.position
        threads = self._alphabeta.threads
        try:
            return prove(
                position.library, position.state, position.legal_numbers(), CLOCK.deadline_in(time_ms), threads
            )
        except MemoryError:
            self._alphabeta.warnings.add(f"no memory to solve positions with {self._empty_count()} empty squares")
            return None

    def _empty_count(self) -> int:
        return len(self.position.board_cells()) - self.position.marble_count

    def _is_immediate_win(self, move: int) -> bool:
        """Return whether a legal move wins the game at once."""
        library, state = self.position.library, self.position.state
        side = state.side
        library.apply(state, move)
        wins = state.result == side + 1  # WHITE_WINS or BLACK_WINS
        library.undo(state)
        return bool(wins)

    def _win(self, move: int, report: ProgressCallback) -> Decision:
        """Report and return a move that wins at once."""
        progress = Progress(
            depth=1, selective_depth=1, score=proven_score(1), win_in=1, nodes=1, pv=(self.position.format(move),)
        )
        report(progress)
        return Decision(progress.pv[0], progress)

    def _complement(self, moves: list[int]) -> list[int]:
        """Return the legal moves that are not in `moves`."""
        kept = set(moves)
        return [move for move in self.position.legal_numbers() if move not in kept]


def apply_proof(moves: list[int], proof: Proof) -> tuple[list[int], Proof | None]:
    """Return those of `moves` that reach the proven value, and the proof.

    If none does, because the best moves are excluded, return all of `moves` with what the proof still says about them.
    If the value is a draw, they all lose. If it is a win, nothing is proven about them (None).
    """
    reaching = [move for move in moves if move in proof.moves]
    if reaching:
        return reaching, proof
    return moves, Proof(-1, frozenset(moves)) if proof.value == 0 else None
