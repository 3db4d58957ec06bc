"""Constants of the alpha-beta search as hidden options, so that authors can tune them without a new build.

`ALPHABETA_PARAMETERS` declares every constant once: name, default, limits, step and description. The game's state has a
field of the same name, which the kernels read (`parameter_fields` in core/search/kernels/game_kernels.py); those of the
aspiration windows are used in Python. A game replaces the defaults by its own values with `game_parameters`, in
`bots/<game>/search_parameters.py`.

Constants that stay in the code: tables of many values (move ordering by pattern), features that are on or off
(`CompiledParameters` in core/search/kernels/pruning.py), and time management, which fixed node counts would not test.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.play.options import Option

FACTOR_BITS = 8  # kernels multiply by a factor in 256ths and shift right by this
FACTOR_ONE = 1 << FACTOR_BITS


@dataclass(frozen=True)
class AspirationWindow:
    """Aspiration windows of iterative deepening, in evaluation units; chosen by hand."""

    min_depth: int = 4  # first iteration with a window
    delta: int = 40  # half width of the first window
    growth: int = 4  # factor by which the half width grows when the search fails
    max_delta: int = 2000  # after a step larger than this, the side that failed is opened completely


ASPIRATION_PREFIX = "aspiration_"  # of the options for the fields above


def integer_parameter(name: str, default: int, minimum: int, maximum: int, step: float, text: str) -> Option:
    """Return a hidden option for an integer constant."""
    return Option(name, default, text, minimum=minimum, maximum=maximum, step=step)


def float_parameter(name: str, default: float, minimum: float, maximum: float, step: float, text: str) -> Option:
    """Return a hidden option for a constant with fractions."""
    return Option(name, float(default), text, minimum=minimum, maximum=maximum, step=step)


# Depths are remaining depths in plies. A step is the size of a change that a tuner should try. The limits keep every
# value safe: the history, for instance, stays within HISTORY_LIMIT (core/search/kernels/ordering.py).
ALPHABETA_PARAMETERS = (
    integer_parameter("rfp_max_depth", 3, 0, 12, 1, "reverse futility pruning: greatest depth"),
    integer_parameter("rfp_margin", 100, 0, 2000, 10, "reverse futility pruning: evaluation units per ply of depth"),
    integer_parameter("lmp_base", 8, 1, 100, 2, "late move pruning: moves kept at depth 0"),
    float_parameter("lmp_factor", 3, 0, 50, 0.5, "late move pruning: further moves kept per power of the depth"),
    integer_parameter("lmp_max_depth", 3, 0, 63, 1, "late move pruning: greatest depth"),
    integer_parameter("lmp_threat_base", 1000, 1, 1000, 1, "late move pruning: answers to a threat kept"),
    integer_parameter("lmp_threat_max_depth", 3, 0, 63, 1, "late move pruning of answers to a threat: greatest depth"),
    float_parameter(
        "lmr_divisor", 2, 0.5, 10, 0.15, "late move reductions: divisor of ln(depth) * ln(move index), plies"
    ),
    integer_parameter(
        "lmr_threat_factor",
        0,
        0,
        FACTOR_ONE,
        25,
        "late move reductions: 256ths kept for moves that make or answer a threat",
    ),
    integer_parameter("lmr_alpha_raised", 0, 0, 4, 0.5, "late move reductions: further plies once alpha was raised"),
    integer_parameter("null_move_min_depth", 3, 1, 20, 1, "null move: smallest depth"),
    integer_parameter("null_move_reduction", 2, 0, 8, 0.5, "null move: plies of the reduction that are constant"),
    integer_parameter(
        "null_move_depth_factor", 64, 0, FACTOR_ONE, 12, "null move: 256ths of the depth that are also reduced"
    ),
    integer_parameter("iir_min_depth", 3, 2, 20, 1, "internal iterative reduction: smallest depth"),
    integer_parameter("max_threat_plies", 0, 0, 16, 0.5, "plies below the horizon at which threats are answered"),
    integer_parameter("root_lmr_min_index", 4, 1, 40, 1, "late move reductions at the root: first index, from 0"),
    integer_parameter("root_lmr_min_moves", 8, 2, 100, 2, "late move reductions at the root: fewest moves"),
    integer_parameter("killer_bonus_first", 300, 0, 5000, 30, "move ordering: bonus of the newest killer move"),
    integer_parameter("killer_bonus_second", 200, 0, 5000, 30, "move ordering: bonus of the killer move before it"),
    integer_parameter("history_shift", 3, 0, 14, 0.5, "move ordering: the history is divided by 2 to this power"),
    integer_parameter("max_history_bonus", 400, 1, 1000, 40, "history: greatest bonus of one cutoff"),
    integer_parameter("history_bonus_scale", 8, 1, 16, 1, "history: factor of each bonus"),
    integer_parameter(
        "aspiration_min_depth", AspirationWindow.min_depth, 1, 30, 1, "aspiration windows: first iteration"
    ),
    integer_parameter(
        "aspiration_delta", AspirationWindow.delta, 1, 2000, 6, "aspiration windows: half width, evaluation units"
    ),
    integer_parameter("aspiration_growth", AspirationWindow.growth, 2, 16, 1, "aspiration windows: factor of widening"),
    integer_parameter(
        "aspiration_max_delta", AspirationWindow.max_delta, 1, 20_000, 200, "aspiration windows: widest step"
    ),
)


def game_parameters(**defaults: float) -> tuple[Option, ...]:
    """Return `ALPHABETA_PARAMETERS` with a game's own defaults; raise ValueError if a name or a value is wrong."""
    unknown = defaults.keys() - {parameter.name for parameter in ALPHABETA_PARAMETERS}
    if unknown:
        raise ValueError(f"unknown search parameters: {', '.join(sorted(unknown))}")
    return tuple(
        replace(parameter, default=parameter.parse(defaults.get(parameter.name, parameter.default)))
        for parameter in ALPHABETA_PARAMETERS
    )


def without(parameters: Iterable[Option], *names: str) -> tuple[Option, ...]:
    """Return the parameters other than `names`, which have no effect in a game."""
    return tuple(parameter for parameter in parameters if parameter.name not in names)


NULL_MOVE_NAMES = ("null_move_min_depth", "null_move_reduction", "null_move_depth_factor")
