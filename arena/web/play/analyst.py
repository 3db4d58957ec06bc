"""What an engine thinks of a position, as the page shows it, and the analyst whose only work that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import msgspec

from arena.web.play.opponents import start_analyst
from arena.web.play.thinker import Order, Thinker
from core.play.game import Game, Position
from core.play.player import AllMovesExcluded, Decision, Limits, Player, Progress, ProgressCallback
from core.play.scene import Painter
from core.search.scores import MAX_EVALUATION, WIN

HINT_MS = 1500
HINT = Limits(move_time_ms=HINT_MS)
ANALYSIS = Limits(move_time_ms=6000, multi_pv=3)


class Insight(msgspec.Struct, frozen=True):
    """A line that an engine found: `score` in words for the side to move, `steps` the first move's clicks.

    What is proven has no depth that a person could compare.
    """

    move: str
    steps: tuple[str, ...]
    score: str
    proven: bool
    depth: int
    nodes: int
    line: tuple[str, ...]


class Analyst:
    """The game's strongest player, looking at positions. `notify` is called on its thread whenever `lines` change."""

    def __init__(self, game: Game, painter: Painter, notify: Callable[[], None]) -> None:
        self._painter = painter
        self._notify = notify
        self._thinker = Thinker("analyst", lambda: start_analyst(game))
        self._found: dict[int, Insight] = {}
        self.failure = ""
        self.busy = False

    @property
    def lines(self) -> tuple[Insight, ...]:
        """The best lines of the position looked at last, by rank: the engine's choice first."""
        found = dict(self._found)
        return tuple(found[line] for line in sorted(found))

    def look(self, position: Position, limits: Limits) -> None:
        """Look at a position; what was known of another one is forgotten."""
        steps = self._painter.list_clicks(position)
        found: dict[int, Insight] = {}
        self._found, self.failure, self.busy = found, "", True

        def on_progress(progress: Progress) -> None:
            if progress.pv and progress.pv_index <= limits.multi_pv:
                put_line(found, progress.pv_index, make_insight(progress, progress.pv[0], steps))
                self._notify()

        def on_decision(decision: Decision) -> None:
            if decision.move in steps and (limits.multi_pv == 1 or not found):
                found[1] = make_insight(decision.progress, decision.move, steps, decision.note)
            self._end(found, "")

        def on_failure(text: str) -> None:
            self._end(found, text)

        moves = tuple(position.moves)
        self._thinker.ask(Order(position.setup, moves, limits, on_progress, on_decision, on_failure, find_lines))

    def stop(self) -> None:
        """Forget the position."""
        self._thinker.cancel()
        self._found, self.failure, self.busy = {}, "", False

    def close(self) -> None:
        """End the player."""
        self._thinker.close()

    def _end(self, found: dict[int, Insight], failure: str) -> None:
        if found is self._found:  # else another position is being looked at already
            self.failure, self.busy = failure, False
            self._notify()


def put_line(found: dict[int, Insight], line: int, insight: Insight) -> None:
    """Take in the line of that rank. A move has one line: what its new rank held goes where the move was before."""
    for other, known in list(found.items()):
        if other != line and known.move == insight.move:
            if line in found:
                found[other] = found[line]
            else:
                del found[other]
    found[line] = insight


def find_lines(player: Player, limits: Limits, report: ProgressCallback) -> Decision:
    """Choose as many lines as wanted, what is proven first and each by itself: as a hint, a move is chosen with proofs.

    A search of several lines leaves tables, solvers and threats aside. Once a line is not proven it does the rest.
    """
    if limits.multi_pv == 1:
        return player.choose(limits, report)
    proven: list[str] = []

    def report_next(progress: Progress) -> None:
        if progress.pv[:1] not in [(move,) for move in proven]:  # as an engine may answer that is left no other move
            report(replace(progress, pv_index=len(proven) + progress.pv_index))

    best = Decision("")
    while len(proven) < limits.multi_pv:
        try:
            decision = player.choose(replace(HINT, excluded_moves=tuple(proven), stop=limits.stop), report_next)
        except AllMovesExcluded:  # no other move is left
            return best
        if decision.move in proven or limits.stop.is_set:  # a program may not know of excluded moves
            return best
        best = best if proven else decision
        if not decision.progress.result:
            break
        proven.append(decision.move)
    if len(proven) < limits.multi_pv:
        rest = replace(limits, multi_pv=limits.multi_pv - len(proven), excluded_moves=tuple(proven))
        decision = player.choose(rest, report_next)
        best = best if proven else decision
    return best


def make_insight(progress: Progress, move: str, steps: Mapping[str, Sequence[str]], note: str = "") -> Insight:
    """What a report of a search says about a move of the position that `steps` belong to; the note where it is mute."""
    line = progress.pv if progress.pv[:1] == (move,) else (move,)
    clicks = tuple(steps.get(move, ()))
    proven = bool(progress.result)
    return Insight(move, clicks, describe_score(progress) or note, proven, progress.depth, progress.nodes, line)


def describe_score(progress: Progress) -> str:
    """A score in words: `+35`; `draw`, `win`, or `loss in 4` plies where it is proven; empty where none was told."""
    result = progress.proven_result
    if progress.win_in or MAX_EVALUATION < abs(progress.score) <= WIN:
        result = "win" if (progress.win_in or progress.score) > 0 else "loss"
    if result:
        return f"{result} in {abs(progress.win_in)}" if progress.win_in else result
    return f"{progress.score:+d}" if progress.depth or progress.nodes else ""
