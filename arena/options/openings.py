"""What `pentad openings` is asked for about testing."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class BookTestOptions:
    """The options of `pentad openings` on testing; each field's text is its help."""

    test: Annotated[list[str], Parameter(negative="")] = field(default_factory=list)
    """Engine, as in a match, that plays each opening against itself with both colours, or once for each of several that
    play each other; those that the same side wins every time are dropped."""

    decided: float = 1.0
    """Share of an opening's points with which a side has decided it, above 0.5; 1 drops what it wins every time."""

    book: Path | None = None
    """File of openings to test instead of new ones."""

    games: int = 2
    """Games of each opening and each two engines, half of them with each colour."""

    tc: str | None = None
    """Time control of the test, as in a match."""

    concurrency: int = 1
    """Games at a time."""

    out: Path | None = None
    """Folder of the test's run; where it was broken off there, the same command goes on. runs/openings-TIME where not
    given."""


DEFAULT_BOOK_TEST = BookTestOptions()
