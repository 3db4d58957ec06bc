"""What an engine thinks of a position, as the page shows it, and the analyst whose only work that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from arena.web.opponents import start_analyst
from arena.web.scene import Painter
from arena.web.thinker import Order, Thinker
from core.game import Game, Position
from core.player import Decision, Limits, Progress

ANALYSIS = Limits(move_time_ms=6000, lines=3)
HINT = Limits(move_time_ms=1500)


class Insight(msgspec.Struct, frozen=True):
    """A line that an engine found: `value` for the side to move, `score` in words, `steps` the first move's clicks."""

    move: str
    steps: tuple[str, ...]
    value: int
    score: str
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
        """The best lines of the position looked at last: the engine's choice, then the others by score."""
        found = dict(self._found)
        return tuple(found[line] for line in sorted(found, key=lambda line: (line > 1, -found[line].value)))

    def look(self, position: Position, limits: Limits) -> None:
        """Look at a position; what was known of another one is forgotten."""
        steps = self._painter.list_steps(position)
        found: dict[int, Insight] = {}
        self._found, self.failure, self.busy = found, "", True

        def on_progress(progress: Progress) -> None:
            if progress.pv and progress.line <= limits.lines:
                put_line(found, progress.line, make_insight(progress, progress.pv[0], steps))
                self._notify()

        def on_decision(decision: Decision) -> None:
            if limits.lines == 1 and decision.move in steps:
                found[1] = make_insight(decision.progress, decision.move, steps)
            self._end(found, "")

        def on_failure(text: str) -> None:
            self._end(found, text)

        self._thinker.ask(
            Order(position.setup, tuple(position.moves), limits, on_progress, on_decision, on_failure)
        )

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


def make_insight(progress: Progress, move: str, steps: Mapping[str, Sequence[str]]) -> Insight:
    """What a report of a search says about a move of the position that `steps` belong to."""
    line = progress.pv if progress.pv[:1] == (move,) else (move,)
    clicks = tuple(steps.get(move, ()))
    return Insight(move, clicks, progress.score, describe_score(progress), progress.depth, progress.nodes, line)


def describe_score(progress: Progress) -> str:
    """A score in words: `+35`, or `win in 7` and `loss in 4` plies where it is proven; empty where none was told."""
    if progress.win_in:
        return f"{'win' if progress.win_in > 0 else 'loss'} in {abs(progress.win_in)}"
    return f"{progress.score:+d}" if progress.depth or progress.nodes else ""
