"""The rules of Hex: set-up, stones, swap, undo, winner and perft.

A move is the index of its cell on the padded board, or SWAP; kernels/records.py shows the board. Colours and sides are
0 black and 1 white, the contents of cells 1 more. The padding is coloured, so an edge is a chain like any other: a
colour has won when its two edges belong to one chain. Chains are kept in a union-find forest with union by size and
without path compression. A union then changes a single parent, and undo can take it back from the stack `links`.

    neighbour offsets           -STRIDE  1-STRIDE
    of a cell c               -1       c      +1
                                STRIDE-1  STRIDE
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import CELLS, HEX, KERNELS, STRIDE, SWAP
from core.search.kernels.randomness import make_keys

__all__ = ["HEX", "KERNELS", "apply", "is_legal", "list_legal", "perft", "put", "undo"]

BLACK, WHITE, BORDER = 1, 2, 3  # contents of a cell: a stone or edge, or a cell off the board that belongs to no edge
NEIGHBOUR_OFFSETS = np.array(
    [-1, 1, -STRIDE, STRIDE, 1 - STRIDE, STRIDE - 1]
)  # to the six neighbours, in no special order


ZOBRIST = make_keys(20240911, 2, CELLS)  # by colour and cell; the first argument is the seed
ZOBRIST_SIDE = np.uint64(0x8C5B0E3F6A17D249)


@KERNELS.kernel("i64(Hex, i64)")
def find_root(s, cell):
    """Return the root of the chain that a cell belongs to."""
    while np.int64(s.parent[cell]) != cell:
        cell = np.int64(s.parent[cell])
    return cell


@KERNELS.kernel("void(Hex, i64, i64)")
def join(s, one, other):
    """Unite the chains of two cells; do nothing if they are one chain already."""
    one, other = find_root(s, one), find_root(s, other)
    if one == other:
        return
    if s.chain_size[one] < s.chain_size[other]:
        one, other = other, one
    s.parent[other] = one
    s.chain_size[one] += s.chain_size[other]
    s.links[s.link_count] = other
    s.link_count += 1


@KERNELS.kernel("void(Hex, i64)")
def undo_unions(s, count):
    """Undo the last unions until `count` are left."""
    while s.link_count > count:
        s.link_count -= 1
        child = np.int64(s.links[s.link_count])
        s.chain_size[np.int64(s.parent[child])] -= s.chain_size[child]
        s.parent[child] = child


@KERNELS.kernel("i64(Hex, i64)")
def rotated_cell_of(s, cell):
    """Return the cell that corresponds to `cell` after rotating the board by 180 degrees."""
    return (s.height + 1) * STRIDE + s.width + 1 - cell


@KERNELS.kernel("void(Hex, i64, i64)")
def toggle_hash(s, colour, cell):
    """Add a stone to both hashes, or remove it."""
    s.hash ^= ZOBRIST[colour, cell]
    s.rotated_hash ^= ZOBRIST[colour, rotated_cell_of(s, cell)]


@KERNELS.kernel("void(Hex, i64, i64)")
def add_stone(s, colour, cell):
    """Place a stone on an empty cell, join it with its neighbours and set `winner` if that connects the edges."""
    s.cells[cell] = colour + 1
    s.stones += 1
    toggle_hash(s, colour, cell)
    for direction in range(6):
        if s.cells[cell + NEIGHBOUR_OFFSETS[direction]] == colour + 1:
            join(s, cell, cell + NEIGHBOUR_OFFSETS[direction])
    first = STRIDE if colour == 1 else 1
    last = STRIDE + s.width + 1 if colour == 1 else (s.height + 1) * STRIDE + 1
    if s.winner == 0 and find_root(s, first) == find_root(s, last):
        s.winner = colour + 1


@KERNELS.kernel("void(Hex, i64, i64)")
def remove_stone(s, cell, link_count):
    """Undo `add_stone`, except for `winner`; `link_count` is the value before the stone was placed."""
    toggle_hash(s, np.int64(s.cells[cell]) - 1, cell)
    undo_unions(s, link_count)
    s.cells[cell] = 0
    s.stones -= 1


@KERNELS.kernel("void(Hex, i64, i64)")
def record_ply(s, colour, cell):
    """Append a move to the history, with everything that `undo` needs; called before the stone is placed."""
    s.path[s.plies] = cell
    s.path_colour[s.plies] = colour
    s.path_side[s.plies] = s.side
    s.path_out_of_turn[s.plies] = 1 if colour != s.side or s.winner != 0 else 0
    s.path_links[s.plies] = s.link_count
    s.plies += 1


@KERNELS.export("void(Hex, i64)")
def set_side(s, side):
    """Set the side to move."""
    if s.side != side:
        s.side = side
        s.hash ^= ZOBRIST_SIDE
        s.rotated_hash ^= ZOBRIST_SIDE


@KERNELS.export("void(Hex, i64, i64)")
def put(s, colour, cell):
    """Place a stone of a colour on an empty cell, whoever is to move; the other colour moves next."""
    record_ply(s, colour, cell)
    add_stone(s, colour, cell)
    set_side(s, 1 - colour)


@KERNELS.export("void(Hex, i64)")
def apply(s, move):
    """Play a legal move for the side to move.

    A swap removes the only stone and places one of the other colour on the mirrored cell (column and row exchanged).
    """
    if move != SWAP:
        put(s, s.side, move)
        return
    first = np.int64(s.path[0])
    remove_stone(s, first, 0)
    record_ply(s, s.side, SWAP)
    add_stone(s, s.side, first % STRIDE * STRIDE + first // STRIDE)
    set_side(s, 1 - s.side)


@KERNELS.export("void(Hex)")
def undo(s):
    """Take back the last move or stone."""
    s.plies -= 1
    cell = np.int64(s.path[s.plies])
    s.winner = 0
    if cell == SWAP:
        first = np.int64(s.path[0])
        remove_stone(s, first % STRIDE * STRIDE + first // STRIDE, 0)
        add_stone(s, np.int64(s.path_colour[0]), first)
    else:
        remove_stone(s, cell, np.int64(s.path_links[s.plies]))
        if find_root(s, 1) == find_root(s, (s.height + 1) * STRIDE + 1):
            s.winner = BLACK
        elif find_root(s, STRIDE) == find_root(s, STRIDE + s.width + 1):
            s.winner = WHITE
    set_side(s, np.int64(s.path_side[s.plies]))


@KERNELS.export("void(Hex, i64, i64, i64)")
def setup(s, width, height, swap):
    """Set up an empty board, black to move. `swap` is 1 if pieces may be swapped, which needs a square board."""
    s.width, s.height, s.swap = width, height, swap
    s.side, s.plies, s.stones, s.winner, s.link_count = 0, 0, 0, 0, 0
    s.hash, s.rotated_hash = np.uint64(0), np.uint64(0)
    for cell in range(CELLS):
        s.cells[cell] = BORDER
        s.parent[cell] = cell
        s.chain_size[cell] = 1
    for y in range(1, height + 1):
        for x in range(1, width + 1):
            s.cells[y * STRIDE + x] = 0
    for x in range(1, width + 1):
        for end in range(2):
            y = end * (height + 1)
            s.cells[y * STRIDE + x] = BLACK
            s.parent[y * STRIDE + x] = y * STRIDE + 1
    for y in range(1, height + 1):
        for end in range(2):
            x = end * (width + 1)
            s.cells[y * STRIDE + x] = WHITE
            s.parent[y * STRIDE + x] = STRIDE + x


@KERNELS.kernel("i64(Hex)")
def can_swap(s):
    """Return 1 if the side to move may swap: black has made the first move, and white is to answer it."""
    if s.swap == 0 or s.plies != 1 or s.winner != 0:
        return 0
    return 1 if s.path_colour[0] == 0 and s.side == 1 else 0


@KERNELS.export("i64(Hex, i64)")
def is_legal(s, move):
    """Return 1 if the side to move may play `move`, else 0."""
    if s.winner != 0 or move < 0 or move >= CELLS:
        return 0
    return can_swap(s) if move == SWAP else (1 if s.cells[move] == 0 else 0)


@KERNELS.export("i64(Hex)")
def list_legal(s):
    """Fill `list` with the legal moves, row by row with the swap last, and return their number."""
    count = 0
    if s.winner != 0:
        return 0
    for y in range(1, s.height + 1):
        for cell in range(y * STRIDE + 1, y * STRIDE + s.width + 1):
            if s.cells[cell] == 0:
                s.list[count] = cell
                count += 1
    if can_swap(s) != 0:
        s.list[count] = SWAP
        count += 1
    return count


@KERNELS.export("i64(Hex, i64)")
def perft(s, depth):
    """Return the number of sequences of `depth` legal moves. The last ply is counted without being played."""
    if depth <= 0:
        return 1
    if s.winner != 0:
        return 0
    if depth == 1:
        return s.width * s.height - s.stones + can_swap(s)
    total = 0
    for y in range(1, s.height + 1):
        for cell in range(y * STRIDE + 1, y * STRIDE + s.width + 1):
            if s.cells[cell] == 0:
                apply(s, cell)
                total += perft(s, depth - 1)
                undo(s)
    if can_swap(s) != 0:
        apply(s, SWAP)
        total += perft(s, depth - 1)
        undo(s)
    return total
