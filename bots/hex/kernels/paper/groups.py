"""Static evaluation of the paper's minimax player: shortest paths, resistance, and virtual connections between groups.

A group is a chain of stones. A virtual connection of degree 1 joins two groups that have two common empty neighbours,
or a group and an edge. Each of the two cells gives a semi connection by the AND rule, and the OR rule unites the two
(Anshelevich, "A hierarchical approach to computer Hex", 2002). The fewer cells are empty, the less it counts. The
weights are our own.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.paper.potentials import count_words, edge_of, find_groups
from bots.hex.kernels.records import KERNELS, STRIDE
from bots.hex.kernels.rules import NEIGHBOUR_OFFSETS
from bots.hex.paper.fields import FAR
from core.native.intrinsics import popcount

# The weights were chosen by hand.
PATH_POINTS = 100  # per stone that a shortest path needs, times a weight of 1 or 2
CONDUCTANCE_POINTS = 200  # if all conductance of both sides is one side's
CONNECTION_POINTS = 30  # per virtual connection, on an empty board
RELAXATION_SWEEPS = 4  # sweeps over the board; more of them come closer to the exact current
STONE_RESISTANCE = 0.1  # an empty cell has 1


@KERNELS.export("i64(Hex, i64)")
def shortest_path(s, colour):
    """Return the number of stones that a colour needs to connect its edges, or FAR if it is cut off.

    Dijkstra's algorithm with costs 0 for own stones and 1 for empty cells. Row 0 of `stack` has the cells at the
    present distance, row 1 those one step further.
    """
    for y in range(1, s.height + 1):
        for cell in range(y * STRIDE + 1, y * STRIDE + s.width + 1):
            s.path_cost[cell] = FAR * FAR
    counts_now, counts_next = 0, 0
    for place in range(s.width if colour == 0 else s.height):
        cell = STRIDE + 1 + place if colour == 0 else (place + 1) * STRIDE + 1
        if s.cells[cell] == colour + 1:
            s.path_cost[cell] = 0
            s.stack[0, counts_now] = cell
            counts_now += 1
        elif s.cells[cell] == 0:
            s.path_cost[cell] = 1
            s.stack[1, counts_next] = cell
            counts_next += 1
    steps = 0
    while counts_now + counts_next > 0:
        if counts_now == 0:
            for place in range(counts_next):
                s.stack[0, place] = s.stack[1, place]
            counts_now, counts_next = counts_next, 0
            steps += 1
        counts_now -= 1
        cell = np.int64(s.stack[0, counts_now])
        for direction in range(6):
            other = cell + NEIGHBOUR_OFFSETS[direction]
            content = np.int64(s.cells[other])
            if edge_of(s, other) != 0:
                if content == colour + 1 and edge_of(s, other) == 2:
                    return steps
            elif content == 0 and s.path_cost[other] > steps + 1:
                s.path_cost[other] = steps + 1
                s.stack[1, counts_next] = other
                counts_next += 1
            elif content == colour + 1 and s.path_cost[other] > steps:
                s.path_cost[other] = steps
                s.stack[0, counts_now] = other
                counts_now += 1
    return FAR


@KERNELS.kernel("f64(Hex, i64, i64)")
def resistance_of(s, cell, colour):
    """Return the resistance of a cell to a colour's current: 0 for an edge, negative if the cell does not conduct."""
    content = np.int64(s.cells[cell])
    if edge_of(s, cell) != 0:
        return 0.0 if content == colour + 1 else -1.0
    if content == 0:
        return 1.0
    return STONE_RESISTANCE if content == colour + 1 else -1.0


@KERNELS.kernel("f64(Hex, i64)")
def relax_voltages(s, colour):
    """Set each cell's voltage to the weighted mean of its neighbours' (one sweep); return the current out of the first
    edge.
    """
    current = 0.0
    for y in range(1, s.height + 1):
        for cell in range(y * STRIDE + 1, y * STRIDE + s.width + 1):
            own = resistance_of(s, cell, colour)
            if own < 0.0:
                continue
            total, weight, at_first = 0.0, 0.0, 0.0
            for direction in range(6):
                other = cell + NEIGHBOUR_OFFSETS[direction]
                theirs = resistance_of(s, other, colour)
                if theirs < 0.0:
                    continue
                conductance = 1.0 / (own + theirs)
                edge = edge_of(s, other)
                voltage = s.voltage[other] if edge == 0 else (1.0 if edge == 1 else 0.0)
                total += conductance * voltage
                weight += conductance
                if edge == 1:
                    at_first += conductance
            if weight > 0.0:
                s.voltage[cell] = total / weight
            current += at_first * (1.0 - s.voltage[cell])
    return current


@KERNELS.export("f64(Hex, i64)")
def board_conductance(s, colour):
    """Return the current between a colour's edges, approximated by RELAXATION_SWEEPS sweeps."""
    for y in range(1, s.height + 1):
        for x in range(1, s.width + 1):
            way = y / (s.height + 1.0) if colour == 0 else x / (s.width + 1.0)
            s.voltage[y * STRIDE + x] = 1.0 - way
    current = 0.0
    for _ in range(RELAXATION_SWEEPS):
        current = relax_voltages(s, colour)
    return current


@KERNELS.export("i64(Hex, i64)")
def count_virtual_connections(s, colour):
    """Count a colour's virtual connections of degree 1 between two groups, or between a group and an edge."""
    find_groups(s, colour)
    words = count_words(s)
    length = s.width if colour == 0 else s.height
    links = 0
    for one in range(s.chain_count):
        for other in range(one):
            common = 0
            for word in range(words):
                common += popcount(s.liberties[one, word] & s.liberties[other, word])
            if common > 1:
                links += 1
        for edge in range(2):
            if np.int64(s.chain_edges[one]) & (1 << edge) != 0:
                continue
            common = 0
            for place in range(length):
                across = edge * ((s.height if colour == 0 else s.width) - 1)
                index = across * s.width + place if colour == 0 else place * s.width + across
                common += np.int64((s.liberties[one, index >> 6] >> np.uint64(index & 63)) & np.uint64(1))
            if common > 1:
                links += 1
    return links


@KERNELS.export("i64(Hex)")
def evaluate_groups(s):
    """Return the static evaluation for the side to move.

    `paper_opponent_weight` weighs the opponent's shortest path, and 3 minus it the own one. It is 2 if the root
    player is aggressive, else 1.
    """
    us, them = s.paper_root_side, 1 - s.paper_root_side
    value = PATH_POINTS * (
        s.paper_opponent_weight * shortest_path(s, them) - (3 - s.paper_opponent_weight) * shortest_path(s, us)
    )
    ours, theirs = board_conductance(s, us), board_conductance(s, them)
    if ours + theirs > 0.0:
        value += np.int64(CONDUCTANCE_POINTS * (ours - theirs) / (ours + theirs))
    empty = s.width * s.height - s.stones
    value += (
        CONNECTION_POINTS
        * (count_virtual_connections(s, us) - count_virtual_connections(s, them))
        * empty
        // (s.width * s.height)
    )
    return value if s.side == us else -value
