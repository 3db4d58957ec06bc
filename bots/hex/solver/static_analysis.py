"""Static analysis of a position (inferior cells, virtual connections) in the formats that HexGui displays.

Each call allocates a solver state of its own; memory that is not touched costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from bots.hex.notation import COLOURS, MAX_FULL
from bots.hex.position import HexPosition
from bots.hex.solver.solve import cell_names, solver_cell_name, solver_state_at
from core.native.library import ArrayField
from core.search.mcts_tree import UNKNOWN

PRUNED = "x"  # HexGui's code for a move that is not worth a try
EDGES = (("north", "south"), ("west", "east"))  # HexGui's names of the edges, by colour


def list_inferior_cells(position: HexPosition, side: int) -> list[tuple[str, str]]:
    """Return pairs of a cell and HexGui's code for it.

    Codes: `fdb` dead; `fcb` and `fcw` captured by black or white; `x` not worth a move of `side`. No `x` are given if
    virtual connections and inferior cells decide the position. Raise MemoryError if there is no memory for a
    solver state.
    """
    library, state = position.library, solver_state_at(position)
    remaining = set(cell_names(state, state.all_cells)) - {cell for _, cell in position.stones()}
    library.fill_in_board(state)
    pairs = []
    for colour in range(2):
        captured = set(cell_names(state, state.captured[colour]))
        for cell in sorted(remaining & set(cell_names(state, state.stones[colour]))):
            pairs.append((cell, f"f{'c' if cell in captured else 'd'}{COLOURS[colour][0]}"))
            remaining.remove(cell)
    if library.static_result(state, side) == UNKNOWN:
        pairs += [(cell, PRUNED) for cell in sorted(remaining - set(cell_names(state, state.candidates)))]
    return pairs


def list_edge_connections(position: HexPosition, colour: int, format_name: Callable[[str], str]) -> list[str]:
    """Return the virtual connections between a colour's edges as HexGui reads them: a full one, or else the semi ones.

    A line has the two edges, colour, kind, origin, an unused number, the carrier in brackets, and the key of a semi
    connection: `north south black semi h-search 0 [ a1 b2 ] a1`. `format_name` converts a cell name to the coordinates
    of the session. Raise MemoryError if there is no memory for a solver state.
    """
    state = solver_state_at(position)
    prefix = f"{' '.join(EDGES[colour])} {COLOURS[colour]}"

    def carrier(words: ArrayField[int]) -> str:
        return " ".join(["[", *map(format_name, cell_names(state, words)), "]"])

    def key(index: int) -> str:
        return format_name(solver_cell_name(state, state.semi_key[0][index]))

    if position.library.connect(state, colour, 0):  # 0: the opponent moves first
        return [f"{prefix} full h-search 0 {carrier(state.carrier)}"]
    return [
        f"{prefix} semi h-search 0 {carrier(state.carriers[0][MAX_FULL + i])} {key(i)}"
        for i in range(state.connection_count[0][1])
    ]
