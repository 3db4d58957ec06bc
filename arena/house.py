"""What holds for every engine of a run besides its clock."""

from __future__ import annotations

from dataclasses import dataclass

from protocols.engine_client import USUAL_DEADLINES, Deadlines


@dataclass(frozen=True)
class House:
    """The rules of the house; they stand in the log's header."""

    deadlines: Deadlines = USUAL_DEADLINES  # of programs


USUAL_HOUSE = House()
