"""What a person sees of a run: a display that lives while it runs, and the tables at its end."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from arena.log.engine_output import printable_line
from arena.log.events import GameEnded, GameStarted
from arena.results.crosstable import format_elo_of, format_score_line, format_score_share, rank_engines
from arena.results.derived_files import CROSSTABLE_NAME, WARNING_PREFIX, format_full_report, format_short_report
from arena.results.outcome import RunOutcome
from arena.results.run_statistics import RunStatistics, format_faults
from arena.run.config import USER_STOP, MatchResult
from arena.statistics.sprt import SprtState, format_sprt
from arena.terms.ending import FAULTS, Ending
from core.play.game import Position
from protocols.command_line import join_command

if TYPE_CHECKING:
    from arena.check.check_list import CheckResult

REPORT_EVERY = 10  # games, where the screen is no terminal
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}
LEAST_WIDTH = 20  # of a board, characters; names have as much room


@dataclass
class _Running:
    """A game that is being played; `board` and `last_move` where boards are shown."""

    players: tuple[str, str]
    plies: int
    board: str = ""
    last_move: str = ""


class LiveDisplay:
    """Shows a running match on a console; used as a context. Without a terminal it prints a line every ten games.

    A line for each finished game goes to `out`, by default the same console, unless it is not to tell games. With
    `symbols` it shows the running games' boards, too, on which they stand for the two sides.
    """

    def __init__(
        self,
        console: Console,
        planned: int,
        *,
        symbols: tuple[str, str] | None = None,
        out: Console | None = None,
        tells_games: bool = True,
    ) -> None:
        self._console = console
        self._tells_games = tells_games
        # on one terminal lines go above what lives there
        self._out = console if out is None or (out.is_terminal and console.is_terminal) else out
        self._planned = planned
        self._symbols = symbols if console.is_terminal else None
        self._standing: RunStatistics | None = None
        self._course: SprtState | None = None
        self._running: dict[int, _Running] = {}
        self._reported = 0
        self._progress = Progress(
            BarColumn(bar_width=24), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(), console=console
        )
        self._task = self._progress.add_task("", total=planned)
        self._live = Live(get_renderable=self._render, console=console, refresh_per_second=4, transient=True)

    def on_start(self, game: GameStarted) -> None:
        """Show the game among the running ones."""
        self._running[game.number] = _Running((game.first, game.second), len(game.opening))

    def on_move(self, game: int, position: Position) -> None:
        """Show which game is at which ply, also before its first move, and its board where that is wanted."""
        running = self._running[game]
        running.plies = len(position.moves)
        if self._symbols:
            running.board, running.last_move = position.board(), "".join(position.moves[-1:])

    def on_game(self, game: GameEnded) -> None:
        """Take the game away and tell how it ended; that one could not be played stops the run, whose end tells it."""
        self._running.pop(game.number, None)
        if game.ending is not Ending.VOID and self._tells_games:
            self._out.print(describe_game(game), markup=False, soft_wrap=not self._out.is_terminal)

    def on_pair(self, statistics: RunStatistics, sprt_state: SprtState | None) -> None:
        """Show how things stand; without a terminal every ten games."""
        if self._standing is None:  # games of earlier sittings say nothing about the pace
            self._progress.reset(self._task, completed=statistics.played)
        self._progress.update(self._task, completed=statistics.played)
        if not self._console.is_terminal and statistics.played // REPORT_EVERY > self._reported:
            test = f"; {format_sprt(sprt_state, ended=False)}" if sprt_state else ""
            faults = format_faults(statistics)
            told = f"; faults: {faults}" if faults else ""
            self.tell(f"{statistics.played} of {self._planned} games: {format_score_line(statistics)}{told}{test}")
        self._reported = statistics.played // REPORT_EVERY
        self._standing, self._course = statistics, sprt_state

    def tell(self, text: str) -> None:
        """Print a line above what lives; on a terminal no word of it is broken."""
        self._console.print(text, markup=False, soft_wrap=not self._console.is_terminal)

    def __enter__(self) -> LiveDisplay:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def _render(self) -> Group:
        parts: list[RenderableType] = []
        if self._standing and self._standing.played:
            parts.append(_standing_table(self._standing))
        if self._course:
            parts.append(Text(format_sprt(self._course, ended=False)))
        running = list(self._running.items())  # the games go on while this is drawn
        for number, game in running:
            if not game.board:
                parts.append(Text(f"game {number}: {' - '.join(game.players)}, ply {game.plies}", style="dim"))
        boards = [_draw_board(number, game, self._symbols) for number, game in running if game.board and self._symbols]
        # below the bar, as a low terminal cuts off what is at the end
        return Group(*parts, self._progress, *([Columns(boards, padding=0)] if boards else []))


class CheckDisplay:
    """Prints the points of a check to `out`, and a bar of its games to `err` while they last; used as a context."""

    def __init__(self, out: Console, err: Console, games: int) -> None:
        self._out = out
        columns = (TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn())
        self._progress = Progress(
            *(*columns, TimeElapsedColumn(), TimeRemainingColumn()),
            console=err,
            disable=not err.is_terminal,
            transient=True,
            redirect_stdout=False,  # the points belong to `out`, wherever that goes
        )
        self._games = self._progress.add_task("random games", start=False, total=games)

    def on_point(self, result: CheckResult) -> None:
        """Print a point."""
        self._progress.stop()
        print_check(self._out, result)

    def on_game(self) -> None:
        """One more game is done."""
        self._progress.start()
        self._progress.start_task(self._games)
        self._progress.advance(self._games)

    def __enter__(self) -> CheckDisplay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()


def describe_game(game: GameEnded) -> str:
    """How a game ended, in a line that scripts can read: the score, the first player's first, and why."""
    score = RESULTS[game.score(game.first)]
    if game.ending in FAULTS:
        why = f"{game.ending} by {game.blamed}: {game.detail}"
    elif game.ending in (Ending.WIN, Ending.DRAW) and game.detail:
        why = game.detail
    else:
        why = ": ".join(filter(None, (game.ending, game.detail)))
    return printable_line(f"Finished game {game.number} ({game.first} v {game.second}): {score}, {why}")


def print_result(console: Console, result: MatchResult, *, verbose: bool = False) -> None:
    """Print why the run stopped where it did, the result, where the rest is and how to go on; nothing but the first
    where no game counts. With `verbose` all tables are printed.
    """
    if result.stopped:
        reason = f"{USER_STOP}, pairs without their end do not count"
        reason = reason if result.stopped == USER_STOP else result.stopped
        console.print(f"stopped: {reason}", style="red", markup=False, soft_wrap=True)
        if result.stopped != USER_STOP and not result.statistics.played:
            return
    _print_text(console, (format_full_report if verbose else format_short_report)(result.outcome))
    rest = "" if verbose else f"; all tables in {CROSSTABLE_NAME} there, or by --verbose"
    console.print(f"records in {result.directory}{rest}", markup=False, soft_wrap=True)
    if not result.outcome.is_finished:
        console.print(f"to go on: pentad resume {join_command([str(result.directory)])}", markup=False, soft_wrap=True)


def print_outcome(console: Console, outcome: RunOutcome) -> None:
    """Print what `crosstable.txt` holds, warnings in colour."""
    _print_text(console, format_full_report(outcome))


def _print_text(console: Console, text: str) -> None:
    for line in text.splitlines():
        style = "yellow" if line.startswith(WARNING_PREFIX) else ""
        console.print(line, style=style, markup=False, soft_wrap=True)


def print_check(console: Console, result: CheckResult) -> None:
    """Print one point of a protocol check as it is done."""
    word = "[green]pass[/]" if result.passed else "[red]FAIL[/]"
    detail = f": {result.detail}" if result.detail else ""
    console.print(f"{word} {result.number:2} {escape(result.title + detail)}", soft_wrap=True)


def _draw_board(number: int, game: _Running, symbols: tuple[str, str]) -> Panel:
    """The board with its last move; above it whose symbols are whose."""
    width = max(LEAST_WIDTH, *map(len, game.board.splitlines()))
    sides = [f"{symbol} {name}" for symbol, name in zip(symbols, game.players, strict=True)]
    names = [side if len(side) <= width else f"{side[: width - 1]}…" for side in sides]
    text = Text("\n".join([*names, game.board]), no_wrap=True, overflow="crop")
    last_move = f"after {escape(game.last_move)}" if game.last_move else None
    return Panel(text, title=f"game {number}, ply {game.plies}", subtitle=last_move)


def _standing_table(statistics: RunStatistics) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("engine", overflow="ellipsis", no_wrap=True)
    two = len(statistics.engines) == 2
    for heading in ("games", "won", "drawn", "lost", "score", *(["Elo"] if two else []), "faults"):
        table.add_column(heading, justify="right", no_wrap=True)
    for line in rank_engines(statistics):
        counts = map(str, (line.games, line.won, line.drawn, line.lost))
        elo = [format_elo_of(statistics, line.name)] if two else []
        table.add_row(line.name, *counts, format_score_share(line), *elo, str(sum(line.faults.values())))
    return table
