"""Inferior cells: empty cells that can be filled in, and moves that need not be tried.

After Hayward and van Rijswijck, "Hex and combinatorics" (2006). Instead of matching patterns from a file, the kernels
search the replies among the six neighbours of a cell. A stone matters only if it can join two separate runs of its
colour among its neighbours, so most questions can be answered from the ring code (board.py). In the pictures, X is
black and O white, and letters and points are empty cells.

    dead         no completion of the neighbours gives a colour two separate runs:        O O
                 the colour of the cell never matters. It is filled in.                  O d .
                                                                                          O O
    captured     a pair of adjacent empty cells. If the opponent plays one, the            X
                 owner plays the other, and the opponent's stone is dead.                 c c
                 Both are filled in for the owner (here black, at its edge).            -------
    vulnerable   one reply of the opponent makes a stone on this cell dead. The
                 side to move need not try the cell.
    reversible   one reply of the opponent captures a stone on this cell. The move
                 gains nothing and need not be tried either.
    dominated    another move makes this cell dead or captures it for the mover, and
                 so achieves everything that this move would.

`prune_inferior` first drops vulnerable and reversible moves, then those dominated by cells outside the must-play
region, then those dominated by remaining candidates. The proof of a loss relies on the refuting replies, so they join
`carrier`.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import KERNELS, STRIDE
from bots.hex.kernels.solver.board import ONE, ZERO, bit, is_empty, is_interrupted, solver_setup, toggle_stone
from core.native.intrinsics import trailing_zeros


def _count_arcs(ring: tuple[int, ...], colour: int) -> int:
    """Return the number of separate runs of a colour in the ring; a ring of one colour is one run."""
    return sum(ring[i] == colour and ring[i - 1] != colour for i in range(6)) or int(ring[0] == colour)


def _is_dead(ring: list[int]) -> bool:
    """Return whether no way to fill the ring gives a colour two runs. Neighbours are 0 empty, 1 black or 2 white.

    Testing black is enough: a full ring has as many runs of white as of black, or none of one colour.
    """
    if 0 in ring:
        first = ring.index(0)
        return all(_is_dead([*ring[:first], colour, *ring[first + 1 :]]) for colour in (1, 2))
    return _count_arcs(tuple(ring), 1) <= 1


def _find_dead() -> np.ndarray:
    """Return a table over ring codes: 1 if the cell is dead."""
    table = np.zeros(1 << 12, dtype=np.uint8)
    for code in range(1 << 12):
        ring = [(code >> (2 * direction)) & 3 for direction in range(6)]
        if 3 not in ring:
            table[code] = _is_dead(ring)
    return table


DEAD = _find_dead()  # by ring code: 1 if a cell with these neighbours is dead
WORK_PER_CELL = 32  # `work` of examining one cell, in connections tried


@KERNELS.kernel("void(HexSolver, i64, i64)")
def put_stone(s, colour, cell):
    """Place a stone, push it on the undo stack and mark the cells around it as dirty."""
    toggle_stone(s, colour, cell)
    s.undo_stack[s.undo_count] = cell
    s.undo_colour[s.undo_count] = colour
    s.undo_count += 1
    for word in range(s.all_cells.size):
        s.dirty[word] |= s.nearby_set[cell, word]


@KERNELS.kernel("void(HexSolver, i64)")
def undo_to(s, length):
    """Remove stones until `length` are left on the undo stack."""
    while s.undo_count > length:
        s.undo_count -= 1
        toggle_stone(s, np.int64(s.undo_colour[s.undo_count]), np.int64(s.undo_stack[s.undo_count]))


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def find_capture_partner(s, colour, cell):
    """Return a neighbour that a colour captures together with `cell`, or 0."""
    code = np.int64(s.ring_code[cell])
    for direction in range(6):
        other = np.int64(s.neighbour[cell, direction])
        if other < 2 or is_empty(s, other) == 0:
            continue
        if DEAD[code | ((colour + 1) << (2 * direction))] == 0:
            continue
        # `cell` lies in the opposite direction as seen from `other`
        if DEAD[np.int64(s.ring_code[other]) | ((colour + 1) << (2 * ((direction + 3) % 6)))] != 0:
            return other
    return 0


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def try_capture(s, colour, cell):
    """If a colour captures `cell` together with a neighbour, fill in both and return the neighbour; else return 0."""
    other = find_capture_partner(s, colour, cell)
    if other != 0:
        put_stone(s, colour, cell)
        put_stone(s, colour, other)
        s.captured[colour, cell >> 6] |= bit(cell)
        s.captured[colour, other >> 6] |= bit(other)
    return other


@KERNELS.kernel("i64(HexSolver)")
def pop_dirty_cell(s):
    """Remove the lowest empty cell from `dirty` and return it; return -1 if there is none."""
    for word in range(s.all_cells.size):
        bits = s.dirty[word] & s.all_cells[word] & ~(s.stones[0, word] | s.stones[1, word])
        s.dirty[word] = bits & (bits - ONE)
        if bits != ZERO:
            return 64 * word + trailing_zeros(bits)
    return -1


@KERNELS.kernel("void(HexSolver)")
def fill_in(s):
    """Fill in dead and captured cells, starting from `dirty`, until none is left.

    Dead cells become black. Captured cells are added to `captured`.
    """
    while True:
        cell = pop_dirty_cell(s)
        if cell < 0:
            return
        if DEAD[np.int64(s.ring_code[cell])] != 0:
            put_stone(s, 0, cell)
            continue
        for colour in range(2):
            if try_capture(s, colour, cell) != 0:
                break


@KERNELS.kernel("void(HexSolver, i64, i64)")
def play_and_fill_in(s, colour, cell):
    """Place a stone and fill in the cells that it makes dead or captured; `captured` has the captured ones
    afterwards.
    """
    for word in range(s.all_cells.size):
        s.captured[0, word], s.captured[1, word], s.dirty[word] = ZERO, ZERO, ZERO
    put_stone(s, colour, cell)
    fill_in(s)


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def find_killing_reply(s, colour, cell):
    """Return a reply by which the opponent of `colour` makes a stone on `cell` dead, or 0."""
    code = np.int64(s.ring_code[cell])
    for direction in range(6):
        other = np.int64(s.neighbour[cell, direction])
        # 2 - colour is the opponent's content code
        if other >= 2 and is_empty(s, other) != 0 and DEAD[code | ((2 - colour) << (2 * direction))] != 0:
            return other
    return 0


@KERNELS.kernel("void(HexSolver, i64)")
def fill_in_for_colour(s, colour):
    """Fill in like `fill_in`, but for one colour only: dead cells get its stones, and only its captures count."""
    while True:
        cell = pop_dirty_cell(s)
        if cell < 0:
            return
        if DEAD[np.int64(s.ring_code[cell])] != 0:
            put_stone(s, colour, cell)
        else:
            try_capture(s, colour, cell)


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def can_become_dead(s, colour, cell):
    """Return 1 if a cell would be dead with stones of `colour` on all its empty neighbours."""
    code = np.int64(s.ring_code[cell])
    for direction in range(6):
        if (code >> (2 * direction)) & 3 == 0:
            code |= (colour + 1) << (2 * direction)
    return np.int64(DEAD[code])


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def find_reversing_reply(s, colour, cell):
    """Return a reply next to `cell` by which the opponent of `colour` captures a stone there, or 0.

    `captured` has the opponent's other captures afterwards. After the reply the stone is dead, so it may be counted as
    the opponent's: the exchange has not helped the mover.
    """
    length = s.undo_count
    for direction in range(6):
        reply = np.int64(s.neighbour[cell, direction])
        if reply < 2 or is_empty(s, reply) == 0:
            continue
        for word in range(s.all_cells.size):
            s.captured[1 - colour, word], s.dirty[word] = ZERO, ZERO
        put_stone(s, colour, cell)
        put_stone(s, 1 - colour, reply)
        fill_in_for_colour(s, 1 - colour)
        is_dead = DEAD[np.int64(s.ring_code[cell])]
        undo_to(s, length)
        if is_dead != 0:
            return reply
    return 0


@KERNELS.kernel("void(HexSolver, i64, i64)")
def drop_vulnerable_or_reversible(s, colour, cell):
    """Remove a cell from `candidates` if it is vulnerable or reversible; the reply and its captures join `carrier`."""
    reply = find_killing_reply(s, colour, cell)
    for word in range(s.all_cells.size):
        s.captured[1 - colour, word] = ZERO
    if reply == 0 and can_become_dead(s, 1 - colour, cell) != 0:
        reply = find_reversing_reply(s, colour, cell)
    if reply == 0:
        return
    s.candidates[cell >> 6] &= ~bit(cell)
    s.carrier[reply >> 6] |= bit(reply)
    for word in range(s.all_cells.size):
        s.carrier[word] |= s.captured[1 - colour, word]


@KERNELS.kernel("void(HexSolver, i64, i64)")
def drop_dominated(s, colour, cell):
    """Remove from `candidates` the cells that a move of `colour` on `cell` would make dead or capture for `colour`."""
    length = s.undo_count
    play_and_fill_in(s, colour, cell)
    for index in range(length + 1, s.undo_count):
        other = np.int64(s.undo_stack[index])
        if s.captured[1 - colour, other >> 6] & bit(other) == ZERO:
            s.candidates[other >> 6] &= ~bit(other)
    undo_to(s, length)


@KERNELS.kernel("void(HexSolver, i64)")
def prune_inferior(s, colour):
    """Remove inferior moves of `colour`, the side to move, from `candidates`. If `interrupted` is set, the result is
    void.

    Moves outside the must-play region lose, so anything they dominate loses, too. Inside, a dominating move must itself
    still be a candidate; otherwise two moves could eliminate each other.
    """
    # 1. vulnerable and reversible moves
    for word in range(s.all_cells.size):
        bits = s.candidates[word]
        while bits != ZERO:
            cell = 64 * word + trailing_zeros(bits)
            bits &= bits - ONE
            s.work += WORK_PER_CELL
            if is_interrupted(s) != 0:
                return
            drop_vulnerable_or_reversible(s, colour, cell)
    # 2. moves dominated from outside the must-play region, then from inside
    for inside in range(2):
        for word in range(s.all_cells.size):
            bits = s.all_cells[word] & ~(s.stones[0, word] | s.stones[1, word])
            bits = bits & s.mustplay[word] if inside == 1 else bits & ~s.mustplay[word]
            while bits != ZERO:
                cell = 64 * word + trailing_zeros(bits)
                bits &= bits - ONE
                s.work += WORK_PER_CELL
                if is_interrupted(s) != 0:
                    return
                if inside == 0 or s.candidates[word] & bit(cell) != ZERO:
                    drop_dominated(s, colour, cell)


@KERNELS.export("void(HexSolver, Hex)")
def solver_load(s, position):
    """Copy board and stones of a position; the state must have room for its size."""
    solver_setup(s, position.width, position.height)
    for cell in range(2, s.cell_end):
        content = np.int64(position.cells[((cell - 2) // s.width + 1) * STRIDE + (cell - 2) % s.width + 1])
        if content != 0:
            put_stone(s, content - 1, cell)


@KERNELS.export("void(HexSolver)")
def fill_in_board(s):
    """Fill in all dead and captured cells of the board; `captured` has the captured ones afterwards."""
    for word in range(s.all_cells.size):
        s.captured[0, word], s.captured[1, word], s.dirty[word] = ZERO, ZERO, s.all_cells[word]
    fill_in(s)


@KERNELS.export("void(HexSolver, i64)")
def find_candidates(s, colour):
    """Set `candidates` to the empty cells that are not inferior for `colour`, the side to move, ignoring
    connections.
    """
    s.interrupted = 0
    for word in range(s.all_cells.size):
        s.carrier[word] = ZERO
        s.mustplay[word] = s.all_cells[word] & ~(s.stones[0, word] | s.stones[1, word])
        s.candidates[word] = s.mustplay[word]
    prune_inferior(s, colour)
