"""A toy game for tests of the Monte-Carlo tree search. It never ends, and each position has the three moves 1, 2, 3.

Playouts are won and lost in turn. The tests set the RAVE priors in the state.
"""

from __future__ import annotations

from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType
from core.search.kernels.mcts import MctsKernels, make_mcts, mcts_fields
from core.search.kernels.polling import make_count_node

MOVE_COUNT = 3  # moves of every position
STATE = StateType(
    "Toy",
    (
        *mcts_fields(MOVE_COUNT, MOVE_COUNT + 1),
        StateField("visits", "i64", (), "RAVE prior visits that every move gets"),
        StateField("rewards", "i64", (), "RAVE prior rewards that every move gets"),
    ),
)
KERNELS = KernelSet("toy", (STATE,))


@KERNELS.kernel("void(Toy)")
def begin(s):
    s.side = 0


@KERNELS.kernel("void(Toy, i64)")
def play(s, move):
    s.side = 1 - s.side


@KERNELS.kernel("i64(Toy)")
def list_moves(s):
    for index in range(MOVE_COUNT):
        s.moves[index], s.prior[index] = index + 1, 1 / MOVE_COUNT
        s.rave_prior_visits[index], s.rave_prior_rewards[index] = s.visits, s.rewards
    return MOVE_COUNT


@KERNELS.kernel("i64(Toy)")
def playout(s):
    """Return a win of side 0 if the number of playouts so far is odd, else a loss."""
    return s.win_reward * (s.nodes & 1)


make_mcts(KERNELS, STATE.name, MctsKernels(begin, play, list_moves, playout, make_count_node(KERNELS, STATE.name)))
