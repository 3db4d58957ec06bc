"""Constants of Pettersson's thesis players (bots/hive/kernels/paper.py), and the state fields that only they need."""

from __future__ import annotations

from core.native.state_type import StateField

# Points of the evaluation, chosen by us.
QUEEN_NEIGHBOUR_POINTS = 20  # per occupied cell beside the enemy queen; subtracted for the own queen
MOBILITY_POINTS = (40, 4, 8, 6, 12, 12, 10, 10)  # per tile that can move, by kind in the order of bots/hive/tiles.py
MAX_THESIS_DEPTH = 20  # plies; each ply of a search uses a move list of the state

THESIS_FIELDS = (StateField("thesis_random", "u64", (), "state of the random generator that shuffles moves; never 0"),)
