"""Hex's rules as kernels over one record: set up, put a stone, swap, undo, who has connected, perft.

A cell is an index into a padded board, `(y + 1) * 21 + x + 1`; a move is its cell, or SWAP. The padding above and below
is black, left and right of the board white, so that an edge is a chain like any other. Chains are a union-find forest
without path compression, joined by size: a union changes one parent, which the undo log remembers.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import CELLS, HEX, KERNELS, STRIDE, SWAP
from core.search.kernels.randomness import make_keys

__all__ = ["HEX", "KERNELS", "apply", "is_legal", "list_legal", "perft", "put", "undo"]

BLACK, WHITE, BORDER = 1, 2, 3
NEIGHBOUR_OFFSETS = np.array([-1, 1, -STRIDE, STRIDE, 1 - STRIDE, STRIDE - 1])  # to the six neighbours


ZOBRIST = make_keys(20240911, 2, CELLS)
ZOBRIST_SIDE = np.uint64(0x8C5B0E3F6A17D249)


@KERNELS.kernel("i64(Hex, i64)")
def find_root(s, cell):
    """The cell that stands for a chain."""
    while np.int64(s.parent[cell]) != cell:
        cell = np.int64(s.parent[cell])
    return cell


@KERNELS.kernel("void(Hex, i64, i64)")
def join(s, one, other):
    """Make one chain of two; nothing where they are one already."""
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
    """Undo unions until `count` are left."""
    while s.link_count > count:
        s.link_count -= 1
        child = np.int64(s.links[s.link_count])
        s.chain_size[np.int64(s.parent[child])] -= s.chain_size[child]
        s.parent[child] = child


@KERNELS.kernel("i64(Hex, i64)")
def rotated_cell_of(s, cell):
    """The cell where another comes to lie when the board is turned by half a circle."""
    return (s.height + 1) * STRIDE + s.width + 1 - cell


@KERNELS.kernel("void(Hex, i64, i64)")
def toggle_hash(s, colour, cell):
    """Take a stone into both hashes, or out of them."""
    s.hash ^= ZOBRIST[colour, cell]
    s.rotated_hash ^= ZOBRIST[colour, rotated_cell_of(s, cell)]


@KERNELS.kernel("void(Hex, i64, i64)")
def add_stone(s, colour, cell):
    """Put a stone on an empty cell and join it with its neighbours; see whether that connects its edges."""
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
    """The inverse of `add_stone` but for `winner`; `link_count` is what it was before."""
    toggle_hash(s, np.int64(s.cells[cell]) - 1, cell)
    undo_unions(s, link_count)
    s.cells[cell] = 0
    s.stones -= 1


@KERNELS.kernel("void(Hex, i64, i64)")
def record_ply(s, colour, cell):
    """Write down who makes a move, and what undoing it needs."""
    s.path[s.plies] = cell
    s.path_colour[s.plies] = colour
    s.path_side[s.plies] = s.side
    s.path_out_of_turn[s.plies] = 1 if colour != s.side or s.winner != 0 else 0
    s.path_links[s.plies] = s.link_count
    s.plies += 1


@KERNELS.export("void(Hex, i64)")
def set_side(s, side):
    """Say whose turn it is."""
    if s.side != side:
        s.side = side
        s.hash ^= ZOBRIST_SIDE
        s.rotated_hash ^= ZOBRIST_SIDE


@KERNELS.export("void(Hex, i64, i64)")
def put(s, colour, cell):
    """Put a stone of a colour on an empty cell, whoever is to move; the other colour moves next."""
    record_ply(s, colour, cell)
    add_stone(s, colour, cell)
    set_side(s, 1 - colour)


@KERNELS.export("void(Hex, i64)")
def apply(s, move):
    """Play a legal move of the side to move.

    A swap takes the only stone away and puts one of the other colour on the cell with column and row exchanged.
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
    """Take the last move or stone back."""
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
    """Empty board of a size, black to move; `swap` is 1 where pieces may be swapped, which wants a square board."""
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
    """1 where the side to move may swap pieces: the first player has made one move, and it was this side's opponent."""
    if s.swap == 0 or s.plies != 1 or s.winner != 0:
        return 0
    return 1 if s.path_colour[0] == 0 and s.side == 1 else 0


@KERNELS.export("i64(Hex, i64)")
def is_legal(s, move):
    """1 where the side to move may make a move, else 0."""
    if s.winner != 0 or move < 0 or move >= CELLS:
        return 0
    return can_swap(s) if move == SWAP else (1 if s.cells[move] == 0 else 0)


@KERNELS.export("i64(Hex)")
def list_legal(s):
    """Fill `list` with the legal moves by rows, the swap last, and return their number."""
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
    """Number of sequences of `depth` legal moves; the last ply is counted, not played."""
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
