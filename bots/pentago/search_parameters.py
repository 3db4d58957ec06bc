"""Constants of Pentago's search that are hidden options; core/search/parameters.py describes most of them.

The values are from the first version; others were tested later and did not gain (bots/pentago/README.md).
"""

from __future__ import annotations

from core.search.parameters import game_parameters, integer_parameter, without

PARAMETERS = (
    *game_parameters(rfp_max_depth=2, rfp_margin=100, lmp_base=24, lmp_factor=12, lmp_max_depth=3, lmr_divisor=1.7),
    # With more marbles, zugzwang is possible, and a null move proves nothing
    integer_parameter("max_null_move_marbles", 28, 0, 36, 2, "null move: marbles on the board, fewer than this"),
)
# No move counts as an answer to a threat
TUNABLE = without(PARAMETERS, "max_threat_plies", "lmp_threat_base", "lmp_threat_max_depth", "lmr_threat_factor")
