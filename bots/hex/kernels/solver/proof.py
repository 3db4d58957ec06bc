"""The solver: depth-first proof-number search (df-pn, Nagai 2002) with virtual connections and inferior cells.

The ideas are from Arneson, Hayward and Henderson, "Solving Hex: beyond humans" (2010); parameters are our own. Each
node has two numbers from the view of its side to move: phi estimates the cost of proving a win, delta that of proving a
loss.

                      phi          delta
    won               0            INFINITY
    lost              INFINITY     0
    open              min over children of their delta       sum over children of their phi

    child thresholds:   phi'   = delta_threshold - delta + phi of the best child
                        delta' = min(phi_threshold, (second-best delta) * 5/4 + 1)

A new node (`expand`) is first tested with virtual connections. If they decide nothing, its moves are the must-play
region without inferior cells, sorted by the current that flows through each cell. After each move dead and captured
cells are filled in.

A decided node has a carrier: the winner wins even if the loser gets all empty cells outside it. The carrier of a
refuted move therefore also refutes every move outside it. The carrier of a lost node is the union of those of the
refutations.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import KERNELS, MAX_ORDERED, SOLVER
from bots.hex.kernels.solver.board import ONE, WORK_PER_POLL, ZERO, bit, is_interrupted
from bots.hex.kernels.solver.connections import CONNECTED, clear_carrier, connect, init_connections
from bots.hex.kernels.solver.inferior import fill_in_board, play_and_fill_in, pop_dirty_cell, prune_inferior, undo_to
from bots.hex.kernels.solver.proof_table import (
    carrier_index,
    entry_delta,
    entry_phi,
    entry_subtree_size,
    find_entry,
    is_stored_rotated,
    load_node,
    node_key,
    read_set,
    store_node,
)
from core.native.intrinsics import popcount, trailing_zeros
from core.search.kernels.polling import make_count_node

INFINITY = 1_000_000_000  # phi or delta of a decided node; sums for open nodes stay below
# At fewer plies from the root, the connections of the side to move are always computed as well (see `expand`). With 0,
# the hardest opening of 7x7 needs a third more nodes; all openings together need as many as with 4.
SEMI_CHECK_PLIES = 4
RELAXATION_SWEEPS = 16  # Gauss-Seidel sweeps for the voltages; chosen by hand, only the order of the cells matters
UNKNOWN, WON, LOST = 0, 1, 2

count_node = make_count_node(KERNELS, SOLVER.name)


@KERNELS.kernel("void(HexSolver, i64)")
def apply_current(s, first):
    """Multiply `cell_current` by the current of one colour through each cell, or set it if `first` is 1.

    The circuit consists of the full connections that `connect` or `init_connections` has left (Anshelevich 2002,
    section 5). Neighbours have conductance 1, other connected cells 0.5.
    """
    s.voltage[0], s.voltage[1] = 1.0, 0.0
    for cell in range(2, s.cell_end):
        s.voltage[cell] = 0.5
    for sweep in range(RELAXATION_SWEEPS + 1):
        s.work += 2 * s.cell_end
        if is_interrupted(s) != 0:
            return
        for cell in range(2, s.cell_end):
            total, weight, current = 0.0, 0.0, 0.0
            for word in range(s.all_cells.size):
                bits = s.connected[cell, word]
                while bits != ZERO:
                    other = 64 * word + trailing_zeros(bits)
                    bits &= bits - ONE
                    g = 1.0 if s.adjacent[cell, word] & bit(other) != ZERO else 0.5
                    total += g * s.voltage[other]
                    weight += g
                    if sweep == RELAXATION_SWEEPS:
                        current += g * abs(s.voltage[other] - s.voltage[cell])
            if weight > 0.0 and sweep < RELAXATION_SWEEPS:
                s.voltage[cell] = total / weight
            if sweep == RELAXATION_SWEEPS:
                s.cell_current[cell] = current * (1.0 if first != 0 else s.cell_current[cell])


@KERNELS.kernel("i64(HexSolver, i64)")
def count_open_moves(s, ply):
    """Return the number of open moves of a node."""
    count = np.int64(0)
    for word in range(s.all_cells.size):
        count += popcount(s.node_open_moves[ply, word])
    return count


@KERNELS.kernel("void(HexSolver, i64)")
def order_moves(s, ply):
    """Sort the open moves of a node by current, the largest first. Only MAX_ORDERED of them are listed."""
    for word in range(s.all_cells.size):
        s.remaining[word] = s.node_open_moves[ply, word]
    count = 0
    while count < MAX_ORDERED:
        best, most = 0, -1.0
        for word in range(s.all_cells.size):
            bits = s.remaining[word]
            while bits != ZERO:
                cell = 64 * word + trailing_zeros(bits)
                bits &= bits - ONE
                if s.cell_current[cell] > most:
                    best, most = cell, s.cell_current[cell]
        if best == 0:
            break
        s.remaining[best >> 6] ^= bit(best)
        s.ordered_moves[ply, count] = best
        count += 1
    s.ordered_count[ply] = count


@KERNELS.kernel("void(HexSolver, i64, i64, i64)")
def set_result(s, ply, is_won, best):
    """Mark the node as won or lost for the side to move."""
    s.phi[ply] = 0 if is_won != 0 else INFINITY
    s.delta[ply] = INFINITY if is_won != 0 else 0
    s.node_best_move[ply] = best


@KERNELS.kernel("void(HexSolver, i64)")
def save_moves_and_carrier(s, ply):
    """Copy `candidates` and `carrier` into the node of a ply."""
    for word in range(s.all_cells.size):
        s.node_open_moves[ply, word], s.node_carrier[ply, word] = s.candidates[word], s.carrier[word]


@KERNELS.kernel("void(HexSolver, i64, i64)")
def expand(s, ply, side):
    """Create the node of the present position: decided by virtual connections, or with moves to try.

    The side to move is tested for a winning semi connection only if cells were filled in with its colour. Without such
    stones it has none: the opponent's last move lay in the must-play region and so broke every one of them. Near the
    root it is tested anyway, because its connections improve the move ordering. If `interrupted` is set, the node is
    void.
    """
    count_node(s)
    s.next_poll = s.nodes + 1  # poll at every node: a node takes up to some milliseconds
    s.ordered_count[ply], s.node_best_move[ply], s.node_subtree_size[ply] = 0, 0, 1
    s.phi[ply], s.delta[ply] = 1, 1
    # 1. does the side to move win?
    checks_semi = 1 if s.has_gained_stones[ply] != 0 or ply < SEMI_CHECK_PLIES else 0
    if checks_semi != 0 and connect(s, side, 1) == CONNECTED:
        set_result(s, ply, 1, max(s.key_move, 0))
        save_moves_and_carrier(s, ply)
        return
    if checks_semi != 0 and s.interrupted == 0:
        apply_current(s, 1)
    if checks_semi != 0 and s.interrupted != 0:
        return
    # 2. does the opponent win although the side to move moves first?
    if connect(s, 1 - side, 0) == CONNECTED:
        set_result(s, ply, 0, 0)
        save_moves_and_carrier(s, ply)
        return
    if s.interrupted == 0:
        apply_current(s, 1 - checks_semi)
    if checks_semi == 0 and s.interrupted == 0:
        init_connections(s, side)
        apply_current(s, 0)
    # 3. moves: the must-play region without inferior cells
    for word in range(s.all_cells.size):
        s.candidates[word] = s.mustplay[word]
    if s.interrupted == 0:
        prune_inferior(s, side)
    if s.interrupted != 0:
        return
    save_moves_and_carrier(s, ply)
    if count_open_moves(s, ply) == 0:
        set_result(s, ply, 0, 0)
    else:
        order_moves(s, ply)


@KERNELS.kernel("void(HexSolver, i64, i64)")
def compute_children(s, ply, side):
    """Compute the key and the captures of the position after each open ordered move."""
    length = s.undo_count
    for index in range(s.ordered_count[ply]):
        move = np.int64(s.ordered_moves[ply, index])
        if s.node_open_moves[ply, move >> 6] & bit(move) == ZERO:
            continue
        play_and_fill_in(s, side, move)
        s.child_key[ply, index] = node_key(s, 1 - side)
        for colour in range(2):
            for word in range(s.all_cells.size):
                s.child_captured[ply, index, colour, word] = s.captured[colour, word]
        s.child_rotated[ply, index] = is_stored_rotated(s)
        undo_to(s, length)


@KERNELS.kernel("void(HexSolver, i64, i64, i64, i64)")
def apply_child_result(s, ply, side, index, is_won):
    """Update a node by a decided move, whose carrier is in `set_buffer`: a win decides the node, a loss closes moves.

    All moves outside the carrier of a refuted move are refuted as well.
    """
    move = np.int64(s.ordered_moves[ply, index])
    winner = side if is_won != 0 else 1 - side
    for word in range(s.all_cells.size):
        cells = s.set_buffer[word] | s.child_captured[ply, index, winner, word]
        if is_won != 0:
            s.node_carrier[ply, word] = cells
        else:
            s.node_open_moves[ply, word] &= cells
            s.node_carrier[ply, word] |= cells
    if is_won != 0:
        set_result(s, ply, 1, move)
        s.node_carrier[ply, move >> 6] |= bit(move)
        return
    s.node_open_moves[ply, move >> 6] &= ~bit(move)
    if count_open_moves(s, ply) == 0:
        set_result(s, ply, 0, 0)


@KERNELS.kernel("void(HexSolver, u64[], i64, i64)")
def apply_known_children(s, table, ply, side):
    """Update a node by the children that the table knows as decided."""
    for index in range(s.ordered_count[ply]):
        move = np.int64(s.ordered_moves[ply, index])
        if s.node_open_moves[ply, move >> 6] & bit(move) == ZERO:
            continue
        entry = find_entry(s, table, s.child_key[ply, index])
        if entry < 0:
            continue
        phi, delta = entry_phi(table, entry), entry_delta(table, entry)
        if phi == 0 or delta == 0:
            read_set(s, table, carrier_index(s, entry), np.int64(s.child_rotated[ply, index]))
            apply_child_result(s, ply, side, index, 1 if delta == 0 else 0)
            if s.phi[ply] == 0 or s.delta[ply] == 0:
                return


@KERNELS.kernel("i64(HexSolver, u64[], i64)")
def update_and_select(s, table, ply):
    """Set phi and delta of a node and the thresholds of its best child; return that child's index.

    Return -1, and change nothing, if all ordered moves are refuted; others may be open.

    Only the first 1 + (open moves + 3) / 4 moves count (widening, as in Arneson, Hayward and Henderson); the others
    follow when these are refuted. A won node can be proven in this way without a look at most of its moves. If a child
    turns out to be decided, its index is returned at once, and numbers and thresholds stay as they are.
    """
    left = 1 + (count_open_moves(s, ply) + 3) // 4
    best, least, second, best_phi, total = -1, INFINITY, INFINITY, 0, 0
    for index in range(s.ordered_count[ply]):
        move = np.int64(s.ordered_moves[ply, index])
        if s.node_open_moves[ply, move >> 6] & bit(move) == ZERO:
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
        if phi == 0 or delta == 0:  # decided by a transposition since the node was entered
            return index
        left -= 1
        if left == 0:
            break
    if best < 0:
        return -1
    s.phi[ply], s.delta[ply] = least, min(total, INFINITY - 1)
    s.phi_threshold[ply + 1] = min(s.delta_threshold[ply] - s.delta[ply] + best_phi, INFINITY)
    s.delta_threshold[ply + 1] = min(s.phi_threshold[ply], second + 1 + second // 4)
    return best


@KERNELS.kernel("void(HexSolver, u64[], i64, i64)")
def dfpn(s, table, ply, side):
    """Search the node of the present position until it is decided or a threshold is reached, and store it in the
    table.
    """
    entry = find_entry(s, table, node_key(s, side))
    if entry >= 0:
        load_node(s, table, entry, ply)
        s.work += WORK_PER_POLL  # poll: loading known nodes does not count nodes
        is_interrupted(s)  # sets `aborted` if the whole search must end
    else:
        s.interrupted = 0  # set if a limit cuts `expand` off; then the node is void
        expand(s, ply, side)
        if s.interrupted != 0:
            return
    before = s.nodes
    length = s.undo_count
    if s.phi[ply] != 0 and s.delta[ply] != 0:
        compute_children(s, ply, side)
        apply_known_children(s, table, ply, side)
    while s.phi[ply] != 0 and s.delta[ply] != 0 and s.aborted == 0:
        index = update_and_select(s, table, ply)
        if index < 0:  # all ordered moves are refuted, but more are open
            order_moves(s, ply)
            compute_children(s, ply, side)
            continue
        if s.phi[ply] >= s.phi_threshold[ply] or s.delta[ply] >= s.delta_threshold[ply]:
            break
        play_and_fill_in(s, side, np.int64(s.ordered_moves[ply, index]))
        s.has_gained_stones[ply + 1] = 0
        for stack_index in range(length + 1, s.undo_count):
            if s.undo_colour[stack_index] != side:
                s.has_gained_stones[ply + 1] = 1
        dfpn(s, table, ply + 1, 1 - side)
        undo_to(s, length)
        if s.phi[ply + 1] == 0 or s.delta[ply + 1] == 0:
            won = 1 if s.delta[ply + 1] == 0 else 0
            for word in range(s.all_cells.size):
                s.set_buffer[word] = s.node_carrier[ply + 1, word]
            apply_child_result(s, ply, side, index, won)
    s.node_subtree_size[ply] += s.nodes - before
    store_node(s, table, ply, side)


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def pick_any_winning_move(s, side, length):
    """Return a move for a side that wins whatever it plays: a cell filled in for it, or else any empty cell.

    The cells filled in are those of the undo stack from index `length` on. If there is no empty cell either, it is one
    filled in for the opponent.
    """
    for index in range(length, s.undo_count):
        if s.undo_colour[index] == side:
            return np.int64(s.undo_stack[index])
    for word in range(s.all_cells.size):
        s.dirty[word] = s.all_cells[word]
    empty = pop_dirty_cell(s)  # skips cells with a stone
    if empty >= 0:
        return empty
    return np.int64(s.undo_stack[length]) if s.undo_count > length else 0


@KERNELS.export("i64(HexSolver, u64[], i64)")
def solve(s, table, side):
    """Solve the solver's position for `side` to move: WON, LOST, or UNKNOWN if a limit ended the search.

    WON and LOST set `carrier`, WON also `best_move`; UNKNOWN leaves both empty. Another call with the same table
    continues the search.
    """
    s.nodes, s.next_poll, s.aborted, s.best_move = 0, 0, 0, 0
    length = s.undo_count
    fill_in_board(s)
    for colour in range(2):
        for word in range(s.all_cells.size):
            s.root_captured[colour, word] = s.captured[colour, word]
    s.phi_threshold[0], s.delta_threshold[0] = INFINITY, INFINITY
    s.has_gained_stones[0] = 1
    dfpn(s, table, 0, side)
    if s.phi[0] != 0 and s.delta[0] != 0:
        undo_to(s, length)
        clear_carrier(s, -1)
        return UNKNOWN
    winner = side if s.phi[0] == 0 else 1 - side
    s.best_move = s.node_best_move[0]
    if winner == side and s.best_move == 0:
        s.best_move = pick_any_winning_move(s, side, length)
    undo_to(s, length)
    for word in range(s.all_cells.size):
        s.carrier[word] = s.node_carrier[0, word] | s.root_captured[winner, word]
    return WON if winner == side else LOST


@KERNELS.export("void(HexSolver)")
def clear_result(s):
    """Clear the carrier and the best move of an earlier `solve`."""
    clear_carrier(s, -1)
    s.best_move = 0


@KERNELS.kernel("i64(HexSolver, u64[], i64, i64)")
def longest_defence(s, table, ply, side):
    """Return the move of a lost node whose refutation took most nodes, or 0 if the table has no refutation."""
    length = s.undo_count
    best, most = 0, 0
    for index in range(s.ordered_count[ply]):
        move = np.int64(s.ordered_moves[ply, index])
        play_and_fill_in(s, side, move)
        entry = find_entry(s, table, node_key(s, 1 - side))
        undo_to(s, length)
        if entry >= 0 and entry_phi(table, entry) == 0 and entry_subtree_size(table, entry) > most:
            best, most = move, entry_subtree_size(table, entry)
    return best


@KERNELS.export("i64(HexSolver, u64[], i64)")
def find_pv(s, table, side):
    """Fill `pv` with the principal variation of a decided position, as far as the table has it; return its length.

    It ends where virtual connections or filled-in cells decide, or when a limit is reached.
    """
    start = s.undo_count
    fill_in_board(s)
    ply = 0
    s.interrupted = 0
    while ply < s.cell_end:
        s.work += WORK_PER_POLL
        if is_interrupted(s) != 0:
            break
        entry = find_entry(s, table, node_key(s, side))
        if entry < 0:
            break
        load_node(s, table, entry, ply)
        move = s.node_best_move[ply]
        if s.delta[ply] == 0:
            move = longest_defence(s, table, ply, side)
        if move == 0:
            break
        s.pv[ply] = move
        play_and_fill_in(s, side, move)
        side = 1 - side
        ply += 1
    undo_to(s, start)
    return ply
