"""Output of a run for scripts: `--quiet` prints one line at the end, `--json` the events of the log as they happen."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import msgspec
from rich.console import Console

from arena.errors import format_resume_command
from arena.log.events import GameEnded, GameStarted, MoveEntry, RoundPaired
from arena.results.outcome import RunOutcome
from arena.results.run_statistics import RunStatistics
from arena.results.summary import format_summary
from arena.results.tables import format_pair_elo, format_score_line, rank_engines
from arena.run.config import USER_STOP, MatchResult
from arena.statistics.sprt import SprtState, format_sprt
from core.play.game import Position
from core.system.streams import discard_output

LineHandler = Callable[[bytes], None]


class ResultLine(msgspec.Struct, frozen=True, tag_field="event", tag="result"):
    """The last line of `--json`."""

    exit_code: int  # of the command
    stopped: str  # reason of an early end, empty if there was none
    directory: str  # folder of the run
    summary: object  # content of `summary.json`


class SilentObserver:
    """A RunObserver that shows messages, which are about problems, and nothing else."""

    def __init__(self, console: Console, on_line: LineHandler) -> None:
        self._console = console
        self._on_line = on_line

    def on_round(self, paired: RoundPaired, planned: int) -> None:
        """Ignore the start of a round."""

    def on_start(self, game: GameStarted) -> None:
        """Ignore the start of a game."""

    def on_move(self, game: int, position: Position, entries: Sequence[MoveEntry]) -> None:
        """Ignore a move."""

    def on_game(self, game: GameEnded) -> None:
        """Ignore the end of a game."""

    def on_pair(self, statistics: RunStatistics, sprt_state: SprtState | None) -> None:
        """Ignore the end of a pair."""

    def on_line(self, line: bytes) -> None:
        """Pass on a line of the log."""
        self._on_line(line)

    def show_message(self, text: str) -> None:
        """Print a message."""
        self._console.print(text, markup=False, soft_wrap=True)


def write_json_line(line: bytes) -> None:
    """Write a line of JSON to standard output at once. If its pipe is closed, later lines are discarded.

    The bytes are written as they are: UTF-8, whatever the encoding of the console is.
    """
    try:
        sys.stdout.flush()  # what was printed before
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        discard_output(sys.stdout)
        print("pentad: standard output is closed; the run continues and writes its files", file=sys.stderr)


def write_json_result(result: MatchResult) -> None:
    """Write the last line of `--json`."""
    summary = msgspec.json.decode(format_summary(result.outcome))
    line = ResultLine(int(result.exit_code), result.stopped, str(result.directory), summary)
    write_json_line(msgspec.json.encode(line) + b"\n")


def print_problems(console: Console, result: MatchResult) -> None:
    """Print the reason of an early end, how to resume, and with --strict the warnings that make the run fail."""
    if result.stopped:
        reason = f"{USER_STOP}, incomplete pairs do not count" if result.stopped == USER_STOP else result.stopped
        console.print(f"pentad: stopped: {reason}", style="red", markup=False, soft_wrap=True)
    if not result.outcome.is_finished:
        resume = f"pentad: to resume the run: {format_resume_command(result.directory)}"
        console.print(resume, markup=False, soft_wrap=True)
    for warning in result.outcome.warnings if result.outcome.run.header.strict else ():
        console.print(f"pentad: --strict: {warning}", style="red", markup=False, soft_wrap=True)


def format_result_line(outcome: RunOutcome) -> str:
    """Return the points of all engines, the number of games, and Elo and SPRT if there are two engines, in one line.

    In a Swiss or knock-out the engines are in the order of the tournament, whose points include those of byes.
    """
    statistics, sprt_state = outcome.statistics, outcome.sprt_state
    games = f"{statistics.played} of {outcome.planned} games"
    if outcome.rounds:
        ranks = ", ".join(f"{engine.rank} {engine.name} {engine.points:g}" for engine in outcome.rounds.engines)
        return f"{ranks}; {games}"
    if len(statistics.engines) > 2:
        return f"{', '.join(f'{e.name} {e.points:g}/{e.games}' for e in rank_engines(statistics))}; {games}"
    line = f"{format_score_line(statistics)}; {games}; Elo {format_pair_elo(statistics, statistics.engines[0].name)}"
    return f"{line}; {format_sprt(sprt_state, ended=outcome.is_finished)}" if sprt_state else line
