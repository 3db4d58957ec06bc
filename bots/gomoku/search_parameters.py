"""Constants of Gomoku's search that are hidden options; core/search/parameters.py describes most of them.

The values given here were found by matches against other values (bots/gomoku/search_tests.md). All other constants have
the defaults of core/search/parameters.py.
"""

from __future__ import annotations

from dataclasses import replace

from core.search.parameters import NULL_MOVE_NAMES, game_parameters, integer_parameter, without

LEAVES = (  # used in bots/gomoku/kernels/search.py
    integer_parameter("leaf_vcf_plies", 20, 1, 60, 2, "VCF search at the horizon: plies"),
    integer_parameter("leaf_vcf_nodes", 60, 1, 2000, 8, "VCF search at the horizon: fours tried"),
    integer_parameter("lazy_margin_above", 300, 0, 2000, 10, "lazy evaluation: margin above beta"),
    integer_parameter("lazy_margin_below", 200, 0, 2000, 20, "lazy evaluation: margin below alpha"),
)
MOVE_ORDERING = (  # used in bots/gomoku/kernels/moves.py
    integer_parameter("order_defence", 128, 0, 1024, 12, "move ordering: 256ths of the opponent's patterns that count"),
)
PARAMETERS = (
    *game_parameters(
        rfp_max_depth=4,
        rfp_margin=200,
        lmp_base=6,
        lmp_factor=1,
        lmp_max_depth=60,
        lmp_threat_base=4,
        lmr_divisor=1.4,
        lmr_threat_factor=256,
        lmr_alpha_raised=1,
        max_threat_plies=2,
        history_shift=5,
    ),
    *LEAVES,
    *MOVE_ORDERING,
)
# Gomoku has no null move. 0 plies would mean another limit (MAX_THREAT_EXTENSION in core/search/kernels/alphabeta.py).
TUNABLE = tuple(
    replace(parameter, minimum=1) if parameter.name == "max_threat_plies" else parameter
    for parameter in without(PARAMETERS, *NULL_MOVE_NAMES)
)
