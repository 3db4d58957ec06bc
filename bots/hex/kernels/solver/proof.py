"""Who wins, and how: depth-first proof-number search (Nagai 2002) over positions whose inferior cells are filled in.

After Arneson, Hayward and Henderson, "Solving Hex: beyond humans" (2010), in the ideas, not in the numbers. A node's
numbers are those of the side to move: phi is about what proving its win would cost, delta its loss; phi = 0 is a won
and delta = 0 a lost node. A new node is asked for virtual connections first (connections.py); where
they decide nothing it gets as moves what must-play region and inferior cells leave.

Every decided node has a carrier: cells such that its winner wins even if the loser has all other empty cells. A refuted
move's carrier refutes every move outside it, too; a lost node's carrier is the union of all that refuted its moves.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import KERNELS, ORDERED, SOLVER
from bots.hex.kernels.solver.board import NONE, ONE, WORK_PER_LOOK, bit, is_late
from bots.hex.kernels.solver.connections import CONNECTED, begin, connect, empty_carrier
from bots.hex.kernels.solver.inferior import fill_board, play_filled, prune_inferior, take_back, take_unsure
from bots.hex.kernels.solver.proof_table import (
    carrier_place,
    entry_delta,
    entry_phi,
    entry_work,
    find_entry,
    is_turned,
    load_node,
    node_key,
    read_set,
    store_node,
)
from core.native.intrinsics import popcount, trailing_zeros
from core.search.kernels.polling import make_count_node

HOPELESS = 1_000_000_000  # more than any sum of numbers of open nodes
ASKED_PLIES = 4  # with none 7x7's hardest opening takes a third more nodes, and all openings together as many
SWEEPS = 16  # of relaxation for the potentials; only their order matters
UNKNOWN, WON, LOST = 0, 1, 2

count_node = make_count_node(KERNELS, SOLVER.name)


@KERNELS.kernel("void(HexSolver, i64)")
def add_flow(s, first):
    """Add the current between a colour's edges through each cell to `flow`, or set it where this is the `first` colour.

    The circuit are the full connections that `connect` or `begin` has left (Anshelevich 2002, section 5); neighbours
    conduct better than cells that are virtually connected.
    """
    s.potential[0], s.potential[1] = 1.0, 0.0
    for end in range(2, s.ends):
        s.potential[end] = 0.5
    for sweep in range(SWEEPS + 1):
        s.work += 2 * s.ends
        if is_late(s) != 0:
            return
        for end in range(2, s.ends):
            total, weight, current = 0.0, 0.0, 0.0
            for word in range(s.board.size):
                bits = s.linked[end, word]
                while bits != NONE:
                    other = 64 * word + trailing_zeros(bits)
                    bits &= bits - ONE
                    g = 1.0 if s.touching[end, word] & bit(other) != NONE else 0.5
                    total += g * s.potential[other]
                    weight += g
                    if sweep == SWEEPS:
                        current += g * abs(s.potential[other] - s.potential[end])
            if weight > 0.0 and sweep < SWEEPS:
                s.potential[end] = total / weight
            if sweep == SWEEPS:
                s.flow[end] = current * (1.0 if first != 0 else s.flow[end])


@KERNELS.kernel("i64(HexSolver, i64)")
def count_open(s, ply):
    """Moves of a node that have not been refuted."""
    count = np.int64(0)
    for word in range(s.board.size):
        count += popcount(s.node_moves[ply, word])
    return count


@KERNELS.kernel("void(HexSolver, i64)")
def order_moves(s, ply):
    """List the node's moves, those with the most flow first, up to ORDERED."""
    for word in range(s.board.size):
        s.left[word] = s.node_moves[ply, word]
    count = 0
    while count < ORDERED:
        best, most = 0, -1.0
        for word in range(s.board.size):
            bits = s.left[word]
            while bits != NONE:
                end = 64 * word + trailing_zeros(bits)
                bits &= bits - ONE
                if s.flow[end] > most:
                    best, most = end, s.flow[end]
        if best == 0:
            break
        s.left[best >> 6] ^= bit(best)
        s.order[ply, count] = best
        count += 1
    s.order_count[ply] = count


@KERNELS.kernel("void(HexSolver, i64, i64, i64)")
def decide(s, ply, is_won, best):
    """The node is won or lost for the side to move."""
    s.phi[ply] = 0 if is_won != 0 else HOPELESS
    s.delta[ply] = HOPELESS if is_won != 0 else 0
    s.node_best[ply] = best


@KERNELS.kernel("void(HexSolver, i64)")
def keep_node(s, ply):
    """Take the moves and the carrier that have been found into a node."""
    for word in range(s.board.size):
        s.node_moves[ply, word], s.node_carrier[ply, word] = s.moves[word], s.carrier[word]


@KERNELS.kernel("void(HexSolver, i64, i64)")
def expand(s, ply, side):
    """Make the node of the present position: decided by virtual connections, or with moves to try.

    The side to move cannot have a semi connection that its opponent's last move, inside the must-play region, has left:
    it is asked for one only where filled-in cells have gained it stones, and near the root for the sake of the flow.
    With `late` set the node is void: time or patience ended before its moves were known.
    """
    count_node(s)
    s.next_poll = s.nodes + 1  # each node takes up to some milliseconds, a look at the clock none
    s.order_count[ply], s.node_best[ply], s.node_work[ply] = 0, 0, 1
    s.phi[ply], s.delta[ply] = 1, 1
    is_asked = 1 if s.gained[ply] != 0 or ply < ASKED_PLIES else 0
    if is_asked != 0 and connect(s, side, 1) == CONNECTED:
        decide(s, ply, 1, max(s.key_move, 0))
        keep_node(s, ply)
        return
    if is_asked != 0 and s.late == 0:
        add_flow(s, 1)
    if is_asked != 0 and s.late != 0:
        return
    if connect(s, 1 - side, 0) == CONNECTED:
        decide(s, ply, 0, 0)
        keep_node(s, ply)
        return
    if s.late == 0:
        add_flow(s, 1 - is_asked)
    if is_asked == 0 and s.late == 0:
        begin(s, side)
        add_flow(s, 0)
    for word in range(s.board.size):
        s.moves[word] = s.must[word]
    if s.late == 0:
        prune_inferior(s, side)
    if s.late != 0:
        return
    keep_node(s, ply)
    if count_open(s, ply) == 0:
        decide(s, ply, 0, 0)
    else:
        order_moves(s, ply)


@KERNELS.kernel("void(HexSolver, i64, i64)")
def list_children(s, ply, side):
    """Find the keys of the positions after the node's moves, and what is captured by them."""
    length = s.log_length
    for index in range(s.order_count[ply]):
        move = np.int64(s.order[ply, index])
        if s.node_moves[ply, move >> 6] & bit(move) == NONE:
            continue
        play_filled(s, side, move)
        s.child_key[ply, index] = node_key(s, 1 - side)
        for colour in range(2):
            for word in range(s.board.size):
                s.child_captured[ply, index, colour, word] = s.captured[colour, word]
        s.child_turned[ply, index] = is_turned(s)
        take_back(s, length)


@KERNELS.kernel("void(HexSolver, i64, i64, i64, i64)")
def absorb_child(s, ply, side, index, is_won):
    """A move is decided with the carrier in `set`: with `is_won` it wins; else no move outside the carrier wins."""
    move = np.int64(s.order[ply, index])
    winner = side if is_won != 0 else 1 - side
    for word in range(s.board.size):
        cells = s.set[word] | s.child_captured[ply, index, winner, word]
        if is_won != 0:
            s.node_carrier[ply, word] = cells
        else:
            s.node_moves[ply, word] &= cells
            s.node_carrier[ply, word] |= cells
    if is_won != 0:
        decide(s, ply, 1, move)
        s.node_carrier[ply, move >> 6] |= bit(move)
        return
    s.node_moves[ply, move >> 6] &= ~bit(move)
    if count_open(s, ply) == 0:
        decide(s, ply, 0, 0)


@KERNELS.kernel("void(HexSolver, u64[], i64, i64)")
def absorb_known(s, table, ply, side):
    """Take in what the table knows of decided children."""
    for index in range(s.order_count[ply]):
        move = np.int64(s.order[ply, index])
        if s.node_moves[ply, move >> 6] & bit(move) == NONE:
            continue
        entry = find_entry(s, table, s.child_key[ply, index])
        if entry < 0:
            continue
        phi, delta = entry_phi(table, entry), entry_delta(table, entry)
        if phi == 0 or delta == 0:
            read_set(s, table, carrier_place(s, entry), np.int64(s.child_turned[ply, index]))
            absorb_child(s, ply, side, index, 1 if delta == 0 else 0)
            if s.phi[ply] == 0 or s.delta[ply] == 0:
                return


@KERNELS.kernel("i64(HexSolver, u64[], i64)")
def choose_child(s, table, ply):
    """Set the node's numbers from its first open moves and the limits of the best of them; return its index or -1.

    Only a share of the open moves is looked at, others follow when these are refuted (widening, as Arneson, Hayward and
    Henderson do): a won node need not look at most of its moves at all.
    """
    left = 1 + (count_open(s, ply) + 3) // 4
    best, least, second, best_phi, total = -1, HOPELESS, HOPELESS, 0, 0
    for index in range(s.order_count[ply]):
        move = np.int64(s.order[ply, index])
        if s.node_moves[ply, move >> 6] & bit(move) == NONE:
            continue
        phi, delta = 1, 1
        entry = find_entry(s, table, s.child_key[ply, index])
        if entry >= 0:
            phi, delta = entry_phi(table, entry), entry_delta(table, entry)
        total += phi
        if delta < least:
            second = least
            best, least, best_phi = index, delta, phi
        elif delta < second:
            second = delta
        if phi == 0 or delta == 0:  # decided by way of another line since the node was entered
            return index
        left -= 1
        if left == 0:
            break
    s.phi[ply], s.delta[ply] = least, min(total, HOPELESS - 1)
    s.phi_limit[ply + 1] = min(s.delta_limit[ply] - s.delta[ply] + best_phi, HOPELESS)
    s.delta_limit[ply + 1] = min(s.phi_limit[ply], second + 1 + second // 4)
    return best


@KERNELS.kernel("void(HexSolver, u64[], i64, i64)")
def search_node(s, table, ply, side):
    """Work on the node of the present position until it is decided or its numbers reach their limits."""
    entry = find_entry(s, table, node_key(s, side))
    if entry >= 0:
        load_node(s, table, entry, ply)
        s.work += WORK_PER_LOOK  # a way through known nodes counts none of them
        is_late(s)
    else:
        s.late = 0
        expand(s, ply, side)
        if s.late != 0:
            return
    before = s.nodes
    length = s.log_length
    if s.phi[ply] != 0 and s.delta[ply] != 0:
        list_children(s, ply, side)
        absorb_known(s, table, ply, side)
    while s.phi[ply] != 0 and s.delta[ply] != 0 and s.aborted == 0:
        index = choose_child(s, table, ply)
        if index < 0:  # all ordered moves are refuted, but there are more
            order_moves(s, ply)
            list_children(s, ply, side)
            continue
        if s.phi[ply] >= s.phi_limit[ply] or s.delta[ply] >= s.delta_limit[ply]:
            break
        play_filled(s, side, np.int64(s.order[ply, index]))
        s.gained[ply + 1] = 0
        for place in range(length + 1, s.log_length):
            if s.log_colour[place] != side:
                s.gained[ply + 1] = 1
        search_node(s, table, ply + 1, 1 - side)
        take_back(s, length)
        if s.phi[ply + 1] == 0 or s.delta[ply + 1] == 0:
            won = 1 if s.delta[ply + 1] == 0 else 0
            for word in range(s.board.size):
                s.set[word] = s.node_carrier[ply + 1, word]
            absorb_child(s, ply, side, index, won)
    s.node_work[ply] += s.nodes - before
    store_node(s, table, ply, side)


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def choose_free_move(s, side, length):
    """A move for a side that has won whatever it plays: one of its filled-in cells, or else any empty cell."""
    for place in range(length, s.log_length):
        if s.log_colour[place] == side:
            return np.int64(s.log[place])
    for word in range(s.board.size):
        s.unsure[word] = s.board[word]
    empty = take_unsure(s)
    if empty >= 0:
        return empty
    return np.int64(s.log[length]) if s.log_length > length else 0


@KERNELS.export("i64(HexSolver, u64[], i64)")
def solve(s, table, side):
    """WON or LOST for the side to move on the solver's board, UNKNOWN where the search was cut off.

    A decision leaves its carrier in `carrier`; WON also a winning move in `best_move`. UNKNOWN leaves both empty.
    Called again it goes on with what the table has.
    """
    s.nodes, s.next_poll, s.aborted, s.best_move = 0, 0, 0, 0
    length = s.log_length
    fill_board(s)
    for colour in range(2):
        for word in range(s.board.size):
            s.root_captured[colour, word] = s.captured[colour, word]
    s.phi_limit[0], s.delta_limit[0] = HOPELESS, HOPELESS
    s.gained[0] = 1
    search_node(s, table, 0, side)
    if s.phi[0] != 0 and s.delta[0] != 0:
        take_back(s, length)
        empty_carrier(s, -1)
        return UNKNOWN
    winner = side if s.phi[0] == 0 else 1 - side
    s.best_move = s.node_best[0]
    if winner == side and s.best_move == 0:
        s.best_move = choose_free_move(s, side, length)
    take_back(s, length)
    for word in range(s.board.size):
        s.carrier[word] = s.node_carrier[0, word] | s.root_captured[winner, word]
    return WON if winner == side else LOST


@KERNELS.export("void(HexSolver)")
def forget_proof(s):
    """Leave no carrier and no move of an earlier `solve`."""
    empty_carrier(s, -1)
    s.best_move = 0


@KERNELS.kernel("i64(HexSolver, u64[], i64, i64)")
def longest_defence(s, table, ply, side):
    """The move of a lost node that took most work to refute, or 0 where the table has none of them."""
    length = s.log_length
    best, most = 0, 0
    for index in range(s.order_count[ply]):
        move = np.int64(s.order[ply, index])
        play_filled(s, side, move)
        entry = find_entry(s, table, node_key(s, 1 - side))
        take_back(s, length)
        if entry >= 0 and entry_phi(table, entry) == 0 and entry_work(table, entry) > most:
            best, most = move, entry_work(table, entry)
    return best


@KERNELS.export("i64(HexSolver, u64[], i64)")
def find_line(s, table, side):
    """Fill `line` with best play from a decided position as far as the table has it, and return its length.

    It ends where virtual connections and filled-in cells decide, or when time or patience are used up.
    """
    start = s.log_length
    fill_board(s)
    ply = 0
    s.late = 0
    while ply < s.ends:
        s.work += WORK_PER_LOOK
        if is_late(s) != 0:
            break
        entry = find_entry(s, table, node_key(s, side))
        if entry < 0:
            break
        load_node(s, table, entry, ply)
        move = s.node_best[ply]
        if s.delta[ply] == 0:
            move = longest_defence(s, table, ply, side)
        if move == 0:
            break
        s.line[ply] = move
        play_filled(s, side, move)
        side = 1 - side
        ply += 1
    take_back(s, start)
    return ply
