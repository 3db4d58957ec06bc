"""The options of `pentad openings` that test openings in games."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class BookTestOptions:
    """The options of `pentad openings` that test openings in games. A field's docstring is its help."""

    test: Annotated[list[str], Parameter(negative="")] = field(default_factory=list)
    """Engine, as in `pentad match --engine`; may be repeated. One engine plays each opening against itself, several
    play each other. Openings that one side wins too often (--decided) are dropped."""

    wine: Annotated[bool, Parameter(negative="")] = False
    """Run the .exe programs of ZIPs under wine, as in `pentad match --wine`."""

    decided: float = 1.0
    """Drop openings in which one side scores at least this share of the points; above 0.5 and at most 1. With 1, only
    openings in which one side wins every game are dropped."""

    book: Path | None = None
    """File of openings to test. Default: new openings are searched and tested."""

    games: int = 2
    """Games per opening and pairing of engines, half of them with each colour."""

    tc: str | None = None
    """Time control of the games, as in `pentad match --tc`."""

    concurrency: int = 1
    """Games played at the same time."""

    out: Path | None = None
    """Folder of the games. The same command resumes an interrupted test. Default: runs/openings-TIME."""


DEFAULT_BOOK_TEST = BookTestOptions()
