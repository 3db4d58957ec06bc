"""Slow and obvious versions of the paper's measures: two-distances, shortest paths, virtual connections,
conductance.
"""

from __future__ import annotations

import math

from bots.hex.paper.fields import FAR, WINNING_MOVE_COST
from tests.bots.hex.naive import NEIGHBOURS, Cell, NaiveHex

STONE_RESISTANCE, SWEEPS = 0.1, 4


def touching(cell: Cell) -> list[Cell]:
    """The six neighbours, also those off the board."""
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in NEIGHBOURS]


def edges_of(board: NaiveHex, cell: Cell, colour: int) -> set[int]:
    """Return the edges of a colour along which a cell lies: 0 the first, 1 the last."""
    coordinate, last = cell[1 - colour], (board.height, board.width)[colour] - 1
    return {edge for edge, border in enumerate((0, last)) if coordinate == border}


def chain_of(board: NaiveHex, stone: Cell) -> set[Cell]:
    """Return the stones of a stone's chain."""
    chain, queue = {stone}, [stone]
    while queue:
        for other in touching(queue.pop()):
            if other not in chain and board.stones.get(other) == board.stones[stone]:
                chain.add(other)
                queue.append(other)
    return chain


def chains_beside(board: NaiveHex, cell: Cell, colour: int) -> list[set[Cell]]:
    return [chain_of(board, stone) for stone in touching(cell) if board.stones.get(stone) == colour]


def liberties(board: NaiveHex, chain: set[Cell]) -> set[Cell]:
    return {cell for stone in chain for cell in touching(stone) if cell in board.empty()}


def two_distances(board: NaiveHex, colour: int, edge: int) -> dict[Cell, int]:
    """Apply the definition repeatedly, starting from FAR, until nothing changes."""
    near, distances = {}, {}
    for cell in board.empty():
        chains = chains_beside(board, cell, colour)
        edges = set.union(edges_of(board, cell, colour), *(edges_of(board, s, colour) for c in chains for s in c))
        near[cell] = set.union(set(touching(cell)) & set(board.empty()), *(liberties(board, c) for c in chains))
        near[cell] -= {cell}
        distances[cell] = 0 if edge in edges else FAR
    changed = True
    while changed:
        changed = False
        for cell, others in near.items():
            best = sorted([distances[other] for other in others] + [FAR, FAR])
            wanted = min(distances[cell], best[1] + 1, FAR)
            changed |= wanted != distances[cell]
            distances[cell] = wanted
    return distances


def potentials(board: NaiveHex, colour: int) -> dict[Cell, int]:
    first, last = (two_distances(board, colour, edge) for edge in (0, 1))
    return {cell: first[cell] + last[cell] for cell in first}


def costs(board: NaiveHex, side: int) -> dict[Cell, int]:
    both = [potentials(board, colour) for colour in (0, 1)]
    second = [sorted([*values.values(), 2 * FAR, 2 * FAR])[1] for values in both]
    found = {}
    for cell in board.empty():
        parts = [values[cell] or -second[colour] for colour, values in enumerate(both)]
        found[cell] = WINNING_MOVE_COST if both[side][cell] == 0 else sum(parts)
    return found


def estimate(board: NaiveHex, side: int) -> int:
    """QueenBee's evaluation for a side."""
    values = [list(potentials(board, colour).values()) for colour in (side, 1 - side)]
    (own, theirs) = ((min(v), v.count(min(v))) for v in values)
    return 100 * (theirs[0] - own[0]) + own[1] - theirs[1]


def shortest_path(board: NaiveHex, colour: int) -> int:
    """By repeated relaxation of every cell."""
    weights = {c: 0 if board.stones.get(c) == colour else 1 for c in board.cells() if board.stones.get(c) != 1 - colour}
    steps = {c: w if 0 in edges_of(board, c, colour) else FAR for c, w in weights.items()}
    for _ in weights:
        for cell, weight in weights.items():
            steps[cell] = min([steps[cell], *(steps[o] + weight for o in touching(cell) if o in steps)])
    return min([FAR, *(steps[c] for c in steps if 1 in edges_of(board, c, colour))])


def count_links(board: NaiveHex, colour: int) -> int:
    chains: list[set[Cell]] = []
    for stone, owner in board.stones.items():
        if owner == colour and not any(stone in chain for chain in chains):
            chains.append(chain_of(board, stone))
    links = 0
    for number, chain in enumerate(chains):
        free = liberties(board, chain)
        links += sum(len(free & liberties(board, other)) > 1 for other in chains[:number])
        for edge in (0, 1):
            touches = any(edge in edges_of(board, stone, colour) for stone in chain)
            links += not touches and sum(edge in edges_of(board, cell, colour) for cell in free) > 1
    return links


def conductance(board: NaiveHex, colour: int) -> float:
    """Relax the voltages row by row; the padding stands for the edges."""
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
            open_ones = [o for o in touching(cell) if resistance(o) < math.inf]
            ways = [(o, 1 / (resistance(cell) + resistance(o))) for o in open_ones]
            known = {o: voltage.get(o, 1.0 if o[1 - colour] < 0 else 0.0) for o, _ in ways}
            if ways:
                voltage[cell] = sum(g * known[o] for o, g in ways) / sum(g for _, g in ways)
            current += sum(g for o, g in ways if o[1 - colour] < 0) * (1 - voltage[cell])
    return current
