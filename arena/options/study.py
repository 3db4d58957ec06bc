"""What `pentad study` is asked for on the command line."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class StudyOptions:
    """The options of `pentad study`; each field's text is its help."""

    quick: Annotated[bool, Parameter(negative="")] = False
    """About a minute, with fewer games, which say little."""

    out: Path | None = None
    """Folder of the study; where it was broken off there, the same command goes on. runs/NAME where not given."""

    seed: int = 1
    """Seed of all that is random."""

    engine: Annotated[list[str], Parameter(negative="")] = field(default_factory=list)
    """Once for each further engine, as in a match, of a study that takes some."""

    concurrency: int | None = None
    """Games or measurements at a time; as many as there are processors, with --scheduler as its cluster has threads."""

    scheduler: str = ""
    """Address of a dask.distributed scheduler on whose workers the games are played, as in a match."""


DEFAULT_STUDY_OPTIONS = StudyOptions()
