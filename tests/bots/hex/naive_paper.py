"""Slow and obvious versions of the static evaluations in bots/hex/kernels/paper.

These are two-distances and potentials, shortest paths, virtual connections and conductance.
"""

from __future__ import annotations

import math

from bots.hex.paper.fields import FAR, WINNING_MOVE_COST
from tests.bots.hex.naive import NEIGHBOURS, Cell, NaiveHex

STONE_RESISTANCE, SWEEPS = 0.1, 4  # as in the kernels


def touching(cell: Cell) -> list[Cell]:
    """Return the six neighbours, including those off the board."""
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in NEIGHBOURS]


def edges_of(board: NaiveHex, cell: Cell, colour: int) -> set[int]:
    """Return the edges of a colour along which a cell lies: 0 the first, 1 the last."""
    coordinate, last = cell[1 - colour], (board.height, board.width)[colour] - 1
    return {edge for edge, border in enumerate((0, last)) if coordinate == border}


def chain_of(board: NaiveHex, stone: Cell) -> set[Cell]:
    """Return the stones of the chain to which a stone belongs."""
    chain, queue = {stone}, [stone]
    while queue:
        for other in touching(queue.pop()):
            if other not in chain and board.stones.get(other) == board.stones[stone]:
                chain.add(other)
                queue.append(other)
    return chain


def chains_beside(board: NaiveHex, cell: Cell, colour: int) -> list[set[Cell]]:
    """Return the chains of a colour next to a cell, one for each stone next to it, so that a chain may occur twice."""
    return [chain_of(board, stone) for stone in touching(cell) if board.stones.get(stone) == colour]


def liberties(board: NaiveHex, chain: set[Cell]) -> set[Cell]:
    return {cell for stone in chain for cell in touching(stone) if cell in board.empty()}


def two_distances(board: NaiveHex, colour: int, edge: int) -> dict[Cell, int]:
    """Return the two-distance of each empty cell to an edge.

    The definition (bots/hex/kernels/paper/potentials.py) is applied repeatedly, starting from FAR, until nothing
    changes.
    """
    neighbours, distances = {}, {}  # by cell
    for cell in board.empty():
        chains = chains_beside(board, cell, colour)
        edges = set.union(edges_of(board, cell, colour), *(edges_of(board, s, colour) for c in chains for s in c))
        neighbours[cell] = set.union(set(touching(cell)) & set(board.empty()), *(liberties(board, c) for c in chains))
        neighbours[cell] -= {cell}
        distances[cell] = 0 if edge in edges else FAR
    changed = True
    while changed:
        changed = False
        for cell, others in neighbours.items():
            sorted_distances = sorted([distances[other] for other in others] + [FAR, FAR])
            distance = min(distances[cell], sorted_distances[1] + 1, FAR)
            changed |= distance != distances[cell]
            distances[cell] = distance
    return distances


def potentials(board: NaiveHex, colour: int) -> dict[Cell, int]:
    """Return the sum of each empty cell's two-distances to a colour's edges."""
    to_first, to_last = (two_distances(board, colour, edge) for edge in (0, 1))
    return {cell: to_first[cell] + to_last[cell] for cell in to_first}


def costs(board: NaiveHex, side: int) -> dict[Cell, int]:
    """Return the cost of each empty cell for the side to move."""
    potentials_by_colour = [potentials(board, colour) for colour in (0, 1)]
    second_smallest = [sorted([*values.values(), 2 * FAR, 2 * FAR])[1] for values in potentials_by_colour]
    cell_costs = {}
    for cell in board.empty():
        parts = [values[cell] or -second_smallest[colour] for colour, values in enumerate(potentials_by_colour)]
        cell_costs[cell] = WINNING_MOVE_COST if potentials_by_colour[side][cell] == 0 else sum(parts)
    return cell_costs


def evaluate_potentials(board: NaiveHex, side: int) -> int:
    """Return QueenBee's evaluation for a side."""
    values = [list(potentials(board, colour).values()) for colour in (side, 1 - side)]
    (own, theirs) = ((min(v), v.count(min(v))) for v in values)  # smallest potential, number of cells with it
    return 100 * (theirs[0] - own[0]) + own[1] - theirs[1]


def shortest_path(board: NaiveHex, colour: int) -> int:
    """Return the number of stones that a colour needs, by repeated relaxation of every cell."""
    weights = {c: 0 if board.stones.get(c) == colour else 1 for c in board.cells() if board.stones.get(c) != 1 - colour}
    steps = {c: w if 0 in edges_of(board, c, colour) else FAR for c, w in weights.items()}
    for _ in weights:
        for cell, weight in weights.items():
            steps[cell] = min([steps[cell], *(steps[o] + weight for o in touching(cell) if o in steps)])
    return min([FAR, *(steps[c] for c in steps if 1 in edges_of(board, c, colour))])


def count_virtual_connections(board: NaiveHex, colour: int) -> int:
    """Return the number of virtual connections of degree 1 between two chains, or between a chain and an edge."""
    chains: list[set[Cell]] = []
    for stone, owner in board.stones.items():
        if owner == colour and not any(stone in chain for chain in chains):
            chains.append(chain_of(board, stone))
    count = 0
    for index, chain in enumerate(chains):
        empty = liberties(board, chain)
        count += sum(len(empty & liberties(board, other)) > 1 for other in chains[:index])
        for edge in (0, 1):
            touches = any(edge in edges_of(board, stone, colour) for stone in chain)
            count += not touches and sum(edge in edges_of(board, cell, colour) for cell in empty) > 1
    return count


def conductance(board: NaiveHex, colour: int) -> float:
    """Return the current between a colour's edges after SWEEPS relaxations of the voltages, row by row.

    Cells off the board stand for the edges.
    """
    length = (board.height, board.width)[colour]
    voltage = {cell: 1 - (cell[1 - colour] + 1) / (length + 1) for cell in board.cells()}

    def resistance(cell: Cell) -> float:
        if cell not in voltage:
            along, across = cell[colour], cell[1 - colour]
            is_edge = 0 <= along < (board.width, board.height)[colour] and across in (-1, length)
            return 0.0 if is_edge else math.inf
        owner = board.stones.get(cell)
        return 1.0 if owner is None else STONE_RESISTANCE if owner == colour else math.inf

    current = 0.0
    for _ in range(SWEEPS):
        current = 0.0
        for cell in [c for c in board.cells() if resistance(c) < math.inf]:
            conductors = [o for o in touching(cell) if resistance(o) < math.inf]
            conductances = {o: 1 / (resistance(cell) + resistance(o)) for o in conductors}
            voltages = {o: voltage.get(o, 1.0 if o[1 - colour] < 0 else 0.0) for o in conductors}
            if conductors:
                total = sum(g * voltages[o] for o, g in conductances.items())
                voltage[cell] = total / sum(conductances.values())
            current += sum(g for o, g in conductances.items() if o[1 - colour] < 0) * (1 - voltage[cell])
    return current
