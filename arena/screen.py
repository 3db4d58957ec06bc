"""What a person sees of a match: a line that lives while it runs, and the tables at its end."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from arena.config import INTERRUPTED, MatchResult
from arena.ending import FAULTS, Ending
from arena.log import GameEnded
from arena.standing import EngineLine, Standing, describe_concerns

if TYPE_CHECKING:
    from arena.check import CheckResult

REPORT_EVERY = 10  # games, where the screen is no terminal
UNDEFINED = "n/a"
_FAULT_HEADINGS = {
    Ending.TIME: "time losses",
    Ending.STALL: "stalls",
    Ending.DISCONNECT: "crashes",
    Ending.ILLEGAL: "illegal",
    Ending.REFUSED: "refused",
}


class LiveScreen:
    """Shows a running match on a console; used as a context. Without a terminal it prints a line every ten games."""

    def __init__(self, console: Console, games: int, title: str) -> None:
        self._console = console
        self._games = games
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("[dim]{task.fields[now]}"),
            console=console,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task(title, total=games, now="")

    def on_move(self, game: int, plies: int) -> None:
        """Show which game is at which ply."""
        self._progress.update(self._task, now=f"game {game}, ply {plies}")

    def on_game(self, game: GameEnded, standing: Standing) -> None:
        """Count the game and show the score; tell what no one should miss."""
        self._progress.update(self._task, advance=1, description=_format_score(standing))
        if game.ending in FAULTS or game.ending is Ending.VOID:
            self._console.print(f"game {game.number}: {game.ending}, {game.blamed}: {game.detail}", markup=False)
        if not self._console.is_terminal and standing.played % REPORT_EVERY == 0:
            self._console.print(f"{standing.played} of {self._games} games: {_format_score(standing)}", markup=False)

    def __enter__(self) -> LiveScreen:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()


def print_result(console: Console, result: MatchResult) -> None:
    """Print the tables, the pair statistics, what speaks against the result, and planned against played games."""
    standing = result.standing
    console.print(_result_table(standing))
    console.print()
    console.print(_conduct_table(standing))
    console.print()
    if standing.by_pairs:
        console.print(_format_pairs(standing), highlight=False)
    for concern in describe_concerns(standing):
        console.print(f"[yellow]warning:[/] {concern}")
    if result.stopped:
        reason = result.stopped if result.stopped != INTERRUPTED else "interrupted, running games have no result"
        console.print(f"stopped: {reason}", style="red", markup=False, highlight=False)
    played = f"played {standing.played} of {result.planned} games, {standing.distinct} distinct"
    console.print(f"{played}; records in {result.directory}", markup=False, highlight=False, soft_wrap=True)


def print_check(console: Console, result: CheckResult) -> None:
    """Print one point of a protocol check as it is done."""
    word = "[green]pass[/]" if result.passed else "[red]FAIL[/]"
    detail = f": {result.detail}" if result.detail else ""
    console.print(f"{word} {result.number:2} {escape(result.title + detail)}", soft_wrap=True)


def _result_table(standing: Standing) -> Table:
    table = _new_table()
    for heading in ("games", "won", "drawn", "lost", "score", "Elo"):
        table.add_column(heading, justify="right", no_wrap=True)
    for sign, line in zip((1, -1), standing.engines, strict=True):
        games = line.won + line.drawn + line.lost
        share = f"{line.points / games:.1%}" if games else UNDEFINED
        elo = _format_elo(standing.summary.elo, standing.summary.elo_error, sign)
        table.add_row(line.name, str(games), str(line.won), str(line.drawn), str(line.lost), share, elo)
    return table


def _conduct_table(standing: Standing) -> Table:
    table = _new_table()
    for heading in (*_FAULT_HEADINGS.values(), "mean ms", "max ms"):
        table.add_column(heading, justify="right", no_wrap=True)
    for line in standing.engines:
        table.add_row(line.name, *(str(line.faults[ending]) for ending in _FAULT_HEADINGS), *_format_times(line))
    return table


def _new_table() -> Table:
    """A table that fits 80 columns beside a name of ordinary length."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("engine", overflow="fold")
    return table


def _format_times(line: EngineLine) -> tuple[str, str]:
    return _format(line.mean_ms, "{:.0f}"), _format(line.max_ms, "{}")


def _format_pairs(standing: Standing) -> str:
    """Pair counts, worst first, and what they say about the first engine."""
    summary = standing.summary
    counts = ", ".join(map(str, standing.pair_counts))
    return (
        f"pairs of {standing.engines[0].name} (LL, LD, even, WD, WW): {counts}; "
        f"split {_format(standing.split_share, '{:.0%}')}\n"
        f"normalized Elo {_format_elo(summary.normalized_elo, summary.normalized_error, 1)}, "
        f"likelihood of superiority {_format(summary.superiority, '{:.1%}')}"
    )


def _format_elo(elo: float | None, error: float | None, sign: int) -> str:
    if elo is None:
        return UNDEFINED
    return f"{sign * elo:+.1f} ± {_format(error, '{:.1f}')}"


def _format(value: float | None, form: str) -> str:
    return UNDEFINED if value is None else form.format(value)


def _format_score(standing: Standing) -> str:
    first, second = standing.engines
    return f"{first.name} {first.points:g} : {second.points:g} {second.name}"
