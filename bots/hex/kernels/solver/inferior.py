"""Inferior cells: which empty cells cannot matter, are as good as taken, or need not be tried.

After Hayward and van Rijswijck, "Hex and combinatorics" (2006), by search over a cell's six neighbours instead of
patterns from a file. Ways through a cell lead between separate arcs of one colour in the ring round it, so:

dead: however the ring is filled, neither colour has two arcs. Its colour does not matter; it is filled in.
captured: of two neighbours whichever the opponent takes, the owner takes the other and makes the first dead. Both are
filled in with the owner's colour.
vulnerable: one reply would kill the cell. The side to move need not try it.
reversible: one reply would make the cell dead by what it captures. Nor need that one be tried.
dominated: another move makes the cell dead or captures it, and so does all that it would.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import KERNELS, STRIDE
from bots.hex.kernels.solver.board import ONE, ZERO, bit, is_empty, is_interrupted, solver_setup, toggle_stone
from core.native.intrinsics import trailing_zeros


def _count_arcs(ring: tuple[int, ...], colour: int) -> int:
    return sum(ring[i] == colour and ring[i - 1] != colour for i in range(6)) or int(ring[0] == colour)


def _is_dead(ring: list[int]) -> bool:
    """Whether no way to fill the ring gives a colour two arcs. Cells are 0 empty, 1 black, 2 white."""
    if 0 in ring:
        place = ring.index(0)
        return all(_is_dead([*ring[:place], colour, *ring[place + 1 :]]) for colour in (1, 2))
    return _count_arcs(tuple(ring), 1) <= 1


def _find_dead() -> np.ndarray:
    """1 for each ring, as two bits a neighbour, that makes its cell dead."""
    table = np.zeros(1 << 12, dtype=np.uint8)
    for code in range(1 << 12):
        ring = [(code >> (2 * direction)) & 3 for direction in range(6)]
        if 3 not in ring:
            table[code] = _is_dead(ring)
    return table


DEAD = _find_dead()
WORK_PER_CELL = 32  # of looking for replies to a cell, in connections that are tried


@KERNELS.kernel("void(HexSolver, i64, i64)")
def put_stone(s, colour, cell):
    """Put a stone and remember it; the cells around may have become inferior."""
    toggle_stone(s, colour, cell)
    s.undo_stack[s.undo_count] = cell
    s.undo_colour[s.undo_count] = colour
    s.undo_count += 1
    for word in range(s.all_cells.size):
        s.dirty[word] |= s.nearby_set[cell, word]


@KERNELS.kernel("void(HexSolver, i64)")
def undo_to(s, length):
    """Take stones away until `length` are left in the log."""
    while s.undo_count > length:
        s.undo_count -= 1
        toggle_stone(s, np.int64(s.undo_colour[s.undo_count]), np.int64(s.undo_stack[s.undo_count]))


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def find_capture_partner(s, colour, cell):
    """A neighbour that a colour captures together with a cell, or 0."""
    code = np.int64(s.ring_code[cell])
    for direction in range(6):
        other = np.int64(s.neighbour[cell, direction])
        if other < 2 or is_empty(s, other) == 0:
            continue
        if DEAD[code | ((colour + 1) << (2 * direction))] == 0:
            continue
        if DEAD[np.int64(s.ring_code[other]) | ((colour + 1) << (2 * ((direction + 3) % 6)))] != 0:
            return other
    return 0


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def try_capture(s, colour, cell):
    """Put a colour's stones on a cell and the one that it captures with it, which is the answer, or 0."""
    other = find_capture_partner(s, colour, cell)
    if other != 0:
        put_stone(s, colour, cell)
        put_stone(s, colour, other)
        s.captured[colour, cell >> 6] |= bit(cell)
        s.captured[colour, other >> 6] |= bit(other)
    return other


@KERNELS.kernel("i64(HexSolver)")
def pop_dirty_cell(s):
    """Take the lowest empty cell out of `unsure`; -1 if there is none."""
    for word in range(s.all_cells.size):
        bits = s.dirty[word] & s.all_cells[word] & ~(s.stones[0, word] | s.stones[1, word])
        s.dirty[word] = bits & (bits - ONE)
        if bits != ZERO:
            return 64 * word + trailing_zeros(bits)
    return -1


@KERNELS.kernel("void(HexSolver)")
def fill_in(s):
    """Put stones on dead and captured cells, beginning with the cells in `unsure`, until there are no more.

    Dead cells become black. `captured` gains what each colour has captured.
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
    """Put a stone and fill in what it makes inferior; `captured` tells what each colour has captured by that."""
    for word in range(s.all_cells.size):
        s.captured[0, word], s.captured[1, word], s.dirty[word] = ZERO, ZERO, ZERO
    put_stone(s, colour, cell)
    fill_in(s)


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def find_killing_reply(s, colour, cell):
    """A reply by which the opponent of a colour would kill its stone on a cell, or 0."""
    code = np.int64(s.ring_code[cell])
    for direction in range(6):
        other = np.int64(s.neighbour[cell, direction])
        if other >= 2 and is_empty(s, other) != 0 and DEAD[code | ((2 - colour) << (2 * direction))] != 0:
            return other
    return 0


@KERNELS.kernel("void(HexSolver, i64)")
def fill_in_for_colour(s, colour):
    """As `fill_in`, but nothing is captured for the other colour, and dead cells become this one's."""
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
    """1 where a cell is dead once a colour has all empty cells round it."""
    code = np.int64(s.ring_code[cell])
    for direction in range(6):
        if (code >> (2 * direction)) & 3 == 0:
            code |= (colour + 1) << (2 * direction)
    return np.int64(DEAD[code])


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def find_reversing_reply(s, colour, cell):
    """A reply next to a cell by which the opponent of a colour would capture its stone there, or 0.

    `captured` tells what else the opponent has captured by the reply. As it is the opponent's after the reply, the
    stone has gained nothing: what wins after the two moves wins at once.
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
    """Take a cell out of `moves` where it is vulnerable or reversible; the reply and its captures join `carrier`."""
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
    """Take out of `moves` the cells that a colour's move would kill or capture for itself."""
    length = s.undo_count
    play_and_fill_in(s, colour, cell)
    for index in range(length + 1, s.undo_count):
        other = np.int64(s.undo_stack[index])
        if s.captured[1 - colour, other >> 6] & bit(other) == ZERO:
            s.candidates[other >> 6] &= ~bit(other)
    undo_to(s, length)


@KERNELS.kernel("void(HexSolver, i64)")
def prune_inferior(s, colour):
    """Take the inferior cells out of the must-play region `moves` of the side to move.

    Of vulnerable and reversible cells the replies join `carrier`, for the proof of a loss rests on them. What a cell
    outside the region dominates loses as that cell does; inside, only cells that have no such reply themselves stand
    for others: two cells may not be dropped for each other's sake. `late` tells that time or patience have ended
    before all cells were looked at; the moves are then void.
    """
    for word in range(s.all_cells.size):
        bits = s.candidates[word]
        while bits != ZERO:
            cell = 64 * word + trailing_zeros(bits)
            bits &= bits - ONE
            s.work += WORK_PER_CELL
            if is_interrupted(s) != 0:
                return
            drop_vulnerable_or_reversible(s, colour, cell)
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
    """Take over board and stones of a position that the record has room for."""
    solver_setup(s, position.width, position.height)
    for cell in range(2, s.cell_end):
        content = np.int64(position.cells[((cell - 2) // s.width + 1) * STRIDE + (cell - 2) % s.width + 1])
        if content != 0:
            put_stone(s, content - 1, cell)


@KERNELS.export("void(HexSolver)")
def fill_in_board(s):
    """Fill in every dead or captured cell of the board; `captured` tells what each colour has captured."""
    for word in range(s.all_cells.size):
        s.captured[0, word], s.captured[1, word], s.dirty[word] = ZERO, ZERO, s.all_cells[word]
    fill_in(s)


@KERNELS.export("void(HexSolver, i64)")
def find_candidates(s, colour):
    """Fill `moves` with the empty cells that are not inferior for a colour to move, whatever connections say."""
    s.interrupted = 0
    for word in range(s.all_cells.size):
        s.carrier[word] = ZERO
        s.mustplay[word] = s.all_cells[word] & ~(s.stones[0, word] | s.stones[1, word])
        s.candidates[word] = s.mustplay[word]
    prune_inferior(s, colour)
