"""The progress bar of `pentad review`, and the table that it prints for each game."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from arena.game_files.stored_game import StoredGame
from arena.log.engine_output import make_printable
from arena.review.grades import Grade
from arena.review.moves import GameReview, summarize

SIDE_NAMES = ("first", "second")


class ReviewDisplay:
    """A progress bar over the positions of the current game; without a terminal it prints nothing."""

    def __init__(self, console: Console, games: int) -> None:
        self._games = games
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._progress.add_task("", total=None)

    def begin(self, index: int, title: str) -> None:
        """Begin the bar of game number `index`."""
        text = title if self._games == 1 else f"game {index} of {self._games}: {title}"
        self._progress.reset(self._task, description=make_printable(text))

    def on_position(self, done: int, total: int) -> None:
        """Show how many positions are searched."""
        self._progress.update(self._task, completed=done, total=total)

    def __enter__(self) -> ReviewDisplay:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()


def print_review(console: Console, title: str, stored: StoredGame, review: GameReview) -> None:
    """Print accuracy and grades of both players, and the three worst moves of each."""
    setup = stored.setup
    size = f" {setup.width}x{setup.height}" if setup.width else ""
    console.print(
        f"{title}: {stored.game.title} {setup.variant}{size}, {len(stored.moves)} moves", markup=False, soft_wrap=True
    )
    names = [make_printable(player.name) or SIDE_NAMES[side] for side, player in enumerate(review.players)]
    console.print(summarize(stored, review, names), markup=False, soft_wrap=True)
    if stored.note:
        console.print(f"note: {stored.note}", markup=False, soft_wrap=True)
    grades = [grade for grade in Grade if grade != Grade.UNGRADED]
    table = Table("player", "accuracy", *(grade.value for grade in grades), box=None)
    for side, player in enumerate(review.players):
        accuracy = "n/a" if player.accuracy is None else f"{player.accuracy:.1f} %"
        table.add_row(Text(names[side]), accuracy, *(str(player.grades[grade.value]) for grade in grades))
    console.print(table)
    for side, player in enumerate(review.players):
        for ply in player.worst:
            console.print(f"{names[side]}, move {ply}: {review.moves[ply - 1].text}", markup=False, soft_wrap=True)
