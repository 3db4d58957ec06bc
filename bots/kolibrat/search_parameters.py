"""Constants of Kolibrat's search that are hidden options; core/search/parameters.py describes them.

All were chosen by hand when the engine was written.
"""

from __future__ import annotations

from core.search.parameters import NULL_MOVE_NAMES, game_parameters, without

PARAMETERS = game_parameters(
    rfp_max_depth=3, rfp_margin=400, lmp_base=10, lmp_factor=4, lmp_max_depth=3, lmr_divisor=2.0
)
# Kolibrat has the limit MAX_THREAT_EXTENSION instead of `max_threat_plies`, and no null move
TUNABLE = without(PARAMETERS, "max_threat_plies", *NULL_MOVE_NAMES)
