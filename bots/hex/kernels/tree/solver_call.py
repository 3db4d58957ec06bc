"""The solver's part in the tree search: prove well-visited nodes by virtual connections, or prune their inferior moves.

When a node has `solver_threshold` visits, the search returns to Python, which calls `call_solver` for this node.
Proven moves and nodes are marked as in MCTS-Solver (core/search/mcts_tree.py).
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import KERNELS, STRIDE
from bots.hex.kernels.solver.board import ZERO, bit
from bots.hex.kernels.solver.connections import CONNECTED, connect
from bots.hex.kernels.solver.inferior import fill_in_board, prune_inferior, put_stone, undo_to
from bots.hex.kernels.tree.mcts_game import backup_proof, reset_to_root
from core.search.kernels.mcts import row_start
from core.search.mcts_tree import (
    LOST,
    MOVE_COUNT,
    PROVEN_LOSS,
    PROVEN_WIN,
    ROW_CHILD,
    ROW_MOVE,
    SOLVER_CALLED,
    UNKNOWN,
    WON,
)


@KERNELS.kernel("void(HexPlayout, HexSolver)")
def copy_stones(s, solver):
    """Copy the stones of the working position to the solver's board, which must have the same size."""
    undo_to(solver, 0)
    for y in range(s.height):
        for x in range(s.width):
            colour = np.int64(s.played_by[(y + 1) * STRIDE + x + 1]) - 1
            if colour >= 0:
                put_stone(solver, colour, 2 + x + y * s.width)


@KERNELS.export("i64(HexSolver, i64)")
def static_result(solver, side):
    """Return WON or LOST for `side` to move if H-search and inferior cells decide the solver's position, else UNKNOWN.

    Dead and captured cells of the solver's board are filled in. After UNKNOWN, `candidates` has the moves worth trying.
    If `interrupted` is set, the result is void.
    """
    fill_in_board(solver)
    if connect(solver, side, 1) == CONNECTED:
        return WON
    if solver.interrupted != 0:
        return UNKNOWN
    if connect(solver, 1 - side, 0) == CONNECTED:
        return LOST
    if solver.interrupted != 0:
        return UNKNOWN
    for word in range(solver.all_cells.size):
        solver.candidates[word] = solver.mustplay[word]
    prune_inferior(solver, side)
    left = ZERO
    for word in range(solver.all_cells.size):
        left |= solver.candidates[word]
    return UNKNOWN if left != ZERO or solver.interrupted != 0 else LOST


@KERNELS.kernel("i64(HexPlayout, HexSolver)")
def static_result_of_leaf(s, solver):
    """Return `static_result` for the working position of the search."""
    copy_stones(s, solver)
    return static_result(solver, s.side)


@KERNELS.kernel("i64(HexPlayout, i64)")
def solver_cell(s, cell):
    """Convert a cell of the padded board to the solver's numbering."""
    return 2 + cell % STRIDE - 1 + (cell // STRIDE - 1) * s.width


@KERNELS.kernel("void(HexPlayout, HexSolver, i32[])")
def prove_root_win(s, solver, tree):
    """Mark the root as won, and its move `key_move` as a winning one; if `key_move` is -1, any move wins.

    A key move that the caller has excluded, by marking it as a proven loss, proves nothing.
    """
    count = np.int64(tree[s.root + MOVE_COUNT])
    if solver.key_move < 0:
        s.root_result = WON
    moves, children = row_start(tree, s.root, ROW_MOVE), row_start(tree, s.root, ROW_CHILD)
    for index in range(count):
        is_key = solver_cell(s, np.int64(tree[moves + index])) == solver.key_move
        if is_key and tree[children + index] != PROVEN_LOSS:
            tree[children + index] = PROVEN_WIN
            s.root_result = WON


@KERNELS.export("void(HexPlayout, HexSolver, i32[])")
def call_solver(s, solver, tree):
    """Analyse the leaf at the end of the search path: propagate a proof to its ancestors, or mark its inferior moves as
    lost.

    If a limit interrupts the solver, the node is marked for another call later.
    """
    result = static_result_of_leaf(s, solver)
    if result == UNKNOWN and solver.interrupted != 0:
        tree[np.int64(s.path[s.depth]) + SOLVER_CALLED] = 0
        return
    if result == WON and s.depth == 0:
        prove_root_win(s, solver, tree)
        return
    if result != UNKNOWN:
        backup_proof(s, tree, result)
        return
    node = np.int64(s.path[s.depth])
    count = np.int64(tree[node + MOVE_COUNT])
    open_moves = 0
    moves, children = row_start(tree, node, ROW_MOVE), row_start(tree, node, ROW_CHILD)
    for index in range(count):
        cell = solver_cell(s, np.int64(tree[moves + index]))
        if solver.candidates[cell >> 6] & bit(cell) == ZERO:
            tree[children + index] = PROVEN_LOSS
        elif tree[children + index] != PROVEN_LOSS:
            open_moves += 1
    if open_moves == 0:
        backup_proof(s, tree, LOST)


@KERNELS.export("i64(HexPlayout, HexSolver)")
def static_result_of_root(s, solver):
    """Return `static_result` for the root position."""
    reset_to_root(s)
    return static_result_of_leaf(s, solver)
