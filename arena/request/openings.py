"""What `pentad openings` is asked for about testing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cyclopts import Parameter


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class BookTestRequest:
    """The options of `pentad openings` on testing; each field's text is its help."""

    test: str = ""
    """Engine, as in a match, that plays each opening against itself with both colours; those that the same side wins
    every time are dropped."""

    book: Path | None = None
    """File of openings to test instead of new ones."""

    games: int = 2
    """Games of each opening, half of them with each colour."""

    tc: str | None = None
    """Time control of the test, as in a match."""

    concurrency: int = 1
    """Games at a time."""

    out: Path | None = None
    """Folder of the test's run; where it was broken off there, the same command goes on. runs/openings-TIME where not
    given."""


NO_TEST = BookTestRequest()
