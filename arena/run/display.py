"""Terminal output of a run (a live display and the final result) and of a protocol check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from arena.console import LiveScreen
from arena.errors import format_resume_command
from arena.log.engine_output import printable_line
from arena.log.events import GameEnded, GameStarted, MoveEntry, RoundPaired
from arena.results.derived_files import CROSSTABLE_NAME, WARNING_PREFIX, format_full_report, format_short_report
from arena.results.outcome import RunOutcome
from arena.results.run_statistics import RunStatistics, format_faults
from arena.results.tables import format_pair_elo, format_score_line, format_score_share, rank_engines
from arena.run.config import USER_STOP, MatchResult
from arena.statistics.sprt import SprtState, format_sprt
from arena.terms.ending import FAULTS, Ending
from core.play.game import Position

if TYPE_CHECKING:
    from arena.check.check_list import CheckResult

REPORT_INTERVAL_GAMES = 10  # a summary is printed after this number of games if the output is not a terminal
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}  # by the score of the first player
MAX_ROUND_LENGTH = 2000  # characters of the line with the encounters of a round
MIN_BOARD_WIDTH = 20  # characters; leaves room for the names above a narrow board


@dataclass
class _RunningGame:
    """A game being played."""

    players: tuple[str, str]  # names; the player who moves first comes first
    plies: int
    board: str = ""  # text of the board; empty unless boards are shown
    last_move: str = ""  # empty unless boards are shown


class LiveDisplay(LiveScreen):
    """Shows the progress of a run.

    If `console` is a terminal, it draws a table and a progress bar there; if not, it prints a summary every ten games.
    With `prints_games` it prints a line per finished game to `out` (default: `console`). `planned` is the number of
    games. `symbols` are the characters of the two sides on text boards; if given, running games are drawn as boards.
    `on_line` gets each line of the log.
    """

    def __init__(
        self,
        console: Console,
        planned: int,
        *,
        symbols: tuple[str, str] | None = None,
        out: Console | None = None,
        prints_games: bool = True,
        on_line: Callable[[bytes], None] = lambda _: None,
    ) -> None:
        self._on_line = on_line
        self._prints_games = prints_games
        # On a terminal, lines must be printed through the console of the live display to appear above it.
        self._out = console if out is None or (out.is_terminal and console.is_terminal) else out
        self._planned = planned
        self._symbols = symbols if console.is_terminal else None
        self._statistics: RunStatistics | None = None
        self._sprt_state: SprtState | None = None
        self._running: dict[int, _RunningGame] = {}  # by game number
        self._summary_count = 0  # summaries that were due so far
        super().__init__(console)
        self._task = self._progress.add_task("", total=planned)

    def on_round(self, paired: RoundPaired, planned: int) -> None:
        """Print the encounters of a round; a tie-break raises the planned number of games."""
        self._planned = planned
        self._progress.update(self._task, total=planned)
        self.show_message(describe_round(paired))

    def on_start(self, game: GameStarted) -> None:
        """Add the game to the running games."""
        self._running[game.number] = _RunningGame((game.first, game.second), len(game.opening))

    def on_move(self, game: int, position: Position, entries: Sequence[MoveEntry]) -> None:  # noqa: ARG002
        """Update the ply number of a running game and, if boards are shown, its board."""
        running = self._running[game]
        running.plies = len(position.moves)
        if self._symbols:
            running.board, running.last_move = position.board(), "".join(position.moves[-1:])

    def on_game(self, game: GameEnded) -> None:
        """Remove the game from the running games and print how it ended.

        A void game is not printed: it stops the run, and the reason is printed with the result.
        """
        self._running.pop(game.number, None)
        if game.ending is not Ending.VOID and self._prints_games:
            self._out.print(describe_game(game), markup=False, soft_wrap=not self._out.is_terminal)

    def on_pair(self, statistics: RunStatistics, sprt_state: SprtState | None) -> None:
        """Update the table; if the output is not a terminal, print a summary every ten games."""
        if self._statistics is None:  # games of earlier sessions must not distort the estimate of the remaining time
            self._progress.reset(self._task, completed=statistics.played)
        self._progress.update(self._task, completed=statistics.played)
        summary_count = statistics.played // REPORT_INTERVAL_GAMES
        if not self._console.is_terminal and summary_count > self._summary_count:
            score = f"{statistics.played} of {self._planned} games: {format_score_line(statistics)}"
            faults = format_faults(statistics)
            fault_text = f"; faults: {faults}" if faults else ""
            sprt_text = f"; {format_sprt(sprt_state, ended=False)}" if sprt_state else ""
            self.show_message(f"{score}{fault_text}{sprt_text}")
        self._summary_count = summary_count
        self._statistics, self._sprt_state = statistics, sprt_state

    def on_line(self, line: bytes) -> None:
        """Pass on a line of the log."""
        self._on_line(line)

    def _render(self) -> Group:
        parts: list[RenderableType] = []
        if self._statistics and self._statistics.played:
            parts.append(_make_statistics_table(self._statistics))
        if self._sprt_state:
            parts.append(Text(format_sprt(self._sprt_state, ended=False)))
        running = list(self._running.items())  # a copy, because other threads add and remove games
        for number, game in running:
            if not game.board:
                parts.append(Text(f"game {number}: {' - '.join(game.players)}, ply {game.plies}", style="dim"))
        boards = [_draw_board(number, game, self._symbols) for number, game in running if game.board and self._symbols]
        # Boards come last, because a small terminal cuts off the bottom.
        return Group(*parts, self._progress, *([Columns(boards, padding=0)] if boards else []))


class CheckDisplay:
    """Prints the items of a protocol check to `out`, and a progress bar of its games to `err`; a context manager."""

    def __init__(self, out: Console, err: Console, games: int) -> None:
        self._out = out
        columns = (TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn())
        self._progress = Progress(
            *(*columns, TimeElapsedColumn(), TimeRemainingColumn()),
            console=err,
            disable=not err.is_terminal,
            transient=True,
            redirect_stdout=False,  # items are printed to `out`; rich would redirect them to `err`
        )
        self._games_task = self._progress.add_task("random games", start=False, total=games)

    def on_item(self, result: CheckResult) -> None:
        """Hide the progress bar, and print the result of one check item."""
        self._progress.stop()
        print_check(self._out, result)

    def on_game(self) -> None:
        """Show the progress bar and advance it by one game."""
        self._progress.start()
        self._progress.start_task(self._games_task)
        self._progress.advance(self._games_task)

    def __enter__(self) -> CheckDisplay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()


def describe_round(paired: RoundPaired) -> str:
    """Return a line such as `Round 2: A - C, B - D; bye: E`."""
    title = f"Round {paired.number}" + (f", tie-break {paired.tie_break}" if paired.tie_break else "")
    byes = f"; bye: {', '.join(paired.byes)}" if paired.byes else ""
    return printable_line(f"{title}: {', '.join(map(' - '.join, paired.pairings))}{byes}", MAX_ROUND_LENGTH)


def describe_game(game: GameEnded) -> str:
    """Return a line such as `Finished game 3 (A v B): 1-0, five`. The score is that of the first player, here A."""
    score = RESULTS[game.score(game.first)]
    if game.ending in FAULTS:
        reason = f"{game.ending} by {game.blamed}: {game.detail}"
    elif game.ending in (Ending.WIN, Ending.DRAW) and game.detail:
        reason = game.detail
    else:
        reason = ": ".join(filter(None, (game.ending, game.detail)))
    return printable_line(f"Finished game {game.number} ({game.first} v {game.second}): {score}, {reason}")


def print_result(console: Console, result: MatchResult, *, verbose: bool = False) -> None:
    """Print the result of a run, the folder of its records and, if games are missing, how to resume it.

    The reason of an early end comes first. With `verbose` all tables are printed.
    """
    if result.stopped:
        reason = f"{USER_STOP}, incomplete pairs do not count" if result.stopped == USER_STOP else result.stopped
        console.print(f"stopped: {reason}", style="red", markup=False, soft_wrap=True)
    _print_text(console, (format_full_report if verbose else format_short_report)(result.outcome))
    hint = "" if verbose else f" (all tables: {CROSSTABLE_NAME} in that folder, or --verbose)"
    console.print(f"records in {result.directory}{hint}", markup=False, soft_wrap=True)
    if not result.outcome.is_finished:
        console.print(f"to resume the run: {format_resume_command(result.directory)}", markup=False, soft_wrap=True)


def print_outcome(console: Console, outcome: RunOutcome) -> None:
    """Print all tables of a run, as in `crosstable.txt`, with warnings in colour."""
    _print_text(console, format_full_report(outcome))


def _print_text(console: Console, text: str) -> None:
    for line in text.splitlines():
        style = "yellow" if line.startswith(WARNING_PREFIX) else ""
        console.print(line, style=style, markup=False, soft_wrap=True)


def print_check(console: Console, result: CheckResult) -> None:
    """Print the result of one item of a protocol check."""
    verdict = "[green]pass[/]" if result.passed else "[red]FAIL[/]"
    detail = f": {result.detail}" if result.detail else ""
    console.print(f"{verdict} {result.number:2} {escape(result.title + detail)}", soft_wrap=True)


def _draw_board(number: int, game: _RunningGame, symbols: tuple[str, str]) -> Panel:
    """Return a frame with a board, the names and symbols of the players above it, and the last move below it."""
    width = max(MIN_BOARD_WIDTH, *map(len, game.board.splitlines()))
    sides = [f"{symbol} {name}" for symbol, name in zip(symbols, game.players, strict=True)]
    headings = [side if len(side) <= width else f"{side[: width - 1]}…" for side in sides]
    text = Text("\n".join([*headings, game.board]), no_wrap=True, overflow="crop")
    last_move = f"after {escape(game.last_move)}" if game.last_move else None
    return Panel(text, title=f"game {number}, ply {game.plies}", subtitle=last_move)


def _make_statistics_table(statistics: RunStatistics) -> Table:
    """Return the table of results with a row per engine; with two engines it also has their Elo."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("engine", overflow="ellipsis", no_wrap=True)
    has_elo = len(statistics.engines) == 2
    for heading in ("games", "won", "drawn", "lost", "score", *(["Elo"] if has_elo else []), "faults"):
        table.add_column(heading, justify="right", no_wrap=True)
    for engine in rank_engines(statistics):
        counts = map(str, (engine.games, engine.won, engine.drawn, engine.lost))
        elo = [format_pair_elo(statistics, engine.name)] if has_elo else []
        table.add_row(engine.name, *counts, format_score_share(engine), *elo, str(sum(engine.faults.values())))
    return table
