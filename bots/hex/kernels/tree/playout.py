"""Hex's part of the Monte-Carlo tree search: the playout board, random games that save bridges, who has won.

Where there is a network (network.py) it gives the moves of a new node their shares, and a leaf its
value, with a playout mixed in or without.

A playout fills the board. Whether a side has connected its edges does not change by what is played afterwards, so the
winner is read from the full board. A reply that saves a bridge is made at once: where the last move leaves between two
of the other side's stones in the ring round it one empty cell, that cell joins them (Arneson, Hayward and Henderson,
"Monte Carlo tree search in Hex", 2010).
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

RING_X, RING_Y = (1, 1, 0, -1, -1, 0), (0, -1, -1, 0, 1, 1)  # to the neighbours in a circle
RING = np.array([x + y * STRIDE for x, y in zip(RING_X, RING_Y, strict=True)])
BRIDGE_X = np.array([RING_X[i] + RING_X[i - 5] for i in range(6)])  # from a cell to those a bridge away
BRIDGE_Y = np.array([RING_Y[i] + RING_Y[i - 5] for i in range(6)])
RAVE_PRIOR_VISITS = 12  # rapid visits that stand for what is known of a move before it is tried

PLAYOUTS_PER_POLL = 32  # at the clock: half a millisecond or less, of which it takes a ten-thousandth

count_node = make_count_node(KERNELS, PLAYOUT.name)


@KERNELS.kernel("void(HexPlayout)")
def count_and_poll(s):
    """`count_node`, but with the next look at the clock sooner: a playout takes longer than other games' nodes."""
    count_node(s)
    s.next_poll = min(s.next_poll, s.nodes + (PLAYOUTS_PER_POLL if s.network == 0 else 1))


def _find_saving_replies() -> np.ndarray:
    """For each colour and ring, two bits a neighbour: the neighbours, a bit each, that save a bridge of the colour."""
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
    """A random word (Marsaglia's xorshift with a multiplication, Vigna 2016); its upper half is the better one."""
    word = s.random
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    s.random = word
    return word * np.uint64(0x2545F4914F6CDD1D)


@KERNELS.kernel("i64(HexPlayout, i64)")
def random_below(s, bound):
    """A random number from 0 to bound - 1."""
    return np.int64(((next_random(s) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@KERNELS.kernel("i64(HexPlayout, i64)")
def ring_code(s, cell):
    """Contents of the six neighbours, two bits each."""
    code = np.int64(0)
    for direction in range(6):
        code |= np.int64(s.played_by[cell + RING[direction]]) << (2 * direction)
    return code


@KERNELS.kernel("void(HexPlayout)")
def reset_to_root(s):
    """Put the root's position on the playout board."""
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
    """Make a move on the playout board."""
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
    """A cell that saves a bridge of the side to move from a move on `cell`, or 0."""
    bits = np.int64(SAVING_REPLIES[s.side + 1, ring_code(s, cell)])
    if bits == 0:
        return 0
    if bits & (bits - 1) != 0:
        for _ in range(random_below(s, popcount(np.uint64(bits)))):
            bits &= bits - 1
    return cell + RING[trailing_zeros(np.uint64(bits))]


@KERNELS.kernel("i64(HexPlayout)")
def find_winner(s):
    """2 where black has connected its edges on a full board, else 0.

    Follows the border between the black and the white stones that hang together with the edges at the upper left
    corner; it ends where one of them reaches its other edge.
    """
    white, direction = STRIDE, 1  # the white stone, and the way from it to the black one
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
    """Play the playout board full; 2 where black has won, else 0."""
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
    """Where a cell lies as seen from another that is not 0: rows and columns of at most two steps, or further away."""
    dx, dy = cell % STRIDE - other % STRIDE + 2, cell // STRIDE - other // STRIDE + 2
    return dy * 5 + dx if 0 <= dx < 5 and 0 <= dy < 5 else OFFSETS - 1


@KERNELS.kernel("f32(HexPlayout, i64, i64)")
def move_gamma(s, cell, ring):
    """How likely a move is compared with others: a product of factors that self-play has taught (bots/hex/prior.py)."""
    side = s.side
    gamma = s.ring_gamma[side, ring]
    x, y = cell % STRIDE, cell // STRIDE
    for direction in range(6):
        content = 3
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
    """Judge the playout board and keep side 0's chance; the side to move's, less `first_play`, as a rapid reward.

    By lot the board is seen turned by half a circle: errors of the one view are not those of the other (Silver et al.,
    "Mastering the game of Go without human knowledge", 2017), and a seed decides what is thought of a game.
    """
    s.net_rotated = np.int64(next_random(s) >> np.uint64(63))
    network_forward(s)
    chance = sigmoid(s.value_logit)
    s.leaf_win_probability = chance if s.side == 0 else np.float32(1) - chance
    s.leaf_evaluated = 1
    return np.int64(max(chance - s.fpu_reduction, np.float32(0)) * np.float32(RAVE_PRIOR_VISITS * s.win_reward))


@KERNELS.kernel("i64(HexPlayout)")
def list_moves_by_network(s):
    """The empty cells that are not dead, with the shares that the network gives them."""
    reward = evaluate_with_network(s)
    count, most = 0, np.float32(-1e9)
    for index in range(s.empty_count):
        cell = np.int64(s.empty[index])
        if DEAD[ring_code(s, cell)] != 0:
            continue
        policy_logit = s.policy_logits[cell]
        s.moves[count], s.prior[count] = cell, policy_logit
        s.rave_prior_visits[count], s.rave_prior_rewards[count] = RAVE_PRIOR_VISITS, reward
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
    """The empty cells that are not dead, with what is known of each beforehand."""
    if s.network != 0:
        return list_moves_by_network(s)
    count, total = 0, np.float32(0.0)
    saves = np.int64(SAVING_REPLIES[s.side + 1, ring_code(s, s.last_move)]) if s.last_move != 0 else 0
    for index in range(s.empty_count):
        cell = np.int64(s.empty[index])
        ring = ring_code(s, cell)
        if DEAD[ring] != 0:
            continue
        s.moves[count] = cell
        s.rave_prior_visits[count], s.rave_prior_rewards[count] = (
            RAVE_PRIOR_VISITS,
            RAVE_PRIOR_VISITS * s.win_reward // 2,
        )
        for direction in range(6):
            if (saves >> direction) & 1 != 0 and cell == s.last_move + RING[direction]:
                s.rave_prior_rewards[count] = RAVE_PRIOR_VISITS * s.win_reward
        s.prior[count] = move_gamma(s, cell, ring)
        total += s.prior[count]
        count += 1
    for index in range(count):
        s.prior[index] /= total
    return count


@KERNELS.kernel("i64(HexPlayout)")
def evaluate_leaf(s):
    """Black's reward: who wins a playout, or the network's value of the leaf, or both."""
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
    """Make a position that is not decided the root of searches; `root` becomes 0."""
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
