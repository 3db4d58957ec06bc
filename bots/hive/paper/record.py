"""What the thesis' players keep in Hive's record, and the points of their evaluation."""

from __future__ import annotations

from core.native.state_type import StateField

ROUND_QUEEN = 20  # points for an occupied cell beside the enemy queen; costs as many beside one's own
MOBILE = (40, 4, 8, 6, 12, 12, 10, 10)  # points for a tile that can move, by kind; the queen's weigh most
MAX_THESIS_DEPTH = 20  # plies; a list of moves each in the record

THESIS_FIELDS = (StateField("thesis_random", "u64", (), "state of the stream that shuffles moves; never 0"),)
