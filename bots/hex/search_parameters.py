"""Parameters of Hex's tree search, one set per kind of evaluation, and the hidden options that change them.

An option is named as the set and the parameter: `network_c_puct` is the `c_puct` of searches with the network.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from core.play.options import Option, OptionSet

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import HexPlayout


@dataclass(frozen=True)
class MctsParameters:
    """Parameters of the tree search. All but `default_nodes` have a field of the same name in its state.

    The fields are declared in `mcts_fields` (core/search/kernels/mcts.py) and in `PLAYOUT_FIELDS`
    (bots/hex/kernels/records.py).
    """

    win_reward: int  # integer that stands for a win; a loss is 0
    rave_equivalence: float  # a larger value keeps the weight of RAVE for more visits
    c_puct: float  # weight of the priors
    expansion_threshold: int  # visits at which a move gets a node
    solver_threshold: int  # visits at which the solver is called for a node
    default_nodes: int  # node limit of a search without any other limit
    network: int = 0  # 1 if the network gives priors and values, 0 if patterns and playouts do
    fpu_reduction: float = 0.0  # first-play urgency: a move without visits has the node's value less this
    rollout_weight: float = 0.0  # weight of a playout's result in a leaf's value; the network has the rest
    initial_rave_visits: int = 12  # RAVE visits with which each move starts; they carry its prior value

    def copy_to(self, state: HexPlayout) -> None:
        """Copy the parameters to the state of a search.

        `default_nodes` is not a field. `solver_threshold` is set apart, because the solver needs the highest level and
        memory.
        """
        for name, value in vars(self).items():
            if name not in ("solver_threshold", "default_nodes"):
                setattr(state, name, value)


# Chosen by hand; for the network, c_puct 1.2 was no better (generations.md). A call of the solver takes as long as some
# hundred playouts, or ten evaluations by the network.
PLAYOUT_PARAMETERS = MctsParameters(
    win_reward=2,
    rave_equivalence=3000.0,
    c_puct=1.0,
    expansion_threshold=10,
    solver_threshold=1000,
    default_nodes=100_000,
)
NETWORK_PARAMETERS = MctsParameters(
    win_reward=1024,
    rave_equivalence=0.05,
    c_puct=0.8,
    expansion_threshold=1,
    solver_threshold=16,
    default_nodes=10_000,
    network=1,
    fpu_reduction=0.1,
)

# Name, minimum, maximum and step of each constant, and its description
_NETWORK_ROWS = (
    ("rave_equivalence", 0.001, 1000, 0.02, "RAVE: a larger value keeps its weight for longer"),
    ("c_puct", 0.05, 5, 0.08, "weight of the priors"),
    ("expansion_threshold", 1, 50, 0.5, "visits at which a move gets a node"),
    ("solver_threshold", 1, 2000, 3, "visits at which the solver is called for a node"),
    ("fpu_reduction", 0, 1, 0.04, "first-play urgency: unvisited moves have the node's value less"),
    ("rollout_weight", 0, 1, 0.04, "weight of a playout in a leaf's value"),
    ("initial_rave_visits", 1, 500, 2, "RAVE visits with which each move starts"),
)
_PLAYOUT_ROWS = (
    ("rave_equivalence", 1, 200_000, 300, "RAVE: a larger value keeps its weight for longer"),
    ("c_puct", 0.05, 5, 0.1, "weight of the priors"),
    ("expansion_threshold", 1, 500, 1, "visits at which a move gets a node"),
    ("solver_threshold", 1, 100_000, 100, "visits at which the solver is called for a node"),
    ("initial_rave_visits", 1, 500, 2, "RAVE visits with which each move starts"),
)


def _list_options(
    search: str, rows: Sequence[tuple[str, float, float, float, str]], defaults: MctsParameters
) -> Iterator[Option]:
    """Yield the options of the set for a value of the option `search`, with the defaults of the set."""
    for name, minimum, maximum, step, text in rows:
        yield Option(
            f"{search}_{name}",
            getattr(defaults, name),
            f"{text} (search by {search})",
            minimum=minimum,
            maximum=maximum,
            step=step,
            only_with=("search", search),
        )


TUNABLE = (
    *_list_options("network", _NETWORK_ROWS, NETWORK_PARAMETERS),
    *_list_options("playouts", _PLAYOUT_ROWS, PLAYOUT_PARAMETERS),
)


def tuned_parameters(options: OptionSet, search: str) -> MctsParameters:
    """Return the set for `network` or `playouts`, with the values of its hidden options."""
    defaults = NETWORK_PARAMETERS if search == "network" else PLAYOUT_PARAMETERS
    prefix = f"{search}_"
    values: dict[str, Any] = {
        option.name.removeprefix(prefix): options[option.name]
        for option in options.hidden_options()
        if option.name.startswith(prefix)
    }
    return replace(defaults, **values)
