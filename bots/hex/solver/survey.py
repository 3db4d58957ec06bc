"""What virtual connections and inferior cells tell of a position without a search, as HexGui draws it.

Every call has a solver's state of its own, which only takes the pages that it touches.
"""

from __future__ import annotations

from collections.abc import Callable

from bots.hex.notation import COLOURS, MAX_FULL
from bots.hex.position import HexPosition
from bots.hex.solver.solve import cell_names, solver_cell_name, solver_state_at
from core.native.library import ArrayField
from core.search.mcts_tree import UNKNOWN

PRUNED = "x"
EDGES = (("north", "south"), ("west", "east"))


def list_inferior_cells(position: HexPosition, side: int) -> list[tuple[str, str]]:
    """Return cells and HexGui's codes for them: filled in as dead or captured, or not worth a move of a side.

    If the result is known without a search, no moves are told apart. Raise MemoryError.
    """
    library, state = position.library, solver_state_at(position)
    remaining = set(cell_names(state, state.all_cells)) - {cell for _, cell in position.stones()}
    library.fill_in_board(state)
    found = []
    for colour in range(2):
        captured = set(cell_names(state, state.captured[colour]))
        for cell in sorted(remaining & set(cell_names(state, state.stones[colour]))):
            found.append((cell, f"f{'c' if cell in captured else 'd'}{COLOURS[colour][0]}"))
            remaining.remove(cell)
    if library.static_result(state, side) == UNKNOWN:
        found += [(cell, PRUNED) for cell in sorted(remaining - set(cell_names(state, state.candidates)))]
    return found


def list_edge_connections(position: HexPosition, colour: int, format_name: Callable[[str], str]) -> list[str]:
    """Return the connections between a colour's edges as HexGui reads them: a full one, else the semi ones.

    Edges, colour, kind, origin, a number that means nothing here, the carrier in brackets, the key of a semi one.
    `format_name` writes a cell for the reader.
    """
    state = solver_state_at(position)
    prefix = f"{' '.join(EDGES[colour])} {COLOURS[colour]}"

    def carrier(words: ArrayField[int]) -> str:
        return " ".join(["[", *map(format_name, cell_names(state, words)), "]"])

    def key(index: int) -> str:
        return format_name(solver_cell_name(state, state.semi_key[0][index]))

    if position.library.connect(state, colour, 0):
        return [f"{prefix} full h-search 0 {carrier(state.carrier)}"]
    return [
        f"{prefix} semi h-search 0 {carrier(state.carriers[0][MAX_FULL + i])} {key(i)}"
        for i in range(state.connection_count[0][1])
    ]
