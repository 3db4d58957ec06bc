"""The options of `pentad study` on the command line."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class StudyOptions:
    """The options of `pentad study`; a field's docstring is its help."""

    quick: Annotated[bool, Parameter(negative="")] = False
    """Play few games, which takes about a minute but proves little."""

    out: Path | None = None
    """Folder of the study. The same command resumes an interrupted study. Default: runs/NAME, with
    -GAME and -quick added if they are given."""

    seed: int = 1
    """Seed of all random choices."""

    engine: Annotated[list[str], Parameter(negative="")] = field(default_factory=list)
    """Additional engine, as in `pentad match --engine`; may be repeated. Only gomoku-paper accepts engines."""

    concurrency: int | None = None
    """Games or measurements at the same time. Default: one per processor, or per thread of the cluster."""

    scheduler: str = ""
    """Address of a dask.distributed scheduler, such as tcp://host:8786, whose workers play the games."""


DEFAULT_STUDY_OPTIONS = StudyOptions()
