"""The list of studies that `pentad study` can run."""

from __future__ import annotations

from arena.errors import UsageError
from arena.study.studies.gomoku_paper import GOMOKU_PAPER
from arena.study.studies.hex_players import HEX_PLAYERS
from arena.study.studies.hive_table3 import HIVE_TABLE3
from arena.study.studies.hive_table4 import HIVE_TABLE4
from arena.study.studies.kolibrat_annealing import KOLIBRAT_ANNEALING
from arena.study.studies.kolibrat_tables import KOLIBRAT_TABLES
from arena.study.studies.levels import LEVELS
from arena.study.studies.pentago import PENTAGO_DEPTH, PENTAGO_TIME
from arena.study.study import Study

STUDIES = (
    GOMOKU_PAPER,
    HIVE_TABLE3,
    HIVE_TABLE4,
    HEX_PLAYERS,
    PENTAGO_DEPTH,
    PENTAGO_TIME,
    KOLIBRAT_TABLES,
    KOLIBRAT_ANNEALING,
    LEVELS,
)


def find_study(name: str) -> Study:
    """Return the study with this name, ignoring case; raise `UsageError` with the known names if there is none."""
    for study in STUDIES:
        if study.name == name.lower():
            return study
    raise UsageError(f"unknown study {name!r}; known: {', '.join(study.name for study in STUDIES)}")
