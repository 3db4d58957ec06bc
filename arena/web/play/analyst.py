"""Analysis for the play page: the game's strongest player searches a position and reports its best moves.

It serves the hint button (one move, `HINT`) and the analysis (three moves, `ANALYSIS`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import msgspec

from arena.web.play.opponents import start_analyst
from arena.web.play.player_thread import EngineRequest, PlayerThread
from core.play.game import Game, Position
from core.play.player import AllMovesExcluded, Decision, Limits, Player, Progress, ProgressCallback
from core.play.scene import Painter
from core.search.scores import MAX_EVALUATION, WIN

HINT = Limits(move_time_ms=1500)
ANALYSIS = Limits(move_time_ms=6000, multi_pv=3)


class AnalysisLine(msgspec.Struct, frozen=True):
    """A move with its evaluation and principal variation."""

    move: str
    clicks: tuple[str, ...]  # ids to click, in order, for the move; empty if the move is not legal
    score: str  # for the side to move, as `describe_score` writes it, or the player's note; empty if unknown
    is_proven: bool
    depth: int  # plies; the page does not show it for a proven score
    nodes: int
    pv: tuple[str, ...]  # begins with `move`


class Analyst:
    """Runs the game's strongest player on a thread. `notify` is called on that thread when the results change."""

    def __init__(self, game: Game, painter: Painter, notify: Callable[[], None]) -> None:
        self._painter = painter
        self._notify = notify
        self._thread = PlayerThread("analyst", lambda: start_analyst(game))
        self._lines_by_rank: dict[int, AnalysisLine] = {}  # the best move has rank 1
        self.failure = ""
        self.is_busy = False

    @property
    def lines(self) -> tuple[AnalysisLine, ...]:
        """The best moves of the position analysed last, the best one first; empty after `stop`."""
        lines = dict(self._lines_by_rank)  # a copy, because the thread may add lines meanwhile
        return tuple(lines[rank] for rank in sorted(lines))

    def analyse(self, position: Position, limits: Limits) -> None:
        """Start to analyse a position; the analysis of the previous position ends, and its results are dropped."""
        clicks = self._painter.list_clicks(position)
        lines: dict[int, AnalysisLine] = {}
        self._lines_by_rank, self.failure, self.is_busy = lines, "", True

        def on_progress(progress: Progress) -> None:
            if progress.pv and progress.pv_index <= limits.multi_pv:
                insert_line(lines, progress.pv_index, make_analysis_line(progress, progress.pv[0], clicks))
                self._notify()

        def on_decision(decision: Decision) -> None:
            if decision.move in clicks and (limits.multi_pv == 1 or not lines):
                lines[1] = make_analysis_line(decision.progress, decision.move, clicks, decision.note)
            self._end(lines, "")

        def on_failure(text: str) -> None:
            self._end(lines, text)

        moves = tuple(position.moves)
        self._thread.submit(
            EngineRequest(
                position.setup, moves, limits, on_progress, on_decision, on_failure, choose=analyse_with_proofs
            )
        )

    def stop(self) -> None:
        """End the analysis and drop its results."""
        self._thread.cancel()
        self._lines_by_rank, self.failure, self.is_busy = {}, "", False

    def close(self) -> None:
        """End the player and its thread."""
        self._thread.close()

    def _end(self, lines: dict[int, AnalysisLine], failure: str) -> None:
        if lines is self._lines_by_rank:  # otherwise it was stopped, or another analysis has begun
            self.failure, self.is_busy = failure, False
            self._notify()


def insert_line(lines: dict[int, AnalysisLine], rank: int, new_line: AnalysisLine) -> None:
    """Set the line of a rank in a dictionary of lines by rank, so that no move has two ranks.

    If the move had another rank, that rank gets the line that the new one displaces. Otherwise the analysis would list
    a move twice if a new iteration of the search puts the second move first.
    """
    for other_rank, line in list(lines.items()):
        if other_rank != rank and line.move == new_line.move:
            if rank in lines:
                lines[other_rank] = lines[rank]
            else:
                del lines[other_rank]
    lines[rank] = new_line


def analyse_with_proofs(player: Player, limits: Limits, report: ProgressCallback) -> Decision:
    """Report the `limits.multi_pv` best moves, with proven scores if the player can prove them; return the best one.

    A multi-PV search skips the tables, solvers and threat searches that prove a single move. Therefore the moves are
    first chosen one by one with the limits of a hint, and each search excludes the moves chosen before. From the
    first move without a proven score on, a multi-PV search finds the moves.
    """
    if limits.multi_pv == 1:
        return player.choose(limits, report)
    proven_moves: list[str] = []

    def report_with_rank(progress: Progress) -> None:
        # an engine without other moves may repeat a proven one
        if progress.pv[:1] not in [(move,) for move in proven_moves]:
            report(replace(progress, pv_index=len(proven_moves) + progress.pv_index))

    best = Decision("")
    while len(proven_moves) < limits.multi_pv:
        hint_limits = replace(HINT, excluded_moves=tuple(proven_moves), stop=limits.stop)
        try:
            decision = player.choose(hint_limits, report_with_rank)
        except AllMovesExcluded:
            return best
        if decision.move in proven_moves or limits.stop.is_set:  # a foreign engine may ignore excluded moves
            return best
        best = best if proven_moves else decision
        if not decision.progress.result:
            break
        proven_moves.append(decision.move)
    if len(proven_moves) < limits.multi_pv:
        rest = replace(limits, multi_pv=limits.multi_pv - len(proven_moves), excluded_moves=tuple(proven_moves))
        decision = player.choose(rest, report_with_rank)
        best = best if proven_moves else decision
    return best


def make_analysis_line(
    progress: Progress, move: str, clicks: Mapping[str, Sequence[str]], note: str = ""
) -> AnalysisLine:
    """Return the line of a move. `clicks` has the clicks of each legal move; `note` replaces a missing score."""
    return AnalysisLine(
        move=move,
        clicks=tuple(clicks.get(move, ())),
        score=describe_score(progress) or note,
        is_proven=bool(progress.result),
        depth=progress.depth,
        nodes=progress.nodes,
        pv=progress.pv if progress.pv[:1] == (move,) else (move,),
    )


def describe_score(progress: Progress) -> str:
    """Return the score as text: `+35`, `draw`, `win`, or `loss in 4` (plies); empty if the player gave no score."""
    result = progress.proven_result
    if progress.win_in or MAX_EVALUATION < abs(progress.score) <= WIN:
        result = "win" if (progress.win_in or progress.score) > 0 else "loss"
    if result:
        return f"{result} in {abs(progress.win_in)}" if progress.win_in else result
    return f"{progress.score:+d}" if progress.depth or progress.nodes else ""
