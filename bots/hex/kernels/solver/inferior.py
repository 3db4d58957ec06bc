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
from bots.hex.kernels.solver.board import NONE, ONE, bit, flip_stone, is_empty, is_late, solver_setup
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
def put_stone(s, colour, end):
    """Put a stone and remember it; the cells around may have become inferior."""
    flip_stone(s, colour, end)
    s.log[s.log_length] = end
    s.log_colour[s.log_length] = colour
    s.log_length += 1
    for word in range(s.board.size):
        s.unsure[word] |= s.wide[end, word]


@KERNELS.kernel("void(HexSolver, i64)")
def take_back(s, length):
    """Take stones away until `length` are left in the log."""
    while s.log_length > length:
        s.log_length -= 1
        flip_stone(s, np.int64(s.log_colour[s.log_length]), np.int64(s.log[s.log_length]))


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def find_partner(s, colour, end):
    """A neighbour that a colour captures together with a cell, or 0."""
    ring = np.int64(s.rings[end])
    for direction in range(6):
        other = np.int64(s.ring[end, direction])
        if other < 2 or is_empty(s, other) == 0:
            continue
        if DEAD[ring | ((colour + 1) << (2 * direction))] == 0:
            continue
        if DEAD[np.int64(s.rings[other]) | ((colour + 1) << (2 * ((direction + 3) % 6)))] != 0:
            return other
    return 0


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def capture(s, colour, end):
    """Put a colour's stones on a cell and the one that it captures with it, which is the answer, or 0."""
    other = find_partner(s, colour, end)
    if other != 0:
        put_stone(s, colour, end)
        put_stone(s, colour, other)
        s.captured[colour, end >> 6] |= bit(end)
        s.captured[colour, other >> 6] |= bit(other)
    return other


@KERNELS.kernel("i64(HexSolver)")
def take_unsure(s):
    """Take the lowest empty cell out of `unsure`; -1 if there is none."""
    for word in range(s.board.size):
        bits = s.unsure[word] & s.board[word] & ~(s.stones[0, word] | s.stones[1, word])
        s.unsure[word] = bits & (bits - ONE)
        if bits != NONE:
            return 64 * word + trailing_zeros(bits)
    return -1


@KERNELS.kernel("void(HexSolver)")
def fill_in(s):
    """Put stones on dead and captured cells, beginning with the cells in `unsure`, until there are no more.

    Dead cells become black. `captured` gains what each colour has captured.
    """
    while True:
        end = take_unsure(s)
        if end < 0:
            return
        if DEAD[np.int64(s.rings[end])] != 0:
            put_stone(s, 0, end)
            continue
        for colour in range(2):
            if capture(s, colour, end) != 0:
                break


@KERNELS.kernel("void(HexSolver, i64, i64)")
def play_filled(s, colour, end):
    """Put a stone and fill in what it makes inferior; `captured` tells what each colour has captured by that."""
    for word in range(s.board.size):
        s.captured[0, word], s.captured[1, word], s.unsure[word] = NONE, NONE, NONE
    put_stone(s, colour, end)
    fill_in(s)


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def find_killer(s, colour, end):
    """A reply by which the opponent of a colour would kill its stone on a cell, or 0."""
    ring = np.int64(s.rings[end])
    for direction in range(6):
        other = np.int64(s.ring[end, direction])
        if other >= 2 and is_empty(s, other) != 0 and DEAD[ring | ((2 - colour) << (2 * direction))] != 0:
            return other
    return 0


@KERNELS.kernel("void(HexSolver, i64)")
def fill_for(s, colour):
    """As `fill_in`, but nothing is captured for the other colour, and dead cells become this one's."""
    while True:
        end = take_unsure(s)
        if end < 0:
            return
        if DEAD[np.int64(s.rings[end])] != 0:
            put_stone(s, colour, end)
        else:
            capture(s, colour, end)


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def can_die(s, colour, end):
    """1 where a cell is dead once a colour has all empty cells round it."""
    ring = np.int64(s.rings[end])
    for direction in range(6):
        if (ring >> (2 * direction)) & 3 == 0:
            ring |= (colour + 1) << (2 * direction)
    return np.int64(DEAD[ring])


@KERNELS.kernel("i64(HexSolver, i64, i64)")
def find_captor(s, colour, end):
    """A reply next to a cell by which the opponent of a colour would capture its stone there, or 0.

    `captured` tells what else the opponent has captured by the reply. As it is the opponent's after the reply, the
    stone has gained nothing: what wins after the two moves wins at once.
    """
    length = s.log_length
    for direction in range(6):
        reply = np.int64(s.ring[end, direction])
        if reply < 2 or is_empty(s, reply) == 0:
            continue
        for word in range(s.board.size):
            s.captured[1 - colour, word], s.unsure[word] = NONE, NONE
        put_stone(s, colour, end)
        put_stone(s, 1 - colour, reply)
        fill_for(s, 1 - colour)
        is_dead = DEAD[np.int64(s.rings[end])]
        take_back(s, length)
        if is_dead != 0:
            return reply
    return 0


@KERNELS.kernel("void(HexSolver, i64, i64)")
def drop_reversible(s, colour, end):
    """Take a cell out of `moves` where it is vulnerable or reversible; the reply and its captures join `carrier`."""
    reply = find_killer(s, colour, end)
    for word in range(s.board.size):
        s.captured[1 - colour, word] = NONE
    if reply == 0 and can_die(s, 1 - colour, end) != 0:
        reply = find_captor(s, colour, end)
    if reply == 0:
        return
    s.moves[end >> 6] &= ~bit(end)
    s.carrier[reply >> 6] |= bit(reply)
    for word in range(s.board.size):
        s.carrier[word] |= s.captured[1 - colour, word]


@KERNELS.kernel("void(HexSolver, i64, i64)")
def drop_dominated(s, colour, end):
    """Take out of `moves` the cells that a colour's move would kill or capture for itself."""
    length = s.log_length
    play_filled(s, colour, end)
    for place in range(length + 1, s.log_length):
        other = np.int64(s.log[place])
        if s.captured[1 - colour, other >> 6] & bit(other) == NONE:
            s.moves[other >> 6] &= ~bit(other)
    take_back(s, length)


@KERNELS.kernel("void(HexSolver, i64)")
def prune_inferior(s, colour):
    """Take the inferior cells out of the must-play region `moves` of the side to move.

    Of vulnerable and reversible cells the replies join `carrier`, for the proof of a loss rests on them. What a cell
    outside the region dominates loses as that cell does; inside, only cells that have no such reply themselves stand
    for others: two cells may not be dropped for each other's sake. `late` tells that time or patience have ended
    before all cells were looked at; the moves are then void.
    """
    for word in range(s.board.size):
        bits = s.moves[word]
        while bits != NONE:
            end = 64 * word + trailing_zeros(bits)
            bits &= bits - ONE
            s.work += WORK_PER_CELL
            if is_late(s) != 0:
                return
            drop_reversible(s, colour, end)
    for inside in range(2):
        for word in range(s.board.size):
            bits = s.board[word] & ~(s.stones[0, word] | s.stones[1, word])
            bits = bits & s.must[word] if inside == 1 else bits & ~s.must[word]
            while bits != NONE:
                end = 64 * word + trailing_zeros(bits)
                bits &= bits - ONE
                s.work += WORK_PER_CELL
                if is_late(s) != 0:
                    return
                if inside == 0 or s.moves[word] & bit(end) != NONE:
                    drop_dominated(s, colour, end)


@KERNELS.export("void(HexSolver, Hex)")
def solver_load(s, position):
    """Take over board and stones of a position that the record has room for."""
    solver_setup(s, position.width, position.height)
    for end in range(2, s.ends):
        content = np.int64(position.cells[((end - 2) // s.width + 1) * STRIDE + (end - 2) % s.width + 1])
        if content != 0:
            put_stone(s, content - 1, end)


@KERNELS.export("void(HexSolver)")
def fill_board(s):
    """Fill in every dead or captured cell of the board; `captured` tells what each colour has captured."""
    for word in range(s.board.size):
        s.captured[0, word], s.captured[1, word], s.unsure[word] = NONE, NONE, s.board[word]
    fill_in(s)


@KERNELS.export("void(HexSolver, i64)")
def list_moves(s, colour):
    """Fill `moves` with the empty cells that are not inferior for a colour to move, whatever connections say."""
    s.late = 0
    for word in range(s.board.size):
        s.carrier[word] = NONE
        s.must[word] = s.board[word] & ~(s.stones[0, word] | s.stones[1, word])
        s.moves[word] = s.must[word]
    prune_inferior(s, colour)
