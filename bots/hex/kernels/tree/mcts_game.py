"""Hex for the generic Monte-Carlo tree search (core/search/kernels/mcts.py): moves, priors, evaluation, playouts.

With the network (network.py), it gives the priors of a new node and the value of a leaf, optionally mixed with a
playout. Without it, a Bradley-Terry model of local patterns (bots/hex/prior.py) gives the priors, and playouts the
values.

A playout fills the board with random moves. Stones played after a side has connected its edges do not change the
winner, so it is read from the full board. Playouts save bridges: if an empty neighbour of the last move lies between
two stones of the other side in the ring around this move, that side replies there (Arneson, Hayward and Henderson,
"Monte Carlo tree search in Hex", 2010):

      X           A bridge of black stones X with empty p and q: if white plays p, black replies q.
     p q
      X

    directions of the ring:     2  1        bit pair 2 * direction of a ring code is the content of the
                              3  c  0       neighbour in that direction: 0 empty, 1 black, 2 white
                               4  5
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import CELLS, KERNELS, OFFSETS, PLAYOUT, STRIDE
from bots.hex.kernels.rules import BLACK, WHITE
from bots.hex.kernels.solver.inferior import DEAD
from bots.hex.kernels.tree.network import exp_nonpositive, network_forward, sigmoid
from core.native.intrinsics import popcount, trailing_zeros
from core.search.kernels.mcts import MctsKernels, make_mcts
from core.search.kernels.polling import make_count_node

RING_X, RING_Y = (1, 1, 0, -1, -1, 0), (0, -1, -1, 0, 1, 1)  # to the neighbours, in circular order
RING = np.array([x + y * STRIDE for x, y in zip(RING_X, RING_Y, strict=True)])  # the same steps on the padded board
BRIDGE_X = np.array([RING_X[i] + RING_X[i - 5] for i in range(6)])  # to the cells a bridge away
BRIDGE_Y = np.array([RING_Y[i] + RING_Y[i - 5] for i in range(6)])

PLAYOUTS_PER_POLL = 32  # playouts between two looks at the clock: 0.5 ms or less

count_node = make_count_node(KERNELS, PLAYOUT.name)


@KERNELS.kernel("void(HexPlayout)")
def count_and_poll(s):
    """Count a playout. The clock is read every PLAYOUTS_PER_POLL playouts, or after each evaluation by the network."""
    count_node(s)
    s.next_poll = min(s.next_poll, s.nodes + (PLAYOUTS_PER_POLL if s.network == 0 else 1))


def _find_saving_replies() -> np.ndarray:
    """Return a table [colour, ring code]: bit d is set if a stone in direction d saves a bridge of the colour.

    The ring is that of the opponent's last move. Colours are 1 black and 2 white; row 0 is not used.
    """
    table = np.zeros((3, 1 << 12), dtype=np.uint8)
    for code in range(1 << 12):
        ring = [(code >> (2 * direction)) & 3 for direction in range(6)]
        for colour in (BLACK, WHITE):
            for direction in range(6):
                joined = ring[direction - 1] == colour and ring[(direction + 1) % 6] == colour
                table[colour, code] |= (ring[direction] == 0 and joined) << direction
    return table


SAVING_REPLIES = _find_saving_replies()


@KERNELS.kernel("u64(HexPlayout)")
def next_random(s):
    """Return 64 random bits (xorshift64*, Vigna 2016); the upper half is the better one."""
    word = s.random
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    s.random = word
    return word * np.uint64(0x2545F4914F6CDD1D)


@KERNELS.kernel("i64(HexPlayout, i64)")
def random_below(s, bound):
    """Return a random number from 0 to bound - 1."""
    return np.int64(((next_random(s) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@KERNELS.kernel("i64(HexPlayout, i64)")
def ring_code(s, cell):
    """Return the ring code of a cell in the working position: the contents of its six neighbours, 2 bits each."""
    code = np.int64(0)
    for direction in range(6):
        code |= np.int64(s.played_by[cell + RING[direction]]) << (2 * direction)
    return code


@KERNELS.kernel("void(HexPlayout)")
def reset_to_root(s):
    """Set the working position to the root."""
    for cell in range((s.height + 2) * STRIDE):
        s.played_by[cell] = s.root_cells[cell]
    for index in range(s.root_count):
        s.empty[index] = s.root_empty[index]
        s.empty_index[np.int64(s.root_empty[index])] = index
    s.empty_count, s.side = s.root_count, s.root_side
    s.last_move, s.second_last_move = s.root_last_move, s.root_second_last_move
    s.leaf_evaluated = 0


@KERNELS.kernel("void(HexPlayout, i64)")
def play_move(s, cell):
    """Play a move in the working position. The last cell of `empty` takes the place of the played one."""
    s.empty_count -= 1
    moved = np.int64(s.empty[s.empty_count])
    place = np.int64(s.empty_index[cell])
    s.empty[place] = moved
    s.empty_index[moved] = place
    s.played_by[cell] = s.side + 1
    s.side = 1 - s.side
    s.second_last_move = s.last_move
    s.last_move = cell


@KERNELS.kernel("i64(HexPlayout, i64)")
def saving_reply(s, cell):
    """Return a reply that saves a bridge of the side to move from the opponent's move on `cell`, or 0.

    If there are several, one is drawn at random.
    """
    bits = np.int64(SAVING_REPLIES[s.side + 1, ring_code(s, cell)])
    if bits == 0:
        return 0
    if bits & (bits - 1) != 0:
        for _ in range(random_below(s, popcount(np.uint64(bits)))):
            bits &= bits - 1
    return cell + RING[trailing_zeros(np.uint64(bits))]


@KERNELS.kernel("i64(HexPlayout)")
def find_winner(s):
    """Return 2 if black has connected its edges on a full board, 0 if white has.

    Follows the border between the black and the white stones that starts in the upper left corner, where the two edges
    meet. Black has won if the border's black side reaches the bottom edge, white if its white side reaches the right
    edge.
    """
    white, direction = STRIDE, 1  # the white stone at the border, and the direction to the black one
    while True:
        direction = direction - 1 if direction > 0 else 5
        cell = white + RING[direction]
        if s.played_by[cell] == BLACK:
            if s.is_far_edge[cell] != 0:
                return 2
        else:
            if s.is_far_edge[cell] != 0:
                return 0
            white = cell
            direction = direction + 2 if direction < 4 else direction - 4


@KERNELS.export("i64(HexPlayout)")
def random_playout(s):
    """Play random moves until the board is full; return 2 if black wins, else 0."""
    reply = saving_reply(s, s.last_move) if s.last_move != 0 else 0
    while s.empty_count > 0:
        if reply == 0:
            reply = np.int64(s.empty[random_below(s, s.empty_count)])
        cell = reply
        play_move(s, cell)
        reply = saving_reply(s, cell)
    return find_winner(s)


@KERNELS.kernel("i64(HexPlayout, i64, i64)")
def offset_index(s, cell, other):
    """Return the index of a cell in the 5x5 square around `other`, row by row; OFFSETS - 1 if it lies outside."""
    dx, dy = cell % STRIDE - other % STRIDE + 2, cell // STRIDE - other // STRIDE + 2
    return dy * 5 + dx if 0 <= dx < 5 and 0 <= dy < 5 else OFFSETS - 1


@KERNELS.kernel("f32(HexPlayout, i64, i64)")
def move_gamma(s, cell, ring):
    """Return the Bradley-Terry gamma of a move of the side to move: the product of the gammas of its patterns.

    `ring` is the ring code of the cell. bots/hex/prior.py describes the patterns.
    """
    side = s.side
    gamma = s.ring_gamma[side, ring]
    x, y = cell % STRIDE, cell // STRIDE
    for direction in range(6):
        content = 3  # off the padded board
        to_x, to_y = x + BRIDGE_X[direction], y + BRIDGE_Y[direction]
        if 0 <= to_x <= s.width + 1 and 0 <= to_y <= s.height + 1:
            content = np.int64(s.played_by[to_y * STRIDE + to_x])
        between = (ring >> (2 * direction)) & 3 | (ring >> (2 * ((direction + 1) % 6))) & 3
        gamma *= s.bridge_gamma[side, 8 * direction + content + (4 if between == 0 else 0)]
    if s.last_move != 0:
        gamma *= s.reply_gamma[side, offset_index(s, cell, s.last_move)]
    if s.second_last_move != 0:
        gamma *= s.follow_gamma[side, offset_index(s, cell, s.second_last_move)]
    return gamma


@KERNELS.kernel("i64(HexPlayout)")
def evaluate_with_network(s):
    """Evaluate the working position and store the win probability of side 0.

    Return the RAVE reward with which each move starts: the win probability of the side to move less `fpu_reduction`,
    for `initial_rave_visits` visits. The network sees the board at random as it is or rotated by 180 degrees, because
    its errors in the two views differ (Silver et al., "Mastering the game of Go without human knowledge", 2017). This
    choice also makes games with different seeds differ.
    """
    s.net_rotated = np.int64(next_random(s) >> np.uint64(63))
    network_forward(s)
    chance = sigmoid(s.value_logit)
    s.leaf_win_probability = chance if s.side == 0 else np.float32(1) - chance
    s.leaf_evaluated = 1
    return np.int64(max(chance - s.fpu_reduction, np.float32(0)) * np.float32(s.initial_rave_visits * s.win_reward))


@KERNELS.kernel("i64(HexPlayout)")
def list_moves_by_network(s):
    """List the empty cells that are not dead, with priors from the softmax of the policy logits; return their
    number.
    """
    reward = evaluate_with_network(s)
    count, most, visits = 0, np.float32(-1e9), s.initial_rave_visits
    for index in range(s.empty_count):
        cell = np.int64(s.empty[index])
        if DEAD[ring_code(s, cell)] != 0:
            continue
        policy_logit = s.policy_logits[cell]
        s.moves[count], s.prior[count] = cell, policy_logit
        s.rave_prior_visits[count], s.rave_prior_rewards[count] = visits, reward
        most = max(most, policy_logit)
        count += 1
    total = np.float32(0)
    for index in range(count):
        s.prior[index] = exp_nonpositive(s.prior[index] - most)
        total += s.prior[index]
    for index in range(count):
        s.prior[index] /= total
    return count


@KERNELS.kernel("i64(HexPlayout)")
def list_moves_with_priors(s):
    """List the empty cells that are not dead, with their priors; return their number."""
    if s.network != 0:
        return list_moves_by_network(s)
    count, total, visits = 0, np.float32(0.0), s.initial_rave_visits
    saves = np.int64(SAVING_REPLIES[s.side + 1, ring_code(s, s.last_move)]) if s.last_move != 0 else 0
    for index in range(s.empty_count):
        cell = np.int64(s.empty[index])
        ring = ring_code(s, cell)
        if DEAD[ring] != 0:
            continue
        s.moves[count] = cell
        s.rave_prior_visits[count], s.rave_prior_rewards[count] = visits, visits * s.win_reward // 2
        for direction in range(6):
            if (saves >> direction) & 1 != 0 and cell == s.last_move + RING[direction]:
                s.rave_prior_rewards[count] = visits * s.win_reward
        s.prior[count] = move_gamma(s, cell, ring)
        total += s.prior[count]
        count += 1
    for index in range(count):
        s.prior[index] /= total
    return count


@KERNELS.kernel("i64(HexPlayout)")
def evaluate_leaf(s):
    """Return black's reward at the leaf: the result of a playout, the network's value, or a mixture of both."""
    if s.network == 0:
        return random_playout(s) * s.win_reward // 2
    if s.leaf_evaluated == 0:
        evaluate_with_network(s)
    chance = s.leaf_win_probability
    if s.rollout_weight > 0:
        chance += s.rollout_weight * (np.float32(random_playout(s)) * np.float32(0.5) - chance)
    return np.int64(chance * np.float32(s.win_reward) + np.float32(0.5))


@KERNELS.export("void(Hex, HexPlayout)")
def set_root(position, s):
    """Make a position that is not decided the root of the search. `root`, the index of the root node, becomes 0.

    The upper right and the lower left corner of the padding get the colours that `find_winner` needs to turn there.
    """
    s.width, s.height = position.width, position.height
    s.root_side, s.root_count, s.root = position.side, 0, 0
    s.root_last_move = np.int64(position.path[position.plies - 1]) if position.plies > 0 else 0
    s.root_second_last_move = np.int64(position.path[position.plies - 2]) if position.plies > 1 else 0
    for cell in range(CELLS):
        s.root_cells[cell] = position.cells[cell]
        s.is_far_edge[cell] = 0
    for y in range(1, s.height + 1):
        s.is_far_edge[y * STRIDE + s.width + 1] = 1
        for cell in range(y * STRIDE + 1, y * STRIDE + s.width + 1):
            if position.cells[cell] == 0:
                s.root_empty[s.root_count] = cell
                s.root_count += 1
    for cell in range((s.height + 1) * STRIDE, (s.height + 1) * STRIDE + s.width + 1):
        s.is_far_edge[cell] = 1
    s.is_far_edge[s.width + 1] = 1
    s.root_cells[s.width + 1], s.root_cells[(s.height + 1) * STRIDE] = WHITE, BLACK
    if s.random == np.uint64(0):
        s.random = np.uint64(0x9E3779B97F4A7C15)


GAME = MctsKernels(reset_to_root, play_move, list_moves_with_priors, evaluate_leaf, count_and_poll)
backup_proof = make_mcts(KERNELS, PLAYOUT.name, GAME)
