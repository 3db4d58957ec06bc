"""Two-distances and potentials of QueenBee (van Rijswijck, "Computer Hex: are bees better than fruitflies?", 2000).

Two empty cells are neighbours for a colour if they are adjacent, or if both are adjacent to one chain of this colour.

    two-distance    of a cell to an edge: 0 if the cell is next to the edge, directly or through a chain; else 1 + the
                    second smallest distance among its neighbours, since the opponent will block the best way
                    (the paper counts from 1)
    potential V     of a cell for a colour: the sum of its distances to the colour's two edges; 0 joins them at once
    cost            of a cell for the side to move: the sum of both colours' V, because a cell is worth as much to the
                    side that takes it as to the side that loses it

A cell that wins at once has the cost WINNING_MOVE_COST. If V = 0 for the opponent only, who would win there, the
opponent's second smallest potential, negated, replaces its V in the cost: it is what remains to the opponent when the
cell is taken from it.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import KERNELS, STRIDE
from bots.hex.kernels.rules import NEIGHBOUR_OFFSETS
from bots.hex.paper.fields import FAR, WINNING_MOVE_COST, WORDS
from core.native.intrinsics import popcount, trailing_zeros

ONE_BIT, EMPTY_SET = np.uint64(1), np.uint64(0)  # for sets of cells, which have WORDS words of 64 bits
POTENTIAL_WEIGHT = 100  # M in the evaluation M (P' - P) + (Q - Q')


@KERNELS.kernel("i64(Hex, i64)")
def bit_index(s, cell):
    """Return the bit of a cell in a set of cells: x + y * width."""
    return (cell // STRIDE - 1) * s.width + cell % STRIDE - 1


@KERNELS.kernel("i64(Hex, i64)")
def cell_of_bit(s, index):
    """Return the cell of a bit; the inverse of `bit_index`."""
    return (index // s.width + 1) * STRIDE + index % s.width + 1


@KERNELS.kernel("i64(Hex)")
def count_words(s):
    """Return the number of words that a set of cells needs on this board."""
    return (s.width * s.height + 63) >> 6


@KERNELS.kernel("i64(Hex, i64)")
def edge_of(s, cell):
    """Return 1 for padding above or left of the board, 2 for padding below or right, 0 for a cell of the board."""
    x, y = cell % STRIDE, cell // STRIDE
    if x == 0 or y == 0:
        return 1
    return 2 if x > s.width or y > s.height else 0


@KERNELS.kernel("void(Hex, i64, i64)")
def flood_chain(s, first, colour):
    """Number the chain of a stone and find its liberties and the edges it touches."""
    number = s.chain_count
    s.chain_count += 1
    s.chain_edges[number] = 0
    for word in range(WORDS):
        s.liberties[number, word] = EMPTY_SET
    s.chain_of[first] = number
    s.stack[0, 0] = first
    waiting = 1
    while waiting > 0:
        waiting -= 1
        cell = np.int64(s.stack[0, waiting])
        for direction in range(6):
            other = cell + NEIGHBOUR_OFFSETS[direction]
            content = np.int64(s.cells[other])
            if content == 0:
                index = bit_index(s, other)
                s.liberties[number, index >> 6] |= ONE_BIT << np.uint64(index & 63)
            elif content == colour + 1:
                edge = edge_of(s, other)
                if edge != 0:
                    s.chain_edges[number] = np.int64(s.chain_edges[number]) | edge
                elif s.chain_of[other] < 0:
                    s.chain_of[other] = number
                    s.stack[0, waiting] = other
                    waiting += 1


@KERNELS.kernel("void(Hex, i64)")
def find_groups(s, colour):
    """Number the chains of a colour and find their liberties and the edges they touch."""
    s.chain_count = 0
    for y in range(1, s.height + 1):
        for cell in range(y * STRIDE + 1, y * STRIDE + s.width + 1):
            s.chain_of[cell] = -1
    for y in range(1, s.height + 1):
        for cell in range(y * STRIDE + 1, y * STRIDE + s.width + 1):
            if s.cells[cell] == colour + 1 and s.chain_of[cell] < 0:
                flood_chain(s, cell, colour)


@KERNELS.kernel("void(Hex, i64, i64)")
def find_neighbours(s, cell, colour):
    """Find the neighbours of an empty cell for a colour, and the edges next to it."""
    index = bit_index(s, cell)
    edges = 0
    words = count_words(s)
    for word in range(words):
        s.neighbour_set[index, word] = EMPTY_SET
    for direction in range(6):
        other = cell + NEIGHBOUR_OFFSETS[direction]
        content = np.int64(s.cells[other])
        if content == 0:
            place = bit_index(s, other)
            s.neighbour_set[index, place >> 6] |= ONE_BIT << np.uint64(place & 63)
        elif content == colour + 1:
            if edge_of(s, other) != 0:
                edges |= edge_of(s, other)
                continue
            chain = np.int64(s.chain_of[other])
            edges |= np.int64(s.chain_edges[chain])
            for word in range(words):
                s.neighbour_set[index, word] |= s.liberties[chain, word]
    s.neighbour_set[index, index >> 6] &= ~(ONE_BIT << np.uint64(index & 63))
    for edge in range(2):
        if edges & (1 << edge) != 0:
            s.at_edge[edge, index >> 6] |= ONE_BIT << np.uint64(index & 63)


@KERNELS.kernel("void(Hex)")
def update_reach(s):
    """Add the newly reached cells to the sets of cells with one and with two reached neighbours."""
    words = count_words(s)
    for part in range(words):
        bits = s.newly_reached[part]
        while bits != EMPTY_SET:
            index = 64 * part + trailing_zeros(bits)
            bits &= bits - ONE_BIT
            for word in range(words):
                s.reached_twice[word] |= s.reached_once[word] & s.neighbour_set[index, word]
                s.reached_once[word] |= s.neighbour_set[index, word]


@KERNELS.kernel("void(Hex, i64, i64)")
def find_distances(s, colour, edge):
    """Compute the two-distances of all empty cells to an edge, nearest cells first. `find_neighbours` comes before."""
    words = count_words(s)
    for index in range(s.width * s.height):
        s.distances[colour, edge, cell_of_bit(s, index)] = FAR
    count = 0
    for word in range(words):
        s.reached_once[word], s.reached_twice[word] = EMPTY_SET, EMPTY_SET
        s.newly_reached[word] = s.at_edge[edge, word]
        s.reached[word] = s.newly_reached[word]
        count += popcount(s.newly_reached[word])
    distance = 0
    while count > 0 and distance < FAR:
        for word in range(words):
            bits = s.newly_reached[word]
            while bits != EMPTY_SET:
                s.distances[colour, edge, cell_of_bit(s, 64 * word + trailing_zeros(bits))] = distance
                bits &= bits - ONE_BIT
        update_reach(s)
        distance += 1
        count = 0
        for word in range(words):
            s.newly_reached[word] = s.reached_twice[word] & ~s.reached[word]
            s.reached[word] |= s.newly_reached[word]
            count += popcount(s.newly_reached[word])


@KERNELS.kernel("void(Hex, i64)")
def sum_distances(s, colour):
    """Compute the potentials for a colour, and from them the smallest, its number of cells and the second smallest."""
    s.min_potential[colour], s.min_potential_cells[colour], s.second_potential[colour] = 2 * FAR, 0, 2 * FAR
    for y in range(1, s.height + 1):
        for cell in range(y * STRIDE + 1, y * STRIDE + s.width + 1):
            if s.cells[cell] != 0:
                continue
            potential = np.int64(s.distances[colour, 0, cell]) + np.int64(s.distances[colour, 1, cell])
            s.potentials[colour, cell] = potential
            if potential < s.min_potential[colour]:
                s.second_potential[colour] = s.min_potential[colour]
                s.min_potential[colour], s.min_potential_cells[colour] = potential, 1
                continue
            if potential == s.min_potential[colour]:
                s.min_potential_cells[colour] += 1
            s.second_potential[colour] = min(s.second_potential[colour], potential)


@KERNELS.export("void(Hex)")
def find_potentials(s):
    """Compute two-distances and potentials for both colours."""
    for colour in range(2):
        find_groups(s, colour)
        for edge in range(2):
            for word in range(WORDS):
                s.at_edge[edge, word] = EMPTY_SET
        for y in range(1, s.height + 1):
            for cell in range(y * STRIDE + 1, y * STRIDE + s.width + 1):
                if s.cells[cell] == 0:
                    find_neighbours(s, cell, colour)
        for edge in range(2):
            find_distances(s, colour, edge)
        sum_distances(s, colour)


@KERNELS.kernel("i64(Hex, i64)")
def move_cost(s, cell):
    """Return the cost of an empty cell for the side to move. `find_potentials` comes before."""
    if s.potentials[s.side, cell] == 0:
        return WINNING_MOVE_COST
    cost = 0
    for colour in range(2):
        potential = np.int64(s.potentials[colour, cell])
        cost += potential if potential > 0 else -s.second_potential[colour]
    return cost


@KERNELS.export("i64(Hex)")
def evaluate_potentials(s):
    """QueenBee's evaluation for the side to move: M (P' - P) + (Q - Q'). `find_potentials` comes before.

    P is the smallest potential of the side to move and Q the number of its cells; P' and Q' are the opponent's. Few
    cells with the smallest potential are easily blocked.
    """
    us, them = s.side, 1 - s.side
    return (
        POTENTIAL_WEIGHT * (s.min_potential[them] - s.min_potential[us])
        + s.min_potential_cells[us]
        - s.min_potential_cells[them]
    )
